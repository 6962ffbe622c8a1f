"""The places that must know every field of trips, except the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from app.api.wire.common.decoding import validate
from app.api.wire.trips.record import encode_trip
from app.api.wire.trips.request import TripCreateBody, trip_change
from engine.domain.tracking.snapshots import KeptUser
from engine.domain.tracking.trips import (
    Destination,
    DestinationChange,
    LegChange,
    Trip,
    TripChange,
    TripLeg,
)
from engine.domain.values import replace
from tests.fields.examples import example, whole, wire
from tests.fields.geofences import samples as geofences
from tests.fields.places import Place, names_of, read_back, shown
from tests.fields.requests import body, example_of, unapplied_fields
from tests.fields.served import TEST, in_events, opened, reopened, sent, through_a_file
from tests.fields.users import sample as user


def samples() -> list[Trip]:
    """Return trips to a geofence, to an address and through legs, with all fields set."""
    fence = geofences()[0]
    to_fence = whole(Destination, geofence_id=fence.id, external_id=fence.external_id)
    to_address = whole(Destination, geofence_id=None, tag=None, external_id=None)
    leg = whole(TripLeg, destination=to_address)
    return [
        _trip(1, destination=to_fence, legs=()),
        _trip(2, destination=to_address, legs=()),
        _trip(3, destination=None, legs=(leg,)),
    ]


def _trip(number: int, **chosen: Any) -> Trip:
    return whole(Trip, id=f"{number}" * 24, external_id=f"t-{number}", **chosen)  # type: ignore[no-any-return]


def _in_order(trips: Sequence[Trip]) -> list[Trip]:
    return sorted(trips, key=lambda trip: trip.external_id)


def _stored(given: Sequence[Trip]) -> list[Trip]:
    with reopened(trips=given) as engine:
        return [engine.trips.get(TEST, trip.id) for trip in given]


def _seeded(given: Sequence[Trip]) -> list[Trip]:
    with reopened(trips=given, geofences=geofences(), users=[KeptUser(user())]) as engine:
        return _in_order(through_a_file(engine).contents[TEST].trips)


def _misread() -> set[str]:
    """Return the fields that a parsed request sets without effect."""
    inner = body(DestinationChange, (Destination,), without=("geofence_id", "tag", "external_id", "point"))
    inner |= {"coordinates": wire(example(Destination, "point")), **_geofence_named()}
    leg = body(LegChange, (TripLeg,), without=("stop_s", "destination"), destination=inner)
    leg["stopDuration"] = wire(example(TripLeg, "stop_s"))
    given = body(TripChange, (Trip,), without=("legs",), destination=inner) | {"legs": [leg]}
    change = trip_change(validate(TripCreateBody, given, strict=True))
    vain = unapplied_fields(replace(change, destination=None, legs=None), (Trip,)) - {"destination", "legs"}
    assert change.destination is not None
    assert change.legs is not None
    vain |= {f"destination.{name}" for name in unapplied_fields(change.destination, (Destination,))}
    return vain | {f"legs.{name}" for name in unapplied_fields(change.legs[0], (TripLeg,)) - {"destination"}}


def _geofence_named() -> dict[str, Any]:
    names = {"geofence_id": "Id", "tag": "Tag", "external_id": "ExternalId"}
    return {f"destinationGeofence{part}": example(Destination, name).value for name, part in names.items()}


def _unapplied_fields() -> set[str]:
    """Return the fields that requests over HTTP set without effect, when creating and when changing a trip."""
    with opened() as engine:
        trip = sent(engine, "POST", "/v1/trips", {"externalId": example(Trip, "external_id").value})["trip"]
        given = body(TripChange, (Trip,), without=("legs",))
        sent(engine, "PATCH", f"/v1/trips/{trip['_id']}/update", given)
        stored = engine.trips.get(TEST, trip["_id"])
    names = names_of(TripChange) - {"destination", "legs"}
    vain = {name for name in names if getattr(stored, name, None) != example_of(TripChange, name, (Trip,)).value}
    return vain if stored.destination is not None else {*vain, "destination"}


def _place(name: str, forgotten: Callable[[], set[str]]) -> Place:
    return Place("trip", name, forgotten)


PLACES: Final = (
    _place("store (reopened)", read_back(samples, _stored)),
    _place("store (in events)", read_back(samples, lambda given: in_events(trip=given))),
    _place("seed and snapshot", read_back(samples, _seeded)),
    _place("API request (as it is read)", _misread),
    _place("API request (over HTTP)", _unapplied_fields),
    _place("API response", shown(samples, encode_trip)),
)
