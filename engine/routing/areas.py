"""A router over several areas: each request goes to an area with roads near all of its positions."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.domain.area import Area, covers
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Isochrone, Point
from engine.domain.routing import (
    MAX_SNAP_M,
    Directions,
    Edge,
    Fixed,
    Isochrones,
    Match,
    Matrix,
    OptimizedRoute,
    Route,
    RouteOptions,
    Stretch,
    TravelMode,
)
from engine.domain.units import Units
from engine.domain.values import replace
from engine.geo.earth import metres_per_degree
from engine.routing.local import LocalRouter, Searches
from engine.routing.matching import gaps_between, joined
from engine.routing.matrices import Patch, patched
from engine.routing.optimizing import order_of
from engine.routing.pool import IDLE_S
from engine.routing.process.client import RoutingProcess
from engine.routing.router import Named, no_roads, sentences_of_missing
from engine.routing.service import LIMIT_S, Deadline

_SAMPLES: Final = 50
"""Number of positions of a path at which the fit of an area's roads is measured."""

_SAMPLES_OF_GAP: Final = 8
"""Number of positions of each gap in a match at which the fit of another area's roads is measured."""

_OFF_M: Final = 100
"""Distance from a road beyond which a position of a path is not on it."""

NOTHING_LOADED: Final = (
    "no area is loaded, so there are no roads; run 'fencewright setup', or add an area of your own with "
    "'fencewright area add REGION'."
)


class AreaRouter:
    """Finds routes in the areas in use that have roads."""

    def __init__(
        self,
        areas: Iterable[Area],
        *,
        limit_s: float = LIMIT_S,
        idle_s: float = IDLE_S,
        process: RoutingProcess | None = None,
    ) -> None:
        """Create a router. `process` may be shared with other routers; without one it starts its own."""
        areas = tuple(areas)
        self._areas, self._place = areas, _place(areas)
        self._limit_s = limit_s
        self.searches = Searches(idle_s=idle_s, process=process)
        self._routers = tuple(
            LocalRouter(area, place=self._place, searches=self.searches, limit_s=limit_s)
            for area in areas
            if area.roads is not None
        )

    @property
    def areas(self) -> tuple[Area, ...]:
        """The areas that it was created for, including those without roads."""
        return self._areas

    def route(
        self, origin: Point, destination: Point, options: RouteOptions, units: Units = Units.METRIC
    ) -> Route | None:
        """Return the route between two positions, without steps, or None if no route exists."""
        router = self._router_for({"origin": (origin,), "destination": (destination,)}, options.mode)
        return None if router is None else router.route(origin, destination, options, units)

    def stretches(self, origin: Point, destination: Point, options: RouteOptions) -> tuple[Stretch, ...] | None:
        """Return the route of `route` as stretches, or None if no route exists."""
        router = self._router_for({"origin": (origin,), "destination": (destination,)}, options.mode)
        return None if router is None else router.stretches(origin, destination, options)

    def matrix(self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions) -> Matrix:
        """Return the travel from each origin to each destination, or None for positions without a road near them."""
        router = self._router_for({"origins": origins, "destinations": destinations}, options.mode, all_known=False)
        if router is not None:
            return router.matrix(origins, destinations, options)
        return self._scattered(origins, destinations, options)

    def _scattered(self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions) -> Matrix:
        """Return a matrix of positions in several areas, each area's part from its own router."""
        patches: list[Patch] = []
        known_rows, known_columns = set[int](), set[int]()
        for router in self._routers:
            rows = _with_roads(router, origins, options.mode)
            columns = _with_roads(router, destinations, options.mode)
            known_rows.update(rows)
            known_columns.update(columns)
            if rows and columns:
                some, others = [origins[row] for row in rows], [destinations[at] for at in columns]
                patches.append((rows, columns, router.matrix(some, others, options)))
        known = {"origins": (origins, known_rows), "destinations": (destinations, known_columns)}
        off_road = sentences_of_missing(known, options.mode, self._place)
        return replace(patched(origins, destinations, patches), off_road=off_road)

    def directions(self, locations: Sequence[Point], directions: Directions) -> tuple[Route, ...]:
        """Return the route through the locations in their order, with steps, then alternatives.

        The result is empty if no route exists.
        """
        router = self._router_for({"locations": locations}, directions.options.mode)
        return () if router is None else router.directions(locations, directions)

    def optimize(self, locations: Sequence[Point], options: RouteOptions) -> OptimizedRoute:
        """Return the fastest route through the locations. Raises `InvalidParameter` naming one that is unreachable."""
        router = self._router_for({"locations": locations}, options.mode)
        if router is None:
            order_of(self._scattered(locations, locations, options).rows)  # names the unreachable location
            raise _apart("locations", self._place)
        return router.optimize(locations, options)

    def match(self, path: Sequence[Fixed], mode: TravelMode) -> Match:
        """Return the roads of a recorded path.

        Parts without roads in the area that fits best are matched in the others, since a track may leave an area.
        Raises `InvalidParameter` for ``path`` if it followed no roads.
        """
        self._check_loaded("path")
        deadline = Deadline(self._limit_s)
        points = [fixed.point for fixed in path]
        first, *others = self._by_fit(points, mode) or self._routers
        parts = first.match_parts(path, [range(len(path))], mode, deadline)
        for router in others:
            gaps = _with_roads_along(router, points, gaps_between(parts, len(path)), mode)
            parts += router.match_parts(path, gaps, mode, deadline)
            parts.sort(key=lambda part: part.points[0].original_index)
        return joined(parts, mode, self._place)

    def isochrones(
        self, center: Point, minutes: Sequence[float], mode: TravelMode, param: str = "coordinates"
    ) -> Isochrones:
        """Return, for each number of minutes, the rings from within which `center` can be reached."""
        router = self._router_for({param: (center,)}, mode)
        assert router is not None, "one position cannot lie apart"
        return router.isochrones(center, minutes, mode, param)

    def edge(self, isochrone: Isochrone) -> Edge | None:
        """Return the edge of the area that an isochrone reaches, or None if it reaches none or this is unknown.

        That another area adjoins does not matter, since an isochrone is computed in one area.
        """
        try:
            router = self._router_for({"coordinates": (isochrone.center,)}, isochrone.mode)
            return None if router is None else router.edge(isochrone)
        except InvalidParameter:
            # Areas may have changed since the isochrone was made, so that its destination is at no road.
            return None

    @property
    def timed(self) -> bool:
        """False, since areas have no traffic data."""
        return False

    def outside(self, point: Point) -> str:
        """Return the name of the areas if a position is outside their bounds, or ""."""
        covered = [router.area for router in self._routers]
        return "" if any(area.covers(point) for area in covered) else _place(covered)

    def _by_fit(self, points: Sequence[Point], mode: TravelMode) -> list[LocalRouter]:
        """Return the routers that may have roads along a path, best fit first."""
        near = [router for router in self._routers if any(_may_reach(router.area, point) for point in points)]
        if len(near) < 2:
            return near
        some = _some(points, _SAMPLES)

        def misfit(router: LocalRouter) -> tuple[int, float, float]:
            away = [metres for metres in router.distances_to_roads(some, mode) if _is_on_road(metres)]
            return (-len(away), round(sum(filter(None, away))), -_size(router.area))

        return sorted(near, key=misfit)

    def _router_for(self, named: Named, mode: TravelMode, *, all_known: bool = True) -> LocalRouter | None:
        """Return the router for positions, or None if all have roads near them, but in different areas.

        Raises `InvalidParameter` for the first position without a road in any area, unless `all_known` is False.
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
        if all_known:
            self._check_known(named, mode)
        return None

    def _check_loaded(self, param: str) -> None:
        if not self._routers:
            raise InvalidParameter(param, f"{param}: {_nothing(self._areas)}")

    def _check_known(self, named: Named, mode: TravelMode) -> None:
        """Raise `InvalidParameter` for the first position without a road near it in any area."""
        for param, points in named.items():
            known = {index for router in self._routers for index in _with_roads(router, points, mode)}
            for index in range(len(points)):
                if index not in known:
                    raise no_roads(param, points, index, mode, self._place)

    def close(self) -> None:
        """Release threads and memory."""
        self.searches.close()


def _place(areas: Sequence[Area]) -> str:
    """Return the name of the areas for messages."""
    names = sorted(area.name if area.roads is not None else f"{area.name} without roads" for area in areas)
    return f"the loaded area{'' if len(areas) == 1 else 's'} ({', '.join(names)})"


def _nothing(areas: Sequence[Area]) -> str:
    """Return the reason why there are no roads at all."""
    if not areas:
        return NOTHING_LOADED
    names = ", ".join(sorted(area.name for area in areas))
    have = f"areas ({names}) have" if len(areas) > 1 else f"area ({names}) has"
    return (
        f"the loaded {have} no roads, so there are no routes or isochrones; "
        "add an area with roads, for example with 'fencewright area add REGION'."
    )


def _with_roads(router: LocalRouter, points: Sequence[Point], mode: TravelMode) -> list[int]:
    """Return the indexes of the positions with a road of this router near them."""
    near = [index for index, point in enumerate(points) if _may_reach(router.area, point)]
    away = router.distances_to_roads([points[index] for index in near], mode) if near else ()
    return [index for index, distance in zip(near, away, strict=True) if distance is not None]


def _with_roads_along(
    router: LocalRouter, points: Sequence[Point], stretches: Sequence[range], mode: TravelMode
) -> list[range]:
    """Return the stretches of a path with roads of this router along them."""
    some = {stretch: _some([points[index] for index in stretch], _SAMPLES_OF_GAP) for stretch in stretches}
    samples = [point for part in some.values() for point in part if _may_reach(router.area, point)]
    away = dict(zip(samples, router.distances_to_roads(samples, mode), strict=True)) if samples else {}
    return [stretch for stretch, part in some.items() if any(_is_on_road(away.get(point)) for point in part)]


def _some(points: Sequence[Point], count: int) -> Sequence[Point]:
    """Return at most `count` of the positions, evenly spaced."""
    return points[:: max(1, -(-len(points) // count))]


def _is_on_road(away_m: float | None) -> bool:
    return away_m is not None and away_m < _OFF_M


def _may_reach(area: Area, point: Point) -> bool:
    """Return whether a road of the area may be near a position."""
    west, south, east, north = area.bounds
    per_longitude, per_latitude = metres_per_degree(point.latitude)
    wide = MAX_SNAP_M / max(per_longitude, 1.0)
    high = MAX_SNAP_M / per_latitude
    return covers((west - wide, south - high, east + wide, north + high), point.longitude, point.latitude)


def _size(area: Area) -> float:
    west, south, east, north = area.bounds
    return (east - west) * (north - south)


def _apart(param: str, place: str) -> InvalidParameter:
    return InvalidParameter(param, f"{param}: are in different areas, which no road connects: {place}.")
