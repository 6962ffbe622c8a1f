"""A change of very many geofences: it shows its progress, can be cancelled as a whole, and blocks nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desktop import operations
from app.desktop.map import MapFence
from app.desktop.model.tree import FenceTree
from app.desktop.panels.geofence import rows
from app.desktop.window.controllers import on_map
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Point
from engine.domain.ports import Progress, no_progress
from engine.domain.values import replace
from engine.geofences.geofences import Geofences
from tests.desktop.window.test_bulk_edit import line
from tests.desktop.window.test_fence_menus import pick, right_click
from tests.desktop.window.test_selection import given_many
from tests.desktop.window.user import LEFT, NO_KEYS, User

pytestmark = [pytest.mark.slow, pytest.mark.parts("list", "many", "on_map", "selection", "status", "undoing")]

TEST = Environment.TEST
CTRL = Qt.KeyboardModifier.ControlModifier
MANY, PORTION = 2_500, 100


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An event that must be set before a change of several geofences continues to store them."""
    go_on = threading.Event()
    put_all = Geofences.put_all

    def slowly(
        self: Geofences,
        environment: Environment,
        saved: Sequence[Geofence],
        removed: Sequence[str],
        report: Progress = no_progress,
    ) -> None:
        def waiting(done: int, total: int) -> None:
            report(done, total)
            while done > total // 2 and not go_on.wait(0.02):
                report(done, total)

        put_all(self, environment, saved, removed, waiting)

    monkeypatch.setattr(operations, "SHOWN_AFTER_MS", 0)
    monkeypatch.setattr(rows, "BUILT_AT_ONCE", PORTION)
    monkeypatch.setattr(on_map, "PORTION", PORTION)
    monkeypatch.setattr(Geofences, "put_all", slowly)
    yield go_on
    go_on.set()


def select_all(user: User) -> None:
    view = user.window.list.view
    user.until(view.isVisible)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_A, CTRL)
    user.until(lambda: len(user.window.model.selection.fence_ids) == len(user.window.model.fences))


def disable(user: User) -> None:
    """Choose *Disable* in the menu of the list."""
    view = user.window.list.view
    user.until(lambda: not user.window.list.model.is_building)
    shown = user.window.list.model.index(0, 0)
    view.expand(shown)
    right_click(view, view.visualRect(user.window.list.model.index(0, 0, shown)).center())
    pick(user, user.window.many.menus.menu, "Disable")
    # Without a window manager, the window does not get the focus back.
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)


def enabled(user: User) -> set[bool]:
    """Return the states of the geofences in the engine and in the list."""
    window = user.window
    tree = window.list.model.tree
    listed = {fence.enabled for group in tree.groups for fence in group.fences}
    return {fence.enabled for fence in user.stored()} | {fence.enabled for fence in window.model.fences.all()} | listed


def test_a_long_change_is_cancelled_as_a_whole(user: User, held: threading.Event) -> None:
    given_many(user, MANY)
    select_all(user)
    disable(user)
    task, window = user.window.status.task, user.window
    user.until(task.isVisible)
    assert task.text.text() == "Disable 2,500 geofences"
    user.until(lambda: task.bar.value() > 0)
    # Everything else continues: the user looks at another selection in the meantime.
    QTest.keyClick(window.list.view, Qt.Key.Key_Home)
    user.click(task.cancel)
    user.until(lambda: window.message.text.text() == "Cancelled; nothing was changed.")
    user.until(lambda: not task.isVisible())
    assert enabled(user) == {True}
    assert window.model.history.undo is None
    assert user.engine.geofence_history.page(TEST, user.stored()[0].id).edits[0].revision == 1


def test_a_long_change_is_one_step(user: User, held: threading.Event) -> None:
    fences = given_many(user, MANY)
    select_all(user)
    held.set()
    disable(user)
    # A stored change is shown immediately, even before the response.
    user.until(lambda: enabled(user) == {False})
    user.until(lambda: user.window.message.text.text() == "Disabled 2,500 geofences.")
    held.clear()
    user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
    task = user.window.status.task
    user.until(task.isVisible)
    assert task.text.text() == "Undo: Disable 2,500 geofences"
    held.set()
    user.until(lambda: enabled(user) == {True})
    user.until(lambda: not task.isVisible())
    assert user.window.model.history.redo == "Disable 2,500 geofences"
    assert len(user.stored()) == len(fences)


def test_a_long_bulk_edit_is_cancelled_in_its_dialog_which_stays(user: User, held: threading.Event) -> None:
    given_many(user, MANY)
    select_all(user)
    user.window.actions_.set_tag.trigger()
    dialog = user.window.many.several.dialog
    assert dialog is not None
    user.until(dialog.isVisible)
    user.type(line(dialog, "tag"), "depot", enter=False)
    user.click(dialog.apply)
    user.until(lambda: dialog.bar.isVisible() and dialog.bar.value() > 0)
    user.click(dialog.cancel)
    user.until(lambda: dialog.problem.isVisible() and not dialog.bar.isVisible())
    assert dialog.problem.text() == "Cancelled; nothing was changed."
    assert {fence.tag for fence in user.stored()} != {"depot"}
    held.set()
    user.click(dialog.apply)
    user.until(lambda: user.window.many.several.dialog is None)
    assert {fence.tag for fence in user.stored()} == {"depot"}


def test_changes_while_the_list_is_built_are_in_it(
    user: User, held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    held.set()
    fences = given_many(user, MANY)
    geofences, model, may_build = user.engine.geofences, user.window.list.model, threading.Event()
    user.until(lambda: not model.is_building)
    rebuild = FenceTree.rebuild

    def when_allowed(self: FenceTree, fences: Sequence[Geofence]) -> None:
        assert may_build.wait(120)
        rebuild(self, fences)

    monkeypatch.setattr(FenceTree, "rebuild", when_allowed)
    geofences.put_all(TEST, [], [fence.id for fence in fences[1_000:1_100]])
    user.until(lambda: len(user.window.model.fences) == MANY - 100 and model.is_building)
    geofences.update(TEST, fences[0].id, GeofenceChange(description="Renamed"))
    geofences.delete(TEST, fences[1].id)
    user.until(lambda: len(user.window.model.fences) == MANY - 101)
    assert model.is_building
    may_build.set()
    user.until(lambda: not model.is_building)
    (group,) = model.tree.groups
    assert len(group.fences) == MANY - 101
    assert group.fences[0].description == "Renamed"


@pytest.mark.whole_window
def test_the_map_draws_many_changes_in_portions(
    user: User, held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    fences = given_many(user, MANY)
    window = user.window
    drawn = list[int]()
    draw = window.on_map._drawn

    def counted(some: Iterable[Geofence]) -> list[MapFence]:
        found = list(some)
        drawn.append(len(found))
        return draw(found)

    monkeypatch.setattr(window.on_map, "_drawn", counted)
    held.set()
    user.engine.geofences.put_all(TEST, [_moved(fence) for fence in fences], [])
    user.until(lambda: sum(drawn) >= MANY)
    assert max(drawn) <= PORTION
    window.map.show_point(14.5, 46.06)
    user.hand.settle()
    at = user.hand.at((14.5, 46.06))
    target = window.map.render_widget()
    assert target is not None
    QTest.mouseMove(target, at)
    QTest.mouseClick(target, LEFT, NO_KEYS, at)
    user.until(lambda: window.model.selection.fence_id == fences[0].id)


def _moved(fence: Geofence) -> Geofence:
    assert isinstance(fence.geometry, Circle)
    center = Point(fence.geometry.center.longitude, 46.06)
    return replace(fence, geometry=replace(fence.geometry, center=center))
