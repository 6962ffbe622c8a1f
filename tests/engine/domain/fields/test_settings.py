"""The settings of a project: allowed values, changes and their effects, and refusals."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from engine.domain.addresses.place import ChainSetting
from engine.domain.errors import InvalidParameter
from engine.domain.fields.settings import changed_settings
from engine.domain.hours import HoursRule
from engine.domain.ip import IpRanges
from engine.domain.settings import (
    DEFAULT_SETTINGS,
    MAX_CONDITIONS,
    MAX_DWELL_S,
    MAX_KEPT_UPDATES,
    MAX_REQUESTS,
    MAX_SEGMENTS,
    NO_SETTINGS_CHANGE,
    SEGMENT_FIELDS,
    Comparison,
    Condition,
    ProjectSettings,
    RehearsedError,
    SegmentRule,
    SettingsChange,
)
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel, TrackingOptions, TrackingPreset
from engine.domain.values import replace

GOLD = SegmentRule("Gold", "gold", (Condition("metadata.plan", Comparison.EQUALS, "gold"),))

values: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(
        (
            *("stop_detection", "buffer_entries", "buffer_exits", "operating_hours_restriction", "dwell_event"),
            *("regions", "places", "fraud", "rate_limit", "endpoint_rate_limits"),
        ),
        st.booleans(),
    ),
    "operating_hours_rule": st.sampled_from(HoursRule),
    "default_dwell_threshold_s": st.floats(1e-3, MAX_DWELL_S),
    "minimum_confidence": st.integers(1, 3),
    "kept_updates": st.integers(0, MAX_KEPT_UPDATES),
    "trusted_proxy_header": st.sampled_from(["X-Forwarded-For", "CF-Connecting-IP", "x_real_ip"]),
    "jumped_speed_mps": st.floats(1e-3, 1e6),
    "inaccurate_accuracy_m": st.floats(1e-3, 1e6),
    "sharing_window_s": st.floats(1e-3, 1e6),
    "proxy_addresses": st.just(IpRanges(("10.0.0.0/8",))),
    "blocked": st.just(("anna", "phone")),
    "bypassed": st.just(("bert",)),
    "segments": st.just((GOLD,)),
    "chains": st.just((ChainSetting("mcdonalds", "M-1", {"tier": 2}), ChainSetting("denner"))),
    "place_chains": st.just(("mcdonalds", "7-eleven")),
    "place_categories": st.just(("food-beverage", "hotel")),
    "rehearsed_error": st.sampled_from(RehearsedError),
    "hourly_limit": st.integers(0, MAX_REQUESTS),
    "daily_limit": st.integers(0, MAX_REQUESTS),
    "blocked_countries": st.just(("CU", "KP")),
    "allow_private_urls": st.booleans(),
    "trip_approaching_threshold_s": st.floats(1, 3_600),
    "trip_expiry_s": st.floats(60, 86_400),
    "sdk_log_level": st.sampled_from(SdkLogLevel),
    "sdk_features": st.just((SdkFeature.SYNC_REGION, SdkFeature.PERSISTENCE)),
    **dict.fromkeys(
        ("tracking_options", "on_trip_tracking_options", "in_geofence_tracking_options"),
        st.just(TrackingOptions(TrackingPreset.EFFICIENT, {"sync": "events"})),
    ),
    "in_geofence_tracking_tags": st.just(("store", "depot")),
}
changes = st.fixed_dictionaries({}, optional={name: value | st.none() for name, value in values.items()})


def test_every_setting_can_be_changed() -> None:
    names = {field.name for field in fields(ProjectSettings)}
    assert names == {field.name for field in fields(SettingsChange)} == values.keys()


def test_the_defaults() -> None:
    off = ("stop_detection", "buffer_entries", "buffer_exits", "operating_hours_restriction", "dwell_event", "fraud")
    assert not any(getattr(DEFAULT_SETTINGS, name) for name in off)
    assert (DEFAULT_SETTINGS.regions, DEFAULT_SETTINGS.places) == (False, False)
    assert (DEFAULT_SETTINGS.minimum_confidence, DEFAULT_SETTINGS.rate_limit) == (1, True)
    assert DEFAULT_SETTINGS.default_dwell_threshold_s is None
    assert DEFAULT_SETTINGS.trusted_proxy_header is None
    assert changed_settings(DEFAULT_SETTINGS, NO_SETTINGS_CHANGE) == DEFAULT_SETTINGS


@given(changes, changes)
def test_a_change_sets_only_the_named_fields(first: dict[str, Any], second: dict[str, Any]) -> None:
    expected = {field.name: getattr(DEFAULT_SETTINGS, field.name) for field in fields(ProjectSettings)}
    settings = DEFAULT_SETTINGS
    for given_values in (first, second):
        settings = changed_settings(settings, SettingsChange(**given_values))
        for name, value in given_values.items():
            expected[name] = getattr(DEFAULT_SETTINGS, name) if value is None else value
    assert settings == ProjectSettings(**expected)


def segment(**changed: Any) -> tuple[SegmentRule, ...]:
    return (replace(GOLD, **changed),)


def condition(field: str, comparison: Comparison, value: str | None = "x") -> tuple[SegmentRule, ...]:
    return segment(conditions=(Condition(field, comparison, value),))


@pytest.mark.parametrize(
    ("name", "value", "param"),
    [
        ("default_dwell_threshold_s", 0.0, "default_dwell_threshold_s"),
        ("default_dwell_threshold_s", -60.0, "default_dwell_threshold_s"),
        ("default_dwell_threshold_s", float("nan"), "default_dwell_threshold_s"),
        ("default_dwell_threshold_s", MAX_DWELL_S * 1.01, "default_dwell_threshold_s"),
        ("minimum_confidence", 0, "minimum_confidence"),
        ("minimum_confidence", 4, "minimum_confidence"),
        ("kept_updates", -1, "kept_updates"),
        ("kept_updates", MAX_KEPT_UPDATES + 1, "kept_updates"),
        ("jumped_speed_mps", 0.0, "jumped_speed_mps"),
        ("jumped_speed_mps", float("inf"), "jumped_speed_mps"),
        ("inaccurate_accuracy_m", 0.0, "inaccurate_accuracy_m"),
        ("inaccurate_accuracy_m", float("nan"), "inaccurate_accuracy_m"),
        ("sharing_window_s", -1.0, "sharing_window_s"),
        ("sharing_window_s", float("inf"), "sharing_window_s"),
        ("trusted_proxy_header", "", "trusted_proxy_header"),
        ("trusted_proxy_header", "X Forwarded", "trusted_proxy_header"),
        ("trusted_proxy_header", "X-Forwarded-For:", "trusted_proxy_header"),
        ("trusted_proxy_header", "Ü", "trusted_proxy_header"),
        ("trusted_proxy_header", "x" * 101, "trusted_proxy_header"),
        ("blocked", ("",), "blocked"),
        ("chains", (ChainSetting("denner"), ChainSetting("denner", "D")), "chains"),
        ("chains", (ChainSetting("denner", "1"), ChainSetting("spar", "1")), "chains"),
        ("chains", (ChainSetting("denner"), ChainSetting("spar", "denner")), "chains"),
        ("chains", (ChainSetting("McDonald's"),), "chains"),
        ("chains", (ChainSetting(""),), "chains"),
        ("chains", (ChainSetting("denner", ""),), "chains"),
        ("chains", (ChainSetting("denner", "1", {"": 1}),), "chains"),
        ("chains", (ChainSetting("denner", "1", dict.fromkeys(map(str, range(17)), 1)),), "chains"),
        ("chains", tuple(ChainSetting(f"c{number}") for number in range(1_001)), "chains"),
        ("place_chains", ("Denner",), "place_chains"),
        ("place_categories", ("restaurants",), "place_categories"),
        ("place_categories", tuple(["hotel"] * 1_001), "place_categories"),
        ("in_geofence_tracking_tags", ("",), "in_geofence_tracking_tags"),
        ("in_geofence_tracking_tags", tuple(map(str, range(101))), "in_geofence_tracking_tags"),
        ("hourly_limit", -1, "hourly_limit"),
        ("daily_limit", MAX_REQUESTS + 1, "daily_limit"),
        ("blocked_countries", ("CUB",), "blocked_countries"),
        ("blocked_countries", ("cu",), "blocked_countries"),
        ("blocked_countries", ("",), "blocked_countries"),
        ("blocked", tuple(map(str, range(10_001))), "blocked"),
        ("bypassed", ("x" * 257,), "bypassed"),
        ("segments", segment(external_id=" "), "segments"),
        ("segments", segment(description="x" * 2_001), "segments"),
        ("segments", segment(conditions=()), "segments"),
        ("segments", segment(conditions=GOLD.conditions * (MAX_CONDITIONS + 1)), "segments"),
        ("segments", (GOLD, replace(GOLD, description="Again")), "segments"),
        ("segments", tuple(replace(GOLD, external_id=str(n)) for n in range(MAX_SEGMENTS + 1)), "segments"),
        ("segments", condition("shoeSize", Comparison.EQUALS), "segments"),
        ("segments", condition("metadata", Comparison.EQUALS), "segments"),
        ("segments", condition("userId.x", Comparison.EQUALS), "segments"),
        ("segments", condition("userId", Comparison.EXISTS, "x"), "segments"),
        ("segments", condition("userId", Comparison.EQUALS, None), "segments"),
    ],
)
def test_an_invalid_value_is_refused_and_named(name: str, value: Any, param: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        changed_settings(DEFAULT_SETTINGS, SettingsChange(**{name: value}))
    assert refused.value.param == param
    assert refused.value.message.startswith(f"{param}: ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("default_dwell_threshold_s", MAX_DWELL_S),
        ("minimum_confidence", 3),
        ("kept_updates", 0),
        ("blocked", tuple(map(str, range(10_000)))),
        ("segments", segment(conditions=GOLD.conditions * MAX_CONDITIONS)),
        ("segments", tuple(replace(GOLD, external_id=str(n)) for n in range(MAX_SEGMENTS))),
    ],
)
def test_bounds_are_inside(name: str, value: Any) -> None:
    assert getattr(changed_settings(DEFAULT_SETTINGS, SettingsChange(**{name: value})), name) == value


@pytest.mark.parametrize("name", SEGMENT_FIELDS)
@pytest.mark.parametrize("comparison", Comparison)
def test_every_field_a_segment_may_look_at(name: str, comparison: Comparison) -> None:
    field = "metadata.plan" if name == "metadata" else name
    segments = condition(field, comparison, None if comparison is Comparison.EXISTS else "x")
    assert changed_settings(DEFAULT_SETTINGS, SettingsChange(segments=segments)).segments == segments
