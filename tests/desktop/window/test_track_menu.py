"""The Track menu: tracks drawn on the map, edited with undo, exported, and recorded from a device."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QWidget

from app.desktop.dialogs.tracks.numbers import NumbersDialog
from app.desktop.dialogs.tracks.recording import RecordingDialog
from app.desktop.dialogs.tracks.skipped import SkippedDialog
from app.desktop.model.simulation.status import SimulationState
from app.desktop.panels.menus import Menu
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.domain.queries import UserQuery
from engine.domain.tracking.tracks import Track
from engine.domain.tracking.updates import LocationUpdate
from engine.simulation.editing import resampled
from engine.simulation.formats.reading import read_track
from engine.simulation.noise.apply import noisy
from engine.simulation.noise.model import Noise
from tests.desktop.window.user import User, unmarked

pytestmark = pytest.mark.parts(
    "commands", "fences", "list", "many", "selection", "simulator", "tools", "track_menu", "tracks"
)

TEST = Environment.TEST
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HEADER = "lon,lat,time,accuracy\n"


def table(file: Path, seconds: range, extra: str = "") -> Path:
    """Write positions through the middle of the map, at these seconds after noon."""
    rows = (
        f"{14.495 + n / 1000:.4f},46.05,{(NOON + timedelta(seconds=at)).isoformat()},{5 + n}\n"
        for n, at in enumerate(seconds)
    )
    file.write_text(HEADER + "".join(rows) + extra)
    return file


@pytest.fixture
def walk(user: User, tmp_path: Path) -> Path:
    """A loaded track of eleven fixes, ten seconds apart, each with an accuracy."""
    file = table(tmp_path / "walk.csv", range(0, 101, 10))
    user.window.tracks.open(file)
    user.until(lambda: len(user.window.model.simulation.fixes) == 11)
    return file


def dialog[D: QWidget](user: User, kind: type[D]) -> D:
    user.until(lambda: isinstance(QApplication.activeModalWidget(), kind))
    found = QApplication.activeModalWidget()
    assert isinstance(found, kind)
    return found


def choose(user: User, text: str, within: str = "") -> None:
    """Open the menu with the mouse and click an entry in it, or in one of its submenus."""
    button = user.window.simulator.track_menu
    menu = user.window.track_menu.menu
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))
    if within:
        entry = _entry(menu, within)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
        submenu = entry.menu()
        assert isinstance(submenu, Menu)
        user.until(submenu.isVisible)
        menu = submenu
    entry = _entry(menu, text)
    assert entry.isEnabled()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())


def _entry(menu: Menu, text: str) -> QAction:
    return next(action for action in menu.actions() if unmarked(action.text()) == text)


def times(user: User) -> list[float]:
    return [(fix.at - NOON).total_seconds() for fix in user.window.model.simulation.fixes]


@pytest.mark.whole_window
def test_a_track_is_drawn_with_the_mouse_and_played_at_its_speed(user: User) -> None:
    user.press(Qt.Key.Key_T)
    user.until(lambda: user.window.map.tool == "track")
    for corner in ((14.498, 46.05), (14.502, 46.05), (14.502, 46.052)):
        user.hand.click(corner)
    user.hand.press(Qt.Key.Key_Return)
    numbers = dialog(user, NumbersDialog)
    user.type(numbers.boxes["assume_speed_kmh"], "0", enter=False)
    user.click(numbers.ok)
    error = numbers.fields["assume_speed_kmh"].error
    user.until(lambda: "greater than 0 km/h" in error.text())
    user.type(numbers.boxes["assume_speed_kmh"], "36", enter=False)
    user.type(numbers.boxes["interval_s"], "2", enter=False)
    user.click(numbers.ok)
    simulation = user.window.model.simulation
    user.until(lambda: simulation.track is not None)
    gaps = [(b.at - a.at).total_seconds() for a, b in zip(simulation.fixes, simulation.fixes[1:], strict=False)]
    assert 20 < len(simulation.fixes) < 40
    assert set(gaps[:-1]) == {2.0}
    assert simulation.sender.accuracy_m == 12.0
    user.window.simulator.speed.setCurrentIndex(user.window.simulator.speed.count() - 1)
    user.click(user.window.simulator.play)
    user.until(lambda: simulation.status.state is SimulationState.FINISHED)
    (sent,) = user.engine.users.page(TEST, UserQuery()).items
    assert sent.fix.point == simulation.fixes[-1].point


def test_each_fix_is_sent_with_the_accuracy_that_was_recorded(user: User, walk: Path) -> None:
    panel = user.window.simulator
    assert panel.accuracy.text() == "As recorded"
    panel.speed.setCurrentIndex(panel.speed.count() - 1)
    user.click(panel.play)
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.FINISHED)
    assert user.engine.users.page(TEST, UserQuery()).items[0].fix.accuracy_m == 15.0


def test_a_track_is_edited_and_the_edits_are_undone(user: User, walk: Path, tmp_path: Path) -> None:
    user.window.model.simulation.seek(3)
    choose(user, "Cut before here")
    user.until(lambda: times(user) == [20, 30, 40, 50, 60, 70, 80, 90, 100])
    user.window.model.simulation.seek(4)
    choose(user, "Cut after here")
    user.until(lambda: times(user) == [20, 30, 40, 50])
    first = user.window.model.simulation.fixes[0].point
    choose(user, "Reverse")
    user.until(lambda: user.window.model.simulation.fixes[-1].point == first)
    choose(user, "Resample…")
    numbers = dialog(user, NumbersDialog)
    user.type(numbers.boxes["resample"], "5", enter=False)
    user.click(numbers.ok)
    user.until(lambda: times(user) == [20, 25, 30, 35, 40, 45, 50])
    assert "7 fixes" in user.window.message.text.text()
    user.click(user.window.message.button)
    user.until(lambda: times(user) == [20, 30, 40, 50])
    for expected in ([20, 30, 40, 50], [20, 30, 40, 50, 60, 70, 80, 90, 100], list(range(0, 101, 10))):
        choose(user, "Undo edit")
        user.until(lambda expected=expected: times(user) == expected)  # type: ignore[misc]
    assert not user.window.track_menu.editing.undoable


@pytest.mark.whole_window
def test_an_edit_leaves_the_noise_to_the_phone(user: User, walk: Path, tmp_path: Path) -> None:
    simulation, noise = user.window.model.simulation, Noise(error_m=40, gaps_per_hour=240, gap_s=15)
    exact = simulation.exact
    user.window.simulator.phone.want_noise(noise)
    user.until(lambda: simulation.phone.noise == noise)
    assert times(user) == [0, 10, 40, 50, 60, 80], "the phone says nothing now and then"
    simulation.seek(3)
    choose(user, "Cut before here")
    user.until(lambda: simulation.exact == exact[4:])
    user.until(lambda: simulation.phone.noise == noise)
    assert simulation.fixes == noisy(exact[4:], noise, 0), "the noise is there once"
    simulation.seek(2)
    at = simulation.fixes[1].at
    choose(user, "Cut after here")
    user.until(lambda: simulation.exact == tuple(fix for fix in exact[4:] if fix.at <= at))
    user.until(lambda: simulation.phone.noise == noise)
    out = tmp_path / "noisy.csv"
    choose(user, "CSV…", within="Export")
    dialog(user, QFileDialog).fileSelected.emit(str(out))
    dialog(user, QFileDialog).close()
    user.until(out.exists)
    assert [point.point for point in read_track(out).points] == [fix.point for fix in simulation.fixes]
    choose(user, "Undo edit")
    choose(user, "Undo edit")
    user.until(lambda: simulation.exact == exact)


def test_esc_gives_up_an_edit_that_is_being_worked_out(user: User, walk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = Event(), Event()

    def slowly(*given: Any) -> Track:
        begun.set()
        assert go_on.wait(30)
        return resampled(*given)

    monkeypatch.setattr("app.desktop.window.controllers.track_menu.editing.resampled", slowly)
    choose(user, "Resample…")
    numbers = dialog(user, NumbersDialog)
    user.click(numbers.ok)
    user.until(begun.is_set)
    user.press(Qt.Key.Key_Escape, on=numbers)
    user.until(lambda: QApplication.activeModalWidget() is None)
    go_on.set()
    choose(user, "Reverse")  # follows the edit that was cancelled
    editing = user.window.track_menu.editing
    user.until(lambda: editing.undoable)
    assert times(user) == list(range(0, 101, 10))


def test_an_edit_is_undone_though_the_track_is_being_played(user: User, walk: Path) -> None:
    panel, simulation = user.window.simulator, user.window.model.simulation
    first = simulation.fixes[0].point
    choose(user, "Reverse")
    user.until(lambda: simulation.fixes[-1].point == first)
    panel.speed.setCurrentIndex(0)
    user.click(panel.play)
    user.until(lambda: simulation.status.state is SimulationState.PLAYING)
    user.click(user.window.message.button)
    user.until(lambda: simulation.fixes[0].point == first)
    assert simulation.status.state is SimulationState.STOPPED


@pytest.mark.whole_window
def test_who_draws_a_track_deletes_its_corners_and_nothing_else(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.press(Qt.Key.Key_T)
    user.until(lambda: user.window.map.tool == "track")
    for corner in ((14.498, 46.05), (14.502, 46.05), (14.502, 46.052), (14.506, 46.052)):
        user.hand.click(corner)
    zoom = user.window.map.zoom()
    turn_wheel(user, 240)
    user.until(lambda: user.window.map.zoom() > zoom)
    user.hand.press(Qt.Key.Key_Delete)
    user.hand.press(Qt.Key.Key_Delete)
    user.hand.press(Qt.Key.Key_Return)
    numbers = dialog(user, NumbersDialog)
    user.click(numbers.ok)
    simulation = user.window.model.simulation
    user.until(lambda: simulation.track is not None)
    ends = [simulation.fixes[at].point for at in (0, -1)]
    assert [round(point.longitude, 3) for point in ends] == [14.498, 14.502]
    assert [round(point.latitude, 3) for point in ends] == [46.05, 46.05]
    user.tool(user.window.actions_.circle)
    user.until(lambda: user.window.map.tool == "circle")
    user.hand.press(Qt.Key.Key_Delete)
    user.hand.press(Qt.Key.Key_Escape)
    user.until(lambda: user.window.map.tool == "select")
    assert user.only().id == fence.id
    user.hand.press(Qt.Key.Key_Delete)
    user.until(lambda: user.stored() == [])


def turn_wheel(user: User, angle: int) -> None:
    """Turn the wheel over the middle of the map, like the window system."""
    window = user.window.windowHandle()
    view = user.window.map
    QTest.wheelEvent(window, QPointF(view.mapTo(user.window, view.rect().center())), QPoint(0, angle))


def test_unread_parts_of_a_joined_track_are_reported(user: User, walk: Path, tmp_path: Path) -> None:
    message = user.window.message
    user.window.track_menu.editing.join_file(table(tmp_path / "later.csv", range(200, 221, 10), "east,46,,5\n"))
    user.until(lambda: times(user)[-3:] == [200, 210, 220])
    assert message.text.text().startswith("Joined: 14 fixes now. later.csv was not read in full. Row 5, column lon")
    user.click(message.button)
    user.until(lambda: len(times(user)) == 11)


def test_an_unloaded_track_is_not_edited(user: User, walk: Path) -> None:
    choose(user, "Resample…")
    numbers = dialog(user, NumbersDialog)
    user.window.model.simulation.unload()
    user.click(numbers.ok)
    user.until(lambda: QApplication.activeModalWidget() is None)
    assert user.window.model.simulation.track is None
    assert not user.window.track_menu.editing.undoable


def test_another_track_is_joined_at_its_time_or_with_a_gap(user: User, walk: Path, tmp_path: Path) -> None:
    editing = user.window.track_menu.editing
    editing.join_file(table(tmp_path / "later.csv", range(200, 221, 10)))
    user.until(lambda: times(user)[-3:] == [200, 210, 220])
    editing.join_file(walk)
    numbers = dialog(user, NumbersDialog)
    user.type(numbers.boxes["gap"], "30", enter=False)
    user.click(numbers.ok)
    user.until(lambda: times(user)[-1] == 350)
    assert times(user)[14] == 250
    user.window.tracks.open(walk)
    user.until(lambda: len(times(user)) == 11)
    assert not editing.undoable, "another track has no edits"


def test_the_edited_track_is_exported(user: User, walk: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.gpx"
    choose(user, "GPX…", within="Export")
    chooser = dialog(user, QFileDialog)
    name = chooser.findChild(QLineEdit)
    assert isinstance(name, QLineEdit)
    assert name.text() == "walk.gpx"
    chooser.fileSelected.emit(str(out))
    chooser.close()
    user.until(out.exists)
    assert read_track(out).points == read_track(walk).points
    user.until(lambda: user.window.message.text.text() == "Exported to out.gpx.")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "Android emulator script…",
            "The emulator gives every position the accuracy of its system image, such as 5 m.",
        ),
        ("Emulator console commands…", "Exported to out. Accuracies left out: 11. The emulator gives every position"),
        ("GPX for Xcode…", "Exported to out. Accuracies left out: 11."),
    ],
)
def test_fields_lost_in_a_format_are_reported(user: User, walk: Path, tmp_path: Path, entry: str, message: str) -> None:
    choose(user, entry, within="Export")
    chooser = dialog(user, QFileDialog)
    chooser.fileSelected.emit(str(tmp_path / "out"))
    chooser.close()
    user.until(lambda: user.window.message.text.text().startswith("Exported to out."))
    assert message in user.window.message.text.text()
    assert not user.window.message.button.isVisible()


def test_updates_sent_by_a_device_become_a_track(user: User) -> None:
    for second in range(3):
        at = NOON + timedelta(seconds=second)
        user.engine.tracking.track(TEST, LocationUpdate("lorry", Point(14.5, 46.05), 20.0 + second, at=at))
    user.until(lambda: any(each.device_id == "lorry" for each in user.window.model.users.all()))
    user.window.actions_.record_track.trigger()
    recording = dialog(user, RecordingDialog)
    user.click(recording.sent)
    user.click(recording.ok)
    user.until(lambda: "has no location update from the device 'lorry'" in recording.field.error.text())
    user.click(recording.kept)
    user.click(recording.ok)
    user.until(lambda: len(user.window.model.simulation.fixes) == 3)
    assert times(user) == [0, 1, 2]
    assert user.window.simulator.accuracy.text() == "As recorded"


def test_updates_of_an_sdk_are_loaded_out_of_the_request_log(user: User) -> None:
    session = user.session
    url = session.url or session.start_endpoint()
    key = user.engine.workspace.keys.value(TEST, KeyLevel.PUBLISHABLE)
    body = {"deviceId": "sdk-1", "latitude": 46.05, "longitude": 14.5, "accuracy": 7, "stopped": True}
    replays = {"replays": [{**body, "updatedAt": (NOON + timedelta(seconds=n)).isoformat()} for n in (0, 9)]}
    sent = httpx.post(f"{url}/v1/track/replay", json=replays, headers={"Authorization": key}, trust_env=False)
    assert sent.status_code == 200
    user.until(lambda: any(each.device_id == "sdk-1" for each in user.window.model.users.all()))
    user.window.actions_.record_track.trigger()
    recording = dialog(user, RecordingDialog)
    user.click(recording.sent)
    user.click(recording.ok)
    user.until(lambda: len(user.window.model.simulation.fixes) == 2)
    assert [(fix.accuracy_m, fix.stopped) for fix in user.window.model.simulation.fixes] == [(7.0, True)] * 2
    assert times(user) == [0, 9]


def test_unreadable_points_are_listed(user: User, tmp_path: Path) -> None:
    file = table(tmp_path / "bad.csv", range(0, 21, 10), "east,46,2026-01-01T12:01:00Z,5\n1\n")
    user.window.tracks.open(file)
    message = user.window.message
    user.until(lambda: message.text.text().startswith("bad.csv was not read in full. Row 5, column lon: 'east'"))
    assert message.text.text().endswith("And 1 more.")
    assert len(user.window.model.simulation.fixes) == 3
    user.click(message.button)
    listed = dialog(user, SkippedDialog)
    assert listed.lines.toPlainText().splitlines() == [
        "row 5, column lon: 'east' is not a number.",
        "row 6: there are 1 cells, but 4 columns in the header.",
    ]
    listed.close()
