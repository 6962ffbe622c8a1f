"""Settings in responses."""

from typing import Annotated, NotRequired

from pydantic import Field

from app.api.wire.common.answers import Meta, Metadata, Record, one_of
from app.api.wire.common.encoding import set_minutes
from app.api.wire.common.fields import (
    MetadataItem,
)
from app.api.wire.sdk import GivenOptionsRecord, encode_given
from app.api.wire.settings.request import (
    COMPARISON_TEXT,
    FIELD_PATTERN,
    FIELD_TEXT,
    OperatingHoursRuleWord,
    RehearsedErrorWord,
)
from engine.domain.addresses.place import ChainSetting
from engine.domain.settings import (
    Comparison,
    Condition,
    ProjectSettings,
    SegmentRule,
)
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel


class ConditionAnswer(Record):
    """One condition on a user."""

    field: Annotated[str, Field(pattern=FIELD_PATTERN, description=FIELD_TEXT)]
    comparison: Annotated[Comparison, Field(description=COMPARISON_TEXT)]
    value: NotRequired[MetadataItem]


class SegmentRuleAnswer(Record):
    """A segment: users who meet all conditions."""

    description: str
    externalId: str
    conditions: list[ConditionAnswer]


class ChainSettingAnswer(Record):
    """Settings of a chain."""

    slug: Annotated[str, Field(min_length=1)]
    externalId: NotRequired[Annotated[str, Field(min_length=1)]]
    metadata: NotRequired[Metadata]
    domain: NotRequired[Annotated[str, Field(min_length=1)]]


class SettingsRecord(Record):
    """The settings of an environment; unset ones are left out."""

    stopDetection: bool
    bufferEntries: bool
    bufferExits: bool
    operatingHoursRestriction: bool
    operatingHoursRule: OperatingHoursRuleWord
    dwellEvent: bool
    defaultDwellThreshold: NotRequired[Annotated[float, Field(gt=0, description="Minutes.")]]
    minimumConfidence: Annotated[int, Field(ge=1, le=3)]
    regions: bool
    places: bool
    fraud: bool
    rateLimit: bool
    endpointRateLimits: bool
    keptUpdates: Annotated[int, Field(ge=0)]
    trustedProxyHeader: NotRequired[Annotated[str, Field(min_length=1)]]
    jumpedSpeed: Annotated[float, Field(gt=0, description="Metres per second.")]
    inaccurateAccuracy: Annotated[float, Field(gt=0, description="Metres.")]
    sharingWindow: Annotated[float, Field(gt=0, description="Minutes.")]
    proxyAddresses: NotRequired[Annotated[str, Field(min_length=1, description="Comma-separated.")]]
    blocked: list[str]
    bypassed: list[str]
    segments: list[SegmentRuleAnswer]
    chains: list[ChainSettingAnswer]
    placeChains: Annotated[list[str], Field(description="Slugs.")]
    placeCategories: list[str]
    sdkLogLevel: NotRequired[Annotated[str, one_of(*SdkLogLevel)]]
    sdkFeatures: list[Annotated[str, one_of(*SdkFeature)]]
    trackingOptions: NotRequired[GivenOptionsRecord]
    onTripTrackingOptions: NotRequired[GivenOptionsRecord]
    inGeofenceTrackingOptions: NotRequired[GivenOptionsRecord]
    inGeofenceTrackingTags: list[str]
    tripApproachingThreshold: Annotated[float, Field(ge=0, description="Minutes.")]
    tripExpiry: Annotated[float, Field(gt=0, description="Minutes.")]
    rehearsedError: NotRequired[RehearsedErrorWord]
    hourlyLimit: NotRequired[Annotated[int, Field(ge=0)]]
    dailyLimit: NotRequired[Annotated[int, Field(ge=0)]]
    blockedCountries: Annotated[list[str], Field(description="Two-letter codes.")]
    allowPrivateUrls: bool


class SettingsAnswer(SettingsRecord):
    """The settings of an environment, at the top level and again in `settings`."""

    meta: Meta
    settings: SettingsRecord


def encode_settings(settings: ProjectSettings) -> SettingsRecord:
    """Return settings; unset ones are left out."""
    encoded: SettingsRecord = {
        "stopDetection": settings.stop_detection,
        "bufferEntries": settings.buffer_entries,
        "bufferExits": settings.buffer_exits,
        "operatingHoursRestriction": settings.operating_hours_restriction,
        "operatingHoursRule": settings.operating_hours_rule.value,
        "dwellEvent": settings.dwell_event,
        "minimumConfidence": settings.minimum_confidence,
        "regions": settings.regions,
        "places": settings.places,
        "fraud": settings.fraud,
        "rateLimit": settings.rate_limit,
        "endpointRateLimits": settings.endpoint_rate_limits,
        "keptUpdates": settings.kept_updates,
        "jumpedSpeed": settings.jumped_speed_mps,
        "inaccurateAccuracy": settings.inaccurate_accuracy_m,
        "sharingWindow": set_minutes(settings.sharing_window_s),
        "blocked": list(settings.blocked),
        "bypassed": list(settings.bypassed),
        "segments": [_encode_segment(segment) for segment in settings.segments],
        "chains": [_encode_chain(chain) for chain in settings.chains],
        "placeChains": list(settings.place_chains),
        "placeCategories": list(settings.place_categories),
        "sdkFeatures": [feature.value for feature in settings.sdk_features],
        "inGeofenceTrackingTags": list(settings.in_geofence_tracking_tags),
        "tripApproachingThreshold": set_minutes(settings.trip_approaching_threshold_s),
        "tripExpiry": set_minutes(settings.trip_expiry_s),
        "blockedCountries": list(settings.blocked_countries),
        "allowPrivateUrls": settings.allow_private_urls,
    }
    if settings.default_dwell_threshold_s is not None:
        encoded["defaultDwellThreshold"] = set_minutes(settings.default_dwell_threshold_s)
    if settings.sdk_log_level is not None:
        encoded["sdkLogLevel"] = settings.sdk_log_level.value
    if settings.tracking_options is not None:
        encoded["trackingOptions"] = encode_given(settings.tracking_options)
    if settings.on_trip_tracking_options is not None:
        encoded["onTripTrackingOptions"] = encode_given(settings.on_trip_tracking_options)
    if settings.in_geofence_tracking_options is not None:
        encoded["inGeofenceTrackingOptions"] = encode_given(settings.in_geofence_tracking_options)
    if settings.trusted_proxy_header is not None:
        encoded["trustedProxyHeader"] = settings.trusted_proxy_header
    if settings.proxy_addresses is not None:
        encoded["proxyAddresses"] = str(settings.proxy_addresses)
    if settings.rehearsed_error is not None:
        encoded["rehearsedError"] = settings.rehearsed_error.value
    if settings.hourly_limit is not None:
        encoded["hourlyLimit"] = settings.hourly_limit
    if settings.daily_limit is not None:
        encoded["dailyLimit"] = settings.daily_limit
    return encoded


def _encode_segment(segment: SegmentRule) -> SegmentRuleAnswer:
    return {
        "description": segment.description,
        "externalId": segment.external_id,
        "conditions": [_encode_condition(condition) for condition in segment.conditions],
    }


def _encode_chain(chain: ChainSetting) -> ChainSettingAnswer:
    encoded: ChainSettingAnswer = {"slug": chain.slug}
    if chain.external_id is not None:
        encoded["externalId"] = chain.external_id
    if chain.metadata:
        encoded["metadata"] = dict(chain.metadata)
    if chain.domain is not None:
        encoded["domain"] = chain.domain
    return encoded


def _encode_condition(condition: Condition) -> ConditionAnswer:
    encoded: ConditionAnswer = {"field": condition.field, "comparison": condition.comparison}
    if condition.value is not None:
        encoded["value"] = condition.value
    return encoded
