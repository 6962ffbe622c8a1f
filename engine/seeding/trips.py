"""The trips of a seed: each is created like a client's, and then moved to the state given in the seed."""

from collections.abc import Callable
from datetime import datetime

from engine.domain.tracking.snapshots import LegSeed, TripSeed
from engine.domain.tracking.trips import Arrival, Eta, Trip, TripLeg, TripStatus
from engine.domain.values import replace
from engine.trips.judging import Places, created
from engine.trips.machine import moved_to


def trip_made(seed: TripSeed, make_id: Callable[[], str], places: Places, now: datetime) -> Trip:
    """Return the trip of a seed, as last seen now; raises `InvalidParameter`."""
    at = seed.created_at or now
    trip = created(seed.change, seed.environment, make_id, places, at)
    changed_at = seed.updated_at or at
    trip = moved_to(trip, seed.change.status or TripStatus.PENDING, changed_at).trip
    trip = trip if seed.eta is None else _with_eta(trip, seed.eta, changed_at)
    return replace(
        trip,
        id=seed.id or trip.id,
        updated_at=changed_at,
        seen_at=now,
        started_at=seed.started_at or trip.started_at,
        approaching_at=seed.approaching_at or trip.approaching_at,
        arrived_at=seed.arrived_at or trip.arrived_at,
        legs=tuple(_leg(leg, given) for leg, given in zip(trip.legs, seed.legs, strict=True)),
    )


def _with_eta(trip: Trip, eta: Eta, changed_at: datetime) -> Trip:
    """Return a trip with its ETA as of its last change, as already reported by its events."""
    arrival = trip.arrival
    if trip.status is not TripStatus.ARRIVED:
        arrival = Arrival(changed_at, changed_at, eta.duration_s)
    return replace(trip, eta=eta, arrival=arrival, told_s=eta.duration_s)


def _leg(leg: TripLeg, given: LegSeed) -> TripLeg:
    return replace(
        leg,
        id=given.id or leg.id,
        status=given.status or leg.status,
        created_at=given.created_at or leg.created_at,
        updated_at=given.updated_at or leg.updated_at,
        eta=given.eta,
    )
