"""The state machine of a trip: it only advances, for any order of actions by clients and devices."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.tracking.trips import Arrival, Destination, Eta, Trip, TripLeg, TripStatus
from engine.domain.tracking.updates import EventType
from engine.domain.values import replace
from engine.store.records.trip_contents import trip_content, trip_of_content
from engine.trips.machine import Seen, Stepped, leg_moved_to, moved_to, reordered, seen

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
HOME, STORE = Point(8.0, 50.0), Point(8.1, 50.0)
ORDER = list(TripStatus)[:5]
STOPPED = EventType.STOPPED_TRIP


def destination(name: str = "store") -> Destination:
    return Destination(STORE, f"id-{name}", "shops", name)


def trip(*legs: str, **fields: object) -> Trip:
    made = Trip("t", Environment.TEST, "order", TripStatus.PENDING, NOW, NOW, NOW, destination=destination())
    if legs:
        each = tuple(TripLeg(name, TripStatus.PENDING, destination(name), NOW, NOW) for name in legs)
        made = replace(made, destination=None, legs=each)
    return replace(made, **fields)  # type: ignore[arg-type]


def at(minute: int, minutes_left: float | None = 60, inside: str = "", entered: str = "") -> Seen:
    etas = [] if minutes_left is None else [Eta(minutes_left * 1000, minutes_left * 60, is_routed=True)] * 3
    summaries = [GeofenceSummary(f"id-{entered}", "shops", entered, entered)] if entered else []
    now = NOW + timedelta(minutes=minute)
    return Seen(HOME, now, Arrival(now, now), {f"id-{inside}"}, summaries, etas, threshold_s=300)


def kinds(stepped: Stepped) -> list[EventType]:
    return [event.type for event in stepped.events]


def test_from_pending_to_arrived() -> None:
    started = seen(trip(), at(1))
    assert (started.trip.status, kinds(started)) == (TripStatus.STARTED, [EventType.STARTED_TRIP])
    still = seen(started.trip, at(2, 59.5))
    assert kinds(still) == []
    updated = seen(still.trip, at(3, 58.9))
    assert kinds(updated) == [EventType.UPDATED_TRIP]
    near = seen(updated.trip, at(4, 5))
    assert kinds(near) == [EventType.APPROACHING_TRIP_DESTINATION]
    there = seen(near.trip, at(5, 0, inside="store", entered="store"))
    assert kinds(there) == [EventType.ARRIVED_AT_TRIP_DESTINATION]
    assert there.events[0].geofence is not None
    assert kinds(seen(there.trip, at(6, 30))) == []


def test_who_is_there_already_starts_and_arrives_at_once() -> None:
    stepped = seen(trip(), at(1, 0, inside="store"))
    assert kinds(stepped) == [EventType.STARTED_TRIP, EventType.ARRIVED_AT_TRIP_DESTINATION]


def test_exactly_at_the_threshold_is_approaching() -> None:
    assert seen(trip(), at(1, 5)).trip.status is TripStatus.APPROACHING
    assert seen(trip(), at(1, 5.001)).trip.status is TripStatus.STARTED


def test_the_wrong_shop_is_reported_each_time_it_is_entered() -> None:
    started = seen(trip(), at(1)).trip
    wrong = seen(started, at(2, 60, inside="other", entered="other"))
    assert kinds(wrong) == [EventType.ARRIVED_AT_WRONG_TRIP_DESTINATION]
    assert kinds(seen(wrong.trip, at(3, 60, inside="other"))) == []
    assert wrong.trip.status is TripStatus.STARTED


def test_coordinates_are_reached_within_their_radius() -> None:
    by_point = trip(destination=Destination(Point(8.001, 50.0), arrival_radius_m=72))
    assert seen(by_point, at(1)).trip.status is TripStatus.ARRIVED
    assert seen(trip(destination=Destination(Point(8.001, 50.0), arrival_radius_m=71)), at(1)).trip.status is not (
        TripStatus.ARRIVED
    )


def test_the_next_leg_begins_when_one_ends() -> None:
    started = seen(trip("a", "b", "c"), at(1)).trip
    arrived = seen(started, at(2, 0, inside="a")).trip
    assert [leg.status.value for leg in arrived.legs] == ["arrived", "pending", "pending"]
    on = leg_moved_to(arrived, "a", TripStatus.COMPLETED, NOW).trip
    assert (on.status, on.arrived_at, on.eta) == (TripStatus.STARTED, None, None)
    assert [leg.status.value for leg in on.legs] == ["completed", "started", "pending"]
    skipped = leg_moved_to(on, "c", TripStatus.CANCELED, NOW).trip
    assert skipped.status is TripStatus.STARTED
    done = leg_moved_to(skipped, "b", TripStatus.COMPLETED, NOW)
    assert (done.trip.status, kinds(done)) == (TripStatus.COMPLETED, [STOPPED])


def test_a_trip_whose_legs_were_all_canceled_is_canceled() -> None:
    one = leg_moved_to(trip("a", "b"), "a", TripStatus.CANCELED, NOW).trip
    assert one.status is TripStatus.PENDING
    assert leg_moved_to(one, "b", TripStatus.CANCELED, NOW).trip.status is TripStatus.CANCELED


def test_ending_the_trip_ends_its_legs() -> None:
    ended = moved_to(leg_moved_to(trip("a", "b"), "a", TripStatus.COMPLETED, NOW).trip, TripStatus.CANCELED, NOW).trip
    assert [leg.status.value for leg in ended.legs] == ["completed", "canceled"]


def test_a_stored_trip_keeps_its_delay_also_one_of_an_earlier_version() -> None:
    on = seen(trip(scheduled_arrival_at=NOW + timedelta(minutes=50)), at(1)).trip
    content = trip_content(on)
    assert trip_of_content(content, Environment.TEST) == on
    del content["arrival"]
    assert trip_of_content(content, Environment.TEST).delay_s == on.delay_s == 11 * 60
    there = trip_content(seen(on, at(61, 0, inside="store")).trip)
    there.pop("arrival", None)
    assert trip_of_content(there, Environment.TEST).delay_s == 11 * 60


type Act = Callable[[Trip], Stepped]

_MINUTES = st.integers(0, 500)
_UPDATES = st.builds(
    lambda minute, left, inside, entered: lambda on: seen(on, at(minute, left, inside, entered)),
    _MINUTES,
    st.none() | st.floats(0, 100),
    st.sampled_from(["", "store", "other", "a", "b", "c"]),
    st.sampled_from(["", "store", "other"]),
)
_STATUSES = st.sampled_from(list(TripStatus))


def _status_act(status: TripStatus) -> Act:
    def act(on: Trip) -> Stepped:
        if status is not on.status and status not in on.status.following:
            return Stepped(on)
        return moved_to(on, status, NOW)

    return act


def _leg_act(leg: str, status: TripStatus) -> Act:
    return lambda on: leg_moved_to(on, leg, status, NOW)


def _order_act(order: list[str]) -> Act:
    return lambda on: reordered(on, order, NOW)


_ACTS = st.one_of(
    _UPDATES,
    st.builds(_status_act, _STATUSES),
    st.builds(_leg_act, st.sampled_from("abc"), _STATUSES),
    st.builds(_order_act, st.permutations(["a", "b", "c"]).map(list)),
)


@given(st.booleans(), st.lists(_ACTS, max_size=20))
def test_a_trip_only_goes_on_and_reports_each_step_once(with_legs: bool, acts: list[Act]) -> None:
    now = trip("a", "b", "c") if with_legs else trip()
    events: list[EventType] = []
    history = [now]
    for act in acts:
        if not now.status.is_open:
            break
        try:
            stepped = act(now)
        except (InvalidParameter, StopIteration):
            continue
        events += kinds(stepped)
        now = stepped.trip
        history.append(now)
    assert events.count(EventType.STARTED_TRIP) <= 1
    assert events.count(STOPPED) == (0 if now.status.is_open else 1)
    assert (now.ended_at is None) == now.status.is_open
    assert now.status is TripStatus.PENDING or not now.status.is_active or now.started_at is not None
    for before, after in pairwise(history):
        if not with_legs and after.status in ORDER:
            assert ORDER.index(after.status) >= ORDER.index(before.status)
    for leg in now.legs:
        assert leg.status.is_active == (leg is now.current_leg and now.status.is_active)
    if with_legs and not now.status.is_open:
        assert now.current_leg is None


def test_legs_in_another_order_are_an_update_and_in_the_same_one_are_not() -> None:
    on = seen(trip("b", "a", "c"), at(1)).trip
    assert reordered(on, ["b", "a", "c"], NOW) == Stepped(on)
    for order in (["a", "b", "c"], ["c", "b", "a"]):
        other = reordered(on, order, NOW)
        assert [leg.id for leg in other.trip.legs] == order
        assert [leg.status.value for leg in other.trip.legs] == ["started", "pending", "pending"]
        assert kinds(other) == [EventType.UPDATED_TRIP]
    done = leg_moved_to(on, "b", TripStatus.COMPLETED, NOW).trip
    assert reordered(done, ["a", "c"], NOW) == Stepped(done), "ended legs may be omitted"
    assert [leg.id for leg in reordered(done, ["c", "a", "b"], NOW).trip.legs] == ["b", "c", "a"]


@pytest.mark.parametrize(
    ("order", "words"), [(["a"], "'b' is missing"), (["a", "a", "b"], "twice"), (["a", "b", "x"], "'x'")]
)
def test_an_order_names_every_leg_once(order: list[str], words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        reordered(trip("a", "b"), order, NOW)


@pytest.mark.parametrize("order", list(permutations("abc")))
def test_another_order_of_the_legs_is_an_update_and_the_same_one_is_none(order: tuple[str, ...]) -> None:
    stepped = reordered(trip("a", "b", "c"), order, NOW + timedelta(minutes=1))
    assert tuple(leg.id for leg in stepped.trip.legs) == order
    is_same = order == ("a", "b", "c")
    assert kinds(stepped) == ([] if is_same else [EventType.UPDATED_TRIP])
    assert (stepped.trip.updated_at == NOW) == is_same


def test_ended_legs_stay_in_front_and_the_leg_on_the_way_is_the_first_of_the_others() -> None:
    on = seen(leg_moved_to(trip("a", "b", "c"), "a", TripStatus.COMPLETED, NOW).trip, at(1)).trip
    assert [leg.status.value for leg in on.legs] == ["completed", "started", "pending"]
    for order in (["c", "b"], ["c", "a", "b"]):
        after = reordered(on, order, NOW).trip
        assert [(leg.id, leg.status.value) for leg in after.legs] == [
            *(("a", "completed"), ("c", "started"), ("b", "pending"))
        ]


@pytest.mark.parametrize(
    ("behind", "late_min"),
    [(timedelta(0), 30), (timedelta(hours=2), 0), (-timedelta(hours=2), 150), (timedelta(days=3), 30)],
)
def test_an_arrival_is_late_by_the_devices_clock_unless_it_has_another_day(behind: timedelta, late_min: float) -> None:
    arrival = Arrival(for_engine=NOW, for_device=NOW - behind)
    assert arrival.late_s(NOW - timedelta(minutes=30)) == late_min * 60
    assert replace(arrival, after_s=600).late_s(NOW + timedelta(minutes=20)) == max(0, late_min - 40) * 60
    later = NOW + timedelta(hours=1)
    assert arrival.reported(later) == Arrival(later, later - behind if behind > timedelta(days=1) else later)
