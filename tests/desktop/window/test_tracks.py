"""Playing tracks in the window: the events in the table equal the engine's."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.api.wire.event import encode_event
from app.desktop.dialogs.timing import TimingDialog
from app.desktop.model.simulation.status import SimulationState
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.tracking.updates import Event
from engine.simulation.formats.reading import read_track
from tests.along_track import ACCURACY_M, essence, simulated, walk_file, write_fences
from tests.app.program import Program
from tests.desktop.window.user import User
from tests.desktop.window.walks import GPX, write_walk
from tests.engine.fixtures import import_csv

pytestmark = pytest.mark.parts("events", "fences", "form", "list", "selection", "simulator", "status", "tracks")

__all__ = ["walk_file"]

TEST = Environment.TEST


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A track that walks east through the middle of the map, with one fix per second."""
    return write_walk(tmp_path / "walk.gpx", 14.49, 46.05)


@pytest.fixture
def untimed(tmp_path: Path) -> Path:
    """The same track without times."""
    file = tmp_path / "untimed.gpx"
    points = (f'<trkpt lat="46.05" lon="{14.49 + n / 1000:.4f}"></trkpt>' for n in range(21))
    file.write_text(GPX.format(points="\n".join(points)))
    return file


def state(user: User) -> SimulationState:
    return user.window.model.simulation.status.state


def opened(user: User, path: Path) -> None:
    user.window.tracks.open(path)
    user.until(lambda: state(user) is SimulationState.STOPPED)


def play_to_the_end(user: User) -> None:
    speed = user.window.simulator.speed
    speed.setCurrentIndex(speed.count() - 1)
    user.click(user.window.simulator.play)
    user.until(lambda: state(user) is SimulationState.FINISHED, timeout=60_000)


def engine_events(user: User) -> tuple[Event, ...]:
    return user.engine.history.page(TEST, EventQuery(limit=1_000)).items


def shown_events(user: User) -> list[Event]:
    model = user.window.events.model
    return [model.event_at(row) for row in range(model.rowCount())]


def test_a_recorded_track_gives_the_same_events_in_the_table_as_in_the_engine(user: User, walk_file: Path) -> None:
    points = read_track(walk_file).points
    for n, point in enumerate(points[::12]):
        center = (point.point.longitude, point.point.latitude)
        change = GeofenceChange(
            tag=f"tag{n % 3}",
            external_id=str(n),
            description=f"Circle {n}",
            type="circle",
            coordinates=center,
            size=20.0 + 10 * n,
        )
        user.engine.geofences.create(TEST, change)
    opened(user, walk_file)
    play_to_the_end(user)
    user.until(lambda: len(shown_events(user)) == user.engine.history.counts(TEST).events)
    shown, stored = shown_events(user), engine_events(user)
    assert len(stored) > 20
    assert [(e.id, e.type, e.confidence, e.created_at) for e in shown] == [
        (e.id, e.type, e.confidence, e.created_at) for e in stored
    ]
    user.until(lambda: f"{len(stored)} events" in user.window.status.counts.text())


@pytest.mark.slow
def test_the_window_gives_the_same_events_as_the_terminal(user: User, walk_file: Path, tmp_path: Path) -> None:
    """The third of three equal lists. The terminal's equals a client's over HTTP in `test_same_events`."""
    fences = write_fences(tmp_path / "fences.csv", walk_file)
    program = Program(tmp_path / "home")
    assert program.run("import", fences, "--workspace", tmp_path / "terminal").code == 0
    assert import_csv(user.engine, TEST, fences.read_bytes()).failed == 0
    user.window.simulator.accuracy.setValue(ACCURACY_M)
    opened(user, walk_file)
    play_to_the_end(user)
    user.until(lambda: len(shown_events(user)) == user.engine.history.counts(TEST).events)
    played = [essence({**encode_event(event)}) for event in reversed(shown_events(user))]
    assert played == simulated(program, tmp_path / "terminal", walk_file)


def test_a_chosen_event_is_selected_everywhere(user: User, walk: Path) -> None:
    fence = user.given(radius_m=300.0)
    opened(user, walk)
    play_to_the_end(user)
    user.until(lambda: user.window.events.model.rowCount() == 2)
    view = user.window.events.view
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(1, 2)).center())
    selection = user.window.model.selection
    assert selection.event is not None
    assert selection.event.geofence is not None
    assert selection.event.geofence.id == fence.id
    assert user.window.form.fence is not None
    assert user.window.list.view.currentIndex().data() == "Store 1"
    text = [view.model().index(1, column).data() for column in range(5)]
    assert text[1:4] == ["Entered", "Store 1", "phone-1"]


def test_an_event_chosen_on_the_map_is_selected_in_the_table(user: User, walk: Path) -> None:
    user.given(radius_m=300.0)
    opened(user, walk)
    play_to_the_end(user)
    user.until(lambda: user.window.events.model.rowCount() == 2)
    left = shown_events(user)[0]
    user.window.map.event_clicked.emit(left.id)
    assert user.window.events.view.currentIndex().row() == 0
    assert user.window.model.selection.event == left


@pytest.mark.whole_window
def test_a_track_is_played_paused_stepped_and_stopped_by_keys(user: User, walk: Path) -> None:
    opened(user, walk)
    user.press(Qt.Key.Key_Right, on=user.window.simulator.slider)
    user.until(lambda: user.window.simulator.slider.value() == 1)
    user.press(Qt.Key.Key_Space, on=user.window.list.view)
    user.until(lambda: state(user) is SimulationState.PLAYING)
    user.press(Qt.Key.Key_Space, on=user.window.list.view)
    user.until(lambda: state(user) is SimulationState.PAUSED)
    user.click(user.window.simulator.stop)
    user.until(lambda: state(user) is SimulationState.STOPPED)
    assert user.engine.users.page(TEST, UserQuery()).items[0].device_id == "phone-1"


@pytest.mark.whole_window
def test_a_track_played_again_for_the_same_device_warns_that_its_times_are_past(user: User, walk: Path) -> None:
    opened(user, walk)
    note = user.window.simulator.note
    play_to_the_end(user)
    assert not note.isVisible()
    user.click(user.window.simulator.play)
    user.until(lambda: note.text().startswith("21 fixes are older than the last update"))
    assert note.isVisible()
    assert user.engine.users.page(TEST, UserQuery()).items[0].fix.at > read_track(walk).points[-1].at  # type: ignore[operator]
    user.type(user.window.simulator.device, "phone-2")
    user.until(lambda: not note.isVisible())
    play_to_the_end(user)
    assert not note.isVisible()


def test_the_device_and_accuracy_are_sent_and_checked(user: User, walk: Path) -> None:
    opened(user, walk)
    panel = user.window.simulator
    user.type(panel.device, "  ")
    user.type(panel.accuracy, "0")
    user.click(panel.play)
    error = panel._fields["device_id"].error
    user.until(error.isVisible)
    assert state(user) is SimulationState.STOPPED
    user.type(panel.device, "lorry-7")
    user.type(panel.accuracy, "33")
    play_to_the_end(user)
    (sent,) = user.engine.users.page(TEST, UserQuery()).items
    assert (sent.device_id, sent.fix.accuracy_m) == ("lorry-7", 33.0)


def test_the_reported_state_of_a_device_decides_about_its_events(user: User, walk: Path) -> None:
    fence = user.given(radius_m=300.0)
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(stop_detection=True))
    opened(user, walk)
    panel = user.window.simulator
    play_to_the_end(user)
    assert engine_events(user) == (), "it was moving"
    for number, switch in enumerate((panel.stopped, panel.foreground), 2):
        user.until(switch.isEnabled)
        user.type(panel.device, f"phone-{number}")
        user.click(switch)
        assert switch.isChecked()
        play_to_the_end(user)
        sent = next(u for u in user.engine.users.page(TEST, UserQuery()).items if u.device_id == f"phone-{number}")
        assert (sent.fix.stopped, sent.fix.foreground) == (switch is panel.stopped, switch is panel.foreground)
        assert "user.entered_geofence" in {event.type for event in engine_events(user) if event.user.id == sent.id}
        user.until(switch.isEnabled)
        user.click(switch)
    user.click(panel.foreground)
    opened(user, walk)
    assert panel.foreground.isChecked(), "the next track is played the same way"


def test_a_track_without_times_requires_them_and_guesses_nothing(user: User, untimed: Path) -> None:
    user.window.tracks.open(untimed)
    user.until(lambda: isinstance(QApplication.activeModalWidget(), TimingDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, TimingDialog)
    assert user.window.model.simulation.track is None
    assert not dialog.ok.isEnabled()
    assert not dialog.recorded.isEnabled()
    user.type(dialog.speed, "0", enter=False)
    QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    assert "greater than 0 km/h" in dialog.speed_field.error.text()
    user.type(dialog.speed, "36", enter=False)
    QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    user.until(lambda: state(user) is SimulationState.STOPPED)
    assert len(user.window.model.simulation.fixes) == 21


def test_a_start_is_in_the_local_time_of_the_first_point(user: User, tmp_path: Path) -> None:
    """New York, regardless of the machine's time zone: five hours behind UTC in winter, four in summer."""
    file = tmp_path / "new-york.gpx"
    point = '<trkpt lat="40.71" lon="{}"><time>2026-02-03T12:00:0{}.250Z</time></trkpt>'
    file.write_text(GPX.format(points=point.format(-74.0, 0) + point.format(-73.99, 1)))
    opened(user, file)
    simulation = user.window.model.simulation
    starts: list[str] = []
    for typed, zone in (("2026-07-01 09:30:00", "EDT"), ("2026-12-01 23:00:00", "EST")):
        user.click(user.window.simulator.timing)
        user.until(lambda: isinstance(QApplication.activeModalWidget(), TimingDialog))
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, TimingDialog)
        assert dialog.start_recorded.text() == "As recorded, 2026-02-03 07:00:00 EST"
        assert dialog.start_recorded.toolTip() == "2026-02-03T07:00:00.250-05:00 America/New_York"
        if starts:
            assert dialog.start.text() == "2026-07-01 09:30:00", "what was chosen before"
        user.click(dialog.start_at)
        for number, section in enumerate(typed.replace("-", " ").replace(":", " ").split()):
            dialog.start.setSelectedSection(dialog.start.sectionAt(number))
            QTest.keyClicks(dialog.start, section)
        assert dialog.start.text() == typed
        assert dialog.start_field.findChildren(QLabel)[0].text() == f"Date and time, {zone}"
        QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
        user.until(lambda: QApplication.activeModalWidget() is None)
        starts.append(simulation.fixes[0].at.isoformat())
    assert starts == ["2026-07-01T13:30:00+00:00", "2026-12-02T04:00:00+00:00"]


def test_a_file_without_a_track_is_reported(user: User, tmp_path: Path) -> None:
    file = tmp_path / "broken.gpx"
    file.write_text("this is not XML")
    user.window.tracks.open(file)
    user.until(user.window.message.isVisible)
    assert "broken.gpx" in user.window.message.text.text()


def test_updates_over_the_engine_move_devices_and_fill_the_table(user: User) -> None:
    """Updates through the API are shown like those of the simulator."""
    from engine.domain.geometry import Point
    from engine.domain.tracking.updates import LocationUpdate

    user.given()
    for longitude in (14.4, 14.5):
        user.engine.tracking.track(TEST, LocationUpdate("elsewhere", Point(longitude, 46.05), 10.0))
    user.until(lambda: user.window.events.model.rowCount() == 1)
    assert shown_events(user)[0].user.device_id == "elsewhere"
