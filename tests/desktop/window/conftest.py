"""The real window over a real workspace, and hands for it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from app.desktop.map import MapProfile
from app.desktop.map.scheme import assets_folder
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from app.session import WorkspaceSession
from engine.store.workspace import MEMORY
from tests.desktop.conftest import process_kept
from tests.desktop.window.user import User

# What the offscreen platform says of a popup, having no window manager and no keyboard.
_NO_WINDOW_MANAGER = (
    r"^This plugin does not support raise\(\)$",
    "^This plugin does not support grabbing the keyboard$",
)

DATA = Path(__file__).parents[3].parent / "shared" / "data"


def pytest_configure(config: pytest.Config) -> None:
    """Ignore what only says that there is no screen."""
    for pattern in _NO_WINDOW_MANAGER:
        config.addinivalue_line("qt_log_ignore", pattern)


@pytest.fixture(scope="session")
def map_profile(_profile_goes_last: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MapProfile]:
    """The profile of all windows, whose world has coarse coasts: to read the fine ones is half of a test's work.

    Those are what the tests of the map itself look at.
    """
    assets = tmp_path_factory.mktemp("web") / "assets"
    shutil.copytree(assets_folder(), assets, ignore=shutil.ignore_patterns("swagger-ui", "countries-*m.json"))
    world = assets_folder() / "world-atlas"
    shutil.copyfile(world / "countries-110m.json", assets / "world-atlas" / "countries-50m.json")
    profile = MapProfile(assets=assets)
    with process_kept(profile):
        yield profile
    profile.close()
    delete(profile)


@pytest.fixture
def empty_window(qtbot: QtBot, qapp: QApplication, map_profile: MapProfile) -> Iterator[MainWindow]:
    """A window without a workspace, made as the program makes its only one: before there is a style sheet."""
    qapp.setStyleSheet("")
    window = MainWindow(bind(WorkspaceSession, "127.0.0.1", 0), profile=map_profile)
    window.resize(1280, 800)
    ended: list[bool] = []
    window.ended.connect(lambda: ended.append(True))
    with qtbot.waitSignal(window.map.ready, timeout=30_000):
        window.show()
    yield window
    window.close()
    # A test that closed it may have seen the end already.
    qtbot.waitUntil(lambda: bool(ended), timeout=20_000)
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def user(qtbot: QtBot, empty_window: MainWindow) -> User:
    """A user at a window with a temporary workspace, looking at Ljubljana from near."""
    with qtbot.waitSignal(empty_window.model.opened, timeout=20_000):
        empty_window.workspaces.open(MEMORY)
    made = User(qtbot, empty_window)
    made.until(lambda: made.session.url is not None and empty_window.operations.under_way == 0)
    empty_window.map.show_point(14.5, 46.05, zoom=15)
    return made


@pytest.fixture
def gpx() -> Path:
    """The folder of recorded tracks."""
    folder = DATA / "gpx"
    if not folder.is_dir():
        pytest.skip("the recorded tracks are not on this machine")
    return folder
