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
from engine.geo.parts import check_polygon
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
    """A circle, a polygon or an isochrone: tiny or huge, at a pole or across the antimeridian, with holes and parts."""
    center = Point(draw(LONGITUDES), draw(LATITUDES))
    if draw(st.booleans()):
        return Circle(center, draw(st.floats(10, 10_000)))
    size, corners = draw(SIZES), draw(st.integers(3, 9))
    shares = draw(st.lists(st.floats(0.3, 1), min_size=corners, max_size=corners))
    hole, away = draw(st.sampled_from([0.0, 0.1])), draw(st.sampled_from([0.0, 0.0, 1.5, 2.5, 90.0]))

    def ring(scale: float, east: float) -> list[tuple[float, float]]:
        positions = [
            (
                (center.longitude + size * (east + scale * share * cos(2 * pi * step / corners)) + 540) % 360 - 180,
                max(-90.0, min(90.0, center.latitude + scale * share * size * sin(2 * pi * step / corners) / 2)),
            )
            for step, share in enumerate(shares)
        ]
        return [*positions, positions[0]]

    rings = [ring(1.0, 0.0), *([ring(hole, 0.0)] if hole else [])]
    try:
        polygon = check_polygon([rings, *([[ring(0.5, away)]] if away else [])])
    except InvalidParameter:
        return Circle(center, 100.0)
    return (
        Isochrone(polygon.ring, center=center, minutes=10.0, mode=TravelMode.CAR)
        if draw(st.integers(0, 4)) == 0
        else polygon
    )


def box(west: float, south: float, east: float, north: float) -> Polygon:
    return check_ring([(west, south), (east, south), (east, north), (west, north), (west, south)])


def fence(number: int, geometry: Geometry, rules: GeofenceRules | None = None) -> Geofence:
    summary = GeofenceSummary(f"f{number}", "zone", str(number), f"Zone {number}", {"floor": number})
    return Geofence(f"f{number}", Environment.TEST, summary, geometry, True, NOW, NOW, rules or GeofenceRules())


def check(result: Result) -> None:
    """Check that the engine accepts the resulting shapes."""
    for geometry in (*result.shapes.values(), *result.created):
        if isinstance(geometry, Circle):
            check_radius(geometry.radius_m)
        elif geometry is not None:
            assert check_polygon([[part.ring, *part.holes] for part in geometry.parts]).rings == geometry.rings
            assert geometry.position_count <= 2_000
    for outline in result.outlines:
        assert len(outline.ring) >= 4
    assert result.note or result.error


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    st.sampled_from(Kind),
    st.lists(geometries(), min_size=1, max_size=4),
    st.one_of(st.floats(-60_000, 60_000), st.floats(1, 2_000)),
    st.sampled_from([*Fit, *Side, *Cell, *Holes]),
    st.lists(st.tuples(LONGITUDES, LATITUDES), min_size=2, max_size=5),
    st.sampled_from(Parts),
)
def test_any_operation_comes_to_something_or_is_refused(
    kind: Kind,
    shapes: list[Geometry],
    amount: float,
    choice: Fit | Side | Cell | Holes,
    line: list[tuple[float, float]],
    parts: Parts,
) -> None:
    fences = tuple(fence(number, shape) for number, shape in enumerate(shapes))
    if kind not in SEVERAL:
        fences = fences[:1]
    try:
        result = tried(Trial(kind, fences, amount, choice, tuple(line), parts))
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


def test_parts_are_one_geofence_or_several() -> None:
    one, other = fence(1, Circle(Point(14.5, 46), 100)), fence(2, Circle(Point(14.6, 46), 200))
    both = tried(Trial(Kind.UNION, (one, other)))
    assert (both.parts, both.created) == (2, ())
    assert both.note.startswith("128 vertices, 2 parts, area 31416 m² → 156828 m² (+399.2%).")
    shape = both.shapes[one.id]
    assert isinstance(shape, Polygon)
    assert len(shape.parts) == 2
    assert area_m2(shape) == pytest.approx(area_m2(one.geometry) + area_m2(other.geometry), rel=0.002)
    several = tried(Trial(Kind.UNION, (one, other), parts=Parts.SEVERAL))
    first = several.shapes[one.id]
    assert len(several.created) == 1
    assert first is not None
    assert area_m2(first) > area_m2(several.created[0])
    assert area_m2(first) + area_m2(several.created[0]) == pytest.approx(area_m2(shape))
    largest = tried(Trial(Kind.UNION, (one, other), parts=Parts.LARGEST))
    assert (largest.shapes[one.id], largest.created) == (first, ())
    assert "Left out: 1 smaller part, 31365 m²." in largest.note


def test_an_inner_geofence_is_subtracted() -> None:
    """The hole was filled, so nothing was subtracted."""
    park, lake = fence(1, box(0, 0, 3, 3)), fence(2, box(1, 1, 2, 2))
    result = tried(Trial(Kind.SUBTRACT, (park, lake)))
    shape = result.shapes[park.id]
    assert isinstance(shape, Polygon)
    assert len(shape.holes) == 1
    assert area_m2(shape) == pytest.approx(area_m2(park.geometry) - area_m2(lake.geometry), rel=1e-6)
    assert result.done.startswith("8 vertices, 1 hole, area ")
    filled = tried(Trial(Kind.FILL_HOLES, (fence(1, shape),))).shapes[park.id]
    assert filled is not None
    assert area_m2(filled) == pytest.approx(area_m2(park.geometry), rel=1e-6)


def test_an_operation_without_a_change_says_so() -> None:
    park, town = fence(1, Circle(Point(14.5, 46), 1_000)), fence(2, box(20, 50, 21, 51))
    pond = fence(3, Circle(Point(14.5, 46), 100))
    for kind, fences, problem in (
        (Kind.SUBTRACT, (park, town), "nothing changes: the other geofences do not overlap it"),
        (Kind.FILL_HOLES, (park,), "the geofence has no holes"),
        (Kind.TO_PARTS, (town,), "the geofence has only one part"),
    ):
        with pytest.raises(InvalidParameter, match=problem):
            tried(Trial(kind, fences))
    assert tried(Trial(Kind.SIMPLIFY, (town,), 1.0)).nothing
    united = tried(Trial(Kind.UNION, (park, pond)))
    assert united.shapes == {pond.id: None}
    assert united.note == "The shape of Zone 1 does not change. Deleted: Zone 3."
    assert tried(Trial(Kind.INTERSECT, (pond, park))).shapes == {park.id: None}


def test_slivers_are_left_out_with_a_message() -> None:
    """The geofences touch, but between them is a gap of two metres by two centimetres."""
    gap = [(1, 0), (1, 0.5), (1 - 2e-7, 0.50001), (1, 0.50002), (1, 1)]
    west = check_ring([(0, 0), *gap, (0, 1), (0, 0)])
    result = tried(Trial(Kind.UNION, (fence(1, west), fence(2, box(1, 0, 2, 1)))))
    assert " Left out: 1 sliver of less than 0.1 m²." in result.done
    assert [len(each.rings) for each in all_shapes(result)] == [1]


def test_a_geofence_is_split_into_its_parts() -> None:
    frame = ((0, 0), (3, 0), (3, 3), (0, 3), (0, 0)), ((1, 1), (1, 2), (2, 2), (2, 1), (1, 1))
    both = fence(1, check_polygon([frame, [box(5, 5, 6, 6).ring]]))
    parts = tried(Trial(Kind.TO_PARTS, (both,), choice=Holes.KEEP))
    assert [len(each.rings) for each in all_shapes(parts)] == [2, 1]
    cut = tried(Trial(Kind.TO_PARTS, (both,), choice=Holes.CUT))
    assert [len(each.rings) for each in all_shapes(cut)] == [1, 1, 1]
    for result in (parts, cut):
        assert sum(map(area_m2, all_shapes(result))) == pytest.approx(area_m2(both.geometry), rel=1e-5)


def all_shapes(result: Result) -> list[Polygon]:
    return [each for each in (*result.shapes.values(), *result.created) if isinstance(each, Polygon)]


def test_a_cut_leaves_the_other_parts_with_the_first() -> None:
    islands = fence(1, check_polygon([[box(0, 0, 1, 1).ring], [box(2, 0, 3, 1).ring], [box(4, 0, 5, 1).ring]]))
    result = tried(Trial(Kind.SPLIT, (islands,), line=((2.25, 2), (2.25, -1))))
    assert result.note == "2 pieces, a geofence for each."
    first, new = all_shapes(result)
    assert len(first.parts) == 3
    assert sorted(new.ring)[0][0] == 2
    assert area_m2(new) == pytest.approx(area_m2(box(2, 0, 2.25, 1)), rel=1e-6)


def test_parts_that_cannot_be_one_geofence_can_be_several() -> None:
    houses = [fence(number, box(number, 0, number + 0.5, 1)) for number in range(101)]
    refused = tried(Trial(Kind.UNION, tuple(houses)))
    assert refused.nothing
    assert (refused.parts, refused.error) == (101, "Coordinates: a geofence may have at most 100 parts, not 101.")
    assert len(tried(Trial(Kind.UNION, tuple(houses), parts=Parts.SEVERAL)).created) == 100


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
