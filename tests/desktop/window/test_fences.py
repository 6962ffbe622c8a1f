"""Drawing, editing, deleting, undo and redo: by mouse and keyboard, to the engine and back."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Point, Polygon
from tests.desktop.map.hand import metres_between, metres_per_pixel
from tests.desktop.window.user import CENTRE, CORNERS, EDGE, User
from tests.engine.fixtures import import_csv

pytestmark = pytest.mark.parts("availability", "commands", "fences", "list", "many", "selection", "tools", "undoing")

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
    assert user.window.model.selection.fence_id == fence.id
    assert user.window.actions_.select.isChecked()


def test_a_circle_drawn_by_dragging_is_a_fence_at_once(user: User) -> None:
    user.tool(user.window.actions_.circle)
    user.hand.drag(CENTRE, EDGE)
    user.until(lambda: len(user.stored()) == 1)
    geometry = user.only().geometry
    assert isinstance(geometry, Circle)
    pixel = metres_per_pixel(user.window.map)
    assert metres_between(CENTRE, (geometry.center.longitude, geometry.center.latitude)) < 1.5 * pixel
    assert geometry.radius_m == pytest.approx(metres_between(CENTRE, EDGE), abs=2.5 * pixel)
    user.until(lambda: user.window.model.selection.fence_id == user.only().id)
    assert user.window.actions_.select.isChecked()
    user.press(Qt.Key.Key_Z, CTRL)
    user.until(lambda: user.stored() == [])


@pytest.mark.whole_window
def test_a_circle_that_is_let_go_over_a_panel_is_drawn_to_there(user: User) -> None:
    user.tool(user.window.actions_.circle)
    user.hand.settle()
    user.hand.drag(QPoint(60, 200), QPoint(-60, 200))
    user.until(lambda: len(user.stored()) == 1)
    assert radius_of(user) == pytest.approx(120 * metres_per_pixel(user.window.map), rel=0.05)
    before = user.window.map.center()
    user.hand.drag(QPoint(300, 60), QPoint(360, 90))
    user.hand.settle()
    assert user.window.map.center() != before, "the map moves again"
    assert len(user.stored()) == 1


def test_a_polygon_drawn_with_the_mouse_is_a_fence_at_once(user: User) -> None:
    fence = user.draw_polygon()
    assert isinstance(fence.geometry, Polygon)
    assert len(fence.geometry.ring) == len(CORNERS) + 1
    assert not user.window.form.basics.radius.isVisible()


def test_keys_go_on_with_the_map_after_drawing(user: User) -> None:
    """The focus stays on the map, so that the next tool and undo need a single key."""
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
    error = form.field("size").error
    user.until(error.isVisible)
    assert error.text() == "Radius: the radius of a circle must be between 10 and 10000 metres, not 9."
    assert form.basics.radius.number.property("invalid") is True
    user.type(form.basics.radius.number, "90")
    user.until(lambda: not error.isVisible())
    assert radius_of(user) == 90.0


def test_a_taken_key_is_shown_at_the_external_id(user: User) -> None:
    user.given(2)
    user.select(user.given(1))
    user.type(user.window.form.basics.external_id, "2")
    error = user.window.form.field("external_id").error
    user.until(error.isVisible)
    QTest.keyClick(user.window.form.basics.external_id, Qt.Key.Key_Escape)
    assert user.window.form.basics.external_id.text() == "1"
    assert not error.isVisible()


def test_two_refused_fields_both_show_the_reason(user: User) -> None:
    fence = user.given(1)
    user.given(2)
    user.select(fence)
    basics, field = user.window.form.basics, user.window.form.field
    user.empty(basics.tag)
    user.until(field("tag").error.isVisible)
    user.empty(basics.external_id)
    user.until(field("external_id").error.isVisible)
    user.idle()
    assert field("tag").error.text().startswith("Tag: ")
    assert field("external_id").error.text().startswith("External ID: ")
    assert (basics.tag.text(), basics.external_id.text()) == ("", "")
    user.type(basics.description, "Renamed")
    user.until(lambda: user.engine.geofences.get(TEST, fence.id).description == "Renamed")
    user.idle()
    assert field("tag").error.isVisible()
    assert field("external_id").error.isVisible()
    user.type(basics.tag, "shop")
    user.until(lambda: not field("tag").error.isVisible())
    assert field("external_id").error.isVisible()
    basics.external_id.setFocus()
    QTest.keyClick(basics.external_id, Qt.Key.Key_Escape)
    assert not field("external_id").error.isVisible()
    user.idle()
    assert (basics.tag.text(), basics.external_id.text()) == ("shop", "1")


def test_undo_works_from_a_field_that_nothing_was_typed_in(user: User) -> None:
    fence = user.given()
    user.select(fence)
    form = user.window.form
    rules = (
        form.rules.editors["user_ids"],
        form.rules.editors["ip"],
        form.rules.editors["disable_after"].line,
        form.rules.editors["dwell_threshold_s"],
    )
    fields: tuple[tuple[int, tuple[QWidget, ...]], ...] = (
        (0, (form.basics.description, form.basics.external_id, form.basics.radius.number)),
        (2, rules),
    )
    for page, widgets in fields:
        form.show_section(page)
        for widget in (*widgets, user.window.list.words, user.window.toolbar.search):
            form.show_section(0)
            user.type(form.basics.tag, "shop")
            user.until(lambda: user.only().tag == "shop")
            user.idle()
            form.show_section(page)
            widget.setFocus()
            QTest.keyClick(widget, Qt.Key.Key_Z, CTRL)
            user.until(lambda: user.only().tag == "store")
            user.idle()


def test_undo_in_a_field_reverts_typing_and_nothing_else(user: User) -> None:
    fence = user.given()
    user.select(fence)
    description = user.window.form.basics.description
    user.type(description, "Renamed")
    user.until(lambda: user.only().description == "Renamed")
    user.idle()
    user.type(description, "Wrong", enter=False)
    QTest.keyClick(description, Qt.Key.Key_Z, CTRL)
    assert description.text() == "Renamed"
    QTest.keyClick(description, Qt.Key.Key_Z, CTRL | SHIFT)
    assert description.text() == "Wrong"
    QTest.keyClick(description, Qt.Key.Key_Z, CTRL)
    user.idle()
    assert user.only().description == "Renamed"
    QTest.keyClick(description, Qt.Key.Key_Z, CTRL)
    user.until(lambda: user.only().description == "Store 1")


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
    assert user.window.model.fences.get(fence.id) is None


def test_undo_confirms_before_it_overwrites_changes_by_others(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.type(user.window.form.basics.description, "Mine")
    user.until(lambda: user.only().description == "Mine")
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(description="Theirs"))
    user.until(lambda: user.window.form.basics.description.text() == "Theirs")
    user.until(user.window.actions_.undo.isEnabled)
    user.tool(user.window.actions_.undo)
    assert "someone else" in user.box().text()
    user.answer("Skip this step")
    user.until(lambda: not user.window.actions_.undo.isEnabled())
    assert user.only().description == "Theirs"


def deleted(user: User, fence: Geofence) -> QAbstractButton:
    """Delete a geofence with the key, and return the button that offers to undo it."""
    user.select(fence)
    QTest.keyClick(user.window.list.view, Qt.Key.Key_Delete)
    message = user.window.message
    user.until(lambda: message.isVisible() and message.text.text() == f"Deleted {fence.description}.")
    assert message.button.text() == "Undo"
    message._leave.stop()  # It would disappear by itself.
    return message.button


def test_the_offer_to_undo_reverts_the_change_it_names(user: User) -> None:
    one, other = user.given(1), user.given(2)
    user.click(deleted(user, one))
    until_names_are(user, [one.description, other.description])
    assert not user.window.message.isVisible()


def test_the_offer_to_undo_disappears_with_its_change(user: User) -> None:
    one, other = user.given(1), user.given(2)
    message = user.window.message
    deleted(user, one)
    user.press(Qt.Key.Key_Z, CTRL)
    user.until(lambda: len(user.stored()) == 2)
    user.until(lambda: not message.isVisible())
    deleted(user, one)
    user.select(other)
    user.type(user.window.form.basics.description, "New name")
    user.until(lambda: not message.isVisible())
    deleted(user, user.only())
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: not message.isVisible())


def test_the_offer_to_undo_never_undoes_something_else(user: User) -> None:
    """The other action may still be in progress when the button is pressed."""
    one, other = user.given(1), user.given(2)
    button = deleted(user, one)
    user.select(other)
    edited = user.engine.geofences.update
    hold = Event()

    def slow(*args: Any) -> Geofence:
        hold.wait(120)
        return edited(*args)

    user.engine.geofences.update = slow  # type: ignore[method-assign, assignment]
    user.type(user.window.form.basics.description, "New name")
    user.click(button)
    hold.set()
    user.idle()
    assert user.only().description == "New name"
    assert user.window.message.text.text().startswith("Not undone: something else has changed since.")
    user.press(Qt.Key.Key_Z, CTRL)
    user.until(lambda: user.only().description == other.description)
    user.press(Qt.Key.Key_Z, CTRL)
    user.until(lambda: len(user.stored()) == 2)


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
    user.until(lambda: user.window.model.selection.fence_id == fence.id)
    assert user.window.list.view.currentIndex().data() == "Store 1"
    user.hand.click((14.508, 46.05))
    user.until(lambda: user.window.model.selection.fence_id is None)
    assert user.window.form.fence is None


def test_changes_from_elsewhere_appear(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(description="By the API"))
    user.until(lambda: user.window.form.basics.description.text() == "By the API")
    user.engine.geofences.delete(TEST, fence.id)
    user.until(lambda: user.window.form.fence is None and len(user.window.model.fences) == 0)


def test_the_filter_lists_matching_geofences(user: User) -> None:
    user.given(1, "north"), user.given(2, "south", 14.504)
    words = user.window.list.words
    user.type(words, "nor", enter=False)
    user.until(lambda: len(user.window.list.model.tree) == 1)
    user.type(words, "nowhere", enter=False)
    user.until(lambda: len(user.window.list.model.tree) == 0)
    words.clear()
    user.until(lambda: len(user.window.list.model.tree) == 2)


def test_the_list_is_in_the_order_of_numbers(user: User) -> None:
    ten, two = user.given(10, "load"), user.given(2, "load")
    user.select(two)
    QTest.keyClick(user.window.list.view, Qt.Key.Key_Down)
    assert user.window.model.selection.fence_id == ten.id


def test_a_long_list_stays_quick(user: User) -> None:
    rows = "\n".join(f'Fence {n},circle,tag{n % 20},{n},"[14.5,46.05]",100' for n in range(2_000))
    import_csv(user.engine, TEST, f"description,type,tag,externalId,coordinates,radius\n{rows}\n".encode())
    user.until(lambda: len(user.window.list.model.tree) == 2_000, timeout=30_000)
    user.window.list.words.setText("Fence 1999")
    user.until(lambda: len(user.window.list.model.tree) == 1)
