"""Circles: as a ring for maps and clients, and the area two circles share."""

from functools import lru_cache
from math import acos, asin, atan2, cos, degrees, pi, radians, sin, sqrt

from engine.domain.geometry import Point, Ring
from engine.geo.earth import MEAN_RADIUS_M

VERTICES = 32


@lru_cache(maxsize=4096)
def circle_ring(center: Point, radius_m: float) -> Ring:
    """Return the polygon that stands for a circle on the wire.

    32 vertices and the closing one, from due east, counter-clockwise, on the sphere of the mean radius: the shape
    that clients of this interface have been given.
    """
    ring = [_destination(center, radius_m, pi / 2 - 2 * pi * i / VERTICES) for i in range(VERTICES)]
    return (*ring, ring[0])


def _destination(center: Point, distance_m: float, bearing: float) -> tuple[float, float]:
    angle = distance_m / MEAN_RADIUS_M
    phi, lam = radians(center.latitude), radians(center.longitude)
    sin_phi2 = sin(phi) * cos(angle) + cos(phi) * sin(angle) * cos(bearing)
    lam2 = lam + atan2(sin(bearing) * sin(angle) * cos(phi), cos(angle) - sin(phi) * sin_phi2)
    return (degrees(lam2) + 540) % 360 - 180, degrees(asin(max(-1.0, min(1.0, sin_phi2))))


def share_of_circle(distance_m: float, radius_m: float, other_radius_m: float) -> float:
    """Return the share of a circle's area that lies inside another whose centre is `distance_m` away.

    `radius_m` is the circle's own radius, `other_radius_m` the other's; plane geometry.
    """
    if distance_m + radius_m <= other_radius_m:
        return 1.0
    if distance_m >= radius_m + other_radius_m:
        return 0.0
    if distance_m + other_radius_m <= radius_m:
        return (other_radius_m / radius_m) ** 2
    return min(1.0, max(0.0, _lens_area(distance_m, radius_m, other_radius_m) / (pi * radius_m**2)))


def _lens_area(d: float, r: float, s: float) -> float:
    alpha = acos(max(-1.0, min(1.0, (d * d + r * r - s * s) / (2 * d * r))))
    beta = acos(max(-1.0, min(1.0, (d * d + s * s - r * r) / (2 * d * s))))
    kite = sqrt(max(0.0, (-d + r + s) * (d + r - s) * (d - r + s) * (d + r + s))) / 2
    return r * r * alpha + s * s * beta - kite
