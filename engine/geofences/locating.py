"""Lookup of geofences given by an address or place, in advance, so that the writer does not have to wait."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Final

import shapely

from engine.domain.addresses.address import (
    COARSE,
    FINE,
    Address,
    ForwardQuery,
    Geocoder,
    Layer,
    MatchConfidence,
    check_query,
)
from engine.domain.addresses.place import Place, PlaceFinder
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_HOLES, MAX_PARTS, MAX_RING_POSITIONS, Point, Polygon
from engine.geo.earth import distance_m
from engine.geo.parts import check_polygon

NEARBY_M: Final = 1_000.0
"""Maximum distance between an address and coordinates if both are given, in metres."""

_KEPT: Final = 20_000
_LISTED: Final = 3
_ELSEWHERE_M: Final = 200.0
_TOLERANCE: Final = 1e-5
"""First tolerance in degrees by which an outline with too many positions is simplified: about a metre."""

_TOO_LARGE: Final = frozenset({Layer.COUNTY, Layer.STATE, Layer.COUNTRY})


class Locator:
    """Finds and caches addresses and places, because each change is validated again in the writer's thread."""

    def __init__(self, geocoder: Callable[[], Geocoder], places: Callable[[], PlaceFinder]) -> None:
        """Create a locator with functions that return the current geocoder and place finder."""
        self._geocoder = geocoder
        self._places = places
        self._lock = Lock()
        self._last_geocoder: Geocoder | None = None
        self._addresses: OrderedDict[str, tuple[Address, ...]] = OrderedDict()
        self._known_places: OrderedDict[str, Place] = OrderedDict()

    def address(self, text: str, near: Point | None = None) -> Point:
        """Return the position of an address; with `near`, of the nearest match, which must be close to it.

        Raises `InvalidParameter` ``address`` if nothing is found with certainty, if the match is as large as a county,
        if several matches are equally good, or if no match is within a kilometre of `near`. Errors of the geocoder are
        passed on.
        """
        query = check_query(text, "address")
        matches = self._matches(query)
        if near is None:
            return _the_one(matches, query).point
        points = [address.point for address in matches]
        away = [distance_m(point.longitude, point.latitude, near.longitude, near.latitude) for point in points]
        nearest_m = min(away)
        if nearest_m > NEARBY_M:
            raise InvalidParameter(
                "address", f"address: must be within 1 km of the coordinates, not {nearest_m / 1000:.1f} km away."
            )
        return points[away.index(nearest_m)]

    def place(self, place_id: str) -> Place | None:
        """Return the place with an identifier, or None if no area in use has it."""
        geocoder = self._geocoder()
        with self._lock:
            self._forget_others(geocoder)
            known = self._known_places.get(place_id)
        if known is None:
            known = self._places().get(place_id)
            if known is not None:
                self._remember(geocoder, self._known_places, place_id, known)
        return known

    def forget(self) -> None:
        """Clear the cache after areas changed, because a remote geocoder does not become a different object then."""
        with self._lock:
            self._forget_others(None)

    def _matches(self, query: str) -> tuple[Address, ...]:
        """Return the matches of an address, best first, at least one."""
        geocoder = self._geocoder()
        with self._lock:
            self._forget_others(geocoder)
            known = self._addresses.get(query)
        if known is None:
            found = geocoder.forward(ForwardQuery(text=query, layers=COARSE | FINE))
            known = _certain(found, query)
            self._remember(geocoder, self._addresses, query, known)
        return known

    def _forget_others(self, geocoder: Geocoder | None) -> None:
        if geocoder is not self._last_geocoder:
            self._last_geocoder = geocoder
            self._addresses.clear()
            self._known_places.clear()

    def _remember[T](self, geocoder: Geocoder, memory: OrderedDict[str, T], key: str, value: T) -> None:
        with self._lock:
            if geocoder is self._last_geocoder:
                memory[key] = value
                if len(memory) > _KEPT:
                    memory.popitem(last=False)


def outline_of(place: Place) -> Polygon | None:
    """Return the outline of a place as a geofence, or None for a place that is only a point."""
    if place.outline is None:
        return None
    try:
        return fitted(shapely.from_wkb(place.outline))
    except InvalidParameter as error:
        message = f"place_id: the outline of {place.name!r} cannot be a geofence: {error.message}"
        raise InvalidParameter("place_id", message) from error


def fitted(area: Any) -> Polygon:
    """Return the polygon of a shapely area, simplified if it has too many positions.

    Of very many parts and holes, the largest are kept. Raises `InvalidParameter` for ``coordinates`` if the area cannot
    be a polygon.
    """
    parts = sorted(shapely.get_parts(area), key=shapely.area, reverse=True)[:MAX_PARTS]
    holes = [(number, hole) for number, part in enumerate(parts) for hole in part.interiors]
    holes = sorted(holes, key=lambda each: float(shapely.Polygon(each[1]).area), reverse=True)[:MAX_HOLES]
    kept = [[hole for number, hole in holes if number == place] for place in range(len(parts))]
    shape = shapely.MultiPolygon([shapely.Polygon(part.exterior, own) for part, own in zip(parts, kept, strict=True)])
    tolerance = _TOLERANCE
    while shapely.get_num_coordinates(shape) > MAX_RING_POSITIONS:
        shape = shape.simplify(tolerance, preserve_topology=True)
        tolerance *= 2
    rings = [[part.exterior, *part.interiors] for part in shapely.get_parts(shape)]
    return check_polygon([[[(x, y) for x, y, *_ in ring.coords] for ring in part] for part in rings])


def _certain(found: Sequence[Address], query: str) -> tuple[Address, ...]:
    """Return the exact matches that are small enough for a geofence."""
    exact = tuple(address for address in found if address.confidence is not MatchConfidence.FALLBACK)
    if not found:
        raise InvalidParameter("address", f"address: nothing was found for {query[:100]!r}.")
    if not exact:
        message = f"no certain match was found for {query[:100]!r}; the closest is {found[0].formatted!r}."
        raise InvalidParameter("address", f"address: {message}")
    small = tuple(address for address in exact if address.layer not in _TOO_LARGE)
    if not small:
        message = (
            f"{exact[0].formatted!r} is a {exact[0].layer}, too large for a geofence; give a street or a town as well."
        )
        raise InvalidParameter("address", f"address: {message}")
    return small


def _the_one(matches: Sequence[Address], query: str) -> Address:
    """Return the best match; raises `InvalidParameter` if equally good ones are elsewhere."""
    best = matches[0]
    others = [each for each in matches if _is_rival(each, best)]
    if others:
        names = "; ".join([best.formatted, *(each.formatted for each in others[: _LISTED - 1])])
        raise InvalidParameter("address", f"address: {query[:100]!r} is ambiguous: {names}; be more specific.")
    return best


def _is_rival(other: Address, best: Address) -> bool:
    if (other.layer, other.confidence) != (best.layer, best.confidence):
        return False
    if other.formatted == best.formatted and other.layer is not Layer.PLACE:
        return False
    a, b = other.point, best.point
    return distance_m(a.longitude, a.latitude, b.longitude, b.latitude) > _ELSEWHERE_M
