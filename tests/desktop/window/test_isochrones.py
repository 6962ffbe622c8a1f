"""Isochrones: previewed on the map, created, extended, moved, and undone, in the bundled area."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from time import perf_counter

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.desktop.dialogs.import_report import ImportReportDialog
from engine.areas.library import BUNDLED
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Isochrone
from engine.domain.travel import TravelMode
from engine.geo.shapes import shape_of
from tests.desktop.map.hand import metres_between
from tests.desktop.waiting import let_work
from tests.desktop.window.test_areas import drop
from tests.desktop.window.user import LEFT, User

pytestmark = pytest.mark.parts("areas", "availability", "fences", "isochrones", "list", "selection", "tools", "undoing")

STATION = (24.9414, 60.1719)
SQUARE = (24.9480, 60.1700)
FAR = (25.3, 60.1719)
BAY = (24.92, 60.1719)
"""A position west of the area, with the nearest road about a kilometre away."""

FAR_AWAY = re.compile(r"(\d,)?\d{3} m")
CTRL = Qt.KeyboardModifier.ControlModifier
_numbers = count(1)


@pytest.fixture(autouse=True)
def in_helsinki(user: User) -> None:
    """Show the bundled area."""
    if not (BUNDLED / "helsinki").is_dir():
        pytest.skip("the bundled area has not been built; the setup does it")
    user.window.map.show_point(*STATION, zoom=15)
    user.until(lambda: bool(user.window.areas.areas.in_use))


def answered(user: User) -> None:
    user.until(lambda: user.window.isochrones.answered, timeout=30_000)


def tried(user: User, place: tuple[float, float] = STATION) -> None:
    """Select the tool with its key and click a destination."""
    user.hand.press(Qt.Key.Key_I)
    panel = user.window.isochrones.panel
    user.until(panel.isVisible)
    assert not panel.create_button.isEnabled()
    user.hand.click(place)
    user.until(lambda: panel.center is not None)
    answered(user)


def shape(fence: Geofence) -> Isochrone:
    assert isinstance(fence.geometry, Isochrone)
    return fence.geometry


def given_isochrone(user: User, minutes: float = 5.0) -> Geofence:
    """Create an isochrone outside the window, and return it once the window shows it."""
    number = next(_numbers)
    change = GeofenceChange(
        tag="reach",
        external_id=str(number),
        description=f"Reach {number}",
        type="isochrone",
        coordinates=STATION,
        size=minutes,
        mode="foot",
    )
    fence = user.engine.geofences.create(user.window.model.environment, change)
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    return fence


@pytest.mark.whole_window
def test_an_isochrone_is_tried_out_and_created_with_enter(user: User) -> None:
    before = user.hand.picture()
    tried(user)
    panel = user.window.isochrones.panel
    user.until(panel.create_button.isEnabled)
    assert user.hand.picture() != before
    assert user.stored() == []
    user.hand.press(Qt.Key.Key_Return)
    user.until(lambda: len(user.stored()) == 1)
    made = shape(user.only())
    assert metres_between((made.center.longitude, made.center.latitude), STATION) < 5
    assert made.mode is TravelMode.FOOT, "by car the bundled area ends within two minutes"
    assert 5 <= made.minutes < 15
    assert user.engine.geofences.edge_of(user.only()) is None
    user.until(lambda: not panel.isVisible())
    assert user.window.map.tool == "select"
    form = user.window.form
    user.until(lambda: form.fence is not None)
    assert form.basics.minutes.number.value() == made.minutes
    assert form.basics.mode.mode == "foot"
    assert not form.basics.edge.isVisible()
    assert form.basics.minutes.isVisible()
    assert not form.basics.radius.isVisible()
    user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
    user.until(lambda: user.stored() == [])


def test_mode_and_minutes_are_chosen_in_the_panel(user: User) -> None:
    tried(user)
    panel = user.window.isochrones.panel
    user.click(panel.modes.buttons[list(TravelMode).index(TravelMode.FOOT)])
    user.type(panel.minutes, "4")
    answered(user)
    user.until(panel.create_button.isEnabled)
    user.click(panel.create_button)
    user.until(lambda: len(user.stored()) == 1)
    assert (shape(user.only()).minutes, shape(user.only()).mode) == (4, TravelMode.FOOT)


def test_bands_are_seen_and_only_one_becomes_a_geofence(user: User) -> None:
    tried(user)
    panel = user.window.isochrones.panel
    user.click(panel.modes.buttons[list(TravelMode).index(TravelMode.FOOT)])
    user.type(panel.minutes, "15")
    answered(user)
    one = user.hand.picture()
    user.click(panel.bands)
    answered(user)
    assert user.hand.picture() != one
    trial = panel.trial
    assert trial is not None
    assert list(trial.steps) == [15.0, 10.0, 5.0]
    user.click(panel.create_button)
    user.until(lambda: len(user.stored()) == 1)
    assert shape(user.only()).minutes == 15


def test_the_edge_of_the_area_is_named_in_panel_and_form(user: User) -> None:
    tried(user)
    panel = user.window.isochrones.panel
    user.until(panel.create_button.isEnabled)
    assert not panel.edge.isVisible()
    user.type(panel.minutes, "60")
    answered(user)
    user.until(panel.edge.isVisible)
    assert re.search(r"area helsinki end here\. Up to \d min on foot stay inside", panel.edge.text())
    inside = given_isochrone(user)
    user.window.map.cancel()
    edges = []
    for fence in (given_isochrone(user, 60), inside):
        user.select(fence)
        let_work(500)
        edges.append(user.window.form.basics.edge.text())
    assert "Up to" in edges[0]
    assert edges[1] == ""


@pytest.mark.second_try("measures that a step of the slider is shown within 0.3 s")
def test_each_step_of_the_slider_is_shown_at_once(user: User) -> None:
    tried(user)
    slider, before = user.window.isochrones.panel.minutes.slider, user.window.isochrones.panel.trial
    assert before is not None
    slider.setFocus()
    waits = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left) * 6:
        begun = perf_counter()
        QTest.keyClick(slider, key)
        user.until(lambda: user.window.isochrones.answered)
        waits.append(perf_counter() - begun)
    assert min(waits) < 0.3
    trial = user.window.isochrones.panel.trial
    assert trial is not None
    assert trial.minutes == before.minutes


def test_of_many_steps_the_newest_is_shown(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tried(user)
    panel = user.window.isochrones.panel
    requested: list[float] = []
    router = user.engine.routing
    find = router.isochrones

    def slowly(center, minutes, mode, param="coordinates"):  # type: ignore[no-untyped-def]
        requested.append(minutes[0])
        let_work(1)
        return find(center, minutes, mode, param)

    monkeypatch.setattr(router, "isochrones", slowly)
    for step in range(16, 60):
        panel.minutes.slider.setValue(step)
    user.until(lambda: requested[-1:] == [59])
    answered(user)
    assert len(requested) < 20


def test_outside_the_areas_an_error_is_shown_and_nothing_is_created(user: User) -> None:
    user.window.map.show_point(*FAR, zoom=15)
    before = user.hand.picture()
    tried(user, FAR)
    panel = user.window.isochrones.panel
    error = panel.fields["coordinates"].error
    user.until(error.isVisible)
    assert error.text().startswith("Coordinates: ")
    assert "helsinki" in error.text()
    assert user.hand.picture() != before
    assert not panel.create_button.isEnabled()
    user.hand.press(Qt.Key.Key_Return)
    user.idle()
    assert user.stored() == []
    user.window.map.show_point(*STATION, zoom=15)
    user.hand.click(STATION)
    user.until(panel.create_button.isEnabled)
    assert not error.isVisible()


@pytest.mark.whole_window
def test_a_destination_off_the_roads_reports_how_far_it_was_moved(user: User) -> None:
    user.window.map.show_point(*BAY, zoom=14)
    tried(user, BAY)
    user.until(user.window.isochrones.panel.create_button.isEnabled)
    notes: list[str] = []
    page = user.window.map._page
    page.runJavaScript("document.querySelector('.fw-note').textContent", notes.append)
    user.until(lambda: bool(notes))
    assert FAR_AWAY.fullmatch(notes[0].removesuffix(" from the nearest road"))
    user.hand.press(Qt.Key.Key_Return)
    user.until(lambda: len(user.stored()) == 1)
    made = shape(user.only())
    assert metres_between((made.center.longitude, made.center.latitude), BAY) < 15
    message = user.window.message
    user.until(message.isVisible)
    away = message.text.text().removeprefix("The destination was moved ").removesuffix(" to the nearest road for car.")
    assert FAR_AWAY.fullmatch(away)
    user.idle()
    user.hand.drag(BAY, (24.922, 60.1719))
    user.until(lambda: shape(user.only()).center.longitude > 24.921)
    user.until(
        lambda: message.text.text() not in ("", f"The destination was moved {away} to the nearest road for car.")
    )
    assert message.text.text().startswith("The destination was moved ")


def test_a_table_with_a_destination_off_the_roads_is_imported_with_a_note(user: User, tmp_path: Path) -> None:
    table = tmp_path / "bay.csv"
    table.write_text(
        f'description,type,tag,externalId,coordinates,radius,mode\nBay,isochrone,walk,1,"[{BAY[0]},{BAY[1]}]",5,foot\n'
    )
    drop(user.window, table)
    user.accept_import()
    user.until(lambda: isinstance(QApplication.activeModalWidget(), ImportReportDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ImportReportDialog)
    row, column, message = (dialog.model.index(0, at).data() for at in (0, 4, 5))
    assert (row, column) == ("2", "coordinates")
    assert "to the nearest road for foot" in message
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    user.until(lambda: [fence.description for fence in user.stored()] == ["Bay"])
    assert user.window.message.text.text() == "bay.csv: 1 geofence created, 0 updated, 1 warning."


def test_invalid_minutes_are_reported_at_the_minutes(user: User) -> None:
    tried(user)
    panel = user.window.isochrones.panel
    user.type(panel.minutes, "0")
    user.until(panel.fields["size"].error.isVisible)
    assert panel.fields["size"].error.text() == "Radius: must be over 0 and at most 120 minutes, not 0."
    assert not panel.fields["coordinates"].error.isVisible()


def test_escape_gives_up_and_leaves_nothing(user: User) -> None:
    before = user.hand.picture()
    tried(user)
    user.hand.press(Qt.Key.Key_Escape)
    user.until(lambda: user.window.map.tool == "select")
    assert not user.window.isochrones.panel.isVisible()
    user.hand.move(QPoint(5, 590))
    assert user.hand.picture() == before


def test_minutes_and_mode_are_edited_in_the_form_and_taken_back(user: User) -> None:
    fence = given_isochrone(user)
    user.select(fence)
    basics = user.window.form.basics
    user.type(basics.minutes, "8")
    user.until(lambda: shape(user.only()).minutes == 8)
    user.idle()
    larger = shape(user.only())
    assert shape_of(larger).radius_m > shape_of(shape(fence)).radius_m
    basics.mode.setFocus()
    QTest.keyClick(basics.mode, Qt.Key.Key_B)
    user.until(lambda: shape(user.only()).mode is TravelMode.BIKE)
    user.idle()
    for expected in (larger, shape(fence)):
        user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
        user.until(lambda expected=expected: user.only().geometry == expected)  # type: ignore[misc]
        user.idle()
    assert basics.minutes.number.value() == 5
    assert basics.mode.mode == "foot"
    assert user.window.form.findChild(type(basics)) is not None


def test_a_refusal_of_the_engine_is_shown_at_the_field(user: User) -> None:
    fence = given_isochrone(user)
    user.select(fence)
    basics = user.window.form.basics
    user.type(basics.minutes, "121")
    fields = [entry.field for entry in basics.entries if entry.name == "size" and entry.field.isVisible()]
    user.until(fields[0].error.isVisible)
    assert fields[0].error.text() == "Radius: must be over 0 and at most 120 minutes, not 121."
    assert len(fields) == 1
    assert shape(user.only()).minutes == 5


@pytest.mark.whole_window
def test_a_destination_is_dragged_and_the_outline_traced_again(user: User) -> None:
    fence = given_isochrone(user)
    user.select(fence)
    user.hand.drag(STATION, SQUARE)
    user.until(lambda: user.only().geometry != fence.geometry)
    user.idle()
    moved = shape(user.only())
    assert metres_between((moved.center.longitude, moved.center.latitude), SQUARE) < 15
    assert (moved.minutes, moved.mode) == (5, TravelMode.FOOT)
    assert moved.ring != shape(fence).ring
    user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
    user.until(lambda: user.only().geometry == fence.geometry)


@pytest.mark.whole_window
def test_a_destination_dragged_out_of_the_areas_goes_back(user: User) -> None:
    fence = given_isochrone(user)
    user.select(fence)
    user.window.map.show_point(*STATION, zoom=9)
    user.hand.drag(STATION, (25.6, 60.3))
    error = user.window.form.field("coordinates").error
    user.until(error.isVisible)
    assert "Coordinates: " in error.text()
    user.idle()
    assert user.only().geometry == fence.geometry


@pytest.mark.whole_window
def test_the_outline_cannot_be_reshaped(user: User) -> None:
    fence = given_isochrone(user, minutes=3)
    user.select(fence)
    edited: list[object] = []
    user.window.map.fence_edited.connect(lambda *change: edited.append(change))
    for tool in (user.window.actions_.select, user.window.actions_.move):
        user.tool(tool)
        user.hand.drag(shape(fence).ring[0], SQUARE)
        user.window.map.show_point(*STATION, zoom=15)
        user.hand.settle()
    user.idle()
    assert edited == []
    assert user.only().geometry == fence.geometry


@pytest.mark.whole_window
def test_minutes_that_wait_for_live_are_shown_with_their_geofence(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment is Environment.LIVE)
    fence, other = given_isochrone(user, 5), given_isochrone(user, 2)
    user.select(fence)
    user.window.map.show_point(*STATION, zoom=14)
    answered(user)
    bare = user.hand.picture()
    user.type(user.window.form.basics.minutes, "9")
    answered(user)
    pending = user.hand.picture()
    assert pending != bare
    for chosen in (other, fence):
        user.select(chosen)
        answered(user)
    assert user.window.form.basics.minutes.number.value() == 9
    user.until(lambda: user.hand.picture() == pending)
    user.click(user.window.form.pending_bar.discard)
    answered(user)
    user.until(lambda: user.hand.picture() == bare)
    assert user.window.form.basics.minutes.number.value() == 5


def test_creating_in_live_is_confirmed(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    user.window.map.show_point(*STATION, zoom=15)
    tried(user)
    panel = user.window.isochrones.panel
    user.until(panel.create_button.isEnabled)
    QTest.mouseClick(panel.create_button, LEFT)
    user.answer("Cancel")
    assert user.stored(Environment.LIVE) == []
    user.until(panel.create_button.isEnabled)
    QTest.mouseClick(panel.create_button, LEFT)
    user.answer("Create")
    user.until(lambda: len(user.stored(Environment.LIVE)) == 1)
