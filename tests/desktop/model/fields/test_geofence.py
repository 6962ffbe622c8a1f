"""Names in the window of all fields of geofences, and texts for unset values."""

from app.desktop.model.fields.geofence import BY_NAME, FIELDS, IN_BULK, OF_RULES
from engine.domain.fields.geofence import GEOFENCE, RULES

_CONFIRMED_AT_ONCE = {"type"}


def test_there_is_one_row_for_every_field_of_the_engine() -> None:
    assert len(BY_NAME) == len(FIELDS)
    assert {*BY_NAME} == {row.name for row in GEOFENCE} - _CONFIRMED_AT_ONCE


def test_a_rule_that_is_not_set_is_in_words() -> None:
    assert {field.name for field in OF_RULES} == {row.name for row in RULES}
    assert all(field.title and field.unset for field in OF_RULES)


def test_all_rules_are_edited_together() -> None:
    assert {*OF_RULES} <= {*IN_BULK}
