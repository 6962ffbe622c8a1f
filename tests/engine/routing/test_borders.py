"""Avoiding borders: a road around a small country, or through it if there is no other."""

from collections.abc import Iterator

import pytest

from engine.domain.routing import Avoid, Directions, Route, RouteOptions, TravelMode
from engine.routing.local import LocalRouter, Searches
from tests.engine.routing.extracts import border_area
from tests.engine.routing.town import at

WEST, EAST, ABROAD = at(-900, 0), at(900, 0), at(0, -150)


@pytest.fixture(scope="module")
def border(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalRouter]:
    """A router at a border."""
    router = LocalRouter(border_area(tmp_path_factory.mktemp("border")), searches=Searches(1))
    yield router
    router.close()


def options(mode: TravelMode, *avoided: Avoid) -> RouteOptions:
    return RouteOptions(mode=mode, avoid=frozenset(avoided))


def streets(routes: tuple[Route, ...]) -> set[str]:
    return {step.street_name for leg in routes[0].legs for step in leg.steps if step.street_name}


@pytest.mark.parametrize("mode", TravelMode)
def test_a_border_is_crossed_unless_it_is_to_be_avoided(border: LocalRouter, mode: TravelMode) -> None:
    usual = border.directions([WEST, EAST], Directions(options(mode)))
    home = border.directions([WEST, EAST], Directions(options(mode, Avoid.BORDER_CROSSINGS)))
    assert streets(usual) == {"Straight Road"}
    assert streets(home) == {"Straight Road", "Long Road"}
    within = (at(-150, 0).longitude, at(150, 0).longitude)
    assert not any(within[0] <= x <= within[1] and y < at(0, 300).latitude for x, y in home[0].line)


@pytest.mark.parametrize("mode", [TravelMode.CAR, TravelMode.FOOT])
def test_a_distance_keeps_away_from_borders_too(border: LocalRouter, mode: TravelMode) -> None:
    usual = border.route(WEST, EAST, options(mode))
    home = border.route(WEST, EAST, options(mode, Avoid.BORDER_CROSSINGS, Avoid.TOLLS))
    assert usual is not None
    assert home is not None
    assert usual.travel.distance_m == pytest.approx(1_800, abs=5)
    assert home.travel.distance_m == pytest.approx(4_000, abs=300)
    assert max(y for _, y in home.line) > 50.008


@pytest.mark.parametrize("mode", TravelMode)
def test_a_border_is_crossed_if_every_way_crosses_it(border: LocalRouter, mode: TravelMode) -> None:
    home = options(mode, Avoid.BORDER_CROSSINGS)
    abroad = border.directions([WEST, ABROAD], Directions(home))
    assert streets(abroad) >= {"Foreign Lane"}
    found = border.route(WEST, ABROAD, home)
    assert found is not None
    assert found.travel.distance_m == pytest.approx(1_050, abs=5)
    assert found.travel.duration_s == pytest.approx(abroad[0].travel.duration_s, abs=2), "no time is spent at a border"
