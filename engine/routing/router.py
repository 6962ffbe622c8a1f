"""A router over one Valhalla, wherever that is."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.domain.errors import InvalidParameter, RoutingUnavailable
from engine.domain.geometry import Point, Ring
from engine.domain.routing import (
    Directions,
    Fixed,
    Leg,
    Match,
    OptimizedRoute,
    Route,
    RouteOptions,
    Travel,
    TravelMode,
)
from engine.geo.earth import distance_m
from engine.routing.answering import read_between_ends, read_routes
from engine.routing.asking import (
    THOROUGHLY,
    can_be_strict,
    costing_of,
    costings_of,
    departure_of,
    directions_request,
    locations_of,
    with_steady_ends,
)
from engine.routing.isochrones import read_isochrones
from engine.routing.matching import Matcher
from engine.routing.matrices import MatrixMaker, Table
from engine.routing.optimizing import order_of, put_in_order
from engine.routing.pairs import Pair, find_pair
from engine.routing.service import (
    LIMIT_S,
    NO_PATH,
    NO_ROADS_NEAR,
    TOO_FAR,
    Action,
    Deadline,
    Refused,
    Request,
    Service,
)

type Named = Mapping[str, Sequence[Point]]
"""Positions by the name of their parameter."""


class ValhallaRouter:
    """Finds ways by asking a Valhalla; `place` names it in errors."""

    def __init__(self, service: Service, place: str, limit_s: float = LIMIT_S) -> None:
        self._service = service
        self._place = place
        self._limit_s = limit_s

    def route(self, origin: Point, destination: Point, options: RouteOptions, *, drawn: bool = True) -> Route | None:
        """Return the way from one position to another, without steps; None when there is none.

        It may have no legs and no line unless it is to be `drawn`.
        """
        named = {"origin": (origin,), "destination": (destination,)}
        if not self._service.steady:
            return self._plain(named, options)
        pair = self._pair(named, options, drawn=drawn)
        if pair is None:
            return None
        if pair.line:
            ends = Point(*pair.line[0]), Point(*pair.line[-1])
            return Route(pair.travel, pair.line, (Leg(*ends, pair.travel, pair.line),))
        way = self._plain(named, options) if drawn else Route(pair.travel, (), ())
        return way and replace(way, travel=pair.travel)

    def _plain(self, named: Named, options: RouteOptions) -> Route | None:
        """Return the way through positions as Valhalla finds single routes."""
        points = [point for group in named.values() for point in group]
        request = {"locations": locations_of(points), "units": "kilometers", "directions_type": "none"}
        return next(iter(self._routes(request, named, options)), None)

    def _pair(self, named: Named, options: RouteOptions, *, drawn: bool) -> Pair | None:
        deadline = Deadline(self._limit_s)
        ends = [point for group in named.values() for point in group]

        def check_roads() -> None:
            self._check_roads(named, options.mode, deadline)

        try:
            return find_pair(ends, options, self._service, deadline, check_roads, drawn=drawn)
        except Refused as refused:
            check_roads()
            raise self._fault(refused, next(iter(named))) from None

    def directions(self, locations: Sequence[Point], directions: Directions) -> tuple[Route, ...]:
        """Return the way through the locations in their order, with steps; then alternatives. Empty: no way."""
        return self._routes(directions_request(locations, directions), {"locations": locations}, directions.options)

    def _routes(self, request: Request, named: Named, options: RouteOptions) -> tuple[Route, ...]:
        """Return ways that keep away from what they should: strictly where there is such a way."""
        deadline = Deadline(self._limit_s)
        param, positions = next(iter(named.items()))
        timed = departure_of(options, positions[0]) if self._service.timed else {}
        for costing, strictly in zip(costings_of(options), (can_be_strict(options.avoid), False), strict=False):
            try:
                return self._ways({**request, **costing, **timed}, deadline)
            except Refused as refused:
                if refused.code in TOO_FAR or (refused.code in NO_ROADS_NEAR and not strictly):
                    self._check_roads(named, options.mode, deadline)
                if refused.code not in NO_PATH:
                    raise self._fault(refused, param) from None
        return ()

    def _ways(self, request: Request, deadline: Deadline) -> tuple[Route, ...]:
        """Return what there is, found by a more thorough search where the usual one finds nothing."""
        if self._service.steady and not request.get("alternates"):
            try:
                return read_between_ends(self._service.ask(Action.ROUTE, with_steady_ends(request), deadline))
            except Refused as refused:
                if refused.code not in NO_PATH - NO_ROADS_NEAR:
                    raise
        try:
            return read_routes(self._service.ask(Action.ROUTE, request, deadline))
        except Refused as refused:
            if refused.code not in NO_PATH - NO_ROADS_NEAR or "date_time" in request:
                raise
        return read_routes(self._service.ask(Action.ROUTE, {**request, **THOROUGHLY}, deadline))

    def matrix(
        self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions
    ) -> tuple[tuple[Travel | None, ...], ...]:
        """Return a row for each origin with a cell for each destination; None where there is no way."""
        return self._table({"origins": origins, "destinations": destinations}, options, Deadline(self._limit_s))

    def _table(self, named: Named, options: RouteOptions, deadline: Deadline) -> Table:
        """Return the matrix from the first to the last of `named`."""
        origins, *_, destinations = (*named.values(), *named.values())
        timed = departure_of(options, origins[0]) if self._service.timed else {}
        maker = MatrixMaker(self._service, deadline, timed)

        def check_roads() -> None:
            self._check_roads(named, options.mode, deadline)

        try:
            return maker.make(origins, destinations, options, check_roads)
        except Refused as refused:
            check_roads()
            raise self._fault(refused, next(iter(named))) from None

    def optimize(self, locations: Sequence[Point], options: RouteOptions) -> OptimizedRoute:
        """Return the quickest way through the locations; raises `InvalidParameter` naming one that is unreachable."""
        table = self._table({"locations": locations}, options, Deadline(self._limit_s))
        order = order_of(table)
        route = self._plain({"locations": [locations[index] for index in order]}, options)
        if route is None:
            raise InvalidParameter("locations", "locations: no way leads through all of them.")
        return put_in_order(route, order)

    def match(self, path: Sequence[Fixed], mode: TravelMode) -> Match:
        """Return the roads that a recorded path followed; raises `InvalidParameter` ``path`` when it followed none."""
        try:
            return Matcher(self._service, Deadline(self._limit_s), mode, self._place).match(path)
        except Refused as refused:
            raise self._fault(refused, "path") from None

    def isochrones(
        self, center: Point, minutes: Sequence[float], mode: TravelMode, param: str = "coordinates"
    ) -> tuple[tuple[Ring, ...], ...]:
        """Return for each number of minutes the outer rings, largest first, from within which `center` is reached."""
        deadline = Deadline(self._limit_s)
        # Valhalla draws a ring around a position without roads, too.
        self._check_roads({param: (center,)}, mode, deadline)
        request = {
            "locations": locations_of((center,)),
            "contours": [{"time": minute} for minute in sorted(set(minutes))],
            "polygons": True,
            # Searching backwards, Valhalla draws the whole road between the crossings around the center as reached. On
            # foot every way is as long in both directions, and forwards it draws what is reached.
            "reverse": mode is not TravelMode.FOOT,
            **costing_of(mode),
        }
        try:
            return read_isochrones(self._ask(Action.ISOCHRONE, request, deadline), minutes)
        except Refused as refused:
            raise self._fault(refused, param) from None

    def distances_to_roads(self, points: Sequence[Point], mode: TravelMode) -> tuple[float | None, ...]:
        """Return how far in metres each position is from the nearest road for `mode`; None where none is near."""
        return self._to_roads(points, mode, Deadline(self._limit_s))

    def _to_roads(self, points: Sequence[Point], mode: TravelMode, deadline: Deadline) -> tuple[float | None, ...]:
        request = {"locations": locations_of(points), **costing_of(mode)}
        try:
            found = self._ask(Action.LOCATE, request, deadline)
        except Refused as refused:
            if refused.code in NO_ROADS_NEAR:
                return (None,) * len(points)
            raise self._fault(refused, "locations") from None
        return tuple(_to_road(point, place) for point, place in zip(points, found, strict=True))

    def _check_roads(self, named: Named, mode: TravelMode, deadline: Deadline) -> None:
        """Raise `InvalidParameter` for the first position that has no road near it."""
        for param, points in named.items():
            for index, away in enumerate(self._to_roads(points, mode, deadline)):
                if away is None:
                    raise no_roads(param, points, index, mode, self._place)

    def _ask(self, action: Action, request: Request, deadline: Deadline) -> Any:
        return self._service.ask(action, request, deadline)

    def _fault(self, refused: Refused, param: str) -> InvalidParameter | RoutingUnavailable:
        """Return the error for what Valhalla refuses although roads are near."""
        if refused.code in TOO_FAR:
            return InvalidParameter(param, f"{param}: this is more than {self._place} takes: {refused}.")
        return RoutingUnavailable(f"{self._place[:1].upper()}{self._place[1:]} cannot answer: {refused}.")

    def close(self) -> None:
        """Let go of threads, memory and connections."""
        self._service.close()


def _to_road(point: Point, place: Mapping[str, Any]) -> float | None:
    """Return how far the nearest road is."""
    edges = place.get("edges") or ()
    return min(
        (distance_m(point.longitude, point.latitude, edge["correlated_lon"], edge["correlated_lat"]) for edge in edges),
        default=None,
    )


def no_roads(param: str, points: Sequence[Point], index: int, mode: TravelMode, place: str) -> InvalidParameter:
    """Return the error for a position without data."""
    point = points[index]
    which = f"item {index + 1} " if len(points) > 1 else ""
    where = f"{point.latitude:.6g},{point.longitude:.6g}"
    return InvalidParameter(param, f"{param}: {which}({where}) has no road for {mode} near it in {place}.")
