"""Length and area on the ground along WGS84 geodesics."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Any

import numpy as np
import shapely

from engine.domain.geometry import Circle, Geometry, Polygon, Position
from engine.geo.earth import Floats, enclosed_area_m2, line_length_m
from engine.geo.parts import united
from engine.geo.rings import unwrap

_LONGEST_DEG = 0.05


def length_m(line: Sequence[Position]) -> float:
    """Return the length of a line."""
    positions = np.asarray(line)
    return line_length_m(positions[:, 0], positions[:, 1]) if len(positions) > 1 else 0.0


def enclosed_m2(line: Sequence[Position]) -> float:
    """Return the area enclosed by a line and its closing edge, or 0 for fewer than three positions."""
    if len(line) < 3:
        return 0.0
    positions = np.asarray(line)
    return enclosed_area_m2(positions[:, 0], positions[:, 1])


def area_m2(geometry: Geometry) -> float:
    """Return the area of a geometry without its holes."""
    if isinstance(geometry, Circle):
        return pi * geometry.radius_m**2
    outer, holes = (sum(enclosed_area_m2(*_along(ring)) for ring in rings) for rings in _rings(geometry))
    return outer - holes


def perimeter_m(geometry: Geometry) -> float:
    """Return the length of a geometry's boundary, which includes those of its holes."""
    if isinstance(geometry, Circle):
        return 2 * pi * geometry.radius_m
    return sum(line_length_m(*_along(ring)) for rings in _rings(geometry) for ring in rings)


def _rings(polygon: Polygon) -> tuple[list[Any], list[Any]]:
    """Return the outer rings and the holes of a polygon. Parts that meet along an edge have one outer ring."""
    if polygon.is_single_ring:
        return [shapely.LinearRing(unwrap(polygon.ring))], []
    parts = shapely.get_parts(united(polygon))
    return [part.exterior for part in parts], [hole for part in parts for hole in part.interiors]


def _along(ring: Any) -> tuple[Floats, Floats]:
    """Return the longitudes and latitudes along a ring, whose edges are straight in degrees."""
    positions = shapely.get_coordinates(shapely.segmentize(ring, max(_LONGEST_DEG, ring.length / 20_000)))
    return positions[:, 0], positions[:, 1]
