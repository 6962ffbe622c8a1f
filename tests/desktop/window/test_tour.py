"""The tour of the first start: each step ends when the user has completed it, and it never gets in the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.map import MapProfile
from app.desktop.memory import Memory
from app.desktop.window.controllers.help.tour import is_automated
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from tests.desktop.window.kept import KeptWindow, close_window, show
from tests.desktop.window.test_restoring import opened
from tests.desktop.window.user import User


@pytest.fixture
def remembering(qtbot: QtBot, map_profile: MapProfile, kept_window: KeptWindow, tmp_path: Path) -> Iterator[User]:
    """A user who starts the program for the first time, on a screen."""
    kept_window.close()
    window = MainWindow(bind(WorkspaceSession, "127.0.0.1", 0), Memory(tmp_path / "config"), profile=map_profile)
    window.tour.automated = False
    window.resize(1280, 800)
    show(window)
    yield User(qtbot, window)
    close_window(window)


def card_title(user: User) -> str:
    card = user.window.tour.card
    return card.title.text() if card is not None and card.isVisible() else ""


def framed(user: User) -> bool:
    frame = user.window.tour.frame
    return frame is not None and frame.isVisible()


def test_the_whole_tour_by_mouse_and_keyboard(user: User) -> None:
    window = user.window
    assert window.actions_.tour in window.menus.help.actions()
    window.actions_.tour.trigger()
    assert card_title(user) == "Draw a circle"
    assert framed(user)
    card = window.tour.card
    assert card is not None
    fence = user.draw_circle()
    user.until(lambda: card_title(user) == "Set its hours")
    user.click(window.form.switch.buttons[1])
    user.click(window.form.hours.always)
    user.until(lambda: card_title(user) == "Simulate a track")
    user.click(card.help)
    user.until(lambda: window.model.simulation.track is not None)
    window.simulator.speed.setCurrentIndex(window.simulator.speed.count() - 1)
    user.click(window.simulator.play)
    user.until(lambda: card_title(user) == "See why")
    events = window.model.events
    assert {event.geofence.id for event in events.all() if event.geofence} == {fence.id}
    user.until(lambda: len(events) >= 2)
    view = window.events.view
    user.click_in(view, view.visualRect(view.model().index(0, 0)).center())
    user.until(lambda: card_title(user) == "Point your SDK here")
    assert card.skip.text() == "Finish"
    user.click(card.help)
    user.until(window.sdks.dialog.isVisible)
    assert window.tour.step is None
    assert (card.isVisible(), framed(user)) == (False, False)
    window.sdks.dialog.close()


@pytest.mark.slow
def test_it_begins_by_itself_once_and_esc_skips_it(remembering: User, tmp_path: Path) -> None:
    user = remembering
    opened(user, tmp_path / "first")
    user.until(lambda: card_title(user) == "Draw a circle")
    user.window.activateWindow()
    user.window.map.take_keyboard()
    user.window.actions_.circle.trigger()
    user.until(lambda: user.window.map.tool == "circle")
    target = QApplication.focusWidget()
    assert target is not None
    QTest.keyClick(target, Qt.Key.Key_Escape)
    user.until(lambda: user.window.map.tool == "select")
    assert card_title(user) == "Draw a circle", "Esc gives up the drawing, not the tour"
    QTest.keyClick(target, Qt.Key.Key_Escape)
    assert card_title(user) == ""
    assert not framed(user)
    opened(user, tmp_path / "second")
    assert card_title(user) == ""
    assert Memory(tmp_path / "config").tour_seen
    user.window.actions_.tour.trigger()
    assert card_title(user) == "Draw a circle"
    card = user.window.tour.card
    assert card is not None
    user.click(card.skip)
    assert card_title(user) == ""


@pytest.mark.slow
def test_users_with_geofences_are_not_shown_around(remembering: User, tmp_path: Path) -> None:
    folder = tmp_path / "used"
    with WorkspaceSession(folder) as session:
        session.engine.geofences.create(
            Environment.LIVE,
            GeofenceChange(
                tag="a", external_id="1", description="A", type="circle", coordinates=(14.5, 46.05), size=90.0
            ),
        )
    opened(remembering, folder)
    assert card_title(remembering) == ""
    assert not remembering.window.memory.tour_seen


@pytest.mark.slow
def test_automated_use_is_left_alone(user: User, tmp_path: Path) -> None:
    """The tour is not shown without a screen, in CI, in the demo, or if nothing is remembered."""
    assert is_automated({})
    assert is_automated({"CI": "true"})
    assert user.window.tour.automated
    assert user.window.memory.tour_seen
    opened(user, tmp_path / "empty")
    assert card_title(user) == ""
