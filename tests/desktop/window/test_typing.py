"""Typed text is never lost: it remains and goes to the intended geofence, regardless of changes by others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.map.values import Position
from app.desktop.panels.widgets import Field
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle
from engine.domain.hours import DAYS, parse_hours, spell_hours
from engine.domain.settings import SettingsChange
from tests.desktop.waiting import let_work
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts(
    "availability",
    "beacons",
    "commands",
    "fences",
    "list",
    "many",
    "project",
    "selection",
    "tools",
    "undoing",
    "workspaces",
)

TEST, LIVE = Environment.TEST, Environment.LIVE
CTRL = Qt.KeyboardModifier.ControlModifier
FAR_EAST = 15.9
_HOURS, _RULES = 1, 2


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def keys(text: str) -> None:
    """Type into the focused widget, with time for others between the letters."""
    for letter in text:
        QTest.keyClicks(focus(), letter)
        let_work(1)


def begin(user: User, field: QWidget, text: str) -> None:
    """Start to replace the text of a field."""
    user.type(field, text, enter=False)


def elsewhere(user: User, fence: Geofence, change: GeofenceChange) -> None:
    """Change a geofence like an API client, and wait until the window knows."""
    changed = user.engine.geofences.update(user.window.model.environment, fence.id, change)
    user.until(lambda: user.window.model.fences.get(fence.id) == changed)


def deleted(user: User, fence: Geofence) -> None:
    user.engine.geofences.delete(user.window.model.environment, fence.id)
    user.until(lambda: user.window.model.fences.get(fence.id) is None)


def stored(user: User, fence: Geofence) -> Geofence:
    return user.engine.geofences.get(fence.environment, fence.id)


def field(user: User, param: str) -> Field:
    return user.window.form.field(param)


def selected(user: User) -> str | None:
    return user.window.model.selection.fence_id


def page(user: User, number: int) -> None:
    user.click(user.window.form.switch.buttons[number])


def camera(user: User) -> tuple[Position, float]:
    user.hand.settle()
    return user.window.map.center(), user.window.map.zoom()


def places_of_fields(user: User) -> list[QPoint]:
    """Return the position of each editor in the window."""
    let_work(50)
    editors = [entry.field.editor for entry in user.window.form.entries]
    return [editor.mapTo(user.window, QPoint(0, 0)) for editor in editors]


@contextmanager
def held_up(user: User) -> Iterator[None]:
    """Delay the changes of the window, like a slow disk."""
    go_on = Event()
    user.window.operations.change(go_on.wait, lambda _: None, lambda _: None)
    try:
        yield
    finally:
        go_on.set()


# Another user changes the geofence


def test_a_field_keeps_its_text_and_shows_beside_it_the_value_stored_by_others(user: User) -> None:
    fence = user.given()
    user.select(fence)
    description, note = user.window.form.basics.description, field(user, "description").remote_change
    begin(user, description, "Min")
    places = places_of_fields(user)
    elsewhere(user, fence, GeofenceChange(description="Theirs", tag="depot"))
    assert description.text() == "Min"
    assert description.hasFocus()
    assert note.isVisible()
    assert note.value == "Theirs"
    assert note.text() == "Changed remotely to Theirs"
    assert user.window.form.basics.tag.text() == "depot"
    assert not field(user, "tag").remote_change.isVisible()
    assert places_of_fields(user) == places
    keys("e")
    QTest.keyClick(description, Qt.Key.Key_Return)
    user.until(lambda: stored(user, fence).description == "Mine")
    user.until(lambda: not note.isVisible())
    user.tool(user.window.actions_.undo)
    user.until(lambda: stored(user, fence).description == "Theirs")


def test_a_value_stored_by_others_is_taken_with_a_click_or_with_escape(user: User) -> None:
    fence = user.given()
    user.select(fence)
    description, note = user.window.form.basics.description, field(user, "description").remote_change
    begin(user, description, "Mine")
    elsewhere(user, fence, GeofenceChange(description="Theirs"))
    user.click(note)
    assert (description.text(), description.hasFocus(), note.isVisible()) == ("Theirs", True, False)
    keys("!")
    assert description.text() == "Theirs!"
    elsewhere(user, fence, GeofenceChange(description="Theirs again"))
    assert note.isVisible()
    QTest.keyClick(description, Qt.Key.Key_Escape)
    assert (description.text(), description.hasFocus(), note.isVisible()) == ("Theirs again", True, False)
    user.click(user.window.list.view)
    user.idle()
    assert stored(user, fence).description == "Theirs again"


def test_an_untouched_field_follows_the_stored_value(user: User) -> None:
    """The field has the focus, and the next input replaces, or continues, its current text."""
    fence = user.given()
    user.select(fence)
    description = user.window.form.basics.description
    user.window.form.basics.tag.setFocus()
    QTest.keyClick(focus(), Qt.Key.Key_Backtab)
    assert description.hasSelectedText()
    elsewhere(user, fence, GeofenceChange(description="Theirs"))
    assert description.selectedText() == "Theirs"
    QTest.keyClick(description, Qt.Key.Key_End)
    elsewhere(user, fence, GeofenceChange(description="Theirs, longer"))
    keys(" and mine")
    QTest.keyClick(description, Qt.Key.Key_Return)
    user.until(lambda: stored(user, fence).description == "Theirs, longer and mine")


def test_text_typed_and_taken_back_overwrites_nothing(user: User) -> None:
    fence = user.given()
    user.select(fence)
    description = user.window.form.basics.description
    user.click(description)
    QTest.keyClick(description, Qt.Key.Key_End)
    keys("x")
    elsewhere(user, fence, GeofenceChange(description="Theirs"))
    QTest.keyClick(description, Qt.Key.Key_Backspace)
    user.click(user.window.list.view)
    user.idle()
    assert stored(user, fence).description == "Theirs"
    assert description.text() == "Theirs"


def test_numbers_that_are_typed_stay(user: User) -> None:
    fence = user.given()
    user.select(fence)
    radius, note = user.window.form.basics.radius, field(user, "size").remote_change
    begin(user, radius.number, "25")
    elsewhere(user, fence, GeofenceChange(size=300.0))
    assert radius.number.lineEdit().text().removesuffix(" m") == "25"
    assert note.value == "300 m"
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: stored(user, fence).geometry == Circle(fence.geometry.center, 25.0))  # type: ignore[union-attr]
    user.idle()
    assert not note.isVisible()
    page(user, _RULES)
    dwell = user.window.form.rules.editors["dwell_threshold_s"]
    begin(user, dwell, "7")
    elsewhere(user, fence, GeofenceChange(dwell_threshold_s=600.0))
    assert field(user, "dwell_threshold_s").remote_change.value == "10 min"
    QTest.keyClick(focus(), Qt.Key.Key_Escape)
    assert dwell.text() == "10 min"
    user.idle()
    assert stored(user, fence).rules.dwell_threshold_s == 600.0


def test_a_cell_that_is_open_stays_open_and_only_its_key_is_changed(user: User) -> None:
    fence = user.given()
    elsewhere(user, fence, GeofenceChange(metadata={"floor": "3", "city": "Ghent"}))
    user.select(fence)
    table = user.window.form.basics.metadata.table
    item = table.item(0, 1)
    assert item is not None
    table.setCurrentItem(item)
    table.editItem(item)
    keys("1")
    elsewhere(user, fence, GeofenceChange(metadata={"city": "Bruges", "floor": "3", "open": True}))
    assert field(user, "metadata").remote_change.value == "city: Bruges, floor: 3, open: yes"
    keys("2")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: dict(stored(user, fence).metadata) == {"city": "Bruges", "floor": "12", "open": True})
    user.idle()
    assert user.window.form.basics.metadata.table.rowCount() == 3
    assert not field(user, "metadata").remote_change.isVisible()


def test_a_time_that_is_typed_is_put_among_the_days_of_others(user: User) -> None:
    fence = user.given()
    elsewhere(user, fence, GeofenceChange(operating_hours=parse_hours({"Mon": [["09:00", "17:00"]]})))
    user.select(fence)
    page(user, _HOURS)
    monday, saturday = (user.window.form.hours.week.days[day] for day in (0, 5))
    begin(user, monday.spans[0].opens, "7:3")
    theirs = {"Mon": [["10:00", "11:00"], ["12:00", "13:00"]], "Sat": [["09:00", "12:00"]]}
    elsewhere(user, fence, GeofenceChange(operating_hours=parse_hours(theirs)))
    assert monday.spans[0].opens.text() == "7:3"
    assert monday.spans[0].opens.hasFocus()
    assert len(saturday.spans) == 1
    assert "10:00–11:00" in field(user, "operating_hours").remote_change.value
    keys("0")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    expected: dict[str, list[list[str]]] = {name: [] for name in DAYS}
    expected |= {"Mon": [["07:30", "17:00"]], "Sat": [["09:00", "12:00"]]}
    user.until(lambda: spell_hours(stored(user, fence).rules.operating_hours) == expected)  # type: ignore[arg-type]
    user.idle()
    assert not field(user, "operating_hours").remote_change.isVisible()


def test_a_radius_is_typed_while_the_circle_becomes_a_polygon(user: User) -> None:
    fence = user.given()
    user.select(fence)
    radius = user.window.form.basics.radius
    begin(user, radius.number, "25")
    ring = ((14.5, 46.05), (14.501, 46.05), (14.501, 46.051), (14.5, 46.05))
    elsewhere(user, fence, GeofenceChange(type="polygon", coordinates=ring, size=None))
    assert radius.number.lineEdit().text().removesuffix(" m") == "25"
    assert focus() in (radius.number, radius.number.lineEdit())
    assert field(user, "size").remote_change.value == "polygon"
    QTest.keyClick(focus(), Qt.Key.Key_Escape)
    assert not radius.isVisible()
    user.idle()
    assert stored(user, fence).geometry.type == "polygon"


def test_a_setting_that_is_typed_stays(user: User) -> None:
    user.window.actions_.settings.trigger()
    dialog = user.window.project.dialog
    user.until(dialog.isActiveWindow)
    dialog.show_page(1)
    entry = dialog.entry("blocked")
    line = entry.field.editor
    begin(user, line, "anna")
    user.engine.settings.change(TEST, SettingsChange(blocked=("ben",)))
    user.until(entry.field.remote_change.isVisible)
    assert entry.field.remote_change.value == "ben"
    keys(", carl")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: user.engine.settings.get(TEST).blocked == ("anna", "carl"))
    user.until(lambda: not entry.field.remote_change.isVisible())


# Another geofence is shown


@pytest.mark.slow
def test_typed_text_goes_to_its_own_geofence_when_another_is_selected(user: User) -> None:
    one, other = user.given(1), user.given(2, longitude=14.51)
    basics = user.window.form.basics
    for param, editor, text in (("description", basics.description, "Typed"), ("tag", basics.tag, "typed")):
        user.select(one)
        begin(user, editor, text)
        # The keyboard focus stays when an event of the other geofence, or a press of W, selects that geofence.
        user.window.model.selection.select_fence(other.id)
        assert editor.text() != text
        user.until(lambda param=param, text=text: getattr(stored(user, one), param) == text)  # type: ignore[misc]
        user.idle()
    user.select(one)
    begin(user, basics.radius.number, "77")
    user.window.model.selection.select_fence(other.id)
    user.until(lambda: stored(user, one).geometry.radius_m == 77.0)  # type: ignore[union-attr]
    user.idle()
    assert stored(user, other) == other


def test_text_typed_in_test_goes_to_test_when_live_is_shown(user: User) -> None:
    fence = user.given()
    user.select(fence)
    begin(user, user.window.form.basics.description, "Typed")
    user.window.toolbar.environments.live.click()
    user.until(lambda: stored(user, fence).description == "Typed")
    assert user.stored(LIVE) == []


def test_refused_text_stays_pending_with_its_geofence(user: User) -> None:
    one, other = user.given(1), user.given(2, longitude=14.51)
    user.select(one)
    page(user, _RULES)
    rules = user.window.form.rules
    user.type(rules.editors["ip"], "10.0.0")
    user.until(field(user, "ip").error.isVisible)
    user.type(rules.editors["dwell_threshold_s"], "0")
    user.until(field(user, "dwell_threshold_s").error.isVisible)
    user.select(other)
    assert (rules.editors["ip"].text(), rules.editors["dwell_threshold_s"].number()) == ("", None)
    assert not field(user, "ip").error.isVisible()
    user.select(one)
    assert (rules.editors["ip"].text(), rules.editors["dwell_threshold_s"].number()) == ("10.0.0", 0.0)
    assert field(user, "ip").error.isVisible()
    assert field(user, "dwell_threshold_s").error.isVisible()
    user.type(rules.editors["ip"], "10.0.0.7")
    user.until(lambda: str(stored(user, one).rules.ip) == "10.0.0.7")
    user.idle()
    assert stored(user, other) == other


def test_text_refused_after_its_geofence_was_left_is_reported_and_shown_again(user: User) -> None:
    one, other = user.given(1), user.given(2, longitude=14.51)
    user.select(one)
    basics = user.window.form.basics
    with held_up(user):
        user.type(basics.external_id, "2", enter=False)
        user.select(other)
    user.until(user.window.message.isVisible)
    assert user.window.message.text.text().startswith("Store 1: External ID: ")
    assert basics.external_id.text() == "2"
    assert not field(user, "external_id").error.isVisible()
    user.click(user.window.message.button)
    assert selected(user) == one.id
    assert basics.external_id.text() == "2"
    assert field(user, "external_id").error.isVisible()
    QTest.keyClick(basics.external_id, Qt.Key.Key_Escape)
    basics.external_id.setFocus()
    QTest.keyClick(basics.external_id, Qt.Key.Key_Escape)
    assert basics.external_id.text() == "1"


def test_a_geofence_that_is_ready_late_does_not_take_the_form_from_who_types(user: User) -> None:
    fence = user.given(1, longitude=14.508)
    user.select(fence)
    with held_up(user):
        user.tool(user.window.actions_.circle)
        for place in ((14.5, 46.05), (14.502, 46.05)):
            user.hand.click(place)
        user.until(lambda: user.window.operations.under_way == 2)
        begin(user, user.window.form.basics.description, "Mi")
    user.until(lambda: len(user.window.model.fences) == 2)
    user.idle()
    keys("ne")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: stored(user, fence).description == "Mine")
    made = next(each for each in user.stored() if each.id != fence.id)
    assert made.description == "Geofence 1"


# Late responses


def test_the_answer_for_one_field_leaves_the_others_alone(user: User) -> None:
    user.given(2)
    fence = user.given(1)
    user.select(fence)
    basics = user.window.form.basics
    with held_up(user):
        user.type(basics.description, "Renamed")
        user.type(basics.external_id, "2")
        begin(user, basics.tag, "shop")
    user.until(lambda: stored(user, fence).description == "Renamed")
    user.until(field(user, "external_id").error.isVisible)
    user.idle()
    assert (basics.external_id.text(), basics.tag.text()) == ("2", "shop")
    assert not any(each.field.remote_change.isVisible() for each in user.window.form.entries)
    QTest.keyClick(basics.tag, Qt.Key.Key_Return)
    user.until(lambda: stored(user, fence).tag == "shop")


def test_who_types_on_while_it_is_stored_loses_nothing(user: User) -> None:
    fence = user.given()
    user.select(fence)
    description = user.window.form.basics.description
    with held_up(user):
        user.type(description, "One")
        QTest.keyClick(description, Qt.Key.Key_End)
        keys(", two")
    user.until(lambda: stored(user, fence).description == "One")
    user.idle()
    assert description.text() == "One, two"
    assert not field(user, "description").remote_change.isVisible()
    QTest.keyClick(description, Qt.Key.Key_Return)
    user.until(lambda: stored(user, fence).description == "One, two")


def test_a_box_clicked_twice_quickly_is_as_it_was(user: User) -> None:
    fence = user.given()
    user.select(fence)
    with held_up(user):
        for _ in range(2):
            user.click(user.window.form.basics.enabled)
    user.idle()
    assert stored(user, fence).enabled
    assert user.window.form.basics.enabled.isChecked()


def test_an_error_on_another_page_does_not_take_the_page_from_who_types(user: User) -> None:
    user.given(2)
    fence = user.given(1)
    user.select(fence)
    form = user.window.form
    with held_up(user):
        user.type(form.basics.external_id, "2")
        page(user, _RULES)
        begin(user, form.rules.editors["user_ids"], "an")
    user.until(user.window.message.isVisible)
    keys("na")
    assert form.rules.editors["user_ids"].text() == "anna"
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: stored(user, fence).rules.user_ids == ("anna",))
    page(user, 0)
    assert field(user, "external_id").error.isVisible()


# Another user deletes the geofence


def test_a_deletion_elsewhere_leaves_typed_text_and_it_can_be_restored(user: User) -> None:
    fence, far = user.given(1), user.given(9, "zone", FAR_EAST)
    user.select(fence)
    basics, head = user.window.form.basics, user.window.form.head
    begin(user, basics.description, "Min")
    before = camera(user)
    deleted(user, fence)
    assert selected(user) is None
    assert (basics.description.text(), basics.description.hasFocus()) == ("Min", True)
    assert head.text.text() == "Deleted remotely"
    for each in (head.restore, head.discard):
        user.until(lambda each=each: head.rect().contains(each.geometry()))  # type: ignore[misc]
        assert each.height() >= each.sizeHint().height()
    keys("e")
    QTest.keyClick(focus(), Qt.Key.Key_Tab)
    keys("depot")
    let_work(200)
    assert camera(user) == before
    assert user.engine.geofences.all(TEST) == (far,)
    assert (basics.description.text(), basics.tag.text()) == ("Mine", "depot")
    user.click(head.restore)
    user.until(lambda: len(user.stored()) == 2)
    user.idle()
    restored = stored(user, fence)
    assert (restored.description, restored.tag, restored.external_id) == ("Mine", "depot", "1")
    assert restored.geometry == fence.geometry
    assert selected(user) == fence.id
    assert not head.restore.isVisible()
    assert camera(user) == before


def test_text_typed_for_a_deleted_geofence_can_be_discarded(user: User) -> None:
    fence = user.given()
    user.select(fence)
    begin(user, user.window.form.basics.description, "Mine")
    deleted(user, fence)
    user.click(user.window.form.head.discard)
    assert user.window.form.fence is None
    user.idle()
    assert user.stored() == []


def test_text_typed_for_a_deleted_geofence_is_offered_when_another_is_selected(user: User) -> None:
    one, other = user.given(1), user.given(2, longitude=14.51)
    user.select(one)
    begin(user, user.window.form.basics.description, "Mine")
    deleted(user, one)
    user.select(other)
    assert user.window.form.basics.description.text() == "Store 2"
    assert "Store 1 was deleted by another client" in user.window.message.text.text()
    user.click(user.window.message.button)
    user.until(lambda: len(user.stored()) == 2)
    user.idle()
    assert stored(user, one).description == "Mine"
    assert stored(user, other) == other
    assert selected(user) == one.id


def test_a_deleted_geofence_is_not_offered_in_another_workspace(user: User, tmp_path: Path) -> None:
    fence = user.given()
    user.select(fence)
    begin(user, user.window.form.basics.description, "Mine")
    deleted(user, fence)
    assert user.window.form.head.restore.isVisible()
    user.window.workspaces.open(tmp_path / "other")
    user.until(lambda: user.engine.workspace.folder == tmp_path / "other")
    user.idle()
    assert user.window.form.fence is None
    assert not user.window.form.head.restore.isVisible()
    assert user.stored() == []


def test_keys_intended_for_a_deleted_geofence_do_nothing_else(user: User) -> None:
    """Letters choose tools, Del deletes, and letters in the list select rows, so the focus must stay in the field."""
    fence, other = user.given(1), user.given(2, "pasture", 14.504)
    user.select(fence)
    user.click(user.window.form.basics.description)
    deleted(user, fence)
    keys("pc ")
    QTest.keyClick(focus(), Qt.Key.Key_Delete)
    user.idle()
    assert user.window.form.basics.description.text().count("pc ") == 1
    assert user.window.actions_.select.isChecked()
    assert user.stored() == [other]
    assert selected(user) is None


def test_an_untouched_form_of_a_deleted_geofence_is_empty(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.click(user.window.form.basics.description)
    deleted(user, fence)
    assert user.window.form.fence is not None
    user.click(user.window.list.words)
    user.until(lambda: user.window.form.fence is None)


def test_a_geofence_that_comes_back_is_edited_on(user: User) -> None:
    fence = user.given()
    user.select(fence)
    begin(user, user.window.form.basics.description, "Mi")
    deleted(user, fence)
    user.engine.geofences.restore(TEST, fence)
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    keys("ne")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: stored(user, fence).description == "Mine")
    assert selected(user) == fence.id
    assert not user.window.form.head.restore.isVisible()


def test_an_external_id_taken_meanwhile_is_reported_and_nothing_is_lost(user: User) -> None:
    fence = user.given(1)
    user.select(fence)
    begin(user, user.window.form.basics.description, "Mine")
    deleted(user, fence)
    user.given(1)
    user.click(user.window.form.head.restore)
    user.until(user.window.message.isVisible)
    assert "External ID" in user.window.message.text.text()
    user.idle()
    assert user.window.form.basics.description.text() == "Mine"
    assert len(user.stored()) == 1


@pytest.mark.whole_window
def test_text_typed_in_live_stays_pending_although_its_geofence_is_deleted(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    fence = user.given()
    user.select(fence)
    begin(user, user.window.form.basics.description, "Min")
    deleted(user, fence)
    keys("e")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: len(user.window.model.pending) == 1)
    assert user.window.form.basics.description.text() == "Mine"
    user.click(user.window.form.head.restore)
    user.answer("Restore")
    user.until(lambda: [each.description for each in user.stored(LIVE)] == ["Mine"])


def test_an_own_deletion_needs_no_confirmation_for_typed_text(user: User) -> None:
    fence = user.given()
    user.select(fence)
    begin(user, user.window.form.basics.description, "Mine")
    user.window.actions_.delete.trigger()
    user.until(lambda: user.stored() == [])
    user.until(lambda: user.window.form.fence is None)
    user.idle()
    assert user.window.message.text.text() == "Deleted Store 1."


@pytest.mark.parametrize("name", ["description", "tag", "external_id"])
def test_a_row_that_moves_away_takes_no_letter_with_it(user: User, name: str) -> None:
    fences = [user.given(number, longitude=14.5 + number * 0.003) for number in range(5)]
    user.select(fences[2])
    basics = user.window.form.basics
    editor = {"description": basics.description, "tag": basics.tag, "external_id": basics.external_id}[name]
    user.click(editor)
    editor.selectAll()
    for number, letter in enumerate("typed"):
        QTest.keyClicks(focus(), letter)
        other = f"{'zyxwv'[number]} {number}"
        elsewhere(user, fences[2], GeofenceChange(metadata={"step": number}))
        elsewhere(user, fences[number if number != 2 else 0], GeofenceChange(description=other))
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    user.until(lambda: getattr(stored(user, fences[2]), name) == "typed")
    user.idle()
    others = [stored(user, fence) for fence in fences if fence.id != fences[2].id]
    assert all(getattr(other, name) != "typed" for other in others)
    assert {other.tag for other in others} == {"store"}
