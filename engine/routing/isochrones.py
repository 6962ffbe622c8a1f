"""Isochrones as valid rings."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Final

import shapely
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from engine.domain.geometry import MAX_RING_POSITIONS, Ring

_ROUGHLY_DEG: Final = 2e-4
"""Below the width of the grid that Valhalla draws in, so that less changes hardly anything."""

_REFINEMENTS: Final = 4

type Part = Mapping[str, Any]


def read_isochrones(answer: Part, minutes: Sequence[float]) -> tuple[tuple[Ring, ...], ...]:
    """Return for each number of minutes its outer rings, largest first."""
    rings = dict.fromkeys(minutes, ()) | {
        _nearest(feature["properties"]["contour"], minutes): rings_of(shape(feature["geometry"]))
        for feature in answer["features"]
    }
    return tuple(rings[minute] for minute in minutes)


def _nearest(contour: float, minutes: Sequence[float]) -> float:
    """Return which of `minutes` a contour is for; it went through single precision."""
    return min(minutes, key=lambda minute: abs(minute - contour))


def rings_of(geometry: BaseGeometry) -> tuple[Ring, ...]:
    """Return the outer rings of an area, made valid, largest first."""
    valid = shapely.make_valid(geometry)
    outlines = [_fitted(shapely.Polygon(part.exterior)) for part in _polygons(valid) if part.area > 0]
    outlines.sort(key=lambda polygon: polygon.area, reverse=True)
    return tuple(tuple((x, y) for x, y in polygon.exterior.coords) for polygon in outlines)


def _fitted(outline: shapely.Polygon) -> shapely.Polygon:
    """Return an outline with no more corners than a geofence may have, with nearly the least change that takes."""
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
