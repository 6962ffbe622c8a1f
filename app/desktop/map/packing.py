"""Geofences as the bytes that the page unpacks: texts by column, then the numbers of all shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from struct import Struct
from typing import NamedTuple

import orjson
from orjson import Fragment

from app.desktop.map.values import MapCircle, MapFence, MapIsochrone, MapPolygon, MapShape
from engine.domain.geometry import PackedRing, Part

_NUMBER_BYTES = 8
_LENGTH = Struct("<Q")
_CIRCLE = Struct("<3d")
_DESTINATION = Struct("<2d")


_ENABLED, _CLOSED, _LOCKED, _ROUND, _TRACED = 1, 2, 4, 8, 16
"""Flags of how a geofence is drawn, combined into one number. The page defines the same ones."""

type Kind = tuple[str, str | None, str | None, int]
"""Attributes that many geofences share: colour, tag, state and look."""


class RingSizes(NamedTuple):
    """Numbers of positions in the rings of a polygon with holes or several parts, as JSON with a list for each part.

    `joined` has those of the joined parts that follow, if parts meet.
    """

    row: int
    parts: str
    joined: str


def pack_fences(fences: Sequence[MapFence]) -> bytes:
    """Return geofences in the format of `pack_columns`."""
    kinds: dict[Kind, int] = {}
    return pack_columns(
        [fence.id for fence in fences],
        [fence.label for fence in fences],
        [kinds.setdefault(_kind(fence), len(kinds)) for fence in fences],
        list(kinds),
        [_numbers(fence.shape) for fence in fences],
        [
            ring_sizes(row, _sizes(shape.parts), shape.joined)
            for row, fence in enumerate(fences)
            if isinstance(shape := fence.shape, MapPolygon) and not shape.is_single_ring
        ],
    )


def pack_columns(
    ids: Sequence[str],
    labels: Sequence[str],
    kind_numbers: Sequence[int],
    kinds: Sequence[Kind],
    shapes: Sequence[bytes],
    rings: Sequence[RingSizes] = (),
) -> bytes:
    """Return geofences as the length of a JSON text, the text, and 64-bit numbers.

    The text has a column for each field, each kind once, and the count of numbers of each shape. A circle has its
    centre and radius, a polygon its rings, an isochrone its ring and its destination. `rings` has the polygons with
    holes or several parts.
    """
    columns = {
        "id": ids,
        "label": labels,
        "kind": kind_numbers,
        "kinds": kinds,
        "numbers": [len(shape) // _NUMBER_BYTES for shape in shapes],
        "rings": [(row, Fragment(parts), Fragment(joined)) for row, parts, joined in rings],
    }
    text = orjson.dumps(columns)
    # The numbers that follow are read in place and must be aligned to their size.
    text += b" " * (-len(text) % _NUMBER_BYTES)
    return b"".join((_LENGTH.pack(len(text)), text, *shapes))


def circle_numbers(longitude: float, latitude: float, radius_m: float) -> bytes:
    """Return the numbers of a circle."""
    return _CIRCLE.pack(longitude, latitude, radius_m)


def isochrone_numbers(ring: bytes, longitude: float, latitude: float) -> bytes:
    """Return the numbers of an isochrone: its packed ring and its destination."""
    return ring + _DESTINATION.pack(longitude, latitude)


def ring_sizes(row: int, parts: str, joined: Iterable[Part]) -> RingSizes:
    """Return the sizes of a polygon's rings; `parts` are the sizes as they are stored."""
    return RingSizes(row, parts, _sizes(joined))


def rings_numbers(parts: Iterable[Part]) -> bytes:
    """Return the positions of all rings, those of each part after each other."""
    rings = chain.from_iterable((part.ring, *part.holes) for part in parts)
    return b"".join(PackedRing.of(ring).packed for ring in rings)


def look_of(*, enabled: bool, closed: bool, locked: bool, circle: bool, isochrone: bool) -> int:
    """Return the flags of how a geofence is drawn, as one number."""
    look = (_ENABLED if enabled else 0) + (_CLOSED if closed else 0) + (_LOCKED if locked else 0)
    return look + (_ROUND if circle else 0) + (_TRACED if isochrone else 0)


def _numbers(shape: MapShape) -> bytes:
    if isinstance(shape, MapCircle):
        return circle_numbers(shape.longitude, shape.latitude, shape.radius_m)
    if not shape.is_single_ring:
        return rings_numbers((*shape.parts, *shape.joined))
    ring = PackedRing.of(shape.ring).packed
    return isochrone_numbers(ring, shape.longitude, shape.latitude) if isinstance(shape, MapIsochrone) else ring


def _sizes(parts: Iterable[Part]) -> str:
    return orjson.dumps([[len(part.ring), *map(len, part.holes)] for part in parts]).decode()


def _kind(fence: MapFence) -> Kind:
    look = look_of(
        enabled=fence.enabled,
        closed=fence.closed,
        locked=fence.locked,
        circle=isinstance(fence.shape, MapCircle),
        isochrone=isinstance(fence.shape, MapIsochrone),
    )
    return fence.color, fence.tag, fence.state, look
