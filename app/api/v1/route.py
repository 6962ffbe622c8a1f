"""GET /v1/route/distance, matrix, directions, optimize and POST /v1/route/match: ways along roads."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from app.api.encoding import Encoded, encode_answer
from app.api.endpoint_limits import Rate
from app.api.operations import Call, Operation, Resource
from app.api.route_answers import (
    DirectionsAnswer,
    DistanceAnswer,
    MatchAnswer,
    MatrixAnswer,
    OptimizeAnswer,
)
from app.api.route_encoding import (
    encode_cells,
    encode_distance,
    encode_match,
    encode_mode_route,
    encode_optimized,
    encode_place,
    encode_route,
)
from app.api.route_requests import (
    MAX_CELLS,
    DirectionsQuery,
    DistanceQuery,
    MatchBody,
    MatrixQuery,
    OptimizeQuery,
)
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.routing import Avoid, Directions, Fixed, Language, RouteOptions, Router, TravelMode
from engine.domain.units import Units
from engine.geo.earth import distance_m
from engine.routing.service import NotTaken

DRAWN = "polyline6"


async def distance(call: Call[DistanceQuery, None]) -> Encoded:
    """Find the way of each mode."""
    return await _answer(call, partial(find_distances, call.query))


def find_distances(query: DistanceQuery, router: Router) -> Encoded:
    """Return how far it is as the crow flies and by each mode; a mode without a way is left out."""
    units = _units(query.units)
    start, end = query.origin, query.destination
    metres = distance_m(start.longitude, start.latitude, end.longitude, end.latitude)
    routes: Encoded = {"geodesic": {"distance": encode_distance(metres, units)}}
    for word in query.modes:
        options = _options(word, query.avoid or (), query.departure_time)
        found = router.route(start, end, options, drawn=query.geometry is not None)
        if found is not None:
            routes[word] = encode_mode_route(found, units, query.geometry)
    return {"routes": routes}


async def matrix(call: Call[MatrixQuery, None]) -> Encoded:
    """Find the ways between many places."""
    query = call.query
    pairs = len(query.origins) * len(query.destinations)
    if pairs > MAX_CELLS:
        raise InvalidParameter("origins", f"origins: at most {MAX_CELLS} pairs with destinations, not {pairs}.")
    return await _answer(call, partial(find_matrix, query), long=True)


def find_matrix(query: MatrixQuery, router: Router) -> Encoded:
    """Return how far it is from each origin to each destination."""
    options = _options(query.mode, query.avoid or (), query.departure_time)
    rows = router.matrix(query.origins, query.destinations, options)
    return {
        "origins": [encode_place(point) for point in query.origins],
        "destinations": [encode_place(point) for point in query.destinations],
        "matrix": encode_cells(rows, _units(query.units)),
    }


async def directions(call: Call[DirectionsQuery, None]) -> Encoded:
    """Find the way through places, step by step."""
    if call.query.alternatives and len(call.query.locations) != 2:
        raise InvalidParameter(
            "alternatives", f"alternatives: there are some between two locations only, not {len(call.query.locations)}."
        )
    return await _answer(call, partial(find_directions, call.query))


def find_directions(query: DirectionsQuery, router: Router) -> Encoded:
    """Return the way through places, step by step."""
    units = _units(query.units)
    asked = Directions(
        options=_options(query.mode, query.avoid or (), query.departure_time),
        language=Language(query.lang or Language.ENGLISH),
        units=units,
        heading=query.heading,
        alternatives=bool(query.alternatives),
    )
    form = query.geometry or DRAWN
    routes = router.directions(query.locations, asked)
    return {"routes": [encode_route(route, asked.options.mode, units, form) for route in routes]}


async def optimize(call: Call[OptimizeQuery, None]) -> Encoded:
    """Find the best order of places."""
    return await _answer(call, partial(find_best_order, call.query), long=True)


def find_best_order(query: OptimizeQuery, router: Router) -> Encoded:
    """Return the quickest way through places; the first and the last stay where they are."""
    route = router.optimize(query.locations, _options(query.mode, (), query.departure_time))
    return {"route": encode_optimized(route, _units(query.units), query.geometry)}


async def match(call: Call[None, MatchBody]) -> Encoded:
    """Find the roads of a recorded path."""
    return await _answer(call, partial(find_roads, call.body))


def find_roads(body: MatchBody, router: Router) -> Encoded:
    """Return the roads that a recorded path followed."""
    path = [Fixed(item.coordinates, item.created_at, item.accuracy) for item in body.path]
    found = router.match(path, TravelMode(body.mode or TravelMode.CAR))
    return encode_match(found, body.road_attributes or (), _units(body.units), body.geometry or DRAWN)


async def _answer(call: Call[Any, Any], find: Callable[[Router], Encoded], *, long: bool = False) -> Encoded:
    """Ask the router in a thread, when it is this request's turn."""
    engine = call.services.engine

    def ask() -> Encoded:
        while True:
            router = engine.router
            try:
                return find(router)
            except NotTaken:
                # Where other areas have come into use since, theirs is another router, which is asked instead.
                if engine.router is router:
                    raise

    return encode_answer(await call.services.routing.run(ask, long=long))


def _options(mode: str | None, avoid: Sequence[str], departure: datetime | None) -> RouteOptions:
    return RouteOptions(
        mode=TravelMode(mode or TravelMode.CAR),
        avoid=frozenset(Avoid(word) for word in avoid),
        departure=departure,
    )


def _units(word: str | None) -> Units:
    return Units(word or Units.IMPERIAL)


RESOURCES = (
    Resource(
        "/v1/route/distance",
        {
            "GET": Operation(
                name="routeDistance",
                summary="Tell how far it is from one place to another by several modes",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(100),
                handler=distance,
                query=DistanceQuery,
                answer=DistanceAnswer,
            )
        },
    ),
    Resource(
        "/v1/route/matrix",
        {
            "GET": Operation(
                name="routeMatrix",
                summary="Tell how far it is from each of many places to each of others",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(20),
                handler=matrix,
                query=MatrixQuery,
                answer=MatrixAnswer,
            )
        },
    ),
    Resource(
        "/v1/route/directions",
        {
            "GET": Operation(
                name="routeDirections",
                summary="Find the way through places, step by step",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(10),
                handler=directions,
                query=DirectionsQuery,
                answer=DirectionsAnswer,
            )
        },
    ),
    Resource(
        "/v1/route/optimize",
        {
            "GET": Operation(
                name="routeOptimize",
                summary="Find the quickest order of places",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(10),
                handler=optimize,
                query=OptimizeQuery,
                answer=OptimizeAnswer,
            )
        },
    ),
    Resource(
        "/v1/route/match",
        {
            "POST": Operation(
                name="routeMatch",
                summary="Find the roads that a recorded path followed",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(10),
                handler=match,
                body=MatchBody,
                answer=MatchAnswer,
            )
        },
    ),
)
