"""Tests of combining, cutting, resizing, moving and measuring shapes, anywhere on the earth."""

from __future__ import annotations

from math import cos, hypot, pi, radians, sin

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS, Circle, Geometry, Point, Polygon, Position
from engine.geo.earth import destinations, metres_between
from engine.geo.rings import check_ring
from engine.geo.shapes import shape_of
from engine.geo.shaping.combining import intersected, split, subtracted, united
from engine.geo.shaping.measuring import area_m2, enclosed_m2, length_m, perimeter_m
from engine.geo.shaping.placing import MAX_CELLS, Cell, Side, aligned, grid_over, moved
from engine.geo.shaping.resizing import Fit, buffered, circle_of, polygon_of, simplified_by
from engine.geo.shaping.sheets import Area, sheet_of

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

LONGITUDES = st.one_of(st.floats(-180, 180), st.sampled_from([180.0, -180.0, 179.999, -179.999]))
LATITUDES = st.floats(-80, 80)


def star(center: Point, sizes_m: list[float]) -> Polygon:
    """Return a polygon with a vertex in each of several directions, at these distances."""
    azimuths = -np.linspace(0, 360, len(sizes_m), endpoint=False)
    longitudes, latitudes = destinations(center.longitude, center.latitude, azimuths, np.asarray(sizes_m))
    ring = [(round(lon, 7), round(lat, 7)) for lon, lat in zip(longitudes.tolist(), latitudes.tolist(), strict=True)]
    return check_ring([*ring, ring[0]])


@st.composite
def polygons(draw: st.DrawFn, near: Point | None = None) -> Polygon:
    center = near or Point(draw(LONGITUDES), draw(LATITUDES))
    return star(center, draw(st.lists(st.floats(30, 3_000), min_size=5, max_size=12)))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Geometry, Geometry]:
    """Return two overlapping geometries."""
    first = draw(polygons())
    middle = shape_of(first).center
    circle = Circle(middle, draw(st.floats(20, 4_000)))
    if draw(st.booleans()):
        return first, draw(polygons(near=middle))
    return (first, circle) if draw(st.booleans()) else (circle, first)


def total(area: Area) -> float:
    return sum(area_m2(each) for each in area.cut())


def box(west: float, south: float, east: float, north: float) -> Polygon:
    return check_ring([(west, south), (east, south), (east, north), (west, north), (west, south)])


def on_sheet(geometry: Geometry) -> float:
    """Return the area of a geometry when combined with others, where a circle is a polygon."""
    return area_m2(united([geometry]).filled()[0])


def common(pair: tuple[Geometry, Geometry]) -> float:
    """Return the area that both geometries share, which may be 0."""
    try:
        return total(intersected(pair))
    except InvalidParameter:
        return 0.0


@quick
@given(pairs())
def test_areas_add_up(pair: tuple[Geometry, Geometry]) -> None:
    one, other = pair
    both, either = common(pair), total(united(pair))
    slack = 1e-3 * either + 5
    assert either == pytest.approx(on_sheet(one) + on_sheet(other) - both, abs=slack)
    try:
        rest = total(subtracted(one, [other]))
    except InvalidParameter:
        rest = 0.0
    assert rest == pytest.approx(on_sheet(one) - both, abs=slack)


@quick
@given(pairs(), st.floats(0, 2 * pi), st.floats(0, 1))
def test_a_union_has_the_points_of_either(pair: tuple[Geometry, Geometry], angle: float, away: float) -> None:
    shapes = [shape_of(each) for each in pair]
    whole = [shape_of(each) for each in united(pair).cut()]
    center, reach = shapes[0].center, shapes[0].radius_m * 1.5
    lons, lats = destinations(center.longitude, center.latitude, np.degrees([angle]), away * reach)
    at = float(lons[0]), float(lats[0])
    if min(abs(each.distance_m(*at)) for each in shapes) > 0.02 * shapes[1].radius_m + 1:
        assert any(each.contains(*at) for each in whole) == any(each.contains(*at) for each in shapes)


@quick
@given(polygons(), st.floats(0, 180))
def test_a_split_keeps_all_of_it(polygon: Polygon, azimuth: float) -> None:
    middle = shape_of(polygon).center
    ends = [
        destinations(middle.longitude, middle.latitude, np.array([each]), 9_000.0) for each in (azimuth, azimuth + 180)
    ]
    line = [(float(lon[0]), float(lat[0])) for lon, lat in ends]
    parts = split(polygon, line)
    assert len(parts) >= 2
    assert sum(map(area_m2, parts)) == pytest.approx(area_m2(polygon), rel=1e-3, abs=5)


def test_a_line_that_ends_inside_cuts_nothing() -> None:
    with pytest.raises(InvalidParameter, match="from side to side"):
        split(box(0, 0, 1, 1), [(-1, 0.5), (0.5, 0.5)])


@pytest.mark.parametrize("longitude", [-179.995, -90.0, 0.0, 179.995, 180.0])
def test_a_gap_that_a_buffer_closes_leaves_a_hole_there(longitude: float) -> None:
    """The polygon is a frame, open to the east by 55 m."""
    frame = [(10, 0.25), (10, 10), (-10, 10), (-10, -10), (10, -10), (10, -0.25)]
    frame += [(5, -0.25), (5, -5), (-5, -5), (-5, 5), (5, 5), (5, 0.25), (10, 0.25)]
    ring = tuple(((longitude + east / 1_000 + 540) % 360 - 180, north / 1_000) for east, north in frame)
    area = buffered(Polygon(ring), 50)
    assert not isinstance(area, Circle)
    assert (area.parts, area.holes) == (1, 1)
    pieces = [shape_of(each) for each in area.cut()]
    for east, inside in ((0, False), (4, False), (7, True), (-7, True), (11, False)):
        at = ((longitude + east / 1_000 + 540) % 360 - 180, 0.0)
        assert any(each.contains(*at) for each in pieces) == inside, east
    (filled,) = area.filled()
    assert shape_of(filled).contains(longitude, 0.0)


def test_a_hole_is_filled_or_cut_at() -> None:
    ring = subtracted(box(0, 0, 3, 3), [box(1, 1, 2, 2)])
    assert (ring.parts, ring.holes) == (1, 1)
    (filled,) = ring.filled()
    assert {*filled.ring} == {*box(0, 0, 3, 3).ring}
    assert len(ring.cut()) == 2
    assert total(ring) == pytest.approx(area_m2(box(0, 0, 3, 3)) - area_m2(box(1, 1, 2, 2)), rel=1e-6)


def test_nothing_in_common_is_an_error() -> None:
    with pytest.raises(InvalidParameter, match="do not overlap"):
        intersected([box(0, 0, 1, 1), box(2, 2, 3, 3)])
    with pytest.raises(InvalidParameter, match="nothing is left"):
        subtracted(box(0, 0, 1, 1), [box(-1, -1, 2, 2)])


def test_over_the_antimeridian() -> None:
    east, west = box(179, 0, 180, 1), box(-180, 0, -179, 1)
    joined = united([east, west])
    assert joined.parts == 1
    (whole,) = joined.filled()
    assert area_m2(whole) == pytest.approx(area_m2(east) + area_m2(west), rel=1e-6)
    assert shape_of(whole).contains(180, 0.5)
    assert shape_of(whole).contains(-180, 0.5)
    assert not shape_of(whole).contains(0, 0.5)


def test_a_circle_at_a_pole_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="pole"):
        sheet_of([Circle(Point(0, 89.99), 5_000)])
    with pytest.raises(InvalidParameter, match="pole"):
        buffered(box(0, 89.5, 90, 89.9), 20_000)


@quick
@given(polygons(), st.floats(0.5, 200))
def test_simplifying_stays_within_the_tolerance(polygon: Polygon, tolerance_m: float) -> None:
    simpler = simplified_by(polygon, tolerance_m)
    assert len(simpler.ring) <= len(polygon.ring)
    shape = shape_of(simpler)
    for longitude, latitude in polygon.ring:
        # The first vertex of the ring may be removed after its neighbours.
        assert abs(shape.distance_m(longitude, latitude)) <= 2 * tolerance_m + 0.05


def test_nothing_is_left_of_a_speck_that_is_simplified() -> None:
    with pytest.raises(InvalidParameter, match="nothing is left"):
        simplified_by(box(0, 0, 1e-7, 1e-7), 1.0)


def test_simplifying_ten_thousand_vertices() -> None:
    turns = np.linspace(0, 2 * pi, 10_000, endpoint=False)
    ring = [(14.5 + 0.01 * cos(turn), 46.05 + 0.01 * sin(turn)) for turn in turns.tolist()]
    simpler = simplified_by(Polygon((*ring, ring[0])), 1.0)
    assert 20 < len(simpler.ring) < MAX_RING_POSITIONS


@quick
@given(polygons(), st.floats(5, 2_000))
def test_growing_moves_the_boundary_by_as_much(polygon: Polygon, by_m: float) -> None:
    grown = buffered(polygon, by_m)
    assert isinstance(grown, Area)
    shape = shape_of(grown.filled()[0])
    for longitude, latitude in polygon.ring:
        assert shape.distance_m(longitude, latitude) <= -by_m * 0.97 + 0.2
    inner = shape_of(polygon)
    for longitude, latitude in grown.filled()[0].ring:
        assert inner.distance_m(longitude, latitude) == pytest.approx(by_m, rel=0.03, abs=0.2)


def test_shrinking_to_nothing_is_an_error() -> None:
    with pytest.raises(InvalidParameter, match="narrower"):
        buffered(star(Point(14.5, 46), [100.0] * 8), -150)


def test_a_buffered_circle_is_a_circle_within_its_limits() -> None:
    circle = Circle(Point(14.5, 46), 100)
    assert buffered(circle, -50) == Circle(circle.center, 50)
    with pytest.raises(InvalidParameter, match="between 10 and 10000"):
        buffered(circle, -95)


@quick
@given(LONGITUDES, LATITUDES, st.floats(20, 9_000), st.integers(8, 256))
def test_a_circle_and_its_polygon(longitude: float, latitude: float, radius_m: float, vertices: int) -> None:
    circle = Circle(Point(longitude, latitude), radius_m)
    polygon = polygon_of(circle, vertices)
    assert len(polygon.ring) == vertices + 1
    around = circle_of(polygon, Fit.ALL)
    assert around.radius_m == pytest.approx(radius_m, rel=0.01, abs=0.1)
    assert metres_between(around.center, circle.center) <= 0.01 * radius_m + 0.1
    same = circle_of(polygon, Fit.AREA)
    assert area_m2(same) == pytest.approx(area_m2(polygon), rel=0.01)


@quick
@given(pairs(), st.sampled_from(Side))
def test_aligned_shapes_keep_their_size(pair: tuple[Geometry, Geometry], side: Side) -> None:
    reference, geometry = pair
    result = aligned(geometry, reference, side)
    assert area_m2(result) == pytest.approx(area_m2(geometry), rel=0.01, abs=1)
    assert aligned(result, reference, side) == result or hypot(*_shift(result, aligned(result, reference, side))) < 1e-6


def _shift(one: Geometry, other: Geometry) -> Position:
    a, b = (shape_of(each).center for each in (one, other))
    return (a.longitude - b.longitude + 180) % 360 - 180, a.latitude - b.latitude


@quick
@given(polygons(), st.floats(-1, 1), st.floats(-1, 1))
def test_a_moved_polygon_is_as_large_as_before(polygon: Polygon, longitude: float, latitude: float) -> None:
    assert area_m2(moved(polygon, longitude, latitude)) == pytest.approx(area_m2(polygon), rel=0.01, abs=1)


@quick
@given(polygons(), st.sampled_from(Cell), st.floats(150, 2_000), st.floats(0, 2 * pi), st.floats(0, 1))
def test_a_grid_covers_the_polygon(polygon: Polygon, cell: Cell, radius_m: float, angle: float, away: float) -> None:
    cells = grid_over(polygon, cell, radius_m)
    assert 1 <= len(cells) <= MAX_CELLS
    shape = shape_of(polygon)
    lons, lats = destinations(shape.center.longitude, shape.center.latitude, np.degrees([angle]), away * shape.radius_m)
    at = float(lons[0]), float(lats[0])
    if shape.contains(*at):
        assert min(shape_of(each).distance_m(*at) for each in cells) < 0.1


def test_a_grid_is_bounded() -> None:
    for geometry, radius_m in ((box(0, 0, 60, 60), 10.0), (box(14, 46, 14.2, 46.2), 50.0)):
        with pytest.raises(InvalidParameter, match="at most 1,000"):
            grid_over(geometry, Cell.CIRCLE, radius_m)
    with pytest.raises(InvalidParameter, match="at least 5 metres"):
        grid_over(box(0, 0, 1, 1), Cell.HEXAGON, float("nan"))


def test_measures_are_those_of_the_ellipsoid() -> None:
    degree = [(0.0, 0.0), (1.0, 0.0)]
    assert length_m(degree) == pytest.approx(111_319.49, abs=0.1)
    assert length_m(degree[:1]) == 0
    assert enclosed_m2([(0, 0), (1, 0), (1, 1), (0, 1)]) == pytest.approx(12_308.8e6, rel=1e-4)
    assert enclosed_m2(degree) == 0
    assert area_m2(Circle(Point(9, 47), 100)) == pytest.approx(31_415.9, abs=0.1)
    assert perimeter_m(box(0, 0, 1, 1)) == pytest.approx(443_770, rel=1e-4)


def test_radii_in_all_directions_are_those_of_the_circle() -> None:
    circle = Circle(Point(radians(500), 60), 1_000)
    shape = shape_of(circle)
    for longitude, latitude in polygon_of(circle, 12).ring:
        assert shape.distance_m(longitude, latitude) == pytest.approx(0, abs=0.02)
