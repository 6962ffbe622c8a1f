"""Records stored by earlier versions are read, and are written byte for byte as before."""

import orjson
import pytest
from msgspec.structs import fields

from engine.domain.geofence import DEFAULT_RULES, GeofenceRules
from engine.domain.settings import DEFAULT_SETTINGS, EARLIER_SETTINGS, ProjectSettings
from engine.domain.values import replace
from engine.store.records.fields import rules_of, rules_text, settings_of, settings_text
from tests.fields.examples import whole

RULES = (
    '{"hours":{"Tue":[["08:30","17:15"]]},"stop_detection":true,"disable_after":3987126308901,'
    '"delete_after":3987126368901,"user_ids":["ada","bob"],"ip":["10.1.0.0/16"],"dwell_threshold_s":420.0,'
    '"trip_approaching_threshold_s":540.0}'
)
SETTINGS = (
    '{"stop_detection":true,"buffer_entries":true,"buffer_exits":true,"operating_hours_restriction":true,'
    '"operating_hours_rule":"calendar",'
    '"dwell_event":true,"default_dwell_threshold_s":660.0,"minimum_confidence":2,"regions":true,"places":true,'
    '"fraud":true,"rate_limit":false,"endpoint_rate_limits":true,"kept_updates":1234,'
    '"trusted_proxy_header":"X-Real-IP","jumped_speed_mps":111.0,"inaccurate_accuracy_m":222.0,'
    '"sharing_window_s":780.0,"proxy_addresses":["10.2.0.0/16"],"blocked":["eve"],"bypassed":["dan"],'
    '"segments":[{"description":"Gold users","external_id":"gold",'
    '"conditions":[["metadata.plan","equals","gold"]]}],"chains":[["denner","D-1",{"tier":2},"denner.ch"]],'
    '"place_chains":["migros"],"place_categories":["hotel-lodging"],"sdk_log_level":"debug",'
    '"sdk_features":["usePersistence"],"tracking_options":["efficient",{"sync":"events"}],'
    '"on_trip_tracking_options":["efficient",{"sync":"events"}],'
    '"in_geofence_tracking_options":["efficient",{"sync":"events"}],"in_geofence_tracking_tags":["kiosk"],'
    '"trip_approaching_threshold_s":840.0,"trip_expiry_s":900.0,"rehearsed_error":"unavailable",'
    '"hourly_limit":1600,"daily_limit":17000,"blocked_countries":["CU"],"allow_private_urls":true}'
)


def test_rules_are_stored_as_ever() -> None:
    assert rules_text(whole(GeofenceRules)) == RULES
    assert rules_of(RULES) == whole(GeofenceRules)


@pytest.mark.parametrize("name", [field.name for field in fields(GeofenceRules)])
def test_a_rule_is_stored_alone(name: str) -> None:
    rules = replace(DEFAULT_RULES, **{name: getattr(whole(GeofenceRules), name)})
    text = rules_text(rules)
    assert text is not None
    assert text[1:-1] in RULES
    assert rules_of(text) == rules


def test_default_rules_are_not_stored() -> None:
    assert rules_text(DEFAULT_RULES) is None
    assert rules_of(None) is DEFAULT_RULES
    assert rules_text(replace(DEFAULT_RULES, stop_detection=False)) == '{"stop_detection":false}'


def test_a_rule_of_a_later_version_is_left_out() -> None:
    assert rules_of('{"color":"red","dwell_threshold_s":60.0}') == replace(DEFAULT_RULES, dwell_threshold_s=60.0)


def test_settings_are_stored_as_ever() -> None:
    assert settings_text(whole(ProjectSettings)) == SETTINGS
    assert settings_of(SETTINGS) == whole(ProjectSettings)


@pytest.mark.parametrize("name", [field.name for field in fields(ProjectSettings)])
def test_a_setting_of_which_an_earlier_version_did_not_know_has_its_default(name: str) -> None:
    stored = orjson.loads(SETTINGS)
    del stored[name]
    default = getattr(EARLIER_SETTINGS, name)
    assert settings_of(orjson.dumps(stored).decode()) == replace(whole(ProjectSettings), **{name: default})


def test_unset_settings_are_read_back() -> None:
    assert settings_of(settings_text(DEFAULT_SETTINGS)) == DEFAULT_SETTINGS


def test_a_setting_of_a_later_version_is_left_out() -> None:
    assert settings_of('{"color":"red","fraud":true}') == replace(EARLIER_SETTINGS, fraud=True)
