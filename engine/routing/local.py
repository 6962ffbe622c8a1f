"""Routers over single areas, with Valhalla in a process that all of them share."""

import os
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from engine.domain.area import Area
from engine.domain.errors import RoutingUnavailable
from engine.geo.earth import distance_m
from engine.outbound.shapes import WrongShape
from engine.routing.actors import EXACT_MATRIX
from engine.routing.pool import IDLE_S, JOIN_S, MAX_STUCK, Pool
from engine.routing.process.client import Order, RoutingProcess
from engine.routing.router import ValhallaRouter
from engine.routing.service import LIMIT_S, Action, Deadline, Refused, Request

MAX_WORKERS: Final = 4
"""Of either kind; more would not be quicker, and each takes up to a hundred megabytes while it searches."""

_SLOW_MODES: Final = frozenset({"pedestrian", "bicycle"})
_EXACT_WITHIN_M: Final = 50_000
"""A matrix that is wider than this would take the exact algorithm too long."""


def new_process(workers: int | None = None) -> RoutingProcess:
    """Return a process for so many searches of each kind at once, and for those that are stuck."""
    return RoutingProcess(3 * ((workers or min(MAX_WORKERS, os.cpu_count() or 1)) + MAX_STUCK))


class Searches:
    """Searches in any area: some for single ways, for isochrones and for matrices, so that none waits for another kind.

    The process that does them starts with the first one and ends after a time without any.
    """

    def __init__(
        self, workers: int | None = None, idle_s: float = IDLE_S, process: RoutingProcess | None = None
    ) -> None:
        """`process` may be that of other searches, too, which then outlives these."""
        workers = workers or min(MAX_WORKERS, os.cpu_count() or 1)
        self._shared = process is not None
        self._process = process or new_process(workers)
        self.quick, self.shapes, self.long = (
            Pool(self._process.tool, workers, kind, idle_s) for kind in ("quick", "isochrones", "matrices")
        )
        self._pools = (self.quick, self.shapes, self.long)

    @property
    def size(self) -> int:
        """The most searches at once now."""
        return sum(pool.size for pool in self._pools)

    @property
    def memory_bytes(self) -> int:
        """Resident memory of the process."""
        return self._process.memory_bytes

    @property
    def pid(self) -> int | None:
        """The identifier of the process; None while there is none."""
        return self._process.pid

    def close(self) -> None:
        """End all searches, and the process."""
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
        """Return what `read` makes of an actor's answer."""
        how = EXACT_MATRIX if action is Action.MATRIX and _is_for_exact(request) else action
        pool, order = self._pool_for(action, request), Order(self._roads, how)
        return _read(pool.ask(order, orjson.dumps(request).decode(), deadline), read)

    def ask_all[T](
        self, action: Action, requests: Sequence[Request], deadline: Deadline, read: Callable[[Any], T]
    ) -> list[T | Refused]:
        """Return what `read` makes of each answer, the refusal where there is none."""
        texts = (orjson.dumps(request).decode() for request in requests)
        answers = self._searches.long.ask_all(Order(self._roads, action), texts, deadline)
        return [answer if isinstance(answer, Refused) else _read(answer, read) for answer in answers]

    def _pool_for(self, action: Action, request: Request) -> Pool[Order]:
        if action is Action.ISOCHRONE:
            return self._searches.shapes
        if action is Action.MATRIX and len(request["sources"]) * len(request["targets"]) > 1:
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


def _is_for_exact(request: Request) -> bool:
    """Whether a matrix is for the exact algorithm.

    On foot and by bike the usual one stops too early: in Porto one cell in ten was longer than it should be.
    """
    if request["costing"] not in _SLOW_MODES:
        return False
    places = (*request["sources"], *request["targets"])
    south, north = min(place["lat"] for place in places), max(place["lat"] for place in places)
    west, east = min(place["lon"] for place in places), max(place["lon"] for place in places)
    return distance_m(west, south, east, north) <= _EXACT_WITHIN_M


class LocalRouter(ValhallaRouter):
    """Finds ways in one area; `place` is what messages call where it has roads."""

    def __init__(
        self,
        area: Area,
        *,
        place: str | None = None,
        searches: Searches | None = None,
        limit_s: float = LIMIT_S,
    ) -> None:
        """`searches` may be those of several areas; a router that is given none has its own."""
        self.area = area
        self.searches = searches or Searches()
        super().__init__(LocalService(area, self.searches), place or f"the loaded area ({area.name})", limit_s)
