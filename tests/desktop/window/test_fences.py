"""Drawing, editing, deleting, undo and redo: by mouse and keyboard, to the engine and back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Circle, Point, Polygon
from tests.desktop.map.hand import metres_between, metres_per_pixel
from tests.desktop.window.user import CENTRE, CORNERS, EDGE, User

TEST = Environment.TEST
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def until_names_are(user: User, expected: list[str]) -> None:
    user.until(lambda: [each.description for each in user.stored()] == expected)
    user.idle()


def radius_of(user: User) -> float:
    geometry = user.only().geometry
    assert isinstance(geometry, Circle)
    return geometry.radius_m


def test_a_circle_drawn_with_the_mouse_is_a_fence_at_once(user: User) -> None:
    fence = user.draw_circle()
    assert isinstance(fence.geometry, Circle)
    pixel = metres_per_pixel(user.window.map)
    assert fence.geometry.radius_m == pytest.approx(metres_between(CENTRE, EDGE), abs=3 * pixel)
    assert (fence.tag, fence.external_id, fence.enabled) == ("geofence", "geofence-1", True)
    assert user.window.form.basics.description.text() == "Geofence 1"
    assert user.window.desk.selection.fence_id == fence.id
    assert user.window.actions_.select.isChecked()


def test_a_polygon_drawn_with_the_mouse_is_a_fence_at_once(user: User) -> None:
    fence = user.draw_polygon()
    assert isinstance(fence.geometry, Polygon)
    assert len(fence.geometry.ring) == len(CORNERS) + 1
    assert not user.window.form.basics.radius.isVisible()


def test_keys_go_on_with_the_map_after_drawing(user: User) -> None:
    """The focus stays where the hand is: the next tool, and undo, are one key away."""
    user.draw_circle()
    user.idle()
    QTest.keyClick(focus(), Qt.Key.Key_P)
    user.until(user.window.actions_.polygon.isChecked)
    assert user.only().description == "Geofence 1"
    QTest.keyClick(focus(), Qt.Key.Key_Z, CTRL)
    user.until(lambda: user.stored() == [])


def test_keys_choose_the_tools(user: User) -> None:
    a = user.window.actions_
    for key, action in ((Qt.Key.Key_C, a.circle), (Qt.Key.Key_P, a.polygon), (Qt.Key.Key_V, a.select)):
        user.press(key)
        user.until(action.isChecked)


def test_typing_letters_in_a_field_chooses_no_tool(user: User) -> None:
    user.select(user.given())
    user.type(user.window.form.basics.description, "cpv mc")
    user.until(lambda: user.only().description == "cpv mc")
    assert user.window.actions_.select.isChecked()


def test_every_field_acts_when_it_is_left(user: User) -> None:
    user.select(user.given())
    form = user.window.form
    user.type(form.basics.description, "Corner shop")
    user.type(form.basics.tag, "shop")
    user.type(form.basics.external_id, "12")
    user.type(form.basics.radius.number, "250")
    user.click(form.basics.enabled)
    user.until(lambda: radius_of(user) == 250.0)
    user.until(lambda: not user.only().enabled)
    fence = user.only()
    assert (fence.description, fence.tag, fence.external_id) == ("Corner shop", "shop", "12")
    user.until(lambda: user.window.list.model.tree.groups[0].tag == "shop")


def test_the_radius_can_be_dragged(user: User) -> None:
    user.select(user.given())
    slider = user.window.form.basics.radius.slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_End)
    user.until(lambda: radius_of(user) == 10_000.0)
    assert user.window.form.basics.radius.number.value() == 10_000.0


def test_a_radius_that_is_just_being_given_belongs_to_its_own_fence(user: User) -> None:
    one, other = user.given(1), user.given(2, longitude=14.51)
    user.select(one)
    QTest.keyClick(user.window.form.basics.radius.slider, Qt.Key.Key_End)
    user.select(other)
    user.until(lambda: user.stored()[0].geometry == Circle(Point(14.5, 46.05), 10_000.0))
    assert user.stored()[1].geometry == other.geometry
    assert user.window.form.basics.radius.number.value() == 120.0


def test_delete_in_the_metadata_table_deletes_no_fence(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.press(Qt.Key.Key_Delete, on=user.window.form.basics.metadata.table)
    user.press(Qt.Key.Key_Right, on=user.window.list.view)
    user.idle()
    assert user.stored() == [fence]


def test_metadata_is_edited_in_a_table(user: User) -> None:
    user.select(user.given())
    metadata = user.window.form.basics.metadata
    user.click(metadata.add)
    QTest.keyClicks(focus(), "floor")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: dict(user.only().metadata) == {"floor": ""})
    item = metadata.table.item(0, 1)
    assert item is not None
    metadata.table.setCurrentItem(item)
    metadata.table.editItem(item)
    QTest.keyClicks(focus(), "3")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: dict(user.only().metadata) == {"floor": "3"})


def test_an_error_is_shown_at_its_field_in_the_words_of_the_api(user: User) -> None:
    user.select(user.given())
    form = user.window.form
    user.type(form.basics.radius.number, "9")
    error = form.field("radius").error
    user.until(error.isVisible)
    assert error.text() == "radius: the radius of a circle must be between 10 and 10000 metres, not 9."
    assert form.basics.radius.number.property("invalid") is True
    user.type(form.basics.radius.number, "90")
    user.until(lambda: not error.isVisible())
    assert radius_of(user) == 90.0


def test_a_taken_key_is_shown_at_the_external_id(user: User) -> None:
    user.given(2)
    user.select(user.given(1))
    user.type(user.window.form.basics.external_id, "2")
    error = user.window.form.field("externalId").error
    user.until(error.isVisible)
    QTest.keyClick(user.window.form.basics.external_id, Qt.Key.Key_Escape)
    assert user.window.form.basics.external_id.text() == "1"
    assert not error.isVisible()


def test_undo_and_redo_go_through_everything(user: User) -> None:
    fence = user.draw_circle()
    user.type(user.window.form.basics.description, "Renamed")
    user.until(lambda: user.only().description == "Renamed")
    user.idle()
    user.press(Qt.Key.Key_Delete, on=user.window.list.view)
    user.until(lambda: user.stored() == [])
    user.idle()
    for expected in (["Renamed"], ["Geofence 1"], []):
        user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
        until_names_are(user, expected)
    assert not user.window.actions_.undo.isEnabled()
    for expected in (["Geofence 1"], ["Renamed"], []):
        user.press(Qt.Key.Key_Z, CTRL | SHIFT, on=user.window.list.view)
        until_names_are(user, expected)
    assert user.window.desk.fences.get(fence.id) is None


def test_undo_asks_before_it_overwrites_what_others_changed(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.type(user.window.form.basics.description, "Mine")
    user.until(lambda: user.only().description == "Mine")
    user.engine.update_geofence(TEST, fence.id, GeofenceChange(description="Theirs"))
    user.until(lambda: user.window.form.basics.description.text() == "Theirs")
    user.until(user.window.actions_.undo.isEnabled)
    user.tool(user.window.actions_.undo)
    assert "someone else" in user.box().text()
    user.answer("Skip this step")
    user.until(lambda: not user.window.actions_.undo.isEnabled())
    assert user.only().description == "Theirs"


def test_a_fence_dragged_on_the_map_moves_in_the_engine(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.tool(user.window.actions_.move)
    user.hand.drag((14.4995, 46.0503), (14.5025, 46.0503))
    user.until(lambda: user.only().geometry != fence.geometry)
    user.idle()
    user.tool(user.window.actions_.undo)
    user.until(lambda: user.only().geometry == fence.geometry)


def test_a_click_on_the_map_selects_and_one_beside_it_clears(user: User) -> None:
    fence = user.given()
    user.hand.click((14.5, 46.05))
    user.until(lambda: user.window.desk.selection.fence_id == fence.id)
    assert user.window.list.view.currentIndex().data() == "Store 1"
    user.hand.click((14.508, 46.05))
    user.until(lambda: user.window.desk.selection.fence_id is None)
    assert user.window.form.fence is None


def test_changes_from_elsewhere_appear(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.engine.update_geofence(TEST, fence.id, GeofenceChange(description="By the API"))
    user.until(lambda: user.window.form.basics.description.text() == "By the API")
    user.engine.delete_geofence(TEST, fence.id)
    user.until(lambda: user.window.form.fence is None and len(user.window.desk.fences) == 0)


def test_the_filter_lists_what_holds_its_words(user: User) -> None:
    user.given(1, "north"), user.given(2, "south", 14.504)
    words = user.window.list.words
    user.type(words, "nor", enter=False)
    user.until(lambda: len(user.window.list.model.tree) == 1)
    user.type(words, "nowhere", enter=False)
    user.until(lambda: len(user.window.list.model.tree) == 0)
    words.clear()
    user.until(lambda: len(user.window.list.model.tree) == 2)


def test_a_long_list_stays_quick(user: User) -> None:
    rows = "\n".join(f'Fence {n},circle,tag{n % 20},{n},"[14.5,46.05]",100' for n in range(2_000))
    user.engine.import_csv(TEST, f"description,type,tag,externalId,coordinates,radius\n{rows}\n".encode())
    user.until(lambda: len(user.window.list.model.tree) == 2_000, timeout=30_000)
    user.window.list.words.setText("Fence 1999")
    user.until(lambda: len(user.window.list.model.tree) == 1)
