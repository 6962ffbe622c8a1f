"""Places on the earth. Longitude comes before latitude, as in GeoJSON; degrees on WGS84."""

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from engine.domain.errors import InvalidParameter
from engine.domain.travel import TravelMode

MIN_RADIUS_M = 10
MAX_RADIUS_M = 10_000
MIN_RING_POSITIONS = 4
MAX_RING_POSITIONS = 2_000

type Position = tuple[float, float]
"""``(longitude, latitude)`` in degrees."""

type Ring = tuple[Position, ...]
"""A closed ring: the first position equals the last."""


class GeometryType(StrEnum):
    """The kinds of geofence the engine serves."""

    CIRCLE = "circle"
    POLYGON = "polygon"
    ISOCHRONE = "isochrone"


@dataclass(frozen=True, slots=True)
class Point:
    """One position in degrees."""

    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True)
class Circle:
    """All positions within `radius_m` of `center` along the geodesic."""

    center: Point
    radius_m: float

    @property
    def type(self) -> GeometryType:
        """The specification's word for this geometry."""
        return GeometryType.CIRCLE


@dataclass(frozen=True, slots=True)
class Polygon:
    """The inside of one closed ring whose edges are straight in longitude/latitude (RFC 7946).

    An edge never spans more than 180° of longitude: a ring from 179° to -179° crosses the antimeridian.
    """

    ring: Ring

    @property
    def type(self) -> GeometryType:
        """The specification's word for this geometry."""
        return GeometryType.POLYGON


@dataclass(frozen=True, slots=True)
class Isochrone(Polygon):
    """From within `ring`, which a router has found, one travels to `center` in at most `minutes`."""

    center: Point
    minutes: float
    mode: TravelMode

    @property
    def type(self) -> GeometryType:
        """The specification's word for this geometry."""
        return GeometryType.ISOCHRONE


type Geometry = Circle | Polygon
"""An isochrone is a polygon to all that measure and draw."""


def check_latitude(value: float, param: str) -> float:
    """Return `value` if it is a latitude, else raise `InvalidParameter` naming `param` and the range."""
    if not (isfinite(value) and -90 <= value <= 90):
        raise InvalidParameter(param, f"{param}: the latitude must be within [-90, 90], not {value:.12g}.")
    return value


def check_longitude(value: float, param: str) -> float:
    """Return `value` if it is a longitude, else raise `InvalidParameter` naming `param` and the range."""
    if not (isfinite(value) and -180 <= value <= 180):
        raise InvalidParameter(param, f"{param}: the longitude must be within [-180, 180], not {value:.12g}.")
    return value


def check_radius(value: float) -> float:
    """Return `value` if it is a radius in metres that the specification allows for a circle."""
    if not (isfinite(value) and MIN_RADIUS_M <= value <= MAX_RADIUS_M):
        limits = f"between {MIN_RADIUS_M} and {MAX_RADIUS_M} metres"
        raise InvalidParameter("radius_m", f"radius_m: the radius of a circle must be {limits}, not {value:.12g}.")
    return value
