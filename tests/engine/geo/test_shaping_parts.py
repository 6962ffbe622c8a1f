"""Tests of shaping polygons with holes and several parts, and of adding and deleting these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Circle, Part, Point, Polygon, Position, Ring
from engine.geo.earth import wgs84
from engine.geo.parts import check_polygon
from engine.geo.rings import check_ring
from engine.geo.shapes import shape_of
from engine.geo.shaping.combining import intersected, split, subtracted, united
from engine.geo.shaping.editing import with_hole, with_part, without_ring
from engine.geo.shaping.measuring import area_m2, perimeter_m
from engine.geo.shaping.placing import moved
from engine.geo.shaping.planes import Plane
from engine.geo.shaping.resizing import buffered, simplified_by
from engine.geo.shaping.sheets import Area
from tests.engine.geo.test_parts import polygons

quick = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def box(west: float, south: float, east: float, north: float) -> Polygon:
    west, east = ((each + 540) % 360 - 180 for each in (west, east))
    return check_ring([(west, south), (east, south), (east, north), (west, north), (west, south)])


@pytest.mark.parametrize("middle", [14.5, 179.995, 180.0, -179.995])
def test_a_drawn_hole_leaves_the_other_rings_as_they_are(middle: float) -> None:
    park, lake = box(middle - 0.02, 46, middle + 0.02, 46.02), box(middle - 0.01, 46.005, middle + 0.01, 46.01)
    island = box(middle - 0.002, 46.006, middle + 0.002, 46.008)
    holed = with_hole(park, lake.ring)
    assert (holed.ring, holed.holes) == (park.ring, (lake.ring,))
    assert not shape_of(holed).contains(shape_of(lake).center.longitude, 46.0075)
    assert area_m2(holed) == pytest.approx(area_m2(park) - area_m2(lake), rel=1e-6)
    whole = with_part(holed, island.ring)
    assert whole.others == (Part(island.ring),)
    assert without_ring(whole, 2) == holed
    assert without_ring(holed, 1) == park


def test_a_hole_over_the_boundary_is_cut_out() -> None:
    bitten = with_hole(box(0, 0, 3, 3), box(1, 1, 2, 4).ring)
    assert bitten.is_single_ring
    assert area_m2(bitten) == pytest.approx(area_m2(box(0, 0, 3, 3)) - area_m2(box(1, 1, 2, 3)), rel=1e-6)
    larger = with_hole(with_hole(box(0, 0, 3, 3), box(1, 1, 2, 2).ring), box(1.5, 1, 2.5, 2).ring)
    assert area_m2(larger) == pytest.approx(area_m2(box(0, 0, 3, 3)) - area_m2(box(1, 1, 2.5, 2)), rel=1e-6)
    assert len(larger.holes) == 1


def test_a_hole_beside_the_geofence_or_around_it_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="must be inside the geofence"):
        with_hole(box(0, 0, 1, 1), box(1, 0, 2, 1).ring)
    with pytest.raises(InvalidParameter, match="nothing is left"):
        with_hole(box(0, 0, 1, 1), box(-1, -1, 2, 2).ring)
    with pytest.raises(InvalidParameter, match="crosses"):
        with_hole(box(0, 0, 3, 3), [(1, 1), (2, 2), (2, 1), (1, 2), (1, 1)])


def test_a_circle_with_a_hole_is_a_polygon() -> None:
    holed = with_hole(Circle(Point(14.5, 46.05), 500), box(14.4999, 46.0499, 14.5001, 46.0501).ring)
    assert len(holed.ring) == 65
    assert not shape_of(holed).contains(14.5, 46.05)


def test_a_part_apart_is_another_one_and_an_overlapping_one_is_united() -> None:
    west, east = box(0, 0, 1, 1), box(3, 0, 5, 1)
    both = with_part(west, east.ring)
    assert [part.ring for part in both.parts] == [east.ring, west.ring]
    corner = with_part(west, box(1, 1, 2, 2).ring)
    assert len(corner.parts) == 2
    for other in (box(0.5, 0, 2, 1), box(1, 0, 2, 1)):
        whole = with_part(west, other.ring)
        assert whole.is_single_ring
        assert area_m2(whole) == pytest.approx(area_m2(box(0, 0, 2, 1)), rel=1e-5)
    bridge = with_part(both, box(0.5, 0.2, 4, 0.4).ring)
    assert len(bridge.parts) == 1


def test_a_part_inside_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="must not be inside"):
        with_part(box(0, 0, 3, 3), box(1, 1, 2, 2).ring)


def test_parts_and_holes_are_deleted() -> None:
    park = with_part(with_hole(box(0, 0, 3, 3), box(1, 1, 2, 2).ring), box(4, 0, 5, 1).ring)
    assert [without_ring(park, each).position_count for each in range(3)] == [5, 10, 10]
    assert without_ring(park, 0) == box(4, 0, 5, 1)
    with pytest.raises(InvalidParameter, match="only part"):
        without_ring(box(0, 0, 1, 1), 0)


def test_a_deleted_hole_takes_its_island_along() -> None:
    park = with_part(with_hole(box(0, 0, 3, 3), box(1, 1, 2, 2).ring), box(1.2, 1.2, 1.8, 1.8).ring)
    assert without_ring(park, 1) == box(0, 0, 3, 3)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Polygon, Polygon]:
    """Return two polygons with holes and parts, of which the second is near the first, maybe across ±180°."""
    one, other = draw(polygons), draw(polygons)
    (west, south, east, north), (other_west, other_south, _, _) = shape_of(one).bounds, shape_of(other).bounds
    x, y = draw(st.floats(-0.5, 1)), draw(st.floats(-0.5, 1))
    by = west + x * (east - west) - other_west, south + y * (north - south) - other_south
    try:
        return one, check_polygon([[_shifted(ring, *by) for ring in (part.ring, *part.holes)] for part in other.parts])
    except InvalidParameter:
        # Rounding has moved a corner across an edge.
        return one, one


def _shifted(ring: Ring, east: float, north: float) -> list[Position]:
    return [((longitude + east + 540) % 360 - 180, latitude + north) for longitude, latitude in ring]


def flat(geometry: Polygon, near: float) -> Any:
    """Return the shapely geometry of a polygon, independently of the engine. All of it is near a longitude."""

    def unrolled(ring: Ring) -> list[Position]:
        # Full turns keep edges in common as they are.
        return [(longitude + 360 * round((near - longitude) / 360), latitude) for longitude, latitude in ring]

    parts = [shapely.Polygon(unrolled(part.ring), list(map(unrolled, part.holes))) for part in geometry.parts]
    return shapely.union_all(parts)


def measured(shape: Any, longest: float = 1e-3) -> tuple[float, float]:
    """Return the area and the perimeter on the ellipsoid, with edges that are straight in degrees."""
    dense = shapely.segmentize(shape, longest)
    area, _ = wgs84().geometry_area_perimeter(shapely.orient_polygons(dense))
    return area, wgs84().geometry_length(dense.boundary)


@quick
@given(polygons)
def test_holes_are_not_part_of_the_area_and_have_a_boundary(polygon: Polygon) -> None:
    area, perimeter = measured(flat(polygon, polygon.ring[0][0]))
    assert area_m2(polygon) == pytest.approx(area, rel=1e-5)
    assert perimeter_m(polygon) == pytest.approx(perimeter, rel=1e-5)


def check_refusal(error: InvalidParameter, *messages: str) -> None:
    assert any(each in error.message for each in messages), error.message


def check_same(polygon: Polygon, expected: Any, near: float) -> None:
    """Check that a polygon is valid and has the interior of a shapely geometry, except for rounding and slivers."""
    assert check_polygon([[part.ring, *part.holes] for part in polygon.parts]).rings == polygon.rings
    corners = shapely.get_num_coordinates(expected)
    difference = shapely.symmetric_difference(flat(polygon, near), expected).area
    assert difference <= 2e-7 * expected.length + corners * 1e-11


@quick
@given(pairs(), st.sampled_from(["union", "difference", "intersection"]))
def test_combinations_are_those_of_shapely(pair: tuple[Polygon, Polygon], name: str) -> None:
    near = pair[0].ring[0][0]
    one, other = (flat(each, near) for each in pair)
    expected = getattr(shapely, name)(one, other)
    try:
        area = {
            "union": lambda: united(pair),
            "difference": lambda: subtracted(pair[0], pair[1:]),
            "intersection": lambda: intersected(pair),
        }[name]()
    except InvalidParameter as error:
        check_refusal(
            error, *(("nothing is left", "do not overlap") if expected.area <= 1e-9 else ("nothing changes",))
        )
        return
    check_same(area.polygon(), expected, near)
    for each in area.polygons():
        check_polygon([[each.ring, *each.holes]])


@quick
@given(polygons, st.floats(5, 300), st.booleans())
def test_holes_shrink_as_the_parts_grow(polygon: Polygon, by_m: float, is_smaller: bool) -> None:
    by_m = -by_m if is_smaller else by_m
    near = shape_of(polygon).center
    plane = Plane(near)
    expected = shapely.buffer(plane.flat(flat(polygon, near.longitude)), by_m, quad_segs=32)
    try:
        grown = buffered(polygon, by_m)
    except InvalidParameter as error:
        check_refusal(error, "nothing is left" if expected.area < 10 else "vertices")
        return
    assert isinstance(grown, Area)
    difference = shapely.symmetric_difference(plane.flat(flat(grown.polygon(), near.longitude)), expected)
    # An arc has fewer corners than that of the expected shape.
    assert difference.area <= (0.2 + 0.01 * abs(by_m)) * expected.length + 10


@quick
@given(polygons, st.floats(1, 50))
def test_simplified_parts_remain_apart(polygon: Polygon, tolerance_m: float) -> None:
    try:
        simpler = simplified_by(polygon, tolerance_m)
    except InvalidParameter as error:
        check_refusal(error, "nothing is left")
        return
    shape, before = shape_of(simpler), flat(polygon, polygon.ring[0][0])
    assert simpler.position_count <= shapely.get_num_coordinates(before)
    for longitude, latitude in shapely.get_coordinates(before).tolist():
        assert abs(shape.distance_m(longitude, latitude)) <= 2 * tolerance_m + 0.05


@quick
@given(polygons, st.floats(-1, 1), st.floats(-1, 1))
def test_all_parts_are_moved(polygon: Polygon, longitude: float, latitude: float) -> None:
    there = moved(polygon, longitude, latitude)
    assert isinstance(there, Polygon)
    united_parts = shapely.get_parts(flat(polygon, polygon.ring[0][0]))
    assert len(there.parts) == len(united_parts)
    assert len(there.rings) == sum(1 + len(part.interiors) for part in united_parts)
    assert area_m2(there) == pytest.approx(area_m2(polygon), rel=1e-3, abs=0.1)


@quick
@given(polygons, st.floats(0.1, 0.9), st.floats(0.1, 0.9))
def test_pieces_are_the_whole(polygon: Polygon, start: float, end: float) -> None:
    west, south, east, north = shape_of(polygon).bounds
    line = [
        (west + start * (east - west), south - 1e-4),
        (west + end * (east - west), north + 1e-4),
    ]
    near = polygon.ring[0][0]
    try:
        pieces = split(polygon, [((x + 540) % 360 - 180, y) for x, y in line])
    except InvalidParameter as error:
        check_refusal(error, "from side to side")
        return
    assert len(pieces) >= 2
    for each in pieces[1:]:
        assert len(each.parts) == 1
    check_same_all(pieces, flat(polygon, near), near)


def check_same_all(pieces: Sequence[Polygon], expected: Any, near: float) -> None:
    """Check that polygons together are a shapely geometry and do not overlap."""
    shapes = [flat(each, near) for each in pieces]
    slack = 4e-7 * sum(each.length for each in shapes) + 1e-9
    assert shapely.symmetric_difference(shapely.union_all(shapes), expected).area <= slack
    assert sum(each.area for each in shapes) == pytest.approx(expected.area, abs=slack)


@quick
@given(pairs(), st.booleans())
def test_drawn_rings_are_added_or_cut_out(pair: tuple[Polygon, Polygon], is_hole: bool) -> None:
    polygon, ring = pair[0], pair[1].ring
    near = polygon.ring[0][0]
    one, other = flat(polygon, near), flat(Polygon(ring), near)
    try:
        result = with_hole(polygon, ring) if is_hole else with_part(polygon, ring)
    except InvalidParameter as error:
        check_refusal(error, "must be inside", "nothing is left", "nothing changes", "must not be inside")
        return
    check_same(result, one.difference(other) if is_hole else one.union(other), near)
