"""Trips in a real workspace: restarts, followed trips, expiry, and routes on real roads."""

import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import enumerate as enumerate_threads
from time import monotonic, sleep
from typing import Any

import pytest

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound, StorageUnavailable
from engine.domain.geometry import Point
from engine.domain.queries import Change, EventQuery
from engine.domain.routing import Directions, RouteOptions
from engine.domain.tracking.trips import DestinationChange, LegChange, Trip, TripChange, TripQuery, TripStatus
from engine.domain.tracking.updates import EventType, LocationUpdate, TrackResult
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.engine import Engine
from engine.trips import trips
from tests.engine.fixtures import HOME, SetClock, circle, update
from tests.engine.gazetteers import at, find_in, write_town

TEST, LIVE = Environment.TEST, Environment.LIVE
FAR_M = 20_000.0
ORDER = TripChange(
    external_id="order", user_id="ann", destination=DestinationChange(tag="store", external_id="1"), mode=TravelMode.CAR
)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def engine(clock: SetClock) -> Iterator[Engine]:
    with Engine.open(":memory:", clock=clock) as opened:
        opened.geofences.create(TEST, circle())
        yield opened


def track(
    engine: Engine, clock: SetClock, east_m: float, *, user_id: str | None = "ann", trip: TripChange | None = None
) -> TrackResult:
    clock.advance(60)
    return engine.tracking.track(TEST, replace(update(east_m, user_id=user_id), trip=trip))


def kinds(result: TrackResult) -> list[str]:
    return [event.type for event in result.events if event.trip is not None]


def test_a_trip_goes_on_after_a_restart(tmp_path: Path, clock: SetClock) -> None:
    with Engine.open(tmp_path / "w", clock=clock) as engine:
        engine.geofences.create(TEST, circle())
        engine.trips.create(TEST, replace(ORDER, approaching_threshold_s=0))
        before = track(engine, clock, FAR_M).user.trip
    with Engine.open(tmp_path / "w", clock=clock) as engine:
        assert engine.trips.get(TEST, "order") == before
        assert engine.users.get(TEST, "ann").trip == before
        there = track(engine, clock, 0)
        assert kinds(there) == [EventType.ARRIVED_AT_TRIP_DESTINATION]
        assert before is not None
        assert there.user.trip is not None
        assert there.user.trip.started_at == before.started_at


def test_a_trip_of_a_device_without_a_user(engine: Engine, clock: SetClock) -> None:
    engine.trips.create(TEST, replace(ORDER, user_id=None, device_id="phone"))
    assert kinds(track(engine, clock, FAR_M, user_id=None)) == [EventType.STARTED_TRIP]


def test_a_trip_of_another_user_or_environment_is_none_of_ones_business(engine: Engine, clock: SetClock) -> None:
    engine.trips.create(TEST, ORDER)
    assert track(engine, clock, FAR_M, user_id="ben").user.trip is None
    clock.advance(60)
    assert engine.tracking.track(LIVE, update(FAR_M, user_id="ann")).user.trip is None
    with pytest.raises(NotFound):
        engine.trips.get(LIVE, "order")


def test_naming_a_trip_takes_it_over(engine: Engine, clock: SetClock) -> None:
    named = TripChange(external_id="order", destination=ORDER.destination)
    first = track(engine, clock, FAR_M, trip=named).user
    clock.advance(60)
    second = engine.tracking.track(TEST, replace(update(FAR_M, device_id="tablet", user_id="ben"), trip=named)).user
    assert second.trip is not None
    assert second.trip.user == second.id != first.id
    assert track(engine, clock, FAR_M).user.trip is None


def test_a_destination_that_moves_is_followed_and_a_deleted_one_keeps_its_location(
    engine: Engine, clock: SetClock
) -> None:
    store = engine.geofences.get_by_key(TEST, "store", "1")
    engine.trips.create(TEST, ORDER)
    away = track(engine, clock, 10_000).user.trip
    engine.geofences.update(TEST, store.id, circle(center=Point(HOME.longitude + 20_000 / 75_900, HOME.latitude)))
    moved = track(engine, clock, 10_000).user.trip
    assert away is not None
    assert moved is not None
    assert away.destination == moved.destination
    arrived = track(engine, clock, 20_000)
    assert kinds(arrived) == [EventType.ARRIVED_AT_TRIP_DESTINATION]
    engine.trips.update(TEST, "order", TripChange(status=TripStatus.COMPLETED))
    engine.trips.create(TEST, replace(ORDER, external_id="second"))
    engine.geofences.delete(TEST, store.id)
    kept = track(engine, clock, 0).user.trip
    assert kept is not None
    assert kept.eta is not None
    assert kept.status is TripStatus.STARTED


def test_another_destination_begins_without_an_eta_and_the_same_one_keeps_it(engine: Engine, clock: SetClock) -> None:
    def changed(name: str, destination: DestinationChange) -> bool:
        """Return whether the trip has another destination, whose ETA is not known yet."""
        before = engine.trips.get(TEST, name)
        after = engine.trips.update(TEST, name, TripChange(destination=destination)).trip
        if after.destination == before.destination:
            assert after.eta is not None
            assert after.eta == before.eta
            return False
        assert after.eta is None
        return True

    other = engine.geofences.create(TEST, circle("2"))
    engine.trips.create(TEST, ORDER)
    track(engine, clock, FAR_M)
    by_key, by_id = DestinationChange(tag="store", external_id="1"), DestinationChange(geofence_id=other.id)
    assert [changed("order", each) for each in (by_key, by_id)] == [False, True]
    engine.trips.update(TEST, "order", TripChange(status=TripStatus.COMPLETED))

    point, nearby = DestinationChange(point=HOME), DestinationChange(point=Point(HOME.longitude, HOME.latitude + 0.1))
    engine.trips.create(TEST, replace(ORDER, external_id="second", destination=point))
    track(engine, clock, FAR_M)
    assert [changed("second", each) for each in (point, nearby)] == [False, True]
    assert engine.trips.get(TEST, "second").destination.point == nearby.point  # type: ignore[union-attr]
    track(engine, clock, FAR_M)
    assert changed("second", replace(nearby, arrival_radius_m=200.0))


def test_a_deleted_trip_leaves_all_others(engine: Engine) -> None:
    engine.geofences.create(LIVE, circle())
    made = [
        engine.trips.create(environment, replace(ORDER, external_id=str(number))).trip
        for number, environment in enumerate((TEST, TEST, TEST, LIVE))
    ]
    assert engine.trips.delete(TEST, "1").id == made[1].id
    assert {each.external_id for each in engine.trips.page(TEST, TripQuery()).items} == {"0", "2"}
    assert [each.id for each in engine.trips.page(LIVE, TripQuery()).items] == [made[3].id]
    with pytest.raises(NotFound):
        engine.trips.delete(TEST, "3")


def test_an_update_changes_a_trip_at_the_time_of_the_update(engine: Engine, clock: SetClock) -> None:
    start = clock.now() - timedelta(days=100)

    def simulated(seconds: float, east_m: float, trip: TripChange | None = None) -> Trip | None:
        at = start + timedelta(seconds=seconds)
        return engine.tracking.track(TEST, replace(update(east_m), at=at, trip=trip)).user.trip

    named = replace(ORDER, external_id="simulated", user_id=None)
    begun = simulated(0, FAR_M, named)
    assert begun is not None
    assert (begun.created_at, begun.started_at, begun.updated_at) == (start, start, start)
    assert begun.seen_at == clock.now(), "it expires by the engine's clock"
    arrived = simulated(90, 0)
    assert arrived is not None
    assert arrived.arrived_at == start + timedelta(seconds=90)
    # A client's change takes effect now; an older update comes after it.
    engine.trips.update(TEST, "simulated", replace(TripChange(), metadata={"paid": True}))
    assert simulated(100, 0, replace(named, status=TripStatus.COMPLETED)) is None
    assert engine.trips.get(TEST, "simulated").ended_at == clock.now()


@pytest.mark.parametrize("is_joined", [True, False])
def test_the_trip_begun_last_is_followed_regardless_of_the_times_of_its_updates(
    engine: Engine, clock: SetClock, is_joined: bool
) -> None:
    start = clock.now() - timedelta(days=100)

    def simulated(seconds: float, trip: TripChange | None = None) -> Trip | None:
        at = start + timedelta(seconds=seconds)
        return engine.tracking.track(TEST, replace(update(FAR_M, user_id="ann"), at=at, trip=trip)).user.trip

    engine.trips.create(TEST, replace(ORDER, status=TripStatus.STARTED))
    clock.advance(60)
    if is_joined:
        assert (joined := simulated(0)) is not None
        assert joined.external_id == "order"
    simulated(10, replace(ORDER, external_id="other"))
    assert (followed := simulated(20)) is not None
    assert followed.external_id == "other"


def test_abandoned_trips_expire(engine: Engine, clock: SetClock) -> None:
    engine.trips.create(TEST, ORDER)
    track(engine, clock, FAR_M)
    changes: list[Change] = []
    unsubscribe = engine.changes.subscribe(changes.append)
    engine.set_clock(ClockChange(advance_s=24 * 3600 - 1, frozen=True))
    assert engine.trips.get(TEST, "order").status is TripStatus.STARTED
    engine.set_clock(ClockChange(advance_s=2))
    unsubscribe()
    ended = engine.trips.get(TEST, "order")
    assert ended.status is TripStatus.EXPIRED
    (event,) = engine.history.page(TEST, EventQuery(types=frozenset({EventType.STOPPED_TRIP}))).items
    assert (event.trip, event.user.user_id, event.point) == (ended, "ann", update(FAR_M).point)
    assert any(change.reread for change in changes)
    assert engine.users.get(TEST, "ann").trip is None


def test_deleting_a_user_or_clearing_test_takes_their_trips(engine: Engine, clock: SetClock) -> None:
    engine.trips.create(TEST, ORDER)
    track(engine, clock, FAR_M)
    engine.users.delete(TEST, "ann")
    with pytest.raises(NotFound):
        engine.trips.get(TEST, "order")
    engine.trips.create(TEST, ORDER)
    assert kinds(track(engine, clock, FAR_M)) == [EventType.STARTED_TRIP]
    engine.history.clear_test_data()
    assert engine.trips.page(TEST, TripQuery()).items == ()
    assert track(engine, clock, FAR_M).user.trip is None


def test_an_update_that_is_not_stored_starts_no_trip(
    engine: Engine, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.trips.create(TEST, ORDER)

    def full(*_: object) -> None:
        raise StorageUnavailable("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("engine.store.writer.upsert_rows", full)
        with pytest.raises(StorageUnavailable):
            track(engine, clock, FAR_M)
    assert engine.trips.get(TEST, "order").status is TripStatus.PENDING
    assert kinds(track(engine, clock, FAR_M)) == [EventType.STARTED_TRIP]


def test_a_refused_request_leaves_nothing(engine: Engine) -> None:
    engine.trips.create(TEST, ORDER)
    with pytest.raises(Conflict):
        engine.trips.create(TEST, ORDER)
    leg = LegChange(destination=DestinationChange(point=HOME))
    nowhere = LegChange(destination=DestinationChange(tag="store", external_id="none"))
    lost = LegChange(destination=DestinationChange(address="20 Nowhere Road, Atlantis"))
    for change, words in (
        (TripChange(external_id="b", legs=(leg, nowhere)), "leg 2: destination_geofence_external_id"),
        (TripChange(external_id="b", legs=(leg, leg, lost)), r"^legs: leg 3: .*Nowhere Road"),
        (TripChange(external_id="b", legs=(leg,) * 26), "at most 25"),
        (TripChange(external_id="b", legs=(leg,), destination=ORDER.destination), "cannot be combined"),
        (TripChange(), "external_id: is required"),
    ):
        with pytest.raises(InvalidParameter, match=words):
            engine.trips.create(TEST, change)
    with pytest.raises(InvalidParameter, match="cannot be changed"):
        engine.trips.update(TEST, "order", TripChange(external_id="other"))
    assert len(engine.trips.page(TEST, TripQuery()).items) == 1


def test_an_address_that_is_not_found_is_named_with_its_leg(engine: Engine, tmp_path: Path) -> None:
    find_in(engine, write_town(tmp_path / "gazetteer.sqlite"))
    known, unknown = (
        LegChange(destination=DestinationChange(address=address))
        for address in ("Äulestrasse 1, Vaduz", "Somewhere Else 7")
    )
    for number, legs in ((1, (unknown, known)), (3, (known, known, unknown))):
        with pytest.raises(InvalidParameter, match=f"legs: leg {number}: address: ") as error:
            engine.trips.create(TEST, TripChange(external_id="b", legs=legs))
        assert error.value.param == "legs"
    trip = engine.trips.create(TEST, TripChange(external_id="b", legs=(known, known))).trip
    assert [leg.destination.point for leg in trip.legs] == [at(0, 10), at(0, 10)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"point": HOME}, {"point": Point(HOME.longitude + 0.1, HOME.latitude)}),
        ({"point": HOME}, {"point": HOME, "arrival_radius_m": 500.0}),
        ({"point": HOME}, {"tag": "store", "external_id": "1"}),
        ({"tag": "store", "external_id": "1"}, {"tag": "store", "external_id": "2"}),
        ({"tag": "store", "external_id": "1"}, {"point": HOME}),
    ],
)
def test_another_destination_begins_without_the_eta_and_the_same_keeps_it(
    engine: Engine, clock: SetClock, first: dict[str, Any], second: dict[str, Any]
) -> None:
    engine.geofences.create(TEST, circle("2"))
    engine.trips.create(TEST, replace(ORDER, destination=DestinationChange(**first)))
    begun = track(engine, clock, FAR_M).user.trip
    assert begun is not None
    assert begun.eta is not None
    same = engine.trips.update(TEST, "order", TripChange(destination=DestinationChange(**first))).trip
    assert (same.destination, same.eta) == (begun.destination, begun.eta)
    other = engine.trips.update(TEST, "order", TripChange(destination=DestinationChange(**second))).trip
    assert other.destination != begun.destination
    assert other.eta is None
    assert engine.trips.get(TEST, "order").destination == other.destination


def test_the_legs_of_a_trip_may_be_addresses(engine: Engine, tmp_path: Path) -> None:
    find_in(engine, write_town(tmp_path / "gazetteer.sqlite"))
    stops = ("Äulestrasse 3, Vaduz", "Äulestrasse 1, Vaduz")
    legs = tuple(LegChange(destination=DestinationChange(address=address)) for address in stops)
    trip = engine.trips.create(TEST, TripChange(external_id="round", user_id="ann", legs=legs)).trip
    assert [(leg.destination.address, leg.destination.point) for leg in trip.legs] == [
        (address, at(east_m, 10)) for address, east_m in zip(stops, (40, 0), strict=True)
    ]


# Real roads: the bundled area, the centre of Helsinki.

START, END = Point(24.9357, 60.1692), Point(24.9531, 60.1732)


def test_closing_does_not_wait_for_a_router_that_never_answers(clock: SetClock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        engine = Engine.open(":memory:", clock=clock, router_url=f"http://127.0.0.1:{silent.getsockname()[1]}")
        engine.geofences.create(TEST, circle())
        engine.trips.create(TEST, ORDER)
        eta = track(engine, clock, FAR_M).user.trip
        connection, _ = silent.accept()
        with connection:
            assert connection.recv(4), "the way is being asked for"
            began = monotonic()
            engine.close()
            assert monotonic() - began < 5
    asking = [each for each in enumerate_threads() if each.name.startswith("fencewright-trips")]
    for thread in asking:
        thread.join(20)
    assert not any(thread.is_alive() for thread in asking), "nobody is left to wait when the program ends"
    assert eta is not None
    assert eta.eta is not None
    assert not eta.eta.is_routed


def drive(engine: Engine, clock: SetClock, point: Point) -> Trip:
    clock.advance(10)
    found = engine.tracking.track(TEST, LocationUpdate("phone", point, 8.0, user_id="ann")).user.trip
    assert found is not None
    return found


def test_the_eta_is_that_of_the_rest_of_the_way_along_the_roads(engine: Engine, clock: SetClock) -> None:
    way = engine.routing.directions((START, END), Directions(RouteOptions()))[0]
    engine.trips.create(TEST, replace(ORDER, destination=DestinationChange(point=END), approaching_threshold_s=0))
    assert drive(engine, clock, START).eta is not None
    deadline, trip = monotonic() + 20, drive(engine, clock, START)
    while (trip.eta is None or not trip.eta.is_routed) and monotonic() < deadline:
        sleep(0.02)
        trip = drive(engine, clock, START)
    assert trip.eta is not None
    assert trip.eta.distance_m == pytest.approx(way.travel.distance_m, rel=0.15)
    assert trip.eta.duration_s == pytest.approx(way.travel.duration_s, rel=0.2)
    line = engine.trips.way(trip.id)
    assert line is not None
    halfway = Point(*line[len(line) // 2])
    assert (later := drive(engine, clock, halfway).eta) is not None
    assert later.is_routed
    assert 0 < later.duration_s < trip.eta.duration_s
    assert drive(engine, clock, END).status is TripStatus.ARRIVED
    engine.trips.update(TEST, "order", TripChange(status=TripStatus.COMPLETED))
    assert engine.trips.way(trip.id) is None


def test_many_trips_expire_a_few_at_a_time(engine: Engine, clock: SetClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Location updates are processed in between."""
    monkeypatch.setattr(trips, "EXPIRED_AT_ONCE", 3)
    for number in range(7):
        engine.trips.create(TEST, replace(ORDER, external_id=str(number), user_id=None))
    changes: list[Change] = []
    unsubscribe = engine.changes.subscribe(changes.append)
    clock.advance(2 * 24 * 3600)
    engine.trips.expire()
    unsubscribe()
    assert len(changes) == 3
    assert {trip.status for trip in engine.trips.page(TEST, TripQuery()).items} == {TripStatus.EXPIRED}


def test_a_late_update_does_not_move_a_trip_that_goes_by_others(engine: Engine, clock: SetClock) -> None:
    start = clock.now() - timedelta(days=1)

    def at(minute: float, east_m: float, trip: TripChange | None = None) -> LocationUpdate:
        return replace(update(east_m, user_id="ann", at=start + timedelta(minutes=minute)), trip=trip, explain=True)

    engine.tracking.track(TEST, at(0, FAR_M, replace(ORDER, user_id=None)))
    clock.advance(60)
    engine.tracking.track(TEST, at(2, FAR_M))
    late = engine.tracking.track(TEST, at(1, 0))
    assert kinds(late) == []
    assert late.user.trip is not None
    assert late.user.trip.status is TripStatus.STARTED
    (arrival,) = [each for each in late.verdicts if each.type == EventType.ARRIVED_AT_TRIP_DESTINATION]
    assert [reason.text for reason in arrival.reasons] == ["the update is late, and the trip goes by those in order"]
    assert "user.arrived_at_trip_destination" in kinds(engine.tracking.track(TEST, at(9, 0)))


def test_a_trip_of_a_track_that_is_played_again_goes_on(engine: Engine, clock: SetClock) -> None:
    start = clock.now() - timedelta(days=1)
    found = []
    for number in range(2):
        clock.advance(60)
        for minute, east_m in ((0, FAR_M), (1, FAR_M / 2), (2, 0.0)):
            clock.advance(30)
            order = replace(ORDER, user_id=None, external_id=f"order {number}")
            sent = replace(update(east_m, user_id="ann", at=start + timedelta(minutes=minute)), trip=order)
            found.append([kind for kind in kinds(engine.tracking.track(TEST, sent)) if "updated" not in kind])
        engine.trips.update(TEST, f"order {number}", TripChange(status=TripStatus.COMPLETED))
    assert found[3:] == found[:3]
    assert found[2][-1] == "user.arrived_at_trip_destination"
