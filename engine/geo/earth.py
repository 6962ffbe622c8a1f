"""The WGS84 ellipsoid: geodesic distances, the size of a degree, and circles."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.domain.geometry import Point

if TYPE_CHECKING:
    from pyproj import Geod

from functools import lru_cache
from math import acos, asin, atan2, degrees, pi

from engine.domain.geometry import Ring

type Floats = NDArray[np.float64]

type Counts = NDArray[np.int64]

MEAN_RADIUS_M = 6_371_008.8
"""Radius of the sphere with the earth's mean radius (IUGG)."""

HALF_CIRCUMFERENCE_M = 20_038_000.0
"""Upper bound of the distance between any two places, in metres."""

_A = 6_378_137.0
_E2 = 0.00669437999014133
"""The equatorial radius in metres and the squared eccentricity, with the same digits as in PROJ."""

VERTICES = 32


@cache
def wgs84() -> Geod:
    """Return the ellipsoid for geodesic calculations."""
    # Imported on first use, as the window and the engine can start without it.
    from pyproj import Geod

    return Geod(ellps="WGS84")


def distance_m(longitude: float, latitude: float, to_longitude: float, to_latitude: float) -> float:
    """Return the geodesic distance in metres between two positions in degrees."""
    return float(wgs84().inv(longitude, latitude, to_longitude, to_latitude)[2])


def metres_between(one: Point, other: Point) -> float:
    """Return the geodesic distance in metres between two positions."""
    return distance_m(one.longitude, one.latitude, other.longitude, other.latitude)


def distances_m(longitude: float, latitude: float, longitudes: Floats, latitudes: Floats) -> Floats:
    """Return the geodesic distances in metres from one position to many others."""
    return _inverse(longitude, latitude, longitudes, latitudes)[1]


def distances_between_m(longitudes: Floats, latitudes: Floats, to_longitudes: Floats, to_latitudes: Floats) -> Floats:
    """Return the geodesic distances in metres between pairs of positions."""
    return np.asarray(wgs84().inv(longitudes, latitudes, to_longitudes, to_latitudes)[2])


def around(longitude: float, latitude: float, longitudes: Floats, latitudes: Floats) -> tuple[Floats, Floats]:
    """Return the offsets of many positions from one in metres (east, north), true in direction and distance.

    This is the azimuthal equidistant projection, which works at the poles and the antimeridian.
    """
    azimuths, distances = _inverse(longitude, latitude, longitudes, latitudes)
    return distances * np.sin(azimuths), distances * np.cos(azimuths)


def destinations(
    longitude: float, latitude: float, azimuths: Floats, distances_m: Floats | float
) -> tuple[Floats, Floats]:
    """Return the longitudes and latitudes at some distances from a position, by azimuths in degrees from north."""
    count = len(azimuths)
    away = np.full(count, distances_m) if isinstance(distances_m, float | int) else distances_m
    longitudes, latitudes, _ = wgs84().fwd(np.full(count, longitude), np.full(count, latitude), azimuths, away)
    return np.asarray(longitudes), np.asarray(latitudes)


def line_length_m(longitudes: Floats, latitudes: Floats) -> float:
    """Return the geodesic length in metres of a line."""
    return float(wgs84().line_length(longitudes, latitudes))


def enclosed_area_m2(longitudes: Floats, latitudes: Floats) -> float:
    """Return the area in square metres enclosed by geodesics between positions, which need not be closed."""
    return abs(float(wgs84().polygon_area_perimeter(longitudes, latitudes)[0]))


def _inverse(longitude: float, latitude: float, longitudes: Floats, latitudes: Floats) -> tuple[Floats, Floats]:
    """Return azimuths in radians and distances in metres."""
    count = len(longitudes)
    azimuths, _, distances = wgs84().inv(np.full(count, longitude), np.full(count, latitude), longitudes, latitudes)
    return np.radians(azimuths), np.asarray(distances)


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Return the length in metres of a degree of (longitude, latitude) at a latitude.

    It is derived from the ellipsoid's radii of curvature and accurate to a few centimetres per kilometre nearby.
    """
    phi = radians(latitude)
    return metres_per_degree_at(sin(phi), cos(phi))


def metres_per_degree_at(sine: float, cosine: float) -> tuple[float, float]:
    """Return the same as `metres_per_degree`, from the sine and cosine of the latitude."""
    w2 = 1 - _E2 * (sine * sine)
    prime_vertical = _A / sqrt(w2)
    meridian = prime_vertical * (1 - _E2) / w2
    return radians(1) * prime_vertical * max(cosine, 0.0), radians(1) * meridian


def metres_per_degrees(latitudes: Floats) -> tuple[Floats, Floats]:
    """Return the same as `metres_per_degree`, for many latitudes at once."""
    phi = np.radians(latitudes)
    w2 = 1 - _E2 * np.sin(phi) ** 2
    prime_vertical = _A / np.sqrt(w2)
    meridian = prime_vertical * (1 - _E2) / w2
    return radians(1) * prime_vertical * np.maximum(np.cos(phi), 0.0), radians(1) * meridian


@lru_cache(maxsize=4096)
def circle_ring(center: Point, radius_m: float) -> Ring:
    """Return the polygon that represents a circle in the API.

    It has 32 vertices and the closing one, from due east, counter-clockwise, on the sphere with the mean radius. This
    is the shape that clients of this API have always received.
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
    """Return the share of a circle's area that lies inside another circle whose centre is `distance_m` away.

    `radius_m` is the circle's own radius, `other_radius_m` that of the other. Plane geometry is used.
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
