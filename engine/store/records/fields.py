"""Rules of geofences and settings as JSON text for columns, based on the definitions of their fields."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import orjson

from engine.domain.addresses.place import ChainSetting
from engine.domain.fields.geofence import RULES
from engine.domain.fields.rows import ValueKind
from engine.domain.fields.settings import SETTINGS
from engine.domain.geofence import DEFAULT_RULES, GeofenceRules
from engine.domain.hours import HoursRule, parse_hours, spell_hours
from engine.domain.ip import IpRanges
from engine.domain.metadata import NO_METADATA
from engine.domain.settings import (
    EARLIER_SETTINGS,
    Comparison,
    Condition,
    ProjectSettings,
    RehearsedError,
    SegmentRule,
)
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel, TrackingOptions, TrackingPreset
from engine.domain.values import replace
from engine.store.records.cells import from_ms, to_ms
from engine.store.records.contents import Content, text_of

type _Convert = Callable[[Any], Any]

_WRITERS: Final[Mapping[ValueKind, _Convert]] = {
    ValueKind.HOURS: spell_hours,
    ValueKind.MOMENT: to_ms,
    ValueKind.IDS: list,
    ValueKind.RANGES: lambda ranges: list(ranges.items),
}
_READERS: Final[Mapping[ValueKind, _Convert]] = {
    ValueKind.HOURS: parse_hours,
    ValueKind.MOMENT: from_ms,
    ValueKind.IDS: tuple,
    ValueKind.RANGES: lambda items: IpRanges(tuple(items)) if items else None,
}
"""Conversions of values from JSON by kind; all other values are used unchanged."""

_WRITTEN_RULES: Final = tuple((row.key, row.name, _WRITERS.get(row.kind), row.unset) for row in RULES)
_READ_RULES: Final = {row.key: (row.name, _READERS.get(row.kind)) for row in RULES}


def rules_text(rules: GeofenceRules) -> str | None:
    """Return the rules of a geofence as JSON text, or None if it has none."""
    if rules == DEFAULT_RULES:
        return None
    content = {}
    for key, name, write, unset in _WRITTEN_RULES:
        value = getattr(rules, name)
        if value != unset:
            content[key] = value if write is None else write(value)
    return text_of(content)


def rules_of(text: str | None) -> GeofenceRules:
    """Return the rules in a JSON text. Unknown rules are ignored."""
    if text is None:
        return DEFAULT_RULES
    given = {}
    for key, value in orjson.loads(text).items():
        if (known := _READ_RULES.get(key)) is not None:
            name, read = known
            given[name] = value if read is None else read(value)
    return GeofenceRules(**given)


def _segments_content(segments: Iterable[SegmentRule]) -> list[Content]:
    return [
        {
            "description": rule.description,
            "external_id": rule.external_id,
            "conditions": [(each.field, each.comparison, each.value) for each in rule.conditions],
        }
        for rule in segments
    ]


def _segments_of(content: Iterable[Content]) -> tuple[SegmentRule, ...]:
    return tuple(
        SegmentRule(
            rule["description"],
            rule["external_id"],
            tuple(Condition(field, Comparison(comparison), value) for field, comparison, value in rule["conditions"]),
        )
        for rule in content
    )


def _chains_of(content: Iterable[Sequence[Any]]) -> tuple[ChainSetting, ...]:
    # Earlier versions stored no domain.
    return tuple(
        ChainSetting(slug, external_id, MappingProxyType(metadata) if metadata else NO_METADATA, *domain)
        for slug, external_id, metadata, *domain in content
    )


def _chain_content(chain: ChainSetting) -> list[Any]:
    content = [chain.slug, chain.external_id, dict(chain.metadata)]
    return content if chain.domain is None else [*content, chain.domain]


def _options_of(content: Sequence[Any]) -> TrackingOptions:
    preset, changes = content
    return TrackingOptions(TrackingPreset(preset), MappingProxyType(changes))


def _options_content(options: TrackingOptions) -> list[Any]:
    return [options.preset, dict(options.changes)]


_TRACKING_OPTIONS: Final = ("tracking_options", "on_trip_tracking_options", "in_geofence_tracking_options")
_SETTING_WRITERS: Final[Mapping[str, _Convert]] = {
    "segments": _segments_content,
    **dict.fromkeys(_TRACKING_OPTIONS, _options_content),
    "chains": lambda chains: list(map(_chain_content, chains)),
}
_SETTING_READERS: Final[Mapping[str, _Convert]] = {
    "segments": _segments_of,
    "chains": _chains_of,
    "operating_hours_rule": HoursRule,
    "rehearsed_error": RehearsedError,
    "sdk_features": lambda words: tuple(map(SdkFeature, words)),
    "sdk_log_level": SdkLogLevel,
    **dict.fromkeys(_TRACKING_OPTIONS, _options_of),
}
_BY_NAME: Final = {row.name: row for row in SETTINGS}
_WRITTEN_SETTINGS: Final = tuple(
    (name, _SETTING_WRITERS.get(name) or _WRITERS.get(_BY_NAME[name].kind))
    for name in ProjectSettings.__struct_fields__
)
_READ_SETTINGS: Final = tuple(
    (row.name, read) for row in SETTINGS if (read := _SETTING_READERS.get(row.name) or _READERS.get(row.kind))
)


def settings_text(settings: ProjectSettings) -> str:
    """Return settings as JSON text."""
    content = {}
    for name, write in _WRITTEN_SETTINGS:
        value = getattr(settings, name)
        content[name] = value if write is None or value is None else write(value)
    return orjson.dumps(content).decode()


def settings_of(text: str) -> ProjectSettings:
    """Return the settings in a JSON text. Missing settings have the defaults of their time."""
    content = orjson.loads(text)
    known = {name: content[name] for name in _BY_NAME if name in content}
    for name, read in _READ_SETTINGS:
        if (value := known.get(name)) is not None:
            known[name] = read(value)
    return replace(EARLIER_SETTINGS, **known)
