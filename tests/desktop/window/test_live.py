"""Live: changes are pending, nothing moves in the meantime, and no pending change is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QTableWidget,
    QWidget,
)

from app.desktop.dialogs.pending import PendingDialog
from app.desktop.dialogs.segments import SegmentEdit
from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.model.editing.pending import Owner
from app.desktop.session import Session
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle
from engine.domain.ports import Progress
from engine.domain.settings import DEFAULT_SETTINGS, SettingsChange
from engine.engine import Engine
from tests.desktop.waiting import let_work
from tests.desktop.window.user import LEFT, NO_KEYS, User

pytestmark = pytest.mark.parts(
    "availability", "commands", "fences", "list", "pending", "project", "selection", "tools", "undoing", "workspaces"
)

TEST, LIVE = Environment.TEST, Environment.LIVE
_FIELDS = (QLineEdit, QAbstractButton, QComboBox, QAbstractSpinBox, QAbstractSlider, QTableWidget)


@pytest.fixture
def analyst(user: User) -> Iterator[User]:
    """A user who looks at Live, and closes the window without pending changes."""
    show(user, LIVE)
    yield user
    user.window.model.pending.clear()


def show(user: User, environment: Environment) -> None:
    switch = user.window.toolbar.environments
    user.click(switch.live if environment.live else switch.test)
    user.until(lambda: user.window.model.environment is environment)
    user.idle()


def live(user: User, fence: Geofence) -> Geofence:
    return user.engine.geofences.get(LIVE, fence.id)


def waiting(user: User) -> set[tuple[Owner, str]]:
    return {change.key for change in user.window.model.pending}


def places(window: QWidget, *more: QWidget) -> dict[str, QRect]:
    """Return the positions on the screen of all widgets that can be clicked or typed in."""
    shown = [each for each in window.findChildren(QWidget) if isinstance(each, _FIELDS) and each.isVisible()]
    return {
        f"{type(each).__name__} {number} {each.objectName()} {each.accessibleName()}": QRect(
            each.mapToGlobal(QPoint()), each.size()
        )
        for number, each in enumerate([*shown, *more])
    }


def places_at_rest(user: User, window: QWidget, *more: QWidget) -> dict[str, QRect]:
    """Return all positions once nothing is pending that would change them."""
    user.idle()
    before: dict[str, QRect] = {}
    now = places(window, *more)
    while now != before:
        let_work(50)
        before, now = now, places(window, *more)
    return now


def mouse(user: User, at: QPoint) -> None:
    """Press and release the button at a place on the screen, regardless of the widget there."""
    handle = user.window.windowHandle()
    local = user.window.mapFromGlobal(at)
    QTest.mousePress(handle, LEFT, NO_KEYS, local)
    QApplication.processEvents()
    QTest.mouseRelease(handle, LEFT, NO_KEYS, local)
    QApplication.processEvents()


def listed(user: User) -> PendingDialog:
    """Open the list like a user."""
    user.click(user.window.status.pending)
    dialog = user.window.pending.dialog
    user.until(dialog.isVisible)
    return dialog


def rows(dialog: PendingDialog) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Return the rows of the list: the records, each with its fields and their values in Live and in the pending
    change."""
    found = []
    for number in range(dialog.list.topLevelItemCount()):
        record = dialog.list.topLevelItem(number)
        assert record is not None
        fields = (record.child(child) for child in range(record.childCount()))
        found.append((record.text(0), [tuple(each.text(column) for column in range(3)) for each in fields if each]))
    return found


def choose(dialog: PendingDialog, owner: Owner, name: str) -> None:
    """Click the row of a field."""
    rect = dialog.list.visualItemRect(dialog.list.row_of((owner, name)))
    QTest.mouseClick(dialog.list.viewport(), LEFT, NO_KEYS, rect.center())


def settings(user: User) -> SettingsDialog:
    user.window.actions_.settings.trigger()
    dialog = user.window.project.dialog
    user.until(dialog.isVisible)
    return dialog


def switch_of(dialog: SettingsDialog, param: str) -> QCheckBox:
    found = dialog.entry(param).field.editor
    assert isinstance(found, QCheckBox)
    return found


# Nothing moves


@pytest.mark.whole_window
def test_a_click_after_typing_meets_its_target(analyst: User) -> None:
    fence = analyst.given()
    analyst.select(fence)
    form = analyst.window.form
    map_view = analyst.window.map
    before = places_at_rest(analyst, analyst.window, map_view)
    aim = form.basics.enabled.mapToGlobal(QPoint(8, form.basics.enabled.height() // 2))
    analyst.type(form.basics.description, "New name", enter=False)
    mouse(analyst, aim)
    assert not form.basics.enabled.isChecked()
    assert waiting(analyst) == {(fence.id, "description"), (fence.id, "enabled")}
    assert places(analyst.window, map_view) == before
    analyst.engine.geofences.update(LIVE, fence.id, GeofenceChange(description="Theirs"))
    analyst.until(lambda: "conflict" in form.pending_bar.text.whole)
    assert places(analyst.window, map_view) == before
    QTest.keyClick(form.basics.radius.slider, Qt.Key.Key_End)
    analyst.until(lambda: (fence.id, "size") in waiting(analyst))
    assert places(analyst.window, map_view) == before


def test_settings_do_not_move_when_one_begins_to_wait(analyst: User) -> None:
    dialog = settings(analyst)
    before = places_at_rest(analyst, dialog)
    analyst.click(switch_of(dialog, "stop_detection"))
    analyst.type(dialog.entry("default_dwell_threshold_s").field.editor, "5")
    assert waiting(analyst) == {(None, "stop_detection"), (None, "default_dwell_threshold_s")}
    assert places(dialog) == before


def test_a_message_moves_nothing_and_lies_over_the_map(analyst: User) -> None:
    window, map_view = analyst.window, analyst.window.map
    for size in ((1280, 800), (960, 600)):
        window.resize(*size)
        before = places_at_rest(analyst, map_view, map_view)
        for text in ("Short.", "A long one, which goes on and on. " * 12):
            window.message.complain(text, "Review…", lambda: None)
            analyst.qtbot.wait(50)
            assert places(map_view, map_view) == before
            over = QRect(window.message.mapTo(window, QPoint()), window.message.size())
            around = QRect(map_view.mapTo(window, QPoint()), map_view.size())
            assert around.contains(over)
            assert window.message.text.height() >= window.message.text.heightForWidth(window.message.text.width())
            assert over.bottom() < around.bottom() - 32, "the scale and the attribution stay readable"
            assert over.right() < around.right() - 48, "the zoom buttons stay in reach"
        mouse(analyst, window.message.button.mapToGlobal(window.message.button.rect().center()))
        assert not window.message.isVisible()


# Pending changes are kept


def test_a_second_change_does_not_replace_the_first(analyst: User) -> None:
    one, other = analyst.given(1), analyst.given(2, longitude=14.51)
    form = analyst.window.form
    for fence, name in ((one, "First"), (other, "Second"), (one, "Third")):
        analyst.select(fence)
        analyst.type(form.basics.description, name)
    dialog = settings(analyst)
    analyst.click(switch_of(dialog, "stop_detection"))
    dialog.close()
    analyst.select(other)
    assert form.basics.description.text() == "Second"
    analyst.select(one)
    assert form.basics.description.text() == "Third"
    assert rows(listed(analyst)) == [
        ("Store 1", [("Description", "Store 1", "Third")]),
        ("Store 2", [("Description", "Store 2", "Second")]),
        ("Project settings", [("Stop detection", "off", "on")]),
    ]
    assert (live(analyst, one), live(analyst, other)) == (one, other)
    assert analyst.engine.settings.get(LIVE) == DEFAULT_SETTINGS


def test_a_geofence_that_is_selected_again_shows_pending_changes_in_every_kind_of_field(analyst: User) -> None:
    fence, other = analyst.given(1), analyst.given(2, longitude=14.51)
    analyst.select(fence)
    form = analyst.window.form
    basics, rules = form.basics, form.rules
    analyst.type(basics.tag, "depot")
    analyst.type(basics.radius.number, "250")
    analyst.click(basics.enabled)
    analyst.click(basics.metadata.add)
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, "floor")
    QTest.keyClick(focus, Qt.Key.Key_Return)
    analyst.until(lambda: (fence.id, "metadata") in waiting(analyst))
    analyst.click(form.switch.buttons[1])
    analyst.click(form.hours.always)
    analyst.click(form.switch.buttons[2])
    analyst.type(rules.editors["user_ids"], "anna, ben")
    analyst.type(rules.editors["dwell_threshold_s"], "7")
    analyst.type(rules.editors["disable_after"].line, "2031-05-20 18:00")
    rules.editors["stop_detection"].setFocus()
    QTest.keyClick(rules.editors["stop_detection"], Qt.Key.Key_Down)

    def shown() -> tuple[object, ...]:
        spans = form.hours.week.days[0].spans
        return (
            (basics.tag.text(), basics.radius.number.value(), basics.enabled.isChecked()),
            basics.metadata.table.rowCount(),
            (form.hours.always.isChecked(), [span.opens.text() for span in spans]),
            (
                rules.editors["user_ids"].text(),
                rules.editors["dwell_threshold_s"].text(),
                rules.editors["disable_after"].line.text(),
            ),
            rules.editors["stop_detection"].currentText(),
        )

    entered = shown()
    assert entered == (
        ("depot", 250.0, False),
        1,
        (False, ["09:00"]),
        ("anna, ben", "7 min", "2031-05-20 18:00"),
        "on",
    )
    analyst.select(other)
    assert shown() != entered
    assert len(waiting(analyst)) == 9
    analyst.select(fence)
    assert shown() == entered
    assert rows(listed(analyst))[0][1] == [
        ("Tag", "store", "depot"),
        ("Radius", "120 m", "250 m"),
        ("Enabled", "on", "off"),
        ("Metadata", "none", "floor: "),
        ("Operating hours", "always open", "Mon–Fri 09:00–17:00"),
        ("User IDs", "all users", "anna, ben"),
        ("Dwell threshold", "project default", "7 min"),
        ("Disable after", "never", "2031-05-20 18:00 Europe/Ljubljana"),
        ("Stop detection", "project default", "on"),
    ]
    analyst.window.pending.dialog.close()
    analyst.click(form.pending_bar.apply)
    analyst.until(lambda: waiting(analyst) == set())
    stored = live(analyst, fence)
    assert (stored.tag, stored.enabled, dict(stored.metadata)) == ("depot", False, {"floor": ""})
    assert (stored.rules.user_ids, stored.rules.dwell_threshold_s) == (("anna", "ben"), 420.0)
    assert shown() == entered


def test_pending_and_half_typed_changes_survive_other_environments(analyst: User) -> None:
    show(analyst, TEST)
    own = analyst.given(7, "test")
    show(analyst, LIVE)
    fence = analyst.given()
    analyst.select(fence)
    form = analyst.window.form
    analyst.click(form.basics.enabled)
    analyst.type(form.basics.description, "Half typ", enter=False)
    dialog = settings(analyst)
    analyst.click(switch_of(dialog, "buffer_exits"))
    for _ in range(2):
        show(analyst, TEST)
        assert not form.pending_bar.isVisible()
        assert not dialog.pending_bar.isVisible()
        assert not switch_of(dialog, "buffer_exits").isChecked()
        assert analyst.window.status.pending.isVisible()
        analyst.select(own)
        analyst.type(form.basics.description, "At once")
        analyst.until(lambda: analyst.only().description == "At once")
        show(analyst, LIVE)
    assert switch_of(dialog, "buffer_exits").isChecked()
    analyst.select(fence)
    assert (form.basics.description.text(), form.basics.enabled.isChecked()) == ("Half typ", False)
    assert waiting(analyst) == {(fence.id, "description"), (fence.id, "enabled"), (None, "buffer_exits")}
    assert live(analyst, fence) == fence
    assert analyst.engine.settings.get(TEST) == DEFAULT_SETTINGS


def test_reopened_settings_show_pending_changes(analyst: User) -> None:
    dialog = settings(analyst)
    analyst.click(switch_of(dialog, "stop_detection"))
    analyst.type(dialog.entry("default_dwell_threshold_s").field.editor, "5")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    dialog = settings(analyst)
    assert switch_of(dialog, "stop_detection").isChecked()
    assert dialog.pending_bar.text.whole == "2 pending changes: Stop detection, Default dwell threshold"
    analyst.engine.settings.change(LIVE, SettingsChange(buffer_exits=True))
    analyst.until(switch_of(dialog, "buffer_exits").isChecked)
    assert switch_of(dialog, "stop_detection").isChecked()
    analyst.click(dialog.pending_bar.apply)
    analyst.until(lambda: waiting(analyst) == set())
    stored = analyst.engine.settings.get(LIVE)
    assert (stored.stop_detection, stored.default_dwell_threshold_s, stored.buffer_exits) == (True, 300.0, True)


def test_escape_reverts_typing_and_keeps_pending_changes(analyst: User) -> None:
    fence = analyst.given()
    analyst.select(fence)
    line = analyst.window.form.basics.description
    analyst.type(line, "Decided")
    analyst.type(line, "Not this", enter=False)
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "Decided"
    assert waiting(analyst) == {(fence.id, "description")}


# One by one, and all at once


def three(user: User) -> tuple[Geofence, Geofence]:
    """Make three pending changes: two of a geofence, and one of another."""
    one, other = user.given(1), user.given(2, longitude=14.51)
    form = user.window.form
    user.select(other)
    user.type(form.basics.description, "Other")
    user.select(one)
    user.type(form.basics.description, "One")
    user.click(form.basics.enabled)
    return one, other


def test_changes_are_applied_one_by_one(analyst: User) -> None:
    one, other = three(analyst)
    dialog = listed(analyst)
    choose(dialog, one.id, "enabled")
    analyst.click(dialog.apply)
    analyst.until(lambda: not live(analyst, one).enabled)
    analyst.until(lambda: len(waiting(analyst)) == 2)
    assert live(analyst, one).description == "Store 1"
    assert live(analyst, other) == other
    choose(dialog, other.id, "description")
    analyst.click(dialog.apply)
    analyst.until(lambda: waiting(analyst) == {(one.id, "description")})
    assert live(analyst, other).description == "Other"


def test_changes_are_discarded_one_by_one_and_brought_back(analyst: User) -> None:
    one, other = three(analyst)
    dialog = listed(analyst)
    choose(dialog, one.id, "description")
    analyst.click(dialog.discard)
    assert waiting(analyst) == {(other.id, "description"), (one.id, "enabled")}
    basics = analyst.window.form.basics
    assert (basics.description.text(), basics.enabled.isChecked()) == ("Store 1", False)
    analyst.click(analyst.window.message.button)
    assert len(waiting(analyst)) == 3
    assert basics.description.text() == "One"
    assert live(analyst, one) == one


def test_all_changes_are_applied_at_once_and_undone(analyst: User) -> None:
    one, other = three(analyst)
    dialog = settings(analyst)
    analyst.click(switch_of(dialog, "stop_detection"))
    shown = listed(analyst)
    analyst.click(shown.apply_all)
    analyst.until(lambda: waiting(analyst) == set())
    analyst.idle()
    assert (live(analyst, one).description, live(analyst, one).enabled) == ("One", False)
    assert live(analyst, other).description == "Other"
    assert analyst.engine.settings.get(LIVE).stop_detection
    assert analyst.window.message.text.text() == "Applied 4 changes to Live."
    shown.close()
    dialog.close()
    for _ in range(3):
        analyst.tool(analyst.window.actions_.undo)
        analyst.answer("Undo")
        analyst.idle()
    now = live(analyst, one), live(analyst, other)
    assert [(each.description, each.enabled) for each in now] == [("Store 1", True), ("Store 2", True)]
    assert analyst.engine.settings.get(LIVE) == DEFAULT_SETTINGS
    assert waiting(analyst) == set()
    analyst.select(one)
    assert analyst.window.form.basics.description.text() == "Store 1"


def test_all_changes_are_discarded_at_once(analyst: User) -> None:
    one, other = three(analyst)
    dialog = listed(analyst)
    analyst.click(dialog.discard_all)
    assert waiting(analyst) == set()
    analyst.until(lambda: dialog.text.text().startswith("No pending changes."))
    assert (live(analyst, one), live(analyst, other)) == (one, other)
    analyst.select(other)
    assert analyst.window.form.basics.description.text() == "Store 2"


@pytest.mark.slow
def test_many_changes_are_applied_in_portions_and_each_answer_counts(analyst: User) -> None:
    fences = [analyst.given(number, longitude=14.4 + number / 1000) for number in range(45)]
    for fence in fences:
        radius = 9.0 if fence.external_id == "30" else 200.0
        analyst.window.model.pending.propose_fence(fence, {"size": radius, "enabled": False})
    dialog = listed(analyst)
    analyst.click(dialog.apply_all)
    analyst.until(lambda: len(waiting(analyst)) == 2)
    analyst.idle()
    refused = next(fence for fence in fences if fence.external_id == "30")
    assert waiting(analyst) == {(refused.id, "size"), (refused.id, "enabled")}
    assert sum(not each.enabled for each in analyst.stored(LIVE)) == 44
    assert "Applied 88 of 90 changes to Live." in analyst.window.message.text.text()
    analyst.until(lambda: [name for name, _ in rows(dialog)] == ["Store 30"])


def test_changes_of_live_are_applied_while_test_is_shown(analyst: User) -> None:
    one, _ = three(analyst)
    show(analyst, TEST)
    dialog = listed(analyst)
    choose(dialog, one.id, "description")
    analyst.click(dialog.apply)
    analyst.until(lambda: live(analyst, one).description == "One")
    assert analyst.stored() == []
    analyst.until(lambda: len(waiting(analyst)) == 2)
    choose(dialog, one.id, "enabled")
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    analyst.until(lambda: analyst.window.model.environment is LIVE)


def test_the_list_is_used_with_the_keyboard(analyst: User) -> None:
    one, _ = three(analyst)
    analyst.window.actions_.pending.trigger()
    dialog = analyst.window.pending.dialog
    analyst.until(dialog.isVisible)
    QTest.keyClick(dialog.list, Qt.Key.Key_End)
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    analyst.until(lambda: analyst.window.model.selection.fence_id == one.id)
    assert len(waiting(analyst)) == 3, "Enter applies nothing"


def test_text_typed_while_changes_are_applied_stays_pending(analyst: User, monkeypatch: pytest.MonkeyPatch) -> None:
    fence = analyst.given()
    analyst.select(fence)
    line = analyst.window.form.basics.description
    analyst.type(line, "First")
    held = Event()
    update = analyst.engine.geofences.update

    def late(environment: Environment, geofence_id: str, change: GeofenceChange) -> Geofence:
        held.wait(120)
        return update(environment, geofence_id, change)

    monkeypatch.setattr(analyst.engine.geofences, "update", late)
    bar = analyst.window.form.pending_bar
    analyst.click(bar.apply)
    assert not bar.apply.isEnabled(), "it is on its way"
    analyst.type(line, "Second")
    held.set()
    analyst.until(lambda: live(analyst, fence).description == "First")
    analyst.idle()
    assert line.text() == "Second"
    assert waiting(analyst) == {(fence.id, "description")}
    analyst.click(bar.apply)
    analyst.until(lambda: live(analyst, fence).description == "Second")
    analyst.until(lambda: waiting(analyst) == set())
    assert QApplication.activeModalWidget() is None


def test_segments_wait_as_a_whole(analyst: User) -> None:
    dialog = settings(analyst)
    analyst.click(dialog.switch.buttons[2])
    edit = dialog.entry("segments").field.editor
    assert isinstance(edit, SegmentEdit)
    analyst.click(edit.add)
    analyst.type(edit.description, "Gold")
    dialog.close()
    show(analyst, TEST)
    show(analyst, LIVE)
    dialog = settings(analyst)
    item = edit.list.item(0)
    assert item is not None
    assert item.text() == "Gold"
    assert rows(listed(analyst)) == [("Project settings", [("Segments", "none", "Gold: userId exists")])]
    assert analyst.engine.settings.get(LIVE).segments == ()
    analyst.click(dialog.pending_bar.discard)
    assert edit.list.count() == 0


# Changes that the engine refuses


def test_refused_changes_stay_pending_with_the_error_at_the_field(analyst: User) -> None:
    fence = analyst.given()
    analyst.select(fence)
    form = analyst.window.form
    analyst.type(form.basics.radius.number, "9")
    analyst.click(form.basics.enabled)
    analyst.click(form.pending_bar.apply)
    error = form.field("size").error
    analyst.until(error.isVisible)
    assert error.text() == "Radius: the radius of a circle must be between 10 and 10000 metres, not 9."
    assert waiting(analyst) == {(fence.id, "size"), (fence.id, "enabled")}
    assert live(analyst, fence) == fence
    analyst.type(form.basics.radius.number, "90")
    assert not error.isVisible()
    analyst.click(form.pending_bar.apply)
    analyst.until(lambda: waiting(analyst) == set())
    assert live(analyst, fence).geometry == Circle(fence.geometry.center, 90.0)  # type: ignore[union-attr]


# Other users


def conflicting(user: User) -> Geofence:
    """Make two pending fields, one of which is changed by a client."""
    fence = user.given()
    user.select(fence)
    user.type(user.window.form.basics.description, "Mine")
    user.click(user.window.form.basics.enabled)
    user.engine.geofences.update(LIVE, fence.id, GeofenceChange(description="Theirs", tag="theirs"))
    user.until(lambda: user.window.form.basics.tag.text() == "theirs")
    user.until(lambda: "conflict" in user.window.form.pending_bar.text.whole)
    return fence


def test_a_change_by_a_client_is_shown_as_a_conflict_and_nothing_is_lost(analyst: User) -> None:
    fence = conflicting(analyst)
    form = analyst.window.form
    assert form.basics.description.text() == "Mine"
    assert "Theirs" in form.field("description").toolTip()
    shown = listed(analyst)
    assert rows(shown) == [("Theirs", [("Description", "Theirs", "Mine"), ("Enabled", "on", "off")])]
    assert shown.list.row_of((fence.id, "description")).text(3) == "Changed since, was Store 1"
    analyst.click(form.pending_bar.apply)
    box = analyst.box()
    assert "was Store 1, is Theirs now, and would become Mine" in box.informativeText()
    QTest.keyClick(box.windowHandle(), Qt.Key.Key_Return)
    analyst.until(lambda: not live(analyst, fence).enabled)
    assert live(analyst, fence).description == "Theirs"
    analyst.until(lambda: waiting(analyst) == {(fence.id, "description")})
    analyst.click(form.pending_bar.apply)
    analyst.answer("Overwrite")
    analyst.until(lambda: live(analyst, fence).description == "Mine")
    analyst.until(lambda: waiting(analyst) == set())


def test_changes_during_the_confirmation_are_not_overwritten(analyst: User) -> None:
    fence = conflicting(analyst)
    analyst.click(analyst.window.form.pending_bar.apply)
    analyst.box()
    analyst.engine.geofences.update(LIVE, fence.id, GeofenceChange(description="Theirs again"))
    analyst.answer("Overwrite")
    analyst.until(lambda: "Nothing was overwritten" in analyst.window.message.text.text())
    assert live(analyst, fence).description == "Theirs again"
    assert (fence.id, "description") in waiting(analyst)


def test_a_client_that_stores_the_same_value_leaves_nothing_to_apply(analyst: User) -> None:
    fence = analyst.given()
    analyst.select(fence)
    analyst.type(analyst.window.form.basics.description, "Agreed")
    analyst.engine.geofences.update(LIVE, fence.id, GeofenceChange(description="Agreed"))
    analyst.until(lambda: waiting(analyst) == set())
    analyst.until(lambda: not analyst.window.form.pending_bar.apply.isEnabled())
    assert analyst.window.form.basics.description.text() == "Agreed"


def test_a_geofence_that_a_client_deletes_is_restored_with_pending_changes(analyst: User) -> None:
    fence = analyst.given()
    analyst.select(fence)
    form = analyst.window.form
    analyst.click(form.basics.enabled)
    analyst.type(form.basics.description, "Half typ", enter=False)
    analyst.engine.geofences.delete(LIVE, fence.id)
    analyst.until(lambda: form.lost is not None)
    analyst.until(lambda: "was deleted in Live" in analyst.window.message.text.text())
    assert form.basics.description.text() == "Half typ"
    analyst.click(analyst.window.message.button)
    assert waiting(analyst) == {(fence.id, "enabled"), (fence.id, "description")}
    shown = analyst.window.pending.dialog
    analyst.until(shown.isVisible)
    assert rows(shown) == [("Store 1", [("Enabled", "", "off"), ("Description", "", "Half typ")])]
    analyst.click(shown.apply_all)
    analyst.answer("Restore")
    analyst.until(lambda: waiting(analyst) == set())
    restored = live(analyst, fence)
    assert (restored.description, restored.enabled, restored.geometry) == ("Half typ", False, fence.geometry)


def test_settings_that_a_client_changed_are_overwritten_only_after_a_yes(analyst: User) -> None:
    dialog = settings(analyst)
    analyst.type(dialog.entry("default_dwell_threshold_s").field.editor, "5")
    analyst.engine.settings.change(LIVE, SettingsChange(default_dwell_threshold_s=600.0))
    analyst.until(lambda: "conflict" in dialog.pending_bar.text.whole)
    analyst.click(dialog.pending_bar.apply)
    assert "was none, is 10 min now, and would become 5 min" in analyst.box().informativeText()
    analyst.answer("Cancel")
    analyst.idle()
    assert analyst.engine.settings.get(LIVE).default_dwell_threshold_s == 600.0
    analyst.click(dialog.pending_bar.apply)
    analyst.answer("Overwrite")
    analyst.until(lambda: analyst.engine.settings.get(LIVE).default_dwell_threshold_s == 300.0)


# Other actions of the same user


def test_deleting_warns_that_pending_changes_are_lost(analyst: User) -> None:
    one, other = three(analyst)
    analyst.press(Qt.Key.Key_Delete, on=analyst.window.list.view)
    assert "Its 2 pending changes will be discarded." in analyst.box().text()
    analyst.answer("Cancel")
    assert len(waiting(analyst)) == 3
    analyst.press(Qt.Key.Key_Delete, on=analyst.window.list.view)
    analyst.answer("Delete")
    analyst.until(lambda: [each.id for each in analyst.stored(LIVE)] == [other.id])
    analyst.idle()
    assert waiting(analyst) == {(other.id, "description")}
    assert one.id not in {owner for owner, _ in waiting(analyst)}


@pytest.mark.whole_window
def test_moving_a_geofence_applies_nothing_that_waits(analyst: User) -> None:
    fence = analyst.given()
    analyst.select(fence)
    analyst.type(analyst.window.form.basics.radius.number, "200")
    analyst.tool(analyst.window.actions_.move)
    analyst.hand.drag((14.4995, 46.0503), (14.5025, 46.0503))
    analyst.answer("Change")
    analyst.until(lambda: live(analyst, fence).geometry != fence.geometry)
    analyst.idle()
    geometry = live(analyst, fence).geometry
    assert isinstance(geometry, Circle)
    assert geometry.radius_m == 120.0
    assert waiting(analyst) == {(fence.id, "size")}
    assert analyst.window.form.basics.radius.number.value() == 200.0


# Closing with pending changes


def test_closing_is_confirmed_while_changes_are_pending(analyst: User) -> None:
    three(analyst)
    window = analyst.window
    window.close()
    assert analyst.box().text() == "Discard 3 pending changes and close?"
    window.close()
    QTest.keyClick(analyst.box().windowHandle(), Qt.Key.Key_Return)
    analyst.until(lambda: QApplication.activeModalWidget() is None)
    assert window.isVisible()
    assert len(waiting(analyst)) == 3
    window.close()
    analyst.answer("Review…")
    analyst.until(window.pending.dialog.isVisible)
    window.pending.dialog.close()
    window.close()
    analyst.answer("Discard and close")
    assert not window.isVisible()


def test_half_typed_text_is_confirmed_too(analyst: User) -> None:
    fence = analyst.given()
    analyst.select(fence)
    analyst.type(analyst.window.form.basics.description, "Half typ", enter=False)
    analyst.window.close()
    assert analyst.box().text() == "Discard 1 pending change and close?"
    analyst.answer("Cancel")
    assert waiting(analyst) == {(fence.id, "description")}


@pytest.mark.whole_window
def test_another_workspace_is_opened_only_after_a_yes(analyst: User, tmp_path: Path) -> None:
    three(analyst)
    before = analyst.session
    analyst.window.workspaces.open(tmp_path / "other")
    analyst.answer("Cancel")
    analyst.idle()
    assert analyst.session is before
    assert len(waiting(analyst)) == 3
    with Engine.open(tmp_path / "busy"):
        analyst.window.workspaces.open(tmp_path / "busy")
        analyst.answer("Discard and open")
        analyst.until(lambda: "open in another process" in analyst.window.message.text.text())
        analyst.idle()
    assert len(waiting(analyst)) == 3, "it was not opened"
    analyst.window.close()
    analyst.answer("Cancel")
    analyst.window.workspaces.open(tmp_path / "other")
    analyst.answer("Discard and open")
    analyst.until(lambda: analyst.session is not before)
    analyst.until(lambda: analyst.session.url is not None)
    assert waiting(analyst) == set()
    assert not analyst.window.form.pending_bar.apply.isEnabled()


@pytest.mark.whole_window
def test_changes_made_while_another_workspace_is_being_opened_are_confirmed(
    analyst: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fence = analyst.given()
    analyst.select(fence)
    analyst.click(analyst.window.form.basics.enabled)
    before, held, made = analyst.session, Event(), analyst.window.workspaces._open_session

    def slowly(folder: Path | str, progress: Progress) -> Session:
        held.wait(120)
        return made(folder, progress)

    monkeypatch.setattr(analyst.window.workspaces, "_open_session", slowly)
    analyst.window.workspaces.open(tmp_path / "other")
    analyst.answer("Discard and open")
    analyst.type(analyst.window.form.basics.description, "Typed meanwhile", enter=False)
    held.set()
    assert analyst.box().text() == "Discard 1 pending change and open?"
    analyst.answer("Cancel")
    analyst.idle()
    assert analyst.session is before
    assert waiting(analyst) == {(fence.id, "enabled"), (fence.id, "description")}
    with Engine.open(tmp_path / "other") as engine:
        assert engine.geofences.all(LIVE) == ()
    analyst.window.workspaces.open(tmp_path / "other")
    analyst.answer("Discard and open")
    analyst.until(lambda: analyst.session is not before)
    analyst.until(lambda: analyst.session.url is not None)
    assert waiting(analyst) == set()


def test_the_status_line_counts_pending_changes(analyst: User) -> None:
    button = analyst.window.status.pending
    assert (button.isVisible(), button.isEnabled(), button.text()) == (True, False, "No pending changes")
    width = button.width()
    three(analyst)
    assert (button.isEnabled(), button.text(), button.width()) == (True, "3 pending changes", width)
    label = analyst.window.form.pending_bar.text
    assert isinstance(label, QLabel)
    assert label.whole == "2 pending changes: Description, Enabled"
