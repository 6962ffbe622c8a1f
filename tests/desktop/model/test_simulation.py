"""The simulation: loading, position, and control."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event as Flag

import pytest

from app.desktop.model.simulation.sender import Demonstration, Sender, Timing
from app.desktop.model.simulation.simulation import Simulation
from app.desktop.model.simulation.status import SimulationState
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.tracking.updates import UNKNOWN_DEVICE, Fix, LocationUpdate, TrackResult, User
from tests.desktop.model.values import START


def result(update: LocationUpdate, at: datetime) -> TrackResult:
    fix = Fix(update.point, update.accuracy_m, at)
    return TrackResult(
        User("u", Environment.TEST, update.device_id, None, None, NO_METADATA, fix, UNKNOWN_DEVICE, None, at, at), ()
    )


def track(count: int = 5, *, timed: bool = True) -> Track:
    points = (
        TrackPoint(Point(14.5 + n / 1000, 46.0), START + timedelta(seconds=n) if timed else None) for n in range(count)
    )
    return Track("walk.gpx", tuple(points))


@dataclass
class Receiver:
    """Receives updates, and signals when something happened."""

    updates: list[LocationUpdate] = field(default_factory=list)
    happened: Flag = field(default_factory=Flag)
    refuse: bool = False
    last: datetime | None = None

    def send(self, update: LocationUpdate) -> TrackResult:
        if self.refuse:
            raise OSError("the disk is full")
        self.updates.append(update)
        assert update.at is not None
        later = self.last is not None and update.at < self.last
        return result(update, START + timedelta(days=1) if later else update.at)


@dataclass
class Bench:
    """A simulation that ends replaced players immediately."""

    receiver: Receiver
    simulation: Simulation

    def until(self, ready: Callable[[], bool]) -> None:
        flag = self.receiver.happened
        while not ready():
            assert flag.wait(60), self.simulation.status
            flag.clear()

    def state(self) -> SimulationState:
        return self.simulation.status.state


@pytest.fixture
def bench() -> Iterator[Bench]:
    receiver = Receiver()
    simulation = Simulation(lambda end: end())
    simulation.progressed.connect(receiver.happened.set)
    simulation.send_to(receiver.send)
    simulation.set_speed(None)
    yield Bench(receiver, simulation)
    simulation.unload()


def test_a_track_plays_to_its_end_and_again_from_its_start(bench: Bench) -> None:
    simulation = bench.simulation
    assert bench.state() is SimulationState.EMPTY
    simulation.load(track(), Timing(), START)
    assert bench.state() is SimulationState.STOPPED
    for rounds in (1, 2):
        simulation.play()
        bench.until(lambda: bench.state() is SimulationState.FINISHED)
        assert len(bench.receiver.updates) == 5 * rounds
    assert simulation.status.at == START + timedelta(seconds=4)


def test_stepping_sends_one_and_stopping_goes_back(bench: Bench) -> None:
    simulation = bench.simulation
    simulation.load(track(), Timing(), START)
    simulation.step()
    bench.until(lambda: len(bench.receiver.updates) == 1 and simulation.status.position == 1)
    assert bench.state() is SimulationState.PAUSED
    simulation.seek(3)
    assert simulation.status.position == 3
    simulation.stop()
    assert (bench.state(), simulation.status.position) == (SimulationState.STOPPED, 0)


def test_another_device_continues_from_the_position_in_the_track(bench: Bench) -> None:
    simulation = bench.simulation
    simulation.load(track(), Timing(), START)
    simulation.seek(3)
    simulation.configure(Sender("lorry", 50.0))
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FINISHED)
    assert [(update.device_id, update.accuracy_m) for update in bench.receiver.updates] == [("lorry", 50.0)] * 2


def test_another_device_after_the_end_begins_at_the_start(bench: Bench) -> None:
    simulation = bench.simulation
    simulation.load(track(), Timing(), START)
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FINISHED)
    simulation.configure(Sender("lorry"))
    assert (bench.state(), simulation.status.position) == (SimulationState.STOPPED, 0)
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FINISHED)
    assert [update.device_id for update in bench.receiver.updates[5:]] == ["lorry"] * 5


def test_a_device_stops_in_the_middle_of_the_track_and_stays_so_on_the_next(bench: Bench) -> None:
    simulation = bench.simulation
    simulation.load(track(), Timing(), START)
    simulation.step()
    bench.until(lambda: len(bench.receiver.updates) == 1 and simulation.status.position == 1)
    simulation.configure(Sender(stopped=True))
    assert simulation.status.position == 1
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FINISHED)
    assert [update.stopped for update in bench.receiver.updates] == [None, True, True, True, True]
    assert not any(update.foreground for update in bench.receiver.updates)
    simulation.load(track(2), Timing(), START)
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FINISHED)
    assert [update.stopped for update in bench.receiver.updates[5:]] == [True, True]


@pytest.mark.parametrize(("device", "accuracy", "param"), [(" ", 10.0, "device_id"), ("a", 0.0, "accuracy")])
def test_an_invalid_field_of_a_device_is_named(bench: Bench, device: str, accuracy: float, param: str) -> None:
    bench.simulation.load(track(), Timing(), START)
    with pytest.raises(InvalidParameter) as refused:
        bench.simulation.configure(Sender(device, accuracy))
    assert refused.value.param == param
    assert bench.simulation.device == "phone-1"


def test_a_track_without_times_needs_a_speed(bench: Bench) -> None:
    with pytest.raises(InvalidParameter) as refused:
        bench.simulation.load(track(timed=False), Timing(), START)
    assert refused.value.param == "assume_speed_kmh"
    assert bench.simulation.track is None
    bench.simulation.load(track(timed=False), Timing(assume_speed_kmh=36.0), START)
    assert bench.simulation.fixes[0].at == START
    assert bench.simulation.fixes[1].at > START


def test_an_error_of_the_engine_stops_and_is_shown_until_it_continues(bench: Bench) -> None:
    simulation = bench.simulation
    simulation.load(track(), Timing(), START)
    bench.receiver.refuse = True
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FAILED and simulation.status.error is not None)
    assert str(simulation.status.error) == "the disk is full"
    bench.receiver.refuse = False
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FINISHED)
    assert len(bench.receiver.updates) == 5


def test_sending_elsewhere_ends_playing(bench: Bench) -> None:
    bench.simulation.load(track(), Timing(), START)
    bench.simulation.seek(2)
    bench.simulation.send_to(None)
    assert bench.simulation.status.position == 0


def test_fixes_that_got_the_present_time_are_counted_for_each_run(bench: Bench) -> None:
    simulation = bench.simulation
    simulation.load(track(), Timing(), START)
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FINISHED)
    assert simulation.status.retimed == 0
    bench.receiver.last = START + timedelta(seconds=3)
    simulation.play()
    bench.until(lambda: bench.state() is SimulationState.FINISHED)
    assert simulation.status.retimed == 3
    simulation.stop()
    assert simulation.status.retimed == 0


def test_a_demonstration_is_for_test_and_leaves_the_users_own_device_as_it_was(bench: Bench) -> None:
    simulation, own = bench.simulation, Sender("tablet-3", 25.0, stopped=True)
    simulation.configure(own)
    simulation.load(track(), Timing(), START, Demonstration(Sender("lorry-7", 5_000.0), 600.0))
    assert (simulation.sender, simulation.speed) == (Sender("lorry-7", 5_000.0), 600.0)
    simulation.configure(Sender("lorry-8", 5_000.0))
    simulation.send_to(bench.receiver.send, live=True)
    playable = [simulation.playable]
    for act in (simulation.play, simulation.step):
        with pytest.raises(RuntimeError):
            act()
    assert bench.receiver.updates == []
    simulation.load(track(), Timing(), START)
    playable.append(simulation.playable)
    assert playable == [False, True]
    assert (simulation.sender, simulation.speed) == (own, None)
    simulation.step()
    bench.until(lambda: len(bench.receiver.updates) == 1)
    assert bench.receiver.updates[0].device_id == "tablet-3"
