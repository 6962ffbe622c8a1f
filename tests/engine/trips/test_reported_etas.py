"""ETAs in events: for any actions of clients and devices, the events equal those of a model of the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.trips import DestinationChange, Eta, Trip, TripChange, TripStatus
from engine.domain.tracking.updates import Event
from engine.domain.values import replace
from engine.engine import Engine
from engine.trips.eta import Etas
from tests.engine.fixtures import HOME, SetClock, circle, update

TEST = Environment.TEST
FAR_M = 20_000.0
THRESHOLD_S = 300.0
STATUSES = ["pending", "started", "approaching", "arrived", "completed"]
EVENTS = {
    "started": "user.started_trip",
    "approaching": "user.approaching_trip_destination",
    "arrived": "user.arrived_at_trip_destination",
    "completed": "user.stopped_trip",
    "canceled": "user.stopped_trip",
}
PLACES = {name: Point(HOME.longitude + degrees, HOME.latitude) for name, degrees in (("near", 0.0), ("far", 1.0))}

type Reported = tuple[str, float | None]
"""The type of an event, and the duration of the ETA in it."""


@dataclass
class ClientRequest:
    """A request of a client: a PATCH, or the tripOptions of a location update."""

    status: str | None = None
    paid: int | None = None
    to: str | None = None

    @property
    def change(self) -> TripChange:
        return TripChange(
            status=None if self.status is None else TripStatus(self.status),
            metadata=None if self.paid is None else {"paid": self.paid},
            destination=None if self.to is None else DestinationChange(point=PLACES[self.to]),
        )


@dataclass
class Fix:
    """A location update: the duration of the remaining route, and its tripOptions."""

    eta_s: float
    arrives: bool
    options: ClientRequest | None = None


@dataclass
class Model:
    """A trip by the rules of docs/trips.md; `reported_s` is the ETA in the last event that had one."""

    status: str = "pending"
    paid: int | None = None
    to: str = "near"
    eta_s: float | None = None
    reported_s: float | None = None

    @property
    def is_open(self) -> bool:
        return self.status not in ("completed", "canceled")

    def refuses(self, request: ClientRequest) -> bool:
        if not self.is_open:
            return request.status != self.status
        if request.status in (None, "canceled", self.status):
            return False
        return STATUSES.index(str(request.status)) < STATUSES.index(self.status)

    def take(self, request: ClientRequest) -> bool:
        """Apply a client's values except the status, and return whether any of them is new."""
        new = {"paid": request.paid, "to": request.to}
        new = {name: value for name, value in new.items() if value is not None and value != getattr(self, name)}
        for name, value in new.items():
            setattr(self, name, value)
        if "to" in new:
            self.eta_s = self.reported_s = None
        return bool(new)

    def report(self, kind: str) -> Reported:
        if self.eta_s is not None:
            self.reported_s = self.eta_s
        return kind, self.eta_s

    def move(self, status: str) -> list[Reported]:
        self.status = status
        if status == "arrived" and self.eta_s is not None:
            self.eta_s = 0.0
        if not self.is_open:
            self.eta_s = None
        return [self.report(EVENTS[status])]

    def ask(self, request: ClientRequest, status: str | None) -> list[Reported]:
        """Return the events of a client's request after its other values have been applied."""
        if status not in (None, self.status):
            return self.move(str(status))
        return [self.report("user.updated_trip")]

    def patch(self, request: ClientRequest) -> list[Reported]:
        if not self.is_open:
            return []
        is_new = self.take(request)
        return self.ask(request, request.status) if is_new or request.status not in (None, self.status) else []

    def see(self, fix: Fix) -> list[Reported]:
        request = fix.options if fix.options is not None and not self.refuses(fix.options) else ClientRequest()
        end = request.status if request.status in ("completed", "canceled") else None
        status = None if end is not None else request.status
        is_new = self.take(request)
        if self.status != "arrived":
            self.eta_s = fix.eta_s
        reported = self.ask(request, status) if is_new or status not in (None, self.status) else []
        if self.status == "pending":
            reported += self.move("started")
        if self.status in ("started", "approaching") and fix.arrives:
            reported += self.move("arrived")
        if self.status == "started" and fix.eta_s <= THRESHOLD_S:
            reported += self.move("approaching")
        if (
            not reported
            and self.eta_s is not None
            and (self.reported_s is None or abs(self.eta_s - self.reported_s) >= 60)
        ):
            reported.append(self.report("user.updated_trip"))
        return reported + (self.move(end) if end is not None else [])


class World:
    """An engine with one user per trip, and an ETA set by the test."""

    def __init__(self, engine: Engine, clock: SetClock) -> None:
        self.engine, self.clock = engine, clock
        self.eta_s = 0.0
        self.names = map("trip-{}".format, count())

    def of(self, _etas: Etas, _trip: Trip, ahead: tuple[Point, ...], _fix: object) -> tuple[Eta, ...]:
        return tuple(Eta(self.eta_s * 10, self.eta_s, is_routed=True) for _ in ahead)

    def patch(self, name: str, request: ClientRequest) -> list[Event]:
        try:
            return list(self.engine.trips.update(TEST, name, request.change).events)
        except InvalidParameter:
            return []

    def see(self, name: str, fix: Fix, near: Point) -> list[Event]:
        self.clock.advance(10)
        self.eta_s = fix.eta_s
        sent = replace(update(FAR_M, device_id=name, user_id=name), point=near if fix.arrives else update(FAR_M).point)
        if fix.options is not None:
            sent = replace(sent, trip=replace(fix.options.change, external_id=name))
        result = self.engine.tracking.track(TEST, sent)
        return [event for event in result.events if event.trip is not None]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    clock = SetClock()
    with Engine.open(":memory:", clock=clock) as engine, pytest.MonkeyPatch.context() as patch:
        engine.geofences.create(TEST, circle())
        made = World(engine, clock)
        patch.setattr(Etas, "of", lambda etas, trip, ahead, fix, **_: made.of(etas, trip, tuple(ahead), fix))
        yield made


_REQUESTS = st.builds(
    ClientRequest,
    st.none() | st.sampled_from([*STATUSES, "canceled"]),
    st.none() | st.integers(0, 1),
    st.none() | st.sampled_from(list(PLACES)),
).filter(lambda request: request != ClientRequest())
_FIXES = st.builds(
    Fix,
    st.sampled_from([200.0, 290.0, 310.0, 349.0, 361.0, 400.0, 600.0, 659.0, 661.0]),
    st.sampled_from([False, False, False, True]),
    st.none() | _REQUESTS,
)


def reported_by(events: list[Event]) -> list[Reported]:
    return [
        (str(event.type), None if event.trip is None or event.trip.eta is None else event.trip.eta.duration_s)
        for event in events
    ]


@pytest.mark.slow
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.none() | st.just("started"), st.lists(_REQUESTS | _FIXES, max_size=12))
def test_only_etas_that_an_event_contained_count_as_reported(
    world: World, begins: str | None, acts: list[ClientRequest | Fix]
) -> None:
    name, model = next(world.names), Model()
    change = TripChange(external_id=name, user_id=name, destination=DestinationChange(point=PLACES["near"]))
    created = world.engine.trips.create(TEST, replace(change, status=None if begins is None else TripStatus(begins)))
    assert reported_by(list(created.events)) == ([] if begins is None else model.move(begins))
    for act in acts:
        if isinstance(act, ClientRequest):
            expected = [] if model.refuses(act) else model.patch(act)
            assert reported_by(world.patch(name, act)) == expected, act
        elif model.is_open:
            assert reported_by(world.see(name, act, PLACES[act_to(model, act)])) == model.see(act), act
    assert world.engine.trips.get(TEST, name).status == model.status


def act_to(model: Model, fix: Fix) -> str:
    """Return the destination of the trip after applying the tripOptions of an update."""
    if fix.options is None or fix.options.to is None or model.refuses(fix.options):
        return model.to
    return fix.options.to


def started(world: World, eta_s: float) -> tuple[str, list[Reported]]:
    name = next(world.names)
    change = TripChange(external_id=name, user_id=name, destination=DestinationChange(point=PLACES["near"]))
    world.engine.trips.create(TEST, change)
    return name, reported_by(world.see(name, Fix(eta_s, False), PLACES["near"]))


def test_the_event_that_starts_a_trip_has_its_eta(world: World) -> None:
    name, reported = started(world, 600)
    assert reported == [("user.started_trip", 600)]
    assert world.see(name, Fix(650, False), HOME) == [], "within a minute of what was reported"
    assert reported_by(world.see(name, Fix(660, False), HOME)) == [("user.updated_trip", 660)]


def test_a_first_eta_that_no_event_contained_is_reported(world: World) -> None:
    name = next(world.names)
    change = TripChange(external_id=name, user_id=name, destination=DestinationChange(point=PLACES["near"]))
    world.engine.trips.create(TEST, replace(change, status=TripStatus.STARTED))
    assert reported_by(world.see(name, Fix(600, False), HOME)) == [("user.updated_trip", 600)]


@pytest.mark.parametrize("status", ["approaching", "arrived"])
def test_a_status_that_a_client_sets_is_not_followed_by_an_update(world: World, status: str) -> None:
    name, _ = started(world, 600)
    world.see(name, Fix(630, False), HOME)
    contained = 0.0 if status == "arrived" else 630.0
    assert reported_by(world.patch(name, ClientRequest(status=status))) == [(EVENTS[status], contained)]
    assert world.see(name, Fix(680, False), HOME) == []


def test_a_status_in_trip_options_is_one_event_with_the_eta_of_its_update(world: World) -> None:
    name, _ = started(world, 600)
    reported = reported_by(world.see(name, Fix(900, False, ClientRequest(status="approaching")), HOME))
    assert reported == [("user.approaching_trip_destination", 900)]


def test_trip_options_that_create_a_trip_set_its_status(world: World) -> None:
    name = next(world.names)
    result = world.engine.tracking.track(
        TEST,
        replace(
            update(FAR_M, device_id=name, user_id=name),
            trip=TripChange(
                external_id=name,
                status=TripStatus.APPROACHING,
                destination=DestinationChange(point=PLACES["near"]),
            ),
        ),
    )
    assert [event.type for event in result.events if event.trip] == [EVENTS["approaching"]]
    assert result.user.trip is not None
    assert result.user.trip.status is TripStatus.APPROACHING
