"""Geofences as the bytes that the page unpacks: their words by columns, and the numbers of all shapes in a row."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

import orjson

from app.desktop.map.values import MapCircle, MapFence, MapIsochrone, MapShape
from engine.domain.geometry import PackedRing

_NUMBER_BYTES = 8
_LENGTH = Struct("<Q")
_CIRCLE = Struct("<3d")
_DESTINATION = Struct("<2d")


_ENABLED, _CLOSED, _LOCKED, _ROUND, _TRACED = 1, 2, 4, 8, 16
"""How a geofence is drawn, added to one number; the page knows the same ones."""

type Kind = tuple[str, str | None, str | None, int]
"""What many geofences have in common: colour, tag, state and look."""


def pack_fences(fences: Sequence[MapFence]) -> bytes:
    """Return geofences as `pack_columns` packs them."""
    kinds: dict[Kind, int] = {}
    return pack_columns(
        [fence.id for fence in fences],
        [fence.label for fence in fences],
        [kinds.setdefault(_kind(fence), len(kinds)) for fence in fences],
        list(kinds),
        [_numbers(fence.shape) for fence in fences],
    )


def pack_columns(
    ids: Sequence[str],
    labels: Sequence[str],
    kind_numbers: Sequence[int],
    kinds: Sequence[Kind],
    shapes: Sequence[bytes],
) -> bytes:
    """Return geofences as the length of a JSON text, the text, and 64-bit numbers.

    The text has a column for each field, each kind once, and how many numbers each shape has: of a circle its centre
    and its radius, of a polygon its ring, of an isochrone its ring and its destination.
    """
    columns = {
        "id": ids,
        "label": labels,
        "kind": kind_numbers,
        "kinds": kinds,
        "numbers": [len(shape) // _NUMBER_BYTES for shape in shapes],
    }
    text = orjson.dumps(columns)
    # What follows it is read in place, for which it has to begin at a multiple of a number's size.
    text += b" " * (-len(text) % _NUMBER_BYTES)
    return b"".join((_LENGTH.pack(len(text)), text, *shapes))


def circle_numbers(longitude: float, latitude: float, radius_m: float) -> bytes:
    """Return the numbers of a circle."""
    return _CIRCLE.pack(longitude, latitude, radius_m)


def isochrone_numbers(ring: bytes, longitude: float, latitude: float) -> bytes:
    """Return the numbers of an isochrone with a packed ring and a destination; those of a polygon are its ring."""
    return ring + _DESTINATION.pack(longitude, latitude)


def look_of(*, enabled: bool, closed: bool, locked: bool, circle: bool, isochrone: bool) -> int:
    """Return how a geofence is drawn, as one number."""
    look = (_ENABLED if enabled else 0) + (_CLOSED if closed else 0) + (_LOCKED if locked else 0)
    return look + (_ROUND if circle else 0) + (_TRACED if isochrone else 0)


def _numbers(shape: MapShape) -> bytes:
    if isinstance(shape, MapCircle):
        return circle_numbers(shape.longitude, shape.latitude, shape.radius_m)
    ring = PackedRing.of(shape.ring).packed
    return isochrone_numbers(ring, shape.longitude, shape.latitude) if isinstance(shape, MapIsochrone) else ring


def _kind(fence: MapFence) -> Kind:
    look = look_of(
        enabled=fence.enabled,
        closed=fence.closed,
        locked=fence.locked,
        circle=isinstance(fence.shape, MapCircle),
        isochrone=isinstance(fence.shape, MapIsochrone),
    )
    return fence.color, fence.tag, fence.state, look
