"""A session of the window saved as a scenario, which passes immediately."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit

from app.desktop.model.simulation.sender import Timing
from app.desktop.model.simulation.status import SimulationState
from app.lab.files.reading import read_scenario
from app.lab.results import Status
from app.lab.saving import save_scenario
from app.lab.testing import run_file
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.queries import EventQuery
from engine.domain.routing import Directions, RouteOptions
from engine.domain.settings import SettingsChange
from engine.routing.areas import AreaRouter
from tests.desktop.window.user import User
from tests.desktop.window.walks import write_drive, write_walk

pytestmark = pytest.mark.parts("commands", "list", "selection", "simulator", "tracks")

TEST = Environment.TEST
START_OF_DAY = datetime(2026, 3, 2, tzinfo=UTC)


def save_as(user: User, file: Path) -> None:
    """Choose the action, and enter the name of the file like a user."""
    user.window.actions_.save_scenario.trigger()
    found: list[QFileDialog] = []

    def there() -> bool:
        found[:] = [w for w in QApplication.topLevelWidgets() if isinstance(w, QFileDialog) and w.isVisible()]
        return bool(found)

    user.until(there)
    name = found[0].findChild(QLineEdit)
    assert name is not None
    assert name.text().endswith(".fence.yaml")
    name.setText(str(file))
    box = found[0].findChild(QDialogButtonBox)
    assert box is not None
    user.click(box.button(QDialogButtonBox.StandardButton.Save))


@pytest.mark.slow
def test_a_played_track_is_saved_as_a_scenario_that_passes(user: User, tmp_path: Path) -> None:
    user.given(radius_m=300.0)
    user.engine.settings.change(TEST, SettingsChange(minimum_confidence=2, dwell_event=True))
    window = user.window
    window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.49, 46.05))
    user.until(lambda: window.model.simulation.status.state is SimulationState.STOPPED)
    window.simulator.speed.setCurrentIndex(window.simulator.speed.count() - 1)
    user.click(window.simulator.play)
    user.until(lambda: window.model.simulation.status.state is SimulationState.FINISHED, timeout=60_000)
    save_as(user, tmp_path / "walk")
    user.until(lambda: "Saved walk.fence.yaml, which expects" in window.message.text.text())
    file = tmp_path / "walk.fence.yaml"
    assert {event.type for event in read_scenario(file).body.expect.events or ()} >= {"user.entered_geofence"}
    result = run_file(file)
    assert result.status is Status.PASSED, (result.failures, result.faults)
    assert result.fixes == len(window.model.simulation.fixes)
    assert window.message.text.text().endswith("events.")


def test_saving_during_playback_warns(user: User, tmp_path: Path) -> None:
    user.given(radius_m=300.0)
    window = user.window
    window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.49, 46.05))
    user.until(lambda: window.model.simulation.status.state is SimulationState.STOPPED)
    save_as(user, tmp_path / "before")
    user.until(lambda: "The track has not been played since it was loaded." in window.message.text.text())
    for number in range(1, 4):
        window.actions_.step.trigger()
        user.until(lambda last=number - 1: window.model.simulation.accepted_at(last) is not None)  # type: ignore[misc]
    save_as(user, tmp_path / "walk")
    user.until(lambda: "not played to its end: only 3 of 21 fixes are in it" in window.message.text.text())
    result = run_file(tmp_path / "walk.fence.yaml")
    assert (result.status, result.fixes) == (Status.PASSED, 3), (result.failures, result.faults)


def test_a_track_that_is_played_at_another_time_is_mentioned(user: User, tmp_path: Path) -> None:
    window, simulation = user.window, user.window.model.simulation
    window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.49, 46.05))
    user.until(lambda: simulation.status.state is SimulationState.STOPPED)
    assert simulation.track is not None
    simulation.load(simulation.track, Timing(start=START_OF_DAY), START_OF_DAY)
    save_as(user, tmp_path / "walk")
    user.until(lambda: "and is played at 2026-03-02 01:00:00 CET: operating hours" in window.message.text.text())
    recorded = read_scenario(tmp_path / "walk.fence.yaml").body.devices[0].track.recorded
    assert recorded == simulation.track.points[0].at


def test_without_a_track_it_offers_to_open_one(user: User) -> None:
    user.window.model.simulation.unload()
    user.window.actions_.save_scenario.trigger()
    user.until(lambda: "A scenario needs a track." in user.window.message.text.text())


START, END, ELSEWHERE = Point(24.9357, 60.1692), Point(24.9531, 60.1732), Point(24.9300, 60.1650)


def drive(user: User, file: Path) -> Path:
    """Write a drive to `END`, with a fix per minute, which leaves its route once."""
    way = user.engine.routing.directions((START, END), Directions(RouteOptions()))[0].line
    along = [Point(*way[len(way) * part // 8]) for part in range(8)]
    return write_drive(file, [*along[:4], ELSEWHERE, *along[4:], END])


def trip_events(user: User) -> list[tuple[str, object]]:
    page = user.engine.history.page(TEST, EventQuery(limit=1_000))
    return [(event.type, event.trip.eta) for event in reversed(page.items) if event.trip is not None]


@pytest.mark.slow
def test_a_trip_that_was_played_passes_as_saved_20_of_20_times(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finding a route takes no time, part of the time between two updates, or several updates, in the window and the
    lab."""
    delays, directions = Random(3), AreaRouter.directions

    def slow(router: AreaRouter, locations: Sequence[Point], options: Directions) -> Any:
        sleep(delays.choice((0.0, 0.002, 0.03)))
        return directions(router, locations, options)

    monkeypatch.setattr(AreaRouter, "directions", slow)
    window, simulation = user.window, user.window.model.simulation
    change = GeofenceChange(
        tag="store",
        external_id="1",
        description="Store",
        type="circle",
        coordinates=(END.longitude, END.latitude),
        size=60.0,
        trip_approaching_threshold_s=60.0,
    )
    fence = user.engine.geofences.create(TEST, change)
    user.until(lambda: window.model.fences.get(fence.id) is not None)
    window.tracks.open(drive(user, tmp_path / "drive.gpx"))
    user.until(lambda: simulation.status.state is SimulationState.STOPPED)
    window.simulator.speed.setCurrentIndex(window.simulator.speed.count() - 1)
    user.select(fence)
    user.until(window.simulator.trip.isEnabled)
    user.click(window.simulator.trip)
    first: list[tuple[str, object]] = []
    for number in range(20):
        user.engine.history.clear_test_data()
        user.click(window.simulator.replay)
        user.until(lambda: simulation.status.state is SimulationState.FINISHED, timeout=60_000)
        assert simulation.status.unrouted == 0
        played = trip_events(user)
        first = first or played
        assert played == first, number
        recording = simulation.recording()
        assert recording is not None
        file = tmp_path / f"drive-{number}.fence.yaml"
        assert save_scenario(user.engine, file, TEST, recording).events > len(first)
        result = run_file(file)
        assert result.status is Status.PASSED, (number, result.failures, result.faults)
        simulation.stop()
    kinds = [kind for kind, _ in first]
    assert (kinds[0], kinds[-1]) == ("user.started_trip", "user.stopped_trip")
    assert {"user.updated_trip", "user.arrived_at_trip_destination"} < set(kinds)
