"""Operations on shapes anywhere on the earth either yield storable shapes or are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from math import cos, pi, sin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.desktop.model.shaping.operations import (
    SEVERAL,
    Holes,
    Kind,
    Parts,
    Result,
    Trial,
    beside,
    change_to,
    copies_of,
    tried,
)
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, Point, Polygon, check_radius
from engine.domain.travel import TravelMode
from engine.geo.rings import check_ring
from engine.geo.shaping.measuring import area_m2
from engine.geo.shaping.placing import Cell, Side
from engine.geo.shaping.resizing import Fit

NOW = datetime(2026, 11, 23, tzinfo=UTC)
LATITUDES = st.one_of(st.floats(-90, 90), st.sampled_from([90.0, -90.0, 89.9999, 0.0]))
LONGITUDES = st.one_of(st.floats(-180, 180), st.sampled_from([180.0, -180.0, 179.9999, 0.0]))
SIZES = st.one_of(st.floats(1e-6, 1e-3), st.floats(1e-3, 1), st.floats(1, 170))


@st.composite
def geometries(draw: st.DrawFn) -> Geometry:
    """A circle, a polygon or an isochrone: tiny or huge, at a pole or across the antimeridian."""
    center = Point(draw(LONGITUDES), draw(LATITUDES))
    if draw(st.booleans()):
        return Circle(center, draw(st.floats(10, 10_000)))
    size, corners = draw(SIZES), draw(st.integers(3, 9))
    shares = draw(st.lists(st.floats(0.3, 1), min_size=corners, max_size=corners))
    ring = [
        (
            (center.longitude + share * size * cos(2 * pi * step / corners) + 540) % 360 - 180,
            max(-90.0, min(90.0, center.latitude + share * size * sin(2 * pi * step / corners) / 2)),
        )
        for step, share in enumerate(shares)
    ]
    try:
        polygon = check_ring([*ring, ring[0]])
    except InvalidParameter:
        return Circle(center, 100.0)
    return (
        Isochrone(polygon.ring, center=center, minutes=10.0, mode=TravelMode.CAR)
        if draw(st.integers(0, 4)) == 0
        else polygon
    )


def fence(number: int, geometry: Geometry, rules: GeofenceRules | None = None) -> Geofence:
    summary = GeofenceSummary(f"f{number}", "zone", str(number), f"Zone {number}", {"floor": number})
    return Geofence(f"f{number}", Environment.TEST, summary, geometry, True, NOW, NOW, rules or GeofenceRules())


def check(result: Result) -> None:
    """Check that the engine accepts the resulting shapes."""
    for geometry in (*result.shapes.values(), *result.created):
        if isinstance(geometry, Circle):
            check_radius(geometry.radius_m)
        elif geometry is not None:
            assert check_ring(geometry.ring) == Polygon(geometry.ring)
            assert len(geometry.ring) <= 2_000
    for outline in result.outlines:
        assert len(outline.ring) >= 4
    assert result.note


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    st.sampled_from(Kind),
    st.lists(geometries(), min_size=1, max_size=4),
    st.one_of(st.floats(-60_000, 60_000), st.floats(1, 2_000)),
    st.sampled_from([*Fit, *Side, *Cell]),
    st.lists(st.tuples(LONGITUDES, LATITUDES), min_size=2, max_size=5),
    st.sampled_from(Parts),
    st.sampled_from(Holes),
)
def test_any_operation_comes_to_something_or_is_refused(
    kind: Kind,
    shapes: list[Geometry],
    amount: float,
    choice: Fit | Side | Cell,
    line: list[tuple[float, float]],
    parts: Parts,
    holes: Holes,
) -> None:
    fences = tuple(fence(number, shape) for number, shape in enumerate(shapes))
    if kind not in SEVERAL:
        fences = fences[:1]
    try:
        result = tried(Trial(kind, fences, amount, choice, tuple(line), parts, holes))
    except InvalidParameter:
        return
    check(result)


@pytest.mark.parametrize("kind", [Kind.UNION, Kind.SUBTRACT, Kind.INTERSECT])
def test_the_first_survives(kind: Kind) -> None:
    one, other = fence(1, Circle(Point(14.5, 46), 100)), fence(2, Circle(Point(14.501, 46), 100))
    result = tried(Trial(kind, (one, other)))
    assert result.shapes[one.id] is not None
    assert (other.id in result.shapes) is (kind is not Kind.SUBTRACT)
    assert result.shapes.get(other.id) is None


def test_parts_are_one_or_several() -> None:
    one, other = fence(1, Circle(Point(14.5, 46), 100)), fence(2, Circle(Point(14.6, 46), 200))
    largest = tried(Trial(Kind.UNION, (one, other)))
    assert (largest.parts, largest.created) == (2, ())
    assert "The largest part is 80% of the area." in largest.note
    several = tried(Trial(Kind.UNION, (one, other), parts=Parts.SEVERAL))
    assert len(several.created) == 1
    shape = several.shapes[one.id]
    assert shape is not None
    assert area_m2(shape) > area_m2(several.created[0])


def test_too_many_vertices_are_refused_before_anything_is_stored() -> None:
    def comb(sign: int) -> Polygon:
        teeth = [(step / 1_000, sign * (1.0 if step % 2 else 0.5)) for step in range(1_500)]
        return check_ring([*teeth, (1.499, -0.1 * sign), (0.0, -0.1 * sign), teeth[0]])

    with pytest.raises(InvalidParameter, match="at most 1,999 vertices are allowed"):
        tried(Trial(Kind.UNION, (fence(1, comb(1)), fence(2, comb(-1)))))


@given(geometries())
def test_copies_have_the_rules_and_free_ids(geometry: Geometry) -> None:
    original = fence(1, geometry, GeofenceRules(stop_detection=True, user_ids=("a",)))
    copies = copies_of(original, (beside(geometry), geometry), {"1", "1-2", "1-4"})
    assert [copy.external_id for copy in copies] == ["1-3", "1-5"]
    for copy in copies:
        assert (copy.stop_detection, copy.user_ids, copy.metadata) == (True, ("a",), {"floor": 1})
        assert copy.type == geometry.type
        assert change_to(geometry).coordinates is not UNSET
