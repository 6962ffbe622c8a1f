"""A router over several areas: each request goes to one that has roads near all of its positions."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.domain.area import Area
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, Ring
from engine.domain.routing import (
    MAX_SNAP_M,
    Directions,
    Fixed,
    Match,
    OptimizedRoute,
    Route,
    RouteOptions,
    Travel,
    TravelMode,
)
from engine.geo.earth import metres_per_degree
from engine.routing.local import LocalRouter
from engine.routing.matrices import Table
from engine.routing.optimizing import order_of
from engine.routing.router import Named, no_roads
from engine.routing.service import LIMIT_S

NOTHING_LOADED: Final = (
    "no area is loaded, so nothing is known about roads; build one with `fencewright area build FILE.osm.pbf`."
)


class AreaRouter:
    """Finds ways in the areas in use."""

    def __init__(self, areas: Iterable[Area], *, limit_s: float = LIMIT_S) -> None:
        areas = tuple(areas)
        self._place = _place(areas)
        self._routers = tuple(LocalRouter(area, place=self._place, limit_s=limit_s) for area in areas)

    @property
    def areas(self) -> tuple[Area, ...]:
        """The areas it routes in."""
        return tuple(router.area for router in self._routers)

    @property
    def actors(self) -> int:
        """How many actors there are now."""
        return sum(router.actors for router in self._routers)

    @property
    def memory_bytes(self) -> int:
        """About how much memory they take."""
        return sum(router.memory_bytes for router in self._routers)

    def route(self, origin: Point, destination: Point, options: RouteOptions, *, drawn: bool = True) -> Route | None:
        """Return the way from one position to another, without steps; None when there is none."""
        router = self._router_for({"origin": (origin,), "destination": (destination,)}, options.mode)
        return None if router is None else router.route(origin, destination, options, drawn=drawn)

    def matrix(self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions) -> Table:
        """Return a row for each origin with a cell for each destination; None where there is no way."""
        router = self._router_for({"origins": origins, "destinations": destinations}, options.mode)
        if router is not None:
            return router.matrix(origins, destinations, options)
        return self._scattered(origins, destinations, options)

    def _scattered(self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions) -> Table:
        """Return a matrix of positions in several areas, each area's part of it from its own router."""
        table: list[list[Travel | None]] = [[None] * len(destinations) for _ in origins]
        for router in self._routers:
            rows = _with_roads(router, origins, options.mode)
            columns = _with_roads(router, destinations, options.mode)
            if not rows or not columns:
                continue
            part = router.matrix([origins[row] for row in rows], [destinations[at] for at in columns], options)
            for row, cells in zip(rows, part, strict=True):
                for column, cell in zip(columns, cells, strict=True):
                    table[row][column] = table[row][column] or cell
        return tuple(tuple(row) for row in table)

    def directions(self, locations: Sequence[Point], directions: Directions) -> tuple[Route, ...]:
        """Return the way through the locations in their order, with steps; then alternatives. Empty: no way."""
        router = self._router_for({"locations": locations}, directions.options.mode)
        return () if router is None else router.directions(locations, directions)

    def optimize(self, locations: Sequence[Point], options: RouteOptions) -> OptimizedRoute:
        """Return the quickest way through the locations; raises `InvalidParameter` naming one that is unreachable."""
        router = self._router_for({"locations": locations}, options.mode)
        if router is None:
            order_of(self._scattered(locations, locations, options))  # names the one that cannot be reached
            raise _apart("locations", self._place)
        return router.optimize(locations, options)

    def match(self, path: Sequence[Fixed], mode: TravelMode) -> Match:
        """Return the roads that a recorded path followed; raises `InvalidParameter` ``path`` when it followed none."""
        router = self._router_around("path", [fixed.point for fixed in path])
        return router.match(path, mode)

    def isochrones(
        self, center: Point, minutes: Sequence[float], mode: TravelMode, param: str = "coordinates"
    ) -> tuple[tuple[Ring, ...], ...]:
        """Return for each number of minutes the outer rings, largest first, from within which `center` is reached."""
        router = self._router_for({param: (center,)}, mode)
        assert router is not None, "one position cannot lie apart"
        return router.isochrones(center, minutes, mode, param)

    def _router_around(self, param: str, points: Sequence[Point]) -> LocalRouter:
        """Return the router whose area holds most of a path; a track may leave its area."""
        self._check_loaded(param)
        return max(self._routers, key=lambda router: sum(_may_reach(router.area, point) for point in points))

    def _router_for(self, named: Named, mode: TravelMode) -> LocalRouter | None:
        """Return the router for positions; None where each has roads near it, but in different areas.

        Raises `InvalidParameter` for the first position that no area has a road near.
        """
        self._check_loaded(next(iter(named)))
        points = [point for group in named.values() for point in group]
        concerned = [router for router in self._routers if any(_may_reach(router.area, point) for point in points)]
        if len(concerned) == 1 or len(self._routers) == 1:
            return (concerned or self._routers)[0]
        near = [router for router in concerned if all(_may_reach(router.area, point) for point in points)]
        away = {router: router.distances_to_roads(points, mode) for router in near}
        known = {router: sum(filter(None, found)) for router, found in away.items() if None not in found}
        if known:
            return min(known, key=lambda router: (round(known[router]), -_size(router.area)))
        self._check_known(named, mode)
        return None

    def _check_loaded(self, param: str) -> None:
        if not self._routers:
            raise InvalidParameter(param, f"{param}: {NOTHING_LOADED}")

    def _check_known(self, named: Named, mode: TravelMode) -> None:
        """Raise `InvalidParameter` for the first position that no area has a road near."""
        for param, points in named.items():
            known = {index for router in self._routers for index in _with_roads(router, points, mode)}
            for index in range(len(points)):
                if index not in known:
                    raise no_roads(param, points, index, mode, self._place)

    def close(self) -> None:
        """Let go of threads and memory."""
        for router in self._routers:
            router.close()


def _place(areas: Sequence[Area]) -> str:
    """Return how messages name where there are roads."""
    names = ", ".join(sorted(area.name for area in areas))
    return f"the loaded area{'' if len(areas) == 1 else 's'} ({names})"


def _with_roads(router: LocalRouter, points: Sequence[Point], mode: TravelMode) -> list[int]:
    """Return the indexes of the positions that have a road of this router near them."""
    near = [index for index, point in enumerate(points) if _may_reach(router.area, point)]
    away = router.distances_to_roads([points[index] for index in near], mode) if near else ()
    return [index for index, distance in zip(near, away, strict=True) if distance is not None]


def _may_reach(area: Area, point: Point) -> bool:
    """Whether a road of the area may be near a position."""
    west, south, east, north = area.bounds
    per_longitude, per_latitude = metres_per_degree(point.latitude)
    wide = MAX_SNAP_M / max(per_longitude, 1.0)
    high = MAX_SNAP_M / per_latitude
    return west - wide <= point.longitude <= east + wide and south - high <= point.latitude <= north + high


def _size(area: Area) -> float:
    west, south, east, north = area.bounds
    return (east - west) * (north - south)


def _apart(param: str, place: str) -> InvalidParameter:
    return InvalidParameter(param, f"{param}: these lie in different ones of {place}, which no road connects.")
