"""A router over one Valhalla, local or remote."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from engine.domain.errors import InvalidParameter, RoutingUnavailable
from engine.domain.geometry import Isochrone, Point
from engine.domain.routing import (
    MAX_PATH,
    Directions,
    Edge,
    Fixed,
    Isochrones,
    Leg,
    Match,
    Matrix,
    OptimizedRoute,
    Route,
    RouteOptions,
    Stretch,
    Travel,
    TravelMode,
    position_text,
)
from engine.domain.units import Units
from engine.domain.values import replace
from engine.geo.earth import metres_between
from engine.outbound.shapes import number, record, records, whole
from engine.routing.answering import read_between_ends, read_line, read_matrix, read_nearest, read_routes
from engine.routing.asking import (
    ALTERNATIVES,
    THOROUGHLY,
    can_be_strict,
    costing_of,
    costings_of,
    departure_of,
    directions_request,
    locations_of,
    matrix_request,
    route_request,
    stretches_request,
    with_steady_ends,
)
from engine.routing.isochrones import is_elsewhere, read_isochrones
from engine.routing.matching import Matcher, joined
from engine.routing.matrices import (
    MAX_SINGLE,
    Cell,
    MatrixMaker,
    Table,
    differing_cells,
    doubtful_cells,
    patched,
    with_cells,
)
from engine.routing.optimizing import order_of, put_in_order
from engine.routing.polylines import PRECISE, encode_polylines
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

_MOST_S = 1e8


class ValhallaRouter:
    """Finds routes by asking a Valhalla; `place` is its name in errors."""

    def __init__(self, service: Service, place: str, limit_s: float = LIMIT_S) -> None:
        self._service = service
        self._place = place
        self._limit_s = limit_s

    def route(
        self, origin: Point, destination: Point, options: RouteOptions, units: Units = Units.METRIC
    ) -> Route | None:
        """Return the route between two positions, without steps, or None if no route exists."""
        named = {"origin": (origin,), "destination": (destination,)}
        return self._way(named, options, Deadline(self._limit_s), units)

    def _way(
        self, named: Named, options: RouteOptions, deadline: Deadline, units: Units = Units.METRIC
    ) -> Route | None:
        points = [point for group in named.values() for point in group]
        return next(iter(self._ways(route_request(points, units), named, options, deadline)), None)

    def stretches(self, origin: Point, destination: Point, options: RouteOptions) -> tuple[Stretch, ...] | None:
        """Return the route of `route` as stretches, or None if no route exists."""
        deadline = Deadline(self._limit_s)
        request = directions_request((origin, destination), Directions(options, units=Units.METRIC))
        ways = self._ways(request, {"origin": (origin,), "destination": (destination,)}, options, deadline)
        if not ways:
            return None
        (leg,) = ways[0].legs
        return self._stretches_of_roads(leg, options.mode, deadline) or stretches_of_steps(leg)

    def _stretches_of_roads(self, leg: Leg, mode: TravelMode, deadline: Deadline) -> tuple[Stretch, ...] | None:
        """Return the stretches of a leg by its roads, or None if they are unknown."""
        if not 2 <= len(leg.line) <= MAX_PATH:
            return None
        request = stretches_request(encode_polylines([leg.line], PRECISE)[0], costing_of(mode))
        try:
            return self._service.ask(Action.MATCH, request, deadline, partial(read_stretches, leg=leg))
        except Refused:
            return None

    def directions(self, locations: Sequence[Point], directions: Directions) -> tuple[Route, ...]:
        """Return the route through the locations in their order, with steps, then alternatives.

        The result is empty if no route exists.
        """
        deadline = Deadline(self._limit_s)
        request, named = directions_request(locations, directions), {"locations": locations}
        ways = self._ways(request, named, directions.options, deadline)
        if not ways or not directions.alternatives:
            return ways
        # A search for several routes differs from one for a single route, and may rank another one best.
        several = self._ways({**request, **ALTERNATIVES}, named, directions.options, deadline)
        others = [way for way in several if way.line != ways[0].line]
        return (*ways, *others[: ALTERNATIVES["alternates"]])

    def _ways(self, request: Request, named: Named, options: RouteOptions, deadline: Deadline) -> tuple[Route, ...]:
        """Return routes that avoid the given features, strictly if such a route exists."""
        param, positions = next(iter(named.items()))
        timed = departure_of(options, positions[0]) if self._service.timed else {}
        for costing, strictly in zip(costings_of(options), (can_be_strict(options.avoid), False), strict=False):
            try:
                return self._found({**request, **costing, **timed}, deadline)
            except Refused as refused:
                if refused.code in TOO_FAR or (refused.code in NO_ROADS_NEAR and not strictly):
                    self._check_roads(named, options.mode, deadline)
                if refused.code not in NO_PATH:
                    raise self._fault(refused, param) from None
        return ()

    def _found(self, request: Request, deadline: Deadline) -> tuple[Route, ...]:
        """Return the routes of a request, using a more thorough search if the default one finds none."""
        legs = len(request["locations"]) - 1
        if self._service.steady and not request.get("alternates") and "radius" not in request["locations"][0]:
            read = partial(read_between_ends, legs=legs)
            try:
                return self._service.ask(Action.ROUTE, with_steady_ends(request), deadline, read)
            except Refused as refused:
                if refused.code not in NO_PATH - NO_ROADS_NEAR:
                    raise
        read = partial(read_routes, legs=legs)
        try:
            return self._service.ask(Action.ROUTE, request, deadline, read)
        except Refused as refused:
            if refused.code not in NO_PATH - NO_ROADS_NEAR or "date_time" in request:
                raise
        return self._service.ask(Action.ROUTE, {**request, **THOROUGHLY}, deadline, read)

    def matrix(self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions) -> Matrix:
        """Return the travel from each origin to each destination, or None for positions without a road near them."""
        deadline = Deadline(self._limit_s)
        starts, ends = (self._known_roads(points, options.mode, deadline) for points in (origins, destinations))
        rows, columns = ([at for at, road in enumerate(roads) if road is not None] for roads in (starts, ends))
        known = {"origins": (origins, rows), "destinations": (destinations, columns)}
        off_road = sentences_of_missing(known, options.mode, self._place)
        table = self._exact_table([origins[at] for at in rows], [destinations[at] for at in columns], options, deadline)
        part = Matrix(table, _without_gaps(starts), _without_gaps(ends))
        return replace(patched(origins, destinations, [(rows, columns, part)]), off_road=off_road)

    def _exact_table(
        self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions, deadline: Deadline
    ) -> Table:
        """Return the travel between positions with roads; doubtful cells are searched as single routes."""
        table = self._table({"origins": origins, "destinations": destinations}, options, deadline)
        cells = self._cells_to_check(table, origins, destinations, options, deadline) if self._service.steady else []
        pairs = [(origins[row], destinations[column]) for row, column in cells]
        return with_cells(table, dict(zip(cells, self._singly(pairs, options, deadline), strict=True)))

    def _cells_to_check(
        self,
        table: Table,
        origins: Sequence[Point],
        destinations: Sequence[Point],
        options: RouteOptions,
        deadline: Deadline,
    ) -> list[Cell]:
        cells = doubtful_cells(table, origins, destinations)
        if len(origins) * len(destinations) <= MAX_SINGLE:
            return cells
        costing, *_ = costings_of(options)
        read = partial(read_matrix, rows=len(origins), columns=len(destinations))
        request = matrix_request(origins, destinations, costing)
        try:
            second = self._service.ask(Action.SECOND_MATRIX, request, deadline, read)
        except Refused:
            return cells
        return list(dict.fromkeys((*cells, *differing_cells(table, second))))

    def _known_roads(self, points: Sequence[Point], mode: TravelMode, deadline: Deadline) -> tuple[Point | None, ...]:
        """Return the nearest points on roads as `_roads` does, or the positions themselves if it fails."""
        try:
            return self._roads(points, mode, deadline)
        except (InvalidParameter, RoutingUnavailable):  # above the server's limit, or not within the remaining time
            return tuple(points)

    def _table(self, named: Named, options: RouteOptions, deadline: Deadline) -> Table:
        """Return a matrix from the first to the last of `named`, which may occasionally miss a better route."""
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

    def _singly(
        self, pairs: Sequence[tuple[Point, Point]], options: RouteOptions, deadline: Deadline
    ) -> list[Travel | None]:
        """Return the travel between the positions of each pair, consistent with `route`."""
        costing, *_ = costings_of(options)
        requests = [with_steady_ends({**route_request(pair, Units.METRIC), **costing}) for pair in pairs]
        answers = self._service.ask_all(Action.ROUTE, requests, deadline, partial(read_between_ends, legs=1))
        return [
            self._travel(*pair, options, deadline) if isinstance(answer, Refused) else answer[0].travel
            for pair, answer in zip(pairs, answers, strict=True)
        ]

    def _travel(self, origin: Point, destination: Point, options: RouteOptions, deadline: Deadline) -> Travel | None:
        way = self._way({"origins": (origin,), "destinations": (destination,)}, options, deadline)
        return None if way is None else way.travel

    def optimize(self, locations: Sequence[Point], options: RouteOptions) -> OptimizedRoute:
        """Return the fastest route through the locations. Raises `InvalidParameter` naming one that is unreachable."""
        deadline = Deadline(self._limit_s)
        roads = self._known_roads(locations, options.mode, deadline)
        if None in roads:
            raise no_roads("locations", locations, roads.index(None), options.mode, self._place)
        order = order_of(self._table({"locations": locations}, options, deadline))
        route = self._way({"locations": [locations[index] for index in order]}, options, deadline)
        if route is None:
            raise InvalidParameter("locations", "locations: no route connects all of them.")
        return put_in_order(route, order)

    def match(self, path: Sequence[Fixed], mode: TravelMode) -> Match:
        """Return the roads of a recorded path. Raises `InvalidParameter` for ``path`` if it followed none."""
        parts = self.match_parts(path, [range(len(path))], mode, Deadline(self._limit_s))
        return joined(parts, mode, self._place)

    def match_parts(
        self, path: Sequence[Fixed], stretches: Sequence[range], mode: TravelMode, deadline: Deadline
    ) -> list[Match]:
        """Return the matched parts of some stretches of a path, in order."""
        matcher = Matcher(self._service, deadline, mode)
        try:
            return [part for stretch in stretches for part in matcher.parts(path, stretch)]
        except Refused as refused:
            raise self._fault(refused, "path") from None

    def isochrones(
        self, center: Point, minutes: Sequence[float], mode: TravelMode, param: str = "coordinates"
    ) -> Isochrones:
        """Return, for each number of minutes, the rings from within which `center` can be reached."""
        deadline = Deadline(self._limit_s)
        # Valhalla also draws a ring around a position without roads.
        (road,) = self._roads((center,), mode, deadline)
        if road is None:
            raise no_roads(param, (center,), 0, mode, self._place)
        request = {
            "locations": locations_of((center,)),
            "contours": [{"time": minute} for minute in sorted(set(minutes))],
            "polygons": True,
            # In a backward search, Valhalla draws the whole road between the crossings around the center as reached. On
            # foot every route takes equally long in both directions, and a forward search draws only the reached part.
            "reverse": mode is not TravelMode.FOOT,
            **costing_of(mode),
        }
        read = partial(read_isochrones, minutes=minutes, road=road)
        try:
            bands = self._service.ask(Action.ISOCHRONE, request, deadline, read)
        except Refused as refused:
            raise self._fault(refused, param) from None
        if any(rings and is_elsewhere(rings[0], road) for rings in bands):
            raise InvalidParameter(
                param, f"{param}: isochrones near the 180th meridian cannot be computed in {self._place}."
            )
        return Isochrones(bands, metres_between(center, road), self._place)

    def edge(self, isochrone: Isochrone) -> Edge | None:  # noqa: ARG002 (for routers that know their edge)
        """Return None, since the extent of the roads is unknown."""
        return None

    @property
    def timed(self) -> bool:
        """Whether routes may depend on the time of departure."""
        return self._service.timed

    def outside(self, point: Point) -> str:  # noqa: ARG002 (for routers that know their edge)
        """Return "", since the extent of the roads is unknown."""
        return ""

    def distances_to_roads(self, points: Sequence[Point], mode: TravelMode) -> tuple[float | None, ...]:
        """Return the distance in metres from each position to its nearest road for `mode`, or None without one."""
        roads = self._roads(points, mode, Deadline(self._limit_s))
        return tuple(
            None if road is None else metres_between(point, road) for point, road in zip(points, roads, strict=True)
        )

    def _roads(self, points: Sequence[Point], mode: TravelMode, deadline: Deadline) -> tuple[Point | None, ...]:
        """Return the nearest point on a road for each position, or None without one nearby."""
        request = {"locations": locations_of(points), **costing_of(mode)}
        try:
            return self._service.ask(Action.LOCATE, request, deadline, partial(read_nearest, points=points))
        except Refused as refused:
            if refused.code in NO_ROADS_NEAR:
                return (None,) * len(points)
            raise self._fault(refused, "locations") from None

    def _check_roads(self, named: Named, mode: TravelMode, deadline: Deadline) -> None:
        """Raise `InvalidParameter` for the first position without a road near it."""
        for param, points in named.items():
            for index, road in enumerate(self._roads(points, mode, deadline)):
                if road is None:
                    raise no_roads(param, points, index, mode, self._place)

    def _fault(self, refused: Refused, param: str) -> InvalidParameter | RoutingUnavailable:
        """Return the error for a request that Valhalla refuses although roads are near."""
        if refused.code in TOO_FAR:
            return InvalidParameter(param, f"{param}: exceeds the limits of {self._place}: {refused}.")
        return RoutingUnavailable(f"{self._place[:1].upper()}{self._place[1:]} cannot answer: {refused}.")

    def close(self) -> None:
        """Release threads, memory and connections."""
        self._service.close()


def _without_gaps(points: Iterable[Point | None]) -> tuple[Point, ...]:
    return tuple(point for point in points if point is not None)


def sentences_of_missing(
    known: Mapping[str, tuple[Sequence[Point], Collection[int]]], mode: TravelMode, place: str
) -> tuple[str, ...]:
    """Return a sentence about each position without data.

    `known` has the positions of each parameter, and the indexes of those with data. Raises `InvalidParameter` if a
    parameter has no position with data.
    """
    for param, (points, indexes) in known.items():
        if not indexes:
            raise no_roads(param, points, 0, mode, place)
    return tuple(
        no_roads(param, points, index, mode, place).message
        for param, (points, indexes) in known.items()
        for index in range(len(points))
        if index not in indexes
    )


def no_roads(param: str, points: Sequence[Point], index: int, mode: TravelMode, place: str) -> InvalidParameter:
    """Return the error for a position without data."""
    which = position_text(points[index], index + 1 if len(points) > 1 else None)
    return InvalidParameter(param, f"{param}: {which} has no road for {mode} near it in {place}.")


def read_stretches(answer: object, leg: Leg) -> tuple[Stretch, ...] | None:
    """Return the stretches of the roads along a leg, or None if they do not fit the leg.

    Raises `WrongShape` if the response is invalid.
    """
    found = record(answer)
    line = read_line(found.get("shape"), 0)
    stretches: list[Stretch] = []
    at, elapsed_s = 0, 0.0
    for edge in records(found.get("edges")):
        first = whole(edge.get("begin_shape_index"), 0, len(line) - 1)
        last = whole(edge.get("end_shape_index"), first, len(line) - 1)
        node = record(edge.get("end_node"))
        passed_s = number(node.get("elapsed_time"), 0, _MOST_S)
        delay_s = number(node.get("transition_time", 0), 0, _MOST_S)
        if first != at or passed_s < elapsed_s:
            return None
        stretches.append(Stretch(line[first : last + 1], passed_s - elapsed_s, delay_s))
        at, elapsed_s = last, passed_s + delay_s
    return tuple(stretches) if stretches and (line[0], line[at]) == (leg.line[0], leg.line[-1]) else None


def stretches_of_steps(leg: Leg) -> tuple[Stretch, ...]:
    """Return a stretch for each instruction of a leg, for use if its roads are unknown."""
    parts = [(step.line, step.travel.duration_s) for step in leg.steps if len(step.line) > 1]
    total_s = sum(seconds for _, seconds in parts)
    if total_s <= 0:
        return (Stretch(leg.line, leg.travel.duration_s),)
    # The durations of steps do not include delays at crossings.
    share = leg.travel.duration_s / total_s
    return tuple(Stretch(line, seconds * share) for line, seconds in parts)
