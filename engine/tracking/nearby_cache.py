"""The places and regions around a position, cached by cells of about 100 m.

A cell that has not been used recently is read from the gazetteers once for all users in it, which takes about a
millisecond. Regions therefore change at the borders of cells, which are at most 80 m away from the actual borders.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from math import floor, hypot
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.domain.addresses.address import Regions
from engine.domain.addresses.place import AT_PLACE_M, Chain, NearbyPlace, Place, PlaceFinder, PlaceQuery
from engine.domain.geometry import Point
from engine.domain.tracking.updates import Fix
from engine.domain.values import replace
from engine.geo.earth import metres_per_degree
from engine.tracking.nearby_chains import NEARBY_CHAIN_M
from engine.tracking.place_state import AroundData, Unreadable
from engine.tracking.places import MARGIN_M, MAX_PLACE_ACCURACY_M, Spot, is_roomy, is_visited, near_point_m

log = logging.getLogger(__name__)

CELLS_PER_DEGREE: Final = 1_000
MAX_CELLS: Final = 2_000
"""Maximum number of cached cells of places. A dense cell takes about 100 kB."""

MAX_REGION_CELLS: Final = 100_000

REACH_M: Final = AT_PLACE_M + MAX_PLACE_ACCURACY_M + MARGIN_M
"""Distance in metres beyond which a place is irrelevant to a fix, and its user has left it."""

_HALF_DIAGONAL_M: Final = 80.0

type _Cell = tuple[int, int]


class NearbyCache:
    """A thread-safe cache of the places and regions around positions."""

    def __init__(
        self,
        places: Callable[[], PlaceFinder],
        regions_at: Callable[[Point], Regions],
        data: Callable[[], AroundData] = AroundData,
    ) -> None:
        """Create a cache over these sources, which are asked again after `forget`."""
        self._places = places
        self._regions_at = regions_at
        self._find_data = data
        self._data: AroundData | None = None
        self._generation = 0
        self._logged_generation: int | None = None
        self._neighborhood = lru_cache(MAX_CELLS)(self._read_places)
        self._regions = lru_cache(MAX_REGION_CELLS)(self._read_regions)
        self._chains = lru_cache(MAX_CELLS)(self._read_chains)

    def forget(self) -> None:
        """Discard everything because areas have changed."""
        # Results that another thread is still reading from before the change are cached under the previous number.
        self._generation += 1
        self._data = None
        self._neighborhood.cache_clear()
        self._regions.cache_clear()
        self._chains.cache_clear()

    def get_ready(self, *, places: bool, regions: bool) -> None:
        """Warm up the sources once, so that the first request is fast."""
        nowhere = Point(0.0, 0.0)
        with suppress(Unreadable):
            if places:
                self._look(self._neighborhood, nowhere)
                self.chains(nowhere)
            if regions:
                self.regions(nowhere)

    def spots(self, fix: Fix) -> Iterator[Spot]:
        """Return the places that reach a fix, starting with the places that contain it.

        See `Spot`. Raises `Unreadable`.
        """
        return self._look(self._neighborhood, fix.point).spots(fix)

    def spot(self, place: Place, fix: Fix) -> Spot:
        """Return a place as seen from a fix, without the depth. Distant places are represented by their point."""
        known = self._look(self._neighborhood, fix.point).spot(place.id, fix.point)
        return known or spot_at(place, fix.point)

    def regions(self, point: Point) -> Regions:
        """Return the regions that contain the centre of the cell of a position. Raises `Unreadable`."""
        return self._look(self._regions, point)

    def place(self, place_id: str) -> Place | None:
        """Return the place with an identifier, or None if it is unknown. Raises `Unreadable`."""
        return self._look(lambda _generation, _cell: self._places().get(place_id), Point(0.0, 0.0))

    def data(self) -> AroundData:
        """Return the available sources of places and regions, or all sources if they cannot be determined."""
        if (data := self._data) is None:
            try:
                data = self._data = self._find_data()
            except Exception:
                log.exception("What places and regions are known from could not be found out")
                return AroundData()
        return data

    def within(self, point: Point, radius_m: float) -> tuple[Place, ...]:
        """Return the places within a distance, without caching. Raises `Unreadable`."""
        found = self._look(lambda _generation, _cell: self._places().around(point, radius_m), point)
        return tuple(each.place for each in found)

    def chains(self, point: Point, radius_m: float = NEARBY_CHAIN_M) -> tuple[Chain, ...]:
        """Return the chains with a place near the centre of the cell of a position. Raises `Unreadable`."""
        return self._look(lambda generation, cell: self._chains(generation, cell, radius_m), point)

    def nearest_of_chain(self, point: Point, slug: str) -> NearbyPlace | None:
        """Return the nearest place of a chain, if any, without caching. Raises `Unreadable`."""
        query = PlaceQuery(near=point, chains=frozenset({slug}), radius_m=NEARBY_CHAIN_M + _HALF_DIAGONAL_M, limit=1)
        return next(iter(self._look(lambda _generation, _cell: self._places().search(query), point)), None)

    def _look[T](self, read: Callable[[int, _Cell], T], point: Point) -> T:
        generation = self._generation
        try:
            return read(generation, _cell_of(point))
        except Exception as error:
            # No error may keep the user's location from being stored. Reading is tried again at the next update, so
            # only the first of several failures is logged.
            if self._logged_generation != generation:
                self._logged_generation = generation
                log.exception("The places and regions around %s could not be read", point)
            raise Unreadable from error

    def _read_places(self, _generation: int, cell: _Cell) -> "Neighborhood":
        middle = _middle_of(cell)
        found = self._places().around(middle, REACH_M + _HALF_DIAGONAL_M)
        return Neighborhood(middle, (each.place for each in found))

    def _read_regions(self, _generation: int, cell: _Cell) -> Regions:
        return self._regions_at(_middle_of(cell))

    def _read_chains(self, _generation: int, cell: _Cell, radius_m: float) -> tuple[Chain, ...]:
        return self._places().chains_around(_middle_of(cell), radius_m)


class Neighborhood:
    """The places around a position on a plane in metres."""

    def __init__(self, middle: Point, places: Iterable[Place]) -> None:
        self._middle = middle
        self._scale = metres_per_degree(middle.latitude)
        found = list(places)
        self._shapes = self._flat(found)
        shapely.prepare(self._shapes)
        self._sizes: NDArray[np.float64] = shapely.area(self._shapes)
        self._outlined = self._sizes > 0
        self._reaches = np.where(self._outlined, 0.0, AT_PLACE_M)
        boxes: NDArray[np.float64] = shapely.bounds(self._shapes).reshape(-1, 4)
        # West and south, and east and north negated: the distance of a position is at least the largest difference.
        self._sides = boxes * (1, 1, -1, -1)
        # Outlines have many positions and are no longer needed.
        self._places = [replace(place, outline=None) if place.outline is not None else place for place in found]
        self._roomy = self._outlined & np.array([is_roomy(place) for place in found], dtype=bool)
        self._visited = ~self._outlined & np.array([is_visited(place) for place in found], dtype=bool)
        self._indices = {place.id: index for index, place in enumerate(found)}

    def spots(self, fix: Fix) -> Iterator[Spot]:
        """Yield the places that reach a fix: first the smallest that contains it, and after these the nearest.

        If the smallest is a place that contains others, the places inside it whose point is at the fix come before it.
        """
        if not self._places:
            return
        x, y = self._on_plane(fix.point)
        reach_m = self._reaches + fix.accuracy_m
        near = ((self._sides - (x, y, -x, -y)).max(axis=1) <= reach_m).nonzero()[0]
        if not len(near):
            return
        here = shapely.Point(x, y)
        distances = shapely.distance(self._shapes[near], here)
        holds = self._outlined[near] & (distances <= 0)
        sizes = np.where(holds, self._sizes[near], distances)
        inside = np.zeros(len(near), dtype=bool)
        if holds.any() and self._roomy[near[np.where(holds, sizes, np.inf).argmin()]]:
            inside = self._visited[near] & (distances <= near_point_m(fix.accuracy_m))
        order = np.lexsort((sizes, ~(holds | inside), ~inside))
        for index, distance_m in zip(near[order].tolist(), distances[order].tolist(), strict=True):
            if distance_m <= reach_m[index]:
                yield self._spot(index, distance_m, here)

    def spot(self, place_id: str, point: Point) -> Spot | None:
        """Return a place as seen from a position, without the depth, or None if it is not nearby."""
        index = self._indices.get(place_id)
        if index is None:
            return None
        if not self._outlined[index]:
            return spot_at(self._places[index], point)
        distance_m = float(shapely.distance(self._shapes[index], shapely.Point(self._on_plane(point))))
        return Spot(self._places[index], distance_m, 0.0, float(self._sizes[index]))

    def _spot(self, index: int, distance_m: float, here: shapely.Point) -> Spot:
        if not self._outlined[index]:
            return Spot(self._places[index], distance_m)
        depth_m = float(shapely.distance(shapely.boundary(self._shapes[index]), here)) if distance_m <= 0 else 0.0
        return Spot(self._places[index], distance_m, depth_m, float(self._sizes[index]))

    def _flat(self, places: Sequence[Place]) -> NDArray[np.object_]:
        flat = np.empty(len(places), dtype=object)
        outlined = [index for index, place in enumerate(places) if place.outline is not None]
        if outlined:
            shapes = shapely.from_wkb([places[index].outline for index in outlined])
            flat[outlined] = shapely.transform(shapes, self._project)
        points = [index for index, place in enumerate(places) if place.outline is None]
        if points:
            positions = [(places[index].point.longitude, places[index].point.latitude) for index in points]
            flat[points] = shapely.points(self._project(np.array(positions)))
        return flat

    def _project(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        flat = positions - (self._middle.longitude, self._middle.latitude)
        flat[:, 0] = (flat[:, 0] + 180) % 360 - 180
        return flat * self._scale

    def _on_plane(self, point: Point) -> tuple[float, float]:
        x = _difference(point.longitude, self._middle.longitude) * self._scale[0]
        return x, (point.latitude - self._middle.latitude) * self._scale[1]


def spot_at(place: Place, point: Point) -> Spot:
    """Return a place as seen from a position, represented by its point."""
    east, north = metres_per_degree(point.latitude)
    x = _difference(place.point.longitude, point.longitude) * east
    return Spot(place, hypot(x, (place.point.latitude - point.latitude) * north))


def _difference(longitude: float, other: float) -> float:
    return (longitude - other + 180) % 360 - 180


def _cell_of(point: Point) -> _Cell:
    return floor(point.longitude * CELLS_PER_DEGREE), floor(point.latitude * CELLS_PER_DEGREE)


def _middle_of(cell: _Cell) -> Point:
    column, row = cell
    longitude = min((column + 0.5) / CELLS_PER_DEGREE, 180.0)
    return Point(longitude, min((row + 0.5) / CELLS_PER_DEGREE, 90.0))
