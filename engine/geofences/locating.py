"""Where a geofence is that somebody gives by an address or a place, found before the writer has to wait for it."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

import shapely

from engine.domain.address import COARSE, FINE, Address, ForwardQuery, Geocoder, MatchConfidence, check_query
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, Polygon
from engine.domain.place import Place, PlaceFinder
from engine.geo.earth import distance_m
from engine.geo.rings import check_ring, simplified

NEARBY_M: Final = 1_000.0
"""How far apart an address and coordinates that are both given may be."""

_KEPT: Final = 20_000


class Locator:
    """Finds addresses and places, and remembers them: a change is judged a second time in the writer's thread."""

    def __init__(self, geocoder: Callable[[], Geocoder], places: Callable[[], PlaceFinder]) -> None:
        """Both return what is in use."""
        self._geocoder = geocoder
        self._places = places
        self._lock = Lock()
        self._asked: Geocoder | None = None
        self._addresses: OrderedDict[str, tuple[Point, ...]] = OrderedDict()
        self._known_places: OrderedDict[str, Place] = OrderedDict()

    def address(self, text: str, near: Point | None = None) -> Point:
        """Return where an address is; with `near`, the first of its meanings that is close to that.

        Raises `InvalidParameter` ``address`` where nothing is found, or nothing within a kilometre of `near`; and what
        the geocoder raises.
        """
        query = check_query(text, "address")
        points = self._points(query)
        if not points:
            raise InvalidParameter("address", f"address: nothing is found for {query[:100]!r}.")
        if near is None:
            return points[0]
        away = [distance_m(point.longitude, point.latitude, near.longitude, near.latitude) for point in points]
        nearest_m = min(away)
        if nearest_m > NEARBY_M:
            raise InvalidParameter(
                "address", f"address: must be within 1 km of the coordinates, not {nearest_m / 1000:.1f} km away."
            )
        return points[away.index(nearest_m)]

    def place(self, place_id: str) -> Place | None:
        """Return the place with an identifier, None where no area in use has it."""
        geocoder = self._geocoder()
        with self._lock:
            self._forget_others(geocoder)
            known = self._known_places.get(place_id)
        if known is None:
            known = self._places().get(place_id)
            if known is not None:
                self._remember(geocoder, self._known_places, place_id, known)
        return known

    def _points(self, query: str) -> tuple[Point, ...]:
        geocoder = self._geocoder()
        with self._lock:
            self._forget_others(geocoder)
            known = self._addresses.get(query)
        if known is None:
            found = geocoder.forward(ForwardQuery(text=query, layers=COARSE | FINE))
            known = tuple(address.point for address in found if _is_meant(address))
            if known:
                self._remember(geocoder, self._addresses, query, known)
        return known

    def _forget_others(self, geocoder: Geocoder) -> None:
        if geocoder is not self._asked:
            self._asked = geocoder
            self._addresses.clear()
            self._known_places.clear()

    def _remember[T](self, geocoder: Geocoder, memory: OrderedDict[str, T], key: str, value: T) -> None:
        with self._lock:
            if geocoder is self._asked:
                memory[key] = value
                if len(memory) > _KEPT:
                    memory.popitem(last=False)


def outline_of(place: Place) -> Polygon | None:
    """Return the outline of a place as a geofence has it, None for a place that is only a point.

    A geofence is one ring: of an outline in several parts it is the largest, and holes are filled.
    """
    if place.outline is None:
        return None
    parts = shapely.get_parts(shapely.from_wkb(place.outline))
    largest = max(parts, key=shapely.area)
    ring = tuple((float(longitude), float(latitude)) for longitude, latitude in largest.exterior.coords)
    try:
        return check_ring(simplified(ring))
    except InvalidParameter as error:
        message = f"placeId: the outline of {place.name!r} cannot be a geofence: {error.message}"
        raise InvalidParameter("placeId", message) from error


def _is_meant(address: Address) -> bool:
    """Whether an answer is what was asked for, not something larger or something that only resembles it."""
    return address.confidence is not MatchConfidence.FALLBACK
