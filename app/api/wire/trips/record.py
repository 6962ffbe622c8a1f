"""Trips in responses."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired

from pydantic import Field

from app.api.wire.common.answers import AnswerModel, Id, Metadata, PageAnswerModel, Record, Time, one_of
from app.api.wire.common.encoding import PointAnswer, encode_point, encode_time, minutes, set_minutes
from app.api.wire.routes.travel import Drawn, QuantityAnswer, encode_distance, encode_line
from engine.domain.queries import TripDetails, TripLocation
from engine.domain.routing import Match
from engine.domain.tracking.trips import (
    Destination,
    Eta,
    Trip,
    TripLeg,
    TripStatus,
)
from engine.domain.tracking.updates import UserSummary
from engine.domain.travel import TravelMode
from engine.domain.units import Units


class EtaAnswer(Record):
    """Remaining distance and duration of a trip."""

    distance: Annotated[float, Field(ge=0, description="Metres.")]
    duration: Annotated[float, Field(ge=0, description="Minutes.")]
    source: Annotated[
        str,
        one_of(
            "route", "estimate", description="route: along the roads of an area; estimate: from the device's speed."
        ),
    ]


class DelayAnswer(Record):
    """Delay of a trip."""

    delayed: Annotated[bool, Field(description="Whether the arrival is after scheduledArrivalAt.")]
    scheduledArrivalTimeDelay: Annotated[float, Field(ge=0, description="Minutes; 0 if on time.")]


class GeofenceKeyAnswer(Record):
    """Tag and external ID of a geofence."""

    tag: str
    externalId: str


class DestinationSourceAnswer(Record):
    """Source of a leg's destination."""

    geofence: NotRequired[Annotated[Id, Field(description="The _id of the geofence.")]]
    data: Annotated[
        GeofenceKeyAnswer | str | tuple[float, float],
        Field(description="The geofence's tag and externalId, the address, or [latitude, longitude]."),
    ]


class DestinationAnswer(Record):
    """Destination of a leg."""

    type: Annotated[str, one_of("geofence", "address", "coordinates")]
    source: DestinationSourceAnswer
    location: PointAnswer
    address: NotRequired[str]
    arrivalRadius: NotRequired[Annotated[float, Field(gt=0, description="Metres.")]]


class DestinationFields(Record):
    """Destination of a trip, as plain fields."""

    destinationGeofenceTag: NotRequired[str]
    destinationGeofenceExternalId: NotRequired[str]
    destinationGeofenceId: NotRequired[Id]
    destinationLocation: NotRequired[PointAnswer]


class TripLegRecord(DestinationFields):
    """One of several destinations of a trip."""

    _id: Id
    status: Annotated[str, one_of(*TripStatus)]
    createdAt: Time
    updatedAt: Time
    destination: DestinationAnswer
    stopDuration: NotRequired[Annotated[float, Field(ge=0, description="Minutes.")]]
    metadata: Metadata
    eta: NotRequired[EtaAnswer]


class TripRecord(DestinationFields):
    """A trip."""

    _id: Id
    createdAt: Time
    updatedAt: Time
    live: bool
    externalId: str
    status: Annotated[str, one_of(*TripStatus)]
    mode: Annotated[str, one_of(*TravelMode)]
    metadata: Metadata
    userId: NotRequired[str]
    deviceId: NotRequired[str]
    destinationAddress: NotRequired[str]
    arrivalRadius: NotRequired[Annotated[float, Field(gt=0, description="Metres; absent for a geofence.")]]
    approachingThreshold: NotRequired[Annotated[float, Field(ge=0, description="Minutes.")]]
    scheduledArrivalAt: NotRequired[Time]
    delay: NotRequired[Annotated[DelayAnswer, Field(description="If scheduledArrivalAt is set and an ETA known.")]]
    eta: NotRequired[
        Annotated[EtaAnswer, Field(description="ETA at the last destination, while the trip is in progress.")]
    ]
    startedAt: NotRequired[Time]
    approachingAt: NotRequired[Time]
    arrivedAt: NotRequired[Time]
    endedAt: NotRequired[Time]
    completedAt: NotRequired[Annotated[Time, Field(description="The same as endedAt, of a completed trip.")]]
    legs: NotRequired[Annotated[list[TripLegRecord], Field(min_length=1)]]
    currentLeg: NotRequired[Annotated[Id, Field(description="The _id of the first leg that has not ended.")]]
    currentLegId: NotRequired[Annotated[Id, Field(description="The same as currentLeg.")]]


class TripUserAnswer(Record):
    """User of a trip."""

    _id: Id
    userId: NotRequired[str]
    deviceId: str


class TripLocationAnswer(PointAnswer):
    """A location of the user of a trip."""

    updatedAt: Annotated[Time, Field(description="The time of the location update.")]


class TripDetailsRecord(TripRecord):
    """A trip with its user."""

    user: NotRequired[Annotated[TripUserAnswer, Field(description="If a user with the userId or deviceId is known.")]]
    locations: NotRequired[
        Annotated[
            list[TripLocationAnswer],
            Field(description="If requested: the kept locations while the trip was in progress, oldest first."),
        ]
    ]


class TripAnswer(AnswerModel):
    """One trip."""

    trip: TripDetailsRecord


class TripListAnswer(PageAnswerModel):
    """Trips, newest first."""

    trips: list[TripDetailsRecord]


class TripRouteAnswer(AnswerModel):
    """The roads that the user of a trip followed."""

    distance: QuantityAnswer
    geometry: Drawn


def encode_trip(trip: Trip) -> TripRecord:
    """Return a trip."""
    encoded: TripRecord = {
        "_id": trip.id,
        "createdAt": encode_time(trip.created_at),
        "updatedAt": encode_time(trip.updated_at),
        "live": trip.environment.live,
        "externalId": trip.external_id,
        "status": trip.status,
        "mode": trip.mode,
        "metadata": dict(trip.metadata),
    }
    if trip.user_id is not None:
        encoded["userId"] = trip.user_id
    if trip.device_id is not None:
        encoded["deviceId"] = trip.device_id
    if trip.destination is not None:
        _add_destination(encoded, trip.destination)
        if trip.destination.address is not None:
            encoded["destinationAddress"] = trip.destination.address
        if (radius_m := _radius_of(trip.destination)) is not None:
            encoded["arrivalRadius"] = radius_m
    if trip.approaching_threshold_s is not None:
        encoded["approachingThreshold"] = set_minutes(trip.approaching_threshold_s)
    if trip.eta is not None and trip.status.is_open:
        encoded["eta"] = encode_eta(trip.eta)
    _add_times(encoded, trip)
    if trip.legs:
        _add_legs(encoded, trip)
    return encoded


def encode_details(details: TripDetails) -> TripDetailsRecord:
    """Return a trip with its user and, if requested, its locations."""
    encoded: TripDetailsRecord = {**encode_trip(details.trip)}
    if details.user is not None:
        encoded["user"] = _encode_user(details.user)
    if details.locations is not None:
        encoded["locations"] = [_encode_location(each) for each in details.locations]
    return encoded


def _encode_user(user: UserSummary) -> TripUserAnswer:
    encoded: TripUserAnswer = {"_id": user.id, "deviceId": user.device_id}
    if user.user_id is not None:
        encoded["userId"] = user.user_id
    return encoded


def _encode_location(location: TripLocation) -> TripLocationAnswer:
    return {**encode_point(location.point), "updatedAt": encode_time(location.at)}


def encode_trip_route(match: Match) -> Mapping[str, Any]:
    """Return the roads that the user of a trip followed."""
    return {
        "distance": encode_distance(match.distance_m, Units.IMPERIAL),
        "geometry": encode_line(match.line, "polyline6"),
    }


def _add_times(encoded: TripRecord, trip: Trip) -> None:
    if trip.scheduled_arrival_at is not None:
        encoded["scheduledArrivalAt"] = encode_time(trip.scheduled_arrival_at)
    if (delay_s := trip.delay_s) is not None:
        encoded["delay"] = {"delayed": trip.is_late, "scheduledArrivalTimeDelay": minutes(delay_s)}
    if trip.started_at is not None:
        encoded["startedAt"] = encode_time(trip.started_at)
    if trip.approaching_at is not None:
        encoded["approachingAt"] = encode_time(trip.approaching_at)
    if trip.arrived_at is not None:
        encoded["arrivedAt"] = encode_time(trip.arrived_at)
    if trip.ended_at is not None:
        encoded["endedAt"] = encode_time(trip.ended_at)
        if trip.status is TripStatus.COMPLETED:
            encoded["completedAt"] = encoded["endedAt"]


def _add_legs(encoded: TripRecord, trip: Trip) -> None:
    encoded["legs"] = [encode_leg(leg) for leg in trip.legs]
    if (current := trip.current_leg) is not None:
        encoded["currentLeg"] = encoded["currentLegId"] = current.id


def encode_leg(leg: TripLeg) -> TripLegRecord:
    """Return a leg of a trip."""
    encoded: TripLegRecord = {
        "_id": leg.id,
        "status": leg.status,
        "createdAt": encode_time(leg.created_at),
        "updatedAt": encode_time(leg.updated_at),
        "destination": _encode_destination(leg.destination),
        "metadata": dict(leg.metadata),
    }
    _add_destination(encoded, leg.destination)
    if leg.stop_s is not None:
        encoded["stopDuration"] = set_minutes(leg.stop_s)
    if leg.eta is not None and leg.status.is_open:
        encoded["eta"] = encode_eta(leg.eta)
    return encoded


def _add_destination(encoded: DestinationFields, destination: Destination) -> None:
    encoded["destinationLocation"] = encode_point(destination.point)
    if destination.geofence_id is not None:
        encoded["destinationGeofenceId"] = destination.geofence_id
    if destination.tag is not None:
        encoded["destinationGeofenceTag"] = destination.tag
    if destination.external_id is not None:
        encoded["destinationGeofenceExternalId"] = destination.external_id


def _encode_destination(destination: Destination) -> DestinationAnswer:
    kind, source = _source_of(destination)
    encoded: DestinationAnswer = {"type": kind, "source": source, "location": encode_point(destination.point)}
    if destination.address is not None:
        encoded["address"] = destination.address
    if (radius_m := _radius_of(destination)) is not None:
        encoded["arrivalRadius"] = radius_m
    return encoded


def _radius_of(destination: Destination) -> float | None:
    """Return the radius that a client has set, or None for a geofence, which has its own shape."""
    return destination.arrival_radius_m if destination.geofence_id is None else None


def _source_of(destination: Destination) -> tuple[str, DestinationSourceAnswer]:
    if destination.geofence_id is not None:
        data: GeofenceKeyAnswer = {"tag": destination.tag or "", "externalId": destination.external_id or ""}
        return "geofence", {"geofence": destination.geofence_id, "data": data}
    if destination.address is not None:
        return "address", {"data": destination.address}
    return "coordinates", {"data": (destination.point.latitude, destination.point.longitude)}


def encode_eta(eta: Eta) -> EtaAnswer:
    """Return an ETA."""
    return {
        "distance": round(eta.distance_m, 1),
        "duration": minutes(eta.duration_s),
        "source": "route" if eta.is_routed else "estimate",
    }
