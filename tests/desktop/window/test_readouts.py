"""Readouts while the mouse draws, and snapping."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Polygon, Position
from engine.domain.tracking.updates import Confidence
from tests.desktop.map.hand import metres_per_pixel
from tests.desktop.window.user import CENTRE, EDGE, User

CORNER: Position = (14.5, 46.05)


@pytest.mark.slow
def test_a_line_is_measured_while_it_is_drawn(user: User) -> None:
    measure = user.window.shaping.measure.readout
    user.hand.settle()
    user.press(Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    user.until(lambda: user.window.map.tool == "measure" and measure.isVisible())
    user.hand.click((14.498, 46.05))
    user.hand.move((14.5, 46.05))
    user.until(lambda: "Distance 15" in measure.text.text())
    user.hand.click((14.5, 46.05))
    user.hand.move((14.5, 46.0515))
    user.until(lambda: "in 2 segments" in measure.text.text())
    user.hand.click((14.5, 46.052))
    user.hand.move((14.501, 46.0525))
    user.until(lambda: "in 3 segments" in measure.text.text())
    user.hand.press(Qt.Key.Key_Return)
    user.until(lambda: user.window.map.tool == "select")
    user.until(lambda: "in 2 segments" in measure.text.text())
    distance, area = measure.text.text().splitlines()
    pixel = metres_per_pixel(user.window.map)
    metres = float(distance.split()[1])
    assert metres == pytest.approx(154.9 + 222.3, abs=4 * pixel)
    square_metres = float(area.split()[1].replace(",", ""))
    assert square_metres == pytest.approx(154.9 * 222.3 / 2, rel=0.08)
    user.click(measure.copy_button)
    assert QApplication.clipboard().text().startswith("Distance 37")
    user.click(measure.close_button)
    assert not measure.isVisible()
    assert user.stored() == []


def test_escape_ends_measuring(user: User) -> None:
    user.hand.settle()
    user.press(Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    user.until(lambda: user.window.map.tool == "measure")
    user.hand.click((14.498, 46.05))
    user.hand.press(Qt.Key.Key_Escape)
    user.until(lambda: user.window.map.tool == "select")
    assert not user.window.shaping.measure.readout.isVisible()


def test_the_confidence_follows_the_mouse_and_the_accuracy(user: User) -> None:
    confidence = user.window.shaping.confidence
    text = confidence.readout.text
    user.select(user.given(radius_m=120.0))
    user.window.actions_.confidence.trigger()
    user.until(lambda: "Centre: high\nEdge: low" in text.text())
    accuracy = confidence.readout.accuracy
    assert accuracy is not None
    user.type(accuracy, "300")
    user.until(lambda: "Centre: low" in text.text() and "100% low" in text.text())
    user.type(accuracy, "20")
    user.until(lambda: "Centre: high" in text.text())
    user.window.model.selection.clear()
    user.until(lambda: text.text().startswith("Draw or select"))
    user.hand.settle()
    user.tool(user.window.actions_.circle)
    user.hand.click(CENTRE)
    user.hand.move((14.5002, 46.05))
    user.until(lambda: "Centre: low" in text.text() or "Centre: medium" in text.text())
    user.hand.move(EDGE)
    user.until(lambda: "Centre: high" in text.text())
    user.hand.press(Qt.Key.Key_Escape)
    user.until(lambda: text.text().startswith("Draw or select"))
    user.click(confidence.readout.close_button)
    assert not user.window.actions_.confidence.isChecked()
    assert Confidence.HIGH == 3


def test_the_confidence_comes_with_the_third_vertex_before_it_is_placed(user: User) -> None:
    confidence = user.window.shaping.confidence
    text = confidence.readout.text
    user.select(user.given(radius_m=120.0))
    user.window.actions_.confidence.trigger()
    user.until(lambda: "Centre: high" in text.text())
    user.hand.settle()
    user.tool(user.window.actions_.polygon)
    user.until(lambda: text.text().startswith("Place two vertices"))
    user.hand.click((14.498, 46.049))
    user.hand.click((14.502, 46.049))
    assert text.text().startswith("Place two vertices")
    user.hand.move((14.500, 46.0492))
    user.until(lambda: "Centre: low" in text.text() or "Centre: medium" in text.text())
    user.hand.move((14.500, 46.0525))
    user.until(lambda: "Centre: high" in text.text())
    user.hand.settle()
    user.hand.press(Qt.Key.Key_Backspace)
    user.hand.move((14.501, 46.0525))
    user.until(lambda: text.text().startswith("Place two vertices"))
    user.hand.press(Qt.Key.Key_Escape)
    user.until(lambda: "Store 1" in text.text())
    user.window.actions_.confidence.setChecked(False)


@pytest.mark.parametrize("held", [False, True], ids=["snaps", "alt suspends"])
def test_a_vertex_snaps_to_that_of_a_neighbour(user: User, held: bool) -> None:
    ring = (CORNER, (14.503, 46.05), (14.503, 46.052), (14.5, 46.052), CORNER)
    user.engine.geofences.create(
        user.window.model.environment,
        GeofenceChange(tag="zone", external_id="1", description="Zone", type="polygon", coordinates=ring),
    )
    user.until(lambda: len(user.window.model.fences) == 1)
    user.window.actions_.snapping.setChecked(False)
    user.press(Qt.Key.Key_S)
    user.until(user.window.actions_.snapping.isChecked)
    user.hand.settle()
    user.tool(user.window.actions_.polygon)
    user.hand.settle()
    keys = Qt.KeyboardModifier.AltModifier if held else Qt.KeyboardModifier.NoModifier
    for place in ((14.497, 46.048), (14.501, 46.0475)):
        user.hand.put_vertex(place)
    user.hand.put_vertex(user.hand.at(CORNER) + QPoint(-6, 5), keys)
    user.hand.press(Qt.Key.Key_Return)
    user.until(lambda: len(user.stored()) == 2)
    drawn = next(fence for fence in user.stored() if fence.tag == "geofence").geometry
    assert isinstance(drawn, Polygon)
    assert (CORNER in drawn.ring) is not held
    user.press(Qt.Key.Key_S)
