"""Open trips in seeds and snapshots, as in create requests or as in responses."""

from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from app.api.wire.common.encoding import encode_time, set_minutes
from app.api.wire.common.fields import Identifier, Moment, Text, UserMetadata
from app.api.wire.common.requests import RequestModel
from app.api.wire.trips.fields import Arrival, Metres, Minutes, Mode, Place, Status
from app.api.wire.trips.record import encode_eta
from app.api.wire.trips.request import DestinationBody
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.snapshots import LegSeed, TripSeed
from engine.domain.tracking.trips import (
    MAX_LEGS,
    Destination,
    DestinationChange,
    Eta,
    LegChange,
    Trip,
    TripChange,
    TripLeg,
)
from engine.domain.travel import TravelMode

type Given = Annotated[Any, Field(description="Accepted and ignored, as it follows from other fields.")]
type RecordId = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$")]


class SeedDestination(DestinationBody):
    """A destination, as in a request or as in the response for a leg."""

    model_config = ConfigDict(extra="forbid")

    location: Place = None
    type: Given = None
    source: Given = None


class SeedEta(RequestModel):
    """An ETA, as in a response."""

    model_config = ConfigDict(extra="forbid")

    distance: Annotated[float, Field(ge=0, description="Metres.")]
    duration: Annotated[float, Field(ge=0, description="Minutes.")]
    source: Literal["route", "estimate"] = "estimate"


class _Led(RequestModel):
    """A trip or one of its legs, which both have a destination."""

    model_config = ConfigDict(extra="forbid")

    id: RecordId | None = Field(None, alias="_id")
    status: Status = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
    destination: SeedDestination | None = None
    destination_geofence_tag: Identifier | None = None
    destination_geofence_external_id: Identifier | None = None
    destination_geofence_id: Identifier | None = None
    destination_location: Place = None
    destination_address: Text | None = None
    arrival_radius: Metres = None
    metadata: UserMetadata | None = None
    eta: SeedEta | None = None


class SeedLeg(_Led):
    """One of several destinations of a trip."""

    stop_duration: Minutes = None


class SeedTrip(_Led):
    """An open trip."""

    live: bool | None = None
    external_id: Identifier
    user_id: Identifier | None = None
    device_id: Identifier | None = None
    mode: Mode = None
    approaching_threshold: Minutes = None
    scheduled_arrival_at: Arrival = None
    started_at: Moment | None = None
    approaching_at: Moment | None = None
    arrived_at: Moment | None = None
    legs: Annotated[list[SeedLeg], Field(max_length=MAX_LEGS)] | None = None
    delay: Given = None
    ended_at: Given = None
    completed_at: Given = None
    user: Given = None
    locations: Given = None
    current_leg: Given = None
    current_leg_id: Given = None


def decode_trip_seed(body: SeedTrip) -> TripSeed:
    """Return the engine's seed for a trip in a file; raises `InvalidParameter`."""
    if body.status is not None and not body.status.is_open:
        explanation = (
            f"must be pending, started, approaching or arrived, as a seed holds no trips that are {body.status}"
        )
        raise InvalidParameter("status", f"status: {explanation}.")
    legs = tuple(body.legs or ())
    return TripSeed(
        environment=Environment.LIVE if body.live else Environment.TEST,
        change=TripChange(
            external_id=body.external_id,
            status=body.status,
            user_id=body.user_id,
            device_id=body.device_id,
            mode=body.mode,
            destination=None if legs else _destination_change(body),
            legs=tuple(_leg_change(leg, index) for index, leg in enumerate(legs)) or None,
            approaching_threshold_s=_seconds(body.approaching_threshold),
            scheduled_arrival_at=body.scheduled_arrival_at,
            metadata=body.metadata,
        ),
        id=body.id,
        created_at=body.created_at,
        updated_at=body.updated_at,
        started_at=body.started_at,
        approaching_at=body.approaching_at,
        arrived_at=body.arrived_at,
        eta=_eta_of(body.eta),
        legs=tuple(LegSeed(leg.id, leg.status, leg.created_at, leg.updated_at, _eta_of(leg.eta)) for leg in legs),
    )


def encode_trip_seed(trip: Trip, geofences: Collection[str]) -> dict[str, Any]:
    """Return a trip as in a create request; `geofences` are the identifiers of the existing geofences."""
    encoded: dict[str, Any] = {"_id": trip.id}
    if trip.environment.live:
        encoded["live"] = True
    encoded |= {"externalId": trip.external_id, "status": trip.status}
    if trip.user_id is not None:
        encoded["userId"] = trip.user_id
    if trip.device_id is not None:
        encoded["deviceId"] = trip.device_id
    if trip.mode is not TravelMode.CAR:
        encoded["mode"] = trip.mode
    if trip.destination is not None:
        encoded["destination"] = _encode_destination(trip.destination, geofences)
    if trip.approaching_threshold_s is not None:
        encoded["approachingThreshold"] = set_minutes(trip.approaching_threshold_s)
    if trip.metadata:
        encoded["metadata"] = dict(trip.metadata)
    for name, moment in (
        ("scheduledArrivalAt", trip.scheduled_arrival_at),
        ("createdAt", trip.created_at),
        ("updatedAt", trip.updated_at),
        ("startedAt", trip.started_at),
        ("approachingAt", trip.approaching_at),
        ("arrivedAt", trip.arrived_at),
    ):
        if moment is not None:
            encoded[name] = encode_time(moment)
    if trip.eta is not None:
        encoded["eta"] = encode_eta(trip.eta)
    if trip.legs:
        encoded["legs"] = [_encode_leg(leg, geofences) for leg in trip.legs]
    return encoded


def _encode_leg(leg: TripLeg, geofences: Collection[str]) -> dict[str, Any]:
    encoded: dict[str, Any] = {
        "_id": leg.id,
        "status": leg.status,
        "destination": _encode_destination(leg.destination, geofences),
        "createdAt": encode_time(leg.created_at),
        "updatedAt": encode_time(leg.updated_at),
    }
    if leg.eta is not None and leg.status.is_open:
        encoded["eta"] = encode_eta(leg.eta)
    if leg.stop_s is not None:
        encoded["stopDuration"] = set_minutes(leg.stop_s)
    if leg.metadata:
        encoded["metadata"] = dict(leg.metadata)
    return encoded


def _encode_destination(destination: Destination, geofences: Collection[str]) -> dict[str, Any]:
    # A trip still leads to the location of its geofence after the geofence was deleted.
    if destination.geofence_id in geofences:
        return {
            "destinationGeofenceTag": destination.tag,
            "destinationGeofenceExternalId": destination.external_id,
        }
    encoded: dict[str, Any] = {"coordinates": (destination.point.longitude, destination.point.latitude)}
    if destination.address is not None:
        encoded["address"] = destination.address
    if destination.arrival_radius_m is not None:
        encoded["arrivalRadius"] = destination.arrival_radius_m
    return encoded


def _eta_of(given: SeedEta | None) -> Eta | None:
    return None if given is None else Eta(given.distance, given.duration * 60, given.source == "route")


def _destination_change(body: _Led) -> DestinationChange | None:
    given = body.destination
    # A leg in a response has the geofence next to its destination, not in it.
    for named in (body,) if given is None else (given, body):
        tag, external_id = named.destination_geofence_tag, named.destination_geofence_external_id
        if tag is not None or external_id is not None:
            return DestinationChange(tag=tag, external_id=external_id)
        if named.destination_geofence_id is not None:
            return DestinationChange(geofence_id=named.destination_geofence_id)
    if given is None:
        point, address, radius_m = body.destination_location, body.destination_address, body.arrival_radius
    else:
        point, address, radius_m = given.coordinates or given.location, given.address, given.arrival_radius
    if point is None:
        if given is None and address is None:
            return None
        raise InvalidParameter(
            "destination", "destination: needs a geofence of the file, or coordinates; an address is not looked up."
        )
    return DestinationChange(point=point, address=address or None, arrival_radius_m=radius_m)


def _leg_change(leg: SeedLeg, index: int) -> LegChange:
    try:
        destination = _destination_change(leg)
    except InvalidParameter as error:
        raise InvalidParameter(f"legs[{index}].{error.param}", f"legs[{index}].{error.message}") from None
    if destination is None:
        raise InvalidParameter(f"legs[{index}].destination", f"legs[{index}].destination: is required.")
    return LegChange(destination=destination, stop_s=_seconds(leg.stop_duration), metadata=leg.metadata)


def _seconds(value: float | None) -> float | None:
    return None if value is None else value * 60
