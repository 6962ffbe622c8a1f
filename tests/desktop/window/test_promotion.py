"""Promotion in the window: differences are chosen, viewed, applied as one step, and undone."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.desktop.dialogs.review.promotion import PromotionDialog
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("availability", "promotion", "tools", "undoing")

TEST, LIVE = Environment.TEST, Environment.LIVE


def put(user: User, environment: Environment, number: int, radius_m: float = 120, name: str = "") -> Geofence:
    """Create a geofence in an environment."""
    change = GeofenceChange(
        tag="store",
        external_id=str(number),
        description=name or f"Store {number}",
        type="circle",
        coordinates=(14.5 + number / 1_000, 46.05),
        size=radius_m,
    )
    return user.engine.geofences.create(environment, change)


def fill(user: User) -> None:
    """Create one geofence that is new, one that is changed, one that is missing and one that is the same."""
    for number, radius_m in ((1, 120), (2, 120), (3, 120)):
        put(user, TEST, number, radius_m)
    for number, radius_m in ((2, 80), (3, 120), (4, 120)):
        put(user, LIVE, number, radius_m)
    user.until(lambda: len(user.window.model.fences) == 3)


def compare(user: User) -> PromotionDialog:
    """Open the dialog with its shortcut."""
    user.press(Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    user.until(lambda: user.window.promotion.dialog is not None and user.window.promotion.dialog.isVisible())
    assert user.window.promotion.dialog is not None
    return user.window.promotion.dialog


def rows(dialog: PromotionDialog) -> list[tuple[str, str, bool]]:
    """Return the state, the external ID and the check mark of each row."""
    model = dialog.model
    cells = [[str(model.index(row, column).data()) for column in (0, 2)] for row in range(model.rowCount())]
    marks = [
        Qt.CheckState(model.index(row, 0).data(Qt.ItemDataRole.CheckStateRole)) is Qt.CheckState.Checked
        for row in range(model.rowCount())
    ]
    return [(state, external_id, mark) for (state, external_id), mark in zip(cells, marks, strict=True)]


def click_row(user: User, dialog: PromotionDialog, row: int, *, mark: bool = False) -> None:
    """Click a row, or its check mark."""
    rect = dialog.view.visualRect(dialog.model.index(row, 0))
    user.click_in(dialog.view, QPoint(rect.left() + 14, rect.center().y()) if mark else rect.center())


def come_back(user: User) -> None:
    """Continue in the window after the dialog has closed. Without a window manager, it does not become active by
    itself."""
    user.until(lambda: user.window.promotion.dialog is None)
    user.idle()
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)


def live(user: User) -> dict[str, float]:
    """Return the radii in Live."""
    return {fence.external_id: fence.geometry.radius_m for fence in user.stored(LIVE)}  # type: ignore[union-attr]


@pytest.mark.slow
def test_chosen_geofences_are_promoted_after_confirmation_and_come_back(user: User) -> None:
    fill(user)
    dialog = compare(user)
    assert rows(dialog) == [("New", "1", True), ("Changed", "2", True), ("Missing", "4", False)]
    click_row(user, dialog, 1)
    fields = dialog.fields
    assert [fields.index(0, column).data() for column in range(3)] == ["Radius", "80 m", "120 m"]
    assert not dialog.warning.isVisible()
    user.click(dialog.promote)
    assert user.box().text() == "Create 1 geofence and change 1 geofence in Live?"
    user.answer("Cancel")
    assert live(user) == {"2": 80, "3": 120, "4": 120}
    user.click(dialog.promote)
    user.answer("Promote")
    user.until(lambda: live(user) == {"1": 120, "2": 120, "3": 120, "4": 120})
    user.until(lambda: user.window.promotion.dialog is None)
    user.until(lambda: "Promoted 2 geofences to Live." in user.window.message.text.text())
    user.click(user.window.message.button)
    user.answer("Undo")
    user.until(lambda: live(user) == {"2": 80, "3": 120, "4": 120})


def test_one_step_in_the_history_of_the_target(user: User) -> None:
    fill(user)
    dialog = compare(user)
    user.click(dialog.promote)
    user.answer("Promote")
    user.until(lambda: "1" in live(user))
    come_back(user)
    assert not user.window.actions_.undo.isEnabled()
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: len(user.window.model.fences) == 4)
    assert "Promote 2 geofences from Test to Live" in user.window.actions_.undo.toolTip()
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    user.answer("Undo")
    user.until(lambda: live(user) == {"2": 80, "3": 120, "4": 120})


def test_nothing_is_deleted_unless_it_is_marked(user: User) -> None:
    fill(user)
    dialog = compare(user)
    click_row(user, dialog, 0, mark=True)
    click_row(user, dialog, 2)
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    assert rows(dialog) == [("New", "1", False), ("Changed", "2", True), ("Missing", "4", True)]
    assert dialog.warning.text() == "1 geofence will be deleted from Live."
    assert dialog.promote.text() == "Promote 2"
    user.click(dialog.promote)
    assert "delete 1 geofence" in user.box().text()
    user.answer("Promote")
    user.until(lambda: live(user) == {"2": 120, "3": 120})


def test_live_that_has_changed_meanwhile_is_not_overwritten(user: User) -> None:
    fill(user)
    dialog = compare(user)
    changed = next(fence for fence in user.stored(LIVE) if fence.external_id == "2")
    user.engine.geofences.update(LIVE, changed.id, GeofenceChange(size=99))
    user.until(dialog.hint.isVisible)
    assert dialog.hint.text() == "Geofences have changed since they were compared."
    user.click(dialog.promote)
    user.answer("Promote")
    user.until(dialog.error.isVisible)
    assert dialog.error.text().startswith("Radius: has changed in Live for store/2 since")
    assert live(user) == {"2": 99, "3": 120, "4": 120}
    user.click(dialog.again)
    user.until(lambda: user.window.promotion.dialog not in (None, dialog))
    again = user.window.promotion.dialog
    assert again is not None
    click_row(user, again, 1)
    assert again.fields.index(0, 1).data() == "99 m"
    again.reject()


def test_a_change_set_is_saved(user: User, tmp_path: Path) -> None:
    fill(user)
    dialog = compare(user)
    dialog.kinds.setCurrentIndex(1)
    assert [row[1] for row in rows(dialog)] == ["1"]
    user.click(dialog.uncheck_all)
    dialog.kinds.setCurrentIndex(0)
    assert dialog.promote.text() == "Promote 1"
    user.window.promotion.save(tmp_path / "changes.json")
    user.until(lambda: "Saved 1 change to changes.json." in user.window.message.text.text())
    (change,) = orjson.loads((tmp_path / "changes.json").read_bytes())["changes"]
    assert (change["action"], change["externalId"], change["seen"]["radius"]) == ("update", "2", 80)
    user.window.promotion.save(tmp_path / "none" / "changes.json")
    user.until(dialog.error.isVisible)
    dialog.reject()


def test_test_takes_live_over_without_a_question(user: User) -> None:
    fill(user)
    user.window.actions_.promote_back.trigger()
    user.until(lambda: user.window.promotion.dialog is not None)
    dialog = user.window.promotion.dialog
    assert dialog is not None
    assert rows(dialog) == [("Missing", "1", False), ("Changed", "2", True), ("New", "4", True)]
    user.click(dialog.promote)
    user.until(lambda: {fence.external_id for fence in user.stored(TEST)} == {"1", "2", "3", "4"})
    user.until(lambda: len(user.window.model.fences) == 4)
    come_back(user)
    user.until(user.window.actions_.undo.isEnabled)
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    user.until(lambda: {fence.external_id for fence in user.stored(TEST)} == {"1", "2", "3"})


def test_environments_that_are_the_same_have_nothing_to_promote(user: User) -> None:
    dialog = compare(user)
    assert rows(dialog) == []
    assert not dialog.promote.isEnabled()
    assert dialog.promote.text() == "Nothing to promote"
    dialog.reject()
