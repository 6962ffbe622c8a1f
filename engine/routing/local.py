"""A router over one area, with Valhalla in this process."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import orjson

from engine.domain.area import Area
from engine.geo.earth import distance_m
from engine.routing.actors import EXACT_MATRIX, ActorTool, actor_settings
from engine.routing.pool import IDLE_S, JOIN_S, Pool
from engine.routing.router import ValhallaRouter
from engine.routing.service import LIMIT_S, Action, Deadline, Refused, Request

MAX_WORKERS: Final = 4
"""Of either kind; more would not be quicker, and each takes up to a few hundred megabytes."""

_SLOW_MODES: Final = frozenset({"pedestrian", "bicycle"})
_EXACT_WITHIN_M: Final = 50_000
"""A matrix that is wider than this would take the exact algorithm too long."""


class LocalService:
    """Valhalla's actors over one area: some for single ways, for isochrones and for matrices, so that none waits."""

    timed = False
    steady = True

    def __init__(self, area: Area, workers: int, idle_s: float) -> None:
        make = partial(_make_tool, area)
        self._quick, self._shapes, self._long = (
            Pool(make, workers, f"{kind}-{area.name}", idle_s) for kind in ("quick", "isochrones", "matrices")
        )
        self._pools = (self._quick, self._shapes, self._long)

    def ask[T](self, action: Action, request: Request, deadline: Deadline, read: Callable[[Any], T]) -> T:
        """Return what `read` makes of an actor's answer."""
        how = EXACT_MATRIX if action is Action.MATRIX and _is_for_exact(request) else action
        return read(orjson.loads(self._pool_for(action, request).ask(how, orjson.dumps(request).decode(), deadline)))

    def ask_all[T](
        self, action: Action, requests: Sequence[Request], deadline: Deadline, read: Callable[[Any], T]
    ) -> list[T | Refused]:
        """Return what `read` makes of each answer, the refusal where there is none."""
        texts = (orjson.dumps(request).decode() for request in requests)
        answers = self._long.ask_all(action, texts, deadline)
        return [answer if isinstance(answer, Refused) else read(orjson.loads(answer)) for answer in answers]

    def _pool_for(self, action: Action, request: Request) -> Pool:
        if action is Action.ISOCHRONE:
            return self._shapes
        if action is Action.MATRIX and len(request["sources"]) * len(request["targets"]) > 1:
            return self._long
        return self._quick

    @property
    def actors(self) -> int:
        """Number of actors now."""
        return sum(pool.size for pool in self._pools)

    @property
    def memory_bytes(self) -> int:
        """About how much memory they take."""
        return sum(pool.memory_bytes for pool in self._pools)

    def close(self) -> None:
        """End all actors."""
        for pool in self._pools:
            pool.refuse()
        deadline = Deadline(JOIN_S)
        for pool in self._pools:
            pool.join(deadline)


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


def _make_tool(area: Area) -> ActorTool:
    return ActorTool(actor_settings(area.roads))


class LocalRouter(ValhallaRouter):
    """Finds ways in one area; `place` is what messages call where it has roads."""

    def __init__(
        self,
        area: Area,
        *,
        place: str | None = None,
        workers: int | None = None,
        limit_s: float = LIMIT_S,
        idle_s: float = IDLE_S,
    ) -> None:
        self.area = area
        self._local = LocalService(area, workers or min(MAX_WORKERS, os.cpu_count() or 1), idle_s)
        super().__init__(self._local, place or f"the loaded area ({area.name})", limit_s)

    @property
    def actors(self) -> int:
        """How many actors there are now; none before the first request, and after long idleness."""
        return self._local.actors

    @property
    def memory_bytes(self) -> int:
        """About how much memory the actors take, measured as the growth of the process while they worked."""
        return self._local.memory_bytes
