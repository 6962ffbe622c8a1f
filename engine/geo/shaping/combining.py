"""Union, difference and intersection of geofences, and cutting a geofence along a line."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Geometry, Position
from engine.geo.shaping.sheets import Area, line_on, sheet_of


def united(geometries: Sequence[Geometry]) -> Area:
    """Return the union of some geometries."""
    return _some(Area.of(shapely.union_all(sheet_of(geometries))), "")


def subtracted(geometry: Geometry, others: Sequence[Geometry]) -> Area:
    """Return a geometry without the others; raises `InvalidParameter` if nothing remains."""
    first, *rest = sheet_of((geometry, *others))
    left = shapely.difference(first, shapely.union_all(rest))
    return _some(Area.of(left), "nothing is left: the other geofences cover it.")


def intersected(geometries: Sequence[Geometry]) -> Area:
    """Return the intersection of geometries; raises `InvalidParameter` if it is empty."""
    return _some(Area.of(shapely.intersection_all(sheet_of(geometries))), "the geofences do not overlap.")


def split(geometry: Geometry, line: Sequence[Position]) -> Area:
    """Return the parts into which a line cuts a geometry; raises `InvalidParameter` if there is only one."""
    (sheet,) = sheet_of((geometry,))
    cuts = shapely.union_all([sheet.boundary, line_on(sheet, line)])
    faces = shapely.get_parts(shapely.polygonize([cuts]))
    inside = [face for face in faces if shapely.contains_xy(sheet, *_within(face))]
    area = Area.of(shapely.MultiPolygon(inside))
    if area.parts < 2:
        raise InvalidParameter("coordinates", "coordinates: the line must cross the geofence from side to side.")
    return area


def _within(face: shapely.Polygon) -> tuple[float, float]:
    place = face.representative_point()
    return place.x, place.y


def _some(area: Area, otherwise: str) -> Area:
    if area.parts == 0:
        raise InvalidParameter("coordinates", f"coordinates: {otherwise}")
    return area
