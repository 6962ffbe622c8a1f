"""The remaining part of a route, from any position of a device."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.geometry import Point
from engine.domain.routing import Leg, Route, Step, Travel
from engine.geo.earth import distance_m
from engine.trips.way import Way

EAST = [(8.0 + 0.001 * n, 50.0) for n in range(11)]
"""A line of about 717 metres due east."""

LENGTH = distance_m(8.0, 50.0, 8.01, 50.0)


def leg(line: list[tuple[float, float]], duration_s: float, *steps: tuple[float, float]) -> Leg:
    length = sum(distance_m(*a, *b) for a, b in pairwise(line))
    travels = [Travel(length * share, seconds) for share, seconds in steps]
    made = tuple(Step(travel, (), 0, 0, "", "", "", "", "") for travel in travels)
    return Leg(Point(*line[0]), Point(*line[-1]), Travel(length, duration_s), tuple(line), made)


def way(*legs: Leg) -> Way:
    line = [position for each in legs for position in each.line]
    travel = Travel(sum(each.travel.distance_m for each in legs), sum(each.travel.duration_s for each in legs))
    return Way(Route(travel, tuple(line), legs))


def test_half_way_half_is_left() -> None:
    made = way(leg(EAST, 100))
    (eta,) = made.etas(made.progress(Point(8.005, 50.0)))
    assert eta.distance_m == pytest.approx(LENGTH / 2, rel=0.01)
    assert eta.duration_s == pytest.approx(50, rel=0.01)
    assert eta.is_routed


def test_slow_stretches_take_their_time() -> None:
    made = way(leg(EAST, 100, (0.5, 10), (0.5, 90)))
    (eta,) = made.etas(made.progress(Point(8.005, 50.0)))
    assert eta.duration_s == pytest.approx(90, rel=0.02)


def test_each_destination_ahead_has_its_own() -> None:
    made = way(leg(EAST[:6], 60), leg(EAST[5:], 40))
    first, second = made.etas(made.progress(Point(8.0025, 50.0)))
    assert first.duration_s == pytest.approx(30, rel=0.02)
    assert second.duration_s == pytest.approx(70, rel=0.02)
    behind, last = made.etas(made.progress(Point(8.0075, 50.0)))
    assert behind.duration_s == 0
    assert last.duration_s == pytest.approx(20, rel=0.02)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(-20, 20)), min_size=2, max_size=20))
def test_the_remainder_shrinks_going_forward_despite_the_noise_beside_the_way(
    places: list[tuple[float, float]],
) -> None:
    made, along = way(leg(EAST, 100)), 0.0
    left = []
    for share, beside_m in sorted(places):
        progress = made.progress(Point(8.0 + 0.01 * share, 50.0 + beside_m / 111_000), along)
        along = progress.along_m
        assert progress.off_m == pytest.approx(abs(beside_m), abs=1)
        left.append(made.etas(progress)[0].duration_s)
    assert all(after <= before + 0.1 for before, after in pairwise(left))


def test_a_way_that_comes_back_is_followed_in_order() -> None:
    there_and_back = [*EAST, *[(longitude, 50.00005) for longitude, _ in reversed(EAST)]]
    made = way(leg(there_and_back, 200))
    going = made.progress(Point(8.002, 50.00003), 100)
    assert going.along_m == pytest.approx(LENGTH * 0.2, rel=0.02)
    returning = made.progress(Point(8.002, 50.00001), LENGTH * 1.7)
    assert returning.along_m == pytest.approx(LENGTH * 1.8, rel=0.02)


def test_a_shortcut_is_seen_from_far_behind() -> None:
    made = way(leg(EAST, 100))
    assert made.progress(Point(8.0098, 50.0), 0).along_m == pytest.approx(LENGTH * 0.98, rel=0.01)


def test_a_device_that_appears_elsewhere_on_a_long_way_continues_from_there() -> None:
    far = [(8.0 + 0.001 * n, 50.0) for n in range(301)]
    made, length = way(leg(far, 1_000)), distance_m(8.0, 50.0, 8.3, 50.0)
    assert made.progress(Point(8.25, 50.0), 1_000).along_m == pytest.approx(length * 25 / 30, rel=0.01)
    assert made.progress(Point(8.01, 50.0), length * 0.9).along_m == pytest.approx(length / 30, rel=0.01)
    # Far beside it, the way is as near elsewhere as here.
    off = made.progress(Point(8.101, 50.01), length / 3)
    assert off.along_m == pytest.approx(length * 10.1 / 30, rel=0.01)
    assert off.off_m == pytest.approx(1_112, rel=0.01)


def test_a_device_that_drove_back_is_found_where_it_is() -> None:
    made = way(leg([(8.0 + 0.001 * n, 50.0) for n in range(101)], 1_000))
    assert made.progress(Point(8.005, 50.0), 9 * LENGTH).along_m == pytest.approx(LENGTH * 0.5, rel=0.01)
    beside = made.progress(Point(8.09, 50.0002), 9 * LENGTH)
    assert beside.along_m == pytest.approx(9 * LENGTH, rel=0.01)
    assert beside.off_m == pytest.approx(22, abs=1)


@pytest.mark.parametrize("line", [[(8.0, 50.0)], [(8.0, 50.0), (8.0, 50.0)]])
def test_a_way_without_length(line: list[tuple[float, float]]) -> None:
    made = way(leg(line, 0))
    (eta,) = made.etas(made.progress(Point(8.001, 50.0), 5_000))
    assert (eta.distance_m, eta.duration_s) == (0, 0)
