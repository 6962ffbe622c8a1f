"""GET /v1/route/distance, matrix, directions, optimize and POST /v1/route/match: routes along roads."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from app.api.http.errors import shown
from app.api.http.rates import Rate
from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.routes.directions import DirectionsAnswer, DirectionsQuery, encode_route
from app.api.wire.routes.distance import MODES, DistanceAnswer, DistanceQuery, encode_mode_route
from app.api.wire.routes.match import MatchAnswer, MatchBody, encode_match
from app.api.wire.routes.matrix import MAX_CELLS, MatrixAnswer, MatrixQuery, encode_cells
from app.api.wire.routes.optimize import OptimizeAnswer, OptimizeQuery, encode_optimized
from app.api.wire.routes.travel import encode_distance, encode_position
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.routing import (
    Avoid,
    Directions,
    Language,
    Moved,
    Route,
    RouteOptions,
    Router,
    TravelMode,
    is_far,
)
from engine.domain.units import Units
from engine.geo.earth import metres_between
from engine.routing.service import NotTaken

DRAWN = "polyline6"


type Found = tuple[Encoded, list[str]]
"""The content of a response, and warnings about the request."""


routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "GET",
    "/v1/route/distance",
    name="routeDistance",
    summary="Get the distance between two positions by travel mode",
    answer=DistanceAnswer,
    rate=Rate(100),
)
async def distance(call: Call[DistanceQuery, None]) -> Encoded:
    """Find a route for each travel mode."""
    return await answer_along_roads(call, partial(find_distances, call.query))


def find_distances(query: DistanceQuery, router: Router) -> Found:
    """Return the distance as the crow flies and the route of each mode; modes without a route are left out."""
    units = _units(query.units)
    start, end = query.origin, query.destination
    routes: dict[str, Any] = {"geodesic": {"distance": encode_distance(metres_between(start, end), units)}}
    served = [word for word in query.modes if word in MODES]
    others = ", ".join(word for word in query.modes if word not in MODES)
    warnings = [f"modes: not served and left out: {shown(others)}."] if others else []
    refusals: list[InvalidParameter] = []
    for word in served:
        options = _options(word, query.avoid or (), query.departure_time)
        try:
            found = router.route(start, end, options, units)
        except InvalidParameter as error:
            refusals.append(error)
            continue
        if found is not None:
            routes[word] = encode_mode_route(found, units, query.geometry)
            first, *_, last = ends_of(found)
            warnings += [*_moved("origin", [start], [first], options.mode, router)]
            warnings += [*_moved("destination", [end], [last], options.mode, router)]
    if len(refusals) == len(served):
        raise refusals[0]
    warnings += [*_without_effect(query.departure_time, router), *(error.message for error in refusals)]
    return {"routes": routes}, warnings


@routes(
    "GET", "/v1/route/matrix", name="routeMatrix", summary="Get a distance matrix", answer=MatrixAnswer, rate=Rate(20)
)
async def matrix(call: Call[MatrixQuery, None]) -> Encoded:
    """Find the distances and durations between many places."""
    query = call.query
    pairs = len(query.origins) * len(query.destinations)
    if pairs > MAX_CELLS:
        raise InvalidParameter("origins", f"origins: at most {MAX_CELLS} pairs with destinations, not {pairs}.")
    return await answer_along_roads(call, partial(find_matrix, query), long=True)


def find_matrix(query: MatrixQuery, router: Router) -> Found:
    """Return the distance and duration from each origin to each destination."""
    options = _options(query.mode, query.avoid or (), query.departure_time)
    found = router.matrix(query.origins, query.destinations, options)
    content = {
        "origins": [encode_position(point) for point in query.origins],
        "destinations": [encode_position(point) for point in query.destinations],
        "matrix": encode_cells(found.rows, _units(query.units)),
    }
    moved_origins = _moved("origins", query.origins, found.origins, options.mode, router)
    moved_destinations = _moved("destinations", query.destinations, found.destinations, options.mode, router)
    without_effect = _without_effect(query.departure_time, router)
    return content, [*moved_origins, *moved_destinations, *without_effect, *found.off_road]


@routes(
    "GET",
    "/v1/route/directions",
    name="routeDirections",
    summary="Get turn-by-turn directions",
    answer=DirectionsAnswer,
    rate=Rate(10),
)
async def directions(call: Call[DirectionsQuery, None]) -> Encoded:
    """Get directions, step by step."""
    if call.query.alternatives and len(call.query.locations) != 2:
        raise InvalidParameter(
            "alternatives", f"alternatives: need exactly two locations, not {len(call.query.locations)}."
        )
    return await answer_along_roads(call, partial(find_directions, call.query))


def find_directions(query: DirectionsQuery, router: Router) -> Found:
    """Return the routes through places, with step-by-step directions."""
    units = _units(query.units)
    request = Directions(
        options=_options(query.mode, query.avoid or (), query.departure_time),
        language=Language(query.lang or Language.ENGLISH),
        units=units,
        heading=query.heading,
        alternatives=bool(query.alternatives),
    )
    form = query.geometry or DRAWN
    mode = request.options.mode
    routes = router.directions(query.locations, request)
    met = ends_of(routes[0]) if routes else query.locations
    content = {"routes": [encode_route(route, mode, units, form) for route in routes]}
    moved = _moved("locations", query.locations, met, mode, router)
    return content, [*moved, *_without_effect(query.departure_time, router)]


@routes(
    "GET",
    "/v1/route/optimize",
    name="routeOptimize",
    summary="Optimize the order of locations",
    answer=OptimizeAnswer,
    rate=Rate(10),
)
async def optimize(call: Call[OptimizeQuery, None]) -> Encoded:
    """Find the best order of places."""
    return await answer_along_roads(call, partial(find_best_order, call.query), long=True)


def find_best_order(query: OptimizeQuery, router: Router) -> Found:
    """Return the fastest route through places; the first and the last keep their position."""
    options = _options(query.mode, (), query.departure_time)
    route = router.optimize(query.locations, options)
    met = {optimized.start_index: optimized.leg.start for optimized in route.legs}
    met[route.legs[-1].end_index] = route.legs[-1].leg.end
    content = {"route": encode_optimized(route, _units(query.units), query.geometry)}
    ends = [met[index] for index in sorted(met)]
    moved = _moved("locations", query.locations, ends, options.mode, router)
    return content, [*moved, *_without_effect(query.departure_time, router)]


@routes(
    "POST",
    "/v1/route/match",
    name="routeMatch",
    summary="Match a recorded path to roads",
    answer=MatchAnswer,
    rate=Rate(10),
    long_list="path",
)
async def match(call: Call[None, MatchBody]) -> Encoded:
    """Match a recorded path to roads."""
    return await answer_along_roads(call, partial(find_roads, call.body))


def find_roads(body: MatchBody, router: Router) -> Found:
    """Return the roads that a recorded path followed."""
    found = router.match(body.path, TravelMode(body.mode or TravelMode.CAR))
    return encode_match(found, body.road_attributes or (), _units(body.units), body.geometry or DRAWN), []


async def answer_along_roads(call: Call[Any, Any], find: Callable[[Router], Found], *, long: bool = False) -> Encoded:
    """Query the router in a thread once its lane has room."""
    engine = call.services.engine

    def ask() -> Found:
        while True:
            router = engine.routing
            try:
                return find(router)
            except NotTaken:
                # If the areas in use have changed meanwhile, the engine has a new router, which is asked instead.
                if engine.routing is router:
                    raise

    lane = call.services.long_routing if long else call.services.routing
    content, warnings = await lane.run(ask)
    call.warnings += warnings
    return encode_answer(content)


def ends_of(route: Route) -> list[Point]:
    """Return the points where a route meets the roads near its locations, in order."""
    return [*(leg.start for leg in route.legs), route.legs[-1].end]


def _moved(
    param: str, requested: Sequence[Point], met: Sequence[Point], mode: TravelMode, router: Router
) -> Iterator[str]:
    """Yield a warning for each position that is far from the point where its road is met."""
    for number, (point, road) in enumerate(zip(requested, met, strict=True), 1):
        if is_far(moved_m := metres_between(point, road)):
            item = number if len(requested) > 1 else None
            yield Moved(param, point, moved_m, mode, item, router.outside(point)).text


def _without_effect(departure: datetime | None, router: Router) -> Iterator[str]:
    """Yield a warning if the router ignores the departure time."""
    if departure is not None and not router.timed:
        yield "departureTime: has no effect, since the areas have no traffic data."


def _options(mode: str | None, avoid: Sequence[str], departure: datetime | None) -> RouteOptions:
    return RouteOptions(
        mode=TravelMode(mode or TravelMode.CAR),
        avoid=frozenset(Avoid(word) for word in avoid),
        departure=departure,
    )


def _units(word: str | None) -> Units:
    return Units(word or Units.IMPERIAL)
