"""Trips in requests: create, change and list them."""

from typing import Annotated, Final, Literal, Protocol

from pydantic import BeforeValidator, Field, PlainValidator

from app.api.wire.common.fields import (
    JSON_TEXT,
    Identifier,
    Identifiers,
    Moment,
    Text,
    UserMetadata,
    read_json_text,
    unset_when_null,
)
from app.api.wire.common.requests import RequestModel, Switch
from app.api.wire.trips.fields import (
    Arrival,
    Metres,
    Minutes,
    Mode,
    Place,
    Status,
    StatusWord,
    read_leg_status,
    read_statuses,
    read_unless_empty,
)
from engine.domain.errors import InvalidParameter
from engine.domain.metadata import MAX_USER_KEYS, check_metadata
from engine.domain.metadata import Metadata as EngineMetadata
from engine.domain.queries import MAX_LIMIT
from engine.domain.tracking.trips import (
    DEFAULT_TRIPS,
    MAX_LEGS,
    DestinationChange,
    LegChange,
    TripChange,
    TripStatus,
)
from engine.domain.values import replace


class _Geofence(RequestModel):
    """A destination by its geofence."""

    destination_geofence_tag: Identifier | None = None
    destination_geofence_external_id: Identifier | None = None
    destination_geofence_id: Identifier | None = Field(
        None, description="The _id of the geofence, instead of tag and externalId."
    )


class DestinationBody(_Geofence):
    """A destination: a geofence, an address, or coordinates."""

    address: Text | None = None
    coordinates: Place = Field(None, description="[longitude, latitude], or a GeoJSON Point.")
    arrival_radius: Metres = Field(
        None, description="Arrival radius in metres around an address or coordinates; defaults to 100."
    )


class LegBody(RequestModel):
    """One of several destinations, in order."""

    destination: DestinationBody
    stop_duration: Minutes = Field(None, description="Planned stay in minutes.")
    metadata: UserMetadata | None = None


class _Fields(_Geofence):
    """Fields of a trip that a client may set and change."""

    user_id: Identifier | None = Field(None, description="User whose location updates the trip follows.")
    device_id: Identifier | None = Field(None, description="Device to follow, if there is no userId.")
    destination: Annotated[DestinationBody | None, BeforeValidator(read_unless_empty), JSON_TEXT] = Field(
        None, description="A destination that may also be an address or coordinates."
    )
    mode: Mode = Field(None, description="Defaults to car.")
    metadata: UserMetadata | None = Field(None, description="Replaces the metadata; at most 32 keys.")
    approaching_threshold: Minutes = Field(
        None,
        description=(
            "ETA in minutes at which the trip is approaching; defaults to the geofence's, then the project's setting."
        ),
    )
    scheduled_arrival_at: Arrival = None
    legs: Annotated[
        Annotated[list[LegBody], Field(max_length=MAX_LEGS)] | None, BeforeValidator(read_unless_empty), JSON_TEXT
    ] = Field(None, description="Several destinations in order, instead of one.")
    status: Status = None


class TripCreateBody(_Fields):
    """A new trip, which starts with the first location update of its user."""

    external_id: Identifier = Field(description="The client's ID; unique among the trips that have not ended.")


class TripUpdateBody(_Fields):
    """The fields of a trip to set: present ones change, absent ones stay."""

    external_id: Identifier | None = None


class TripOptionsBody(_Fields):
    """The trip of a device, started or updated by the location update."""

    external_id: Identifier


def _read_options(value: object) -> object:
    """Return the options, or None for the values that SDKs send without a trip."""
    return None if value in ("", "null", "[]", "{}", [], {}) else read_json_text(value)


type TripOptions = Annotated[
    TripOptionsBody | None, BeforeValidator(_read_options, json_schema_input_type=TripOptionsBody | None), JSON_TEXT
]


class LegUpdateBody(RequestModel):
    """The status to set on a leg."""

    status: Annotated[TripStatus, PlainValidator(read_leg_status, json_schema_input_type=StatusWord)]


class LegOrderBody(RequestModel):
    """The legs of a trip in a new order, by _id; ended legs can be left out."""

    legs: Identifiers = Field(description="The _id of each leg.")


type _TripLimit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]


class TripQueryOptions(RequestModel):
    """Options of the response about a trip."""

    include_locations: Switch = Field(None, description="true adds the kept locations of the user during the trip.")


class TripListQuery(TripQueryOptions):
    """Query of trips, newest first."""

    limit: Annotated[_TripLimit | None, BeforeValidator(unset_when_null, json_schema_input_type=_TripLimit)] = (
        DEFAULT_TRIPS
    )
    status: Annotated[frozenset[TripStatus], PlainValidator(read_statuses, json_schema_input_type=str)] = Field(
        frozenset(), description="Comma-separated."
    )
    external_id: Identifiers | None = Field(None, description="Comma-separated.")
    destination_geofence_tag: Text | None = Field(None, description="Of the destination, or of one of the legs.")
    destination_geofence_external_id: Text | None = None
    user_id: Text | None = Field(None, description="The userId, or the user's _id.")
    delayed: Switch = Field(None, description="true: only trips that are late; false: only the others.")
    sort_by: Literal["createdAt", "updatedAt"] | None = Field(
        None, description="The time by which the newest trip comes first; defaults to updatedAt."
    )
    created_before: Moment | None = None
    created_after: Moment | None = None
    updated_before: Moment | None = None
    updated_after: Moment | None = None


class _Geofenced(Protocol):
    destination_geofence_tag: str | None
    destination_geofence_external_id: str | None
    destination_geofence_id: str | None


def trip_change(body: TripCreateBody | TripUpdateBody | TripOptionsBody) -> TripChange:
    """Return the engine's change for a request body."""
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
    """Return a destination that is given by plain fields or as an object."""
    outer = _geofence_named(named)
    if given is None:
        return None if outer == _NOT_NAMED else outer
    inner = _geofence_named(given)
    if outer not in (_NOT_NAMED, inner):
        # Otherwise one of the two would be dropped.
        raise InvalidParameter(
            "destination",
            "destination: differs from the destinationGeofence fields; give only one of them.",
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
