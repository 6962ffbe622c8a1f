"""Validation of a client's request for a trip: destinations are looked up and limits enforced."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.metadata import MAX_USER_KEYS, NO_METADATA, Metadata, check_metadata
from engine.domain.settings import check_approaching_threshold
from engine.domain.text import check_identifier
from engine.domain.tracking.trips import (
    ARRIVAL_RADIUS_M,
    MAX_LEGS,
    Destination,
    DestinationChange,
    LegChange,
    Trip,
    TripChange,
    TripLeg,
    TripStatus,
    check_following,
)
from engine.domain.tracking.updates import EventType
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geo.shapes import shape_of
from engine.trips.machine import Stepped, happened, moved_to


class Places(Struct, frozen=True):
    """Lookups of geofences as destinations, by identifier, or by tag and external ID, which may return None."""

    geofence: Callable[[str], Geofence | None]
    geofence_by_key: Callable[[str, str], Geofence | None]


def created(
    change: TripChange, environment: Environment, make_id: Callable[[], str], places: Places, now: datetime
) -> Trip:
    """Return a new trip that waits for its first location update. Raises `InvalidParameter`."""
    if change.external_id is None:
        raise InvalidParameter("external_id", "external_id: is required.")
    _check_limits(change)
    if change.legs and change.destination is not None:
        raise InvalidParameter("legs", "legs: cannot be combined with a destination of the trip itself.")
    return Trip(
        id=make_id(),
        environment=environment,
        external_id=check_identifier(change.external_id, "external_id"),
        status=TripStatus.PENDING,
        created_at=now,
        updated_at=now,
        seen_at=now,
        user_id=None if change.user_id is None else check_identifier(change.user_id, "user_id"),
        device_id=None if change.device_id is None else check_identifier(change.device_id, "device_id"),
        mode=change.mode or TravelMode.CAR,
        destination=None if change.destination is None else found_destination(change.destination, places),
        legs=_legs(change.legs or (), make_id, places, now),
        approaching_threshold_s=change.approaching_threshold_s,
        scheduled_arrival_at=change.scheduled_arrival_at,
        metadata=_metadata(change.metadata),
    )


def changed(
    trip: Trip,
    change: TripChange,
    make_id: Callable[[], str],
    places: Places,
    now: datetime,
    then: Callable[[Trip], Trip] = lambda trip: trip,
) -> Stepped:
    """Return a trip after a client's change, with its events. Raises `InvalidParameter`.

    `then` completes the changed trip with further data that its events should contain.
    """
    _check_limits(change)
    if change.external_id not in (None, trip.external_id):
        raise InvalidParameter("external_id", f"external_id: is {trip.external_id!r} and cannot be changed.")
    status = change.status or trip.status
    check_following(trip.status, status)
    if not trip.status.is_open:
        if change.status is None:
            raise InvalidParameter("status", f"status: this trip is {trip.status} and cannot be changed.")
        return Stepped(trip)
    after = _with_fields(trip, change, make_id, places, now)
    is_other = after != trip
    after = then(replace(after, updated_at=now, seen_at=now) if is_other else after)
    if status is not trip.status:
        return moved_to(after, status, now)
    return happened(EventType.UPDATED_TRIP, after) if is_other else Stepped(after)


def _with_fields(trip: Trip, change: TripChange, make_id: Callable[[], str], places: Places, now: datetime) -> Trip:
    """Return a trip with the fields of a change."""
    after = trip
    if change.destination is not None and trip.legs:
        raise InvalidParameter("destination", "destination: this trip has legs, each with its own destination.")
    if change.destination is not None:
        after = _with_destination(after, found_destination(change.destination, places))
    if change.legs is not None:
        after = _with_legs(after, _legs(change.legs, make_id, places, now))
    for name in ("mode", "approaching_threshold_s", "scheduled_arrival_at", "user_id", "device_id"):
        value = getattr(change, name)
        if value is not None and value != getattr(trip, name):
            after = replace(after, **{name: value})
    return after if change.metadata is None else replace(after, metadata=_metadata(change.metadata))


def _with_destination(trip: Trip, destination: Destination) -> Trip:
    """Return a trip with a destination, without the previous ETA and arrival if it is another one."""
    before = trip.destination
    if before is not None and _is_same(before, destination):
        return trip
    return replace(trip, destination=destination, eta=None, arrival=None, told_s=None)


def _with_legs(trip: Trip, legs: tuple[TripLeg, ...]) -> Trip:
    """Return a trip with other legs. The same legs in any order are no change, as SDKs repeat them."""
    if Counter(map(_leg_key, legs)) == Counter(map(_leg_key, trip.legs)):
        return trip
    if trip.status is not TripStatus.PENDING:
        raise InvalidParameter(
            "legs", f"legs: can be replaced only while the trip is pending; this one is {trip.status}."
        )
    return replace(trip, legs=legs, destination=None)


def _leg_key(leg: TripLeg) -> tuple[object, ...]:
    """Return the values of a leg that a client sets."""
    destination = leg.destination
    location = destination.geofence_id or (destination.point, destination.address, destination.arrival_radius_m)
    return location, leg.stop_s, frozenset(leg.metadata.items())


def _is_same(one: Destination, other: Destination) -> bool:
    if one.geofence_id is not None:
        return one.geofence_id == other.geofence_id
    return one == other


def found_destination(wanted: DestinationChange, places: Places) -> Destination:
    """Return a destination as it is stored. Raises `InvalidParameter` naming an unknown or missing value."""
    least, most = ARRIVAL_RADIUS_M
    if wanted.arrival_radius_m is not None and not least <= wanted.arrival_radius_m <= most:
        raise InvalidParameter("arrival_radius_m", f"arrival_radius_m: must be within [{least:g}, {most:g}].")
    if (geofence := _geofence(wanted, places)) is not None:
        if wanted.point is not None or wanted.address is not None:
            raise InvalidParameter(
                "destination", "destination: give a geofence, or coordinates or an address, not both."
            )
        shape = shape_of(geofence.geometry)
        # If its geofence is deleted, a trip continues to the geofence's former position.
        radius_m = min(max(shape.radius_m, least), most)
        return Destination(shape.center, geofence.id, geofence.tag, geofence.external_id, arrival_radius_m=radius_m)
    if wanted.point is not None:
        return Destination(wanted.point, address=wanted.address, arrival_radius_m=wanted.arrival_radius_m)
    if wanted.address is not None:
        raise InvalidParameter("address", "address: is not geocoded with a location update; create the trip first.")
    raise InvalidParameter("destination", "destination: needs a geofence, an address or coordinates.")


def _geofence(wanted: DestinationChange, places: Places) -> Geofence | None:
    if wanted.geofence_id is not None:
        found = places.geofence(wanted.geofence_id)
        if found is None:
            name = "destination_geofence_id"
            raise InvalidParameter(name, f"{name}: no geofence has the _id {wanted.geofence_id[:60]!r}.")
        return found
    if wanted.tag is None and wanted.external_id is None:
        return None
    for value, name in (
        (wanted.tag, "destination_geofence_tag"),
        (wanted.external_id, "destination_geofence_external_id"),
    ):
        if value is None:
            raise InvalidParameter(name, f"{name}: is required; a geofence is identified by its tag and external ID.")
    assert wanted.tag is not None
    assert wanted.external_id is not None
    found = places.geofence_by_key(wanted.tag, wanted.external_id)
    if found is None:
        name, which = "destination_geofence_external_id", f"{wanted.tag[:60]!r} and {wanted.external_id[:60]!r}"
        raise InvalidParameter(name, f"{name}: no geofence has the tag and external ID {which}.")
    return found


def _legs(
    changes: tuple[LegChange, ...], make_id: Callable[[], str], places: Places, now: datetime
) -> tuple[TripLeg, ...]:
    if len(changes) > MAX_LEGS:
        raise InvalidParameter("legs", f"legs: at most {MAX_LEGS} are allowed, not {len(changes)}.")
    return tuple(_leg(number, change, make_id, places, now) for number, change in enumerate(changes, 1))


def _leg(number: int, change: LegChange, make_id: Callable[[], str], places: Places, now: datetime) -> TripLeg:
    try:
        destination = found_destination(change.destination, places)
        metadata = _metadata(change.metadata)
    except InvalidParameter as error:
        raise InvalidParameter("legs", f"legs: leg {number}: {error.message}") from None
    return TripLeg(make_id(), TripStatus.PENDING, destination, now, now, change.stop_s, metadata)


def _check_limits(change: TripChange) -> None:
    if change.approaching_threshold_s is not None:
        check_approaching_threshold(change.approaching_threshold_s, "approaching_threshold")
    if change.status is TripStatus.EXPIRED:
        raise InvalidParameter("status", "status: a trip expires by itself; expired cannot be set.")


def _metadata(given: Metadata | None) -> Metadata:
    return NO_METADATA if given is None else check_metadata(given, max_keys=MAX_USER_KEYS)
