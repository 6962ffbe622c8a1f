"""How the settings of a project are spelled: in bodies and answers, and by the command line.

Durations are minutes here and seconds in the engine; distances are metres, speeds metres a second.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from app.api.decoding import infer, validate
from app.api.encoding import Encoded, set_minutes
from app.api.fields import (
    JSON_TEXT,
    GeofenceMetadata,
    Identifier,
    Identifiers,
    MetadataItem,
    Name,
    Ranges,
    Text,
    read_json_text,
)
from app.api.requests import RequestModel
from engine.domain.errors import InvalidParameter
from engine.domain.ip import parse_ip_ranges
from engine.domain.metadata import NO_METADATA
from engine.domain.place import ChainSetting
from engine.domain.settings import MAX_KEPT_UPDATES, Comparison, Condition, ProjectSettings, SegmentRule, SettingsChange

type Positive = Annotated[float, Field(gt=0)]


def _nothing_when_empty(value: object) -> object:
    return None if value == "" else value


class _Strictly(RequestModel):
    """Base of what allows no other keys: a misspelled setting must not pass for a change."""

    model_config = ConfigDict(extra="forbid")


class ConditionBody(_Strictly):
    """One condition on a user, such as `metadata.plan` equals `gold`; only `exists` has no value."""

    field: Text
    comparison: Literal["equals", "notEquals", "exists", "contains", "greaterThan", "lessThan"]
    value: MetadataItem | None = None


class SegmentBody(_Strictly):
    """Users for whom all conditions hold belong to the segment."""

    description: Name
    external_id: Identifier
    conditions: list[ConditionBody]


class ChainBody(_Strictly):
    """What the project sets for a chain: its own ID, which searches take as well, and metadata."""

    slug: Identifier
    external_id: Identifier | None = None
    metadata: GeofenceMetadata | None = None


class SettingsBody(_Strictly):
    """The settings to change: present ones change, absent ones stay, and null takes the default again."""

    stop_detection: bool | None = Field(None, description="Entries only of who is stopped or in the foreground.")
    buffer_entries: bool | None = Field(None, description="Entries already within the accuracy of the boundary.")
    buffer_exits: bool | None = Field(None, description="Exits only beyond the accuracy of the boundary.")
    operating_hours_restriction: bool | None = Field(None, description="No events outside operating hours.")
    dwell_event: bool | None = Field(None, description="Whether user.dwelled_in_geofence is generated.")
    default_dwell_threshold: Positive | None = Field(None, description="Minutes, for geofences without their own.")
    minimum_confidence: Annotated[int, Field(ge=1, le=3)] | None = Field(None, description="Below it, no event.")
    regions: bool | None = None
    places: bool | None = None
    fraud: bool | None = Field(None, description="Whether locations are checked for fraud.")
    rate_limit: bool | None = Field(None, description="Whether a device may track only once a second.")
    endpoint_rate_limits: bool | None = Field(
        None, description="Whether each operation takes only so many requests a second, as the document says of it."
    )
    kept_updates: Annotated[int, Field(ge=0, le=MAX_KEPT_UPDATES)] | None = Field(
        None, description="How many location updates are kept for explanations."
    )
    trusted_proxy_header: Annotated[Text | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="The header in which a proxy in front of the endpoint tells the client's address."
    )
    jumped_speed: Positive | None = Field(None, description="Metres a second; faster than this is a jump.")
    inaccurate_accuracy: Positive | None = Field(None, description="Metres; an accuracy above this is suspicious.")
    sharing_window: Positive | None = Field(
        None, description="Minutes; two users on one device within this time share it."
    )
    proxy_addresses: Annotated[Ranges | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="Addresses of proxies: single, with wildcards, or as networks."
    )
    blocked: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="User IDs and device IDs that never pass the fraud check."
    )
    bypassed: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="User IDs and device IDs that always pass the fraud check."
    )
    segments: Annotated[list[SegmentBody], BeforeValidator(read_json_text), JSON_TEXT] | None = None
    chains: Annotated[list[ChainBody], BeforeValidator(read_json_text), JSON_TEXT] | None = Field(
        None, description="The project's own IDs and metadata of chains."
    )
    place_chains: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="Slugs of chains; only their places, and those of placeCategories, make events."
    )
    place_categories: Annotated[Identifiers | None, BeforeValidator(_nothing_when_empty)] = Field(
        None, description="Categories of any level; only their places, and those of placeChains, make events."
    )


NAMES: Final = tuple(to_camel(name) for name in SettingsBody.model_fields)
"""The settings, as they are spelled."""

_AS_TEXT: Final = (
    *("trustedProxyHeader", "proxyAddresses", "blocked", "bypassed", "segments"),
    *("chains", "placeChains", "placeCategories"),
)
"""Settings whose kinds read text themselves."""


def parse_setting(name: str, text: str) -> object:
    """Return the value that text, such as that of ``--set name=text``, stands for; empty text is null.

    Raises `InvalidParameter` naming a setting that does not exist; whether the value fits, `decode_settings_change`
    finds out.
    """
    if name not in NAMES:
        raise InvalidParameter(name, f"{name}: there is no such setting; there are {', '.join(NAMES)}.")
    if not text.strip():
        return None
    text = text.strip()
    if name in _AS_TEXT:
        return text
    # People at a terminal write True and TRUE.
    return text.lower() == "true" if text.lower() in ("true", "false") else infer(text)


def decode_settings_change(mapping: Mapping[str, object]) -> SettingsChange:
    """Return the change that a JSON object asks for; raises `InvalidParameter` naming the setting at fault."""
    return settings_change(validate(SettingsBody, dict(mapping), strict=True))


def settings_change(body: SettingsBody) -> SettingsChange:
    """Return the engine's value for a body."""
    changed: dict[str, Any] = {}
    for name in body.model_fields_set:
        value = getattr(body, name)
        attribute, convert = _CONVERTED.get(name, (name, _as_it_is))
        changed[attribute] = None if value is None else convert(value)
    return SettingsChange(**changed)


def encode_settings(settings: ProjectSettings) -> Encoded:
    """Return settings; what is unset is left out."""
    encoded: Encoded = {
        "stopDetection": settings.stop_detection,
        "bufferEntries": settings.buffer_entries,
        "bufferExits": settings.buffer_exits,
        "operatingHoursRestriction": settings.operating_hours_restriction,
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
    }
    if settings.default_dwell_threshold_s is not None:
        encoded["defaultDwellThreshold"] = set_minutes(settings.default_dwell_threshold_s)
    if settings.trusted_proxy_header is not None:
        encoded["trustedProxyHeader"] = settings.trusted_proxy_header
    if settings.proxy_addresses is not None:
        encoded["proxyAddresses"] = str(settings.proxy_addresses)
    return encoded


def _encode_segment(segment: SegmentRule) -> Encoded:
    return {
        "description": segment.description,
        "externalId": segment.external_id,
        "conditions": [_encode_condition(condition) for condition in segment.conditions],
    }


def _encode_chain(chain: ChainSetting) -> Encoded:
    encoded: Encoded = {"slug": chain.slug}
    if chain.external_id is not None:
        encoded["externalId"] = chain.external_id
    if chain.metadata:
        encoded["metadata"] = dict(chain.metadata)
    return encoded


def _encode_condition(condition: Condition) -> Encoded:
    value = {} if condition.value is None else {"value": condition.value}
    return {"field": condition.field, "comparison": condition.comparison.value} | value


def _as_it_is(value: Any) -> Any:
    return value


def _seconds(value: float) -> float:
    return value * 60


def _identifiers(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value.strip() for value in values))


def _segments(bodies: list[SegmentBody]) -> tuple[SegmentRule, ...]:
    return tuple(
        SegmentRule(body.description, body.external_id, tuple(map(_condition, body.conditions))) for body in bodies
    )


def _chains(bodies: list[ChainBody]) -> tuple[ChainSetting, ...]:
    return tuple(
        ChainSetting(body.slug, body.external_id, MappingProxyType(body.metadata) if body.metadata else NO_METADATA)
        for body in bodies
    )


def _condition(body: ConditionBody) -> Condition:
    return Condition(body.field, Comparison(body.comparison), body.value)


_CONVERTED: Final[Mapping[str, tuple[str, Callable[[Any], Any]]]] = {
    "default_dwell_threshold": ("default_dwell_threshold_s", _seconds),
    "jumped_speed": ("jumped_speed_mps", _as_it_is),
    "inaccurate_accuracy": ("inaccurate_accuracy_m", _as_it_is),
    "sharing_window": ("sharing_window_s", _seconds),
    "proxy_addresses": ("proxy_addresses", lambda values: parse_ip_ranges(values, "proxyAddresses")),
    "blocked": ("blocked", _identifiers),
    "bypassed": ("bypassed", _identifiers),
    "segments": ("segments", _segments),
    "chains": ("chains", _chains),
    "place_chains": ("place_chains", _identifiers),
    "place_categories": ("place_categories", _identifiers),
}
"""Settings that the engine names or measures otherwise."""
