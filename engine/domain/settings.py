"""Settings of a project about tracking, for each environment."""

from dataclasses import fields, replace
from enum import Enum, StrEnum
from math import isfinite

from engine.domain.addresses.place import ChainSetting
from engine.domain.addresses.taxonomy import check_category
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, Unset
from engine.domain.ip import IpRanges
from engine.domain.metadata import MAX_GEOFENCE_KEYS, MetadataValue
from engine.domain.text import check_identifier, check_text
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel, TrackingOptions
from engine.domain.tracking.trips import MAX_THRESHOLD_S
from engine.domain.values.dataclass import dataclass

MAX_KEPT_UPDATES = 10_000_000
MAX_DWELL_S = 366 * 24 * 3600.0
MAX_TRIP_EXPIRY_S = 366 * 24 * 3600.0
MAX_SEGMENTS = 100
MAX_CONDITIONS = 20
MAX_LISTED_USERS = 10_000
MAX_CHAINS = 1_000
MAX_PLACE_FILTERS = 1_000
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


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on a user, such as ``metadata.plan`` equals ``gold``; `value` is None only with EXISTS."""

    field: str
    comparison: Comparison
    value: MetadataValue | None = None


@dataclass(frozen=True, slots=True)
class SegmentRule:
    """A segment: users who meet all conditions."""

    description: str
    external_id: str
    conditions: tuple[Condition, ...]


class RehearsedError(Enum):
    """An error that the endpoint answers to every request, for tests of how an app fares with it."""

    ORGANIZATION_DISABLED = "organizationDisabled"
    USAGE_EXCEEDED = "usageExceeded"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChange:
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


def changed_settings(settings: ProjectSettings, change: SettingsChange) -> ProjectSettings:
    """Return the settings after a change; raises `InvalidParameter` naming the setting."""
    given = {field.name: getattr(change, field.name) for field in fields(change)}
    chosen = {
        name: getattr(DEFAULT_SETTINGS, name) if value is None else value
        for name, value in given.items()
        if value is not UNSET
    }
    return _checked(replace(settings, **chosen))


def _checked(settings: ProjectSettings) -> ProjectSettings:
    if settings.default_dwell_threshold_s is not None:
        check_dwell_threshold(settings.default_dwell_threshold_s, "default_dwell_threshold_s")
    _within(settings.minimum_confidence, 1, 3, "minimum_confidence")
    _within(settings.kept_updates, 0, MAX_KEPT_UPDATES, "kept_updates")
    for value, param in (
        (settings.jumped_speed_mps, "jumped_speed_mps"),
        (settings.inaccurate_accuracy_m, "inaccurate_accuracy_m"),
        (settings.sharing_window_s, "sharing_window_s"),
    ):
        if not value > 0:
            raise InvalidParameter(param, f"{param}: must be greater than 0.")
        if not isfinite(value):
            raise InvalidParameter(param, f"{param}: is too large.")
    check_approaching_threshold(settings.trip_approaching_threshold_s, "trip_approaching_threshold_s")
    if not 60 <= settings.trip_expiry_s <= MAX_TRIP_EXPIRY_S:
        most = MAX_TRIP_EXPIRY_S / 60
        raise InvalidParameter("trip_expiry_s", f"trip_expiry_s: must be within [1, {most:g}] minutes.")
    if settings.trusted_proxy_header is not None:
        _check_header(settings.trusted_proxy_header)
    for users, param in ((settings.blocked, "blocked"), (settings.bypassed, "bypassed")):
        if len(users) > MAX_LISTED_USERS:
            raise InvalidParameter(param, f"{param}: at most {MAX_LISTED_USERS} IDs are allowed, not {len(users)}.")
        for user in users:
            check_identifier(user, param)
    _check_segments(settings.segments)
    _check_chains(settings)
    _check_rehearsal(settings)
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


def _within(value: int, low: int, high: int, param: str) -> None:
    if not low <= value <= high:
        raise InvalidParameter(param, f"{param}: must be within [{low}, {high}], not {value}.")


def _check_header(name: str) -> None:
    if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum() and len(name) <= 100):
        raise InvalidParameter("trusted_proxy_header", "trusted_proxy_header: must be a header's name.")


def _check_segments(segments: tuple[SegmentRule, ...]) -> None:
    if len(segments) > MAX_SEGMENTS:
        raise InvalidParameter("segments", f"segments: at most {MAX_SEGMENTS} are allowed, not {len(segments)}.")
    seen: set[str] = set()
    for segment in segments:
        check_identifier(segment.external_id, "segments")
        check_text(segment.description, "segments")
        if segment.external_id in seen:
            raise InvalidParameter("segments", f"segments: duplicate external ID {segment.external_id!r}.")
        seen.add(segment.external_id)
        if not 1 <= len(segment.conditions) <= MAX_CONDITIONS:
            raise InvalidParameter("segments", f"segments: each needs 1 to {MAX_CONDITIONS} conditions.")
        for condition in segment.conditions:
            _check_condition(condition)


def _check_condition(condition: Condition) -> None:
    name, _, key = condition.field.partition(".")
    if name not in SEGMENT_FIELDS or (name == "metadata") != bool(key):
        known = ", ".join(f"{field}.{{key}}" if field == "metadata" else field for field in SEGMENT_FIELDS)
        raise InvalidParameter("segments", f"segments: {condition.field[:60]!r} is not one of {known}.")
    if (condition.comparison is Comparison.EXISTS) != (condition.value is None):
        raise InvalidParameter(
            "segments", f"segments: {condition.field}: requires a value, except with exists, which takes none."
        )


def _check_chains(settings: ProjectSettings) -> None:
    """Raise unless every chain is there once, and no ID of the project's stands for two."""
    if len(settings.chains) > MAX_CHAINS:
        raise InvalidParameter("chains", f"chains: at most {MAX_CHAINS} are allowed, not {len(settings.chains)}.")
    seen: set[str] = set()
    for chain in settings.chains:
        _check_slug(chain.slug, "chains")
        if chain.external_id is not None:
            check_identifier(chain.external_id, "chains")
        if len(chain.metadata) > MAX_GEOFENCE_KEYS or "" in chain.metadata:
            raise InvalidParameter("chains", f"chains: metadata has at most {MAX_GEOFENCE_KEYS} keys, none empty.")
        for key in {chain.slug, chain.external_id or chain.slug}:
            if key in seen:
                raise InvalidParameter("chains", f"chains: {key!r} is used twice, as a slug or as an external ID.")
            seen.add(key)
    for names, param in ((settings.place_chains, "place_chains"), (settings.place_categories, "place_categories")):
        if len(names) > MAX_PLACE_FILTERS:
            raise InvalidParameter(param, f"{param}: at most {MAX_PLACE_FILTERS} are allowed, not {len(names)}.")
    for slug in settings.place_chains:
        _check_slug(slug, "place_chains")
    for category in settings.place_categories:
        check_category(category, "place_categories")


def _check_rehearsal(settings: ProjectSettings) -> None:
    for limit, param in ((settings.hourly_limit, "hourly_limit"), (settings.daily_limit, "daily_limit")):
        if limit is not None:
            _within(limit, 0, MAX_REQUESTS, param)
    for code in settings.blocked_countries:
        if not (len(code) == 2 and code.isascii() and code.isalpha() and code.isupper()):
            explanation = f"must be two-letter codes of countries such as CU, not {code[:60]!r}"
            raise InvalidParameter("blocked_countries", f"blocked_countries: {explanation}.")


def _check_slug(slug: str, param: str) -> None:
    check_identifier(slug, param)
    if slug != slug.casefold() or not slug.replace("-", "").isalnum():
        raise InvalidParameter(param, f"{param}: must be slugs of chains such as mcdonalds, not {slug[:60]!r}.")
