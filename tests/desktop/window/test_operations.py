"""Operations on shapes: chosen in the form's menu, shown on the map, applied and undone by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.desktop.panels.geofence.operation import OperationPanel
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Geometry, Point, Polygon, Position
from engine.geo.shaping.measuring import area_m2
from tests.desktop.window.user import LEFT, NO_KEYS, User

pytestmark = pytest.mark.parts("availability", "fences", "list", "selection", "shaping", "undoing")

CTRL = Qt.KeyboardModifier.ControlModifier
WEST, SOUTH, EAST, NORTH = 14.496, 46.047, 14.504, 46.053


def box(user: User, number: int, west: float, south: float, east: float, north: float) -> Geofence:
    ring = ((west, south), (east, south), (east, north), (west, north), (west, south))
    return polygon(user, number, ring)


def polygon(user: User, number: int, ring: tuple[Position, ...]) -> Geofence:
    change = GeofenceChange(
        tag="zone",
        external_id=str(number),
        description=f"Zone {number}",
        type="polygon",
        coordinates=ring,
        metadata={"floor": number},
    )
    fence = user.engine.geofences.create(user.window.model.environment, change)
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    return fence


def pick(user: User, *fences: Geofence) -> None:
    """Click the first geofence in the list, and the others with Ctrl."""
    view = user.window.list.view
    for fence, keys in zip(fences, (NO_KEYS, *(CTRL,) * len(fences)), strict=False):
        rect = view.visualRect(user.window.list.model.index_of(fence.id))
        QTest.mouseClick(view.viewport(), LEFT, keys, rect.center())
    assert user.window.model.selection.fence_ids == tuple(fence.id for fence in fences)


def choose(user: User, action: QAction) -> OperationPanel:
    """Choose an operation in the form's menu."""
    button = user.window.form.basics.operations
    menu = button.menu()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    user.until(menu.isVisible)
    QTest.mouseClick(menu, LEFT, NO_KEYS, menu.actionGeometry(action).center())
    user.until(lambda: not menu.isVisible())
    # Without a window manager, the window does not get the focus back.
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)
    return user.window.shaping.operations.panel


def ready(user: User, panel: OperationPanel) -> None:
    user.until(lambda: panel.isVisible() and panel.apply_button.isEnabled())


def focus(panel: OperationPanel) -> QWidget:
    """Return the focused widget of the panel, once its window has the focus."""
    found = panel.window().focusWidget()
    assert found is not None
    assert found is panel or panel.isAncestorOf(found)
    return found


def enter(panel: OperationPanel) -> None:
    QTest.keyClick(focus(panel), Qt.Key.Key_Return)


def undo(user: User) -> None:
    user.idle()
    user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)


def shape(user: User, fence: Geofence) -> Geometry:
    return user.engine.geofences.get(fence.environment, fence.id).geometry


def longitude(user: User, fence: Geofence) -> float:
    geometry = shape(user, fence)
    assert isinstance(geometry, Circle)
    return geometry.center.longitude


def holes(user: User, fence: Geofence) -> int:
    geometry = shape(user, fence)
    assert isinstance(geometry, Polygon)
    return len(geometry.holes)


def shapes(user: User) -> list[Geometry]:
    return [fence.geometry for fence in user.stored()]


def test_a_union_is_one_step(user: User) -> None:
    one = box(user, 1, WEST, SOUTH, 14.501, NORTH)
    other = box(user, 2, 14.5, SOUTH, EAST, NORTH)
    before = shapes(user)
    pick(user, one, other)
    panel = choose(user, user.window.actions_.union)
    ready(user, panel)
    area = "area 258074 m² → 412918 m² (+60.0%)."
    assert panel.note.text() == f"8 vertices, {area} Deleted: Zone 2."
    assert shapes(user) == before
    enter(panel)
    user.until(lambda: len(user.stored()) == 1)
    assert user.only().id == one.id
    assert dict(user.only().metadata) == {"floor": 1}
    assert area_m2(shape(user, one)) == pytest.approx(
        area_m2(Polygon(((WEST, SOUTH), (EAST, SOUTH), (EAST, NORTH), (WEST, NORTH), (WEST, SOUTH)))), rel=1e-6
    )
    user.until(lambda: user.window.message.text.text() == f"Union: Zone 1. 8 vertices, {area} 1 geofence deleted.")
    undo(user)
    user.until(lambda: shapes(user) == before)


def test_an_operation_is_cancelled_with_escape(user: User) -> None:
    one, other = box(user, 1, WEST, SOUTH, 14.501, NORTH), box(user, 2, 14.5, SOUTH, EAST, NORTH)
    pick(user, one, other)
    panel = choose(user, user.window.actions_.union)
    ready(user, panel)
    QTest.keyClick(focus(panel), Qt.Key.Key_Escape)
    assert not panel.isVisible()
    user.idle()
    assert len(user.stored()) == 2


def test_an_inner_geofence_is_cut_out_as_a_hole(user: User) -> None:
    outer, inner = box(user, 1, WEST, SOUTH, EAST, NORTH), box(user, 2, 14.499, 46.049, 14.501, 46.051)
    pick(user, outer, inner)
    panel = choose(user, user.window.actions_.subtract)
    ready(user, panel)
    assert panel.note.text().startswith("8 vertices, 1 hole, area ")
    assert not panel.parts.isVisible()
    enter(panel)
    user.until(lambda: holes(user, outer) == 1)
    assert shape(user, inner) == inner.geometry
    rest = area_m2(outer.geometry) - area_m2(inner.geometry)
    assert area_m2(shape(user, outer)) == pytest.approx(rest, rel=1e-6)
    user.until(lambda: user.window.message.text.text().startswith("Subtract: Zone 1. 8 vertices, 1 hole, area "))
    user.idle()
    pick(user, outer)
    panel = choose(user, user.window.actions_.fill_holes)
    ready(user, panel)
    user.click(panel.apply_button)
    user.until(lambda: holes(user, outer) == 0)
    undo(user)
    user.until(lambda: holes(user, outer) == 1)
    undo(user)
    user.until(lambda: shapes(user) == [outer.geometry, inner.geometry])


def test_nothing_is_subtracted_by_a_geofence_elsewhere(user: User) -> None:
    one, other = box(user, 1, WEST, SOUTH, 14.499, NORTH), box(user, 2, 14.5, SOUTH, EAST, NORTH)
    pick(user, one, other)
    panel = choose(user, user.window.actions_.subtract)
    user.until(panel.error.isVisible)
    assert panel.error.text() == "Coordinates: nothing changes: the other geofences do not overlap it."
    assert not panel.apply_button.isEnabled()


def test_geofences_apart_become_one_with_two_parts_and_are_separated_again(user: User) -> None:
    one, other = box(user, 1, WEST, SOUTH, 14.499, NORTH), box(user, 2, 14.5, SOUTH, EAST, NORTH)
    pick(user, one, other)
    panel = choose(user, user.window.actions_.union)
    ready(user, panel)
    assert panel.note.text().startswith("8 vertices, 2 parts, area ")
    assert panel.parts.currentText() == "One geofence with all parts"
    enter(panel)
    user.until(lambda: len(user.stored()) == 1)
    assert area_m2(shape(user, one)) == pytest.approx(area_m2(one.geometry) + area_m2(other.geometry))
    user.idle()
    pick(user, one)
    panel = choose(user, user.window.actions_.to_parts)
    ready(user, panel)
    assert panel.note.text() == "2 parts, a geofence for each."
    user.click(panel.apply_button)
    user.until(lambda: len(user.stored()) == 2)
    assert [fence.external_id for fence in user.stored()] == ["1", "1-2"]
    assert [dict(fence.metadata) for fence in user.stored()] == [{"floor": 1}, {"floor": 1}]
    undo(user)
    user.until(lambda: len(user.stored()) == 1)
    undo(user)
    user.until(lambda: shapes(user) == [one.geometry, other.geometry])


def test_parts_become_geofences_of_their_own_by_the_keyboard(user: User) -> None:
    outer, bar = box(user, 1, WEST, SOUTH, EAST, NORTH), box(user, 2, 14.499, 46.04, 14.5, 46.06)
    pick(user, outer, bar)
    panel = choose(user, user.window.actions_.subtract)
    ready(user, panel)
    panel.parts.setFocus()
    QTest.keyClick(panel.parts, Qt.Key.Key_Down)
    user.until(lambda: "1 new geofence." in panel.note.text())
    enter(panel)
    user.until(lambda: len(user.stored()) == 3)
    assert [fence.external_id for fence in user.stored()] == ["1", "1-2", "2"]
    undo(user)
    user.until(lambda: shapes(user) == [outer.geometry, bar.geometry])


def test_an_impossible_operation_is_reported_in_the_panel(user: User) -> None:
    one, other = box(user, 1, WEST, SOUTH, 14.499, NORTH), box(user, 2, 14.5, SOUTH, EAST, NORTH)
    pick(user, one, other)
    panel = choose(user, user.window.actions_.intersect)
    user.until(panel.error.isVisible)
    assert panel.error.text() == "Coordinates: the geofences do not overlap."
    assert not panel.apply_button.isEnabled()
    enter(panel)
    user.idle()
    assert len(user.stored()) == 2


@pytest.mark.whole_window
def test_a_geofence_is_split_along_a_drawn_line(user: User) -> None:
    fence = box(user, 1, WEST, SOUTH, EAST, NORTH)
    pick(user, fence)
    user.hand.settle()
    panel = choose(user, user.window.actions_.split)
    user.until(lambda: user.window.map.tool == "split")
    user.hand.click((14.5, 46.055))
    user.hand.click((14.5, 46.0455))
    user.press(Qt.Key.Key_Return, on=user.window.map.render_widget())
    ready(user, panel)
    assert panel.note.text() == "2 pieces, a geofence for each."
    enter(panel)
    user.until(lambda: len(user.stored()) == 2)
    halves = [area_m2(each) for each in shapes(user)]
    assert sum(halves) == pytest.approx(area_m2(fence.geometry), rel=1e-5)
    undo(user)
    user.until(lambda: shapes(user) == [fence.geometry])


def test_simplifying_follows_the_slider(user: User) -> None:
    wave = [(WEST + step * 0.0001, SOUTH + (0.00003 if step % 2 else 0.0)) for step in range(81)]
    fence = polygon(user, 1, (*wave, (EAST, NORTH), (WEST, NORTH), wave[0]))
    pick(user, fence)
    panel = choose(user, user.window.actions_.simplify)
    ready(user, panel)
    assert panel.note.text().startswith("83 → ")
    assert panel.amount is not None
    slider = panel.amount.slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    user.until(lambda: not panel.apply_button.isEnabled() and "No vertices" in panel.note.text())
    QTest.keyClick(slider, Qt.Key.Key_End)
    user.until(lambda: panel.error.isVisible() or "→ 4" in panel.note.text() or "→ 3" in panel.note.text())
    user.type(panel.amount.number, "10")
    user.until(lambda: not panel.isVisible())
    user.until(lambda: len(getattr(user.only().geometry, "ring", ())) < 10)


def test_a_buffer_may_be_negative(user: User) -> None:
    fence = user.given()
    pick(user, fence)
    panel = choose(user, user.window.actions_.buffer)
    assert panel.amount is not None
    user.type(panel.amount.number, "-20")
    user.until(lambda: shape(user, fence) == Circle(Point(14.5, 46.05), 100.0))
    panel = choose(user, user.window.actions_.buffer)
    assert panel.amount is not None
    user.type(panel.amount.number, "-95")
    user.until(panel.error.isVisible)
    assert "between 10 and 10000 metres, not 5" in panel.error.text()


def test_a_circle_becomes_a_polygon_and_back(user: User) -> None:
    fence = user.given()
    pick(user, fence)
    panel = choose(user, user.window.actions_.to_polygon)
    assert panel.amount is not None
    user.type(panel.amount.number, "16")
    user.until(lambda: isinstance(shape(user, fence), Polygon))
    user.idle()
    panel = choose(user, user.window.actions_.to_circle)
    ready(user, panel)
    user.click(panel.apply_button)
    user.until(lambda: isinstance(shape(user, fence), Circle))
    assert area_m2(shape(user, fence)) == pytest.approx(area_m2(fence.geometry), rel=0.03)


def test_geofences_are_aligned_with_the_first(user: User) -> None:
    fences = [user.given(number, longitude=14.49 + number / 200) for number in (1, 2, 3)]
    pick(user, *fences)
    panel = choose(user, user.window.actions_.align)
    ready(user, panel)
    assert panel.note.text() == "2 geofences moved in line with Store 1."
    user.click(panel.apply_button)
    user.until(lambda: [round(longitude(user, each), 6) for each in fences] == [14.495] * 3)
    undo(user)
    user.until(lambda: shapes(user) == [fence.geometry for fence in fences])


def test_a_grid_shows_its_count_in_advance(user: User) -> None:
    fence = box(user, 1, WEST, SOUTH, EAST, NORTH)
    pick(user, fence)
    panel = choose(user, user.window.actions_.grid)
    ready(user, panel)
    assert panel.amount is not None
    assert panel.note.text().endswith("new geofences; Zone 1 stays.")
    user.type(panel.amount.number, "5")
    user.until(panel.error.isVisible)
    assert "between 10 and 10000 metres" in panel.error.text()
    user.type(panel.amount.number, "11")
    user.until(lambda: "at most 1,000 are allowed" in panel.error.text())
    user.type(panel.amount.number, "100")
    user.until(lambda: len(user.stored()) > 1)
    user.idle()
    wanted = len(user.stored()) - 1
    user.until(lambda: user.window.message.text.text() == f"Grid: Zone 1. {wanted} new geofences.")
    undo(user)
    user.until(lambda: len(user.stored()) == 1)


def test_duplicates_have_ids_of_their_own(user: User) -> None:
    fence = user.given()
    pick(user, fence)
    user.press(Qt.Key.Key_D, CTRL, on=user.window.list.view)
    user.until(lambda: len(user.stored()) == 2)
    user.idle()
    assert [each.external_id for each in user.stored()] == ["1", "1-2"]
    assert [each.description for each in user.stored()] == ["Store 1", "Store 1 2"]
    undo(user)
    user.until(lambda: shapes(user) == [fence.geometry])


def test_changes_by_others_are_retried_and_their_deletions_end_it(user: User) -> None:
    fence = box(user, 1, WEST, SOUTH, EAST, NORTH)
    pick(user, fence)
    panel = choose(user, user.window.actions_.to_circle)
    ready(user, panel)
    before = panel.note.text()
    ring = ((WEST, SOUTH), (14.5, SOUTH), (14.5, NORTH), (WEST, NORTH), (WEST, SOUTH))
    user.engine.geofences.update(Environment.TEST, fence.id, GeofenceChange(coordinates=ring))
    user.until(lambda: panel.note.text() not in ("", before))
    user.engine.geofences.delete(Environment.TEST, fence.id)
    user.until(lambda: not panel.isVisible())


def test_in_live_an_operation_is_confirmed(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment.live)
    user.idle()
    one, other = box(user, 1, WEST, SOUTH, 14.501, NORTH), box(user, 2, 14.5, SOUTH, EAST, NORTH)
    pick(user, one, other)
    panel = choose(user, user.window.actions_.union)
    ready(user, panel)
    user.click(panel.apply_button)
    user.answer("Cancel")
    assert len(user.stored(Environment.LIVE)) == 2
    panel = choose(user, user.window.actions_.union)
    ready(user, panel)
    user.click(panel.apply_button)
    user.answer("Apply")
    user.until(lambda: len(user.stored(Environment.LIVE)) == 1)
