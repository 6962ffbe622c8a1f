"""Several geofences are edited, enabled and tagged as one step, by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from app.desktop.dialogs.bulk_edit.dialog import BulkEditDialog
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from tests.desktop.window.test_selection import given_many
from tests.desktop.window.test_several import click_row
from tests.desktop.window.user import LEFT, NO_KEYS, User

pytestmark = pytest.mark.parts("availability", "list", "many", "selection", "undoing")

TEST, LIVE = Environment.TEST, Environment.LIVE
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def opened(user: User, fences: list[Geofence]) -> BulkEditDialog:
    """Select geofences in the list, from the first to the last, and open the bulk edit by its key."""
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)
    click_row(user, fences[0])
    click_row(user, fences[-1], SHIFT)
    user.press(Qt.Key.Key_E, CTRL)
    dialog = user.window.many.several.dialog
    assert dialog is not None
    user.until(dialog.isVisible)
    return dialog


def line(dialog: BulkEditDialog, name: str) -> QLineEdit:
    editor = dialog.fields[name].field.editor
    found = editor if isinstance(editor, QLineEdit) else editor.findChild(QLineEdit)
    assert isinstance(found, QLineEdit)
    return found


def apply(user: User, dialog: BulkEditDialog) -> None:
    QTest.mouseClick(dialog.apply, LEFT, NO_KEYS)


def closed(user: User) -> bool:
    return user.window.many.several.dialog is None


def test_touched_fields_are_applied_to_all_as_one_step(user: User) -> None:
    fences = given_many(user, 4)
    user.engine.geofences.update(TEST, fences[1].id, GeofenceChange(tag="depot", metadata={"floor": 1, "old": True}))
    user.until(lambda: len(user.window.list.model.tree.groups) == 2)
    before = user.stored()
    user.press(Qt.Key.Key_A, CTRL, on=user.window.list.view)
    user.press(Qt.Key.Key_E, CTRL)
    dialog = user.window.many.several.dialog
    assert dialog is not None
    user.until(dialog.isActiveWindow)
    assert dialog.windowTitle() == "Edit 4 geofences"
    assert line(dialog, "tag").placeholderText() == "mixed"
    assert not dialog.apply.isEnabled()
    user.type(line(dialog, "tag"), "shop", enter=False)
    user.type(line(dialog, "dwell_threshold_s"), "5", enter=False)
    enabled = dialog.fields["enabled"].field.editor
    assert isinstance(enabled, QComboBox)
    enabled.setFocus()
    QTest.keyClick(enabled, Qt.Key.Key_Down)
    user.click(dialog.metadata.add)
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, "floor")
    QTest.keyClick(focus, Qt.Key.Key_Return)
    user.until(lambda: not dialog.metadata.table.editing)
    user.type(dialog.removed, "old", enter=False)
    apply(user, dialog)
    user.until(lambda: closed(user))
    user.idle()
    after = user.stored()
    assert {fence.tag for fence in after} == {"shop"}
    assert {fence.enabled for fence in after} == {False}
    assert {fence.rules.dwell_threshold_s for fence in after} == {300.0}
    assert [dict(fence.metadata) for fence in after] == [{"floor": ""}] * 4
    assert [(f.description, f.geometry) for f in after] == [(f.description, f.geometry) for f in before]
    assert user.window.message.text.text() == "Edited 4 geofences."
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)
    user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
    user.until(lambda: [(f.summary, f.rules) for f in user.stored()] == [(f.summary, f.rules) for f in before])
    user.idle()


def test_a_refusal_names_geofence_and_field_and_nothing_is_stored(user: User) -> None:
    fences = given_many(user, 3)
    dialog = opened(user, fences)
    user.type(line(dialog, "size"), "5", enter=False)
    user.type(line(dialog, "tag"), "shop", enter=False)
    apply(user, dialog)
    user.until(dialog.problem.isVisible)
    assert (
        dialog.problem.text() == "Store 000: Radius: the radius of a circle must be between 10 and 10000 metres, not 5."
    )
    assert dialog.fields["size"].field.error.text() == dialog.problem.text()
    user.idle()
    assert user.stored() == fences
    user.click(dialog.fields["size"].check)
    assert not dialog.fields["size"].is_touched
    assert line(dialog, "size").text() == "60 m"
    apply(user, dialog)
    user.until(lambda: closed(user))
    assert {(fence.tag, fence.geometry) for fence in user.stored()} == {("shop", fence.geometry) for fence in fences}


def test_nothing_is_applied_twice_whatever_is_typed_meanwhile(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    fences = given_many(user, 2)
    dialog = opened(user, fences)
    user.type(line(dialog, "tag"), "shop", enter=False)
    go_on = user.hold(monkeypatch, "edit_all")
    apply(user, dialog)
    user.type(line(dialog, "size"), "80", enter=False)
    assert dialog.fields["size"].is_touched
    assert not dialog.apply.isEnabled()
    go_on.set()
    user.until(lambda: closed(user))
    assert {(fence.tag, fence.geometry) for fence in user.stored()} == {("shop", fence.geometry) for fence in fences}
    user.idle()


def test_changes_by_others_are_not_overwritten_unseen(user: User) -> None:
    fences = given_many(user, 3)
    dialog = opened(user, fences)
    user.type(line(dialog, "tag"), "shop", enter=False)
    user.engine.geofences.update(TEST, fences[1].id, GeofenceChange(tag="depot"))
    user.until(lambda: user.window.model.fences.get(fences[1].id).tag == "depot")  # type: ignore[union-attr]
    apply(user, dialog)
    user.until(dialog.problem.isVisible)
    assert "changed by someone else" in dialog.problem.text()
    assert dialog.problem.text().startswith("Store 001: ")
    user.idle()
    assert sorted(fence.tag for fence in user.stored()) == ["depot", "store", "store"]
    user.engine.geofences.delete(TEST, fences[2].id)
    user.until(lambda: len(user.window.model.fences) == 2)
    apply(user, dialog)
    user.until(lambda: "deleted" in dialog.problem.text())
    user.until(lambda: dialog.windowTitle() == "Edit 2 geofences")
    apply(user, dialog)
    user.until(lambda: closed(user))
    assert [fence.tag for fence in user.stored()] == ["shop", "shop"]


def test_changes_in_live_are_confirmed_and_another_environment_closes_the_edit(user: User) -> None:
    user.window.toolbar.environments.live.click()
    user.idle()
    fences = [user.given(n, longitude=14.5 + n * 0.002, radius_m=60) for n in range(3)]
    dialog = opened(user, fences)
    user.type(line(dialog, "user_ids"), "ann, bob", enter=False)
    apply(user, dialog)
    assert user.box().text() == "Edit 3 geofences in Live?"
    user.answer("Cancel")
    user.until(dialog.apply.isEnabled)
    apply(user, dialog)
    user.answer("Edit")
    user.until(lambda: closed(user))
    assert {fence.rules.user_ids for fence in user.stored(LIVE)} == {("ann", "bob")}
    dialog = opened(user, fences)
    user.window.model.show(TEST)
    user.until(lambda: closed(user))


def test_enable_and_disable_and_set_tag(user: User) -> None:
    fences = given_many(user, 3)
    click_row(user, fences[0])
    click_row(user, fences[1], CTRL)
    user.window.actions_.disable.trigger()
    user.until(lambda: [fence.enabled for fence in user.stored()] == [False, False, True])
    user.until(lambda: user.window.message.text.text() == "Disabled 2 geofences.")
    user.press(Qt.Key.Key_A, CTRL, on=user.window.list.view)
    user.window.actions_.enable.trigger()
    user.until(lambda: all(fence.enabled for fence in user.stored()))
    user.idle()
    assert user.window.message.text.text() == "Enabled 2 geofences.", "the third was enabled already"
    user.window.actions_.set_tag.trigger()
    dialog = user.window.many.several.dialog
    assert dialog is not None
    user.until(lambda: line(dialog, "tag").hasFocus())
    QTest.keyClicks(line(dialog, "tag"), "x" * 40)
    apply(user, dialog)
    user.until(lambda: closed(user))
    assert {fence.tag for fence in user.stored()} == {"x" * 40}


def test_the_hours_of_all_are_set(user: User) -> None:
    fences = given_many(user, 2)
    dialog = opened(user, fences)
    kind = dialog.fields["operating_hours"].field.editor.findChild(QComboBox)
    assert isinstance(kind, QComboBox)
    kind.setFocus()
    QTest.keyClick(kind, Qt.Key.Key_Down)
    assert dialog.fields["operating_hours"].is_touched
    apply(user, dialog)
    user.until(lambda: closed(user))
    hours = {str(fence.rules.operating_hours) for fence in user.stored()}
    assert hours == {"Mon–Fri 09:00–17:00"}
    dialog = opened(user, user.stored())
    user.press(Qt.Key.Key_Escape, on=dialog)
    user.until(lambda: closed(user))
