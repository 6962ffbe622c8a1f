"""The settings of an environment, one row for each, and the effect of a change on them."""

import re
from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Any, Final

from engine.domain.addresses.place import ChainSetting
from engine.domain.addresses.taxonomy import check_category
from engine.domain.errors import InvalidParameter
from engine.domain.fields.rows import Field, ValueKind, field
from engine.domain.geofence import UNSET
from engine.domain.metadata import MAX_GEOFENCE_KEYS
from engine.domain.settings import (
    DEFAULT_SETTINGS,
    MAX_CHAINS,
    MAX_CONDITIONS,
    MAX_KEPT_UPDATES,
    MAX_REQUESTS,
    MAX_SEGMENTS,
    SEGMENT_FIELDS,
    Comparison,
    Condition,
    ProjectSettings,
    SegmentRule,
    SettingsChange,
    check_approaching_threshold,
    check_dwell_threshold,
)
from engine.domain.text import check_identifier, check_text
from engine.domain.values import replace
from engine.domain.words import closest

MAX_TRIP_EXPIRY_S: Final = 366 * 24 * 3600.0
MAX_LISTED_USERS: Final = 10_000
MAX_PLACE_FILTERS: Final = 1_000
MAX_TRACKING_TAGS: Final = 100

_DOMAIN: Final = re.compile(r"([\w-]{1,63}\.)+[\w-]{2,63}")
_LONGEST_DOMAIN: Final = 253

type _Check = Callable[[Any, str], object]


def _within(low: int, high: int) -> _Check:
    def check(value: int, param: str) -> None:
        if not low <= value <= high:
            raise InvalidParameter(param, f"{param}: must be within [{low}, {high}], not {value}.")

    return check


def _check_positive(value: float, param: str) -> None:
    if not value > 0:
        raise InvalidParameter(param, f"{param}: must be greater than 0.")
    if not isfinite(value):
        raise InvalidParameter(param, f"{param}: is too large.")


def _check_expiry(seconds: float, param: str) -> None:
    if not 60 <= seconds <= MAX_TRIP_EXPIRY_S:
        most = MAX_TRIP_EXPIRY_S / 60
        raise InvalidParameter(param, f"{param}: must be within [1, {most:g}] minutes.")


def _check_header(name: str, param: str) -> None:
    if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum() and len(name) <= 100):
        raise InvalidParameter(param, f"{param}: must be a header's name.")


def _check_users(users: tuple[str, ...], param: str) -> None:
    if len(users) > MAX_LISTED_USERS:
        raise InvalidParameter(param, f"{param}: at most {MAX_LISTED_USERS} IDs are allowed, not {len(users)}.")
    for user in users:
        check_identifier(user, param)


def _check_segments(segments: tuple[SegmentRule, ...], _param: str) -> None:
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
        if (suggested := closest(name, SEGMENT_FIELDS)) is not None:
            suggested = f"{suggested}.{key or '{key}'}" if suggested == "metadata" else suggested
            raise InvalidParameter(
                "segments", f"segments: unknown field {condition.field!r}; did you mean {suggested}?"
            )
        known = ", ".join(f"{field}.{{key}}" if field == "metadata" else field for field in SEGMENT_FIELDS)
        raise InvalidParameter("segments", f"segments: {condition.field[:60]!r} is not one of {known}.")
    if (condition.comparison is Comparison.EXISTS) != (condition.value is None):
        raise InvalidParameter(
            "segments", f"segments: {condition.field}: requires a value, except with exists, which takes none."
        )


def _check_chains(chains: tuple[ChainSetting, ...], _param: str) -> None:
    """Raise `InvalidParameter` if chains are invalid or too many, or share a slug or an external ID."""
    if len(chains) > MAX_CHAINS:
        raise InvalidParameter("chains", f"chains: at most {MAX_CHAINS} are allowed, not {len(chains)}.")
    seen: set[str] = set()
    for chain in chains:
        _check_slug(chain.slug, "chains")
        if chain.external_id is not None:
            check_identifier(chain.external_id, "chains")
        if chain.domain is not None:
            _check_domain(chain.domain)
        if len(chain.metadata) > MAX_GEOFENCE_KEYS or "" in chain.metadata:
            raise InvalidParameter("chains", f"chains: metadata has at most {MAX_GEOFENCE_KEYS} keys, none empty.")
        for key in {chain.slug, chain.external_id or chain.slug}:
            if key in seen:
                raise InvalidParameter("chains", f"chains: {key!r} is used twice, as a slug or as an external ID.")
            seen.add(key)


def _check_domain(domain: str) -> None:
    if len(domain) > _LONGEST_DOMAIN or domain != domain.lower() or not _DOMAIN.fullmatch(domain):
        raise InvalidParameter("chains", f"chains: domain must be like example.com, not {domain[:60]!r}.")


def _check_filter(names: tuple[str, ...], param: str, check: _Check) -> None:
    if len(names) > MAX_PLACE_FILTERS:
        raise InvalidParameter(param, f"{param}: at most {MAX_PLACE_FILTERS} are allowed, not {len(names)}.")
    for name in names:
        check(name, param)


def _check_slug(slug: str, param: str) -> None:
    check_identifier(slug, param)
    if slug != slug.casefold() or not slug.replace("-", "").isalnum():
        raise InvalidParameter(param, f"{param}: must be slugs of chains such as mcdonalds, not {slug[:60]!r}.")


def _check_tags(tags: tuple[str, ...], param: str) -> None:
    if len(tags) > MAX_TRACKING_TAGS:
        raise InvalidParameter(param, f"{param}: at most {MAX_TRACKING_TAGS} are allowed, not {len(tags)}.")
    for tag in tags:
        check_identifier(tag, param)


def _check_countries(codes: tuple[str, ...], param: str) -> None:
    for code in codes:
        if not (len(code) == 2 and code.isascii() and code.isalpha() and code.isupper()):
            explanation = f"must be two-letter codes of countries such as CU, not {code[:60]!r}"
            raise InvalidParameter(param, f"{param}: {explanation}.")


def _setting(name: str, kind: ValueKind, check: _Check | None = None) -> Field[ProjectSettings]:
    return field(name, kind, unset=getattr(DEFAULT_SETTINGS, name), check=check)


SETTINGS: Final = (
    _setting("stop_detection", ValueKind.FLAG),
    _setting("buffer_entries", ValueKind.FLAG),
    _setting("buffer_exits", ValueKind.FLAG),
    _setting("operating_hours_restriction", ValueKind.FLAG),
    _setting("operating_hours_rule", ValueKind.OTHER),
    _setting("dwell_event", ValueKind.FLAG),
    _setting("default_dwell_threshold_s", ValueKind.SECONDS, check_dwell_threshold),
    _setting("minimum_confidence", ValueKind.NUMBER, _within(1, 3)),
    _setting("regions", ValueKind.FLAG),
    _setting("places", ValueKind.FLAG),
    _setting("fraud", ValueKind.FLAG),
    _setting("rate_limit", ValueKind.FLAG),
    _setting("endpoint_rate_limits", ValueKind.FLAG),
    _setting("kept_updates", ValueKind.NUMBER, _within(0, MAX_KEPT_UPDATES)),
    _setting("jumped_speed_mps", ValueKind.NUMBER, _check_positive),
    _setting("inaccurate_accuracy_m", ValueKind.NUMBER, _check_positive),
    _setting("sharing_window_s", ValueKind.SECONDS, _check_positive),
    _setting("trip_approaching_threshold_s", ValueKind.SECONDS, check_approaching_threshold),
    _setting("trip_expiry_s", ValueKind.SECONDS, _check_expiry),
    _setting("trusted_proxy_header", ValueKind.TEXT, _check_header),
    _setting("proxy_addresses", ValueKind.RANGES),
    _setting("blocked", ValueKind.IDS, _check_users),
    _setting("bypassed", ValueKind.IDS, _check_users),
    _setting("segments", ValueKind.OTHER, _check_segments),
    _setting("chains", ValueKind.OTHER, _check_chains),
    _setting("place_chains", ValueKind.IDS, partial(_check_filter, check=_check_slug)),
    _setting("place_categories", ValueKind.IDS, partial(_check_filter, check=check_category)),
    _setting("sdk_log_level", ValueKind.OTHER),
    _setting("sdk_features", ValueKind.OTHER),
    _setting("tracking_options", ValueKind.OTHER),
    _setting("on_trip_tracking_options", ValueKind.OTHER),
    _setting("in_geofence_tracking_options", ValueKind.OTHER),
    _setting("in_geofence_tracking_tags", ValueKind.IDS, _check_tags),
    _setting("rehearsed_error", ValueKind.OTHER),
    _setting("hourly_limit", ValueKind.NUMBER, _within(0, MAX_REQUESTS)),
    _setting("daily_limit", ValueKind.NUMBER, _within(0, MAX_REQUESTS)),
    _setting("blocked_countries", ValueKind.IDS, _check_countries),
    _setting("allow_private_urls", ValueKind.FLAG),
)
"""All settings, in the order of their validation."""


def settings_with(settings: ProjectSettings, change: SettingsChange) -> ProjectSettings:
    """Return the settings after a change, without validation."""
    return replace(
        settings,
        **{
            row.name: row.unset if value is None else value
            for row in SETTINGS
            if (value := getattr(change, row.name)) is not UNSET
        },
    )


def changed_settings(settings: ProjectSettings, change: SettingsChange) -> ProjectSettings:
    """Return the settings after a change. Raises `InvalidParameter` naming the setting if a value is invalid."""
    changed = settings_with(settings, change)
    for row in SETTINGS:
        value = row.value(changed)
        if row.check is not None and value is not None:
            row.check(value, row.name)
    return changed
