"""What requests hold, by their names on the wire: the models that validate, and that the document is made from."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from app.api.fields import (
    Coordinates,
    Description,
    GeofenceMetadata,
    Identifier,
    MetadataFilter,
    Moment,
    Name,
    Text,
    UserMetadata,
    read_near,
    read_tags,
    unset_when_null,
)
from engine.domain.clock import MAX_SCALE
from engine.domain.errors import InvalidParameter
from engine.domain.queries import DEFAULT_LIMIT, MAX_LIMIT

MAX_WAIT_S = 30
EMPTY: tuple[object, ...] = (None, "", [], {})

type _Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
type _Radius = Annotated[float, Field(gt=0)]
type Limit = Annotated[_Limit | None, BeforeValidator(unset_when_null, json_schema_input_type=_Limit)]
type Radius = Annotated[_Radius | None, BeforeValidator(unset_when_null, json_schema_input_type=_Radius)]
type Switch = Annotated[bool | None, BeforeValidator(unset_when_null, json_schema_input_type=bool)]


class RequestModel(BaseModel):
    """Base of all requests: unknown keys are ignored, null is the same as absent, numbers are finite."""

    model_config = ConfigDict(
        extra="ignore", allow_inf_nan=False, alias_generator=to_camel, validate_by_name=False, defer_build=False
    )


class TrackBody(RequestModel):
    """A location update of a device."""

    device_id: Identifier = Field(description="The device; required.")
    user_id: Identifier | None = Field(None, description="The user who is logged in; no personal information.")
    latitude: Annotated[float, Field(ge=-90, le=90)] = Field(description="Degrees.")
    longitude: Annotated[float, Field(ge=-180, le=180)] = Field(description="Degrees.")
    accuracy: Annotated[float, Field(gt=0)] = Field(description="Metres; decides the confidence of events.")
    foreground: bool | None = None
    stopped: bool | None = None
    description: Description | None = None
    metadata: UserMetadata | None = Field(None, description="Replaces the user's metadata; at most 32 keys.")
    device_type: Literal["iOS", "Android", "Web"] | None = None
    updated_at: Moment | None = Field(None, description="The client's time; the server's when absent or out of order.")
    replayed: bool | None = None
    device_os: Text | None = Field(None, alias="deviceOS", description="Checked, not stored yet.")
    device_make: Text | None = Field(None, description="Checked, not stored yet.")
    device_model: Text | None = Field(None, description="Checked, not stored yet.")
    altitude: float | None = Field(None, description="Metres. Checked, not stored yet.")
    vertical_accuracy: float | None = Field(None, description="Metres. Checked, not stored yet.")


class GeofenceUpsert(RequestModel):
    """The fields to set on a geofence: present fields change, absent ones stay.

    A geofence that does not exist yet needs `description`, `type`, `coordinates`, and `radius` for a circle. Fields
    of the specification that are not served yet (such as `operatingHours` or the type `isochrone`) are refused by
    name and never dropped.
    """

    not_served_yet: ClassVar[tuple[str, ...]] = (
        *("mode", "address", "placeId", "operatingHours", "stopDetection", "disableAfter", "deleteAfter"),
        *("userId", "userIds", "ip", "dwellThreshold", "tripApproachingThreshold"),
    )

    description: Name | None = None
    type: Literal["circle", "polygon"] | None = None
    tag: Identifier | None = None
    external_id: Identifier | None = None
    coordinates: Coordinates | None = Field(
        None, description="[longitude, latitude] of a circle's centre, or the closed ring of a polygon."
    )
    radius: float | None = Field(None, description="Metres, 10 to 10000, for a circle; ignored for a polygon.")
    enabled: bool | None = Field(None, description="Default true; false generates no events.")
    metadata: GeofenceMetadata | None = Field(None, description="Replaces the metadata; at most 16 keys.")

    @model_validator(mode="before")
    @classmethod
    def _refuse_what_is_not_served(cls, data: Any) -> Any:
        if isinstance(data, dict):
            for name in data:
                if name.partition(".")[0] in cls.not_served_yet and data[name] not in EMPTY:
                    raise InvalidParameter(name, f"{name}: this parameter is not served yet.")
            if data.get("type") == "isochrone":
                raise InvalidParameter("type", "type: isochrone geofences are not served yet.")
        return data


class GeofenceCreate(GeofenceUpsert):
    """A new geofence; a circle also needs `radius`."""

    description: Name = Field()
    type: Literal["circle", "polygon"] = Field()
    tag: Identifier = Field()
    external_id: Identifier = Field()
    coordinates: Coordinates = Field(
        description="[longitude, latitude] of a circle's centre, or the closed ring of a polygon."
    )


class GeofenceListQuery(RequestModel):
    """Which geofences to list, newest update first."""

    limit: Limit = DEFAULT_LIMIT
    tag: Text | None = None
    external_id: Text | None = None
    created_before: Moment | None = None
    created_after: Moment | None = None
    updated_before: Moment | None = None
    updated_after: Moment | None = None
    metadata: MetadataFilter | None = Field(
        None, description='metadata[key]=value; true, false and numbers are taken as such, "5" is text.'
    )


class GeofenceSearchQuery(RequestModel):
    """Which geofences to find, nearest first."""

    near: Annotated[tuple[float, float], BeforeValidator(read_near, json_schema_input_type=str)] = Field(
        description="latitude,longitude"
    )
    limit: Limit = DEFAULT_LIMIT
    radius: Radius = Field(None, description="Metres from `near` to the boundary; everywhere when absent.")
    tags: Annotated[frozenset[str] | None, BeforeValidator(read_tags, json_schema_input_type=str)] = Field(
        None, description="Comma-separated."
    )
    metadata: MetadataFilter | None = Field(
        None, description='metadata[key]=value; true, false and numbers are taken as such, "5" is text.'
    )
    include_geometry: Switch = Field(
        True, description="false leaves out geometry, type and geometryRadius; limit > 100 needs it."
    )


class UserListQuery(RequestModel):
    """Which users to list, newest update first."""

    limit: Limit = DEFAULT_LIMIT
    user_id: Text | None = None
    device_id: Text | None = None
    updated_before: Moment | None = None
    updated_after: Moment | None = None


class EventListQuery(RequestModel):
    """Which events to list, newest first."""

    limit: Limit = DEFAULT_LIMIT
    user_id: Text | None = None
    device_id: Text | None = None
    type: Text | None = Field(None, description="Such as user.entered_geofence.")
    tag: Text | None = Field(None, description="The tag of the event's geofence.")
    external_id: Text | None = Field(None, description="The externalId of the event's geofence.")
    created_before: Moment | None = None
    created_after: Moment | None = None
    wait_seconds: Annotated[float, Field(ge=0, le=MAX_WAIT_S)] = Field(
        0, description="Wait up to this long for the first match when there is none yet."
    )


class ConfigQuery(RequestModel):
    """What SDKs tell about themselves; all of it is optional and only read."""

    device_id: Text | None = None
    install_id: Text | None = None
    session_id: Text | None = None
    user_id: Text | None = None


class LogEntry(RequestModel):
    """One line of a client's own log."""

    message: Text | None = None
    level: Text | None = None
    type: Text | None = None
    created_at: Text | None = None


class LogsBody(RequestModel):
    """Lines of a client's own log."""

    logs: list[LogEntry] | None = None


class ClockBody(RequestModel):
    """How to change the test clock: `now` and `frozen`, `advanceSeconds`, `scale`, or `system`."""

    now: Moment | None = Field(None, description="What it shows now.")
    frozen: bool | None = Field(None, description="Whether it stands still.")
    advance_seconds: Annotated[float, Field(ge=0)] | None = Field(None, description="How far it moves on at once.")
    scale: Annotated[float, Field(ge=0, le=MAX_SCALE)] | None = Field(
        None, description="How many of its seconds pass in a real one."
    )
    system: bool | None = Field(None, description="true follows the system's clock again; allows no other field.")
