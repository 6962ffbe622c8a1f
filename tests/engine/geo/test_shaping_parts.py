"""Tests of adding and deleting the parts and holes of a polygon."""

from __future__ import annotations

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Circle, Part, Point, Polygon
from engine.geo.rings import check_ring
from engine.geo.shapes import shape_of
from engine.geo.shaping.editing import with_hole, with_part, without_ring
from engine.geo.shaping.measuring import area_m2


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
