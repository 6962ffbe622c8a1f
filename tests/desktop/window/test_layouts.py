"""Layouts of the window, the map alone, and panels collapsed to a strip."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.desktop.demo import demo_file
from app.desktop.map import MapProfile
from app.desktop.memory import Memory
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from app.session import WorkspaceSession
from tests.desktop.window.kept import KeptWindow, close_window, show
from tests.desktop.window.user import User

pytestmark = pytest.mark.slow


def started(map_profile: MapProfile, config: Path) -> MainWindow:
    """Start the program."""
    window = MainWindow(bind(WorkspaceSession, "127.0.0.1", 0), Memory(config), profile=map_profile)
    window.resize(1280, 800)
    show(window)
    QApplication.processEvents()
    return window


@pytest.fixture
def visitor(qtbot: QtBot, map_profile: MapProfile, kept_window: KeptWindow, tmp_path: Path) -> Iterator[User]:
    """A user who starts the program for the first time."""
    kept_window.close()
    user = User(qtbot, started(map_profile, tmp_path / "config"))
    yield user
    close_window(user.window)


def shown(window: MainWindow) -> set[str]:
    """Return the names of the panels in sight, also behind their tabs."""
    return {dock.windowTitle() for dock in window.docks.all() if not dock.isHidden()}


def share_of_map(window: MainWindow) -> float:
    return window.map.width() * window.map.height() / (window.width() * window.height())


def folded(window: MainWindow) -> dict[str, QToolButton]:
    """Return the buttons of the strips in sight."""
    bars = (bar for bar in window.docks.bars() if bar.objectName().startswith("Strip") and bar.isVisible())
    return {made.text(): made for bar in bars for made in bar.findChildren(QToolButton) if made.text()}


def test_the_first_start_leaves_most_of_the_window_to_the_map(visitor: User) -> None:
    window = visitor.window
    assert window.width() == 1280
    assert window.height() == 800
    assert shown(window) == {"Geofences", "Geofence"}
    assert share_of_map(window) >= 0.55
    assert window.actions_.design_layout.isChecked()


def test_each_layout_is_remembered_as_it_was_left(visitor: User, map_profile: MapProfile, tmp_path: Path) -> None:
    window = visitor.window
    visitor.press(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert {"Simulator", "Events", "Why?"} <= shown(window)
    assert "Geofences" not in shown(window)
    window.docks.bring(window.docks.checks)
    visitor.press(Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert {"Requests", "Events"} <= shown(window)
    assert "Simulator" not in shown(window)
    assert window.docks.requests in window.docks.seen()
    window.actions_.test_layout.trigger()
    assert "Checks" in shown(window)
    window.actions_.design_layout.trigger()
    assert shown(window) == {"Geofences", "Geofence"}
    window.actions_.test_layout.trigger()
    close_window(window)
    again = started(map_profile, tmp_path / "config")
    assert again.actions_.test_layout.isChecked()
    assert "Checks" in shown(again)
    again.actions_.reset_layout.trigger()
    assert "Checks" not in shown(again)
    visitor.window = again


def test_panels_from_before_the_layouts_stay_where_they_are(
    visitor: User, map_profile: MapProfile, tmp_path: Path
) -> None:
    """A version without layouts saved one arrangement: it is the layout for testing, and chosen."""
    window = visitor.window
    window.docks.show_only(window.docks.fences, window.docks.simulator)
    config = tmp_path / "before"
    Memory(config).save_place(window.saveGeometry(), window.saveState())
    close_window(window)
    again = started(map_profile, config)
    assert again.actions_.test_layout.isChecked()
    assert shown(again) == {"Geofences", "Simulator"}
    again.actions_.design_layout.trigger()
    again.actions_.test_layout.trigger()
    assert shown(again) == {"Geofences", "Simulator"}
    visitor.window = again


def test_f11_shows_the_map_alone_and_brings_the_panels_back(visitor: User) -> None:
    window = visitor.window
    window.actions_.test_layout.trigger()
    before, size = shown(window), window.size()
    visitor.press(Qt.Key.Key_F11)
    visitor.until(window.isFullScreen)
    assert shown(window) == set()
    assert not window.toolbar.isVisible()
    assert not window.menuBar().isVisible()
    visitor.until(lambda: share_of_map(window) > 0.98)
    visitor.press(Qt.Key.Key_F11, on=window.centre)
    visitor.until(lambda: not window.isFullScreen())
    assert shown(window) == before
    assert window.toolbar.isVisible()
    assert window.menuBar().isVisible()
    visitor.until(lambda: window.size() == size)


def test_panels_collapse_to_a_strip_and_come_back(visitor: User, map_profile: MapProfile, tmp_path: Path) -> None:
    window, docks = visitor.window, visitor.window.docks
    window.actions_.test_layout.trigger()
    QApplication.processEvents()
    width = window.map.width()
    visitor.click(docks.title(docks.why).fold)
    assert set(folded(window)) == {"Geofence", "Why?", "User"}
    visitor.until(lambda: window.map.width() > width + 200)
    # Another layout has its own, and the next start still has them.
    window.actions_.design_layout.trigger()
    assert folded(window) == {}
    window.actions_.test_layout.trigger()
    close_window(window)
    visitor.window = window = started(map_profile, tmp_path / "config")
    docks = window.docks
    assert set(folded(window)) == {"Geofence", "Why?", "User"}
    visitor.click(folded(window)["User"])
    assert folded(window) == {}
    assert {"Geofence", "Why?", "User"} <= shown(window)
    assert docks.user in docks.seen()


def test_a_collapsed_panel_that_is_brought_leaves_the_strip(visitor: User) -> None:
    window, docks = visitor.window, visitor.window.docks
    visitor.click(docks.title(docks.fences).fold)
    assert set(folded(window)) == {"Geofences"}
    visitor.press(Qt.Key.Key_F11)
    visitor.press(Qt.Key.Key_F11, on=window.centre)
    assert set(folded(window)) == {"Geofences"}
    window.actions_.layers.trigger()
    window.docks.bring(docks.fences)
    assert folded(window) == {}


def test_a_track_shows_the_simulator(visitor: User, tmp_path: Path) -> None:

    window = visitor.window
    window.workspaces.open(tmp_path / "w")
    visitor.until(lambda: window.model.session is not None)
    assert "Simulator" not in shown(window)
    window.tracks.open(demo_file("track.gpx"))
    visitor.until(lambda: "Simulator" in shown(window))
