"""Tracking settings of a project, for each environment."""

from enum import Enum, StrEnum
from math import isfinite

from msgspec import Struct

from engine.domain.addresses.place import ChainSetting
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, Unset
from engine.domain.hours import HoursRule
from engine.domain.ip import IpRanges
from engine.domain.metadata import MetadataValue
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel, TrackingOptions
from engine.domain.tracking.trips import MAX_THRESHOLD_S
from engine.domain.tracking.updates import User

MAX_KEPT_UPDATES = 10_000_000
MAX_DWELL_S = 366 * 24 * 3600.0
MAX_SEGMENTS = 100
MAX_CONDITIONS = 20
MAX_CHAINS = 1_000
MAX_REQUESTS = 1_000_000_000


class Comparison(StrEnum):
    """Comparison of a user's field with the value of a condition."""

    EQUALS = "equals"
    NOT_EQUALS = "notEquals"
    EXISTS = "exists"
    CONTAINS = "contains"
    GREATER = "greaterThan"
    LESS = "lessThan"


SEGMENT_FIELDS = (
    *("userId", "deviceId", "description", "deviceType", "deviceOS", "deviceMake", "deviceModel"),
    *("foreground", "stopped", "geofenceTag", "metadata"),
)
"""Fields that a condition may use; ``metadata`` is written ``metadata.{key}``."""


class Condition(Struct, frozen=True):
    """A condition on a user, such as ``metadata.plan`` equals ``gold``; `value` is None only with EXISTS."""

    field: str
    comparison: Comparison
    value: MetadataValue | None = None


class SegmentRule(Struct, frozen=True):
    """A segment: users who meet all conditions."""

    description: str
    external_id: str
    conditions: tuple[Condition, ...]


class RehearsedError(Enum):
    """An error with which the endpoint answers every request, to test how an app handles it."""

    ORGANIZATION_DISABLED = "organizationDisabled"
    USAGE_EXCEEDED = "usageExceeded"
    UNAVAILABLE = "unavailable"


class Situation(StrEnum):
    """States of a user for which a project may have tracking options, in the SDKs' own words."""

    IN_GEOFENCE = "inGeofence"
    ON_TRIP = "onTrip"
    DEFAULT = "default"


class ProjectSettings(Struct, frozen=True, kw_only=True):
    """The settings of one environment. Durations in seconds, distances in metres, speeds in metres a second."""

    stop_detection: bool = False
    buffer_entries: bool = False
    buffer_exits: bool = False
    operating_hours_restriction: bool = False
    operating_hours_rule: HoursRule = HoursRule.PLATFORM
    dwell_event: bool = False
    default_dwell_threshold_s: float | None = None
    minimum_confidence: int = 1
    regions: bool = False
    places: bool = False
    fraud: bool = False
    rate_limit: bool = True
    endpoint_rate_limits: bool = False
    """Whether the endpoint enforces the specification's limit of requests a second for each operation."""
    kept_updates: int = 100_000
    """Number of location updates kept for explanations; older ones are deleted."""
    trusted_proxy_header: str | None = None
    """The header with the client's address that a proxy in front of the endpoint sets."""
    jumped_speed_mps: float = 300.0
    """Speed between two fixes above which a movement is impossible."""
    inaccurate_accuracy_m: float = 1_000.0
    """Accuracy above which a fix is suspicious."""
    sharing_window_s: float = 3_600.0
    """Time within which two users on one device count as sharing it."""
    proxy_addresses: IpRanges | None = None
    """Addresses of proxies and VPNs: the data source for the fraud check ``proxy``."""
    blocked: tuple[str, ...] = ()
    """User IDs and device IDs that never pass the fraud check."""
    bypassed: tuple[str, ...] = ()
    """User IDs and device IDs that always pass the fraud check."""
    segments: tuple[SegmentRule, ...] = ()
    chains: tuple[ChainSetting, ...] = ()
    """The project's own IDs and metadata of chains."""
    place_chains: tuple[str, ...] = ()
    """Slugs of the chains whose places generate events. Without chains and categories, all places do."""
    place_categories: tuple[str, ...] = ()
    """Categories whose places generate events. A place needs one of the chains or one of the categories."""
    sdk_log_level: SdkLogLevel | None = None
    """Log level of the SDKs in apps. None leaves it to the SDKs, as do empty features and tracking options of None."""
    sdk_features: tuple[SdkFeature, ...] = ()
    """Features that the SDKs use."""
    tracking_options: TrackingOptions | None = None
    """Options for background tracking in apps, unless the next ones apply."""
    on_trip_tracking_options: TrackingOptions | None = None
    in_geofence_tracking_options: TrackingOptions | None = None
    """Options while a user is in a geofence with one of the tags; they precede those for trips."""
    in_geofence_tracking_tags: tuple[str, ...] = ()
    trip_approaching_threshold_s: float = 300.0
    """ETA up to which a trip is approaching, unless the trip or its destination has its own threshold."""
    trip_expiry_s: float = 24 * 3600.0
    """Time without any activity after which a trip expires."""
    rehearsed_error: RehearsedError | None = None
    hourly_limit: int | None = None
    """Maximum number of requests to the endpoint within an hour of the clock."""
    daily_limit: int | None = None
    blocked_countries: tuple[str, ...] = ()
    """ISO codes of the countries whose locations the endpoint refuses."""
    allow_private_urls: bool = False
    """Whether URLs, such as those of a nightly sync, may lead to private addresses; in Test only."""

    @property
    def rehearses(self) -> bool:
        """Whether requests may be refused regardless of their contents."""
        return self.rehearsed_error is not None or self.hourly_limit is not None or self.daily_limit is not None


DEFAULT_SETTINGS = ProjectSettings()

EARLIER_SETTINGS = ProjectSettings(operating_hours_rule=HoursRule.CALENDAR)
"""The defaults of projects, seeds and change sets from before the rule of operating hours could be chosen."""


class SettingsChange(Struct, frozen=True, kw_only=True):
    """The settings to change. A field that is `UNSET` keeps its value, None resets it to the default."""

    stop_detection: bool | Unset | None = UNSET
    buffer_entries: bool | Unset | None = UNSET
    buffer_exits: bool | Unset | None = UNSET
    operating_hours_restriction: bool | Unset | None = UNSET
    operating_hours_rule: HoursRule | Unset | None = UNSET
    dwell_event: bool | Unset | None = UNSET
    default_dwell_threshold_s: float | Unset | None = UNSET
    minimum_confidence: int | Unset | None = UNSET
    regions: bool | Unset | None = UNSET
    places: bool | Unset | None = UNSET
    fraud: bool | Unset | None = UNSET
    rate_limit: bool | Unset | None = UNSET
    endpoint_rate_limits: bool | Unset | None = UNSET
    kept_updates: int | Unset | None = UNSET
    trusted_proxy_header: str | Unset | None = UNSET
    jumped_speed_mps: float | Unset | None = UNSET
    inaccurate_accuracy_m: float | Unset | None = UNSET
    sharing_window_s: float | Unset | None = UNSET
    proxy_addresses: IpRanges | Unset | None = UNSET
    blocked: tuple[str, ...] | Unset | None = UNSET
    bypassed: tuple[str, ...] | Unset | None = UNSET
    segments: tuple[SegmentRule, ...] | Unset | None = UNSET
    chains: tuple[ChainSetting, ...] | Unset | None = UNSET
    place_chains: tuple[str, ...] | Unset | None = UNSET
    place_categories: tuple[str, ...] | Unset | None = UNSET
    sdk_log_level: SdkLogLevel | Unset | None = UNSET
    sdk_features: tuple[SdkFeature, ...] | Unset | None = UNSET
    tracking_options: TrackingOptions | Unset | None = UNSET
    on_trip_tracking_options: TrackingOptions | Unset | None = UNSET
    in_geofence_tracking_options: TrackingOptions | Unset | None = UNSET
    in_geofence_tracking_tags: tuple[str, ...] | Unset | None = UNSET
    trip_approaching_threshold_s: float | Unset | None = UNSET
    trip_expiry_s: float | Unset | None = UNSET
    rehearsed_error: RehearsedError | Unset | None = UNSET
    hourly_limit: int | Unset | None = UNSET
    daily_limit: int | Unset | None = UNSET
    blocked_countries: tuple[str, ...] | Unset | None = UNSET
    allow_private_urls: bool | Unset | None = UNSET


NO_SETTINGS_CHANGE = SettingsChange()


def check_environment(environment: Environment, settings: ProjectSettings) -> ProjectSettings:
    """Return settings if they are allowed in an environment. Raises `InvalidParameter` naming one that is not."""
    if environment.live and settings.allow_private_urls:
        raise InvalidParameter("allow_private_urls", "allow_private_urls: is available in Test only.")
    return settings


def check_dwell_threshold(seconds: float, param: str) -> float:
    """Return `seconds` if it is a valid dwell threshold: over 0, at most a year."""
    if not (isfinite(seconds) and 0 < seconds <= MAX_DWELL_S):
        raise InvalidParameter(param, f"{param}: must be minutes greater than 0, at most {MAX_DWELL_S / 60:g}.")
    return seconds


def check_approaching_threshold(seconds: float, param: str) -> float:
    """Return `seconds` if it is a valid threshold for approaching a destination: at least 0, at most a day."""
    if not 0 <= seconds <= MAX_THRESHOLD_S:
        raise InvalidParameter(param, f"{param}: must be minutes within [0, {MAX_THRESHOLD_S / 60:g}].")
    return seconds


def options_by_situation(settings: ProjectSettings) -> dict[Situation, TrackingOptions]:
    """Return the options that a project has. Of those that apply to a user, the first count."""
    options = {
        Situation.IN_GEOFENCE: settings.in_geofence_tracking_options,
        Situation.ON_TRIP: settings.on_trip_tracking_options,
        Situation.DEFAULT: settings.tracking_options,
    }
    return {situation: each for situation, each in options.items() if each is not None}


def options_for(settings: ProjectSettings, user: User | None) -> tuple[Situation, TrackingOptions] | None:
    """Return the options for a user, or None if the app keeps its own; an unknown user receives the default ones."""
    for situation, options in options_by_situation(settings).items():
        if _applies(situation, settings, user):
            return situation, options
    return None


def _applies(situation: Situation, settings: ProjectSettings, user: User | None) -> bool:
    if situation is Situation.DEFAULT or user is None:
        return situation is Situation.DEFAULT
    if situation is Situation.ON_TRIP:
        return user.trip is not None
    return any(geofence.tag in settings.in_geofence_tracking_tags for geofence in user.geofences)
