"""Isochrones as valid rings."""

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import shapely
from shapely.geometry.base import BaseGeometry

from engine.domain.geometry import MAX_RING_POSITIONS, Point, Position, Ring
from engine.outbound.shapes import Record, WrongShape, listed, number, point, record, records

_ROUGHLY_DEG: Final = 2e-4
"""Smallest tolerance in degrees, below the width of Valhalla's grid; a smaller one would change hardly anything."""

_ELSEWHERE_DEG: Final = 0.02
"""Distance in degrees of a ring that is not around its road."""

_REFINEMENTS: Final = 4


def read_isochrones(answer: object, minutes: Sequence[float], road: Point) -> tuple[tuple[Ring, ...], ...]:
    """Return the outer rings for each number of minutes, the one around `road` first.

    Raises `WrongShape` if the response is invalid.
    """
    rings: dict[float, tuple[Ring, ...]] = dict.fromkeys(minutes, ())
    for feature in records(record(answer).get("features")):
        contour = number(record(feature.get("properties")).get("contour"))
        rings[_nearest(contour, minutes)] = rings_of(_shape_of(record(feature.get("geometry"))), road)
    return tuple(rings[minute] for minute in minutes)


def is_elsewhere(ring: Ring, road: Point) -> bool:
    """Return whether a ring lies far from the road that it should be around, as Valhalla's do at the 180th meridian."""
    away_deg: float = shapely.Polygon(ring).distance(shapely.Point(road.longitude, road.latitude))
    return away_deg > _ELSEWHERE_DEG


def _shape_of(geometry: Record) -> BaseGeometry:
    """Return the area of a GeoJSON geometry."""
    parts = listed(geometry.get("coordinates"))
    match geometry.get("type"):
        case "Polygon":
            return _polygon(parts)
        case "MultiPolygon":
            return shapely.MultiPolygon([_polygon(listed(part)) for part in parts])
        case _:
            raise WrongShape("this is not an area")


def _polygon(rings: Sequence[Any]) -> shapely.Polygon:
    outer, *holes = [[_position(listed(each)) for each in listed(ring)] for ring in rings] or [[]]
    try:
        return shapely.Polygon(outer, holes)
    except ValueError:
        raise WrongShape("this is not a ring") from None


def _position(values: Sequence[Any]) -> Position:
    if len(values) < 2:
        raise WrongShape("this is not a position")
    at = point(values[0], values[1])
    return at.longitude, at.latitude


def _nearest(contour: float, minutes: Sequence[float]) -> float:
    """Return the value of `minutes` for a contour, whose own value was rounded to single precision."""
    return min(minutes, key=lambda minute: abs(minute - contour))


def rings_of(geometry: BaseGeometry, road: Point) -> tuple[Ring, ...]:
    """Return the outer rings of an area, made valid: the one around a position first, then by size."""
    valid = shapely.make_valid(geometry)
    outlines = [_fitted(shapely.Polygon(part.exterior)) for part in _polygons(valid) if part.area > 0]
    center = shapely.Point(road.longitude, road.latitude)
    outlines.sort(key=lambda polygon: (not polygon.intersects(center), -polygon.area))
    return tuple(tuple((x, y) for x, y in polygon.exterior.coords) for polygon in outlines)


def _fitted(outline: shapely.Polygon) -> shapely.Polygon:
    """Return an outline with at most as many vertices as a geofence may have, with a nearly minimal change."""
    if _corners(outline) <= MAX_RING_POSITIONS:
        return outline
    little, much = _ROUGHLY_DEG, 2 * _ROUGHLY_DEG
    while _corners(fitted := _simpler(outline, much)) > MAX_RING_POSITIONS:
        little, much = much, 2 * much
    for _ in range(_REFINEMENTS):
        middle = sqrt(little * much)
        closer = _simpler(outline, middle)
        if _corners(closer) <= MAX_RING_POSITIONS:
            fitted, much = closer, middle
        else:
            little = middle
    return fitted


def _simpler(outline: shapely.Polygon, tolerance_deg: float) -> shapely.Polygon:
    simpler = outline.simplify(tolerance_deg, preserve_topology=True)
    assert isinstance(simpler, shapely.Polygon)
    return simpler


def _corners(outline: shapely.Polygon) -> int:
    return int(shapely.get_num_coordinates(outline))


def _polygons(geometry: BaseGeometry) -> list[shapely.Polygon]:
    if isinstance(geometry, shapely.Polygon):
        return [geometry]
    return [polygon for part in getattr(geometry, "geoms", ()) for polygon in _polygons(part)]
