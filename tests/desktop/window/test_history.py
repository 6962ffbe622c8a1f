"""The history of geofences in the window: shown, compared on the map, and restored, including deleted geofences."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView

from app.desktop.dialogs.review.conflicts import ConflictsDialog
from app.desktop.dialogs.review.history import HistoryDialog
from engine.domain.edits import EditSource, editing_as
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("availability", "history", "list", "selection", "undoing")

TEST, LIVE = Environment.TEST, Environment.LIVE
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def changed(user: User, fence: Geofence, change: GeofenceChange, environment: Environment = TEST) -> Geofence:
    after = changed_unheard(user, fence, change, environment)
    user.until(lambda: user.window.model.fences.get(fence.id) == after)
    return after


def changed_unheard(user: User, fence: Geofence, change: GeofenceChange, environment: Environment = TEST) -> Geofence:
    """Change a geofence. The window receives the change when it next processes its events."""
    with editing_as(EditSource.API, "secret key, curl/8.5"):
        return user.engine.geofences.update(environment, fence.id, change)


def opened(user: User) -> HistoryDialog:
    user.press(Qt.Key.Key_H, CTRL | SHIFT, on=user.window.list.view)
    return dialog_of(user)


def dialog_of(user: User) -> HistoryDialog:
    user.until(lambda: user.window.history.dialog is not None and user.window.history.dialog.isVisible())
    assert user.window.history.dialog is not None
    return user.window.history.dialog


def cells(view: QTableView, column: int) -> list[str]:
    model = view.model()
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def fields(dialog: HistoryDialog) -> list[tuple[str, str, str]]:
    rows = zip(*(cells(dialog.field_view, column) for column in range(3)), strict=True)
    return [(field, now, then) for field, now, then in rows]


def choose(user: User, view: QTableView, row: int) -> None:
    user.click_in(view, view.visualRect(view.model().index(row, 0)).center())


def radius(user: User, fence: Geofence, environment: Environment = TEST) -> float:
    geometry = user.engine.geofences.get(environment, fence.id).geometry
    assert isinstance(geometry, Circle)
    return geometry.radius_m


def closed(user: User, dialog: HistoryDialog) -> None:
    user.click(dialog.close_button)
    user.until(lambda: user.window.history.dialog is None)
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)


def test_a_version_is_seen_compared_and_restored_as_one_step(user: User) -> None:
    fence = user.given()
    user.select(fence)
    changed(user, fence, GeofenceChange(size=150.0, description="Corner store"))
    dialog = opened(user)
    user.until(lambda: dialog.edits.rowCount() == 2)
    assert cells(dialog.view, 1) == ["API: secret key, curl/8.5", "Fencewright"]
    assert cells(dialog.view, 2) == ["Description: Store 1 → Corner store; Radius: 120 m → 150 m", "Created"]
    assert dialog.restore.text() == "This is the present version"
    assert not dialog.restore.isEnabled()
    choose(user, dialog.view, 1)
    assert fields(dialog) == [("Description", "Corner store", "Store 1"), ("Radius", "150 m", "120 m")]
    user.click(dialog.restore)
    user.until(lambda: radius(user, fence) == 120.0)
    user.until(lambda: dialog.edits.rowCount() == 3)
    assert cells(dialog.view, 1)[0] == "This window: Restore Store 1"
    closed(user, dialog)
    user.idle()
    user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
    user.until(lambda: radius(user, fence) == 150.0)
    user.idle()


def test_it_follows_the_selection_and_changes_by_others(user: User) -> None:
    one, two = user.given(1), user.given(2)
    user.select(one)
    dialog = opened(user)
    user.until(lambda: dialog.title.text() == "Store 1" and dialog.edits.rowCount() == 1)
    changed(user, one, GeofenceChange(size=150.0))
    user.until(lambda: dialog.edits.rowCount() == 2)
    choose(user, dialog.view, 1)
    changed(user, one, GeofenceChange(size=160.0))
    user.until(lambda: dialog.edits.rowCount() == 3)
    assert dialog.view.currentIndex().row() == 2
    assert fields(dialog) == [("Radius", "160 m", "120 m")]
    user.window.model.selection.select_fence(two.id)
    user.until(lambda: dialog.title.text() == "Store 2" and dialog.edits.rowCount() == 1)
    closed(user, dialog)


def test_several_deleted_geofences_are_restored_as_one_step(user: User) -> None:
    fences = [user.given(number) for number in range(1, 6)]
    user.engine.geofences.put_all(TEST, (), [fence.id for fence in fences])
    user.window.actions_.deleted.trigger()
    dialog = dialog_of(user)
    user.until(lambda: dialog.deleted.rowCount() == 5)
    # Another geofence has the tag and ID of Store 3 by now.
    user.given(3)
    dialog.deleted_view.selectAll()
    assert dialog.restore.text() == "Restore 5 geofences"
    user.click(dialog.restore)
    user.until(lambda: isinstance(QApplication.activeModalWidget(), ConflictsDialog))
    conflicts = QApplication.activeModalWidget()
    assert isinstance(conflicts, ConflictsDialog)
    assert cells(conflicts.view, 0) == ["Store 3"]
    assert "another geofence has the tag 'store'" in cells(conflicts.view, 3)[0]
    conflicts.reject()
    there = {fence.id for fence in user.stored()}
    assert [fence.id in there for fence in fences] == [True, True, False, True, True]
    user.until(lambda: dialog.deleted.rowCount() == 1)
    closed(user, dialog)
    assert user.window.message.text.text() == "Restored 4 geofences."
    user.until(user.window.actions_.undo.isEnabled)
    user.window.actions_.undo.trigger()
    user.until(lambda: len(user.stored()) == 1)
    user.until(user.window.actions_.redo.isEnabled)
    user.window.actions_.redo.trigger()
    user.until(lambda: len(user.stored()) == 5)


def test_a_deletion_that_the_window_has_not_yet_received_can_be_restored(user: User) -> None:
    fence = user.given(1)
    history = user.window.history
    history.open(1)
    dialog = dialog_of(user)
    user.engine.geofences.put_all(TEST, (), [fence.id])
    dialog.show_deleted(user.engine.geofence_history.deleted(TEST))
    assert user.window.model.fences.get(fence.id) is not None
    assert dialog.restore.text() == "Restore"
    assert dialog.restore.isEnabled()
    user.until(lambda: user.window.model.fences.get(fence.id) is None)
    closed(user, dialog)


def test_the_selection_of_deleted_geofences_stays_when_others_are_deleted(user: User) -> None:
    fences = [user.given(number) for number in range(1, 5)]
    user.engine.geofences.put_all(TEST, (), [fence.id for fence in fences[:3]])
    user.window.actions_.deleted.trigger()
    dialog = dialog_of(user)
    user.until(lambda: dialog.deleted.rowCount() == 3)
    choose(user, dialog.deleted_view, 0)
    QTest.keyClick(dialog.deleted_view, Qt.Key.Key_Down, SHIFT)
    before = [edit.geofence_id for edit in dialog.selected]
    assert len(before) == 2
    user.engine.geofences.delete(TEST, fences[3].id)
    user.until(lambda: dialog.deleted.rowCount() == 4)
    assert [edit.geofence_id for edit in dialog.selected] == before
    assert dialog.restore.text() == "Restore 2 geofences"
    closed(user, dialog)


def test_deleted_geofences_are_found_and_restored(user: User) -> None:
    fences = [user.given(number) for number in (1, 2, 3)]
    for fence in fences[:2]:
        user.engine.geofences.delete(TEST, fence.id)
    user.until(lambda: len(user.window.model.fences) == 1)
    user.window.actions_.deleted.trigger()
    dialog = dialog_of(user)
    user.until(lambda: dialog.deleted.rowCount() == 2)
    assert cells(dialog.deleted_view, 2) == ["Store 2", "Store 1"]
    QTest.keyClicks(dialog.filter, "store 1")
    user.until(lambda: cells(dialog.deleted_view, 2) == ["Store 1"])
    user.until(dialog.restore.isEnabled)
    user.click(dialog.restore)
    user.until(lambda: len(user.stored()) == 2)
    user.until(lambda: user.window.model.selection.fence_id == fences[0].id)
    user.until(lambda: dialog.deleted.rowCount() == 0)
    closed(user, dialog)
    user.idle()


def test_a_restore_over_changes_by_others_is_refused(user: User) -> None:
    fence = user.given()
    changed(user, fence, GeofenceChange(size=150.0))
    user.select(fence)
    dialog = opened(user)
    user.until(lambda: dialog.edits.rowCount() == 2)
    choose(user, dialog.view, 1)
    assert fields(dialog) == [("Radius", "150 m", "120 m")]
    changed_unheard(user, fence, GeofenceChange(size=200.0))
    user.click(dialog.restore)
    user.until(dialog.error.isVisible)
    assert "changed" in dialog.error.text()
    assert radius(user, fence) == 200.0
    user.until(lambda: dialog.edits.rowCount() == 3 and fields(dialog) == [("Radius", "200 m", "120 m")])
    changed(user, fence, GeofenceChange(size=210.0))
    user.until(lambda: dialog.edits.rowCount() == 4 and fields(dialog) == [("Radius", "210 m", "120 m")])
    assert dialog.error.isVisible()
    user.until(dialog.restore.isEnabled)
    user.click(dialog.restore)
    user.until(lambda: radius(user, fence) == 120.0)
    user.until(lambda: not dialog.error.isVisible())
    closed(user, dialog)
    user.idle()


def test_nothing_is_restored_twice_whatever_others_change_meanwhile(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    fence = user.given()
    changed(user, fence, GeofenceChange(size=150.0))
    user.select(fence)
    dialog = opened(user)
    user.until(lambda: dialog.edits.rowCount() == 2)
    choose(user, dialog.view, 1)
    go_on = user.hold(monkeypatch, "put_all")
    user.click(dialog.restore)
    assert not dialog.restore.isEnabled()
    changed(user, fence, GeofenceChange(size=200.0))
    user.until(lambda: dialog.edits.rowCount() == 3 and fields(dialog) == [("Radius", "200 m", "120 m")])
    assert not dialog.restore.isEnabled()
    go_on.set()
    user.until(dialog.error.isVisible)
    user.until(dialog.restore.isEnabled)
    user.click(dialog.restore)
    user.until(lambda: radius(user, fence) == 120.0)
    closed(user, dialog)
    user.idle()


def test_a_version_whose_key_is_taken_is_refused(user: User) -> None:
    one = user.given(1)
    changed(user, one, GeofenceChange(external_id="9"))
    user.given(1)
    user.window.model.selection.select_fence(one.id)
    dialog = opened(user)
    user.until(lambda: dialog.edits.rowCount() == 2)
    choose(user, dialog.view, 1)
    user.click(dialog.restore)
    user.until(dialog.error.isVisible)
    assert "another geofence has the tag 'store' and the external ID '1'" in dialog.error.text()
    assert dialog.restore.isEnabled()
    assert user.engine.geofences.get(TEST, one.id).external_id == "9"
    closed(user, dialog)


def test_restoring_in_live_is_confirmed(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    fence = user.given()
    changed(user, fence, GeofenceChange(size=150.0), LIVE)
    user.select(fence)
    dialog = opened(user)
    user.until(lambda: dialog.edits.rowCount() == 2)
    choose(user, dialog.view, 1)
    user.click(dialog.restore)
    assert radius(user, fence, LIVE) == 150.0
    user.answer("Restore")
    user.until(lambda: radius(user, fence, LIVE) == 120.0)
    closed(user, dialog)
    user.idle()


def test_long_histories_come_a_page_at_a_time(user: User) -> None:
    fence = user.given()
    for number in range(150):
        user.engine.geofences.update(TEST, fence.id, GeofenceChange(size=200.0 + number))
    user.select(fence)
    dialog = opened(user)
    user.until(lambda: dialog.edits.rowCount() == 100)
    user.click(dialog.older)
    user.until(lambda: dialog.edits.rowCount() == 151)
    assert not dialog.older.isVisible()
    assert cells(dialog.view, 2)[-1] == "Created"
    closed(user, dialog)


@pytest.mark.whole_window
def test_the_version_is_drawn_beside_the_present_shape_and_goes_with_the_dialog(user: User) -> None:
    fence = user.given()
    changed(user, fence, GeofenceChange(size=400.0, coordinates=(14.51, 46.05)))
    user.select(fence)
    dialog = opened(user)
    user.until(lambda: dialog.edits.rowCount() == 2)
    user.window.map.fit_fences([fence.id])
    choose(user, dialog.view, 1)
    user.hand.settle()
    inside = (14.5005, 46.05)
    with_version = user.hand.color_at(inside)
    choose(user, dialog.view, 0)
    user.until(lambda: user.hand.color_at(inside) != with_version)
    choose(user, dialog.view, 1)
    user.until(lambda: user.hand.color_at(inside) == with_version)
    closed(user, dialog)
    user.until(lambda: user.hand.color_at(inside) != with_version)
