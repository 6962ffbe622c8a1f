"""Polygons, compared with GeographicLib and shapely."""

from math import cos, radians, sin

import numpy as np
import pytest
import shapely
from geographiclib.geodesic import Geodesic
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.domain.geometry import Polygon, Position
from engine.geo.earth import metres_per_degree
from engine.geo.rings import check_ring
from engine.geo.shapes import Shape, shape_of


def star(longitude: float, latitude: float, spokes: list[float], size_deg: float) -> Polygon:
    """Return a polygon that is star-shaped about a position, so that it never crosses itself."""
    step = 2 * np.pi / len(spokes)
    ring = [
        (_wrap(longitude + size_deg * r * cos(i * step)), latitude + size_deg * r * sin(i * step))
        for i, r in enumerate(spokes)
    ]
    return check_ring([*ring, ring[0]])


def _wrap(longitude: float) -> float:
    return (longitude + 540) % 360 - 180


stars = st.builds(
    star,
    st.floats(-180, 180) | st.sampled_from([180.0, -180.0, 179.99]),
    st.floats(-80, 80),
    st.lists(st.floats(0.2, 1), min_size=3, max_size=40),
    st.floats(1e-3, 2),
)
offsets = st.tuples(st.floats(-2, 2), st.floats(-2, 2))


def _nearest_sample_m(polygon: Polygon, position: Position, per_edge: int = 400) -> float:
    """Return the smallest distance to samples of all edges, by GeographicLib."""
    best = float("inf")
    for (lon0, lat0), (lon1, lat1) in zip(polygon.ring, polygon.ring[1:], strict=False):
        lon1 = lon0 + (lon1 - lon0 + 540) % 360 - 180
        for t in np.linspace(0, 1, per_edge):
            line = Geodesic.WGS84.Inverse(position[1], position[0], lat0 + t * (lat1 - lat0), lon0 + t * (lon1 - lon0))
            best = min(best, line["s12"])
    return best


def _relative(polygon: Polygon, offset: Position, size: float) -> Position:
    longitude, latitude = polygon.ring[0]
    return _wrap(longitude + offset[0] * size), max(-90.0, min(90.0, latitude + offset[1] * size))


def test_a_long_edge_is_measured_between_its_samples_too() -> None:
    """The nearest vertex is twice as far as the middle of two samples of an edge of a thousand kilometres."""
    ring = [(-1.0, 0.0), (0.0, 0.0), (0.0, 10.0), (5.0, 10.0), (0.27, 1.25), (5.0, 0.0), (6.0, 11.0), (-1.0, 11.0)]
    shape = shape_of(check_ring([*ring, ring[0]]))
    expected = Geodesic.WGS84.Inverse(1.25, 0.09, 1.25, 0.0)["s12"]
    assert shape.distance_m(0.09, 1.25) == pytest.approx(expected, rel=1e-4)


@given(stars, offsets, st.sampled_from([0.001, 0.1, 3.0]))
def test_containment_is_shapelys(polygon: Polygon, offset: Position, size: float) -> None:
    """Shapely works in a rotated frame in which the polygon is far from the antimeridian."""
    turn = polygon.ring[0][0]
    turned = shapely.Polygon([(_wrap(lon - turn), lat) for lon, lat in polygon.ring])
    position = _relative(polygon, offset, size)
    point = shapely.Point(_wrap(position[0] - turn), position[1])
    assume(turned.boundary.distance(point) > 1e-9)
    assert shape_of(polygon).contains(*position) == turned.contains(point)


@pytest.mark.parametrize("seed", range(12))
def test_distance_is_geographiclibs(seed: int) -> None:
    """Distances near and far, at the equator and near the pole, across the antimeridian."""
    random = np.random.default_rng(seed)
    polygon = star(
        float(random.choice([0, 10, 179.999, -180])),
        float(random.choice([0, 47, -60, 84, 87.5])),
        list(random.uniform(0.2, 1, 6)),
        float(random.choice([0.001, 0.1, 1])),
    )
    shape = shape_of(polygon)
    for size in (0.001, 0.05, 5):
        position = _relative(polygon, (float(random.uniform(-1, 1)), float(random.uniform(-1, 1))), size)
        expected = _nearest_sample_m(polygon, position)
        distance = shape.distance_m(*position)
        assert abs(distance) <= expected * 1.000_01 + 0.001
        assert abs(distance) >= expected * 0.999 - _sample_step_m(polygon)
        assert (distance <= 0) == shape.contains(*position)


def _sample_step_m(polygon: Polygon, per_edge: int = 400) -> float:
    ring = np.array(polygon.ring)
    return float(np.hypot(*np.diff(ring, axis=0).T % 360).max()) * 111_700 / per_edge


def test_edges_are_straight_in_longitude_and_latitude() -> None:
    """The middle of this edge would be 9 km farther north on a great circle."""
    shape = shape_of(check_ring([(0, 60), (10, 60), (10, 61), (0, 61), (0, 60)]))
    assert shape.contains(5, 60.0)
    assert not shape.contains(5, 59.999)
    assert shape.contains(5, 60.001)
    assert shape.distance_m(5, 59.99) == pytest.approx(Geodesic.WGS84.Inverse(59.99, 5, 60, 5)["s12"], rel=1e-6)


@given(stars, st.integers(0, 1000), st.floats(0, 1))
def test_the_boundary_is_inside_at_distance_zero(polygon: Polygon, edge: int, along: float) -> None:
    (lon0, lat0), (lon1, lat1) = (polygon.ring[(edge + i) % (len(polygon.ring) - 1)] for i in (0, 1))
    lon1 = lon0 + (lon1 - lon0 + 540) % 360 - 180
    position = _wrap(lon0 + along * (lon1 - lon0)), lat0 + along * (lat1 - lat0)
    shape = shape_of(polygon)
    assert shape.distance_m(*position) == 0
    assert shape.contains(*position)


@pytest.mark.parametrize(
    ("position", "inside"),
    [
        ((180, 0), True),
        ((-180, 0), True),
        ((179.5, 0.2), True),
        ((-179.5, 0.2), True),
        ((178.9, 0), False),
        ((0, 0), False),
    ],
)
def test_a_ring_across_the_antimeridian(position: Position, inside: int) -> None:
    shape = shape_of(check_ring([(179, -1), (-179, -1), (-179, 1), (179, 1), (179, -1)]))
    assert shape.contains(*position) is bool(inside)
    assert abs(shape.center.longitude) == pytest.approx(180)


def _expected_share(polygon: Polygon, position: Position, accuracy_m: float) -> float:
    scale = metres_per_degree(position[1])
    local = [(_wrap(lon - position[0]) * scale[0], (lat - position[1]) * scale[1]) for lon, lat in polygon.ring]
    disc = shapely.Point(0, 0).buffer(accuracy_m, quad_segs=64)
    return float(shapely.Polygon(local).intersection(disc).area / disc.area)


@given(stars, offsets, st.floats(1, 5_000))
def test_share_is_shapelys(polygon: Polygon, offset: Position, accuracy_m: float) -> None:
    position = _relative(polygon, offset, accuracy_m / 100_000)
    shape: Shape = shape_of(polygon)
    assert shape.share(*position, accuracy_m) == pytest.approx(_expected_share(polygon, position, accuracy_m), abs=0.01)


@pytest.mark.parametrize("accuracy_m", [8_000, 20_000, 50_000])
def test_share_of_a_wide_accuracy_circle(accuracy_m: float) -> None:
    """Beyond the planar range, the share is still close to the planar result at these sizes."""
    polygon = star(8, 47, [1, 0.4, 1, 0.4, 1, 0.4], 0.5)
    position = (8.1, 47.1)
    expected = _expected_share(polygon, position, accuracy_m)
    assert shape_of(polygon).share(*position, accuracy_m) == pytest.approx(expected, abs=0.01)


def test_share_at_the_pole() -> None:
    """The cap north of 89° is cut in half by the meridians 0° and 180°."""
    half = shape_of(check_ring([(0, 80), (90, 80), (180, 80), (180, 90), (90, 90), (0, 90), (0, 80)]))
    assert half.share(0, 90, 10_000) == pytest.approx(0.5, abs=0.01)


@given(st.floats(85.1, 89.9), st.floats(20, 170), st.floats(0.1, 0.9), st.floats(0.2, 5), st.sampled_from([1, -1]))
def test_near_a_pole_the_share_agrees_with_the_distance(
    south: float, width: float, along: float, off_m: float, side: int
) -> None:
    corners = [(20.0, south), (_wrap(20.0 + width), south), (_wrap(20.0 + width), south + 0.01), (20.0, south + 0.01)]
    shape = shape_of(Polygon((*corners, corners[0])))
    position = _wrap(20.0 + along * width), south + side * off_m / metres_per_degree(south)[1]
    away = shape.distance_m(*position)
    assert away == pytest.approx(-side * off_m, rel=0.01)
    assert shape.share(*position, off_m * 0.98) == pytest.approx(1.0 if side > 0 else 0.0, abs=1e-4)
    assert 0 < shape.share(*position, off_m * 1.5) < 1


def test_metres_per_degree_is_the_ellipsoids() -> None:
    for latitude in (0.0, 30.0, 60.0, -85.0):
        east, north = metres_per_degree(latitude)
        assert east == pytest.approx(Geodesic.WGS84.Inverse(latitude, 0, latitude, 0.001)["s12"] * 1000, rel=1e-6)
        assert north == pytest.approx(
            Geodesic.WGS84.Inverse(latitude - 0.0005, 0, latitude + 0.0005, 0)["s12"] * 1000, rel=1e-6
        )
    assert metres_per_degree(90)[0] == pytest.approx(0, abs=1e-6)
    assert radians(1) * 6_378_137 == pytest.approx(metres_per_degree(0)[0])
