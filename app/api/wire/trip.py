"""Trips: how clients create, change and list them, and how they are answered.

Durations are minutes here and seconds in the engine; distances are metres.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal, NotRequired, Protocol

from pydantic import BeforeValidator, Field, PlainValidator

from app.api.wire.common.answers import AnswerModel, Id, Metadata, PageAnswerModel, Record, Time, one_of
from app.api.wire.common.encoding import encode_time, minutes, set_minutes
from app.api.wire.common.fields import (
    JSON_TEXT,
    MAX_MILLISECONDS,
    Identifier,
    Identifiers,
    Moment,
    Text,
    UserMetadata,
    read_json_text,
    read_list,
    read_position,
    refusal,
)
from app.api.wire.common.requests import RequestModel
from app.api.wire.geometry import PointAnswer, encode_point
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.metadata import MAX_USER_KEYS, check_metadata
from engine.domain.metadata import Metadata as EngineMetadata
from engine.domain.queries import MAX_LIMIT
from engine.domain.tracking.trips import (
    DEFAULT_TRIPS,
    MAX_LEGS,
    Destination,
    DestinationChange,
    Eta,
    LegChange,
    Trip,
    TripChange,
    TripLeg,
    TripStatus,
)
from engine.domain.travel import MODES, TravelMode

_STATUSES: Final = ", ".join(TripStatus)
_UNSET_WORDS: Final = ("", "unknown", "null")
"""Words by which an SDK says that it sets no status."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _read_status(value: object) -> TripStatus | None:
    if value is None or value in _UNSET_WORDS:
        return None
    try:
        return TripStatus(str(value).lower())
    except ValueError:
        raise refusal(f"must be one of {_STATUSES}") from None


def _read_leg_status(value: object) -> TripStatus:
    status = _read_status(value)
    if status is None:
        raise refusal(f"must be one of {_STATUSES}")
    return status


def _read_statuses(value: object) -> frozenset[TripStatus]:
    words = read_list(value)
    assert isinstance(words, list)
    return frozenset(status for status in map(_read_status, words) if status is not None)


def _read_mode(value: object) -> TravelMode | None:
    if value in (None, ""):
        return None
    try:
        return TravelMode(str(value).lower())
    except ValueError:
        raise refusal(f"must be one of {MODES}") from None


def _read_number(value: object) -> object:
    """Return the number that text spells: one SDK sends a threshold so."""
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    try:
        return float(value) if value.isascii() and "_" not in value else value
    except ValueError:
        raise refusal("must be a number") from None


def _read_arrival(value: object) -> object:
    """Return a moment that may be given in milliseconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None if value == "" else value
    if not 0 <= value <= MAX_MILLISECONDS:
        raise refusal("must be an ISO 8601 date, or milliseconds since 1970")
    return _EPOCH + timedelta(milliseconds=int(value))


def _read_point(value: object) -> object:
    """Return ``[longitude, latitude]``, or a GeoJSON Point, as a position on the earth."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        value = read_json_text(value)
    if isinstance(value, dict):
        value = value.get("coordinates")
    if value in (None, ""):
        return None
    longitude, latitude = read_position(value)
    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):
        raise refusal("must be [longitude, latitude] within [-180, 180] and [-90, 90]")
    return Point(longitude, latitude)


def _read_unless_empty(value: object) -> object:
    """Return what JSON text holds; None for empty text, which a form sends for what is not set."""
    return None if value in ("", "null") else read_json_text(value)


type StatusWord = Literal["pending", "started", "approaching", "arrived", "completed", "canceled", "expired"]
type Status = Annotated[TripStatus | None, PlainValidator(_read_status, json_schema_input_type=StatusWord | None)]
type Mode = Annotated[
    TravelMode | None,
    PlainValidator(_read_mode, json_schema_input_type=Literal["car", "truck", "foot", "bike", "motorbike"] | None),
]
type _Minutes = Annotated[float, Field(ge=0)]
type Minutes = Annotated[_Minutes | None, BeforeValidator(_read_number, json_schema_input_type=_Minutes | str)]
type Metres = Annotated[Annotated[float, Field(gt=0)] | None, BeforeValidator(_read_number)]
type Arrival = Annotated[Moment | None, BeforeValidator(_read_arrival, json_schema_input_type=str | float)]
type LongitudeLatitude = Annotated[tuple[float, float], Field(description="[longitude, latitude]")]
type Place = Annotated[Point | None, PlainValidator(_read_point, json_schema_input_type=LongitudeLatitude | None)]


class _Geofence(RequestModel):
    """A destination by its geofence."""

    destination_geofence_tag: Identifier | None = None
    destination_geofence_external_id: Identifier | None = None
    destination_geofence_id: Identifier | None = Field(None, description="The _id of the geofence, instead of both.")


class DestinationBody(_Geofence):
    """A destination: a geofence, an address, or coordinates."""

    address: Text | None = None
    coordinates: Place = Field(None, description="[longitude, latitude], or a GeoJSON Point.")
    arrival_radius: Metres = Field(
        None, description="Metres around an address or coordinates within which the user has arrived; default 100."
    )


class LegBody(RequestModel):
    """One of several destinations, in order."""

    destination: DestinationBody
    stop_duration: Minutes = Field(None, description="Minutes that the user means to stay there.")
    metadata: UserMetadata | None = None


class _Fields(_Geofence):
    """Fields of a trip that a client may set and change."""

    user_id: Identifier | None = Field(None, description="Whose location updates the trip follows.")
    device_id: Identifier | None = Field(None, description="The device, where there is no userId.")
    destination: Annotated[DestinationBody | None, BeforeValidator(_read_unless_empty), JSON_TEXT] = Field(
        None, description="A destination that may also be an address or coordinates."
    )
    mode: Mode = Field(None, description="Default car.")
    metadata: UserMetadata | None = Field(None, description="Replaces the metadata; at most 32 keys.")
    approaching_threshold: Minutes = Field(
        None,
        description="Minutes to the destination from which the trip is approaching; else the geofence's, else "
        "the project's.",
    )
    scheduled_arrival_at: Arrival = None
    legs: Annotated[
        Annotated[list[LegBody], Field(max_length=MAX_LEGS)] | None, BeforeValidator(_read_unless_empty), JSON_TEXT
    ] = Field(None, description="Several destinations in order, instead of one.")
    status: Status = None


class TripCreateBody(_Fields):
    """A new trip, which starts with the first location update of its user."""

    external_id: Identifier = Field(description="The client's own ID; unique among the trips that have not ended.")


class TripUpdateBody(_Fields):
    """The fields of a trip to set: present ones change, absent ones stay."""

    external_id: Identifier | None = None


class TripOptionsBody(_Fields):
    """The trip that a device is on: started by its location update where there is none, else changed by it."""

    external_id: Identifier


def _read_options(value: object) -> object:
    """Return the options, None for what SDKs send without a trip."""
    return None if value in ("", "null", "[]", "{}", [], {}) else read_json_text(value)


type TripOptions = Annotated[
    TripOptionsBody | None, BeforeValidator(_read_options, json_schema_input_type=TripOptionsBody | None), JSON_TEXT
]


class LegUpdateBody(RequestModel):
    """The status to set on a leg."""

    status: Annotated[TripStatus, PlainValidator(_read_leg_status, json_schema_input_type=StatusWord)]


class LegOrderBody(RequestModel):
    """The legs of a trip in their new order, by _id; those that have ended may be left out."""

    legs: Identifiers = Field(description="The _id of each leg.")


type _TripLimit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]


class TripListQuery(RequestModel):
    """Which trips to list, newest update first."""

    limit: _TripLimit = DEFAULT_TRIPS
    status: Annotated[frozenset[TripStatus], PlainValidator(_read_statuses, json_schema_input_type=str)] = Field(
        frozenset(), description="Comma-separated."
    )
    external_id: Identifiers | None = Field(None, description="Comma-separated.")
    user_id: Text | None = None
    created_before: Moment | None = None
    created_after: Moment | None = None
    updated_before: Moment | None = None
    updated_after: Moment | None = None


class EtaAnswer(Record):
    """What is left of the way."""

    distance: Annotated[float, Field(ge=0, description="Metres.")]
    duration: Annotated[float, Field(ge=0, description="Minutes.")]
    source: Annotated[
        str,
        one_of("route", "estimate", description="route: along the roads of an area; estimate: by the device's speed."),
    ]


class GeofenceKeyAnswer(Record):
    """Tag and external ID of a geofence."""

    tag: str
    externalId: str


class DestinationSourceAnswer(Record):
    """What a leg's destination was given by."""

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
    arrivalRadius: NotRequired[Annotated[float, Field(gt=0, description="Metres; not of a geofence.")]]
    approachingThreshold: NotRequired[Annotated[float, Field(ge=0, description="Minutes.")]]
    scheduledArrivalAt: NotRequired[Time]
    delay: NotRequired[Annotated[float, Field(ge=0, description="Minutes after scheduledArrivalAt; 0 in time.")]]
    eta: NotRequired[Annotated[EtaAnswer, Field(description="To the last destination; while the trip is under way.")]]
    startedAt: NotRequired[Time]
    approachingAt: NotRequired[Time]
    arrivedAt: NotRequired[Time]
    endedAt: NotRequired[Time]
    legs: NotRequired[Annotated[list[TripLegRecord], Field(min_length=1)]]
    currentLeg: NotRequired[Annotated[Id, Field(description="The _id of the first leg that has not ended.")]]
    currentLegId: NotRequired[Annotated[Id, Field(description="The same as currentLeg.")]]


class TripAnswer(AnswerModel):
    """One trip."""

    trip: TripRecord


class TripListAnswer(PageAnswerModel):
    """Trips, newest update first."""

    trips: list[TripRecord]


class _Geofenced(Protocol):
    destination_geofence_tag: str | None
    destination_geofence_external_id: str | None
    destination_geofence_id: str | None


def trip_change(body: TripCreateBody | TripUpdateBody | TripOptionsBody) -> TripChange:
    """Return the engine's value for a body."""
    return TripChange(
        external_id=body.external_id,
        status=body.status,
        user_id=body.user_id,
        device_id=body.device_id,
        mode=body.mode,
        destination=_destination_change(body, body.destination),
        legs=None if not body.legs else tuple(map(_leg_change, body.legs)),
        approaching_threshold_s=_seconds(body.approaching_threshold),
        scheduled_arrival_at=body.scheduled_arrival_at,
        metadata=_metadata(body.metadata),
    )


def _destination_change(named: _Geofenced, given: DestinationBody | None) -> DestinationChange | None:
    """Return a destination that is named by plain fields or in an object of its own."""
    where = _geofence_named(named)
    if given is None:
        return None if where == _NOT_NAMED else where
    inner = _geofence_named(given)
    if where not in (_NOT_NAMED, inner):
        # One of both would be dropped.
        raise InvalidParameter(
            "destination",
            "destination: leads elsewhere than the destinationGeofence fields beside it; give one of both.",
        )
    return replace(inner, address=given.address or None, point=given.coordinates, arrival_radius_m=given.arrival_radius)


_NOT_NAMED: Final = DestinationChange()


def _geofence_named(named: _Geofenced) -> DestinationChange:
    return DestinationChange(
        geofence_id=named.destination_geofence_id,
        tag=named.destination_geofence_tag,
        external_id=named.destination_geofence_external_id,
    )


def _leg_change(body: LegBody) -> LegChange:
    destination = _destination_change(body.destination, body.destination)
    assert destination is not None
    return LegChange(destination=destination, stop_s=_seconds(body.stop_duration), metadata=_metadata(body.metadata))


def _seconds(value: float | None) -> float | None:
    return None if value is None else value * 60


def _metadata(given: dict[str, str | bool | int | float] | None) -> EngineMetadata | None:
    return None if given is None else check_metadata(given, max_keys=MAX_USER_KEYS)


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
        encoded["eta"] = _encode_eta(trip.eta)
    _add_times(encoded, trip)
    if trip.legs:
        _add_legs(encoded, trip)
    return encoded


def _add_times(encoded: TripRecord, trip: Trip) -> None:
    if trip.scheduled_arrival_at is not None:
        encoded["scheduledArrivalAt"] = encode_time(trip.scheduled_arrival_at)
    if (delay_s := trip.delay_s) is not None:
        encoded["delay"] = minutes(delay_s)
    if trip.started_at is not None:
        encoded["startedAt"] = encode_time(trip.started_at)
    if trip.approaching_at is not None:
        encoded["approachingAt"] = encode_time(trip.approaching_at)
    if trip.arrived_at is not None:
        encoded["arrivedAt"] = encode_time(trip.arrived_at)
    if trip.ended_at is not None:
        encoded["endedAt"] = encode_time(trip.ended_at)


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
        encoded["eta"] = _encode_eta(leg.eta)
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
    """Return the radius that a client has set; a geofence has its own shape."""
    return destination.arrival_radius_m if destination.geofence_id is None else None


def _source_of(destination: Destination) -> tuple[str, DestinationSourceAnswer]:
    if destination.geofence_id is not None:
        data: GeofenceKeyAnswer = {"tag": destination.tag or "", "externalId": destination.external_id or ""}
        return "geofence", {"geofence": destination.geofence_id, "data": data}
    if destination.address is not None:
        return "address", {"data": destination.address}
    return "coordinates", {"data": (destination.point.latitude, destination.point.longitude)}


def _encode_eta(eta: Eta) -> EtaAnswer:
    return {
        "distance": round(eta.distance_m, 1),
        "duration": minutes(eta.duration_s),
        "source": "route" if eta.is_routed else "estimate",
    }
