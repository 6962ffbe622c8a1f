"""The constants of the ellipsoid."""

from math import pi, radians

import numpy as np
import pytest
import shapely
from geographiclib.geodesic import Geodesic
from hypothesis import given
from hypothesis import strategies as st

import engine.geo.shapes
from engine.domain.geometry import Circle, Point
from engine.geo import earth
from engine.geo.earth import circle_ring, distance_m, share_of_circle
from engine.geo.shapes import shape_of


def test_the_figures_are_those_of_proj() -> None:
    """Constants are hard-coded since PROJ takes long to load; results must stay the same to the last bit."""
    assert earth.wgs84().a == earth._A
    assert earth.wgs84().es == earth._E2


longitudes = st.floats(-180, 180)
latitudes = st.floats(-89.9, 89.9)
radii_m = st.floats(10, 10_000)


@given(longitudes, latitudes, radii_m, st.floats(0, 360), st.floats(0, 3))
def test_distance_to_the_boundary_is_geographiclibs(
    longitude: float, latitude: float, radius_m: float, bearing: float, times: float
) -> None:
    there = Geodesic.WGS84.Direct(latitude, longitude, bearing, radius_m * times)
    shape = shape_of(Circle(Point(longitude, latitude), radius_m))
    expected = Geodesic.WGS84.Inverse(latitude, longitude, there["lat2"], there["lon2"])["s12"] - radius_m
    assert shape.distance_m(there["lon2"], there["lat2"]) == pytest.approx(expected, abs=1e-5)


@given(longitudes, latitudes, radii_m, st.floats(0, 360))
def test_a_position_on_the_boundary_is_inside(
    longitude: float, latitude: float, radius_m: float, bearing: float
) -> None:
    there = Geodesic.WGS84.Direct(latitude, longitude, bearing, radius_m)
    shape = shape_of(Circle(Point(longitude, latitude), radius_m))
    assert shape.contains(there["lon2"], there["lat2"])
    assert shape.distance_m(there["lon2"], there["lat2"]) == 0


@given(longitudes, latitudes, radii_m, st.floats(0, 360), st.floats(1.000_001, 5))
def test_a_position_beyond_the_boundary_is_outside(
    longitude: float, latitude: float, radius_m: float, bearing: float, times: float
) -> None:
    there = Geodesic.WGS84.Direct(latitude, longitude, bearing, radius_m * times)
    shape = shape_of(Circle(Point(longitude, latitude), radius_m))
    assert not shape.contains(there["lon2"], there["lat2"])
    assert shape.distance_m(there["lon2"], there["lat2"]) > 0


@given(longitudes, latitudes, radii_m, st.floats(0, 360), st.floats(0, 1))
def test_bounds_hold_the_circle(
    longitude: float, latitude: float, radius_m: float, bearing: float, times: float
) -> None:
    there = Geodesic.WGS84.Direct(latitude, longitude, bearing, radius_m * times)
    west, south, east, north = shape_of(Circle(Point(longitude, latitude), radius_m)).bounds
    assert south <= there["lat2"] <= north
    assert any(west <= there["lon2"] + turn <= east for turn in (-360, 0, 360))


def test_a_distance_is_measured_once_and_only_near_the_boundary(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user may be inside thousands of geofences, and measuring each of them with every update takes too long."""
    measured: list[tuple[float, ...]] = []

    def measure(*positions: float) -> float:
        measured.append(positions)
        return distance_m(*positions)

    monkeypatch.setattr(engine.geo.shapes, "distance_m", measure)
    shape = shape_of(Circle(Point(9.5, 47.1), 500))
    assert shape.contains(9.504, 47.103)
    assert not measured
    assert not shape.contains(9.504, 47.104)
    assert shape.distance_m(9.504, 47.104) > 0
    assert shape.share(9.504, 47.104, 100) < 1
    assert measured == [(9.5, 47.1, 9.504, 47.104)]


def _disc(x: float, radius: float, vertices: int) -> shapely.Polygon:
    steps = np.linspace(0, 2 * pi, vertices, endpoint=False)
    return shapely.Polygon(np.column_stack([x + radius * np.cos(steps), radius * np.sin(steps)]))


@given(st.floats(0, 30_000), st.floats(1, 5_000), radii_m)
def test_share_is_shapelys(distance_m: float, accuracy_m: float, radius_m: float) -> None:
    reach, other = _disc(0, accuracy_m, 256), _disc(distance_m, radius_m, 8192)
    expected = reach.intersection(other).area / reach.area
    assert share_of_circle(distance_m, accuracy_m, radius_m) == pytest.approx(expected, abs=0.01)


def test_share_is_whole_half_and_none() -> None:
    assert share_of_circle(50, 50, 100) == 1
    assert share_of_circle(150, 50, 100) == 0
    assert share_of_circle(10_000, 10, 10_000) == pytest.approx(0.5, abs=0.001)


def test_ring_is_the_recorded_one() -> None:
    """Vertices: 32 from due east, counter-clockwise, on the mean sphere."""
    ring = circle_ring(Point(0, 0), 6_371_008.8 * radians(1))
    assert len(ring) == 33
    assert ring[0] == ring[-1] == pytest.approx((1, 0))
    assert ring[8] == pytest.approx((0, 1))
    assert shapely.LinearRing(ring).is_ccw
