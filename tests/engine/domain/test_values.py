"""Values are immutable."""

from __future__ import annotations

import copy
import pickle
import pkgutil
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

import engine.domain
from engine.domain.geometry import Circle, Isochrone, Point, Polygon
from engine.domain.travel import TravelMode
from engine.domain.values import replace


def kinds_of_values() -> list[type[Struct]]:
    modules = [import_module(each.name) for each in pkgutil.walk_packages(engine.domain.__path__, "engine.domain.")]
    found = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    return sorted(
        (each for each in found if issubclass(each, Struct) and each is not Struct), key=lambda each: each.__name__
    )


@pytest.mark.parametrize("kind", kinds_of_values())
def test_a_value_of_the_domain_is_frozen_and_has_nothing_but_its_fields(kind: Any) -> None:
    assert kind.__struct_config__.frozen
    assert not kind.__struct_config__.dict


@given(st.floats(-180, 180), st.floats(-90, 90), st.floats(10, 10_000))
def test_a_changed_copy_leaves_the_value_as_it_is(longitude: float, latitude: float, radius_m: float) -> None:
    circle = Circle(Point(longitude, latitude), 100.0)
    changed = replace(circle, radius_m=radius_m)
    assert (changed.center, changed.radius_m, circle.radius_m) == (circle.center, radius_m, 100.0)
    assert changed == Circle(Point(longitude, latitude), radius_m)
    assert hash(changed) == hash(Circle(Point(longitude, latitude), radius_m))
    with pytest.raises(AttributeError):
        changed.radius_m = 5.0  # type: ignore[misc]


def test_a_field_that_a_value_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError):
        replace(Point(14.5, 46.05), altitude=3.0)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(14.5)  # type: ignore[call-arg]


def test_an_isochrone_is_not_the_polygon_of_its_ring() -> None:
    ring = ((14.0, 46.0), (14.1, 46.0), (14.1, 46.1), (14.0, 46.0))
    isochrone = Isochrone(ring, center=Point(14.05, 46.05), minutes=5.0, mode=TravelMode.CAR)
    assert isochrone != Polygon(ring)
    assert isochrone.ring == Polygon(ring).ring
    assert pickle.loads(pickle.dumps(isochrone)) == copy.deepcopy(isochrone) == isochrone
