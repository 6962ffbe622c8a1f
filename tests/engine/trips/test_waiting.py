"""Updates that wait for the routes of their trips while the clock is frozen, and updates that never wait."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from datetime import timedelta
from itertools import pairwise
from random import Random
from threading import Event as Gate
from time import sleep
from typing import Final

import pytest

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import StorageUnavailable
from engine.domain.geometry import Point
from engine.domain.ports import settle
from engine.domain.routing import Directions, RouteOptions
from engine.domain.tracking.tracks import RecordedQuery
from engine.domain.tracking.trips import DestinationChange, TripChange, TripStatus
from engine.domain.tracking.updates import Event, LocationUpdate, TrackResult
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.statements import upsert_rows
from engine.trips import waiting
from tests.engine.fixtures import NOON
from tests.engine.trips.routers import slow_down

TEST: Final = Environment.TEST
START, END, ELSEWHERE = Point(24.9357, 60.1692), Point(24.9531, 60.1732), Point(24.9300, 60.1650)
ANN, BEN = "ann", "ben"
SOON_S: Final = 20.0
"""Time within which results that do not wait arrive on any machine."""

type Reported = tuple[str, object]


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", frozen_at=NOON) as opened:
        yield opened


def to(point: Point, name: str) -> TripChange:
    destination = DestinationChange(point=point)
    return TripChange(external_id=f"to-{name}", destination=destination, approaching_threshold_s=60)


def sent(user: str, point: Point, **fields: object) -> LocationUpdate:
    made = LocationUpdate(f"phone-{user}", point, 8.0, user_id=user, trip=to(END, user))
    return replace(made, **fields)  # type: ignore[arg-type]


def submitted(engine: Engine, update: LocationUpdate) -> Future[TrackResult]:
    future: Future[TrackResult] = Future()
    engine.tracking.submit([(TEST, update, settle(future))])
    return future


def line(engine: Engine, parts: int = 12) -> list[Point]:
    """Return positions along a real route that leave it once and return to its end."""
    way = engine.routing.directions((START, END), Directions(RouteOptions()))[0].line
    along = [Point(*way[len(way) * part // parts]) for part in range(parts)]
    return [*along[: parts // 2], ELSEWHERE, *along[parts // 2 :], END]


def reported_by(events: Sequence[Event]) -> list[Reported]:
    return [
        (str(event.type), None if event.trip is None or event.trip.eta is None else event.trip.eta) for event in events
    ]


def routed(result: TrackResult) -> bool:
    assert result.user.trip is not None
    assert result.user.trip.eta is not None
    return result.user.trip.eta.is_routed


class Gates:
    """Holds back the routes to some destinations until they are released."""

    def __init__(self, *held: Point) -> None:
        self.gates = {point: Gate() for point in held}
        self.requested = Gate()

    def __call__(self, points: Sequence[Point]) -> None:
        gate = self.gates.get(points[-1])
        if gate is not None:
            self.requested.set()
            gate.wait(60)

    def open(self, point: Point = END) -> None:
        self.gates[point].set()


@pytest.fixture
def gates(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gates]:
    held = Gates(END)
    slow_down(monkeypatch, engine, held)
    monkeypatch.setattr(waiting, "PATIENCE_S", 1_000)
    yield held
    held.open()


def step_frozen(engine: Engine) -> None:
    engine.set_clock(ClockChange(advance_s=60))


def step_running(engine: Engine) -> None:
    if engine.test_clock.state().frozen:
        engine.set_clock(ClockChange(now=NOON, frozen=False))
    engine.set_clock(ClockChange(advance_s=60))


def set_running(engine: Engine) -> None:
    later = engine.test_clock.now().replace(second=0, microsecond=0) + timedelta(minutes=1)
    engine.set_clock(ClockChange(now=later, frozen=False))


def do_nothing(engine: Engine) -> None:
    engine.set_clock(ClockChange(system=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "is_played"), [(step_frozen, False), (step_running, False), (set_running, False), (do_nothing, True)]
)
def test_the_events_do_not_depend_on_how_long_routes_take(
    monkeypatch: pytest.MonkeyPatch, step: Callable[[Engine], None], is_played: bool
) -> None:
    """Twenty runs, with routes that take no time, part of the time between two updates, or several such times."""

    def run(seed: int) -> list[Reported]:
        delays = Random(seed)
        with Engine.open(":memory:", frozen_at=NOON) as engine, monkeypatch.context() as patch:
            positions = line(engine)
            patch.setattr(waiting, "PATIENCE_S", SOON_S)
            slow_down(patch, engine, lambda _: sleep(delays.choice((0.0, 0.002, 0.03)) if seed else 0.0))
            events: list[Event] = []
            for number, point in enumerate(positions):
                step(engine)
                at = NOON + timedelta(minutes=number)
                result = engine.tracking.track(TEST, sent(ANN, point, at=at, awaits_route=is_played))
                assert not result.lacks_route
                events += result.events
            return reported_by(events)

    first = run(0)
    kinds = [kind for kind, _ in first]
    assert kinds.count("user.started_trip") == kinds.count("user.arrived_at_trip_destination") == 1
    assert kinds.count("user.updated_trip") >= 2
    for seed in range(1, 20):
        assert run(seed) == first, seed


def test_others_are_answered_while_an_update_waits(engine: Engine, gates: Gates) -> None:
    assert not routed(engine.tracking.track(TEST, sent(ANN, START)))
    waits = submitted(engine, sent(ANN, START))
    assert gates.requested.wait(SOON_S)
    for point in (START, START, END):
        ben = engine.tracking.track(TEST, sent(BEN, point, trip=to(ELSEWHERE, BEN)))
    assert routed(ben), "also on a trip of their own, with a route of their own"
    assert engine.tracking.track(TEST, sent("cas", START, trip=None)).user.trip is None
    same_device = sent("dan", START, trip=None, device_id=f"phone-{BEN}")
    assert engine.tracking.track(TEST, same_device).user.user_id == "dan"
    assert not waits.done()
    gates.open()
    assert routed(waits.result(SOON_S))


def test_those_that_come_after_it_keep_their_order(engine: Engine, gates: Gates) -> None:
    engine.tracking.track(TEST, sent(ANN, START))
    order: list[int] = []
    futures = []
    for number in range(5):
        future = submitted(engine, sent(ANN, START, at=NOON + timedelta(seconds=number)))
        future.add_done_callback(lambda _, number=number: order.append(number))  # type: ignore[misc]
        futures.append(future)
    assert gates.requested.wait(SOON_S)
    engine.tracking.track(TEST, sent(BEN, START, trip=None))
    assert order == []
    gates.open()
    results = [future.result(SOON_S) for future in futures]
    assert order == [0, 1, 2, 3, 4]
    assert [result.user.fix.at for result in results] == [NOON + timedelta(seconds=number) for number in range(5)]
    assert all(map(routed, results))


def test_a_route_that_takes_too_long_is_not_waited_for(
    engine: Engine, gates: Gates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.3)
    engine.tracking.track(TEST, sent(ANN, START))
    for _ in range(2):
        late = engine.tracking.track(TEST, sent(ANN, START))
        assert late.lacks_route
        assert not routed(late)
    assert gates.requested.is_set()
    gates.open()
    monkeypatch.setattr(waiting, "PATIENCE_S", SOON_S)
    in_time = engine.tracking.track(TEST, sent(ANN, START))
    assert (in_time.lacks_route, routed(in_time)) == (False, True)


@pytest.mark.parametrize("change", [ClockChange(system=True), ClockChange(scale=10), ClockChange(frozen=False)])
def test_with_a_running_clock_nothing_waits(engine: Engine, gates: Gates, change: ClockChange) -> None:
    engine.set_clock(change)
    for _ in range(3):
        result = submitted(engine, sent(ANN, START)).result(SOON_S)
        assert (result.lacks_route, routed(result)) == (False, False)
    assert gates.requested.wait(SOON_S), "the route is still being searched"


def test_in_live_only_played_updates_wait(engine: Engine, gates: Gates) -> None:
    live = Environment.LIVE
    for _ in range(2):
        assert not engine.tracking.track(live, sent(ANN, START)).lacks_route
    future: Future[TrackResult] = Future()
    engine.tracking.submit([(live, sent(ANN, START, awaits_route=True), settle(future))])
    engine.tracking.track(live, sent(BEN, START, trip=None))
    assert not future.done()
    gates.open()
    assert routed(future.result(SOON_S))


@pytest.mark.parametrize("how", ["completed", "deleted", "cleared"])
def test_an_update_does_not_wait_for_a_trip_that_has_ended(engine: Engine, gates: Gates, how: str) -> None:
    engine.tracking.track(TEST, sent(ANN, START))
    waits = submitted(engine, sent(ANN, START, trip=None))
    assert gates.requested.wait(SOON_S)
    if how == "completed":
        engine.trips.update(TEST, f"to-{ANN}", TripChange(status=TripStatus.COMPLETED))
    elif how == "deleted":
        engine.trips.delete(TEST, f"to-{ANN}")
    else:
        engine.history.clear_test_data()
    result = waits.result(SOON_S)
    assert (result.user.trip, result.lacks_route) == (None, False)


def test_closing_waits_for_no_route(gates: Gates, engine: Engine) -> None:
    engine.tracking.track(TEST, sent(ANN, START))
    futures = [submitted(engine, sent(ANN, START)) for _ in range(3)]
    assert gates.requested.wait(SOON_S)
    engine.close()
    assert not [future for future in futures if not future.done()], "each has its answer, or an error"


def test_a_commit_that_fails_loses_no_update_and_stores_none_twice(
    engine: Engine, gates: Gates, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.tracking.track(TEST, sent(ANN, START))
    times = [NOON + timedelta(seconds=number) for number in range(4)]
    futures = [submitted(engine, sent(ANN, START, at=at)) for at in times]
    assert gates.requested.wait(SOON_S)
    failed = Gate()

    def once_full(*arguments: object) -> None:
        if not failed.is_set():
            failed.set()
            raise StorageUnavailable("The disk is full.")
        upsert_rows(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("engine.store.writer.upsert_rows", once_full)
    gates.open()
    outcomes = [future.exception(SOON_S) or future.result() for future in futures]
    stored = [outcome.user.fix.at for outcome in outcomes if isinstance(outcome, TrackResult)]
    assert len(stored) >= 3
    assert all(one < other for one, other in pairwise(stored))
    kept = engine.tracking.recorded(TEST, RecordedQuery(device_id=f"phone-{ANN}", user_id=ANN)).points[1:]
    assert [point.at for point in kept] == stored
