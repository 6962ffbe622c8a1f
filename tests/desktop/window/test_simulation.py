"""Simulated devices in the window: noise, tracks along roads, and fleets, in the bundled area."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QProgressBar

from app.desktop.dialogs.simulation.noise import NoiseDialog
from app.desktop.model.simulation.status import SimulationState
from app.desktop.panels.simulation.phone import NO_NOISE, OWN_NOISE
from engine.areas.library import BUNDLED
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.travel import TravelMode
from engine.simulation.fleet.fleet import FleetState
from engine.simulation.noise.apply import noisy
from engine.simulation.noise.model import PRESETS
from engine.simulation.phone import EXACT
from engine.store.workspace import MEMORY
from tests.desktop.window.user import User
from tests.desktop.window.walks import write_walk

pytestmark = pytest.mark.parts("areas", "simulation", "simulator", "status", "tracks", "undoing", "workspaces")

TEST = Environment.TEST
STATION, KAMPPI, BAY = (24.9414, 60.1719), (24.9400, 60.1690), (25.3, 60.1719)


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A track that walks east through the middle of the map, with one fix per second."""
    return write_walk(tmp_path / "walk.gpx", 14.49, 46.05)


@pytest.fixture
def in_helsinki(user: User) -> None:
    """Show the bundled area."""
    if not (BUNDLED / "helsinki").is_dir():
        pytest.skip("the bundled area has not been built; the setup does it")
    user.window.map.show_point(*STATION, zoom=15)
    user.until(lambda: bool(user.window.areas.areas.in_use))


def opened(user: User, path: Path) -> None:
    user.window.tracks.open(path)
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.STOPPED)


def choose(user: User, box: QComboBox, text: str) -> None:
    """Choose an entry of a list with the keyboard."""
    user.until(box.isEnabled)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findText(text)):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text


def play_to_the_end(user: User) -> None:
    speed = user.window.simulator.speed
    speed.setCurrentIndex(speed.count() - 1)
    user.click(user.window.simulator.play)
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.FINISHED, timeout=60_000)


def test_noise_is_chosen_with_its_seed_and_sent(user: User, walk: Path) -> None:
    opened(user, walk)
    simulation, row = user.window.model.simulation, user.window.simulator.phone
    exact = simulation.exact
    assert simulation.fixes == exact
    choose(user, row.noise, "City canyon")
    user.until(lambda: simulation.phone.noise == PRESETS["city-canyon"])
    assert simulation.fixes == noisy(exact, PRESETS["city-canyon"], 0)
    user.type(row.seed, "7")
    user.until(lambda: simulation.phone.seed == 7)
    assert simulation.fixes == noisy(exact, PRESETS["city-canyon"], 7)
    assert not user.window.simulator.accuracy.isEnabled(), "the noise says the accuracy of each fix"
    play_to_the_end(user)
    (seen,) = user.engine.users.page(TEST, UserQuery()).items
    assert seen.fix.accuracy_m == simulation.fixes[-1].accuracy_m
    assert seen.fix.point == simulation.fixes[-1].point
    choose(user, row.noise, "No noise")
    user.until(lambda: simulation.fixes == exact)
    assert user.window.simulator.accuracy.isEnabled()


def test_the_parts_of_noise_can_be_changed(user: User, walk: Path) -> None:
    opened(user, walk)
    simulation, row = user.window.model.simulation, user.window.simulator.phone
    user.click(row.more)
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, NoiseDialog) and each.isVisible())
    user.type(dialog.boxes["error_m"], "0", enter=False)
    user.press(Qt.Key.Key_Return, on=dialog.buttons.buttons()[0])
    dialog.accept()
    assert "from 0.01 to 10000" in dialog.fields["error_m"].error.text()
    user.type(dialog.boxes["error_m"], "42", enter=False)
    user.type(dialog.boxes["outlier_share"], "12.5", enter=False)
    dialog.accept()
    user.until(lambda: simulation.phone.noise is not None)
    assert simulation.phone.noise is not None
    assert (simulation.phone.noise.error_m, simulation.phone.noise.outlier_share) == (42, 0.125)
    assert row.noise.currentText() == OWN_NOISE


def test_noise_that_a_track_cannot_have_is_reported_and_not_shown_as_present(
    user: User, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(user, walk)
    simulation, row = user.window.model.simulation, user.window.simulator.phone

    def refuse(*_: object) -> None:
        raise InvalidParameter("gap_s", "gap_s: leaves nothing of the track.")

    monkeypatch.setattr("engine.simulation.phone.noisy", refuse)
    choose(user, row.noise, "City canyon")
    user.until(lambda: "leaves nothing of the track" in user.window.message.text.text())
    assert simulation.phone == EXACT
    assert row.noise.currentText() == NO_NOISE
    monkeypatch.undo()
    choose(user, row.noise, "City canyon")
    user.until(lambda: simulation.phone.noise == PRESETS["city-canyon"])


def test_motion_is_derived_and_a_new_track_is_carried_by_the_same_phone(user: User, walk: Path, tmp_path: Path) -> None:
    opened(user, walk)
    simulation, row = user.window.model.simulation, user.window.simulator.phone
    user.click(row.motion)
    user.until(lambda: simulation.phone.motion is not None)
    assert {fix.stopped for fix in simulation.fixes} == {False}
    other = write_walk(tmp_path / "other.gpx", 14.50, 46.05)
    user.window.tracks.open(other)
    user.until(lambda: simulation.track is not None and simulation.track.name == "other.gpx")
    user.until(lambda: simulation.phone.motion is not None)
    assert row.motion.isChecked()
    user.click(row.motion)
    user.until(lambda: simulation.phone == EXACT)


@pytest.mark.slow
@pytest.mark.usefixtures("in_helsinki")
def test_a_track_is_routed_by_clicks_and_typed_waypoints(user: User) -> None:
    window = user.window
    routes, panel, simulation = window.simulation.routes, window.simulation.routes.panel, window.model.simulation
    window.actions_.route_track.trigger()
    user.until(panel.isVisible)
    user.click(panel.modes.buttons[list(TravelMode).index(TravelMode.FOOT)])
    user.hand.click(STATION)
    user.until(lambda: len(panel.points) == 1)
    assert not panel.finish_button.isEnabled()
    user.hand.click(KAMPPI)
    user.until(lambda: len(panel.points) == 2)
    user.until(panel.finish_button.isEnabled)
    assert "fixes" in panel.note.text()
    user.type(panel.typed, "60.5, 26.5")
    user.until(lambda: len(panel.points) == 3)
    user.until(lambda: routes.answered and "no road" in panel.note.text())
    assert "item 3 (60.5,26.5) has no road for foot near it" in panel.note.text()
    assert not panel.finish_button.isEnabled()
    panel.table.selectRow(2)
    user.click(panel.remove_button)
    user.until(panel.finish_button.isEnabled)
    item = panel.table.item(1, 1)
    assert item is not None
    item.setText("90")
    user.until(lambda: routes.answered and panel.finish_button.isEnabled())
    user.click(panel.finish_button)
    user.until(lambda: simulation.track is not None)
    assert simulation.track is not None
    assert not panel.isVisible()
    assert window.map.tool == "select"
    assert sum(bool(point.stopped) for point in simulation.track.points) in (90, 91)
    play_to_the_end(user)
    (seen,) = user.engine.users.page(TEST, UserQuery()).items
    assert seen.fix.stopped


@pytest.mark.usefixtures("in_helsinki")
def test_a_route_is_given_up_with_escape_and_the_track_comes_back(user: User, walk: Path) -> None:
    opened(user, walk)
    user.window.map.show_point(*STATION, zoom=15)
    user.window.actions_.route_track.trigger()
    panel = user.window.simulation.routes.panel
    user.until(panel.isVisible)
    user.hand.click(STATION)
    user.until(lambda: len(panel.points) == 1)
    user.hand.press(Qt.Key.Key_Escape)
    user.until(lambda: not panel.isVisible())
    track = user.window.model.simulation.track
    assert track is not None
    assert track.name == "walk.gpx"


@pytest.mark.slow
@pytest.mark.usefixtures("in_helsinki")
def test_a_fleet_goes_to_geofences_and_is_shown_meanwhile(user: User) -> None:
    change = GeofenceChange(
        tag="store", external_id="kamppi", description="Kamppi", type="circle", coordinates=KAMPPI, size=100
    )
    user.engine.geofences.create(TEST, change)
    user.until(lambda: bool(user.window.model.fences.tags()))
    window, dialog = user.window, user.window.simulation.fleets.dialog
    window.actions_.fleet.trigger()
    user.until(dialog.isVisible)
    user.type(dialog.devices, "0", enter=False)
    user.click(dialog.start)
    assert "from 1 to 2,000" in dialog.fields["devices"].error.text()
    user.type(dialog.devices, "4", enter=False)
    user.type(dialog.reach, "0.8", enter=False)
    user.type(dialog.interval, "20", enter=False)
    choose(user, dialog.destination, "Geofences with the tag store")
    choose(user, dialog.mode, "Foot")
    choose(user, dialog.speed, "As fast as possible")
    user.click(dialog.trips)
    user.click(dialog.start)
    user.until(lambda: "Finished" in dialog.state.text(), timeout=60_000)
    events = user.engine.history.page(TEST, EventQuery(limit=1_000)).items
    arrived = {event.user.device_id for event in events if event.type == "user.arrived_at_trip_destination"}
    assert arrived == {f"fleet-{number}" for number in range(1, 5)}
    assert f"{len(events)} events" in dialog.rate.text()
    assert dialog.start.isEnabled()


@pytest.mark.usefixtures("in_helsinki")
def test_a_fleet_is_stopped_in_the_dialog_and_in_the_status_line(user: User) -> None:
    window, dialog = user.window, user.window.simulation.fleets.dialog
    task = window.status.task
    window.actions_.fleet.trigger()
    user.until(dialog.isVisible)
    user.type(dialog.devices, "3", enter=False)
    for stop, loops in ((dialog.stop, True), (task.cancel, False)):
        user.click(dialog.loop)
        user.click(dialog.start)
        user.until(lambda: "Running" in dialog.state.text() and task.text.text() == "Fleet of 3 devices")
        assert not dialog.start.isEnabled()
        # The first update may arrive a moment after the start.
        user.until(lambda: bool(user.engine.users.page(TEST, UserQuery()).items))
        # The progress bar follows the time, since devices that arrive close together would say little about the rest.
        user.until(partial(_shows_progress, task.bar, endless=loops))
        user.click(stop)
        user.until(lambda: "Stopped" in dialog.state.text())
        user.until(lambda: not task.isVisible())


def _shows_progress(bar: QProgressBar, *, endless: bool) -> bool:
    return bar.maximum() == 0 if endless else bar.maximum() >= 60


@pytest.mark.slow
@pytest.mark.usefixtures("in_helsinki")
def test_a_fleet_ends_with_its_workspace(user: User) -> None:
    window, dialog = user.window, user.window.simulation.fleets.dialog
    window.actions_.fleet.trigger()
    user.until(dialog.isVisible)
    user.type(dialog.devices, "3", enter=False)
    user.click(dialog.loop)
    choose(user, dialog.speed, "As fast as possible")
    user.click(dialog.start)
    user.until(lambda: "Running" in dialog.state.text())
    before = user.session
    window.workspaces.open(MEMORY)
    user.until(lambda: window.model.session is not before and "Stopped" in dialog.state.text())
    user.until(lambda: not window.status.task.isVisible())
    user.click(dialog.start)
    user.until(lambda: "Running" in dialog.state.text())
    # The window is closed while the fleet is running. The fleet must end before the workspace.
    fleet = window.simulation.fleets.fleet
    assert fleet is not None
    window.finish()
    user.until(lambda: window.model.session is not None and fleet.wait(0), timeout=60_000)
    assert (fleet.status.state, fleet.status.error) == (FleetState.STOPPED, None)
