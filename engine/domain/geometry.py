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
"""Maximum number of positions of a ring, and of all rings of a polygon together."""
MAX_PARTS = 100
MAX_HOLES = 100
"""Maximum numbers of parts and of holes of a polygon."""

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


class Part(Struct, frozen=True):
    """A part of a polygon: the interior of a closed ring without its holes."""

    ring: Ring
    holes: tuple[Ring, ...] = ()

    def __post_init__(self) -> None:
        # Many of them are in memory at once.
        force_setattr(self, "ring", PackedRing.of(self.ring))
        if self.holes:
            force_setattr(self, "holes", tuple(map(PackedRing.of, self.holes)))


class Polygon(Part, frozen=True):
    """The interior of closed rings with edges straight in longitude/latitude (RFC 7946).

    An edge never spans more than 180° of longitude: a ring from 179° to -179° crosses the antimeridian. `ring` and
    `holes` are those of the largest part, and `others` are the other parts. Parts that meet along an edge have one
    interior, without a boundary between them.
    """

    others: tuple[Part, ...] = ()

    @property
    def type(self) -> GeometryType:
        """The specification's word for this geometry."""
        return GeometryType.POLYGON

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts, the largest first."""
        return (Part(self.ring, self.holes), *self.others)

    @property
    def rings(self) -> tuple[Ring, ...]:
        """The rings of all parts: the outer ring of each, followed by its holes."""
        others = ((each.ring, *each.holes) for each in self.others)
        return (self.ring, *self.holes, *chain.from_iterable(others))

    @property
    def coordinates(self) -> "Ring | tuple[Ring, ...] | tuple[tuple[Ring, ...], ...]":
        """Its ring, or the rings of one part as in a GeoJSON Polygon, or those of several as in a MultiPolygon."""
        if self.is_single_ring:
            return self.ring
        parts = tuple((part.ring, *part.holes) for part in self.parts)
        return parts if self.others else parts[0]

    @property
    def position_count(self) -> int:
        """Number of positions of all rings."""
        return sum(map(len, self.rings))

    @property
    def is_single_ring(self) -> bool:
        """Whether it has neither holes nor other parts."""
        return not (self.holes or self.others)


class Isochrone(Polygon, frozen=True, kw_only=True):
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
