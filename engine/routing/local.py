"""A router over one area, with Valhalla in this process."""

import os
from functools import partial
from typing import Any, Final

import orjson

from engine.domain.area import Area
from engine.geo.earth import distance_m
from engine.routing.actors import EXACT_MATRIX, ActorTool, actor_settings
from engine.routing.pool import IDLE_S, Pool
from engine.routing.router import ValhallaRouter
from engine.routing.service import LIMIT_S, Action, Deadline, Request

MAX_WORKERS: Final = 4
"""Of either kind; more would not be quicker, and each takes up to a few hundred megabytes."""

_LONG: Final = frozenset({Action.MATRIX, Action.ISOCHRONE})
_SLOW_MODES: Final = frozenset({"pedestrian", "bicycle"})
_EXACT_WITHIN_M: Final = 50_000
"""A matrix that is wider than this would take the exact algorithm too long."""


class LocalService:
    """Valhalla's actors over one area: some for what is quick, others for what takes long, so that neither waits."""

    timed = False

    def __init__(self, area: Area, workers: int, idle_s: float) -> None:
        make = partial(_make_tool, area)
        self._quick = Pool(make, workers, f"quick-{area.name}", idle_s)
        self._long = Pool(make, workers, f"long-{area.name}", idle_s)

    def ask(self, action: Action, request: Request, deadline: Deadline) -> Any:
        """Return an actor's answer."""
        pool = self._long if action in _LONG else self._quick
        how = EXACT_MATRIX if action is Action.MATRIX and _is_for_exact(request) else action
        return orjson.loads(pool.ask(how, orjson.dumps(request).decode(), deadline))

    @property
    def actors(self) -> int:
        """How many actors there are now."""
        return self._quick.size + self._long.size

    @property
    def memory_bytes(self) -> int:
        """About how much memory they take."""
        return self._quick.memory_bytes + self._long.memory_bytes

    def close(self) -> None:
        """End all actors."""
        self._quick.close()
        self._long.close()


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
