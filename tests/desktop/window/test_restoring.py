"""Reopening of a workspace: after a crash, after another one, and with damaged files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from pytestqt.qtbot import QtBot

from app.desktop.dialogs.timing import TimingDialog
from app.desktop.map import MapProfile
from app.desktop.memory import Memory
from app.desktop.model.restoring.tracks import TRACK
from app.desktop.model.restoring.view import VIEW
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from tests.desktop.window.crashing import CAMERA
from tests.desktop.window.kept import KeptWindow, close_window, show
from tests.desktop.window.user import User

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SECONDS = 120


@pytest.fixture
def remembering(qtbot: QtBot, map_profile: MapProfile, kept_window: KeptWindow, tmp_path: Path) -> Iterator[User]:
    """A user of a window that restores its state, without a workspace yet."""
    kept_window.close()
    window = MainWindow(bind(WorkspaceSession, "127.0.0.1", 0), Memory(tmp_path / "config"), profile=map_profile)
    window.resize(1280, 800)
    show(window)
    yield User(qtbot, window)
    close_window(window)


def opened(user: User, folder: Path) -> None:
    """Open a workspace and wait until everything is restored."""
    user.window.workspaces.open(folder)
    user.until(lambda: user.window.model.session is not None and user.engine.workspace.folder == folder)
    user.until(lambda: user.session.url is not None)
    user.idle()


def camera(user: User) -> tuple[float, float, float]:
    longitude, latitude = user.window.map.center()
    return round(longitude, 3), round(latitude, 3), user.window.map.zoom()


def selected(user: User) -> str | None:
    return user.window.model.selection.fence_id


def test_a_killed_window_opens_as_it_was(remembering: User, tmp_path: Path) -> None:
    folder = tmp_path / "stores"
    command = [sys.executable, "-m", "tests.desktop.window.crashing", str(folder)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "done\n"
            remembering.until(lambda: kept_at(folder) == CAMERA, timeout=SECONDS * 1_000)
        finally:
            process.kill()
    window = remembering.window
    opened(remembering, folder)
    remembering.until(lambda: camera(remembering) == CAMERA)
    model = window.model
    assert model.environment is Environment.LIVE
    selected = [fence.external_id for each in model.selection.fence_ids if (fence := model.fences.get(each))]
    assert sorted(selected) == ["0", "2"]
    assert window.form.fence is not None
    assert window.form.fence.id == model.selection.fence_id
    assert window.form.page == 1
    assert window.form.switch.buttons[1].isChecked()
    assert window.table.filter_text == "state:enabled"
    assert window.docks.users.isHidden()
    assert window.table.is_awake
    simulation = model.simulation
    assert simulation.track is not None
    assert (simulation.track.name, len(simulation.fixes)) == ("walk.csv", 6)
    assert simulation.status.position == 4
    assert simulation.status.state.name == "PAUSED"
    assert window.simulator.slider.value() == 4
    assert window.message.isHidden()


def kept_at(folder: Path) -> tuple[float, float, float] | None:
    """Return the stored camera once the track has been stored with its position."""
    try:
        found = orjson.loads((folder / VIEW).read_bytes())
        (folder / TRACK).stat()
    except (OSError, ValueError):
        return None
    longitude, latitude, zoom = found["camera"]
    there = found["track"] is not None and found["track"]["position"] == 4
    return (round(longitude, 3), round(latitude, 3), zoom) if there else None


def test_each_workspace_has_its_own_view(remembering: User, tmp_path: Path) -> None:
    user, first, second = remembering, tmp_path / "first", tmp_path / "second"
    opened(user, first)
    store = user.given(1, "store")
    user.select(store)
    user.window.map.show_point(14.5, 46.05, zoom=16.0)
    user.until(lambda: user.window.map.zoom() == 16.0)
    opened(user, second)
    assert selected(user) is None
    depot = user.given(2, "depot", longitude=9.5)
    user.click(user.window.toolbar.environments.live)
    user.window.map.show_point(9.5, 46.05, zoom=12.0)
    user.until(lambda: user.window.map.zoom() == 12.0)
    opened(user, first)
    user.until(lambda: camera(user) == (14.5, 46.05, 16.0))
    assert str(user.window.property("environment")) == "test"
    assert selected(user) == store.id
    opened(user, second)
    user.until(lambda: camera(user) == (9.5, 46.05, 12.0))
    user.idle()
    assert camera(user) == (9.5, 46.05, 12.0), "it went on to the streets, as an empty workspace does at first"
    assert str(user.window.property("environment")) == "live"
    assert user.engine.geofences.get(Environment.TEST, depot.id) == depot


def test_a_noisy_track_continues_at_its_position(remembering: User, tmp_path: Path) -> None:
    user, folder = remembering, tmp_path / "noisy"
    opened(user, folder)
    file = tmp_path / "walk.csv"
    file.write_text("lat,lon\n46.05,14.5\n46.05,14.51\n46.05,14.52\n")
    user.window.tracks.open(file)
    user.until(lambda: user.window.findChild(TimingDialog) is not None)
    dialog = user.window.findChild(TimingDialog)
    assert dialog is not None
    user.type(dialog.speed, "5", enter=False)
    user.click(dialog.ok)
    simulation = user.window.model.simulation
    user.until(lambda: simulation.track is not None)
    row = user.window.simulator.phone
    row.noise.setCurrentIndex(1)
    row.noise.activated.emit(1)
    user.until(lambda: simulation.phone.noise is not None)
    user.type(user.window.simulator.device, "van-7")
    user.click(user.window.simulator.step)
    user.until(lambda: simulation.status.position == 1)
    user.idle()
    fixes, phone = simulation.fixes, simulation.phone
    opened(user, tmp_path / "other")
    assert simulation.track is None
    opened(user, folder)
    user.until(lambda: simulation.status.position == 1)
    assert (simulation.fixes, simulation.phone) == (fixes, phone)
    assert user.window.simulator.device.text() == "van-7"
    assert row.phone == phone


def test_damaged_files_are_reported_and_the_workspace_opens(remembering: User, tmp_path: Path) -> None:
    user, folder = remembering, tmp_path / "damaged"
    folder.mkdir()
    (folder / VIEW).write_bytes(b'{"version": 1, "camera": [')
    (folder / TRACK).write_bytes(b"\x00" * 40)
    opened(user, folder)
    text = user.window.message.text.text()
    assert "The last view of this workspace cannot be restored. view.json:" in text
    assert "The track of the simulator cannot be restored. track.json:" in text
    user.given()
    user.window.map.show_point(14.5, 46.05, zoom=13.0)
    user.until(lambda: user.window.map.zoom() == 13.0)
    user.until(lambda: read_json(folder / VIEW).get("camera", [0])[-1] == 13.0)


def read_json(file: Path) -> dict[str, list[float]]:
    try:
        found = orjson.loads(file.read_bytes())
    except ValueError:
        return {}
    assert isinstance(found, dict)
    return found


def test_a_window_that_remembers_nothing_keeps_no_view(user: User, tmp_path: Path) -> None:
    opened(user, tmp_path / "plain")
    user.given()
    user.window.views.keep()
    user.idle()
    assert not (tmp_path / "plain" / VIEW).exists()
