"""Routes through the made-up town: wording, one-ways, closed roads, tolls, ferries, unreachable places."""

from datetime import timedelta

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.routing import (
    Avoid,
    Directions,
    Fixed,
    Language,
    RoadClass,
    Route,
    RouteOptions,
    TravelMode,
)
from engine.domain.units import Units
from engine.geo.earth import distance_m
from engine.routing.answering import WORDS
from engine.routing.local import LocalRouter, Searches
from tests.engine.fixtures import NOON
from tests.engine.routing.town import LATITUDE, at

NO_TOLLS = RouteOptions(avoid=frozenset({Avoid.TOLLS}))
NO_FERRIES = RouteOptions(avoid=frozenset({Avoid.FERRIES}))


def first(
    router: LocalRouter, *places: Point, options: RouteOptions | None = None, heading: float | None = None
) -> Route:
    query = Directions(options or NO_TOLLS, units=Units.METRIC, heading=heading)
    return router.directions(places, query)[0]


def words(route: Route) -> list[str]:
    return [step.maneuver for leg in route.legs for step in leg.steps]


def streets(route: Route) -> list[str]:
    return [step.street_name for leg in route.legs for step in leg.steps if step.street_name]


def test_turns_and_their_wording(town: LocalRouter) -> None:
    route = first(town, at(-500, 0), at(900, 600))
    assert words(route) == ["start", "left", "right", "destination"]
    start, left, right, end = route.legs[0].steps
    assert start.instruction == "Drive east on Main Street."
    assert (start.street_name, start.banner) == ("Main Street", "Main Street")
    assert (left.instruction, left.bearing_before, left.bearing_after) == ("Turn left onto Second Avenue.", 90, 0)
    assert left.voice == "Turn left onto Second Avenue."
    assert right.instruction == "Turn right onto North Street."
    assert end.instruction == "You have arrived at your destination."
    assert end.travel.distance_m == 0
    assert [step.exit_name for step in route.legs[0].steps] == [None] * 4


def test_steps_are_the_leg(town: LocalRouter) -> None:
    leg = first(town, at(-500, 0), at(900, 600)).legs[0]
    joined = [leg.steps[0].line[0]]
    for step in leg.steps:
        assert step.line[0] == joined[-1]
        joined += step.line[1:]
    assert tuple(joined) == leg.line
    assert sum(step.travel.distance_m for step in leg.steps) == pytest.approx(leg.travel.distance_m, abs=3)
    assert sum(step.travel.duration_s for step in leg.steps) == pytest.approx(leg.travel.duration_s, abs=3)


def test_legs_are_the_route(town: LocalRouter) -> None:
    route = first(town, at(-500, 0), at(0, 400), at(900, 600))
    assert len(route.legs) == 2
    assert words(route).count("start") == 2
    assert route.line == route.legs[0].line + route.legs[1].line[1:]
    assert route.travel.distance_m == pytest.approx(sum(leg.travel.distance_m for leg in route.legs), abs=2)


def test_an_exit_has_its_number_and_destination(town: LocalRouter) -> None:
    route = first(town, at(-1500, -1000), at(0, -400))
    assert words(route) == ["start", "exit-right", "left", "destination"]
    ramp = route.legs[0].steps[1]
    assert (ramp.exit_name, ramp.banner) == ("12", "Town")
    assert ramp.instruction == "Take exit 12 on the right toward Town."


def test_a_roundabout(town: LocalRouter) -> None:
    route = first(town, at(-500, 0), at(500, 250))
    assert words(route) == ["start", "roundabout-enter", "roundabout-exit", "destination"]
    assert "2nd exit onto Garden Lane" in route.legs[0].steps[1].instruction


def test_a_one_way_street_is_used_one_way(town: LocalRouter) -> None:
    up, down = first(town, at(200, 100), at(200, 500)), first(town, at(200, 500), at(200, 100))
    assert up.travel.distance_m == pytest.approx(400, abs=3)
    assert down.travel.distance_m == pytest.approx(1_200, abs=3)
    assert streets(down) == ["Second Avenue", "North Street", "First Avenue", "Main Street", "Second Avenue"]
    on_foot = town.route(at(200, 500), at(200, 100), RouteOptions(mode=TravelMode.FOOT))
    assert on_foot is not None
    assert on_foot.travel.distance_m == pytest.approx(400, abs=3)


@pytest.mark.parametrize("mode", TravelMode)
def test_a_closed_road_is_closed_for_all(town: LocalRouter, mode: TravelMode) -> None:
    route = town.route(at(400, 100), at(400, 500), RouteOptions(mode=mode))
    assert route is not None
    assert route.travel.distance_m == pytest.approx(1_000, abs=5)
    assert all(distance_m(*position, *_degrees(400, 300)) > 90 for position in route.line)


def _degrees(east: float, north: float) -> tuple[float, float]:
    point = at(east, north)
    return point.longitude, point.latitude


def test_tolls_are_avoided(town: LocalRouter) -> None:
    assert "Bypass" in streets(first(town, at(-550, 0), at(950, 0), options=RouteOptions()))
    assert "Bypass" not in streets(first(town, at(-550, 0), at(950, 0)))


def test_without_another_way_avoided_roads_are_taken(town: LocalRouter) -> None:
    route = first(town, at(-500, 0), at(2_900, 800), options=NO_FERRIES)
    assert "ferry-enter" in words(route)
    assert "Island Ferry" in streets(route)
    to_bypass = town.matrix([at(-500, 0)], [at(200, -200), at(2_900, 800)], NO_TOLLS).rows
    assert None not in to_bypass[0]


def test_a_heading_turns_the_start(town: LocalRouter) -> None:
    east, west = (first(town, at(100, 0), at(-100, 0), heading=heading) for heading in (90, 270))
    assert streets(east)[1:2] == ["Old Circle"]
    assert west.travel.distance_m == pytest.approx(200, abs=2)


def test_alternatives_are_other_ways(town: LocalRouter) -> None:
    routes = town.directions([at(-550, 0), at(950, 600)], Directions(RouteOptions(), alternatives=True))
    assert len(routes) > 1
    assert len({route.line for route in routes}) == len(routes)
    assert routes[0].travel.duration_s == min(route.travel.duration_s for route in routes)


@pytest.mark.parametrize(
    ("language", "left"),
    [
        (Language.GERMAN, "Links auf Second Avenue abbiegen."),
        (Language.ENGLISH, "Turn left onto Second Avenue."),
        (Language.SPANISH, "Gire a la izquierda hacia Second Avenue."),
        (Language.FRENCH, "Tournez à gauche dans Second Avenue."),
        (Language.JAPANESE, "左方向です。その先Second Avenueです。"),
        (Language.KOREAN, "Second Avenue에서 좌회전"),
        (Language.PORTUGUESE, "Vire à esquerda em direção à Second Avenue."),
        (Language.RUSSIAN, "Поверните налево на Second Avenue."),
    ],
)
def test_languages(town: LocalRouter, language: Language, left: str) -> None:
    route = town.directions([at(-500, 0), at(900, 600)], Directions(NO_TOLLS, language=language))[0]
    assert route.legs[0].steps[1].instruction == left


def test_distances_are_spoken_in_the_requested_units(town: LocalRouter) -> None:
    spoken = {}
    for units in Units:
        route = town.directions([at(100, 0), at(-100, 0)], Directions(NO_TOLLS, units=units))[0]
        spoken[units] = route.legs[0].steps[0].voice
        assert route.travel.distance_m == pytest.approx(200, abs=2)
    assert "meters" in spoken[Units.METRIC]
    assert "feet" in spoken[Units.IMPERIAL]


def test_words_are_the_specifications() -> None:
    seen = "start left right stay-left stay-right ramp-left exit-right exit-left destination destination-right"
    assert set(seen.split()) <= WORDS
    assert len(WORDS) == 40


def test_unreachable_destinations(town: LocalRouter) -> None:
    assert town.route(at(0, 0), at(100, -3000), RouteOptions()) is None
    assert town.directions([at(0, 0), at(100, -3000)], Directions(RouteOptions())) == ()
    rows = town.matrix([at(0, 0), at(0, -3000)], [at(0, 600), at(300, -3000)], RouteOptions()).rows
    assert [[cell is None for cell in row] for row in rows] == [[False, True], [True, False]]


def test_an_unreachable_stop_is_named(town: LocalRouter) -> None:
    with pytest.raises(InvalidParameter, match=r"locations: item 3 cannot be reached"):
        town.optimize([at(0, 0), at(0, 600), at(0, -3000), at(100, 600)], RouteOptions())


def test_the_best_order_of_stops(town: LocalRouter) -> None:
    stops = [at(-550, 0), at(900, 600), at(-600, 300), at(400, 600), at(1000, 200)]
    route = town.optimize(stops, NO_TOLLS)
    assert [(leg.start_index, leg.end_index) for leg in route.legs] == [(0, 2), (2, 3), (3, 1), (1, 4)]
    assert route.travel.duration_s == pytest.approx(sum(leg.leg.travel.duration_s for leg in route.legs), abs=1)


@pytest.mark.parametrize(
    ("place", "param"), [(Point(20, 20), "destination"), (at(0, -30_000), "destination"), (Point(0, 90), "destination")]
)
def test_positions_without_data_are_named(town: LocalRouter, place: Point, param: str) -> None:
    options = RouteOptions()
    with pytest.raises(InvalidParameter, match="town") as error:
        town.route(at(0, 0), place, options)
    assert error.value.param == param
    with pytest.raises(InvalidParameter, match="destinations"):
        town.matrix([at(0, 0)], [place], options)
    (cells,) = town.matrix([at(0, 0)], [at(0, 100), place], options).rows
    assert [cell is None for cell in cells] == [False, True]
    with pytest.raises(InvalidParameter, match="item 2"):
        town.directions([at(0, 0), place], Directions(options))
    with pytest.raises(InvalidParameter, match="locations: item 3"):
        town.optimize([at(0, 0), at(0, 100), place], options)
    with pytest.raises(InvalidParameter, match="path"):
        town.match([Fixed(place), Fixed(place)], TravelMode.CAR)
    with pytest.raises(InvalidParameter, match="near"):
        town.isochrones(place, [5], TravelMode.CAR, "near")


def test_a_match_names_the_roads(town: LocalRouter) -> None:
    match = town.match([Fixed(at(x, 4)) for x in range(-500, 300, 60)], TravelMode.CAR)
    assert [point.original_index for point in match.points] == list(range(14))
    assert all(abs(point.point.latitude - LATITUDE) < 1e-6 for point in match.points)
    assert match.distance_m == pytest.approx(780, abs=8)
    assert {road.names for road in match.roads} == {("Main Street",)}
    assert {road.road_class for road in match.roads} == {RoadClass.SECONDARY}
    assert match.roads[0].speed_limit_mps == pytest.approx(50 / 3.6)
    assert match.roads[0].original_index == 0
    assert match.roads[-1].end == Point(*match.line[-1])


@pytest.mark.parametrize("step_s", [0.0, 0.4, -1.0])
def test_times_without_an_order_lose_no_part_of_a_path(town: LocalRouter, step_s: float) -> None:
    places = [at(x, 4) for x in range(-500, 300, 20)]
    times = [NOON + timedelta(seconds=int(step_s * index)) for index in range(len(places))]
    match = town.match([Fixed(place, time) for place, time in zip(places, times, strict=True)], TravelMode.CAR)
    assert match == town.match([Fixed(place) for place in places], TravelMode.CAR)
    assert match.distance_m == pytest.approx(780, abs=8)


def test_a_match_goes_on_after_a_gap(town: LocalRouter) -> None:
    path = [Fixed(at(x, 3)) for x in range(-550, -300, 50)] + [Fixed(at(x, -3_003)) for x in range(10, 390, 50)]
    match = town.match(path, TravelMode.CAR)
    assert [point.original_index for point in match.points] == list(range(len(path)))
    assert {road.names for road in match.roads} == {("Main Street",), ("Lonely Lane",)}
    assert match.roads[-1].original_index == 5
    assert match.distance_m == pytest.approx(200 + 350, abs=10)


def test_a_match_skips_points_on_no_road(town: LocalRouter) -> None:
    path = [Fixed(at(x, -1_800)) for x in range(0, 300, 50)] + [Fixed(at(x, 3)) for x in range(-550, -300, 50)]
    match = town.match(path, TravelMode.CAR)
    assert [point.original_index for point in match.points] == [6, 7, 8, 9, 10]


def _away_m(position: tuple[float, float]) -> float:
    return distance_m(*position, *_degrees(0, 300))


def test_an_isochrone_surrounds_nearby_places(town: LocalRouter) -> None:
    short, long = town.isochrones(at(0, 300), [2, 5], TravelMode.FOOT).bands
    far = [max(_away_m(position) for position in rings[0]) for rings in (short, long)]
    assert 160 < far[0] < 220
    assert 390 < far[1] < 480


def test_an_isochrone_is_about_arriving(town: LocalRouter) -> None:
    """Second Avenue only leads north: by car its north end is reached from the south, but not vice versa."""
    ring = town.isochrones(at(200, 590), [0.9], TravelMode.CAR).bands[0][0]
    assert min(y for _, y in ring) < at(0, 250).latitude


def test_searches_and_their_process_start_when_needed(town: LocalRouter) -> None:
    fresh = LocalRouter(town.area, searches=Searches(1))
    searches = fresh.searches
    assert (searches.size, searches.pid, searches.memory_bytes) == (0, None, 0)
    fresh.route(at(0, 0), at(0, 600), RouteOptions())
    assert searches.size == 1
    fresh.matrix([at(0, 0)], [at(0, 600), at(0, 300)], RouteOptions())
    fresh.isochrones(at(0, 0), [1], TravelMode.FOOT)
    assert searches.size == 3
    assert searches.memory_bytes > 0
    fresh.close()
    assert (searches.size, searches.pid, searches.memory_bytes) == (0, None, 0)


def test_the_time_of_departure_changes_nothing_over_an_area(town: LocalRouter) -> None:
    places = [at(-500, 0), at(900, 600), at(0, 300)]
    for options in (RouteOptions(departure=NOON), RouteOptions(departure=NOON + timedelta(hours=12))):
        assert town.route(places[0], places[1], options) == town.route(places[0], places[1], RouteOptions())
        assert town.matrix(places, places, options) == town.matrix(places, places, RouteOptions())
        assert town.directions(places, Directions(options)) == town.directions(places, Directions(RouteOptions()))
