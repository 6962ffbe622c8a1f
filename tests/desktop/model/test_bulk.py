"""The edit of several geofences: their common values, and the change made from the edited fields."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.desktop.model.editing.bulk import (
    MIXED,
    all_circles,
    bulk_change,
    is_empty,
    keys_of,
    keys_text,
    shared,
    zone_of_all,
)
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, GeofenceChange, GeofenceRules
from engine.domain.geometry import Circle, Point, Polygon
from engine.domain.values import replace
from tests.desktop.model.values import START, fence


def test_a_field_is_shared_or_mixed() -> None:
    late = GeofenceRules(dwell_threshold_s=60.0, delete_after=START + timedelta(days=1))
    fences = [replace(fence(1), rules=late), replace(fence(2, enabled=False), rules=late)]
    assert shared(fences, "tag") == "store"
    assert shared(fences, "enabled") is MIXED
    assert shared(fences, "size") == 100.0
    assert shared(fences, "dwell_threshold_s") == 60.0
    assert shared(fences, "operating_hours") is None
    assert shared([*fences, fence(3)], "delete_after") is MIXED
    assert all_circles(fences)
    assert not all_circles([replace(fence(4), geometry=Polygon(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0))))])


def test_metadata_in_use_is_listed() -> None:
    fences = [
        fence(1, metadata={"city": "Ghent", "floor": 1, "open": True}),
        fence(2, metadata={"city": "Ghent", "floor": 1.0, "manager": "Anna"}),
    ]
    assert keys_text(fences) == "city: Ghent, floor: mixed, open: on 1 of 2, manager: on 1 of 2"
    assert keys_of(fences)[:2] == ("city", "floor")
    assert keys_text([fence(1)]) == ""


def test_only_edited_fields_are_changed() -> None:
    change = bulk_change({"tag": "depot", "dwell_threshold_s": None}, {"floor": 2}, ["city"])
    assert change == GeofenceChange(tag="depot", dwell_threshold_s=None, metadata_items={"floor": 2, "city": None})
    assert bulk_change({}, {}, []).metadata_items is UNSET
    assert is_empty(bulk_change({}, {}, []))
    assert not is_empty(GeofenceChange(enabled=False))
    with pytest.raises(InvalidParameter) as refused:
        bulk_change({}, {"floor": 2}, ["floor"])
    assert refused.value.param == "metadata"


def test_dates_are_in_the_zone_of_all_or_in_utc() -> None:
    here, there = fence(1), replace(fence(2), geometry=Circle(Point(-74.0, 40.7), 100.0))
    assert zone_of_all([here]).key == "Europe/Ljubljana"
    assert zone_of_all([here, there]).key == "UTC"
