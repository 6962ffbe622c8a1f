"""A router with a duration set by the test, and the routes of the real one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event as Gate
from typing import Any

import pytest

from engine.domain.geometry import Point
from engine.domain.routing import Directions, Route, Router
from engine.engine import Engine
from engine.routing.areas import AreaRouter
from engine.trips import waiting


class SlowRouter:
    """A `Router` that calls `delay` with the positions of the route before it responds."""

    def __init__(self, router: Router, delay: Callable[[Sequence[Point]], object]) -> None:
        self._router = router
        self._delay = delay

    def directions(self, locations: Sequence[Point], directions: Directions) -> tuple[Route, ...]:
        self._delay(locations)
        return self._router.directions(locations, directions)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._router, name)


def slow_down(patch: pytest.MonkeyPatch, engine: Engine, delay: Callable[[Sequence[Point]], object]) -> None:
    """Delay the routes of an engine's trips by `delay`."""
    slow = SlowRouter(engine.routing, delay)
    patch.setattr(engine._parts.etas, "_router", lambda: slow)


@contextmanager
def held_routes(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Block the routers of areas during the block, and make updates wait only briefly."""
    gate, directions = Gate(), AreaRouter.directions

    def held(router: AreaRouter, locations: Sequence[Point], query: Directions) -> tuple[Route, ...]:
        gate.wait(60)
        return directions(router, locations, query)

    patch.setattr(AreaRouter, "directions", held)
    patch.setattr(waiting, "PATIENCE_S", 0.05)
    try:
        yield
    finally:
        gate.set()
