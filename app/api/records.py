"""What answers speak of: geofences, places, users, events, settings, as the document describes them.

Answers are built by `encoding` without passing through these, for speed; the tests hold every answer against them.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from app.api.fields import MetadataItem
from engine.domain.address import RegionType
from engine.domain.decision import Outcome, Rule
from engine.domain.settings import Comparison

TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"

type Time = Annotated[str, Field(pattern=TIME, json_schema_extra={"format": "date-time"})]
type Id = Annotated[str, Field(min_length=1, pattern=r"^[0-9A-Za-z]+$")]
type Metadata = dict[str, MetadataItem]
type Longitude = Annotated[float, Field(ge=-180, le=180)]
type Latitude = Annotated[float, Field(ge=-90, le=90)]
type LongitudeLatitude = tuple[Longitude, Latitude]
type Day = Literal["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
type DayTime = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$|^24:00$")]
type WeekHours = dict[Day, list[tuple[DayTime, DayTime]]]
type Values = dict[str, str | bool | int | float]


class Strictly(BaseModel):
    """Base of every part of an answer: exactly the documented fields, none of them null."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)


def optional(**described: Any) -> Any:
    """Return the field of something that an answer leaves out when there is nothing to say."""
    return Field(default_factory=str, **described)


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
    """A geofence as client apps see it; a search without geometry leaves out `type` and the geometry."""

    created_at: Time
    updated_at: Time
    live: bool
    enabled: bool
    geometry_center: PointAnswer
    type: Literal["circle", "polygon", "isochrone"] = optional()
    geometry: PolygonAnswer = optional()
    geometry_radius: float = optional(
        ge=0, description="Metres; of a polygon, to its farthest vertex. Of an isochrone, minutes."
    )
    mode: Literal["car", "truck", "foot", "bike", "motorbike"] = optional(description="Of an isochrone only.")

    operating_hours: WeekHours = optional(
        description="Lists of [open, close], in the local time of its centre; a day without is closed."
    )
    stop_detection: bool = optional()
    disable_after: Time = optional()
    delete_after: Time = optional()
    dwell_threshold: float = optional(gt=0, description="Minutes.")


class GeofenceRecord(FoundGeofence):
    """A geofence as stored."""

    type: Literal["circle", "polygon", "isochrone"] = Field()
    geometry: PolygonAnswer = Field(description="The outline; of a circle, 32 vertices that approximate it.")
    geometry_radius: float = Field(
        ge=0, description="Metres; of a polygon, to its farthest vertex. Of an isochrone, minutes."
    )
    user_ids: str = optional(min_length=1, description="Comma-separated.")
    ip: str = optional(min_length=1, description="Comma-separated.")


class EventUserAnswer(Strictly):
    """What an event carries of its user; of one who is not known yet, what the client told."""

    id: Id = optional(alias="_id")
    device_id: str = optional()
    user_id: str = optional()
    metadata: Metadata


class FraudAnswer(Strictly):
    """What the fraud checks found; a date is left out until its check has failed."""

    verified: Literal[False]
    passed: bool
    bypassed: bool
    blocked: bool
    mocked: bool
    jumped: bool
    compromised: bool
    inaccurate: bool
    proxy: bool
    sharing: bool
    last_mocked_at: Time = optional()
    last_jumped_at: Time = optional()
    last_compromised_at: Time = optional()
    last_inaccurate_at: Time = optional()
    last_proxy_at: Time = optional()
    last_sharing_at: Time = optional()


class SegmentAnswer(Strictly):
    """A segment that a user belongs to."""

    description: str
    external_id: str


class ChainAnswer(Strictly):
    """A chain whose places a user visits."""

    name: str
    slug: str
    external_id: str = optional()


class PlaceChainAnswer(ChainAnswer):
    """The chain of a place; `externalId` and `metadata` are the project's own."""

    metadata: Metadata = optional()


class PlaceRecord(Strictly):
    """Something people visit."""

    id: Id = Field(alias="_id", description="The same for as long as OpenStreetMap has it.")
    name: str = Field(min_length=1)
    location: PointAnswer
    chain: PlaceChainAnswer = optional()
    categories: list[str] = Field(description="From general to specific.")


class RegionAnswer(Strictly):
    """A country, a state, a market area or a postal code."""

    id: str = Field(alias="_id", min_length=1)
    type: RegionType
    code: str = Field(min_length=1)
    name: str = Field(min_length=1)
    flag: str = optional(min_length=1, description="Of a country.")


class UserRecord(Strictly):
    """A user with their last location."""

    id: Id = Field(alias="_id")
    device_id: str
    user_id: str = optional()
    personal_data: Literal[True] = optional(description="The userId looks like an e-mail address.")
    metadata: Metadata
    live: bool
    location: PointAnswer
    location_accuracy: float = Field(gt=0, description="Metres.")
    altitude: float = optional(description="Metres.")
    vertical_accuracy: float = optional(description="Metres.")
    foreground: bool
    stopped: bool
    created_at: Time
    updated_at: Time = Field(description="The last location update.")
    geofences: list[GeofenceSummaryAnswer] = Field(description="The geofences the user is in.")
    description: str = optional()
    device_type: Literal["iOS", "Android", "Web"] = optional()
    device_os: str = optional(alias="deviceOS")
    device_make: str = optional()
    device_model: str = optional()
    ip: str = optional()
    fraud: FraudAnswer = optional(description="While the setting fraud is on.")
    segments: list[SegmentAnswer] = optional(min_length=1)
    top_chains: list[ChainAnswer] = optional(min_length=1)
    place: PlaceRecord = optional(description="While the setting places is on.")
    country: RegionAnswer = optional(description="While the setting regions is on, as the others.")
    state: RegionAnswer = optional(description="In the US and Canada.")
    dma: RegionAnswer = optional(description="In the US, where market areas were supplied.")
    postal_code: RegionAnswer = optional(description="In the US.")


class EventRecord(Strictly):
    """Something a user did: an event of a geofence, place or region, a failed check, or what a client reported."""

    id: Id = Field(alias="_id")
    type: str = Field(
        min_length=1,
        description="user.entered_geofence, user.exited_geofence, user.dwelled_in_geofence, user.entered_place, "
        "user.exited_place, user.entered_region_country (_state, _dma, _postal_code), user.exited_region_country (and "
        "so on), user.failed_fraud, or a conversion's own word.",
    )
    created_at: Time = Field(description="The time of the location update.")
    actual_created_at: Time = Field(description="The server's time.")
    live: bool
    user: EventUserAnswer
    geofence: GeofenceSummaryAnswer = optional()
    place: PlaceRecord = optional(description="On events of places.")
    region: RegionAnswer = optional(description="On events of regions.")
    location: PointAnswer = optional()
    location_accuracy: float = optional(gt=0, description="Metres.")
    confidence: int = optional(ge=1, le=3, description="On events of geofences and places.")
    currently_operating: bool = optional(description="On events of geofences with operating hours.")
    duration: float = optional(ge=0, description="Minutes inside; on exits only.")
    metadata: Metadata = optional(description="On conversions.")
    fraud: FraudAnswer = optional(description="On failed fraud checks.")
    verification: Literal[-1, 0, 1] = optional(description="1 accepted, -1 rejected, 0 open again.")
    verified_place_id: str = optional()
    replayed: Literal[True] = optional()


class RuleAnswer(Strictly):
    """A rule as it was applied: whether it let an event pass, and the values that decided."""

    rule: Rule
    passed: bool
    text: str = Field(min_length=1, description="The same as a sentence.")
    values: Values


class ExplanationAnswer(Strictly):
    """What a location update meant for a geofence, and why."""

    geofence: GeofenceSummaryAnswer
    decision: Outcome
    rules: list[RuleAnswer]
    distance: float = Field(description="Metres to the boundary, negative inside.")
    share: float = Field(ge=0, le=1, description="The part of the accuracy circle that lies inside.")
    confidence: int = Field(ge=1, le=3)
    text: str = Field(min_length=1, description="The whole as a sentence.")


class ContextRecord(Strictly):
    """What is around a position."""

    live: bool
    geofences: list[GeofenceSummaryAnswer] = Field(description="The enabled geofences that hold it.")
    place: PlaceRecord = optional(description="While the setting places is on.")
    country: RegionAnswer = optional(description="While the setting regions is on, as the others.")
    state: RegionAnswer = optional()
    dma: RegionAnswer = optional()
    postal_code: RegionAnswer = optional()


class ConditionAnswer(Strictly):
    """One condition on a user."""

    field: str
    comparison: Comparison
    value: MetadataItem = optional()


class SegmentRuleAnswer(Strictly):
    """Users for whom all conditions hold belong to the segment."""

    description: str
    external_id: str
    conditions: list[ConditionAnswer]


class ChainSettingAnswer(Strictly):
    """What the project sets for a chain."""

    slug: str = Field(min_length=1)
    external_id: str = optional(min_length=1)
    metadata: Metadata = optional()


class SettingsRecord(Strictly):
    """The settings of an environment; unset ones are left out."""

    stop_detection: bool
    buffer_entries: bool
    buffer_exits: bool
    operating_hours_restriction: bool
    dwell_event: bool
    default_dwell_threshold: float = optional(gt=0, description="Minutes.")
    minimum_confidence: int = Field(ge=1, le=3)
    regions: bool
    places: bool
    fraud: bool
    rate_limit: bool
    endpoint_rate_limits: bool
    kept_updates: int = Field(ge=0)
    trusted_proxy_header: str = optional(min_length=1)
    jumped_speed: float = Field(gt=0, description="Metres a second.")
    inaccurate_accuracy: float = Field(gt=0, description="Metres.")
    sharing_window: float = Field(gt=0, description="Minutes.")
    proxy_addresses: str = optional(min_length=1, description="Comma-separated.")
    blocked: list[str]
    bypassed: list[str]
    segments: list[SegmentRuleAnswer]
    chains: list[ChainSettingAnswer]
    place_chains: list[str] = Field(description="Slugs.")
    place_categories: list[str]
