"""Settings in requests and on the command line."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, PlainValidator
from pydantic.alias_generators import to_camel, to_snake

from app.api.wire.addresses.address import read_countries
from app.api.wire.common.decoding import infer, validate
from app.api.wire.common.encoding import wire_name
from app.api.wire.common.fields import (
    COMMA_TEXT,
    JSON_TEXT,
    GeofenceMetadata,
    Identifier,
    Identifiers,
    MetadataItem,
    Name,
    Ranges,
    Text,
    read_json_text,
    read_list,
)
from app.api.wire.common.requests import StrictModel
from app.api.wire.sdk import GivenOptions
from engine.domain.addresses.place import ChainSetting
from engine.domain.errors import InvalidParameter
from engine.domain.fields.rows import ValueKind
from engine.domain.fields.settings import SETTINGS
from engine.domain.hours import HoursRule
from engine.domain.ip import parse_ip_ranges
from engine.domain.metadata import NO_METADATA
from engine.domain.settings import (
    MAX_CHAINS,
    MAX_CONDITIONS,
    MAX_KEPT_UPDATES,
    MAX_REQUESTS,
    MAX_SEGMENTS,
    SEGMENT_FIELDS,
    Comparison,
    Condition,
    RehearsedError,
    SegmentRule,
    SettingsChange,
)
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel
from engine.domain.words import did_you_mean

type Positive = Annotated[float, Field(gt=0)]
type _Countries = Annotated[frozenset[str], PlainValidator(read_countries, json_schema_input_type=list[str] | str)]
type RequestLimit = Annotated[int, Field(ge=0, le=MAX_REQUESTS)]
type OperatingHoursRuleWord = Literal["platform", "calendar"]
type RehearsedErrorWord = Literal["organizationDisabled", "usageExceeded", "unavailable"]


def _nothing_when_empty(value: object) -> object:
    return None if value == "" else value


FIELD_PATTERN: Final = f"^({'|'.join(name for name in SEGMENT_FIELDS if name != 'metadata')}|metadata\\..+)$"
FIELD_TEXT: Final = (
    "userId, deviceId, description, deviceType (iOS, Android, Web), deviceOS, deviceMake, deviceModel, foreground and "
    "stopped (booleans), geofenceTag (the tags of the geofences the user is in; one must match), or metadata.{key}."
)
COMPARISON_TEXT: Final = (
    "equals: same type and value. notEquals: another value, or none. exists: any value. contains: a string with the "
    "value in it. greaterThan, lessThan: both are numbers."
)


class ConditionBody(StrictModel):
    """One condition on a user, such as `metadata.plan` equals `gold`; only `exists` has no value."""

    field: Annotated[Text, Field(json_schema_extra={"pattern": FIELD_PATTERN})] = Field(description=FIELD_TEXT)
    comparison: Literal["equals", "notEquals", "exists", "contains", "greaterThan", "lessThan"] = Field(
        description=COMPARISON_TEXT
    )
    value: MetadataItem | None = Field(None, description="Required, except with exists, which takes none.")


class SegmentBody(StrictModel):
    """A segment: users who meet all conditions."""

    description: Name
    external_id: Identifier
    conditions: Annotated[list[ConditionBody], Field(max_length=MAX_CONDITIONS, fail_fast=True)] = Field(
        description=f"1 to {MAX_CONDITIONS}; all must hold."
    )


class ChainBody(StrictModel):
    """Settings of a chain: a custom ID, which searches also accept, metadata, and the domain of its website."""

    slug: Identifier
    external_id: Identifier | None = None
    metadata: GeofenceMetadata | None = None
    domain: Identifier | None = None


type FeatureWord = Literal[
    "startTrackingOnInitialize",
    "trackOnceOnAppOpen",
    "useSyncRegion",
    "syncAfterSetUser",
    "offlineEventGenerationEnabled",
    "useOfflineRTOUpdates",
    "usePersistence",
    "useLogPersistence",
    "extendFlushReplays",
    "useRadarModifiedBeacon",
    "useLocationMetadata",
    "useOpenedAppConversion",
    "useForegroundLocationUpdatedAtMsDiff",
    "startUpdatesWhileInUse",
]
type _Segments = Annotated[list[SegmentBody], Field(max_length=MAX_SEGMENTS, fail_fast=True)]
type _Chains = Annotated[list[ChainBody], Field(max_length=MAX_CHAINS, fail_fast=True)]


class SettingsBody(StrictModel):
    """The settings to change: present ones change, absent ones stay, and null resets to the default."""

    stop_detection: bool | None = Field(
        None, description="Generates entries only if the device is stopped or the app in the foreground."
    )
    buffer_entries: bool | None = Field(
        None,
        description=(
            "Generates entries within the accuracy of the boundary. Without bufferExits, a device just outside "
            "enters and exits repeatedly."
        ),
    )
    buffer_exits: bool | None = Field(None, description="Generates exits only beyond the accuracy of the boundary.")
    operating_hours_restriction: bool | None = Field(None, description="Generates no events outside operating hours.")
    operating_hours_rule: OperatingHoursRuleWord | None = Field(
        None,
        description=(
            "How hours decide. platform, as on the hosted platform: a day that is not listed is open, and spans hold "
            "strictly between opening and closing, never past midnight. calendar: such a day is closed, and spans hold "
            "from the opening minute, also past midnight."
        ),
    )
    dwell_event: bool | None = Field(None, description="Whether user.dwelled_in_geofence is generated.")
    default_dwell_threshold: Positive | None = Field(
        None, description="Minutes; for geofences without their own threshold."
    )
    minimum_confidence: Annotated[int, Field(ge=1, le=3)] | None = Field(
        None,
        description=(
            "Entries and exits with a lower confidence are withheld. 2 does not prevent exits on coarse fixes; "
            "bufferExits does."
        ),
    )
    regions: bool | None = None
    places: bool | None = None
    fraud: bool | None = Field(None, description="Whether locations are checked for fraud.")
    rate_limit: bool | None = Field(None, description="Whether a device may send only one update per second.")
    endpoint_rate_limits: bool | None = Field(
        None, description="Whether the documented limits of requests per second apply."
    )
    kept_updates: Annotated[int, Field(ge=0, le=MAX_KEPT_UPDATES)] | None = Field(
        None, description="Number of location updates kept for explanations."
    )
    trusted_proxy_header: Annotated[Text | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="The header in which a proxy in front of the endpoint passes the client's address."
    )
    jumped_speed: Positive | None = Field(None, description="Metres per second; a higher speed is a jump.")
    inaccurate_accuracy: Positive | None = Field(None, description="Metres; an accuracy above this fails the check.")
    sharing_window: Positive | None = Field(
        None, description="Minutes; two users on one device within this time are sharing it."
    )
    proxy_addresses: Annotated[Ranges | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="IP addresses of proxies, such as 10.0.0.7, 10.0.*.* or 10.0.0.0/16."
    )
    blocked: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="User IDs and device IDs that always fail the fraud check."
    )
    bypassed: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="User IDs and device IDs that always pass the fraud check."
    )
    segments: Annotated[_Segments, BeforeValidator(read_json_text), JSON_TEXT] | None = Field(
        None, description=f"Groups of users by conditions, at most {MAX_SEGMENTS}."
    )
    chains: Annotated[_Chains, BeforeValidator(read_json_text), JSON_TEXT] | None = Field(
        None, description="Custom IDs and metadata of chains."
    )
    place_chains: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="Slugs of chains; only their places and those of placeCategories generate events."
    )
    place_categories: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="Categories of any level; only their places and those of placeChains generate events."
    )
    sdk_log_level: Literal["none", "error", "warning", "info", "debug"] | None = Field(
        None, description="Log level of the SDKs in apps."
    )
    sdk_features: Annotated[list[FeatureWord], BeforeValidator(read_list), COMMA_TEXT] | None = Field(
        None, description="Features of the SDKs in apps."
    )
    tracking_options: GivenOptions = Field(
        None,
        description=(
            "How apps track in the background: continuous, responsive or efficient, or an object with a preset and "
            "changes to it."
        ),
    )
    on_trip_tracking_options: GivenOptions = Field(
        None, description="The same while the user is on a trip; otherwise trackingOptions apply."
    )
    in_geofence_tracking_options: GivenOptions = Field(
        None,
        description="The same while the user is in a geofence with one of inGeofenceTrackingTags, also on a trip.",
    )
    in_geofence_tracking_tags: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="Tags of geofences; without any, inGeofenceTrackingOptions never apply."
    )
    trip_approaching_threshold: Annotated[float, Field(ge=0)] | None = Field(
        None, description="Minutes; a trip with this ETA or less is approaching."
    )
    trip_expiry: Positive | None = Field(
        None, description="Minutes without location updates after which a trip expires."
    )
    rehearsed_error: Annotated[RehearsedErrorWord | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="Returns this error (402 or 503) for every request, except those for settings and the clock."
    )
    hourly_limit: RequestLimit | None = Field(None, description="Requests per hour; further ones get 429.")
    daily_limit: RequestLimit | None = Field(None, description="Requests per day; further ones get 429.")
    blocked_countries: Annotated[_Countries | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="Two-letter codes, comma-separated; requests with a location in one of them get 451."
    )
    allow_private_urls: bool | None = Field(
        None, description="Whether URLs, such as those of a nightly sync, may lead to private addresses; in Test only."
    )


NAMES: Final = tuple(to_camel(name) for name in SettingsBody.model_fields)
"""The wire names of the settings."""

_ALL_LISTED: Final = "; fencewright settings lists all of them."

_WORDS: Final = (ValueKind.TEXT, ValueKind.RANGES, ValueKind.IDS, ValueKind.OTHER)
_AS_TEXT: Final = frozenset(wire_name(row.name) for row in SETTINGS if row.kind in _WORDS)
"""Settings whose kinds parse text themselves."""


def parse_setting(name: str, text: str) -> object:
    """Return the value of text such as in ``--set name=text``; empty text is null.

    Raises `InvalidParameter` naming a setting that does not exist. The value itself is validated by
    `decode_settings_change`.
    """
    if name not in NAMES:
        raise InvalidParameter(name, f"{name}: unknown setting{did_you_mean(name, NAMES, _ALL_LISTED)}")
    if not text.strip():
        return None
    text = text.strip()
    if name in _AS_TEXT:
        return text
    # Users at a terminal may write True or TRUE.
    return text.lower() == "true" if text.lower() in ("true", "false") else infer(text)


def decode_settings_change(mapping: Mapping[str, object]) -> SettingsChange:
    """Return the change that a JSON object requests; raises `InvalidParameter` naming the invalid setting."""
    return settings_change(validate(SettingsBody, dict(mapping), strict=True))


def settings_change(body: SettingsBody) -> SettingsChange:
    """Return the engine's change for a request body."""
    changed: dict[str, Any] = {}
    for name in body.model_fields_set & _CONVERTED.keys():
        value = getattr(body, name)
        attribute, convert = _CONVERTED[name]
        changed[attribute] = value if value is None or convert is None else convert(value)
    return SettingsChange(**changed)


def identifiers(values: list[str]) -> tuple[str, ...]:
    """Return IDs without surrounding spaces and duplicates."""
    return tuple(dict.fromkeys(value.strip() for value in values))


def _segments(bodies: list[SegmentBody]) -> tuple[SegmentRule, ...]:
    return tuple(
        SegmentRule(body.description, body.external_id, tuple(map(_condition, body.conditions))) for body in bodies
    )


def _chains(bodies: list[ChainBody]) -> tuple[ChainSetting, ...]:
    return tuple(
        ChainSetting(
            body.slug,
            body.external_id,
            MappingProxyType(body.metadata) if body.metadata else NO_METADATA,
            None if body.domain is None else body.domain.lower(),
        )
        for body in bodies
    )


def _condition(body: ConditionBody) -> Condition:
    return Condition(body.field, Comparison(body.comparison), body.value)


type _Convert = Callable[[Any], Any]

_OF_KIND: Final[Mapping[ValueKind, _Convert]] = {
    ValueKind.SECONDS: lambda minutes: minutes * 60,
    ValueKind.IDS: identifiers,
}
_OTHERWISE: Final[Mapping[str, _Convert]] = {
    "proxy_addresses": lambda values: parse_ip_ranges(values, "proxyAddresses"),
    "segments": _segments,
    "chains": _chains,
    "operating_hours_rule": HoursRule,
    "rehearsed_error": RehearsedError,
    "blocked_countries": lambda codes: tuple(sorted(codes)),
    "sdk_log_level": SdkLogLevel,
    "sdk_features": lambda words: tuple(map(SdkFeature, dict.fromkeys(words))),
}
_CONVERTED: Final = {
    to_snake(wire_name(row.name)): (row.name, _OTHERWISE.get(row.name) or _OF_KIND.get(row.kind)) for row in SETTINGS
}
"""The engine's names of settings, and the converters of their values, by their names in a body."""
