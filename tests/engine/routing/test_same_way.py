"""Distances between two places are the same in all operations."""

from collections.abc import Iterator
from itertools import islice, product

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.routing import Avoid, Directions, Route, RouteOptions, Travel, TravelMode
from engine.domain.units import Units
from engine.routing.local import LocalRouter
from tests.engine.routing.reference import points_in
from tests.engine.routing.test_real_areas import EVERYWHERE

pytestmark = pytest.mark.slow

BOXES = EVERYWHERE | {"malta": (14.18, 35.81, 14.57, 36.07)}
PAIRS = 170
CAR = RouteOptions()


def pairs(place: str, count: int, seed: int) -> Iterator[tuple[Point, Point]]:
    """Yield pairs anywhere in an area: on and off its roads, on water and in woods."""
    points = points_in(BOXES[place], seed)
    return islice(zip(points, points, strict=False), count)


def apart(one: Travel, other: Travel) -> bool:
    """Return whether two results differ by more than one per cent in distance or time."""
    metres, seconds = abs(one.distance_m - other.distance_m), abs(one.duration_s - other.duration_s)
    return metres > 0.01 * other.distance_m or seconds > 0.01 * other.duration_s


def routed_and_shown(
    router: LocalRouter, start: Point, end: Point, directions: Directions
) -> tuple[Route | None, Route | None]:
    """Return the routes behind a distance and behind directions, or None for both if positions are refused."""
    try:
        shown = router.directions([start, end], directions)
    except InvalidParameter:
        with pytest.raises(InvalidParameter):
            router.route(start, end, directions.options)
        return None, None
    return router.route(start, end, directions.options, directions.units), next(iter(shown), None)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("place", ["heidelberg", "helsinki", "liechtenstein", "porto"])
def test_a_distance_is_that_of_the_way_that_directions_show(router: LocalRouter, place: str) -> None:
    wrong, found = [], 0
    for start, end in pairs(place, PAIRS, seed=31):
        routed, shown = routed_and_shown(router, start, end, Directions(CAR))
        if routed is None or shown is None:
            wrong += [] if routed is shown else [(start, end)]
            continue
        found += 1
        wrong += [(start, end)] if apart(routed.travel, shown.travel) else []
    assert wrong == []
    # The bundled area is small: some of its roads can only be reached from outside.
    assert found > (0.85 if place == "helsinki" else 0.9) * PAIRS


def test_a_short_way_along_tracks_is_found(heidelberg: LocalRouter) -> None:
    """A route of 1,420 m along tracks; 3,799 m around the fields were returned before."""
    start, end = Point(8.673528, 49.429111), Point(8.663455, 49.43933)
    routed, shown = routed_and_shown(heidelberg, start, end, Directions(CAR))
    assert routed is not None
    assert shown is not None
    assert routed.travel == shown.travel
    assert routed.travel.distance_m == pytest.approx(1_420, abs=2)
    assert routed.line == shown.line
    ((cell,),) = heidelberg.matrix([start], [end], CAR).rows
    assert cell is not None
    assert not apart(cell, routed.travel)


@pytest.mark.parametrize("mode", TravelMode)
@pytest.mark.parametrize("place", ["helsinki", "lower_manhattan", "malta", "heidelberg"])
def test_by_every_mode(router: LocalRouter, place: str, mode: TravelMode) -> None:
    for units in Units:
        for start, end in pairs(place, 15, seed=32):
            routed, shown = routed_and_shown(router, start, end, Directions(RouteOptions(mode=mode), units=units))
            assert (routed and routed.travel) == (shown and shown.travel), (start, end)


@pytest.mark.parametrize("avoided", [Avoid.TOLLS, Avoid.HIGHWAYS, Avoid.FERRIES])
def test_while_something_is_avoided(porto: LocalRouter, avoided: Avoid) -> None:
    query = Directions(RouteOptions(avoid=frozenset({avoided})))
    for start, end in pairs("porto", 15, seed=33):
        routed, shown = routed_and_shown(porto, start, end, query)
        assert (routed and routed.travel) == (shown and shown.travel), (start, end)


def test_alternatives_begin_with_the_same_way(porto: LocalRouter) -> None:
    several = 0
    for start, end in pairs("porto", 40, seed=34):
        routed = porto.route(start, end, CAR)
        shown = porto.directions([start, end], Directions(CAR, units=Units.METRIC, alternatives=True))
        assert routed is not None
        assert routed.travel == shown[0].travel, (start, end)
        assert len({way.line for way in shown}) == len(shown) <= 3
        several += len(shown) > 1
    assert several > 10


@pytest.mark.parametrize("mode", TravelMode)
@pytest.mark.parametrize("place", ["helsinki", "malta"])
def test_a_small_matrix_contains_the_same(router: LocalRouter, place: str, mode: TravelMode) -> None:
    points, options = on_land(router, place, seed=35), RouteOptions(mode=mode)
    origins, destinations = list(islice(points, 4)), list(islice(points, 5))
    rows = router.matrix(origins, destinations, options).rows
    for (row, origin), (column, destination) in product(enumerate(origins), enumerate(destinations)):
        routed = router.route(origin, destination, options)
        assert rows[row][column] == (routed and routed.travel), (origin, destination)


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("place", "mode", "share"),
    [
        ("heidelberg", TravelMode.CAR, 0.01),
        ("liechtenstein", TravelMode.CAR, 0.01),
        ("porto", TravelMode.CAR, 0.01),
        ("helsinki", TravelMode.MOTORBIKE, 0.01),
        ("porto", TravelMode.TRUCK, 0.02),
        ("lower_manhattan", TravelMode.BIKE, 0.01),
        # Its islands are reached by several ferries that are about equally good.
        ("malta", TravelMode.CAR, 0.06),
    ],
)
def test_a_large_matrix_contains_nearly_always_the_same(
    router: LocalRouter, place: str, mode: TravelMode, share: float
) -> None:
    """Large matrices use another algorithm, which may return the other of two routes that are about equally good."""
    points, options = on_land(router, place, seed=35), RouteOptions(mode=mode)
    origins, destinations = list(islice(points, 15)), list(islice(points, 20))
    rows = router.matrix(origins, destinations, options).rows
    found = wrong = 0
    for (row, origin), (column, destination) in product(enumerate(origins), enumerate(destinations)):
        cell, routed = rows[row][column], router.route(origin, destination, options)
        assert (cell is None) == (routed is None), (origin, destination)
        if cell is not None and routed is not None:
            found += 1
            wrong += apart(cell, routed.travel) and cell.duration_s != int(routed.travel.duration_s)
    assert found > 100
    assert wrong <= share * found


def on_land(router: LocalRouter, place: str, seed: int) -> Iterator[Point]:
    """Yield positions near roads."""
    for point in points_in(BOXES[place], seed):
        if None not in router.distances_to_roads([point], TravelMode.CAR):
            yield point
