"""Checks in the window: run, shown on the map, fixed and undone, dismissed, out of date."""

from __future__ import annotations

from time import sleep

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.ports import Progress
from engine.domain.settings import SettingsChange
from engine.geofences.checks.findings import Check, CheckOptions, Finding
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts(
    "availability", "checks", "checks_panel", "commands", "fences", "finding_book", "selection", "tools", "undoing"
)

TEST, LIVE = Environment.TEST, Environment.LIVE
SPIKE = (
    *((14.51, 46.05), (14.52, 46.05), (14.52, 46.055), (14.515002, 46.055), (14.515001, 46.058), (14.515, 46.055)),
    *((14.51, 46.055), (14.51, 46.05)),
)


def spiky(user: User, environment: Environment = TEST) -> Geofence:
    """Create a polygon with a spike."""
    change = GeofenceChange(tag="zone", external_id="s", description="Spiky", type="polygon", coordinates=SPIKE)
    return user.engine.geofences.create(environment, change)


def check(user: User) -> None:
    """Run the checks with the shortcut, or again with the button."""
    panel = user.window.checks_panel
    if panel.isVisible():
        user.click(panel.run if panel.run.isVisible() else panel.first_run)
    else:
        user.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    user.idle()
    user.until(lambda: user.window.finding_book.report is not None and not user.window.finding_book.stale)


def summary(user: User) -> str:
    """Return the panel's overall text: in its head, and below the list while there is no selection."""
    user.window.checks_panel.list.clearSelection()
    head = user.window.docks.title(user.window.docks.checks).note.whole
    return f"{head} | {user.window.checks_panel.details.text()}"


def found(user: User) -> list[tuple[Check, tuple[str, ...]]]:
    """Return the findings in the panel."""
    return [(each.check, each.geofence_ids) for each in user.window.finding_book.findings()]


def titles(user: User) -> list[str]:
    """Return the rows of the checks that found something."""
    tree = user.window.checks_panel.list
    return [item.text(0) for item in map(tree.topLevelItem, range(tree.topLevelItemCount())) if item is not None]


def row(user: User, check: Check) -> QTreeWidgetItem:
    """Return the row of the first finding of a check."""
    tree = user.window.checks_panel.list
    for number in range(tree.topLevelItemCount()):
        group = tree.topLevelItem(number)
        assert group is not None
        child = group.child(0)
        finding = None if child is None else tree.finding_at(child)
        if isinstance(finding, Finding) and finding.check is check:
            assert child is not None
            return child
    raise AssertionError(f"nothing is shown of {check}")


def choose(user: User, check: Check) -> None:
    """Click the row of the first finding of a check."""
    tree = user.window.checks_panel.list

    def in_sight() -> bool:
        tree.scrollToItem(row(user, check))
        return tree.viewport().rect().contains(tree.visualItemRect(row(user, check)).center())

    user.until(in_sight)
    user.click_in(tree, tree.visualItemRect(row(user, check)).center())


def test_findings_are_listed_and_shown_on_the_map(user: User) -> None:
    one, two = user.given(1, radius_m=120), user.given(2, longitude=14.5005, radius_m=12)
    check(user)
    panel = user.window.checks_panel
    assert panel.isVisible()
    assert (Check.OVERLAP, (two.id, one.id)) in found(user)
    user.until(lambda: titles(user)[:1] == ["Too small for the accuracy (1)"])
    assert summary(user).startswith("2 warnings")
    user.until(lambda: "| 2 geofences checked." in summary(user))
    choose(user, Check.OVERLAP)
    assert set(user.window.model.selection.fence_ids) == {one.id, two.id}
    user.until(lambda: user.window.map.zoom() > 15)
    choose(user, Check.TOO_SMALL)
    assert user.window.model.selection.fence_ids == (two.id,)
    user.type(panel.accuracy, "10")
    check(user)
    assert Check.TOO_SMALL not in {each for each, _ in found(user)}


def test_a_safe_fix_is_one_step_that_can_be_taken_back(user: User) -> None:
    fence = spiky(user)
    user.engine.settings.change(TEST, SettingsChange(buffer_entries=True))
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    check(user)
    panel = user.window.checks_panel
    choose(user, Check.SELF_TOUCHING)
    user.until(panel.fix.isEnabled)
    user.click(panel.fix)
    user.until(lambda: len(user.only().geometry.ring) < len(SPIKE))  # type: ignore[union-attr]
    user.until(lambda: Check.SELF_TOUCHING not in {each for each, _ in found(user)})
    user.until(lambda: "Fixed 1 finding." in user.window.message.text.text())
    user.until(panel.fix_all.isEnabled)
    user.click(panel.fix_all)
    user.until(lambda: user.engine.settings.get(TEST).buffer_exits)
    user.idle()
    for _ in range(2):
        user.until(user.window.actions_.undo.isEnabled)
        user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        user.idle()
    user.until(lambda: user.only().geometry.ring == SPIKE)  # type: ignore[union-attr]
    assert not user.engine.settings.get(TEST).buffer_exits


def test_a_fix_in_live_is_confirmed(user: User) -> None:
    fence = spiky(user, LIVE)
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    check(user)
    choose(user, Check.SELF_TOUCHING)
    for answer in ("Cancel", "Fix"):
        user.until(user.window.checks_panel.fix.isEnabled)
        user.click(user.window.checks_panel.fix)
        assert "Remove the spike in Live?" in user.box().text()
        user.answer(answer)
        user.idle()
    user.until(lambda: len(user.stored(LIVE)[0].geometry.ring) < len(SPIKE))  # type: ignore[union-attr]


def test_a_check_of_changed_geofences_is_out_of_date_and_not_fixed(user: User) -> None:
    fence = spiky(user)
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    check(user)
    panel, book = user.window.checks_panel, user.window.finding_book
    choose(user, Check.SELF_TOUCHING)
    user.until(panel.fix.isEnabled)
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(description="Edited elsewhere"))
    user.until(lambda: book.stale)
    user.until(lambda: row(user, Check.SELF_TOUCHING).toolTip(1) == "Changed since the check")
    assert not panel.fix.isEnabled()
    user.until(lambda: "may have changed since" in summary(user))
    check(user)
    user.until(lambda: "Edited elsewhere" in row(user, Check.SELF_TOUCHING).text(0))


def test_findings_are_dismissed_in_the_workspace_and_restored(user: User) -> None:
    user.given(1, radius_m=12)
    check(user)
    panel = user.window.checks_panel
    choose(user, Check.TOO_SMALL)
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    user.until(lambda: Check.TOO_SMALL not in {each for each, _ in found(user)})
    assert user.stored()
    check(user)
    assert Check.TOO_SMALL not in {each for each, _ in found(user)}
    user.until(lambda: "1 finding dismissed" in summary(user))
    stored = user.engine.checks.run(TEST).dismissed
    assert [each.check for each in stored] == [Check.TOO_SMALL]
    user.until(panel.dismissed.isVisible)
    assert not panel.restore.isVisible()
    user.click(panel.dismissed)
    assert Check.TOO_SMALL in {each for each, _ in found(user)}
    user.until(panel.restore.isVisible)
    choose(user, Check.TOO_SMALL)
    assert (panel.dismiss.isEnabled(), panel.restore.isEnabled()) == (False, True)
    assert panel.details.text().startswith("Dismissed: ")
    assert row(user, Check.TOO_SMALL).font(0).strikeOut()
    user.click(panel.restore)
    user.until(lambda: not user.engine.checks.run(TEST).dismissed)
    user.until(lambda: not panel.dismissed.isVisible())
    choose(user, Check.TOO_SMALL)
    assert (panel.dismiss.isEnabled(), panel.details.text().startswith("Dismissed")) == (True, False)
    panel.severity.setCurrentIndex(2)
    assert found(user) == []


def test_a_check_can_be_cancelled(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    user.given(1, radius_m=12)

    def endless(_: Environment, __: CheckOptions, progress: Progress) -> None:
        while True:
            progress(1, 2)
            sleep(0.01)

    with monkeypatch.context() as patched:
        patched.setattr(user.engine.checks, "run", endless)
        user.window.actions_.checks.trigger()
        task = user.window.status.task
        user.until(task.isVisible)
        assert task.text.text() == "Checking geofences"
        user.click(task.cancel)
        user.until(user.window.checks_panel.first_run.isEnabled)
    assert user.window.finding_book.report is None
    user.click(user.window.checks_panel.first_run)
    user.until(lambda: user.window.finding_book.report is not None)


def test_an_empty_environment_has_nothing_to_find(user: User) -> None:
    check(user)
    assert found(user) == []
    user.until(lambda: "nothing found | 0 geofences checked." in summary(user))
