"""The demonstration with a user who does more than watch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.demo import ACCURACY_M, DEVICE, Demo
from app.desktop.map import MapProfile
from app.desktop.model.simulation.sender import DEFAULT_ACCURACY_M, DEFAULT_DEVICE
from app.desktop.model.simulation.status import SimulationState
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.queries import UserQuery
from engine.domain.tracking.updates import Event
from tests.desktop.window.user import User
from tests.desktop.window.walks import write_walk

pytestmark = pytest.mark.slow

TEST, LIVE = Environment.TEST, Environment.LIVE


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    return write_walk(tmp_path / "walk.gpx", 3.7, 51.05)


@pytest.fixture
def started(qtbot: QtBot, map_profile: MapProfile, monkeypatch: pytest.MonkeyPatch) -> Iterator[User]:
    """A user in front of whom the demonstration has just begun, and whose track is not loaded yet."""
    monkeypatch.setattr("app.desktop.demo.has_display", lambda: True)
    events: list[Event] = []
    demo = Demo(None, events.append, WorkspaceSession)
    user = User(qtbot, demo.window)
    demo.start()
    demo.window.activateWindow()
    user.until(demo.window.isActiveWindow)
    user.until(lambda: demo.window.model.session is not None, timeout=30_000)
    yield user
    with qtbot.waitSignal(demo.window.ended):
        demo.window.close()
    demo.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def state(user: User) -> SimulationState:
    return user.window.model.simulation.status.state


@pytest.fixture
def watcher(started: User) -> User:
    """A user while the demonstration plays."""
    started.until(lambda: state(started) is SimulationState.PLAYING, timeout=30_000)
    started.until(lambda: started.window.model.simulation.status.position > 3)
    return started


def environment(user: User, wanted: Environment) -> None:
    switch = user.window.toolbar.environments
    user.click(switch.live if wanted.live else switch.test)
    user.until(lambda: user.window.model.environment is wanted)
    user.idle()


def assert_live_is_untouched(user: User) -> None:
    assert QApplication.activeModalWidget() is None
    counts = user.engine.history.counts(LIVE)
    assert (counts.users, counts.events, counts.geofences) == (0, 0, 0)


def test_the_demo_plays_as_its_own_device(watcher: User) -> None:
    (lorry,) = watcher.engine.users.page(TEST, UserQuery()).items
    assert (lorry.device_id, lorry.fix.accuracy_m) == (DEVICE, ACCURACY_M)
    panel = watcher.window.simulator
    assert (panel.device.text(), panel.accuracy.value()) == (DEVICE, ACCURACY_M)


def test_the_demo_is_never_sent_to_live(watcher: User) -> None:
    environment(watcher, LIVE)
    assert_live_is_untouched(watcher)
    panel = watcher.window.simulator
    assert panel.note.isVisible()
    assert "Test only" in panel.note.text()
    for control in (panel.play, panel.step, panel.slider):
        assert not control.isEnabled()
    watcher.click(panel.play)
    watcher.press(Qt.Key.Key_Space)
    watcher.press(Qt.Key.Key_Right, on=watcher.window.map)
    watcher.idle()
    assert_live_is_untouched(watcher)
    assert "Test only" in watcher.window.message.text.text()
    environment(watcher, TEST)
    assert not panel.note.isVisible()
    before = watcher.engine.history.counts(TEST)
    watcher.click(panel.play)
    watcher.until(lambda: watcher.window.model.simulation.status.position > 3)
    assert watcher.engine.history.counts(TEST).users == before.users


def test_the_demo_waits_for_test_if_live_is_chosen_first(started: User) -> None:
    environment(started, LIVE)
    started.until(lambda: started.window.model.simulation.track is not None, timeout=30_000)
    started.idle()
    assert_live_is_untouched(started)
    environment(started, TEST)
    started.until(lambda: state(started) is SimulationState.PLAYING)


def test_a_track_opened_in_the_demo_is_ones_own_device(watcher: User, walk: Path) -> None:
    watcher.window.tracks.open(walk)
    watcher.until(lambda: watcher.window.simulator.name.text().startswith("walk"))
    panel = watcher.window.simulator
    assert state(watcher) is SimulationState.STOPPED, "nobody has asked for it to be played"
    assert (panel.device.text(), panel.accuracy.value()) == (DEFAULT_DEVICE, DEFAULT_ACCURACY_M)
    assert panel.speed.currentData() == 10.0
    panel.speed.setCurrentIndex(panel.speed.count() - 1)
    watcher.click(panel.play)
    watcher.until(lambda: state(watcher) is SimulationState.FINISHED)
    own = next(each for each in watcher.engine.users.page(TEST, UserQuery()).items if each.device_id != DEVICE)
    assert (own.device_id, own.fix.accuracy_m) == (DEFAULT_DEVICE, DEFAULT_ACCURACY_M)


def test_an_own_track_is_confirmed_in_live(watcher: User, walk: Path) -> None:
    environment(watcher, LIVE)
    watcher.window.tracks.open(walk)
    watcher.until(lambda: watcher.window.simulator.name.text().startswith("walk"))
    assert QApplication.activeModalWidget() is None
    watcher.click(watcher.window.simulator.play)
    assert watcher.box().text() == f"Send 21 updates to Live as {DEFAULT_DEVICE}?"
    watcher.answer("Cancel")


def test_another_workspace_gets_nothing_of_the_demo(watcher: User, tmp_path: Path) -> None:
    watcher.window.workspaces.open(tmp_path / "mine")
    watcher.until(lambda: not watcher.engine.workspace.temporary)
    watcher.until(lambda: watcher.session.url is not None)
    watcher.idle()
    assert watcher.stored() == []
    assert state(watcher) is SimulationState.EMPTY
    assert watcher.window.simulator.device.text() == DEFAULT_DEVICE


def test_a_track_that_cannot_be_read_does_not_end_the_demo(watcher: User, tmp_path: Path) -> None:
    file = tmp_path / "broken.gpx"
    file.write_text("<gpx")
    watcher.window.tracks.open(file)
    watcher.until(watcher.window.message.isVisible)
    watcher.idle()
    assert watcher.window.isVisible()
