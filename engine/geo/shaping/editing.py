"""Adding and deleting the parts and holes of a polygon. If possible, its other rings keep their positions."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Circle, Geometry, Polygon, Position, Ring
from engine.geo.parts import check_polygon
from engine.geo.rings import check_ring
from engine.geo.shaping.combining import subtracted, united
from engine.geo.shaping.sheets import ring_of, sheet_of


def with_hole(geometry: Geometry, ring: Sequence[Position]) -> Polygon:
    """Return a geometry without the interior of a closed ring, which may cross its boundary.

    Raises `InvalidParameter` for ``coordinates`` if the ring is not valid, is outside of the geometry or covers it.
    """
    polygon, hole = _polygon_of(geometry), check_ring(ring)
    cut, *parts = sheet_of((hole, *_each_part(polygon)))
    if not any(shapely.intersection(part, cut).area > 0 for part in parts):
        raise InvalidParameter("coordinates", "coordinates: a hole must be inside the geofence.")
    rings = _rings_of(polygon)
    for number, part in enumerate(parts):
        if part.contains_properly(cut):
            rings[number].append(hole.ring)
            return check_polygon(rings)
    return subtracted(polygon, (hole,)).polygon()


def with_part(geometry: Geometry, ring: Sequence[Position]) -> Polygon:
    """Return a geometry with the interior of a closed ring, as a part of its own unless it overlaps another.

    Raises `InvalidParameter` for ``coordinates`` if the ring is not valid, or is inside the geometry.
    """
    polygon, part = _polygon_of(geometry), check_ring(ring)
    new, *parts = sheet_of((part, *_each_part(polygon)))
    # An edge in common has a length, a common corner has not.
    if not any(shapely.intersection(new, each).length > 0 for each in parts):
        return check_polygon([*_rings_of(polygon), [part.ring]])
    whole = united((polygon, part))
    if whole.unchanged:
        raise InvalidParameter("coordinates", "coordinates: a new part must not be inside the geofence.")
    return whole.polygon()


def without_ring(polygon: Polygon, number: int) -> Polygon:
    """Return a polygon without one of its `rings`: a hole, or a part with its holes if it is the outer ring.

    Parts inside a deleted hole are then inside the part around it, so they are deleted too. Raises `InvalidParameter`
    for ``coordinates`` if no part would be left.
    """
    rings, ring = _rings_of(polygon), polygon.rings[number]
    at, within_part = _place_of(rings, number)
    if within_part == 0:
        del rings[at]
    else:
        del rings[at][within_part]
        hole, *parts = sheet_of((Polygon(ring), *(Polygon(part[0]) for part in rings)))
        rings = [part for part, shape in zip(rings, parts, strict=True) if not hole.covers(shape)]
    if not rings:
        raise InvalidParameter("coordinates", "coordinates: the only part of a geofence cannot be deleted.")
    return check_polygon(rings)


def _place_of(rings: Sequence[Sequence[Ring]], number: int) -> tuple[int, int]:
    """Return the number of the part of a ring, and its number within the part."""
    return [(part, ring) for part, each in enumerate(rings) for ring in range(len(each))][number]


def _polygon_of(geometry: Geometry) -> Polygon:
    return Polygon(ring_of(geometry)) if isinstance(geometry, Circle) else geometry


def _each_part(polygon: Polygon) -> list[Polygon]:
    return [Polygon(part.ring, part.holes) for part in polygon.parts]


def _rings_of(polygon: Polygon) -> list[list[Ring]]:
    return [[part.ring, *part.holes] for part in polygon.parts]
