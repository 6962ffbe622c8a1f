"""Geofences from search results: a circle around a point, or the outline of a place."""

from __future__ import annotations

from typing import Final

from shapely import GEOSException, from_wkb, is_valid
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.polygon import orient

from app.desktop.model.search.results import SearchResult
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import MAX_RING_POSITIONS, MIN_RING_POSITIONS, Ring
from engine.domain.values import replace
from engine.geo.bounds import bounds_of_ring

DEFAULT_RADIUS_M: Final = 100.0
_DECIMALS: Final = 7
_TOLERANCES: Final = (0.0, 1e-6, 5e-6, 2e-5, 1e-4, 5e-4, 2e-3)
"""Tolerances, in degrees, for simplifying an outline with too many vertices. The first sufficient one is used."""


def fence_of(found: SearchResult, outline: bytes | None) -> GeofenceChange:
    """Return the change that creates a geofence from a result: its outline if it has one, else a circle around it."""
    ring = ring_of(outline) if outline is not None else None
    if ring is not None:
        change = GeofenceChange(type="polygon", coordinates=ring)
    else:
        center = (found.point.longitude, found.point.latitude)
        change = GeofenceChange(type="circle", coordinates=center, size=DEFAULT_RADIUS_M)
    return replace(change, description=found.name) if found.name else change


def ring_of(outline: bytes) -> Ring | None:
    """Return the closed ring around the largest part of a WKB outline, or None if it is not an area.

    Courtyards are included because a geofence has no holes. The ring has no more vertices than a geofence may have.
    """
    try:
        shape = from_wkb(outline)
    except GEOSException:
        return None
    if isinstance(shape, MultiPolygon):
        shape = max(shape.geoms, key=lambda part: float(part.area), default=Polygon())
    if not isinstance(shape, Polygon) or shape.is_empty:
        return None
    outer = orient(Polygon(shape.exterior))
    for tolerance in _TOLERANCES:
        simple = outer.simplify(tolerance) if tolerance else outer
        if not isinstance(simple, Polygon) or simple.is_empty:
            continue
        ring = tuple((round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in simple.exterior.coords)
        if MIN_RING_POSITIONS <= len(ring) <= MAX_RING_POSITIONS and is_valid(Polygon(ring)):
            return ring
    return None


def bounds_of(outline: bytes) -> tuple[float, float, float, float] | None:
    """Return the (west, south, east, north) bounding box of a WKB outline, or None if it is not an area."""
    ring = ring_of(outline)
    if ring is None:
        return None
    west, south, east, north = bounds_of_ring(ring)
    return west, south, east, north
