"""The rings of isochrone geofences, traced by a router in advance, so that the writer does not have to wait."""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Final

from engine.domain.errors import InvalidParameter, RoutingUnavailable
from engine.domain.geometry import Isochrone, Point, Ring
from engine.domain.routing import Edge, Router, position_text
from engine.domain.travel import TravelMode
from engine.geo.rings import simplified

_KEPT: Final = 4_096

type _Traced = tuple[Ring, float]
"""A ring, and the distance in metres from its centre to the road."""


class IsochroneTracer:
    """Queries the current router and caches the results, as the writer validates each change again."""

    def __init__(self, router: Callable[[], Router]) -> None:
        self._router = router
        self._lock = Lock()
        self._last_router: Router | None = None
        self._traced: OrderedDict[tuple[Point, float, TravelMode], _Traced] = OrderedDict()

    def __call__(self, center: Point, minutes: float, mode: TravelMode) -> Ring:
        """Return the ring from within which `center` can be reached in this many minutes.

        Raises `InvalidParameter` naming ``coordinates`` if there is no data, and any error of the router.
        """
        router = self._router()
        with self._lock:
            if router is not self._last_router:
                self._last_router = router
                self._traced.clear()
            known = self._traced.get((center, minutes, mode))
        ring, _ = known if known is not None else self._ask(router, center, minutes, mode)
        return ring

    def moved_m(self, isochrone: Isochrone) -> float:
        """Return the distance from an isochrone's centre to its road, or 0 if it is no longer cached."""
        with self._lock:
            _, moved_m = self._traced.get((isochrone.center, isochrone.minutes, isochrone.mode), ((), 0.0))
        return moved_m

    def edge(self, isochrone: Isochrone) -> Edge | None:
        """Return the edge of the area that an isochrone reaches, or None if it reaches none or this is unknown."""
        with suppress(RoutingUnavailable):
            return self._router().edge(isochrone)
        return None

    def _ask(self, router: Router, center: Point, minutes: float, mode: TravelMode) -> _Traced:
        found = router.isochrones(center, [minutes], mode)
        (rings,) = found.bands
        if not rings:
            unit = "minute" if minutes == 1 else "minutes"
            reach = f"{position_text(center)} within {minutes:g} {unit} by {mode} in {found.place}"
            raise InvalidParameter("size", f"size: nothing can reach {reach}; choose a longer time.")
        # Islands reached by ferry are left out because a geofence is a single ring.
        traced = simplified(rings[0]), found.moved_m
        with self._lock:
            if router is self._last_router:
                self._traced[center, minutes, mode] = traced
                if len(self._traced) > _KEPT:
                    self._traced.popitem(last=False)
        return traced
