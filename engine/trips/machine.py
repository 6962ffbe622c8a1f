"""The state machine of trips: pure functions from a trip and an occurrence to the new trip and its events."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.tracking.trips import (
    DEFAULT_ARRIVAL_RADIUS_M,
    Arrival,
    Destination,
    Eta,
    Trip,
    TripLeg,
    TripStatus,
    check_following,
)
from engine.domain.tracking.updates import Confidence, Event, EventType, Fix, UserSummary
from engine.domain.values import replace
from engine.geo.earth import metres_between

MIN_ETA_CHANGE_S: Final = 60.0
"""Difference in seconds from the ETA in the last event that triggers another event."""

_EVENTS: Final = {
    TripStatus.STARTED: EventType.STARTED_TRIP,
    TripStatus.APPROACHING: EventType.APPROACHING_TRIP_DESTINATION,
    TripStatus.ARRIVED: EventType.ARRIVED_AT_TRIP_DESTINATION,
    TripStatus.COMPLETED: EventType.STOPPED_TRIP,
    TripStatus.CANCELED: EventType.STOPPED_TRIP,
    TripStatus.EXPIRED: EventType.STOPPED_TRIP,
}


class TripEvent(Struct, frozen=True):
    """An event of a trip, with the state of the trip at that time."""

    type: EventType
    trip: Trip
    geofence: GeofenceSummary | None = None


class Stepped(Struct, frozen=True):
    """A trip after an occurrence, with its events in order."""

    trip: Trip
    events: tuple[TripEvent, ...] = ()

    def and_then(self, step: Callable[[Trip], "Stepped"]) -> "Stepped":
        """Return the result of a further step, with the events of both."""
        after = step(self.trip)
        return Stepped(after.trip, (*self.events, *after.events))


def happened(type: EventType, trip: Trip, geofence: GeofenceSummary | None = None) -> Stepped:
    """Return the trip with an event. Only the ETA in an event counts as reported."""
    if trip.eta is not None:
        trip = replace(trip, told_s=trip.eta.duration_s)
    return Stepped(trip, (TripEvent(type, trip, geofence),))


class Seen(Struct, frozen=True):
    """The data of a location update for a trip.

    `at` is the time of the update, and `now` is that time by the engine's clock and for the device. `inside` are the
    identifiers of the geofences the user is in, and `entered` the geofences entered by this update. `etas` are the ETAs
    of all legs ahead, or of the single destination, and empty if none is known.
    """

    point: Point
    at: datetime
    now: Arrival
    inside: Collection[str]
    entered: Sequence[GeofenceSummary]
    etas: Sequence[Eta]
    threshold_s: float


def moved_to(
    trip: Trip,
    status: TripStatus,
    now: datetime,
    geofence: GeofenceSummary | None = None,
    arrival: Arrival | None = None,
) -> Stepped:
    """Return the trip in another status with the consequences, or without events if it already has this status.

    `arrival` is the arrival according to a device. Without it, a client reports the arrival.
    """
    if status is trip.status:
        return Stepped(trip)
    after = replace(trip, status=status, updated_at=now, seen_at=now)
    if status.is_active and trip.started_at is None:
        after = replace(after, started_at=now)
    if status is TripStatus.APPROACHING:
        after = replace(after, approaching_at=now)
    if status is TripStatus.ARRIVED:
        arrival = arrival or (None if trip.arrival is None else trip.arrival.reported(now))
        eta = None if trip.eta is None else Eta(0.0, 0.0, trip.eta.is_routed)
        after = replace(after, arrived_at=now, arrival=arrival, eta=eta)
    if not status.is_open:
        after = replace(after, ended_at=now, eta=None)
    return happened(_EVENTS[status], _with_legs_like(after, status, now), geofence)


def noted(trip: Trip, now: datetime) -> Trip:
    """Return a trip that a client or device is using now, by the engine's clock."""
    begun_at = trip.begun_at or (now if trip.status.is_active else None)
    return replace(trip, seen_at=now, begun_at=begun_at)


def _with_legs_like(trip: Trip, status: TripStatus, now: datetime) -> Trip:
    """Return the trip with its status applied to the current leg, or to all open legs if the trip has ended."""
    if not trip.legs:
        return trip
    current = trip.current_leg
    concerned = [leg for leg in trip.legs if leg.status.is_open and (leg is current or not status.is_open)]
    legs = tuple(replace(leg, status=status, updated_at=now) if leg in concerned else leg for leg in trip.legs)
    return replace(trip, legs=legs)


def seen(trip: Trip, observation: Seen, before: Sequence[TripEvent] = ()) -> Stepped:
    """Return the trip after a location update of its user. `before` are the events the update has already made.

    The ETA is computed first, so that every event of the update contains it.
    """
    stepped = Stepped(with_etas(replace(trip, seen_at=observation.at), observation), tuple(before))
    if trip.status is TripStatus.PENDING:
        stepped = stepped.and_then(lambda at: moved_to(at, TripStatus.STARTED, observation.at))
    if stepped.trip.status in (TripStatus.STARTED, TripStatus.APPROACHING):
        stepped = stepped.and_then(lambda at: _nearer(at, observation))
    if not stepped.events and _is_worth_reporting(stepped.trip):
        return happened(EventType.UPDATED_TRIP, stepped.trip)
    return stepped


def _nearer(trip: Trip, observation: Seen) -> Stepped:
    """Return the trip after its user came nearer, arrived, or arrived at a wrong destination."""
    destination = trip.heading_for
    if destination is None:
        return Stepped(trip)
    if _is_there(destination, observation):
        geofence = next((each for each in observation.entered if _is_of(destination, each)), None)
        return moved_to(trip, TripStatus.ARRIVED, observation.at, geofence, observation.now)
    stepped = Stepped(trip)
    if (
        trip.status is TripStatus.STARTED
        and observation.etas
        and observation.etas[0].duration_s <= observation.threshold_s
    ):
        stepped = moved_to(trip, TripStatus.APPROACHING, observation.at)
    wrong = [each for each in observation.entered if destination.tag is not None and each.tag == destination.tag]
    for each in wrong:
        stepped = stepped.and_then(partial(happened, EventType.ARRIVED_AT_WRONG_TRIP_DESTINATION, geofence=each))
    return stepped


def _is_there(destination: Destination, observation: Seen) -> bool:
    if destination.geofence_id is not None:
        return destination.geofence_id in observation.inside
    return is_within_radius(destination, observation.point)


def is_within_radius(destination: Destination, point: Point) -> bool:
    """Return whether a position is close enough to the destination's point to count as arrived."""
    return metres_between(point, destination.point) <= (destination.arrival_radius_m or DEFAULT_ARRIVAL_RADIUS_M)


def _is_of(destination: Destination, geofence: GeofenceSummary) -> bool:
    """Return whether a geofence is that of a destination, or its replacement."""
    if destination.tag is None or destination.external_id is None:
        return geofence.id == destination.geofence_id
    return (geofence.tag, geofence.external_id) == (destination.tag, destination.external_id)


def with_etas(trip: Trip, observation: Seen) -> Trip:
    """Return the trip with its ETA and those of the legs ahead."""
    etas = observation.etas
    if not etas or trip.status is TripStatus.ARRIVED:
        return trip
    trip = replace(
        trip, eta=etas[-1], arrival=replace(observation.now, after_s=etas[-1].duration_s), updated_at=observation.at
    )
    if not trip.legs:
        return trip
    ahead = [leg for leg in trip.legs if leg.status.is_open]
    known = dict(zip((leg.id for leg in ahead), etas, strict=False))
    legs = tuple(replace(leg, eta=known[leg.id]) if leg.id in known else leg for leg in trip.legs)
    return replace(trip, legs=legs)


def _is_worth_reporting(trip: Trip) -> bool:
    if trip.eta is None or not trip.status.is_active:
        return False
    return trip.told_s is None or abs(trip.eta.duration_s - trip.told_s) >= MIN_ETA_CHANGE_S


def leg_moved_to(trip: Trip, leg_id: str, status: TripStatus, now: datetime) -> Stepped:
    """Return the trip after a client set the status of a leg. The trip follows its current leg.

    Raises `InvalidParameter` naming ``status``.
    """
    leg = next(each for each in trip.legs if each.id == leg_id)
    check_following(leg.status, status, "leg")
    if status is leg.status:
        return Stepped(trip)
    current = trip.current_leg
    if leg is not current and status.is_active:
        raise InvalidParameter("status", "status: only the current leg can be in progress.")
    if status.is_active:
        return moved_to(trip, status, now)
    legs = tuple(replace(each, status=status, updated_at=now) if each is leg else each for each in trip.legs)
    after = replace(trip, legs=legs, updated_at=now, seen_at=now)
    if after.current_leg is None:
        return moved_to(after, _end_of(legs), now)
    if leg is current:
        after = _on_next_leg(after, now)
    return happened(EventType.UPDATED_TRIP, after)


def _end_of(legs: Sequence[TripLeg]) -> TripStatus:
    is_canceled = all(leg.status is TripStatus.CANCELED for leg in legs)
    return TripStatus.CANCELED if is_canceled else TripStatus.COMPLETED


def _on_next_leg(trip: Trip, now: datetime) -> Trip:
    """Return the trip on its way to the next leg's destination, if it is active."""
    leg = trip.current_leg
    if leg is None or not trip.status.is_active:
        return trip
    legs = tuple(
        replace(each, status=TripStatus.STARTED, updated_at=now) if each is leg else each for each in trip.legs
    )
    onwards = replace(trip, status=TripStatus.STARTED, legs=legs, approaching_at=None, arrived_at=None)
    return replace(onwards, eta=None, arrival=None, told_s=None)


def reordered(trip: Trip, leg_ids: Sequence[str], now: datetime) -> Stepped:
    """Return the trip with its open legs in another order. Ended legs keep their places at the front.

    Raises `InvalidParameter` ``legs`` unless each leg is named once. Ended legs may be omitted.
    """
    known = {leg.id: leg for leg in trip.legs}
    for leg_id in leg_ids:
        if leg_id not in known:
            raise InvalidParameter("legs", f"legs: this trip has no leg with the _id {leg_id!r}.")
    if len(set(leg_ids)) < len(leg_ids):
        raise InvalidParameter("legs", "legs: a leg is given twice.")
    missing = [leg.id for leg in trip.legs if leg.status.is_open and leg.id not in leg_ids]
    if missing:
        raise InvalidParameter("legs", f"legs: every leg must be given; the leg {missing[0]!r} is missing.")
    ended = [leg for leg in trip.legs if not leg.status.is_open]
    ahead = [known[leg_id] for leg_id in leg_ids if known[leg_id].status.is_open]
    legs = (*ended, *(_waiting(leg, now) for leg in ahead))
    if [leg.id for leg in legs] == [leg.id for leg in trip.legs]:
        return Stepped(trip)
    after = _on_next_leg(replace(trip, legs=legs, updated_at=now, seen_at=now), now)
    return happened(EventType.UPDATED_TRIP, after)


def _waiting(leg: TripLeg, now: datetime) -> TripLeg:
    """Return a leg with the status pending."""
    return leg if leg.status is TripStatus.PENDING else replace(leg, status=TripStatus.PENDING, updated_at=now)


def event_of(
    trip_event: TripEvent,
    user: UserSummary,
    fix: Fix | None,
    now: datetime,
    event_id: str,
    *,
    at: datetime | None = None,
    replayed: bool = False,
) -> Event:
    """Return the event. `at` is the time of the location update, or None if a client changed the trip."""
    return Event(
        id=event_id,
        environment=trip_event.trip.environment,
        type=trip_event.type,
        created_at=at or now,
        actual_created_at=now,
        user=user,
        geofence=trip_event.geofence,
        point=None if fix is None else fix.point,
        accuracy_m=None if fix is None else fix.accuracy_m,
        confidence=Confidence.HIGH,
        replayed=replayed,
        trip=trip_event.trip,
    )
