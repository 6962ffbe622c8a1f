"""Events: reports, queries, verifications and responses."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, PlainValidator

from app.api.wire.addresses.place import PlaceRecord, encode_place
from app.api.wire.addresses.region import RegionAnswer, add_regions, encode_region
from app.api.wire.beacon import BeaconSummaryAnswer, encode_beacon_summary
from app.api.wire.common.answers import AnswerModel, Id, Metadata, PageAnswerModel, Record, Time, one_of
from app.api.wire.common.encoding import PointAnswer, encode_point, encode_time, minutes
from app.api.wire.common.fields import (
    VERDICTS,
    Description,
    Flag,
    Identifier,
    InstallId,
    Moment,
    PlausibleMoment,
    Text,
    UserMetadata,
    read_verification,
)
from app.api.wire.common.requests import Limit, RequestModel
from app.api.wire.fraud import FraudAnswer, encode_fraud
from app.api.wire.geofence import CarriedGeofence, encode_carried
from app.api.wire.trips.record import TripDetailsRecord, TripLegRecord, TripRecord, encode_trip
from app.api.wire.user import EventUserAnswer, add_device, encode_user_summary
from engine.domain.addresses.address import NO_REGIONS
from engine.domain.queries import DEFAULT_LIMIT
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import DeviceType, Event, Reporter, Verification

MAX_WAIT_S = 30
MAX_MINUTES = 100 * 366 * 24 * 60
"""A hundred years."""

HEARTBEAT_S = 15
MAX_HEARTBEAT_S = 300
FROM_THE_FIRST = "0"
"""Value that is accepted in place of an `_id` and makes a stream begin with the very first event."""

type VerdictWord = Literal[-1, 0, 1] | Annotated[str, Field(pattern=VERDICTS)]
type Verdict = Annotated[Verification, PlainValidator(read_verification, json_schema_input_type=VerdictWord)]


class ConversionBody(RequestModel):
    """A custom event; it needs `name` or `type`, and `deviceId`, `userId` or `installId`."""

    name: Identifier | None = Field(
        None,
        description=(
            "The name of the conversion. Names that start with `user.` are reserved, except "
            "user.displayed_in_app_message, user.clicked_in_app_message and user.dismissed_in_app_message."
        ),
    )
    type: Identifier | None = Field(None, description="Alias of `name`, used by some SDKs.")
    device_id: Identifier | None = None
    user_id: Identifier | None = None
    metadata: UserMetadata | None = Field(None, description="At most 32 keys. Some SDKs add `revenue` to them.")
    revenue: float | None = Field(None, description="An amount in any currency.")
    duration: Annotated[float, Field(ge=0, le=MAX_MINUTES)] | None = Field(None, description="Minutes.")
    created_at: PlausibleMoment | None = Field(None, description="The client's time; defaults to the server's.")
    device_type: Literal["iOS", "Android", "Web"] | None = None
    device_os: Description | None = Field(None, alias="deviceOS")
    device_make: Description | None = None
    device_model: Description | None = None
    sdk_version: Description | None = Field(None, description="Version of the client's SDK.")
    install_id: InstallId = Field(
        None,
        description="ID of the app installation. Without deviceId and userId, the event is of its last user, if any.",
    )
    anonymous: Flag = Field(None, description="Returns the event without storing it, like the deviceId anonymous.")


class VerificationBody(RequestModel):
    """Verification of an event."""

    verification: Verdict = Field(description="1, 0 or -1, or ACCEPT, UNVERIFY or REJECT (not case-sensitive).")
    verified_place_id: Identifier | None = None


_TYPES: Any = Field(None, description="One or more types, comma-separated, such as user.entered_geofence.")
_TAGS: Any = Field(None, description="One or more tags of the event's geofence or beacon, comma-separated.")
_EXTERNAL_ID: Any = Field(None, description="The externalId of the event's geofence or beacon.")


class EventListQuery(RequestModel):
    """Query of events, newest first."""

    limit: Limit = DEFAULT_LIMIT
    user_id: Text | None = None
    device_id: Text | None = None
    type: Text | None = _TYPES
    tag: Text | None = _TAGS
    external_id: Text | None = _EXTERNAL_ID
    created_before: Moment | None = None
    created_after: Moment | None = None
    wait_seconds: Annotated[float, Field(ge=0, le=MAX_WAIT_S)] = Field(
        0, description="If there is no match yet, wait up to this long for the first one."
    )


class EventStreamQuery(RequestModel):
    """Query of a stream: an event filter and the starting point."""

    user_id: Text | None = None
    device_id: Text | None = None
    type: Text | None = _TYPES
    tag: Text | None = _TAGS
    external_id: Text | None = _EXTERNAL_ID
    last_event_id: Text | None = Field(
        None,
        description=(
            "The id of the last event received, like the header Last-Event-ID, which takes precedence; 0 starts with "
            "the very first event. Without either, only new events are sent."
        ),
    )
    heartbeat_seconds: Annotated[float, Field(ge=1, le=MAX_HEARTBEAT_S)] = Field(
        HEARTBEAT_S, description="Send a comment after this long without an event."
    )


class HappenedRecord(Record):
    """Subject of an event."""

    geofence: NotRequired[CarriedGeofence]
    place: NotRequired[
        Annotated[
            PlaceRecord,
            Field(description="On place events; on user.nearby_place_chain, the nearest place of the chain."),
        ]
    ]
    region: NotRequired[Annotated[RegionAnswer, Field(description="On region events.")]]
    trip: NotRequired[Annotated[TripRecord, Field(description="On trip events: the trip at that time.")]]
    beacon: NotRequired[Annotated[BeaconSummaryAnswer, Field(description="On beacon events.")]]
    confidence: NotRequired[Annotated[int, Field(ge=1, le=3, description="Absent on events of old versions.")]]
    duration: NotRequired[
        Annotated[float, Field(ge=0, description="Minutes inside or near, on exits; as given, on conversions.")]
    ]
    currentlyOperating: NotRequired[Annotated[bool, Field(description="On events of geofences with operating hours.")]]


class EventRecord(HappenedRecord):
    """An event of a geofence, place, region, beacon or trip, a failed fraud check, or a conversion."""

    _id: Id
    type: Annotated[
        str,
        Field(
            min_length=1,
            description="user.entered_geofence, user.exited_geofence, user.dwelled_in_geofence, user.entered_place, "
            "user.exited_place, user.nearby_place_chain, user.entered_region_country (_state, _dma, _postal_code), "
            "user.exited_region_country (and so on), user.entered_beacon, user.exited_beacon, user.started_trip, "
            "user.updated_trip, user.approaching_trip_destination, user.arrived_at_trip_destination, "
            "user.arrived_at_wrong_trip_destination, user.stopped_trip, user.failed_fraud, or the name of a "
            "conversion.",
        ),
    ]
    createdAt: Annotated[Time, Field(description="The time of the location update.")]
    actualCreatedAt: Annotated[Time, Field(description="The server's time.")]
    live: bool
    user: EventUserAnswer
    alternatePlaces: NotRequired[
        Annotated[list[PlaceRecord], Field(min_length=1, description="On place entries: other likely places.")]
    ]
    country: NotRequired[Annotated[RegionAnswer, Field(description="The regions of the user, as in `user`.")]]
    state: NotRequired[RegionAnswer]
    dma: NotRequired[RegionAnswer]
    postalCode: NotRequired[RegionAnswer]
    location: NotRequired[PointAnswer]
    locationAccuracy: NotRequired[Annotated[float, Field(gt=0, description="Metres.")]]
    metadata: NotRequired[Annotated[Metadata, Field(description="On conversions.")]]
    revenue: NotRequired[Annotated[float, Field(description="On conversions, as given.")]]
    custom: NotRequired[Annotated[Literal[True], Field(description="On conversions, like the next fields.")]]
    deviceType: NotRequired[Annotated[str, one_of(*DeviceType)]]
    deviceOS: NotRequired[str]
    deviceMake: NotRequired[str]
    deviceModel: NotRequired[str]
    sdkVersion: NotRequired[str]
    fraud: NotRequired[Annotated[FraudAnswer, Field(description="On failed fraud checks.")]]
    verification: NotRequired[Annotated[int, one_of(-1, 0, 1, description="1 accepted, -1 rejected, 0 open again.")]]
    verifiedPlaceId: NotRequired[str]
    replayed: NotRequired[Literal[True]]


class EventAnswer(AnswerModel):
    """One event."""

    event: EventRecord


class EventListAnswer(PageAnswerModel):
    """Events, newest first."""

    events: list[EventRecord]


class TripOutcomeAnswer(AnswerModel):
    """A trip after a client changed it."""

    trip: TripDetailsRecord
    leg: NotRequired[Annotated[TripLegRecord, Field(description="The leg whose status was set.")]]
    events: Annotated[list[EventRecord], Field(description="The events generated by the change, in order.")]


def add_happened(encoded: HappenedRecord, event: Event | ReplayedEvent) -> None:
    """Add the subject of a stored or replayed event; ``duration`` is in minutes."""
    if event.geofence is not None:
        encoded["geofence"] = encode_carried(event.geofence)
    if event.place is not None:
        encoded["place"] = encode_place(event.place)
    if event.region is not None:
        encoded["region"] = encode_region(event.region)
    if isinstance(event, Event) and event.beacon is not None:
        encoded["beacon"] = encode_beacon_summary(event.beacon)
    if event.confidence is not None:
        encoded["confidence"] = event.confidence
    if event.duration_s is not None:
        encoded["duration"] = minutes(event.duration_s)
    if event.currently_operating is not None:
        encoded["currentlyOperating"] = event.currently_operating


def encode_event(event: Event) -> EventRecord:
    """Return an event; only exits and conversions have a ``duration`` (in minutes)."""
    encoded: EventRecord = {
        "_id": event.id,
        "type": event.type,
        "createdAt": encode_time(event.created_at),
        "actualCreatedAt": encode_time(event.actual_created_at),
        "live": event.environment.live,
        "user": encode_user_summary(event.user),
    }
    if event.point is not None:
        encoded["location"] = encode_point(event.point)
    if event.accuracy_m is not None:
        encoded["locationAccuracy"] = event.accuracy_m
    add_happened(encoded, event)
    if event.trip is not None:
        encoded["trip"] = encode_trip(event.trip)
    if event.alternate_places:
        encoded["alternatePlaces"] = [encode_place(place) for place in event.alternate_places]
    if event.user.regions is not NO_REGIONS:
        add_regions(encoded, event.user.regions)
    if event.reporter is not None:
        _add_reporter(encoded, event.reporter)
    if event.metadata:
        encoded["metadata"] = dict(event.metadata)
    if event.revenue is not None:
        encoded["revenue"] = event.revenue
    if event.fraud is not None:
        encoded["fraud"] = encode_fraud(event.fraud)
    if event.verification is not None:
        encoded["verification"] = event.verification.value
    if event.verified_place_id is not None:
        encoded["verifiedPlaceId"] = event.verified_place_id
    if event.replayed:
        encoded["replayed"] = True
    return encoded


def _add_reporter(encoded: EventRecord, reporter: Reporter) -> None:
    encoded["custom"] = True
    add_device(encoded, reporter.device)
    if reporter.sdk_version:
        encoded["sdkVersion"] = encoded["user"]["sdkVersion"] = reporter.sdk_version
    if reporter.install_id is not None:
        encoded["user"]["installId"] = reporter.install_id
