"""The predicted confidence of entries, which is computed with the engine's own measure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Circle, Part, Point, Polygon
from engine.domain.tracking.updates import Confidence
from engine.geo.parts import check_polygon
from engine.geo.shapes import shape_of
from engine.tracking.predicted import INSIDE, _positions, predicted
from tests.engine.geo.test_parts import coordinates

SQUARE = Polygon(((14.5, 46.0), (14.51, 46.0), (14.51, 46.007), (14.5, 46.007), (14.5, 46.0)))
HORSESHOE = Polygon(
    (
        (0.0, 0.0),
        (0.03, 0.0),
        (0.03, 0.03),
        (0.028, 0.03),
        (0.028, 0.002),
        (0.002, 0.002),
        (0.002, 0.03),
        (0.0, 0.03),
        (0.0, 0.0),
    )
)


def test_a_large_geofence_is_sure_and_a_small_one_is_not() -> None:
    sure = predicted(SQUARE, 5)
    assert (sure.center, sure.edge) in ((Confidence.HIGH, Confidence.LOW), (Confidence.HIGH, Confidence.MEDIUM))
    assert sure.shares[0] > 0.9
    unsure = predicted(Circle(Point(14.5, 46.0), 20), 100)
    assert (unsure.center, unsure.shares, unsure.average) == (Confidence.LOW, (0.0, 0.0, 1.0), 1.0)


@settings(max_examples=40, deadline=None)
@given(st.floats(-180, 180), st.floats(-80, 80), st.floats(10, 5_000), st.floats(1, 5_000), st.floats(1.05, 10))
def test_a_coarser_fix_is_never_more_sure(
    longitude: float, latitude: float, radius_m: float, accuracy_m: float, by: float
) -> None:
    circle = Circle(Point(longitude, latitude), radius_m)
    fine, coarse = predicted(circle, accuracy_m), predicted(circle, accuracy_m * by)
    assert fine.average >= coarse.average - 1e-9
    assert sum(fine.shares) == pytest.approx(1)
    assert fine.center is not None
    assert (fine.center == Confidence.HIGH) is (accuracy_m <= radius_m)


def test_the_centre_of_a_horseshoe_is_outside() -> None:
    prediction = predicted(HORSESHOE, 10)
    assert prediction.center is None
    assert 0 < prediction.shares[0] < 1


def test_a_sliver_and_the_antimeridian_have_positions_inside() -> None:
    sliver = Polygon(((0.0, 0.0), (1.0, 1e-6), (1.0, 2e-6), (0.0, 1e-6), (0.0, 0.0)))
    assert sum(predicted(sliver, 10).shares) == pytest.approx(1)
    across = Polygon(((179.99, 0.0), (-179.99, 0.0), (-179.99, 0.02), (179.99, 0.02), (179.99, 0.0)))
    assert predicted(across, 10).shares[0] > 0.9
    assert INSIDE >= 50


def test_a_circle_around_a_pole_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="pole"):
        predicted(Circle(Point(0, 89.99), 5_000), 10)


def test_holes_and_other_parts_count_as_they_are() -> None:
    # A lake of nearly the whole square leaves a rim of about 55 m, which 100 m do not fit into.
    lake = ((14.5007, 46.0005), (14.5093, 46.0005), (14.5093, 46.0065), (14.5007, 46.0065), (14.5007, 46.0005))
    assert predicted(Polygon(SQUARE.ring, (lake,)), 100).shares[0] == 0 < predicted(SQUARE, 100).shares[0]
    # A quarter of the area is a part of its own, in which no fix is sure.
    tiny = [((15 + x, 46), (15.0003 + x, 46), (15.0003 + x, 46.0002), (15 + x, 46.0002), (15 + x, 46)) for x in (0, 1)]
    narrow = [((15, 47), (15.35, 47), (15.35, 47.00005), (15, 47.00005), (15, 47))]
    for others in (tiny, narrow):
        shares = predicted(Polygon(SQUARE.ring, others=tuple(map(Part, others))), 10).shares
        assert sum(shares) == pytest.approx(1)
    assert shares[0] == pytest.approx(predicted(SQUARE, 10).shares[0] * 0.8, abs=0.08)


@given(coordinates().map(check_polygon), st.floats(1, 500))
def test_a_prediction_is_about_positions_inside_all_parts(polygon: Polygon, accuracy_m: float) -> None:
    shape, (inside, edge) = shape_of(polygon), _positions(polygon)
    assert all(shape.contains(*each) for each in inside)
    assert all(abs(shape.distance_m(*each)) < 1 for each in edge)
    assert INSIDE / 2 <= len(inside) <= INSIDE * 3
    assert sum(predicted(polygon, accuracy_m).shares) == pytest.approx(1)
