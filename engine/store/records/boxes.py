"""Boxes around shapes, in degrees."""

from math import cos, radians

from engine.domain.geometry import Circle, Geometry, Point

_METRES_PER_DEGREE = 110_000.0
"""A little less than there are, so that boxes come out larger."""


def box_of(geometry: Geometry) -> tuple[float, float, float, float]:
    """Return a box that holds a geometry: all around the earth where it may reach a pole or the antimeridian."""
    if isinstance(geometry, Circle):
        center, reach_m = geometry.center, geometry.radius_m
        return box_of_reach(center, reach_m)
    longitudes, latitudes = zip(*geometry.ring, strict=True)
    west, east = min(longitudes), max(longitudes)
    if east - west > 180:
        west, east = -180.0, 180.0
    return west, min(latitudes), east, max(latitudes)


def box_of_reach(center: Point, reach_m: float) -> tuple[float, float, float, float]:
    """Return a box that holds all within a distance of a point."""
    height = reach_m / _METRES_PER_DEGREE
    south, north = center.latitude - height, center.latitude + height
    if max(abs(south), abs(north)) > 89:
        return -180.0, south, 180.0, north
    width = height / cos(radians(max(abs(south), abs(north))))
    west, east = center.longitude - width, center.longitude + width
    if west < -180 or east > 180:
        return -180.0, south, 180.0, north
    return west, south, east, north
