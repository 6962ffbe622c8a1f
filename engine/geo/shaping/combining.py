"""Union, difference and intersection of geofences, filling holes, and cutting a geofence along a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Geometry, Polygon, Position
from engine.geo.shaping.sheets import Area, line_on, sheet_of


def united(geometries: Sequence[Geometry]) -> Area:
    """Return the union of some geometries."""
    sheets = sheet_of(geometries)
    return _some(shapely.union_all(sheets), sheets[0], "")


def subtracted(geometry: Geometry, others: Sequence[Geometry]) -> Area:
    """Return a geometry without the others; raises `InvalidParameter` if nothing remains, or all of it."""
    first, *rest = sheet_of((geometry, *others))
    left = _some(
        shapely.difference(first, shapely.union_all(rest)), first, "nothing is left: the other geofences cover it."
    )
    if left.unchanged:
        raise InvalidParameter("coordinates", "coordinates: nothing changes: the other geofences do not overlap it.")
    return left


def intersected(geometries: Sequence[Geometry]) -> Area:
    """Return the intersection of geometries; raises `InvalidParameter` if it is empty."""
    sheets = sheet_of(geometries)
    return _some(shapely.intersection_all(sheets), sheets[0], "the geofences do not overlap.")


def filled(geometry: Geometry) -> Area:
    """Return a geometry with its holes filled, which may include other parts of it."""
    (sheet,) = sheet_of((geometry,))
    whole = shapely.union_all([shapely.Polygon(part.exterior) for part in shapely.get_parts(sheet)])
    return Area.of(whole, sheet)


def split(geometry: Geometry, line: Sequence[Position]) -> tuple[Polygon, ...]:
    """Return the polygons into which a line cuts a geometry, the largest piece first.

    The first one also gets the parts that the line does not cut. Raises `InvalidParameter` if it cuts none.
    """
    (sheet,) = sheet_of((geometry,))
    drawn = line_on(sheet, line)
    pieces: list[Any] = []
    rest: list[Any] = []
    for part in shapely.get_parts(sheet):
        cut = _pieces(part, drawn)
        (pieces if len(cut) > 1 else rest).extend(cut)
    area = Area.of(shapely.MultiPolygon(pieces))
    if area.parts < 2:
        raise InvalidParameter("coordinates", "coordinates: the line must cross the geofence from side to side.")
    largest, *others = area.shape.geoms
    return Area.of(shapely.MultiPolygon([largest, *rest])).polygon(), *Area(shapely.MultiPolygon(others)).polygons()


def _pieces(part: shapely.Polygon, line: shapely.LineString) -> list[Any]:
    if not line.intersects(part):
        return [part]
    faces = shapely.get_parts(shapely.polygonize([shapely.union_all([part.boundary, line])]))
    inside = [face for face in faces if shapely.contains_xy(part, *_within(face))]
    return inside if len(inside) > 1 else [part]


def _within(face: shapely.Polygon) -> tuple[float, float]:
    place = face.representative_point()
    return place.x, place.y


def _some(shape: Any, first: Any, otherwise: str) -> Area:
    area = Area.of(shape, first)
    if area.parts == 0:
        raise InvalidParameter("coordinates", f"coordinates: {otherwise}")
    return area
