"""Geofences from search results: a circle around a point, or the outline of a place."""

from __future__ import annotations

from typing import Final

import shapely
from shapely import GEOSException, from_wkb

from app.desktop.model.search.results import SearchResult
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Polygon
from engine.domain.values import replace
from engine.geo.bounds import Bounds, bounds_of_polygon
from engine.geofences.locating import fitted

DEFAULT_RADIUS_M: Final = 100.0
_DECIMALS: Final = 7


def fence_of(found: SearchResult, outline: bytes | None) -> GeofenceChange:
    """Return the change that creates a geofence from a result: its outline if it has one, else a circle around it."""
    polygon = polygon_of(outline) if outline is not None else None
    if polygon is not None:
        change = GeofenceChange(type="polygon", coordinates=polygon.coordinates)
    else:
        center = (found.point.longitude, found.point.latitude)
        change = GeofenceChange(type="circle", coordinates=center, size=DEFAULT_RADIUS_M)
    return replace(change, description=found.name) if found.name else change


def polygon_of(outline: bytes) -> Polygon | None:
    """Return the polygon of a WKB outline, with its holes and parts, or None if it is not an area.

    It has no more vertices than a geofence may have.
    """
    try:
        shape = from_wkb(outline)
    except GEOSException:
        return None
    if shape.geom_type not in ("Polygon", "MultiPolygon") or shape.is_empty:
        return None
    try:
        return fitted(shapely.transform(shapely.orient_polygons(shape), lambda places: places.round(_DECIMALS)))
    except InvalidParameter:
        return None


def bounds_of(outline: bytes) -> Bounds | None:
    """Return the (west, south, east, north) bounding box of a WKB outline, or None if it is not an area."""
    polygon = polygon_of(outline)
    return None if polygon is None else bounds_of_polygon(polygon)
