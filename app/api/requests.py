"""What requests hold, by their names on the wire: the models that validate, and that the document is made from."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PlainValidator,
    PrivateAttr,
    model_validator,
)
from pydantic.alias_generators import to_camel

from app.api.fields import (
    JSON_TEXT,
    NOTHING,
    VERDICTS,
    Age,
    Coordinates,
    Description,
    GeofenceMetadata,
    Hours,
    Identifier,
    Identifiers,
    LikeModel,
    MetadataFilter,
    Milliseconds,
    Moment,
    Name,
    PlausibleMoment,
    Ranges,
    Text,
    UserMetadata,
    read_json_text,
    read_near,
    read_tags,
    read_verification,
    unset_when_null,
)
from engine.domain.clock import MAX_SCALE
from engine.domain.errors import InvalidParameter
from engine.domain.queries import DEFAULT_LIMIT, MAX_LIMIT
from engine.domain.tracking import Verification

MAX_WAIT_S = 30
MAX_REPLAYS = 1_000
EMPTY: tuple[object, ...] = (None, "", [], {})

type VerdictWord = Literal[-1, 0, 1] | Annotated[str, Field(pattern=VERDICTS)]
type _Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
type _Radius = Annotated[float, Field(gt=0)]
type Limit = Annotated[_Limit | None, BeforeValidator(unset_when_null, json_schema_input_type=_Limit)]
type _FewLimit = Annotated[int, Field(ge=1, le=100)]
type FewLimit = Annotated[_FewLimit | None, BeforeValidator(unset_when_null, json_schema_input_type=_FewLimit)]
type Radius = Annotated[_Radius | None, BeforeValidator(unset_when_null, json_schema_input_type=_Radius)]
type LatitudeLongitude = Annotated[tuple[float, float], BeforeValidator(read_near, json_schema_input_type=str)]
type Verdict = Annotated[Verification, PlainValidator(read_verification, json_schema_input_type=VerdictWord)]
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
    updated_at: PlausibleMoment | None = Field(
        None, description="The client's time; the server's when absent or out of order."
    )
    replayed: bool | None = None
    device_os: Description | None = Field(None, alias="deviceOS", description="The version of its system.")
    device_make: Description | None = None
    device_model: Description | None = None
    altitude: float | None = Field(None, description="Metres.")
    vertical_accuracy: float | None = Field(None, description="Metres.")
    mocked: bool | None = Field(None, description="Whether the device found that its location is mocked.")
    compromised: bool | None = Field(None, description="Whether the device found that it is compromised.")
    updated_at_ms: Milliseconds | None = Field(
        None, description="The client's time in milliseconds since 1970, where updatedAt is absent."
    )
    updated_at_ms_diff: Age | None = Field(
        None, description="How many milliseconds ago the location was taken, where neither time is given."
    )


class TrackQuery(RequestModel):
    """What a location update asks for besides."""

    explain: Switch = Field(None, description="true adds explanations; for test keys only.")


class ReplayBody(RequestModel):
    """Location updates of the past; each is judged by itself."""

    replays: Annotated[
        list[Annotated[Any, LikeModel(TrackBody)]],
        Field(max_length=MAX_REPLAYS),
        BeforeValidator(read_json_text),
        JSON_TEXT,
    ] = Field(description="At most 1000 bodies as of a track, oldest first.")


class ConversionBody(RequestModel):
    """An event of the client's own; it needs `name` or `type`, and `deviceId` or `userId`."""

    name: Identifier | None = Field(None, description="What happened; not one of the engine's `user.` types.")
    type: Identifier | None = Field(None, description="The same as `name`, as some SDKs call it.")
    device_id: Identifier | None = None
    user_id: Identifier | None = None
    metadata: UserMetadata | None = Field(None, description="At most 32 keys, such as `revenue`.")
    created_at: PlausibleMoment | None = Field(None, description="The client's time; the server's when absent.")


class VerificationBody(RequestModel):
    """What was found out about an event."""

    verification: Verdict = Field(description="1, 0 or -1, or ACCEPT, UNVERIFY or REJECT in any case.")
    verified_place_id: Identifier | None = None


class ContextQuery(RequestModel):
    """Where to look."""

    coordinates: LatitudeLongitude = Field(description="latitude,longitude")
    accuracy: Radius = Field(None, description="Metres; how far a place reaches beyond its outline.")


class GeofenceUpsert(RequestModel):
    """The fields to set on a geofence: present fields change, absent ones stay.

    A geofence that does not exist yet needs `description`, `type` and one of `coordinates`, `address` and `placeId`; a
    circle also `radius`, an isochrone `radius` and `mode`. From `operatingHours` on, an empty text (or list, or
    dictionary) takes what is set away. Fields of the specification that are not served yet (such as
    `tripApproachingThreshold`) are refused by name and never dropped.
    """

    not_served_yet: ClassVar[tuple[str, ...]] = ("tripApproachingThreshold",)
    resettable: ClassVar[Mapping[str, tuple[object, ...]]] = {
        "operatingHours": ("", {}),
        "stopDetection": ("",),
        "disableAfter": ("",),
        "deleteAfter": ("",),
        "userIds": ("", []),
        "userId": ("",),
        "ip": ("", []),
        "dwellThreshold": ("",),
    }

    description: Name | None = None
    type: Literal["circle", "polygon", "isochrone"] | None = None
    tag: Identifier | None = None
    external_id: Identifier | None = None
    coordinates: Coordinates | None = Field(
        None,
        description="[longitude, latitude] of the centre or destination, or a polygon's closed ring.",
    )
    address: Text | None = Field(
        None,
        description="Searched, for the centre or destination; with coordinates, which count more, it must be within "
        "1 km of them. Ignored for a polygon.",
    )
    place_id: Text | None = Field(
        None,
        description="The _id of a place: its outline, or a circle around it, is the geometry, whatever else is given. "
        "One that is not found is ignored where there are coordinates or an address.",
    )
    radius: float | None = Field(
        None,
        description="Metres, 10 to 10000, for a circle; minutes of travel, up to 120, for an isochrone; ignored for a "
        "polygon.",
    )
    mode: Literal["car", "truck", "foot", "bike", "motorbike"] | None = Field(
        None, description="How one travels, for an isochrone; ignored for the others."
    )
    enabled: bool | None = Field(None, description="Default true; false generates no events.")
    metadata: GeofenceMetadata | None = Field(None, description="Replaces the metadata; at most 16 keys.")

    operating_hours: Annotated[Hours, NOTHING] | None = Field(
        None, description="Lists of [open, close] by day, in the local time of its centre; days without are closed."
    )
    stop_detection: Annotated[bool, NOTHING] | None = Field(None, description="Instead of the project's setting.")
    disable_after: Annotated[Moment, NOTHING] | None = None
    delete_after: Annotated[Moment, NOTHING] | None = None
    user_ids: Identifiers | None = Field(None, description="The only users it generates events for.")
    user_id: Annotated[Identifier, NOTHING] | None = Field(
        None, json_schema_extra={"deprecated": True}, description="One more of `userIds`, which is to be used instead."
    )
    ip: Ranges | None = Field(
        None, description="The only addresses it generates events for: single, 10.0.*.*, or 10.0.0.0/16."
    )
    dwell_threshold: Annotated[float, Field(gt=0), NOTHING] | None = Field(
        None, description="Minutes after which user.dwelled_in_geofence is generated, instead of the project's."
    )

    _resets: frozenset[str] = PrivateAttr(frozenset())

    @model_validator(mode="wrap")
    @classmethod
    def _note_resets(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict):
            return validate(data)
        for name in data:
            if name.partition(".")[0] in cls.not_served_yet and data[name] not in EMPTY:
                raise InvalidParameter(name, f"{name}: this parameter is not served yet.")
        resets = frozenset(name for name, empty in cls.resettable.items() if data.get(name) in empty)
        body = validate({name: value for name, value in data.items() if name not in resets})
        body._resets = resets
        return body

    def resets(self, name: str) -> bool:
        """Whether the field of this name on the wire is to have no value any more."""
        return name in self._resets


class GeofenceCreate(GeofenceUpsert):
    """A new geofence, by `coordinates`, `address` or `placeId`.

    A circle also needs `radius` unless it is around a place, an isochrone `radius` and `mode`.
    """

    description: Name = Field()
    type: Literal["circle", "polygon", "isochrone"] = Field()
    tag: Identifier = Field()
    external_id: Identifier = Field()


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

    near: LatitudeLongitude = Field(description="latitude,longitude")
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


class UserSearchQuery(RequestModel):
    """Which users to find, nearest first."""

    near: LatitudeLongitude = Field(description="latitude,longitude")
    limit: FewLimit = 10
    radius: Radius = Field(
        None, description="Metres, 100 to 10000, default 1000; with `mode` minutes of travel, up to 120, default 10."
    )
    mode: Literal["car", "truck", "foot", "bike", "motorbike"] | None = Field(
        None, description="Finds those who travel to `near` in time, by the roads of the areas in use."
    )
    metadata: MetadataFilter | None = Field(
        None, description='metadata[key]=value; true, false and numbers are taken as such, "5" is text.'
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
