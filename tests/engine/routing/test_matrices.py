"""Matrices with positions that have no road near them."""

import orjson
import pytest

from engine.domain.area import Area
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.routing import RouteOptions, TravelMode
from engine.routing.actors import EXACT_MATRIX
from engine.routing.asking import costing_of, matrix_request
from engine.routing.local import LocalRouter
from engine.routing.process.client import Order, RoutingProcess
from engine.routing.service import NO_ROADS_NEAR, Refused
from tests.engine.routing.town import at

ON_ROADS = (at(0, 0), at(0, 600), at(-500, 0))
NEAR_NONE = (at(0, 20_000), at(900, 22_000), at(0, 18_000))


@pytest.mark.parametrize("mode", [TravelMode.FOOT, TravelMode.BIKE])
@pytest.mark.parametrize(("sources", "targets"), [(ON_ROADS, (*NEAR_NONE, *ON_ROADS)), (NEAR_NONE, ON_ROADS)])
def test_an_exact_matrix_with_a_position_near_no_road_is_refused_and_crashes_nothing(
    town_roads: Area, mode: TravelMode, sources: tuple[Point, ...], targets: tuple[Point, ...]
) -> None:
    process = RoutingProcess(1)
    tool, order = process.tool(), Order(str(town_roads.roads), EXACT_MATRIX)
    for _ in range(20):  # Valhalla reads uninitialized memory
        with pytest.raises(Refused) as refused:
            tool(order, orjson.dumps(matrix_request(sources, targets, costing_of(mode))).decode())
        assert refused.value.code in NO_ROADS_NEAR
    tool(order, orjson.dumps(matrix_request(ON_ROADS, ON_ROADS, costing_of(mode))).decode())
    tool.close()


@pytest.mark.parametrize("mode", TravelMode)
def test_positions_near_no_road_leave_the_cells_of_the_others(town: LocalRouter, mode: TravelMode) -> None:
    options = RouteOptions(mode=mode)
    known = town.matrix(ON_ROADS, ON_ROADS, options)
    assert all(None not in row for row in known.rows)
    mixed = (NEAR_NONE[0], ON_ROADS[0], NEAR_NONE[1], ON_ROADS[1], ON_ROADS[2], NEAR_NONE[2])
    found = town.matrix(mixed, (NEAR_NONE[0], *ON_ROADS), options)
    assert [row[1:] for row in found.rows if row[1:] != (None,) * 3] == list(known.rows)
    assert [row[0] for row in found.rows] == [None] * 6
    assert found.rows[0] == found.rows[2] == found.rows[5] == (None,) * 4
    assert found.origins == (mixed[0], known.origins[0], mixed[2], known.origins[1], known.origins[2], mixed[5])
    assert found.destinations == (NEAR_NONE[0], *known.destinations)
    assert [sentence.split(" (")[0] for sentence in found.off_road] == [
        "origins: item 1",
        "origins: item 3",
        "origins: item 6",
        "destinations: item 1",
    ]


@pytest.mark.parametrize("mode", TravelMode)
def test_without_any_road_the_first_item_is_named(town: LocalRouter, mode: TravelMode) -> None:
    options = RouteOptions(mode=mode)
    with pytest.raises(InvalidParameter, match="item 1 ") as error:
        town.matrix(ON_ROADS, NEAR_NONE, options)
    assert error.value.param == "destinations"
    with pytest.raises(InvalidParameter, match="item 2 ") as error:
        town.optimize((ON_ROADS[0], NEAR_NONE[0], ON_ROADS[1]), options)
    assert error.value.param == "locations"
