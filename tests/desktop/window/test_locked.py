"""A workspace that another process has open: the window reports it, retries, and offers no action without effect."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from app.desktop.panels.widgets import EmptyState
from app.desktop.window.main_window import MainWindow
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.engine import Engine
from tests.app.program import Program, Serving
from tests.desktop.waiting import let_work
from tests.desktop.window.user import User, unmarked

pytestmark = pytest.mark.slow

CIRCLE = GeofenceChange(
    tag="shop", external_id="1", description="Shop", type="circle", coordinates=(14.5, 46.05), size=90.0
)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


@pytest.fixture
def visitor(qtbot: QtBot, empty_window: MainWindow) -> User:
    """A user of a window without a workspace."""
    return User(qtbot, empty_window)


def refused(user: User, folder: Path) -> None:
    """Request a workspace that another process has open."""
    user.window.workspaces.open(folder)
    user.until(user.window.message.isVisible)
    user.idle()
    assert "open in another process" in user.window.message.text.text()


def opened(user: User, folder: Path) -> bool:
    session = user.window.model.session
    return session is not None and session.engine.workspace.folder == folder


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_it_opens_by_itself_when_it_is_free(
    visitor: User, program: Program, tmp_path: Path, end: signal.Signals
) -> None:
    folder, message = tmp_path / "w", visitor.window.message
    with Engine.open(folder) as engine:
        engine.geofences.create(Environment.TEST, CIRCLE)
    with program.serve(folder) as server:
        refused(visitor, folder)
        assert str(server.process.pid) in message.text.text()
        assert server.url in message.text.text()
        assert "opens here as soon as it is released" in message.text.text()
        let_work(2_500)
        assert visitor.window.model.session is None
        assert message.isVisible()
        server.stop(end)
        visitor.until(lambda: opened(visitor, folder))
    visitor.until(lambda: not message.isVisible())
    visitor.until(lambda: len(visitor.window.model.fences) == 1)
    visitor.until(lambda: visitor.session.url is not None)


def test_retry_tries_again_at_once(visitor: User, program: Program, tmp_path: Path) -> None:
    folder, message = tmp_path / "w", visitor.window.message
    with program.serve(folder) as server:
        refused(visitor, folder)
        visitor.window.workspaces.waiting.stop()  # it would also open by itself
        assert message.button.text() == "Retry"
        visitor.click(message.button)
        visitor.idle()
        visitor.until(message.isVisible)
        assert "open in another process" in message.text.text()
        visitor.window.workspaces.waiting.stop()
        server.stop()
        visitor.click(message.button)
        visitor.until(lambda: opened(visitor, folder))


def test_a_process_that_hangs_keeps_it(visitor: User, program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    with program.serve(folder) as server:
        os.kill(server.process.pid, signal.SIGSTOP)
        refused(visitor, folder)
        visitor.click(visitor.window.message.button)
        let_work(1_500)
        visitor.until(visitor.window.message.isVisible)
        assert visitor.window.model.session is None
        server.process.kill()
        visitor.until(lambda: opened(visitor, folder))


def test_one_that_was_killed_before_is_no_hindrance(visitor: User, program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    with program.serve(folder) as server:
        server.process.kill()
        server.process.communicate(timeout=30)
    assert (folder / "endpoint.json").exists()
    visitor.window.workspaces.open(folder)
    visitor.until(lambda: opened(visitor, folder))
    assert not visitor.window.message.isVisible()


def test_who_works_on_another_is_not_interrupted(user: User, tmp_path: Path) -> None:
    before, message = user.session, user.window.message
    with Engine.open(tmp_path / "busy"):
        refused(user, tmp_path / "busy")
        assert "as soon as" not in message.text.text()
        assert message.button.text() == "Retry"
        assert message.close_button.isVisible()
    let_work(2_500)
    assert user.session is before
    assert message.isVisible()
    user.click(message.button)
    user.until(lambda: opened(user, tmp_path / "busy"))


def test_another_one_chosen_meanwhile_stays_open(visitor: User, tmp_path: Path) -> None:
    with Engine.open(tmp_path / "busy"):
        refused(visitor, tmp_path / "busy")
        visitor.window.workspaces.open(tmp_path / "other")
        visitor.until(lambda: opened(visitor, tmp_path / "other"))
    let_work(2_500)
    assert opened(visitor, tmp_path / "other")


def test_the_reason_stays_in_sight(visitor: User, tmp_path: Path) -> None:
    message = visitor.window.message
    with Engine.open(tmp_path / "busy"):
        refused(visitor, tmp_path / "busy")
        assert not message.close_button.isVisible()
        assert message.second.text() == "Open another…"
        visitor.click(message.second)
        dialog = visitor.window.findChild(QFileDialog)
        assert dialog is not None
        ended: list[int] = []
        dialog.finished.connect(ended.append)
        cancel = next(each for each in dialog.findChildren(QPushButton) if unmarked(each.text()) == "Cancel")
        visitor.click(cancel)
        visitor.until(lambda: ended == [0])
        assert message.isVisible()
        message.show_info("Something else.")
        message.dismiss()
        assert message.isVisible()
        assert "open in another process" in message.text.text()
    visitor.until(lambda: opened(visitor, tmp_path / "busy"))


def test_one_that_cannot_be_opened_at_all_may_be_tried_again(visitor: User, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    folder.write_text("a file")
    visitor.window.workspaces.open(folder)
    visitor.until(visitor.window.message.isVisible)
    assert "as soon as" not in visitor.window.message.text.text()
    folder.unlink()
    visitor.click(visitor.window.message.button)
    visitor.until(lambda: opened(visitor, folder))


def enabled(window: MainWindow) -> set[str]:
    """Return the texts of the enabled buttons."""
    found = (each for each in window.findChildren(QAbstractButton) if each.isVisible() and each.isEnabled())
    return {unmarked(each.text()) or each.toolTip().removeprefix("<p>") for each in found} - {""}


def test_no_button_is_offered_that_does_nothing(visitor: User, tmp_path: Path) -> None:
    window = visitor.window
    with Engine.open(tmp_path / "busy"):
        refused(visitor, tmp_path / "busy")
        offered = {each for each in enabled(window) if not each.startswith("Collapse ")}
        assert offered == {"Retry", "Open another…", "No workspace ▾", "Select", "Layout ▾"}
        empty = [each for each in window.findChildren(EmptyState) if each.isVisible()]
        assert {each.title.text() for each in empty} == {"No workspace is open"}
        assert not window.toolbar.search.isEnabled()
    visitor.until(lambda: opened(visitor, tmp_path / "busy"))
    visitor.idle()
    assert {"Draw a circle", "Import…", "Open a track…", "Copy URL"} <= enabled(window)
    assert "No geofences yet" in {each.title.text() for each in empty}
    assert window.toolbar.search.isEnabled()


def test_the_map_has_no_menu_of_impossible_actions(visitor: User, tmp_path: Path) -> None:
    with Engine.open(tmp_path / "busy"):
        refused(visitor, tmp_path / "busy")
        at = QPoint(300, 200)
        drawn_on = visitor.window.map.render_widget()
        assert drawn_on is not None
        QTest.mouseClick(drawn_on, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, at)
        menu = visitor.window.search_result.menu
        visitor.until(menu.isVisible)
        can = [unmarked(action.text()) for action in menu.actions() if action.text() and action.isEnabled()]
        assert [text for text in can if not text.startswith("Copy ")] == []
        menu.close()
        QApplication.processEvents()


def test_the_owner_is_named_as_long_as_it_is_known(program: Program, tmp_path: Path, visitor: User) -> None:
    """The message names the current owner if it changes."""
    folder = tmp_path / "w"
    with program.serve(folder) as first:
        refused(visitor, folder)
        visitor.window.workspaces.waiting.stop()
        first.stop()
    with program.serve(folder) as second:
        assert isinstance(second, Serving)
        visitor.click(visitor.window.message.button)
        visitor.idle()
        visitor.until(lambda: str(second.process.pid) in visitor.window.message.text.text())
