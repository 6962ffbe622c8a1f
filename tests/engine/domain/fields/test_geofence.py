"""The rows of geofences, compared with the fields of the record classes."""

from msgspec.structs import fields

from engine.domain.fields.geofence import GEOFENCE, RULES, part_of
from engine.domain.geofence import DEFAULT_RULES, GeofenceChange, GeofenceRules
from tests.fields import geofences
from tests.fields.examples import example
from tests.fields.places import names_of

_NOT_STORED = {"address", "place_id", "metadata_items"}
"""Fields that are looked up, and another way to set the metadata."""


def test_there_is_a_row_for_every_field_that_a_change_sets() -> None:
    names = [row.name for row in GEOFENCE]
    assert len(names) == len(set(names))
    assert {*names} == names_of(GeofenceChange) - _NOT_STORED


def test_the_rules_are_in_the_order_of_their_record() -> None:
    assert [row.name for row in RULES] == [each.name for each in fields(GeofenceRules)]


def test_an_unset_rule_is_the_default() -> None:
    assert {row.name: row.unset for row in RULES} == {row.name: getattr(DEFAULT_RULES, row.name) for row in RULES}


def test_a_row_finds_the_value_in_a_record() -> None:
    circle, polygon, isochrone = geofences.samples()
    for row in RULES:
        assert row.value(circle) == example(GeofenceRules, row.name).value
    assert [part_of(each, "size") for each in (circle, polygon, isochrone)] == [123.0, None, 11.0]
    assert [part_of(each, "mode") for each in (circle, polygon, isochrone)] == [None, None, "bike"]
