"""Settings of a project about tracking, for each environment."""

from enum import Enum, StrEnum
from math import isfinite

from msgspec import Struct

from engine.domain.addresses.place import ChainSetting
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, Unset
from engine.domain.ip import IpRanges
from engine.domain.metadata import MetadataValue
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel, TrackingOptions
from engine.domain.tracking.trips import MAX_THRESHOLD_S

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
"""Fields that a condition may look at; ``metadata`` is written ``metadata.{key}``."""


class Condition(Struct, frozen=True):
    """One condition on a user, such as ``metadata.plan`` equals ``gold``; `value` is None only with EXISTS."""

    field: str
    comparison: Comparison
    value: MetadataValue | None = None


class SegmentRule(Struct, frozen=True):
    """A segment: users who meet all conditions."""

    description: str
    external_id: str
    conditions: tuple[Condition, ...]


class RehearsedError(Enum):
    """An error that the endpoint answers to every request, for tests of how an app fares with it."""

    ORGANIZATION_DISABLED = "organizationDisabled"
    USAGE_EXCEEDED = "usageExceeded"
    UNAVAILABLE = "unavailable"


class ProjectSettings(Struct, frozen=True, kw_only=True):
    """The settings of one environment. Durations in seconds, distances in metres, speeds in metres a second."""

    stop_detection: bool = False
    buffer_entries: bool = False
    buffer_exits: bool = False
    operating_hours_restriction: bool = False
    dwell_event: bool = False
    default_dwell_threshold_s: float | None = None
    minimum_confidence: int = 1
    regions: bool = False
    places: bool = False
    fraud: bool = False
    rate_limit: bool = True
    endpoint_rate_limits: bool = False
    """Whether each operation of the endpoint takes only so many requests a second as the specification says."""
    kept_updates: int = 100_000
    """How many location updates are kept for explanations; older ones are forgotten."""
    trusted_proxy_header: str | None = None
    """The header in which a proxy in front of the endpoint tells the client's address."""
    jumped_speed_mps: float = 300.0
    """Faster than this between two fixes is impossible."""
    inaccurate_accuracy_m: float = 1_000.0
    """An accuracy above this is suspicious."""
    sharing_window_s: float = 3_600.0
    """Two users on one device within this time share it."""
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
    """Only places of these chains (slugs) make events of places; with none and no categories, all places do."""
    place_categories: tuple[str, ...] = ()
    """Only places of these categories do; a place passes by its chain or by a category."""
    sdk_log_level: SdkLogLevel | None = None
    """How much the SDKs in apps log; None leaves it to them, as the next two do."""
    sdk_features: tuple[SdkFeature, ...] = ()
    """Features that the SDKs use."""
    tracking_options: TrackingOptions | None = None
    """How apps track in the background."""
    trip_approaching_threshold_s: float = 300.0
    """A trip is approaching when its ETA is not over this, where neither it nor its destination says otherwise."""
    trip_expiry_s: float = 24 * 3600.0
    """A trip expires when nobody has had to do with it for so long."""
    rehearsed_error: RehearsedError | None = None
    hourly_limit: int | None = None
    """How many requests the endpoint takes within an hour of the clock."""
    daily_limit: int | None = None
    blocked_countries: tuple[str, ...] = ()
    """ISO codes of the countries whose locations the endpoint refuses."""
    allow_private_urls: bool = False
    """Whether URLs, such as those of a nightly sync, may lead to private addresses; in Test only."""

    @property
    def rehearses(self) -> bool:
        """Whether requests may be refused without regard to what they ask."""
        return self.rehearsed_error is not None or self.hourly_limit is not None or self.daily_limit is not None


DEFAULT_SETTINGS = ProjectSettings()


class SettingsChange(Struct, frozen=True, kw_only=True):
    """The settings to change; what is `UNSET` stays, and None resets to the default."""

    stop_detection: bool | Unset | None = UNSET
    buffer_entries: bool | Unset | None = UNSET
    buffer_exits: bool | Unset | None = UNSET
    operating_hours_restriction: bool | Unset | None = UNSET
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
    trip_approaching_threshold_s: float | Unset | None = UNSET
    trip_expiry_s: float | Unset | None = UNSET
    rehearsed_error: RehearsedError | Unset | None = UNSET
    hourly_limit: int | Unset | None = UNSET
    daily_limit: int | Unset | None = UNSET
    blocked_countries: tuple[str, ...] | Unset | None = UNSET
    allow_private_urls: bool | Unset | None = UNSET


NO_SETTINGS_CHANGE = SettingsChange()


def check_environment(environment: Environment, settings: ProjectSettings) -> ProjectSettings:
    """Return settings if an environment may have them; raises `InvalidParameter` naming the one it may not."""
    if environment.live and settings.allow_private_urls:
        raise InvalidParameter("allow_private_urls", "allow_private_urls: is available in Test only.")
    return settings


def check_dwell_threshold(seconds: float, param: str) -> float:
    """Return `seconds` if it is a dwell threshold: over 0, at most a year."""
    if not (isfinite(seconds) and 0 < seconds <= MAX_DWELL_S):
        raise InvalidParameter(param, f"{param}: must be minutes greater than 0, at most {MAX_DWELL_S / 60:g}.")
    return seconds


def check_approaching_threshold(seconds: float, param: str) -> float:
    """Return `seconds` if it is a threshold for approaching a destination: at least 0, at most a day."""
    if not 0 <= seconds <= MAX_THRESHOLD_S:
        raise InvalidParameter(param, f"{param}: must be minutes within [0, {MAX_THRESHOLD_S / 60:g}].")
    return seconds
