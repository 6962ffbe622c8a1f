"""Distances and shares by GeographicLib and shapely, for the reference."""

from functools import lru_cache
from math import cos, radians, sin, sqrt
from typing import Any

import numpy as np
import shapely
import shapely.ops
from geographiclib.geodesic import Geodesic

from engine.domain.geometry import Circle, Geometry, Point, Polygon, Ring

ON_BOUNDARY_M = 1e-6


def geodesic_m(one: Point, other: Point) -> float:
    line = Geodesic.WGS84.Inverse(one.latitude, one.longitude, other.latitude, other.longitude)
    return float(line["s12"])


def moved(point: Point, bearing: float, metres: float) -> Point:
    line = Geodesic.WGS84.Direct(point.latitude, point.longitude, bearing, metres)
    return Point(line["lon2"], line["lat2"])


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Return the size of a degree of longitude and of latitude, from the ellipsoid's radii of curvature."""
    geodesic = Geodesic.WGS84
    squared = geodesic.f * (2 - geodesic.f)
    root = sqrt(1 - squared * sin(radians(latitude)) ** 2)
    east, north = geodesic.a / root, geodesic.a * (1 - squared) / root**3
    return radians(1) * east * cos(radians(latitude)), radians(1) * north


@lru_cache(maxsize=100_000)
def distance_m(geometry: Geometry, point: Point) -> float:
    """Return the signed distance to the boundary: negative inside, 0 on it."""
    if isinstance(geometry, Circle):
        away = geodesic_m(geometry.center, point) - geometry.radius_m
    else:
        plane = _plane(geometry, point)
        nearest = shapely.ops.nearest_points(plane.boundary, shapely.Point(0, 0))[0]
        east, north = metres_per_degree(point.latitude)
        away = geodesic_m(point, Point(point.longitude + nearest.x / east, point.latitude + nearest.y / north))
        away *= -1 if plane.covers(shapely.Point(0, 0)) else 1
    return 0.0 if abs(away) <= ON_BOUNDARY_M else away


@lru_cache(maxsize=100_000)
def share_inside(geometry: Geometry, point: Point, accuracy_m: float) -> float:
    """Return the share of the accuracy circle that is inside, to about a millionth."""
    if isinstance(geometry, Circle):
        return _share_of_slices(geodesic_m(geometry.center, point), geometry.radius_m, accuracy_m)
    disc = shapely.Point(0, 0).buffer(accuracy_m, quad_segs=512)
    return float(disc.intersection(_plane(geometry, point)).area / disc.area)


def _share_of_slices(away_m: float, radius_m: float, accuracy_m: float) -> float:
    """Return the share of the accuracy circle's slices inside a circle with its centre `away_m` away."""
    x = accuracy_m * (2 * (np.arange(20_000) + 0.5) / 20_000 - 1)
    own = np.sqrt(accuracy_m**2 - x**2)
    other = np.sqrt(np.maximum(0.0, radius_m**2 - (away_m - x) ** 2))
    return float(np.minimum(own, other).sum() / own.sum())


def _plane(polygon: Polygon, point: Point) -> Any:
    """Return the united parts of a polygon in metres east and north of a nearby position."""
    east, north = metres_per_degree(point.latitude)

    def ring(positions: Ring) -> list[tuple[float, float]]:
        # A whole number of turns from the position, exactly for the positions of the same side.
        turns = [360.0 * round((x - point.longitude) / 360) for x, _ in positions]
        return [
            ((x - turn - point.longitude) * east, (y - point.latitude) * north)
            for (x, y), turn in zip(positions, turns, strict=True)
        ]

    return shapely.union_all([shapely.Polygon(ring(each.ring), [*map(ring, each.holes)]) for each in polygon.parts])


def doubtful(geometry: Geometry, point: Point, accuracy_m: float) -> bool:
    """Return whether the result depends on rounding: the boundary, the buffer or half of the circle is too close."""
    distance, share = distance_m(geometry, point), share_inside(geometry, point, accuracy_m)
    margin = 0.001 if isinstance(geometry, Circle) else 0.01 + accuracy_m * 3e-4
    return 0 < abs(distance) < 0.001 or abs(abs(distance) - accuracy_m) < margin or 1e-9 < abs(share - 0.5) < 1e-4
