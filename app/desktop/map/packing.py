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


def pack_fences(fences: Sequence[MapFence]) -> bytes:
    """Return geofences as the length of a JSON text, the text, and 64-bit numbers.

    The text has a column for each field, and how many numbers each shape has: of a circle its centre and its radius,
    of a polygon its ring, of an isochrone its ring and its destination.
    """
    shapes = [_numbers(fence.shape) for fence in fences]
    columns = {
        "id": [fence.id for fence in fences],
        "label": [fence.label for fence in fences],
        "color": [fence.color for fence in fences],
        "tag": [fence.tag for fence in fences],
        "state": [fence.state for fence in fences],
        "look": [_look(fence) for fence in fences],
        "numbers": [len(shape) // _NUMBER_BYTES for shape in shapes],
    }
    text = orjson.dumps(columns)
    # What follows it is read in place, for which it has to begin at a multiple of a number's size.
    text += b" " * (-len(text) % _NUMBER_BYTES)
    return b"".join((_LENGTH.pack(len(text)), text, *shapes))


def _numbers(shape: MapShape) -> bytes:
    if isinstance(shape, MapCircle):
        return _CIRCLE.pack(shape.longitude, shape.latitude, shape.radius_m)
    ring = PackedRing.of(shape.ring).packed
    if isinstance(shape, MapIsochrone):
        return ring + _DESTINATION.pack(shape.longitude, shape.latitude)
    return ring


def _look(fence: MapFence) -> int:
    look = _ENABLED if fence.enabled else 0
    if isinstance(fence.shape, MapCircle):
        look += _ROUND
    elif isinstance(fence.shape, MapIsochrone):
        look += _TRACED
    return look + (_CLOSED if fence.closed else 0) + (_LOCKED if fence.locked else 0)
