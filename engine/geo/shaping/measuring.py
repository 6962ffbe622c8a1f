"""Length and area on the ground along WGS84 geodesics."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np
import shapely

from engine.domain.geometry import Circle, Geometry, Position
from engine.geo.earth import enclosed_area_m2, line_length_m
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
    """Return the area of a geometry, whose edges are straight in degrees."""
    if isinstance(geometry, Circle):
        return pi * geometry.radius_m**2
    ring = shapely.LinearRing(unwrap(geometry.ring))
    positions = shapely.get_coordinates(shapely.segmentize(ring, max(_LONGEST_DEG, ring.length / 20_000)))
    return enclosed_area_m2(positions[:, 0], positions[:, 1])


def perimeter_m(geometry: Geometry) -> float:
    """Return the length of a geometry's boundary."""
    return 2 * pi * geometry.radius_m if isinstance(geometry, Circle) else length_m(geometry.ring)
