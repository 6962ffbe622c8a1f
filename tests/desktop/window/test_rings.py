"""Holes and parts of a geofence in the window: drawn, deleted and edited as numbers, with undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import MAX_HOLES, Polygon, Position
from tests.desktop.window.test_fence_menus import action_of, texts
from tests.desktop.window.test_shapes import copied, edit_cell, page
from tests.desktop.window.user import NO_KEYS, User, unmarked

pytestmark = pytest.mark.parts(
    "availability",
    "commands",
    "fences",
    "list",
    "many",
    "pending",
    "search_result",
    "selection",
    "shaping",
    "tools",
    "undoing",
)

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TEST = Environment.TEST


def box(west: float, south: float, east: float, north: float) -> tuple[Position, ...]:
    return ((west, south), (east, south), (east, north), (west, north), (west, south))


MARKS = """document.querySelectorAll('path[stroke-dasharray="2 7"]').length"""
PARK = box(14.497, 46.048, 14.501, 46.052)
LAKE = box(14.498, 46.049, 14.5, 46.051)
ANNEX = box(14.5015, 46.049, 14.5035, 46.051)
OVERLAPPING = box(14.5, 46.0485, 14.503, 46.0515)


def zone(user: User, coordinates: object, environment: Environment = TEST) -> Geofence:
    change = GeofenceChange(
        tag="zone",
        external_id="1",
        description="Zone 1",
        type="polygon",
        coordinates=coordinates,  # type: ignore[arg-type]
    )
    fence = user.engine.geofences.create(environment, change)
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    return fence


def shape(user: User, environment: Environment = TEST) -> Polygon:
    (fence,) = user.stored(environment)
    assert isinstance(fence.geometry, Polygon)
    return fence.geometry


def draw(user: User, ring: tuple[Position, ...]) -> None:
    for corner in ring:
        user.hand.put_vertex(corner)


def undo(user: User, keys: Qt.KeyboardModifier = CTRL) -> None:
    user.idle()
    user.press(Qt.Key.Key_Z, keys, on=user.window.list.view)


def chosen(user: User, coordinates: object) -> Geofence:
    """Return a selected polygon in the middle of the map."""
    fence = zone(user, coordinates)
    user.select(fence)
    user.window.map.show_point(14.5, 46.05, zoom=16)
    user.hand.settle()
    return fence


@pytest.mark.whole_window
def test_a_hole_is_drawn_and_undone(user: User) -> None:
    chosen(user, PARK)
    actions = user.window.actions_
    user.press(Qt.Key.Key_H, SHIFT)
    user.until(lambda: user.window.map.tool == "hole")
    assert actions.draw_hole.isChecked()
    draw(user, LAKE)
    user.until(lambda: len(shape(user).holes) == 1)
    assert shape(user).ring == PARK
    assert actions.select.isChecked()
    undo(user)
    user.until(lambda: shape(user).is_single_ring)
    undo(user, CTRL | SHIFT)
    user.until(lambda: len(shape(user).holes) == 1)


@pytest.mark.whole_window
def test_a_part_is_drawn_and_an_overlapping_one_is_united(user: User) -> None:
    chosen(user, PARK)
    user.press(Qt.Key.Key_P, SHIFT)
    user.until(lambda: user.window.map.tool == "part")
    draw(user, ANNEX)
    user.until(lambda: len(shape(user).others) == 1)
    undo(user)
    user.until(lambda: shape(user).is_single_ring)
    user.idle()
    user.window.actions_.draw_part.trigger()
    draw(user, OVERLAPPING)
    user.until(lambda: len(shape(user).ring) > 5)
    assert shape(user).is_single_ring
    user.until(lambda: "so they are one part" in user.window.message.text.text())


@pytest.mark.whole_window
def test_a_geofence_that_others_change_meanwhile_keeps_their_change(user: User) -> None:
    fence = chosen(user, PARK)
    user.window.actions_.draw_part.trigger()
    draw(user, ANNEX[:3])
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(coordinates=(PARK, LAKE)))
    user.until(lambda: user.window.model.fences.get(fence.id) == user.only())
    user.hand.put_vertex(ANNEX[3])
    user.hand.put_vertex(ANNEX[0])
    user.until(lambda: len(shape(user).others) == 1)
    assert len(shape(user).holes) == 1


@pytest.mark.whole_window
def test_a_geofence_that_others_delete_ends_the_drawing(user: User) -> None:
    fence = chosen(user, PARK)
    user.window.actions_.draw_hole.trigger()
    draw(user, LAKE[:2])
    user.engine.geofences.delete(TEST, fence.id)
    user.until(lambda: user.window.map.tool == "select")


def test_unavailable_commands_say_why(user: User) -> None:
    actions = user.window.actions_
    assert "Select one geofence" in actions.draw_hole.toolTip()
    circle = user.given()
    user.select(circle)
    assert not actions.draw_hole.isEnabled()
    assert "Store 1 is not a polygon: use Convert to polygon first." in actions.draw_part.toolTip()
    fence = zone(user, PARK)
    user.select(fence)
    assert actions.draw_hole.isEnabled()
    assert "Draw a hole" in actions.draw_hole.toolTip()
    assert "has no holes" in actions.delete_hole.toolTip()
    assert "only one part" in actions.delete_part.toolTip()
    assert not any(each.isEnabled() for each in (actions.delete_hole, actions.delete_part, actions.move_part))
    user.window.model.fences.locks.set([fence.id], locked=True)
    assert "Zone 1 is locked" in actions.draw_hole.toolTip()


def test_a_full_geofence_takes_no_further_hole(user: User) -> None:
    holes = [
        box(x := 14.4971 + 0.00035 * (n % 10), y := 46.0481 + 0.00035 * (n // 10), x + 0.0001, y + 0.0001)
        for n in range(MAX_HOLES)
    ]
    user.select(zone(user, (PARK, *holes)))
    assert "at most 100 holes" in user.window.actions_.draw_hole.toolTip()
    assert user.window.actions_.draw_part.isEnabled()


def open_menu(user: User, place: Position) -> QMenu:
    menu = user.window.search_result.menu
    menu.close()
    target = user.window.map.render_widget()
    assert target is not None
    QTest.mouseClick(target, Qt.MouseButton.RightButton, NO_KEYS, user.hand.at(place))
    user.until(menu.isVisible)
    return menu


@pytest.mark.whole_window
def test_a_hole_and_a_part_are_deleted_from_the_menu_of_the_map(user: User) -> None:
    chosen(user, ((PARK, LAKE), (ANNEX,)))
    user.hand.settle()
    menu = open_menu(user, (14.499, 46.05))
    assert "Delete part 1, hole 1" in texts(menu)
    action_of(menu, "Delete part 1, hole 1").trigger()
    menu.close()
    user.until(lambda: not shape(user).holes)
    user.idle()
    user.hand.settle()
    menu = open_menu(user, (14.5025, 46.05))
    action_of(menu, "Delete part 2").trigger()
    menu.close()
    user.until(lambda: shape(user).is_single_ring)
    user.idle()
    user.hand.settle()
    assert not any(text.startswith("Delete ") for text in texts(open_menu(user, (14.4975, 46.05))))
    user.window.search_result.menu.close()
    undo(user)
    user.until(lambda: len(shape(user).others) == 1)
    undo(user)
    user.until(lambda: len(shape(user).holes) == 1)


def test_each_ring_is_edited_in_the_table(user: User) -> None:
    form = page(user, zone(user, ((PARK, LAKE), (ANNEX,))))
    vertices = form.vertices
    shown = [vertices.rings.itemText(row) for row in range(vertices.rings.count())]
    assert shown == ["Part 1 (4 vertices)", "Part 1, hole 1 (4 vertices)", "Part 2 (4 vertices)"]
    vertices.rings.setFocus()
    QTest.keyClick(vertices.rings, Qt.Key.Key_Down)
    assert vertices.number == 1
    edit_cell(user, form, 0, 0, "46.0488")
    user.until(lambda: shape(user).holes[0][0] == (14.498, 46.0488))
    assert vertices.number == 1
    QTest.keyClick(vertices.rings, Qt.Key.Key_Down)
    edit_cell(user, form, 1, 1, "14.51")
    user.until(lambda: (14.51, 46.049) in [*shape(user).ring, *shape(user).others[0].ring])
    assert vertices.table.item(1, 1).text() == "14.51"  # type: ignore[union-attr]
    undo(user)
    undo(user)
    user.until(lambda: shape(user).holes[0] == LAKE)


def test_the_ring_in_the_table_stays_if_its_part_becomes_the_largest(user: User) -> None:
    form = page(user, zone(user, ((PARK,), (ANNEX,))))
    form.vertices.choose_ring(1)
    edit_cell(user, form, 2, 1, "14.56")
    user.until(lambda: (14.56, 46.051) in list(shape(user).ring))
    user.idle()
    assert form.vertices.number == 0
    assert form.vertices.table.item(2, 1).text() == "14.56"  # type: ignore[union-attr]


def test_a_fault_in_one_ring_is_kept_while_another_is_shown(user: User) -> None:
    form = page(user, zone(user, (PARK, LAKE)))
    vertices, error = form.vertices, form.entries[1].field.error
    vertices.choose_ring(1)
    edit_cell(user, form, 0, 0, "46.03")
    user.until(error.isVisible)
    assert "holes of a part must be inside its outer ring" in error.text()
    vertices.choose_ring(0)
    edit_cell(user, form, 0, 0, "46.0479")
    user.until(lambda: not vertices.table.editing)
    user.until(lambda: "holes of a part must be inside" in error.text())
    assert shape(user).rings == (PARK, LAKE)
    vertices.choose_ring(1)
    assert vertices.table.item(0, 0).text() == "46.03"  # type: ignore[union-attr]
    edit_cell(user, form, 0, 0, "46.0491")
    user.until(lambda: not error.isVisible())
    user.until(lambda: shape(user).ring[0] == (14.497, 46.0479))
    assert shape(user).holes[0][0] == (14.498, 46.0491)


def test_a_ring_is_deleted_beside_the_table(user: User) -> None:
    form = page(user, zone(user, ((PARK, LAKE), (ANNEX,))))
    form.vertices.choose_ring(1)
    assert user.window.actions_.delete_hole.isEnabled()
    user.click(form.vertices.delete_ring)
    user.until(lambda: not shape(user).holes)
    user.idle()
    form.vertices.choose_ring(1)
    assert user.window.actions_.delete_part.isEnabled()
    user.window.actions_.delete_part.trigger()
    user.until(lambda: shape(user).is_single_ring)
    user.until(lambda: not form.vertices.rings.isVisible())
    assert not form.vertices.delete_ring.isVisible()


@pytest.mark.whole_window
def test_a_vertex_taken_up_on_the_map_lists_its_ring(user: User) -> None:
    chosen(user, (PARK, LAKE))
    form = page(user, user.only())
    target = user.window.map.render_widget()
    assert target is not None
    user.window.map.take_keyboard()
    QTest.keyClick(target, Qt.Key.Key_Return)
    QTest.keyClick(target, Qt.Key.Key_Backtab)
    user.until(lambda: form.vertices.number == 1)


@pytest.mark.whole_window
def test_the_ring_in_the_table_is_marked_on_the_map(user: User) -> None:
    holed = chosen(user, (PARK, LAKE))
    other = user.given(2, longitude=14.51)
    form = page(user, holed)

    def until_marked(count: int) -> None:
        user.hand.settle()
        counts: list[int] = []

        def marked() -> bool:
            user.window.map._page.runJavaScript(MARKS, 0, counts.append)
            return bool(counts) and counts[-1] == count

        user.until(marked)

    until_marked(1)
    form.vertices.choose_ring(1)
    until_marked(1)
    user.select(other)
    until_marked(0)
    user.select(holed)
    until_marked(1)
    user.click(user.window.form.switch.buttons[0])
    until_marked(0)
    user.click(user.window.form.switch.buttons[3])
    until_marked(1)
    user.window.actions_.draw_hole.trigger()
    until_marked(0)
    user.window.actions_.select.trigger()
    until_marked(1)


@pytest.mark.whole_window
def test_in_live_the_drawing_is_confirmed_or_undone(user: User) -> None:
    live = Environment.LIVE
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment.live)
    user.idle()
    fence = zone(user, PARK, live)
    user.select(fence)
    user.window.map.show_point(14.5, 46.05, zoom=16)
    user.hand.settle()
    user.window.actions_.draw_hole.trigger()
    draw(user, LAKE)
    assert "Change the shape of Zone 1 in Live?" in user.box().text()
    user.answer("Cancel")
    user.idle()
    assert shape(user, live).is_single_ring
    user.window.actions_.draw_hole.trigger()
    draw(user, LAKE)
    user.box()
    user.answer("Change")
    user.until(lambda: len(shape(user, live).holes) == 1)


def test_in_live_edits_of_a_hole_wait(user: User) -> None:
    live = Environment.LIVE
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment.live)
    user.idle()
    form = page(user, zone(user, (PARK, LAKE), live))
    form.vertices.choose_ring(1)
    edit_cell(user, form, 0, 0, "46.0488")
    pending = user.window.model.pending
    user.until(lambda: len(pending) == 1)
    assert shape(user, live).holes == (LAKE,)
    assert form.vertices.number == 1
    user.window.form.apply()
    user.until(lambda: len(pending) == 0)
    assert shape(user, live).holes[0][0] == (14.498, 46.0488)


def test_the_rings_of_a_locked_shape_are_listed(user: User) -> None:
    fence = zone(user, (PARK, LAKE))
    form = page(user, fence)
    user.window.shaping.locks.toggle()
    assert form.vertices.rings.isEnabled()
    form.vertices.choose_ring(1)
    assert form.vertices.table.item(0, 0).text() == "46.049"  # type: ignore[union-attr]
    assert not form.vertices.delete_ring.isEnabled()
    assert not form.vertices.table.isEnabled()


def test_all_rings_are_copied(user: User) -> None:
    page(user, zone(user, (box(14, 46, 15, 47), box(14.2, 46.2, 14.4, 46.4))))
    user.window.actions_.copy_longitude_first.trigger()
    assert copied() == "14, 46\n15, 46\n15, 47\n14, 47\n\n14.2, 46.2\n14.4, 46.2\n14.4, 46.4\n14.2, 46.4"
    assert user.window.message.text.text() == "Copied 8 vertices, longitude, latitude."


def test_the_geometry_menu_says_why_a_command_is_not_available(user: User) -> None:
    user.select(user.given())
    (menu,) = (each for each in user.window.form.basics.operations.menu().findChildren(QMenu) if each.toolTipsVisible())
    (hole,) = (action for action in menu.actions() if unmarked(action.text()) == "Draw hole")
    assert not hole.isEnabled()
    assert "not a polygon" in hole.toolTip()


def test_the_text_takes_holes_and_parts(user: User) -> None:
    form = page(user, zone(user, (PARK, LAKE)))
    pane = form.text
    pane.formats.setCurrentIndex(1)
    pane.formats.activated.emit(1)
    user.until(lambda: pane.text.startswith("POLYGON ((14.497 46.048"))
    triangle = "14.6 46, 14.601 46, 14.601 46.001, 14.6 46"
    pane.edit.setPlainText(
        pane.text.replace("POLYGON (", "MULTIPOLYGON (((", 1).replace("((((", "(((") + f", (({triangle})))"
    )
    user.until(lambda: pane.apply.isEnabled())
    user.click(pane.apply)
    user.until(lambda: len(shape(user).others) == 1)
    assert shape(user).holes == (LAKE,)
