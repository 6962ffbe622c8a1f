"""Geofences from search results: a circle around a point, or the outline of a place."""

from __future__ import annotations

from itertools import chain
from typing import Final

import numpy as np
from shapely import GEOSException, from_wkb, get_coordinates, get_parts, orient_polygons, transform
from shapely.geometry import LinearRing, MultiPolygon, Polygon

from app.desktop.model.search.results import SearchResult
from engine.domain import geometry
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import MAX_HOLES, MAX_PARTS, MAX_RING_POSITIONS, Ring
from engine.domain.values import replace
from engine.geo.bounds import bounds_of_polygon
from engine.geo.parts import check_polygon

DEFAULT_RADIUS_M: Final = 100.0
_DECIMALS: Final = 7
_TOLERANCES: Final = (0.0, 1e-6, 5e-6, 2e-5, 1e-4, 5e-4, 2e-3)
"""Tolerances, in degrees, for simplifying an outline with too many vertices. The first sufficient one is used."""


def fence_of(found: SearchResult, outline: bytes | None) -> GeofenceChange:
    """Return the change that creates a geofence from a result: its outline if it has one, else a circle around it."""
    polygon = polygon_of(outline) if outline is not None else None
    if polygon is not None:
        change = GeofenceChange(type="polygon", coordinates=polygon.coordinates)
    else:
        center = (found.point.longitude, found.point.latitude)
        change = GeofenceChange(type="circle", coordinates=center, size=DEFAULT_RADIUS_M)
    return replace(change, description=found.name) if found.name else change


def polygon_of(outline: bytes) -> geometry.Polygon | None:
    """Return a WKB outline with its courtyards and parts, or None if it is not an area.

    It is simplified to the vertices that a geofence may have, without the smallest parts and holes if there are too
    many. Of an outline that cannot be a geofence, the largest part is used.
    """
    try:
        shape = from_wkb(outline)
    except GEOSException:
        return None
    if not isinstance(shape, Polygon | MultiPolygon) or shape.is_empty:
        return None
    parts: list[Polygon] = sorted(get_parts(orient_polygons(shape)).tolist(), key=lambda part: -part.area)
    largest = Polygon(parts[0].exterior)
    return _simplest(_limited(parts)) or _simplest(largest)


def _limited(parts: list[Polygon]) -> MultiPolygon:
    """Return the largest parts with the largest holes, at most as many as a geofence may have."""
    kept = parts[:MAX_PARTS]
    holes = sorted(chain.from_iterable(part.interiors for part in kept), key=lambda hole: -Polygon(hole).area)
    smallest = Polygon(holes[MAX_HOLES - 1]).area if len(holes) > MAX_HOLES else 0.0
    return MultiPolygon(
        [Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area >= smallest]) for part in kept]
    )


def _simplest(shape: Polygon | MultiPolygon) -> geometry.Polygon | None:
    """Return a shape as a geofence's polygon, simplified as little as possible."""
    for tolerance in _TOLERANCES:
        simple = shape.simplify(tolerance) if tolerance else shape
        if len(get_coordinates(simple)) > MAX_RING_POSITIONS:
            continue
        rounded = transform(simple, lambda degrees: np.round(degrees, _DECIMALS))
        parts = [part for part in get_parts(rounded).tolist() if not part.is_empty]
        try:
            return check_polygon([[_ring(ring) for ring in (part.exterior, *part.interiors)] for part in parts])
        except InvalidParameter:
            continue
    return None


def _ring(ring: LinearRing) -> Ring:
    return tuple((longitude, latitude) for longitude, latitude in ring.coords)


def bounds_of(outline: bytes) -> tuple[float, float, float, float] | None:
    """Return the (west, south, east, north) bounding box of a WKB outline, or None if it is not an area."""
    polygon = polygon_of(outline)
    return None if polygon is None else bounds_of_polygon(polygon)
