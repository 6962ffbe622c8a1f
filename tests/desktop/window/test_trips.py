"""A trip in the window: started and completed by the simulator, and shown with its user, its events and its route."""

from __future__ import annotations

from pathlib import Path
from threading import Event as Gate

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desktop.model.simulation.status import SimulationState
from engine.domain.environment import Environment
from engine.domain.queries import EventQuery
from engine.domain.tracking.trips import DestinationChange, TripChange, TripQuery, TripStatus
from engine.domain.tracking.updates import Event, EventType
from tests.desktop.window.user import User
from tests.desktop.window.walks import write_walk
from tests.engine.trips.routers import held_routes

pytestmark = pytest.mark.parts("events", "list", "selection", "simulator", "tracks", "user")

TEST = Environment.TEST


def trip_events(user: User) -> list[Event]:
    page = user.engine.history.page(TEST, EventQuery(limit=1_000))
    return [event for event in reversed(page.items) if event.trip is not None]


def play_to_the_end(user: User) -> None:
    simulator = user.window.simulator
    simulator.speed.setCurrentIndex(simulator.speed.count() - 1)
    user.click(simulator.play)
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.FINISHED, timeout=60_000)


def test_the_simulator_goes_on_a_trip_to_the_selected_geofence(user: User, tmp_path: Path) -> None:
    fence = user.given()
    simulator = user.window.simulator
    user.window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.49, 46.05))
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.STOPPED)
    assert not simulator.trip.isEnabled()
    user.select(fence)
    user.until(simulator.trip.isEnabled)
    assert fence.description in simulator.trip.toolTip()
    user.click(simulator.trip)
    for _ in range(2):  # each run is a separate trip
        play_to_the_end(user)
    user.until(lambda: len(trip_events(user)) >= 6)
    trips = user.engine.trips.page(TEST, TripQuery()).items
    assert [trip.status for trip in trips] == [TripStatus.COMPLETED, TripStatus.COMPLETED]
    assert len({trip.external_id for trip in trips}) == 2
    kinds = [event.type for event in trip_events(user) if event.trip and event.trip.id == trips[1].id]
    assert [kind for kind in kinds if kind != EventType.UPDATED_TRIP] == [
        EventType.STARTED_TRIP,
        EventType.APPROACHING_TRIP_DESTINATION,
        EventType.ARRIVED_AT_TRIP_DESTINATION,
        EventType.STOPPED_TRIP,
    ]
    user.until(simulator.trip.isEnabled)
    user.click(simulator.trip)
    before = len(trip_events(user))
    play_to_the_end(user)
    assert len(trip_events(user)) == before


@pytest.mark.whole_window
def test_a_trip_under_way_is_shown_with_its_user_and_on_the_map(user: User, tmp_path: Path) -> None:
    fence = user.given()
    change = TripChange(external_id="order-7", device_id="phone-1", destination=DestinationChange(geofence_id=fence.id))
    user.engine.trips.create(TEST, change)
    user.window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.49, 46.05))
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.STOPPED)
    user.click(user.window.simulator.step)
    panel = user.window.user
    user.until(lambda: panel.choice.count() == 1)
    user.window.docks.bring(user.window.docks.user)
    panel.choice.setFocus()
    QTest.keyClick(panel.choice, Qt.Key.Key_Down)
    user.until(lambda: "Trip" in panel.facts.texts())
    facts = user.window.user.facts.texts()
    assert facts["Trip"].startswith("order-7, ")
    assert facts["Destination"] == f"{fence.tag} / {fence.external_id}"
    assert " m" in facts["ETA"]
    events = user.window.events.model
    user.until(lambda: "order-7" in [events.index(0, column).data() for column in range(events.columnCount())])
    user.engine.trips.update(TEST, "order-7", TripChange(status=TripStatus.CANCELED))
    user.until(lambda: "Trip" not in panel.facts.texts())


@pytest.mark.whole_window
def test_a_route_that_comes_too_late_is_reported(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fence = user.given()
    user.engine.trips.create(
        TEST,
        TripChange(external_id="order-7", device_id="phone-1", destination=DestinationChange(geofence_id=fence.id)),
    )
    simulator, simulation = user.window.simulator, user.window.model.simulation
    user.window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.46, 46.05))
    user.until(lambda: simulation.status.state is SimulationState.STOPPED)
    with held_routes(monkeypatch):
        for _ in range(3):
            user.click(simulator.step)
        words = "2 fixes sent without the route of the trip: it was not found within 5 s."
        user.until(lambda: simulator.note.isVisible() and simulator.note.text() == words)
    assert "another run may have other events" in simulator.note.toolTip()
    user.click(simulator.stop)
    user.until(lambda: not simulator.note.isVisible())


def test_the_trips_of_a_fleet_do_not_make_it_read_everything_for_each(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.idle()
    history, reads, go_on = user.engine.history, list[int](), Gate()
    newest = history.newest

    def slow(environment: Environment, count: int) -> tuple[Event, ...]:
        reads.append(count)
        go_on.wait(120)
        return newest(environment, count)

    monkeypatch.setattr(history, "newest", slow)
    for number in range(8):
        user.engine.trips.create(TEST, TripChange(external_id=f"order-{number}", device_id=f"phone-{number}"))
        user.window.model._feed.flush()
    go_on.set()
    user.until(lambda: len(reads) > 1)
    user.idle()
    assert len(reads) == 2, "the one under way, and one for all that came meanwhile"
