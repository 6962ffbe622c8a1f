"""Measurements of many pairs agree with those of single fixes."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.backtest.fences import FenceSet, Versions
from engine.backtest.fixes import Fixes, fixes_of
from engine.backtest.measuring import Measured, measured
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.tracking.updates import Fix
from engine.tracking.measure import Measure
from tests.engine.backtest.cases import Report, geometries, points, rows_of, star, timed
from tests.engine.fixtures import HOME
from tests.engine.tracking.histories import START
from tests.engine.tracking.measuring import moved

SQUARE = Polygon(
    ((9.52, 47.14), (9.521, 47.14), (9.521, 47.141), (9.52, 47.141), (9.52, 47.14)),
    holes=(((9.5204, 47.1404), (9.5204, 47.1406), (9.5206, 47.1406), (9.5206, 47.1404), (9.5204, 47.1404)),),
)

accuracies_m = st.one_of(st.sampled_from([0.0, 1e-4, 5.0, 30.0, 500.0, 20_000.0]), st.floats(0.001, 400))


def geofence(geometry: Geometry) -> Geofence:
    """Return a geofence without rules."""
    summary = GeofenceSummary("0" * 24, "t", "0", "Geofence")
    return Geofence(summary.id, Environment.TEST, summary, geometry, True, START, START)


def measure(geometry: Geometry, places: list[tuple[Point, float]], *, fully: bool) -> tuple[Versions, Fixes, Measured]:
    """Return the measurements of a geofence from some positions with accuracies."""
    versions = Versions(FenceSet(name="", geofences=(geofence(geometry),)))
    reports = [
        Report("d", None, point, away, 1.0, 0.0, stopped=False, foreground=False, ip=None) for point, away in places
    ]
    table: pa.Table = rows_of(timed(reports, received=False), received=False)
    fixes = fixes_of(table)
    fix = np.arange(len(fixes))
    return versions, fixes, measured(versions, fixes, fix, np.zeros(len(fixes), np.int64), fully=fully)


@pytest.mark.parametrize("fully", [True, False])
@settings(max_examples=300, deadline=None)
@given(
    st.one_of(geometries, st.just(SQUARE), st.builds(star, st.just(HOME), st.integers(3, 70))),
    st.lists(st.tuples(points, accuracies_m), min_size=1, max_size=8),
)
def test_the_measurements_are_within_their_bounds(
    fully: bool, geometry: Geometry, places: list[tuple[Point, float]]
) -> None:
    versions, fixes, found = measure(geometry, places, fully=fully)
    for place in range(len(fixes)):
        point = Point(float(fixes.longitude[place]), float(fixes.latitude[place]))
        one = Measure(Fix(point, float(fixes.accuracy_m[place]), START), versions.entries[0])
        if not found.doubtful[place]:
            assert found.inside[place] == one.inside
        if not fully:
            continue
        away_m = abs(one.distance_m)
        assert found.nearest_m[place] <= away_m or (away_m > one.fix.accuracy_m < found.nearest_m[place])
        assert found.farthest_m[place] >= away_m
        assert found.smallest[place] <= one.share <= found.largest[place]


def test_the_bounds_are_close() -> None:
    """Otherwise, fixes that change nothing are decided one by one."""
    places = [(moved(HOME, azimuth, away_m), 10.0) for azimuth in (10, 100, 250) for away_m in (2, 30, 95, 104, 140)]
    for geometry in (Circle(HOME, 100.0), star(HOME, 5)):
        _, _, found = measure(geometry, places, fully=True)
        assert not found.doubtful.any()
        near = found.nearest_m < 20
        assert near.any()
        assert (found.farthest_m - found.nearest_m < 1.5)[near].all()
        assert (found.largest - found.smallest < 1e-5).all()
