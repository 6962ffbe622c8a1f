"""What earlier versions have stored is read, and is written byte for byte as they did."""

from dataclasses import fields, replace

import pytest

from engine.domain.geofence import DEFAULT_RULES, GeofenceRules
from engine.store.records.contents import rules_of, rules_text
from tests.fields.examples import whole

RULES = (
    '{"hours":{"Tue":[["08:30","17:15"]]},"stop_detection":true,"disable_after":3987126308901,'
    '"delete_after":3987126368901,"user_ids":["ada","bob"],"ip":["10.1.0.0/16"],"dwell_threshold_s":420.0,'
    '"trip_approaching_threshold_s":540.0}'
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


def test_what_sets_nothing_is_not_stored() -> None:
    assert rules_text(DEFAULT_RULES) is None
    assert rules_of(None) is DEFAULT_RULES
    assert rules_text(replace(DEFAULT_RULES, stop_detection=False)) == '{"stop_detection":false}'


def test_a_rule_of_a_later_version_is_left_out() -> None:
    assert rules_of('{"color":"red","dwell_threshold_s":60.0}') == replace(DEFAULT_RULES, dwell_threshold_s=60.0)
