"""Bounding boxes computed at once, compared with boxes computed one by one and with their contents."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from engine.domain.geometry import Part, Polygon
from engine.geo.bounds import (
    Bounds,
    Boxes,
    around_each,
    bounds_of_polygon,
    bounds_of_ring,
    bounds_of_rings,
    box_around,
    boxes_around,
    distances_at_least_m,
    turns,
)

longitudes = st.one_of(st.sampled_from([-180.0, -179.9999, 0.0, 179.9999, 180.0]), st.floats(-180, 180))
latitudes = st.one_of(st.sampled_from([-90.0, -89.95, -89.0, 0.0, 89.9, 89.95, 90.0]), st.floats(-90, 90))
circles = st.tuples(longitudes, latitudes, st.floats(1, 20_000_000))
GEOD = Geod(ellps="WGS84")


def _holds(box: Bounds, longitude: float, latitude: float) -> bool:
    return any(part.west <= longitude <= part.east and part.south <= latitude <= part.north for part in turns(box))


@given(circles, st.floats(0, 360), st.floats(0, 1))
def test_a_box_holds_every_position_within_the_radius(
    circle: tuple[float, float, float], azimuth: float, part: float
) -> None:
    longitude, latitude, radius_m = circle
    to_longitude, to_latitude, _ = GEOD.fwd(longitude, latitude, azimuth, part * radius_m)
    assert _holds(box_around(*circle), to_longitude, to_latitude)


@given(st.lists(circles, max_size=20))
def test_boxes_of_many_circles_are_those_of_each(found: list[tuple[float, float, float]]) -> None:
    columns = np.array(found).reshape(-1, 3).T
    boxes = boxes_around(*columns)
    for number, circle in enumerate(found):
        np.testing.assert_allclose([side[number] for side in boxes], box_around(*circle), rtol=0, atol=1e-11)


@given(st.lists(st.lists(st.tuples(longitudes, latitudes), min_size=1, max_size=8), max_size=20))
def test_boxes_of_many_rings_are_those_of_each(rings: list[list[tuple[float, float]]]) -> None:
    positions = np.array([position for ring in rings for position in ring]).reshape(-1, 2)
    boxes = bounds_of_rings(positions, np.array([len(ring) for ring in rings], np.int64))
    for number, ring in enumerate(rings):
        assert tuple(side[number] for side in boxes) == bounds_of_ring(tuple(ring))


rings = st.lists(st.tuples(longitudes, latitudes), min_size=4, max_size=6)


@given(st.lists(st.lists(rings, min_size=1, max_size=5), min_size=1, max_size=5))
def test_boxes_of_many_polygons_are_those_of_each(polygons: list[list[list[tuple[float, float]]]]) -> None:
    boxes = Boxes(*np.array([bounds_of_ring(ring) for rings in polygons for ring in rings]).T)
    together = around_each(boxes, np.array([len(rings) for rings in polygons]))
    for number, (first, *others) in enumerate(polygons):
        box = Bounds(*(float(side[number]) for side in together))
        assert box == bounds_of_polygon(Polygon(first, others=tuple(map(Part, others))))
        for ring in (first, *others):
            assert all(_holds(box, *position) for position in ring)


@given(st.lists(circles, min_size=1, max_size=5), longitudes, latitudes, st.floats(0, 360), st.floats(0, 1))
def test_nothing_in_a_box_is_nearer_than_it_is_at_least(
    found: list[tuple[float, float, float]], longitude: float, latitude: float, azimuth: float, part: float
) -> None:
    boxes = boxes_around(*np.array(found).T)
    distances = distances_at_least_m(boxes, longitude, latitude)
    for (center_longitude, center_latitude, radius_m), at_least_m in zip(found, distances.tolist(), strict=True):
        there = GEOD.fwd(center_longitude, center_latitude, azimuth, part * radius_m)
        assert at_least_m <= GEOD.inv(longitude, latitude, there[0], there[1])[2] + 1e-6


def test_a_small_box_far_away_is_about_as_far_as_it_is() -> None:
    (at_least_m,) = distances_at_least_m(boxes_around(*np.array([[9.0, 47.0, 100.0]]).T), -60, -10).tolist()
    assert at_least_m > 0.98 * GEOD.inv(9, 47, -60, -10)[2]


def test_a_ring_across_the_antimeridian_has_a_narrow_box() -> None:
    ring = ((179.0, 1.0), (-179.0, 1.0), (-179.0, 2.0), (179.0, 1.0))
    assert bounds_of_ring(ring) == (179.0, 1.0, 181.0, 2.0)
    assert [round(part.west) for part in turns(bounds_of_ring(ring))] == [179, -181]
