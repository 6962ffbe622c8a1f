"""What answers hold: the models that the document is made from.

Answers are built by `encoding` without passing through these, for speed; the tests hold every answer against them.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from app.api.fields import MetadataItem

TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"

type Time = Annotated[str, Field(pattern=TIME, json_schema_extra={"format": "date-time"})]
type Id = Annotated[str, Field(min_length=1, pattern=r"^[0-9A-Za-z]+$")]
type Metadata = dict[str, MetadataItem]
type Longitude = Annotated[float, Field(ge=-180, le=180)]
type Latitude = Annotated[float, Field(ge=-90, le=90)]
type LongitudeLatitude = tuple[Longitude, Latitude]


class Strictly(BaseModel):
    """Base of every part of an answer: exactly the documented fields, none of them null."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)


def optional(**described: Any) -> Any:
    """Return the field of something that an answer leaves out when there is nothing to say."""
    return Field(default_factory=str, **described)


class Meta(Strictly):
    """About the answer itself."""

    code: Literal[200]


class PageMeta(Meta):
    """About an answer that lists records."""

    has_more: bool = Field(description="Whether other records follow the last one.")


class ErrorMeta(Strictly):
    """What was wrong."""

    code: int = Field(ge=400, le=599, description="The HTTP status.")
    param: str = optional(description="The parameter at fault, when there is one.")
    message: str = Field(min_length=1)


class ErrorAnswer(Strictly):
    """The answer to a request that was not accepted."""

    meta: ErrorMeta


class PointAnswer(Strictly):
    """A GeoJSON Point."""

    type: Literal["Point"]
    coordinates: LongitudeLatitude


class PolygonAnswer(Strictly):
    """A GeoJSON Polygon with one closed ring."""

    type: Literal["Polygon"]
    coordinates: Annotated[
        tuple[Annotated[tuple[LongitudeLatitude, ...], Field(min_length=4)], ...],
        Field(min_length=1, max_length=1),
    ]


class GeofenceSummaryAnswer(Strictly):
    """What users and events carry of a geofence."""

    id: Id = Field(alias="_id")
    tag: str
    external_id: str
    description: str
    metadata: Metadata


class FoundGeofence(GeofenceSummaryAnswer):
    """A geofence; a search without geometry leaves out the last three fields."""

    created_at: Time
    updated_at: Time
    live: bool
    enabled: bool
    geometry_center: PointAnswer
    type: Literal["circle", "polygon"] = optional()
    geometry: PolygonAnswer = optional()
    geometry_radius: float = optional(ge=0, description="Metres; of a polygon, to its farthest vertex.")


class GeofenceRecord(FoundGeofence):
    """A geofence as stored."""

    type: Literal["circle", "polygon"] = Field()
    geometry: PolygonAnswer = Field(description="The outline; of a circle, 32 vertices that approximate it.")
    geometry_radius: float = Field(ge=0, description="Metres; of a polygon, to its farthest vertex.")


class UserSummaryAnswer(Strictly):
    """What an event carries of its user."""

    id: Id = Field(alias="_id")
    device_id: str
    user_id: str = optional()
    metadata: Metadata


class UserRecord(UserSummaryAnswer):
    """A user with their last location."""

    live: bool
    location: PointAnswer
    location_accuracy: float = Field(gt=0, description="Metres.")
    foreground: bool
    stopped: bool
    created_at: Time
    updated_at: Time = Field(description="The last location update.")
    geofences: list[GeofenceSummaryAnswer] = Field(description="The geofences the user is in.")
    description: str = optional()
    device_type: Literal["iOS", "Android", "Web"] = optional()
    ip: str = optional()


class EventRecord(Strictly):
    """Something a user did."""

    id: Id = Field(alias="_id")
    type: Literal["user.entered_geofence", "user.exited_geofence"]
    created_at: Time = Field(description="The time of the location update.")
    actual_created_at: Time = Field(description="The server's time.")
    live: bool
    user: UserSummaryAnswer
    geofence: GeofenceSummaryAnswer
    location: PointAnswer
    location_accuracy: float = Field(gt=0, description="Metres.")
    confidence: int = Field(ge=1, le=3)
    duration: float = optional(ge=0, description="Minutes inside; on exits only.")


class AnswerModel(Strictly):
    """Base of the answer of an operation."""

    meta: Meta


class PageAnswerModel(Strictly):
    """Base of the answer of an operation that lists records."""

    meta: PageMeta


class EmptyAnswer(AnswerModel):
    """Nothing but success."""


class PingAnswer(AnswerModel):
    """The address the request came from."""

    ip: str = optional()


class TrackAnswer(AnswerModel):
    """What a location update led to."""

    events: list[EventRecord] = Field(description="The events this update generated, in order.")
    user: UserRecord


class GeofenceAnswer(AnswerModel):
    """One geofence."""

    geofence: GeofenceRecord


class GeofenceListAnswer(PageAnswerModel):
    """Geofences, newest update first."""

    geofences: list[GeofenceRecord]


class GeofenceSearchAnswer(AnswerModel):
    """Geofences, nearest first."""

    geofences: list[FoundGeofence]


class UserListAnswer(PageAnswerModel):
    """Users, newest update first."""

    users: list[UserRecord]


class EventListAnswer(PageAnswerModel):
    """Events, newest first."""

    events: list[EventRecord]
