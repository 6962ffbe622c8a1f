"""Distances of many positions at once, compared with those computed one by one, which decisions use."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.geo.earth import metres_per_degree
from engine.geo.shapes import shape_of
from tests.engine.geo.test_polygons import stars

circles = st.builds(
    lambda longitude, latitude, radius_m: Circle(Point(longitude, latitude), radius_m),
    st.floats(-180, 180),
    st.floats(-89, 89),
    st.floats(10, 10_000),
)
ways = st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=60)


@given(stars | circles, ways, st.sampled_from([30.0, 2_000.0, 50_000.0, 500_000.0]))
def test_many_are_measured_as_one_is(geometry: Geometry, way: list[tuple[float, float]], reach_m: float) -> None:
    """Accuracy: to the millimetre within 5 km, to a thousandth within 50 km, to hundredths beyond; the sign always."""
    shape = shape_of(geometry)
    around = geometry.ring[0] if isinstance(geometry, Polygon) else (shape.center.longitude, shape.center.latitude)
    east_m, north_m = metres_per_degree(around[1])
    longitudes = np.array([(around[0] + x * reach_m / max(east_m, 1_000.0) + 540) % 360 - 180 for x, _ in way])
    latitudes = np.clip([around[1] + y * reach_m / north_m for _, y in way], -90.0, 90.0)
    found = shape.distances_m(longitudes, latitudes)
    for at, (longitude, latitude) in enumerate(zip(longitudes.tolist(), latitudes.tolist(), strict=True)):
        alone = shape.distance_m(longitude, latitude)
        near = isinstance(geometry, Circle) or abs(alone) < 4_900
        far = 1e-3 if abs(alone) < 50_000 else 0.05
        assert found[at] == pytest.approx(alone, abs=0.001, rel=1e-9 if near else far)
        assert np.sign(found[at]) == np.sign(alone)


def test_a_track_of_any_length_is_measured_in_parts() -> None:
    ring = tuple((14.5 + 0.01 * np.cos(a), 46.05 + 0.01 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 1_000))
    shape = shape_of(Polygon((*ring[:-1], ring[0])))
    longitudes, latitudes = np.linspace(14.4, 14.6, 1_234), np.full(1_234, 46.05)
    found = shape.distances_m(longitudes, latitudes)
    assert found.shape == (1_234,)
    assert [found[at] for at in (0, 617, 1_233)] == pytest.approx(
        [shape.distance_m(longitudes[at], latitudes[at]) for at in (0, 617, 1_233)], rel=1e-4, abs=0.001
    )
