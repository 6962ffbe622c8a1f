"""Isochrones as valid rings."""

from collections.abc import Mapping, Sequence
from typing import Any

import shapely
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from engine.domain.geometry import Ring

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
    outlines = [shapely.Polygon(part.exterior) for part in _polygons(valid) if part.area > 0]
    outlines.sort(key=lambda polygon: polygon.area, reverse=True)
    return tuple(tuple((x, y) for x, y in polygon.exterior.coords) for polygon in outlines)


def _polygons(geometry: BaseGeometry) -> list[shapely.Polygon]:
    if isinstance(geometry, shapely.Polygon):
        return [geometry]
    return [polygon for part in getattr(geometry, "geoms", ()) for polygon in _polygons(part)]
