"""One thread sends the updates of all devices when they are due, and no faster than the engine takes them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from threading import Condition, Event, active_count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate
from engine.simulation.fleet.fleet import BATCH, Fleet, FleetState, FleetStatus
from engine.simulation.fleet.updates import Due

START = datetime(2026, 1, 1, tzinfo=UTC)


def due(device: str, *seconds: float) -> list[Due]:
    point = Point(14.3, 45.7)
    return [(at, LocationUpdate(device, point, 10.0, at=START + timedelta(seconds=at))) for at in seconds]


@dataclass
class FakeTime:
    """A time source that only advances by waiting and sending."""

    moment: float = 0.0

    def now(self) -> float:
        return self.moment

    def wait(self, condition: Condition, seconds: float | None) -> None:
        assert seconds is not None
        self.moment += max(seconds, 1e-6)


@dataclass
class Engine:
    """An engine that takes updates, each in `cost_s`."""

    time: FakeTime
    cost_s: float = 0.0
    refuse: Callable[[LocationUpdate], bool] = lambda _update: False
    sent: list[tuple[float, LocationUpdate]] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)

    def send(self, updates: Sequence[LocationUpdate]) -> list[int | BaseException]:
        assert len({update.device_id for update in updates}) == len(updates) <= BATCH
        self.batches.append(len(updates))
        self.sent += [(self.time.moment, update) for update in updates]
        self.time.moment += self.cost_s * len(updates)
        return [InvalidParameter("a", "no") if self.refuse(update) else 2 for update in updates]


def ended(fleet: Fleet) -> FleetStatus:
    fleet.start()
    assert fleet.wait(30)
    return fleet.status


times = st.lists(st.floats(0, 500), min_size=1, max_size=8).map(sorted)


@given(st.lists(times, min_size=1, max_size=6), st.sampled_from([None, 0.5, 1.0, 60.0]))
def test_every_update_is_sent_once_in_order_and_not_before_it_is_due(
    devices: list[list[float]], speed: float | None
) -> None:
    time = FakeTime()
    engine = Engine(time)
    fleet = Fleet(
        engine.send,
        [due(f"d{number}", *seconds) for number, seconds in enumerate(devices)],
        speed=speed,
        timekeeper=time,
    )
    status = ended(fleet)
    assert status.state is FleetState.FINISHED
    assert (status.sent, status.events) == (len(engine.sent), 2 * len(engine.sent))
    for number, seconds in enumerate(devices):
        own = [(at, update) for at, update in engine.sent if update.device_id == f"d{number}"]
        assert [update for _, update in own] == [update for _, update in due(f"d{number}", *seconds)]
        for (at, _), wanted in zip(own, seconds, strict=True):
            if speed is not None:
                assert at == pytest.approx(wanted / speed, abs=0.01)


@given(st.lists(times, min_size=1, max_size=6), st.floats(1, 500))
def test_all_devices_have_one_order_at_every_speed(devices: list[list[float]], speed: float) -> None:
    def order(wanted: float | None, cost_s: float) -> list[tuple[str, datetime | None]]:
        time = FakeTime()
        engine = Engine(time, cost_s=cost_s)
        sources = [due(f"d{number}", *seconds) for number, seconds in enumerate(devices)]
        ended(Fleet(engine.send, sources, speed=wanted, timekeeper=time))
        return [(update.device_id, update.at) for _, update in engine.sent]

    at_once = order(None, 0.0)
    times = [at for _, at in at_once if at is not None]
    assert times == sorted(times)
    assert order(speed, 0.5) == at_once


def test_hundreds_of_devices_take_one_thread() -> None:
    time, threads = FakeTime(), active_count()
    seen: list[int] = []

    def send(updates: Sequence[LocationUpdate]) -> list[int | BaseException]:
        seen.append(active_count())
        return [0] * len(updates)

    devices = [due(f"d{number}", *range(20)) for number in range(600)]
    assert ended(Fleet(send, devices, speed=None, timekeeper=time)).sent == 12_000
    assert max(seen) == threads + 1
    assert active_count() == threads


def test_a_fleet_waits_for_an_engine_that_falls_behind() -> None:
    time = FakeTime()
    engine = Engine(time, cost_s=0.01)  # a hundred updates per second, while 400 are due
    reported: list[FleetStatus] = []
    devices = [due(f"d{number}", *range(100)) for number in range(100)]
    fleet = Fleet(engine.send, devices, speed=4.0, on_progress=reported.append, timekeeper=time)
    status = ended(fleet)
    assert status.state is FleetState.FINISHED
    assert status.sent == 10_000, "nothing is left out"
    assert time.moment == pytest.approx(100, rel=0.05)
    running = [each for each in reported if each.state is FleetState.RUNNING]
    assert sum(each.late for each in running) > 0.9 * len(running) - 20, "from the second on in which it began"
    assert running[-1].per_second == pytest.approx(100, rel=0.1)
    assert running[-1].pace == pytest.approx(1.0, rel=0.1)
    assert not status.late, "which is over"


def test_lost_time_is_not_made_up_for() -> None:
    time = FakeTime()
    engine = Engine(time)

    def send(updates: Sequence[LocationUpdate]) -> list[int | BaseException]:
        outcomes = engine.send(updates)
        if len(engine.sent) == 10:
            time.moment += 60  # the engine is busy for a minute
        return outcomes

    ended(Fleet(send, [due("d", *range(40))], speed=1.0, timekeeper=time))
    gaps = [other - one for (one, _), (other, _) in pairwise(engine.sent)]
    assert max(gaps) >= 60
    assert sorted(gaps)[:2] != [0, 0], "at most what is a second late is sent at once"
    assert sum(gap < 0.9 for gap in gaps) <= 2


def test_a_fleet_ends_when_its_time_is_over_and_when_it_is_stopped() -> None:
    endless = ((float(at), due("d", at)[0][1]) for at in count())
    assert ended(Fleet(Engine(FakeTime()).send, [endless], speed=None, until_s=99)).sent == 100
    began = Event()

    def send(updates: Sequence[LocationUpdate]) -> list[int | BaseException]:
        began.set()
        return [0] * len(updates)

    fleet = Fleet(send, [((float(at), due("d", at)[0][1]) for at in count())], speed=None)
    states = [fleet.status.state]
    fleet.start()
    assert began.wait(30)
    fleet.stop()
    states.append(fleet.status.state)
    assert states == [FleetState.READY, FleetState.STOPPED]
    assert fleet.wait(0)


def test_refusals_are_counted_and_a_failure_ends_the_fleet() -> None:
    time = FakeTime()
    engine = Engine(time, refuse=lambda update: update.device_id == "b")
    status = ended(Fleet(engine.send, [due("a", 0, 1), due("b", 0, 1)], speed=None, timekeeper=time))
    assert (status.sent, status.refused, status.events) == (2, 2, 4)
    assert str(status.error) == "no"

    def fail(_updates: Sequence[LocationUpdate]) -> list[int | BaseException]:
        raise OSError("the disk is full")

    reported: list[FleetStatus] = []
    status = ended(Fleet(fail, [due("a", 0, 1)], on_progress=reported.append))
    assert status.state is FleetState.FAILED
    assert str(status.error) == "the disk is full"
    assert reported[-1].state is FleetState.FAILED


def test_speeds_that_cannot_be_are_named() -> None:
    with pytest.raises(InvalidParameter, match="speed: must be greater than 0"):
        Fleet(Engine(FakeTime()).send, [], speed=0)
