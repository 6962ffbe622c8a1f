"""The rings of isochrone geofences, found by a router before the writer has to wait for one."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, Polygon, Ring
from engine.domain.routing import Router
from engine.domain.travel import TravelMode
from engine.geo.rings import simplified
from engine.geo.shapes import PolygonShape

_KEPT: Final = 4_096


class IsochroneTracer:
    """Asks the router in use, and remembers what it said: a change is judged a second time in the writer's thread."""

    def __init__(self, router: Callable[[], Router]) -> None:
        self._router = router
        self._lock = Lock()
        self._asked: Router | None = None
        self._rings: OrderedDict[tuple[Point, float, TravelMode], Ring] = OrderedDict()

    def __call__(self, center: Point, minutes: float, mode: TravelMode) -> Ring:
        """Return the ring from within which one travels to `center` in so many minutes.

        Raises `InvalidParameter` naming ``coordinates`` where there is no data, and what the router raises.
        """
        router = self._router()
        with self._lock:
            if router is not self._asked:
                self._asked = router
                self._rings.clear()
            known = self._rings.get((center, minutes, mode))
        return known if known is not None else self._ask(router, center, minutes, mode)

    def _ask(self, router: Router, center: Point, minutes: float, mode: TravelMode) -> Ring:
        (rings,) = router.isochrones(center, [minutes], mode)
        if not rings:
            raise InvalidParameter(
                "radius", f"radius: nowhere is the way by {mode} to there within {minutes:g} minutes; give more."
            )
        # An island that a ferry reaches is left out: a geofence is one ring.
        ring = simplified(rings[0])
        if not PolygonShape(Polygon(ring)).contains(center.longitude, center.latitude):
            raise InvalidParameter("coordinates", f"coordinates: there is no road for {mode} close enough.")
        with self._lock:
            if router is self._asked:
                self._rings[center, minutes, mode] = ring
                if len(self._rings) > _KEPT:
                    self._rings.popitem(last=False)
        return ring
