"""Mending of areas that cannot be geofences.

They are shapely polygons with continuous longitudes, all in one turn of the earth.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import cos, radians
from typing import Any

import numpy as np
import shapely

from engine.domain.geometry import MAX_RING_POSITIONS, Point
from engine.geo.earth import Floats, enclosed_area_m2
from engine.geo.shaping.planes import Plane

_LEAST = 1e-11
"""Area in square degrees, about a tenth of a square metre. Smaller slivers result from rounding."""

_GRID = 1e-7
"""Precision of areas around lines, in degrees: about a centimetre."""

_ROUNDING = 1e-9
_FEWEST = 3
_FIRST_TOLERANCE = 1e-6
_LAST_TOLERANCE = 1.0
"""Range of tolerances of simplification, as a share of the extent of a shape."""

_MOST_CHANGED = 1e-3
"""Share of the area by which a simplification may change it if a finer one would do."""

_FINER = 6
_DECIMALS = 12
_WIDEST_EDGE = 90.0
_LONGEST_DEG = 0.1

type Drawn = list[list[Floats]]
"""The lines of each part of a shape: for a polygon, its outer ring and its holes."""


# Rings


def closed(ring: Floats) -> Floats:
    """Return a ring that ends where it begins."""
    is_closed = len(ring) > 0 and bool((ring[0] == ring[-1]).all())
    return ring if is_closed else np.concatenate((ring, ring[:1]))


def encloses(ring: Floats) -> bool:
    """Return whether a ring has at least three corners."""
    return len(np.unique(ring, axis=0)) >= _FEWEST


def in_one_turn(parts: Drawn, middle: float | None = None) -> Drawn:
    """Return lines with continuous longitudes, shifted by full turns to be nearest to the middle, or the first one."""
    turned: Drawn = []
    for lines in parts:
        turned.append([])
        for line in map(_continuous, lines):
            here = float(line[:, 0].min() + line[:, 0].max()) / 2
            middle = here if middle is None else middle
            turned[-1].append(line + np.array([360 * round((middle - here) / 360), 0.0]))
    return turned


def around_pole(ring: Floats) -> bool:
    """Return whether a closed ring with continuous longitudes goes around a pole."""
    return bool((ring[0] != ring[-1]).any())


def _continuous(line: Floats) -> Floats:
    steps = np.diff(line[:, 0])
    if not (np.abs(steps) > 180).any():
        return line
    turns = np.cumsum(np.where(np.abs(steps) > 180, -np.round(steps / 360), 0.0))
    return np.column_stack((line[:, 0] + 360 * np.concatenate(([0.0], turns)), line[:, 1]))


def rings_of(polygon: Any) -> list[list[tuple[float, float]]]:
    """Return the outer ring, counterclockwise, and the holes of a polygon, with longitudes within ±180°."""
    west, _, east, _ = polygon.bounds
    if east - west > _WIDEST_EDGE:
        polygon = shapely.segmentize(polygon, _WIDEST_EDGE)  # an edge of half a turn would go the other way around
    polygon = shapely.orient_polygons(polygon)
    return [_positions(ring) for ring in (polygon.exterior, *polygon.interiors)]


def _positions(ring: Any) -> list[tuple[float, float]]:
    positions = shapely.get_coordinates(ring)
    longitudes = positions[:, 0]
    beyond = np.abs(longitudes) > 180
    positions[beyond, 0] = np.round((longitudes[beyond] + 180) % 360 - 180, _DECIMALS)
    return [(longitude, latitude) for longitude, latitude in positions.tolist()]


# Areas


def polygons_of(shape: Any) -> list[Any]:
    """Return the polygons of a shape, without lines and slivers, the largest first."""
    return sorted(_polygons(shape), key=lambda part: -part.area)


def _polygons(shape: Any) -> Iterator[Any]:
    for part in shapely.get_parts(shape):
        if shapely.get_type_id(part) > 3:
            yield from _polygons(part)
        elif shapely.get_type_id(part) == 3 and part.area > _LEAST:
            yield shapely.Polygon(part.exterior, [hole for hole in part.interiors if _enclosed(hole) > _LEAST])


def _enclosed(ring: Any) -> float:
    return float(shapely.Polygon(ring).area)


def are_sound(polygons: Sequence[Any]) -> bool:
    """Return whether polygons neither cross nor touch themselves, and do not overlap."""
    if not all(shapely.is_valid(polygons)):
        return False
    first, second = shapely.STRtree(polygons).query(polygons, predicate="intersects")
    pairs = ((polygons[a], polygons[b]) for a, b in zip(first.tolist(), second.tolist(), strict=True) if a < b)
    return all(a.intersection(b).area <= _ROUNDING * min(a.area, b.area) for a, b in pairs)


def mended(polygons: Iterable[Any]) -> list[Any]:
    """Return sound polygons for others: those that crossing rings make, without their holes, and united."""
    sound = []
    for polygon in polygons:
        outer = shapely.make_valid(shapely.Polygon(polygon.exterior))
        holes = [shapely.make_valid(shapely.Polygon(hole)) for hole in polygon.interiors]
        sound += polygons_of(shapely.difference(outer, shapely.union_all(holes)) if holes else outer)
    return united(sound)


def united(polygons: Sequence[Any]) -> list[Any]:
    """Return the polygons of a union."""
    return polygons_of(shapely.union_all(polygons)) if len(polygons) > 1 else list(polygons)


def widened(lines: Drawn, width_m: float, polygons: Sequence[Any]) -> list[Any]:
    """Return polygons united with an area of some width around lines.

    Raises `InvalidParameter` if it surrounds a pole.
    """
    middle = float(polygons[0].centroid.x) if polygons else None
    drawn = shapely.MultiLineString([line for each in in_one_turn(lines, middle) for line in each])
    west, south, east, north = drawn.bounds
    plane = Plane(Point((west + east) / 2, (south + north) / 2))
    around = plane.round(shapely.buffer(plane.flat(drawn), width_m / 2))
    return united([*polygons, *polygons_of(shapely.set_precision(around, _GRID))])


# Measures


def area_m2(polygon: Any) -> float:
    """Return the area of a polygon, whose edges are straight in degrees, in square metres."""
    outer, *holes = (_ring_m2(ring) for ring in (polygon.exterior, *polygon.interiors))
    return outer - sum(holes)


def _ring_m2(ring: Any) -> float:
    positions = shapely.get_coordinates(shapely.segmentize(ring, max(_LONGEST_DEG, ring.length / 20_000)))
    return enclosed_area_m2(positions[:, 0], positions[:, 1])


def position_count(polygons: Sequence[Any]) -> int:
    """Return the number of positions of all rings."""
    return int(shapely.get_num_coordinates(polygons).sum())


def vertex_count(polygons: Sequence[Any]) -> int:
    """Return the number of vertices: of positions, without the last one of each ring."""
    return position_count(polygons) - sum(1 + len(each.interiors) for each in polygons)


# Simplification


def simplified(polygons: Sequence[Any]) -> list[Any]:
    """Return polygons with as many positions in all as a geofence may have.

    The tolerance is the least that suffices, or up to twice as much if the area changes by less than 0.1 %. Positions
    are left out, and none is moved. Raises `ValueError` if no tolerance suffices.
    """
    whole = shapely.MultiPolygon(united(polygons))
    west, south, east, north = whole.bounds
    narrow = np.array((cos(radians((south + north) / 2)), 1.0))
    # Narrowed by the latitude, so that the tolerance is the same in all directions.
    flat = shapely.transform(whole, lambda positions: positions * narrow)
    extent = max((east - west) * narrow[0], north - south)
    coarse = _coarse(flat, extent)

    def widened_again(positions: Floats) -> Floats:
        return np.asarray(np.round(positions / narrow, _DECIMALS))

    return polygons_of(shapely.transform(coarse, widened_again))


def _coarse(flat: Any, extent: float) -> Any:
    finer, tolerance, simple = flat, _FIRST_TOLERANCE * extent, flat
    while _is_long(simple):
        if tolerance > _LAST_TOLERANCE * extent:
            raise ValueError
        finer, tolerance = simple, tolerance * 2
        simple = _simple(finer, tolerance / 2)
    if abs(_change(flat, simple)) < _MOST_CHANGED:
        return simple
    low, high = tolerance / 4, tolerance / 2
    for _ in range(_FINER):
        middle = (low + high) / 2
        tried = _simple(finer, middle)
        if _is_long(tried):
            low = middle
        else:
            high, simple = middle, tried
    return simple


def _simple(shape: Any, tolerance: float) -> Any:
    simple = shapely.simplify(shape, tolerance, preserve_topology=True)
    return simple if simple.is_valid else shapely.MultiPolygon(mended(polygons_of(simple)))


def _is_long(shape: Any) -> bool:
    return bool(shapely.get_num_coordinates(shape) > MAX_RING_POSITIONS)


def _change(before: Any, after: Any) -> float:
    return float(after.area / before.area - 1)


def changed(before: Sequence[Any], after: Sequence[Any]) -> float:
    """Return the relative change of the area."""
    area = sum(map(area_m2, before))
    return (sum(map(area_m2, after)) - area) / area
