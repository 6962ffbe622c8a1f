"""Routes in real extracts, compared with a bare actor: tolls, ferries, matrices, matches, isochrones."""

from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice, product
from random import Random

import orjson
import pytest
import shapely
from shapely.geometry import shape

from engine.domain.geometry import MAX_RING_POSITIONS, Point
from engine.domain.routing import Avoid, Directions, RouteOptions, Travel, TravelMode
from engine.routing.asking import costing_of, locations_of
from engine.routing.local import LocalRouter, Searches
from engine.routing.polylines import decode_polyline, encode_polylines
from tests.engine.routing.reference import BareActor, drive, points_in, ways_of

pytestmark = pytest.mark.slow

PORTO_REGION = (-8.70, 41.10, -8.50, 41.25)
PORTO = (-8.66, 41.135, -8.58, 41.17)
VALLEY = (9.49, 47.06, 9.56, 47.25)
EVERYWHERE = {
    "heidelberg": (8.60, 49.36, 8.76, 49.46),
    "liechtenstein": (9.48, 47.05, 9.63, 47.27),
    "porto": PORTO_REGION,
    "helsinki": (24.938, 60.167, 24.949, 60.176),
    "lower_manhattan": (-74.03, 40.696, -73.969, 40.729),
}
"""Boxes where the extracts have roads, including positions beside the roads and at their ends."""

VALLETTA, VICTORIA = Point(14.5146, 35.8989), Point(14.2512, 36.0443)
TOLL_PAIRS = 60


@pytest.fixture(scope="module")
def porto_bare(porto: LocalRouter) -> BareActor:
    """A bare actor in Porto."""
    return BareActor(porto.area)


@pytest.fixture(scope="module")
def valley_bare(liechtenstein: LocalRouter) -> BareActor:
    """A bare actor in Liechtenstein."""
    return BareActor(liechtenstein.area)


def test_no_toll_is_paid_if_it_can_be_avoided(porto: LocalRouter, porto_bare: BareActor) -> None:
    west, south, east, north = porto.area.bounds
    points = points_in((west, south, east, north), seed=4)
    avoiding = RouteOptions(avoid=frozenset({Avoid.TOLLS}))
    checked = 0
    for start, end in islice(zip(points, points, strict=False), 4_000):
        usual = porto_bare.route(start, end, directions_type="none")
        if usual is None or not usual["has_toll"]:
            continue
        route = porto.route(start, end, avoiding)
        if route is None or not _free_way_exists(porto_bare, start, end):
            continue
        edges = porto_bare.edges(*encode_polylines([route.line]))
        if edges[0].get("toll") or edges[-1].get("toll"):  # a start or end on a toll road makes it unavoidable
            continue
        assert not any(edge.get("toll") for edge in edges), (start, end)
        checked += 1
        if checked == TOLL_PAIRS:
            break
    assert checked == TOLL_PAIRS


def _free_way_exists(bare: BareActor, start: Point, end: Point) -> bool:
    options = {"auto": {"exclude_tolls": True}}
    return bare.route(start, end, costing_options=options, directions_type="none") is not None


@pytest.mark.parametrize("mode", TravelMode)
def test_ferries_are_taken_between_islands_only(malta: LocalRouter, mode: TravelMode) -> None:
    dry = RouteOptions(mode=mode, avoid=frozenset({Avoid.FERRIES}))
    over = malta.directions([VALLETTA, VICTORIA], Directions(dry))
    assert "ferry-enter" in [step.maneuver for step in over[0].legs[0].steps]
    across = Point(14.5020, 35.9130)
    around = malta.directions([VALLETTA, across], Directions(dry))
    assert "ferry-enter" not in [step.maneuver for step in around[0].legs[0].steps]


@pytest.mark.parametrize("mode", TravelMode)
@pytest.mark.parametrize("place", EVERYWHERE)
def test_a_cell_equals_the_route_of_its_pair(router: LocalRouter, place: str, mode: TravelMode) -> None:
    """Positions anywhere in the extracts, including cut-off edges, water and private roads."""
    options = RouteOptions(mode=mode)
    places = points_in(EVERYWHERE[place], seed=21)
    origins, destinations = list(islice(places, 6)), list(islice(places, 7))
    rows = router.matrix(origins, destinations, options).rows
    found = 0
    for (origin, destination), cell in zip(product(origins, destinations), chain(*rows), strict=True):
        route = router.route(origin, destination, options)
        assert (cell is None) == (route is None), (origin, destination)
        if cell is not None and route is not None:
            found += 1
            assert not _apart(cell, route.travel), (origin, destination)
    assert found > 12


def _apart(one: Travel, other: Travel) -> bool:
    """Return whether two results differ: by more than 3 seconds or 30 metres, and more than one per cent."""
    seconds, metres = abs(one.duration_s - other.duration_s), abs(one.distance_m - other.distance_m)
    return seconds > max(3, 0.01 * other.duration_s) or metres > max(30, 0.01 * other.distance_m)


@pytest.mark.parametrize("mode", TravelMode)
def test_directions_lead_along_the_way_whose_length_is_returned(lower_manhattan: LocalRouter, mode: TravelMode) -> None:
    options = RouteOptions(mode=mode)
    places = points_in(EVERYWHERE["lower_manhattan"], seed=5)
    ways = 0
    for start, end in islice(zip(places, places, strict=False), 40):
        found = lower_manhattan.route(start, end, options)
        shown = lower_manhattan.directions([start, end], Directions(options))
        if found is None:
            continue
        ways += 1
        assert shown
        assert found.line[0] == pytest.approx(shown[0].line[0], abs=2e-6)
        assert found.line[-1] == pytest.approx(shown[0].line[-1], abs=2e-6)
        assert not _apart(found.travel, shown[0].travel)
    assert ways > 25


@pytest.mark.parametrize("avoided", [Avoid.TOLLS, Avoid.HIGHWAYS])
def test_a_cell_equals_the_route_that_avoids_the_same(porto: LocalRouter, avoided: Avoid) -> None:
    places = list(islice(points_in(PORTO, seed=9), 12))
    options = RouteOptions(avoid=frozenset({avoided}))
    rows = porto.matrix(places[:6], places[6:], options).rows
    for origin, row in zip(places[:6], rows, strict=True):
        for destination, cell in zip(places[6:], row, strict=True):
            route = porto.route(origin, destination, options)
            assert (cell is None) == (route is None)
            if cell is not None and route is not None:
                assert cell.duration_s == pytest.approx(route.travel.duration_s, abs=3, rel=0.01)


def test_the_ways_of_a_noisy_drive_are_found(valley_bare: BareActor, liechtenstein: LocalRouter) -> None:
    """Recall of ways over drives with 8 m of noise, a position every 5 seconds."""
    random = Random(11)
    points = points_in(VALLEY, seed=12)
    found = driven = 0
    for _ in range(12):
        route = None
        while route is None or route["length"] < 3:
            route = valley_bare.route(next(points), next(points))
        speed = 1000 * route["length"] / route["time"]
        line = decode_polyline(route["shape"])
        match = liechtenstein.match(drive(line, speed, 5, 8, random), TravelMode.CAR)
        truth = ways_of(valley_bare.edges(route["shape"]))
        matched = ways_of(valley_bare.edges(encode_polylines([match.line])[0], "walk_or_snap"))
        found += len(truth & matched)
        driven += len(truth)
        assert match.distance_m == pytest.approx(1000 * route["length"], rel=0.08)
    assert found / driven >= 0.93


@pytest.mark.parametrize("mode", TravelMode)
def test_isochrones_are_valid_and_grow(liechtenstein: LocalRouter, porto: LocalRouter, mode: TravelMode) -> None:
    minutes = [5, 10, 15, 30]
    for router, box in ((liechtenstein, VALLEY), (porto, PORTO)):
        for center in islice(points_in(box, seed=3), 5):
            bands = router.isochrones(center, minutes, mode).bands
            largest = [shapely.Polygon(rings[0]) for rings in bands]
            assert all(polygon.is_valid and not polygon.is_empty for polygon in largest)
            assert all(ring[0] == ring[-1] and len(ring) <= MAX_RING_POSITIONS for rings in bands for ring in rings)
            areas = [polygon.area for polygon in largest]
            assert areas == sorted(areas)
            assert len(set(areas)) == len(areas)


def test_nothing_quick_waits_behind_a_long_matrix(porto: LocalRouter) -> None:
    places = list(islice(points_in(PORTO, seed=3), 301))
    router = LocalRouter(porto.area, searches=Searches(1), limit_s=60)
    with ThreadPoolExecutor(2) as clients:
        matrices = [clients.submit(router.matrix, places[:1], places[1:], RouteOptions()) for _ in range(2)]
        assert router.isochrones(places[0], [5], TravelMode.CAR).bands[0]
        assert router.route(places[0], places[1], RouteOptions()) is not None
        assert not matrices[0].done() or not matrices[1].done()
        assert all(None not in matrix.result().rows[0] for matrix in matrices)
    router.close()


def test_a_long_outline_loses_hardly_anything(porto: LocalRouter) -> None:
    """An outline by car soon has more vertices than a geofence may have."""
    wide = Point(-8.61, 41.16)
    request = {
        "locations": locations_of([wide]),
        "contours": [{"time": 15}],
        "polygons": True,
        "reverse": True,
        **costing_of(TravelMode.CAR),
    }
    bare = orjson.loads(BareActor(porto.area).actor.isochrone(orjson.dumps(request).decode()))
    drawn = shapely.get_parts(shapely.make_valid(shape(bare["features"][0]["geometry"])))
    whole = shapely.Polygon(max(drawn, key=lambda part: float(part.area)).exterior)
    ring = shapely.Polygon(porto.isochrones(wide, [15], TravelMode.CAR).bands[0][0])
    assert shapely.get_num_coordinates(whole) > MAX_RING_POSITIONS >= shapely.get_num_coordinates(ring)
    assert shapely.get_num_coordinates(ring) > 0.85 * MAX_RING_POSITIONS
    assert ring.is_valid
    assert ring.symmetric_difference(whole).area < 0.007 * whole.area


@pytest.mark.usefixtures("real_extracts")
def test_an_isochrone_holds_the_places_that_reach_its_center_in_time(liechtenstein: LocalRouter) -> None:
    """Compared with routes to the centre: well inside the ring means in time, and well outside means late."""
    center, minutes = Point(9.5209, 47.1410), 6
    ring = shapely.Polygon(liechtenstein.isochrones(center, [minutes], TravelMode.CAR).bands[0][0])
    wrong = judged = 0
    for place in islice(points_in((9.50, 47.12, 9.55, 47.17), seed=5), 150):
        route = liechtenstein.route(place, center, RouteOptions())
        if (
            route is None
            or shapely.Point(route.line[0]).distance(shapely.Point(place.longitude, place.latitude)) > 5e-4
        ):
            continue
        if abs(route.travel.duration_s / 60 - minutes) < 0.75:
            continue
        judged += 1
        inside = ring.contains(shapely.Point(route.line[0]))
        wrong += inside != (route.travel.duration_s / 60 < minutes)
    assert judged > 40
    assert wrong <= 0.05 * judged
