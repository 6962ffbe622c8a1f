"""Routes in Vancouver, whose bridges and busy streets make routes of one cost differ in time."""

from collections.abc import Iterator
from itertools import islice

import pytest

from engine.domain.geometry import Point
from engine.domain.routing import RouteOptions, TravelMode
from engine.routing.local import LocalRouter
from tests.engine.routing.extracts import kept_area
from tests.engine.routing.reference import BareActor, points_in
from tests.shared import SharedData

pytestmark = pytest.mark.slow

OVER_THE_BRIDGE = Point(-123.09923, 49.22201), Point(-123.05166, 49.30403)


@pytest.fixture(scope="module")
def router(shared_data: SharedData) -> Iterator[LocalRouter]:
    made = LocalRouter(kept_area("vancouver", shared_data.extract("vancouver")), limit_s=60)
    yield made
    made.close()
    made.searches.close()


@pytest.fixture(scope="module")
def bare(router: LocalRouter) -> BareActor:
    """A bare actor with Valhalla's own settings."""
    from valhalla import Actor, get_config

    made = BareActor(router.area)
    made.actor = Actor(get_config(tile_extract=str(router.area.roads), tile_dir=""))
    return made


@pytest.mark.timeout(300)
@pytest.mark.parametrize("mode", [TravelMode.CAR, TravelMode.MOTORBIKE])
def test_the_cells_of_a_matrix_of_220_are_the_routes(router: LocalRouter, mode: TravelMode) -> None:
    """Regression test: one cell in fifteen was another route, up to 15 per cent faster or slower."""
    points = points_in(router.area.bounds, seed=1)
    origins, destinations = list(islice(points, 11)), list(islice(points, 20))
    matrix = router.matrix(origins, destinations, RouteOptions(mode=mode))
    checked = 0
    for origin, cells in zip(origins, matrix.rows, strict=True):
        for destination, cell in zip(destinations, cells, strict=True):
            if cell is None:
                continue
            route = router.route(origin, destination, RouteOptions(mode=mode))
            assert route is not None
            assert cell.duration_s == pytest.approx(route.travel.duration_s, rel=0.01, abs=1)
            assert cell.distance_m == pytest.approx(route.travel.distance_m, rel=0.01, abs=5)
            checked += 1
    assert checked > 150


def test_a_route_takes_no_longer_than_with_bare_valhalla(router: LocalRouter, bare: BareActor) -> None:
    """Regression test: a wider search for small roads found a way of a lower cost that took 27 per cent longer."""
    expected = bare.route(*OVER_THE_BRIDGE)
    route = router.route(*OVER_THE_BRIDGE, RouteOptions())
    assert expected is not None
    assert route is not None
    assert route.travel.duration_s <= 1.01 * expected["time"]


@pytest.mark.timeout(300)
def test_routes_of_motorbikes_take_no_longer_than_with_bare_valhalla(router: LocalRouter, bare: BareActor) -> None:
    points = points_in(router.area.bounds, seed=11)
    longer = compared = 0
    for start, end in islice(zip(points, points, strict=False), 200):
        expected = bare.route(start, end, "motorcycle", directions_type="none")
        if expected is None or (route := router.route(start, end, RouteOptions(mode=TravelMode.MOTORBIKE))) is None:
            continue
        compared += 1
        longer += route.travel.duration_s > 1.01 * expected["time"] + 1
    assert compared > 100
    assert longer <= compared // 50
