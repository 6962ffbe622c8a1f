"""Users: queries and responses."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from app.api.wire.addresses.place import (
    ChainAnswer,
    PlaceRecord,
    encode_chain,
    encode_place,
)
from app.api.wire.addresses.region import RegionAnswer, add_regions
from app.api.wire.beacon import BeaconSummaryAnswer, encode_beacon_summary
from app.api.wire.common.answers import AnswerModel, Id, Metadata, PageAnswerModel, Record, Time, one_of
from app.api.wire.common.encoding import PointAnswer, encode_point, encode_time
from app.api.wire.common.fields import METADATA_FILTER, MetadataFilter, Moment, Text
from app.api.wire.common.requests import FewLimit, LatitudeLongitude, Limit, Radius, RequestModel
from app.api.wire.fraud import FraudAnswer, encode_fraud
from app.api.wire.geofence import CarriedGeofence, encode_carried
from app.api.wire.trips.record import TripRecord, encode_trip
from engine.domain.addresses.address import NO_REGIONS
from engine.domain.queries import DEFAULT_LIMIT
from engine.domain.tracking.updates import UNKNOWN_DEVICE, Device, DeviceType, SegmentSummary, User, UserSummary


class UserSearchQuery(RequestModel):
    """Search of users, nearest first."""

    near: LatitudeLongitude = Field(description="latitude,longitude")
    limit: FewLimit = 10
    radius: Radius = Field(
        None,
        description=(
            "Metres, 100 to 10000; defaults to 1000. With `mode`, minutes of travel, up to 120; defaults to 10."
        ),
    )
    mode: Literal["car", "truck", "foot", "bike", "motorbike"] | None = Field(
        None, description="Finds users who can reach `near` in this time, along the roads of the areas in use."
    )
    metadata: MetadataFilter | None = Field(None, description=METADATA_FILTER)


class UserListQuery(RequestModel):
    """Query of users, newest update first."""

    limit: Limit = DEFAULT_LIMIT
    user_id: Text | None = None
    device_id: Text | None = None
    updated_before: Moment | None = None
    updated_after: Moment | None = None


class SegmentAnswer(Record):
    """A segment that a user belongs to."""

    description: str
    externalId: str


class DeviceRecord(Record):
    """Details that a device reports about itself."""

    deviceType: NotRequired[Annotated[str, one_of(*DeviceType)]]
    deviceOS: NotRequired[str]
    deviceMake: NotRequired[str]
    deviceModel: NotRequired[str]


class EventUserAnswer(Record):
    """User of an event at that time; for an unknown user, the fields sent by the client."""

    _id: NotRequired[Id]
    deviceId: NotRequired[str]
    userId: NotRequired[str]
    metadata: Metadata
    sdkVersion: NotRequired[Annotated[str, Field(description="On conversions, like the next field.")]]
    installId: NotRequired[str]
    segments: NotRequired[Annotated[list[SegmentAnswer], Field(min_length=1)]]
    topChains: NotRequired[Annotated[list[ChainAnswer], Field(min_length=1)]]
    country: NotRequired[RegionAnswer]
    state: NotRequired[RegionAnswer]
    dma: NotRequired[RegionAnswer]
    postalCode: NotRequired[RegionAnswer]


class UserRecord(Record):
    """A user with their last location."""

    _id: Id
    deviceId: str
    userId: NotRequired[str]
    personalData: NotRequired[Annotated[Literal[True], Field(description="The userId looks like an e-mail address.")]]
    metadata: Metadata
    live: bool
    location: PointAnswer
    locationAccuracy: Annotated[float, Field(gt=0, description="Metres.")]
    altitude: NotRequired[Annotated[float, Field(description="Metres.")]]
    verticalAccuracy: NotRequired[Annotated[float, Field(description="Metres.")]]
    foreground: bool
    stopped: bool
    createdAt: Time
    updatedAt: Annotated[Time, Field(description="The last location update.")]
    actualUpdatedAt: Annotated[Time, Field(description="The server's time of the last update.")]
    source: NotRequired[Annotated[str, Field(min_length=1, description="Why the device took the location.")]]
    geofences: Annotated[list[CarriedGeofence], Field(description="The geofences the user is in.")]
    description: NotRequired[str]
    userTags: NotRequired[Annotated[list[str], Field(min_length=1, description="As the device sent them.")]]
    installId: NotRequired[Annotated[str, Field(description="The app that sent the last update.")]]
    deviceType: NotRequired[Annotated[str, one_of(*DeviceType)]]
    deviceOS: NotRequired[str]
    deviceMake: NotRequired[str]
    deviceModel: NotRequired[str]
    ip: NotRequired[str]
    fraud: NotRequired[Annotated[FraudAnswer, Field(description="If the setting fraud is on.")]]
    segments: NotRequired[Annotated[list[SegmentAnswer], Field(min_length=1)]]
    topChains: NotRequired[Annotated[list[ChainAnswer], Field(min_length=1)]]
    trip: NotRequired[Annotated[TripRecord, Field(description="While started, approaching or arrived.")]]
    nearbyPlaceChains: NotRequired[
        Annotated[
            list[ChainAnswer],
            Field(min_length=1, description="If the setting places is on: chains within about 1 km, nearest first."),
        ]
    ]
    beacons: NotRequired[
        Annotated[list[BeaconSummaryAnswer], Field(min_length=1, description="The beacons the user is near.")]
    ]
    place: NotRequired[Annotated[PlaceRecord, Field(description="If the setting places is on.")]]
    country: NotRequired[
        Annotated[RegionAnswer, Field(description="If the setting regions is on, like the other regions.")]
    ]
    state: NotRequired[Annotated[RegionAnswer, Field(description="In the US and Canada.")]]
    dma: NotRequired[Annotated[RegionAnswer, Field(description="In the US, if market areas are available.")]]
    postalCode: NotRequired[Annotated[RegionAnswer, Field(description="In the US.")]]


class UserAnswer(AnswerModel):
    """One user."""

    user: UserRecord


class UserSearchAnswer(AnswerModel):
    """Users, nearest first."""

    users: list[UserRecord]


class UserListAnswer(PageAnswerModel):
    """Users, newest update first."""

    users: list[UserRecord]


def encode_user(user: User) -> UserRecord:
    """Return a user with their last location."""
    fix, updated_at = user.fix, encode_time(user.updated_at)
    actual_updated_at = user.actual_updated_at
    encoded: UserRecord = {
        "_id": user.id,
        "live": user.environment.live,
        "deviceId": user.device_id,
        "metadata": dict(user.metadata),
        "location": encode_point(fix.point),
        "locationAccuracy": fix.accuracy_m,
        "foreground": fix.foreground,
        "stopped": fix.stopped,
        "createdAt": encode_time(user.created_at),
        "updatedAt": updated_at,
        "actualUpdatedAt": updated_at if actual_updated_at is None else encode_time(actual_updated_at),
        "geofences": [encode_carried(geofence) for geofence in user.geofences],
    }
    if user.user_id is not None:
        encoded["userId"] = user.user_id
        if user.personal_data:
            encoded["personalData"] = True
    if user.description is not None:
        encoded["description"] = user.description
    if user.ip is not None:
        encoded["ip"] = user.ip
    if user.device is not UNKNOWN_DEVICE:
        add_device(encoded, user.device)
    if fix.altitude_m is not None:
        encoded["altitude"] = fix.altitude_m
    if fix.vertical_accuracy_m is not None:
        encoded["verticalAccuracy"] = fix.vertical_accuracy_m
    if fix.source is not None:
        encoded["source"] = fix.source
    if user.fraud is not None:
        encoded["fraud"] = encode_fraud(user.fraud)
    if user.trip is not None:
        encoded["trip"] = encode_trip(user.trip)
    if user.place is not None:
        encoded["place"] = encode_place(user.place)
    if user.regions is not NO_REGIONS:
        add_regions(encoded, user.regions)
    if user.beacons:
        encoded["beacons"] = [encode_beacon_summary(beacon) for beacon in user.beacons]
    _add_groups(encoded, user)
    _add_app(encoded, user)
    if user.nearby_chains:
        encoded["nearbyPlaceChains"] = [encode_chain(chain) for chain in user.nearby_chains]
    return encoded


def _add_app(encoded: UserRecord, user: User) -> None:
    """Add the tags of a user and the installed app, which SDKs send."""
    if user.user_tags:
        encoded["userTags"] = list(user.user_tags)
    if user.install_id is not None:
        encoded["installId"] = user.install_id


def add_device(encoded: DeviceRecord, device: Device) -> None:
    """Add the details that a device reports about itself."""
    if device.type is not None:
        encoded["deviceType"] = device.type
    if device.os is not None:
        encoded["deviceOS"] = device.os
    if device.make is not None:
        encoded["deviceMake"] = device.make
    if device.model is not None:
        encoded["deviceModel"] = device.model


def _add_groups(encoded: UserRecord | EventUserAnswer, user: User | UserSummary) -> None:
    """Add a user's segments and most visited chains."""
    if user.segments:
        encoded["segments"] = [_encode_segment(segment) for segment in user.segments]
    if user.top_chains:
        encoded["topChains"] = [encode_chain(chain) for chain in user.top_chains]


def _encode_segment(segment: SegmentSummary) -> SegmentAnswer:
    return {"description": segment.description, "externalId": segment.external_id}


def encode_user_summary(user: UserSummary) -> EventUserAnswer:
    """Return the user of an event; for an unknown user, only the fields sent by the client."""
    encoded: EventUserAnswer = {"_id": user.id, "deviceId": user.device_id, "metadata": dict(user.metadata)}
    if not user.id:
        del encoded["_id"]
    if not user.device_id:
        del encoded["deviceId"]
    if user.user_id is not None:
        encoded["userId"] = user.user_id
    if user.regions is not NO_REGIONS:
        add_regions(encoded, user.regions)
    _add_groups(encoded, user)
    return encoded
