"""Routers over single areas, with Valhalla in a process that all of them share."""

import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from engine.domain.area import Area
from engine.domain.errors import RoutingUnavailable
from engine.domain.geometry import Isochrone, Point
from engine.domain.routing import Edge
from engine.domain.travel import TravelMode
from engine.geo.earth import distance_m
from engine.geo.rings import simplified
from engine.outbound.shapes import WrongShape
from engine.routing.actors import EXACT_MATRIX
from engine.routing.edges import RoadEnds, largest_inside
from engine.routing.pool import IDLE_S, JOIN_S, MAX_STUCK, Pool
from engine.routing.process.client import Order, RoutingProcess
from engine.routing.router import ValhallaRouter
from engine.routing.service import LIMIT_S, UNEXPECTED, Action, Deadline, Refused, Request

MAX_WORKERS: Final = 4
"""Maximum number of simultaneous searches of a kind.

More would not be faster, and each takes up to a hundred megabytes.
"""

_KEPT: Final = 4_096

_SLOW_MODES: Final = frozenset({"pedestrian", "bicycle"})
_EXACT_WITHIN_M: Final = 50_000
"""Extent of a matrix in metres beyond which the exact algorithm would take too long."""


def new_process(workers: int | None = None) -> RoutingProcess:
    """Return a process for `workers` searches of each kind at once, and for stuck ones."""
    return RoutingProcess(3 * ((workers or min(MAX_WORKERS, os.cpu_count() or 1)) + MAX_STUCK))


class Searches:
    """Searches in any area, with separate threads for single routes, isochrones and matrices.

    No kind waits for another. The process for the searches starts with the first one and ends after an idle time.
    """

    def __init__(
        self, workers: int | None = None, idle_s: float = IDLE_S, process: RoutingProcess | None = None
    ) -> None:
        """Create the threads. `process` may be shared with other searches, and is then not closed with these."""
        workers = workers or min(MAX_WORKERS, os.cpu_count() or 1)
        self._shared = process is not None
        self._process = process or new_process(workers)
        self.quick, self.shapes, self.long = (
            Pool(self._process.tool, workers, kind, idle_s) for kind in ("quick", "isochrones", "matrices")
        )
        self._pools = (self.quick, self.shapes, self.long)

    @property
    def size(self) -> int:
        """The current number of threads for searches."""
        return sum(pool.size for pool in self._pools)

    @property
    def memory_bytes(self) -> int:
        """Resident memory of the process."""
        return self._process.memory_bytes

    @property
    def pid(self) -> int | None:
        """The identifier of the process, or None if it is not running."""
        return self._process.pid

    def close(self) -> None:
        """End all searches and the process."""
        for pool in self._pools:
            pool.refuse()
        deadline = Deadline(JOIN_S)
        for pool in self._pools:
            pool.join(deadline)
        if not self._shared:
            self._process.kill()


class LocalService:
    """Valhalla over one area."""

    timed = False
    steady = True

    def __init__(self, area: Area, searches: Searches) -> None:
        self._roads = str(area.roads)
        self._searches = searches

    def ask[T](self, action: Action, request: Request, deadline: Deadline, read: Callable[[Any], T]) -> T:
        """Return the response of an actor, converted by `read`."""
        pool, order = self._pool_for(action, request), Order(self._roads, _algorithm(action, request))
        return _read(pool.ask(order, orjson.dumps(request).decode(), deadline), read)

    def ask_all[T](
        self, action: Action, requests: Sequence[Request], deadline: Deadline, read: Callable[[Any], T]
    ) -> list[T | Refused]:
        """Return each response, converted by `read`, or its refusal."""
        texts = (orjson.dumps(request).decode() for request in requests)
        answers = self._searches.long.ask_all(Order(self._roads, action), texts, deadline)
        return [answer if isinstance(answer, Refused) else _read(answer, read) for answer in answers]

    def _pool_for(self, action: Action, request: Request) -> Pool[Order]:
        if action is Action.ISOCHRONE:
            return self._searches.shapes
        if action in _MATRICES and len(request["sources"]) * len(request["targets"]) > 1:
            return self._searches.long
        return self._searches.quick

    def close(self) -> None:
        """End all searches."""
        self._searches.close()


def _read[T](answer: str, read: Callable[[Any], T]) -> T:
    try:
        return read(orjson.loads(answer))
    except WrongShape as error:
        raise RoutingUnavailable("The process that finds routes gave an answer that cannot be read.") from error


_MATRICES: Final = frozenset({Action.MATRIX, Action.SECOND_MATRIX})


def _algorithm(action: Action, request: Request) -> str:
    """Return the algorithm of a matrix, or the action itself. Raises `Refused` if there is no second algorithm.

    On foot and by bike the default algorithm stops too early: in Porto one cell in ten was longer than necessary. The
    exact one, which counts the first road of some positions wrongly, comes second otherwise.
    """
    if action not in _MATRICES:
        return action
    can_be_exact = _is_for_exact(request)
    if action is Action.SECOND_MATRIX and not can_be_exact:
        raise Refused(UNEXPECTED, "These positions are too far apart for the second algorithm")
    is_slow = request["costing"] in _SLOW_MODES
    return EXACT_MATRIX if can_be_exact and is_slow is (action is Action.MATRIX) else Action.MATRIX


def _is_for_exact(request: Request) -> bool:
    """Return whether the positions of a matrix are close enough together for the exact algorithm."""
    places = (*request["sources"], *request["targets"])
    south, north = min(place["lat"] for place in places), max(place["lat"] for place in places)
    west, east = min(place["lon"] for place in places), max(place["lon"] for place in places)
    return distance_m(west, south, east, north) <= _EXACT_WITHIN_M


class LocalRouter(ValhallaRouter):
    """Finds routes in one area, which has roads; `place` is its name in messages."""

    def __init__(
        self,
        area: Area,
        *,
        place: str | None = None,
        searches: Searches | None = None,
        limit_s: float = LIMIT_S,
    ) -> None:
        """Create a router. `searches` may be shared by several areas; without them it has its own."""
        self.area = area
        self.searches = searches or Searches()
        self._ends = RoadEnds(area.ends)
        self._inside: OrderedDict[tuple[Point, TravelMode], int] = OrderedDict()
        super().__init__(LocalService(area, self.searches), place or f"the loaded area ({area.name})", limit_s)

    def edge(self, isochrone: Isochrone) -> Edge | None:
        """Return the edge of the area that an isochrone reaches, or None if it reaches none or this is unknown."""
        if not self._ends.are_in(isochrone.ring, isochrone.mode):
            return None
        inside = self._most_inside(isochrone.center, isochrone.mode, isochrone.minutes)
        return Edge(self.area.name, isochrone.minutes, isochrone.mode, inside)

    def _most_inside(self, center: Point, mode: TravelMode, minutes: float) -> int:
        """Return the largest whole number below `minutes` whose isochrone does not reach the edge, or 0."""
        known = self._inside.get((center, mode))
        if known is None or known >= minutes:
            known = largest_inside(lambda time: self._reaches_edge(center, time, mode), minutes)
            self._inside[center, mode] = known
            if len(self._inside) > _KEPT:
                self._inside.popitem(last=False)
        return known

    def _reaches_edge(self, center: Point, minutes: int, mode: TravelMode) -> bool:
        (rings,) = self.isochrones(center, [minutes], mode).bands
        return bool(rings) and self._ends.are_in(simplified(rings[0]), mode)
