"""The scenario file as a whole: its settings, geofences, devices and tracks.

Settings, geofences, beacons, trips and location updates have the same format as in requests and responses of ``/v1``,
so that they can be copied from there.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    ModelWrapValidatorHandler,
    Tag,
    model_validator,
)

from app.api.wire.common.fields import Identifier, Moment, Name, Text, UserMetadata, read_position, refusal
from app.api.wire.snapshot import SeedBeacon, SeedGeofence
from app.lab.files.expectations import AnswerStatus, Expect, TypeWord
from app.lab.files.faults import Way
from app.lab.files.steps import Step, StepSettings
from app.lab.files.words import Duration, LabModel, OneOf, refused_too
from engine.delivery.judging import MAX_FILTERS, MAX_WEBHOOKS
from engine.domain.clock import EARLIEST, LATEST
from engine.domain.webhooks.webhook import CHUNK
from engine.simulation.noise.model import LIMITS, MAX_SEED
from engine.simulation.routed import MAX_WAYPOINTS

VERSION: Final = 2
WITHOUT_HOURS_RULE: Final = 1
"""The version from before the rule of operating hours could be chosen; its hours are those of the calendar rule."""

DEFAULT_START: Final = datetime(2026, 1, 5, 12, tzinfo=UTC)
DEFAULT_ACCURACY_M: Final = 10.0
MAX_DEVICES: Final = 1_000
MAX_STEPS: Final = 1_000
MAX_POINTS: Final = 10_000
MAX_GEOFENCES: Final = 10_000
MAX_ANSWERS: Final = 1_000


def _within_clock(moment: Any) -> Any:
    if not EARLIEST <= moment <= LATEST:
        raise refusal(f"must be between the years {EARLIEST:%Y} and {LATEST:%Y}")
    return moment


class GeofenceFile(LabModel):
    """Geofences from a file in CSV, GeoJSON, or another format of the import."""

    file: Text = Field(description="The path, relative to the scenario.")


type LonLat = Annotated[tuple[float, float], BeforeValidator(read_position, json_schema_input_type=list[float])]
type Metres = Annotated[float, Field(gt=0)]


def _is_file(value: Any) -> str:
    return "file" if isinstance(value, dict) and "file" in value else "geofence"


type Geofence = Annotated[
    Annotated[GeofenceFile, Tag("file")] | Annotated[SeedGeofence, Tag("geofence")], Discriminator(_is_file)
]


class TimedPoint(LabModel):
    """One fix of an inline track."""

    at: Duration = Field(description="Since the start of the track.")
    coordinates: LonLat = Field(description="[longitude, latitude]")
    accuracy: Metres | None = Field(None, description="Metres; else that of the device.")
    foreground: bool | None = None
    stopped: bool | None = None


def _as_waypoint(value: Any) -> Any:
    return {"coordinates": value} if isinstance(value, list) else value


class WaypointBody(LabModel):
    """A position to go to, and how long to wait there."""

    coordinates: LonLat = Field(description="[longitude, latitude]")
    wait: Duration | None = None


class RouteBody(LabModel):
    """A route along the roads of the scenario's areas, at the speed of each road."""

    waypoints: Annotated[
        list[Annotated[WaypointBody, BeforeValidator(_as_waypoint, json_schema_input_type=WaypointBody | list[float])]],
        Field(min_length=2, max_length=MAX_WAYPOINTS),
    ] = Field(description="[longitude, latitude], or coordinates with a wait.")
    mode: Literal["car", "truck", "foot", "bike", "motorbike"] = "car"
    interval: Duration | None = Field(None, description="From fix to fix; 1s.")


class DrawnBody(LabModel):
    """Straight lines between vertices, at constant speed."""

    corners: Annotated[list[LonLat], Field(min_length=2, max_length=MAX_POINTS)] = Field(
        description="[longitude, latitude] of each."
    )
    speed: Annotated[float, Field(gt=0)] = Field(description="km/h")
    interval: Duration | None = Field(None, description="From fix to fix; 1s.")


class TrackBody(OneOf):
    """The track of a device: a file, a route along roads, straight lines, or points with times."""

    ways = ("file", "route", "drawn", "points")

    file: Text | None = Field(None, description="GPX, CSV, GeoJSON and others; the path is relative to the scenario.")
    speed: Annotated[float, Field(gt=0)] | None = Field(
        None, description="km/h; times the positions of a file by their distance instead of as recorded."
    )
    recorded: Moment | None = Field(
        None, description="When the track was recorded, if it differs from its times; the report mentions it."
    )
    route: RouteBody | None = None
    drawn: DrawnBody | None = None
    points: Annotated[list[TimedPoint], Field(min_length=1, max_length=MAX_POINTS)] | None = None


def _limited(name: str) -> Any:
    least, most = LIMITS[name]
    return Field(ge=least, le=most)


def _at_most_a_day(duration: timedelta) -> timedelta:
    if duration > timedelta(days=1):
        raise refusal("must be at most 24h")
    return duration


type Error = Annotated[float, _limited("error_m")]
type Variation = Annotated[float, _limited("variation")]
type LieFactor = Annotated[float, _limited("lie_factor")]
type HourlyGaps = Annotated[float, _limited("gaps_per_hour")]
type Share = Annotated[float, _limited("outlier_share")]
type Outlier = Annotated[float, _limited("outlier_m")]
type Drift = Annotated[float, _limited("drift_m")]
type NoiseTime = Annotated[Duration, AfterValidator(_at_most_a_day)]


class NoiseBody(LabModel):
    """The noise of a phone, by a preset, custom values, or both. The same seed yields the same fixes."""

    preset: Literal["open-sky", "city-canyon", "indoor", "poor-phone"] | None = Field(
        None, description="Values for all that is not given."
    )
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0
    error: Error | None = Field(None, description="Metres within which 68 % of the fixes are; 5 without a preset.")
    correlation: NoiseTime | None = Field(
        None, description="How long an error lasts: two fixes so far apart have a correlation of 1/e; 30s."
    )
    variation: Variation | None = Field(
        None, description="How much error and reported accuracy change: by a factor of e to the power of it; 0."
    )
    lie_share: Share | None = Field(None, description="Share of fixes that report a better accuracy than they have; 0.")
    lie_factor: LieFactor | None = Field(None, description="How much better; 1.")
    gaps_per_hour: HourlyGaps | None = Field(None, description="How often nothing is reported; 0.")
    gap: NoiseTime | None = Field(None, description="How long a gap lasts on average; 30s.")
    outlier_share: Share | None = Field(None, description="Share of fixes that are far off without saying so; 0.")
    outlier: Outlier | None = Field(None, description="Metres that outliers are off by; 100.")
    drift: Drift | None = Field(None, description="Metres by which the position drifts while the device stands; 0.")
    drift_time: NoiseTime | None = Field(None, description="How fast it drifts; 2m.")


class DeviceBody(LabModel):
    """A device that moves along a track, and the properties of all its location updates."""

    device_id: Identifier
    user_id: Identifier | None = None
    metadata: UserMetadata | None = None
    ip: Text | None = Field(None, description="The address that its requests come from.")
    accuracy: Metres = Field(DEFAULT_ACCURACY_M, description="Metres; of fixes without an accuracy of their own.")
    foreground: bool | None = None
    stopped: bool | None = None
    start: Duration | None = Field(None, description="When its track begins, after the start of the scenario.")
    track: TrackBody
    noise: NoiseBody | None = None
    motion: Literal["derived"] | None = Field(
        None, description="derived: foreground and stopped follow from how the device moves, whatever its file says."
    )

    @model_validator(mode="wrap")
    @classmethod
    def _check_motion(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        loc = _stated_motion(data) if isinstance(data, dict) and data.get("motion") == "derived" else None
        explanation = None if loc is None else "cannot be combined with motion: derived, which finds it itself"
        checked: Self = refused_too(cls, data, validate, explanation, loc or ())
        return checked


def _stated_motion(device: dict[str, Any]) -> Way | None:
    """Return the path of the first field in which a device, or a point of its track, states its motion, or None."""
    track = device.get("track")
    points = track.get("points") if isinstance(track, dict) else None
    found: list[tuple[Way, Any]] = [((), device)]
    if isinstance(points, list):
        found += ((("track", "points", index), point) for index, point in enumerate(points))
    ways = (
        (*way, name)
        for way, values in found
        if isinstance(values, dict)
        for name in ("foreground", "stopped")
        if values.get(name) is not None
    )
    return next(ways, None)


class WebhookBody(LabModel):
    """A webhook with the built-in receiver, whose requests the scenario may expect."""

    name: Identifier = Field(description="What expectations call it.")
    delivery: Literal["single", "multiple"] = Field(
        "single", description=f"multiple: up to {CHUNK} events of one location update."
    )
    event_types: Annotated[list[TypeWord], Field(max_length=MAX_FILTERS)] = Field(
        default_factory=list, description="Only events of these types; empty for all."
    )
    tags: Annotated[list[Identifier], Field(max_length=MAX_FILTERS)] = Field(
        default_factory=list, description="Only events of geofences and beacons with one of these tags."
    )
    answers: Annotated[list[AnswerStatus], Field(min_length=1, max_length=MAX_ANSWERS)] | None = Field(
        None, description="The statuses of the receiver's first answers; later ones are 200."
    )


class ScenarioBody(LabModel):
    """A scenario: its set-up, its course, and its expectations."""

    version: Literal[1, 2] = Field(description="2; with 1, `operatingHoursRule` is `calendar` unless it is set.")
    name: Name | None = None
    description: Text | None = None
    areas: list[Identifier] = Field(
        default_factory=list, description="Areas to route and search in; without, none is in use."
    )
    clock: Annotated[Moment, AfterValidator(_within_clock)] | None = Field(
        None,
        description="Where the clock stands at the start; else the first track's, or 2026-01-05T12:00:00Z, a Monday.",
    )
    settings: StepSettings | None = None
    geofences: Annotated[list[Geofence], Field(max_length=MAX_GEOFENCES)] = Field(default_factory=list)
    beacons: Annotated[list[SeedBeacon], Field(max_length=MAX_GEOFENCES)] = Field(default_factory=list)
    webhooks: Annotated[list[WebhookBody], Field(max_length=MAX_WEBHOOKS)] = Field(default_factory=list)
    devices: Annotated[list[DeviceBody], Field(max_length=MAX_DEVICES)] = Field(default_factory=list)
    steps: Annotated[list[Step], Field(max_length=MAX_STEPS)] = Field(
        default_factory=list, description="What happens meanwhile; after the last step all tracks go on to their end."
    )
    expect: Expect = Field(default_factory=lambda: Expect.model_validate({}))
    expects_nothing: Literal[True] | None = Field(
        None, description="true states that it is intended that no check of the scenario can fail."
    )

    @property
    def start(self) -> datetime:
        """Time of the clock at the start."""
        return self.clock or DEFAULT_START

    def since_start(self, time: datetime | timedelta | None) -> timedelta | None:
        """Return a time of the file as a duration since the start."""
        return time - self.start if isinstance(time, datetime) else time
