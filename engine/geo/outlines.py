"""Outlines of places, which are WKB in degrees."""

import numpy as np
import shapely

from engine.domain.geometry import Point
from engine.geo.earth import around


def reach_of_outline_m(outline: bytes, point: Point) -> float:
    """Return how far an outline's farthest vertex is from a point."""
    positions = shapely.get_coordinates(shapely.from_wkb(outline))
    x, y = around(point.longitude, point.latitude, positions[:, 0], positions[:, 1])
    return float(np.hypot(x, y).max())
