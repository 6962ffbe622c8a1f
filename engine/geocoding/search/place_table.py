"""Positions of a gazetteer's places in memory, for finding nearby places without reading rows.

Read on first use, in about two microseconds per place; each takes about 60 bytes.
"""

from bisect import insort
from collections.abc import Iterable
from functools import cached_property
from math import inf
from typing import Any, Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.geo.earth import distance_m, distances_m, metres_per_degree

type Numbers = NDArray[np.int64]
"""Indices of places in a table."""

_AT_MOST: Final = 0.99
"""Safety factor for planar distances, which are off by less than a per cent up to a few hundred kilometres."""

_AT_ONCE: Final = 500
_ORIGIN: Final = shapely.Point(0, 0)
_BOXES: Final = "SELECT p.id, p.longitude, p.latitude, b.west, b.south, b.east, b.north, p.outline IS NOT NULL"


class PlaceHit(NamedTuple):
    """A place by its number in a gazetteer, with its distance (0 inside) and the area of its outline."""

    distance_m: float
    size_m2: float
    id: int


class ChainHit(NamedTuple):
    """A place of a chain, with its distance."""

    distance_m: float
    slug: str
    name: str


class _Chained(NamedTuple):
    """The places of chains: their indices, and the slug and name of each one's chain."""

    indices: Numbers
    slugs: list[str]
    names: list[str]


class PlaceTable:
    """The places of one gazetteer. Thread-safe."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        """Read the positions of all places."""
        self.gazetteer = gazetteer
        rows = gazetteer.rows(f"{_BOXES} FROM places p JOIN place_boxes b ON b.id = p.id ORDER BY p.id")
        table = np.array(rows, dtype=np.float64).reshape(-1, 8)
        self._ids: Numbers = table[:, 0].astype(np.int64)
        self._points = table[:, 1:3].copy()
        self._boxes = table[:, 3:7].copy()
        self._outlined = table[:, 7] != 0
        self._of_category: dict[str, Numbers] = {}

    def everything(self) -> Numbers:
        """Return all places."""
        return np.arange(len(self._ids))

    def of_categories(self, categories: Iterable[str]) -> Numbers:
        """Return the places of any of the categories."""
        found = [self._of(category) for category in categories]
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def of_chains(self, slugs: Iterable[str]) -> Numbers:
        """Return the places of any of the chains."""
        wanted = tuple(slugs)
        marks = ",".join("?" * len(wanted))
        return self._indices(self.gazetteer.rows(f"SELECT id FROM places WHERE chain IN ({marks})", *wanted))

    def chains_near(self, point: Point, radius_m: float) -> list[ChainHit]:
        """Return the places of chains whose centre is within a distance, in no particular order."""
        indices, slugs, names = self._chained
        points = self._points[indices]
        east, north = metres_per_degree(point.latitude)
        # Filter by a box first: geodesic distances take ten times as long.
        across = np.abs((points[:, 0] - point.longitude + 180) % 360 - 180) * east
        box = (across * _AT_MOST <= radius_m) & (np.abs(points[:, 1] - point.latitude) * north * _AT_MOST <= radius_m)
        near = np.flatnonzero(box)
        away_m = distances_m(point.longitude, point.latitude, points[near, 0], points[near, 1]).tolist()
        hits = zip(away_m, near.tolist(), strict=True)
        return [ChainHit(each_m, slugs[number], names[number]) for each_m, number in hits if each_m <= radius_m]

    @cached_property
    def _chained(self) -> _Chained:
        rows = self.gazetteer.rows("SELECT id, chain, chain_name FROM places WHERE chain IS NOT NULL ORDER BY id")
        ids = np.array([row[0] for row in rows], dtype=np.int64)
        slugs = [row[1] for row in rows]
        return _Chained(np.asarray(np.searchsorted(self._ids, ids)), slugs, [row[2] or row[1] for row in rows])

    def inside(self, among: Numbers, outline: shapely.Geometry) -> Numbers:
        """Return the places whose point is inside an outline in degrees."""
        shapely.prepare(outline)
        points = self._points[among]
        return np.asarray(among[shapely.intersects_xy(outline, points[:, 0], points[:, 1])])

    def nearest(self, among: Numbers, point: Point, radius_m: float, limit: int | None) -> list[PlaceHit]:
        """Return up to `limit` of the given places within a distance, nearest first, or all of them if it is None."""
        least_m = self._least_distances(self._boxes[among], point)
        near = np.flatnonzero(least_m <= radius_m)
        if limit is None:
            return self._all_within(among[near], point, radius_m)
        near = near[np.argsort(least_m[near], kind="stable")]
        found: list[PlaceHit] = []
        for index, bound_m in zip(among[near].tolist(), least_m[near].tolist(), strict=True):
            if len(found) >= limit and bound_m > found[limit - 1].distance_m:
                break
            each = self._measure(index, point)
            if each.distance_m <= radius_m:
                insort(found, each)
        return found[:limit]

    def _all_within(self, among: Numbers, point: Point, radius_m: float) -> list[PlaceHit]:
        outlined = self._outlined[among]
        found = self._outlines(self._ids[among[outlined]].tolist(), point)
        points = among[~outlined]
        away_m = distances_m(point.longitude, point.latitude, self._points[points, 0], self._points[points, 1])
        ids = self._ids[points].tolist()
        found += [PlaceHit(each_m, inf, number) for each_m, number in zip(away_m.tolist(), ids, strict=True)]
        return sorted(each for each in found if each.distance_m <= radius_m)

    def _outlines(self, numbers: list[int], point: Point) -> list[PlaceHit]:
        """Return the distances to several outlines, computed at once."""
        sizes: list[PlaceHit] = []
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self.gazetteer.rows(f"SELECT id, outline FROM places WHERE id IN ({marks})", *some)
            ids, outlines = zip(*rows, strict=True)
            flat = _flat(np.array(outlines, dtype=object), point)
            away_m, areas = shapely.distance(flat, _ORIGIN).tolist(), shapely.area(flat).tolist()
            sizes += map(PlaceHit, away_m, areas, ids)
        return sizes

    def _of(self, category: str) -> Numbers:
        known = self._of_category.get(category)
        if known is None:
            rows = self.gazetteer.rows("SELECT place FROM place_categories WHERE category = ?", category)
            known = self._of_category[category] = self._indices(rows)
        return known

    def _indices(self, rows: list[tuple[Any, ...]]) -> Numbers:
        return np.asarray(np.searchsorted(self._ids, np.array(sorted(row[0] for row in rows), dtype=np.int64)))

    def _measure(self, index: int, point: Point) -> PlaceHit:
        number = int(self._ids[index])
        if self._outlined[index]:
            return PlaceHit(*_outline_distance(self.gazetteer, number, point), number)
        longitude, latitude = self._points[index].tolist()
        return PlaceHit(distance_m(point.longitude, point.latitude, longitude, latitude), inf, number)

    @staticmethod
    def _least_distances(boxes: NDArray[np.float64], point: Point) -> NDArray[np.float64]:
        """Return lower bounds of the distances to boxes, in metres."""
        east, north = metres_per_degree(point.latitude)
        # The shorter way around the earth.
        across = np.minimum.reduce(
            [
                np.maximum(np.maximum(boxes[:, 0] - longitude, longitude - boxes[:, 2]), 0.0)
                for longitude in (point.longitude - 360, point.longitude, point.longitude + 360)
            ]
        )
        along = np.maximum(np.maximum(boxes[:, 1] - point.latitude, point.latitude - boxes[:, 3]), 0.0)
        return np.asarray(np.hypot(across * east, along * north) * _AT_MOST - 0.1)


def _outline_distance(gazetteer: Gazetteer, number: int, point: Point) -> tuple[float, float]:
    """Return the distance to an outline, 0 inside, and its area in square metres."""
    (outline,) = gazetteer.rows("SELECT outline FROM places WHERE id = ?", number)[0]
    flat = _flat(outline, point)
    return float(shapely.distance(flat, _ORIGIN)), float(shapely.area(flat))


def _flat(outlines: Any, point: Point) -> Any:
    """Return outlines in metres relative to a position."""
    scale = metres_per_degree(point.latitude)

    def project(positions: NDArray[np.float64]) -> NDArray[np.float64]:
        flat = positions - (point.longitude, point.latitude)
        flat[:, 0] = (flat[:, 0] + 180) % 360 - 180
        return flat * scale

    return shapely.transform(shapely.from_wkb(outlines), project)
