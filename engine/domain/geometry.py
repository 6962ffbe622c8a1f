"""Geometries on the earth. Longitude comes before latitude, as in GeoJSON; degrees on WGS84."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain
from math import isfinite
from typing import Final, overload

from msgspec import Struct
from msgspec.structs import force_setattr

from engine.domain.errors import InvalidParameter
from engine.domain.travel import TravelMode

MIN_RADIUS_M = 10
MAX_RADIUS_M = 10_000
MIN_RING_POSITIONS = 4
MAX_RING_POSITIONS = 2_000

type Position = tuple[float, float]
"""``(longitude, latitude)`` in degrees."""

type Ring = Sequence[Position]
"""A closed ring: the first position equals the last."""

_POSITION: Final = struct.Struct("<2d")


class PackedRing(Sequence[Position]):
    """A ring in 16 bytes per position, instead of 104 in a tuple. It equals the tuple of the same positions.

    `packed` has the longitude and the latitude of each position, as little-endian 64-bit numbers.
    """

    __slots__ = ("packed",)

    def __init__(self, packed: bytes) -> None:
        self.packed: Final = packed

    @classmethod
    def of(cls, positions: Iterable[Position]) -> "PackedRing":
        """Return the ring with these positions."""
        if isinstance(positions, PackedRing):
            return positions
        numbers = tuple(chain.from_iterable(positions))
        return cls(struct.pack(f"<{len(numbers)}d", *numbers))

    def __len__(self) -> int:
        return len(self.packed) // _POSITION.size

    def __iter__(self) -> Iterator[Position]:
        return struct.iter_unpack(_POSITION.format, self.packed)

    @overload
    def __getitem__(self, index: int) -> Position: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Position, ...]: ...

    def __getitem__(self, index: int | slice) -> Position | tuple[Position, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        at = range(len(self))[index]
        longitude, latitude = _POSITION.unpack_from(self.packed, at * _POSITION.size)
        return longitude, latitude

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedRing):
            # Zero equals negative zero, but their bytes differ.
            same_size = len(self.packed) == len(other.packed)
            return same_size and (self.packed == other.packed or tuple(self) == tuple(other))
        return tuple(self) == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    @property
    def __array_interface__(self) -> dict[str, object]:
        """The ring as an array of shape (n, 2), without a copy of its bytes."""
        return {"shape": (len(self), 2), "typestr": "<f8", "data": self.packed, "version": 3}


class GeometryType(StrEnum):
    """The types of geofences that the engine supports."""

    CIRCLE = "circle"
    POLYGON = "polygon"
    ISOCHRONE = "isochrone"


class Point(Struct, frozen=True):
    """A position in degrees."""

    longitude: float
    latitude: float


class Circle(Struct, frozen=True):
    """All positions within `radius_m` of `center` along the geodesic."""

    center: Point
    radius_m: float

    @property
    def type(self) -> GeometryType:
        """The specification's word for this geometry."""
        return GeometryType.CIRCLE


class Polygon(Struct, frozen=True):
    """The interior of a closed ring with edges straight in longitude/latitude (RFC 7946).

    An edge never spans more than 180° of longitude: a ring from 179° to -179° crosses the antimeridian.
    """

    ring: Ring

    def __post_init__(self) -> None:
        # Many of them are in memory at once.
        force_setattr(self, "ring", PackedRing.of(self.ring))

    @property
    def type(self) -> GeometryType:
        """The specification's word for this geometry."""
        return GeometryType.POLYGON


class Isochrone(Polygon, frozen=True):
    """The area from which travel to `center` takes at most `minutes`, with the `ring` that a router found."""

    center: Point
    minutes: float
    mode: TravelMode

    @property
    def type(self) -> GeometryType:
        """The specification's word for this geometry."""
        return GeometryType.ISOCHRONE


type Geometry = Circle | Polygon
"""A geometry of a geofence. An isochrone is treated as a polygon by all code that measures and draws."""


def check_latitude(value: float, param: str) -> float:
    """Return `value` if it is a latitude. Raises `InvalidParameter` naming `param` and the range if it is not."""
    if not (isfinite(value) and -90 <= value <= 90):
        raise InvalidParameter(param, f"{param}: the latitude must be within [-90, 90], not {value:.12g}.")
    return value


def check_longitude(value: float, param: str) -> float:
    """Return `value` if it is a longitude. Raises `InvalidParameter` naming `param` and the range if it is not."""
    if not (isfinite(value) and -180 <= value <= 180):
        raise InvalidParameter(param, f"{param}: the longitude must be within [-180, 180], not {value:.12g}.")
    return value


def check_radius(value: float, param: str = "radius_m") -> float:
    """Return `value` if it is a radius in metres that the specification allows for a circle."""
    if not (isfinite(value) and MIN_RADIUS_M <= value <= MAX_RADIUS_M):
        limits = f"between {MIN_RADIUS_M} and {MAX_RADIUS_M} metres"
        raise InvalidParameter(param, f"{param}: the radius of a circle must be {limits}, not {value:.12g}.")
    return value
