"""The only module that knows the format of the page's messages: JSON in, validated values out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, cast

import orjson
from msgspec import Struct

from app.desktop.map.values import Bounds, MapCircle, MapPolygon, MapShape, Position
from engine.domain.geometry import Part, Ring

DECIMALS = 7
"""Number of decimals of a degree: about a centimetre, more than the mouse resolves."""


class BadMessage(ValueError):
    """Raised if the page sent an invalid message."""


class CameraMoved(Struct, frozen=True):
    """Sent when the view has come to rest."""

    center: Position
    zoom: float
    bounds: Bounds


type PageMessage = tuple[Any, ...]
"""The kind of a message, followed by its values."""

type _Fields = Mapping[str, object]
type _Reader = Callable[[_Fields], tuple[object, ...]]


def decode(text: str) -> PageMessage:
    """Return the message in `text`. Raises `BadMessage` with the reason if it is invalid."""
    try:
        fields = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadMessage(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise BadMessage("not a JSON object")
    kind = str(fields.get("kind"))
    reader = _READERS.get(kind) or SIGNALS.get(kind)
    if reader is None:
        raise BadMessage(f"unknown kind {fields.get('kind')!r}")
    try:
        return (kind, *reader(fields))
    except ValueError as error:
        raise BadMessage(str(error)) from error


def _text(fields: _Fields, name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise BadMessage(f"{name} must be a string")
    return value


def _id(fields: _Fields) -> str | None:
    return None if fields.get("id") is None else _text(fields, "id")


def _texts(fields: _Fields, name: str) -> tuple[str, ...]:
    values = fields.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise BadMessage(f"{name} must be a list of strings")
    return tuple(values)


def _number(fields: _Fields, name: str) -> float:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadMessage(f"{name} must be a finite number")
    return float(value)


def _whole(fields: _Fields, name: str) -> int:
    return int(_number(fields, name))


def _flag(fields: _Fields, name: str) -> bool:
    value = fields.get(name)
    if not isinstance(value, bool):
        raise BadMessage(f"{name} must be true or false")
    return value


def _pair(value: object) -> Position:
    if not isinstance(value, list) or len(value) != 2:
        raise BadMessage("a position must be [longitude, latitude]")
    if not all(isinstance(part, int | float) and not isinstance(part, bool) for part in value):
        raise BadMessage("a position must be two numbers")
    return float(value[0]), float(value[1])


def _position(fields: _Fields, name: str = "position") -> Position:
    return normal_position(*_pair(fields.get(name)))


def _way(fields: _Fields) -> tuple[Position, ...]:
    way = fields.get("positions")
    if not isinstance(way, list) or len(way) < 2:
        raise BadMessage("positions must be a list of two or more")
    return tuple(normal_position(*_pair(position)) for position in way)


def _shape(fields: _Fields) -> MapShape:
    shape = fields.get("shape")
    if not isinstance(shape, dict):
        raise BadMessage("shape must be an object")
    if "ring" in shape:
        return _polygon(shape)
    longitude, latitude = normal_position(_number(shape, "longitude"), _number(shape, "latitude"))
    radius = round(_number(shape, "radius_m"), 2)
    if radius <= 0.0:
        raise BadMessage("radius_m must be greater than 0")
    return MapCircle(longitude, latitude, radius)


def _polygon(fields: _Fields) -> MapPolygon:
    first, *others = (_part(part) for part in (fields, *_listed(fields, "others")))
    return MapPolygon(first.ring, first.holes, tuple(others))


def _part(fields: object) -> Part:
    if not isinstance(fields, dict):
        raise BadMessage("a part must be an object")
    return Part(_ring(fields.get("ring")), tuple(_ring(hole) for hole in _listed(fields, "holes")))


def _ring(positions: object) -> Ring:
    if not isinstance(positions, list):
        raise BadMessage("ring must be a list")
    return normal_ring([_pair(position) for position in positions])


def _listed(fields: _Fields, name: str) -> list[Any]:
    values = fields.get(name, [])
    if not isinstance(values, list):
        raise BadMessage(f"{name} must be a list")
    return values


def _drawn_ring(fields: _Fields) -> Ring:
    shape = _shape(fields)
    if not isinstance(shape, MapPolygon):
        raise BadMessage("shape must have a ring")
    return shape.ring


def _camera(fields: _Fields) -> CameraMoved:
    bounds = fields.get("bounds")
    if not isinstance(bounds, list) or len(bounds) != 4:
        raise BadMessage("bounds must be [west, south, east, north]")
    if not all(isinstance(side, int | float) for side in bounds):
        raise BadMessage("bounds must be four numbers")
    return CameraMoved(_position(fields, "center"), _number(fields, "zoom"), cast(Bounds, tuple(map(float, bounds))))


_READERS: Final[Mapping[str, _Reader]] = {
    "ready": lambda _: (),
    "done": lambda f: (_whole(f, "seq"),),
    "drawn": lambda f: (_shape(f),),
    "ring_drawn": lambda f: (_text(f, "id"), _text(f, "tool"), _drawn_ring(f)),
    "context_asked": lambda f: (*_position(f), _number(f, "x"), _number(f, "y"), _id(f)),
    "camera": lambda f: (_camera(f),),
    "located": lambda f: (_whole(f, "query"), _number(f, "x"), _number(f, "y")),
    "attributed": lambda f: (_whole(f, "query"), _text(f, "text")),
    "settled": lambda f: (_whole(f, "query"),),
    "tiles_requested": lambda f: (_flag(f, "on"),),
    "layer_switched": lambda f: (_text(f, "layer"), _flag(f, "on")),
    "controls": lambda f: (_whole(f, "count"),),
    "said": lambda f: (_text(f, "text"),),
    "reshaping_ended": lambda _: (),
    "trouble": lambda f: (_text(f, "text"),),
}
"""Readers of the messages about the page itself, and of messages that lead to more than a signal."""

SIGNALS: Final[Mapping[str, _Reader]] = {
    "track_drawn": lambda f: (_way(f),),
    "line_drawn": lambda f: (_text(f, "tool"), _way(f), _flag(f, "done")),
    "drafted": lambda f: (None if f.get("shape") is None else _shape(f),),
    "ring_chosen": lambda f: (_text(f, "id"), _whole(f, "ring")),
    "fence_edited": lambda f: (_text(f, "id"), _shape(f)),
    "fence_clicked": lambda f: (_text(f, "id"),),
    "fence_toggled": lambda f: (_text(f, "id"),),
    "fences_caught": lambda f: (_texts(f, "ids"), _flag(f, "extend")),
    "event_clicked": lambda f: (_text(f, "id"),),
    "beacon_clicked": lambda f: (_text(f, "id"),),
    "beacon_placed": _position,
    "beacon_moved": _position,
    "waypoint_chosen": _position,
    "map_clicked": _position,
    "destination_chosen": _position,
    "destination_moved": lambda f: (_text(f, "id"), *_position(f), _flag(f, "done")),
    "finish_requested": lambda _: (),
    "layers_requested": lambda _: (),
    "imagery_requested": lambda f: (_text(f, "id"), _flag(f, "on")),
    "imagery_list_requested": lambda _: (),
}
"""Readers of the values of user actions, by the names of the map's signals."""


def normal_longitude(longitude: float) -> float:
    """Return the same meridian within [-180, 180]; a longitude within that range (also 180) is kept."""
    if -180.0 <= longitude <= 180.0:
        return round(longitude, DECIMALS)
    return round((longitude + 180.0) % 360.0 - 180.0, DECIMALS)


def normal_position(longitude: float, latitude: float) -> Position:
    """Return a finite position on the globe, rounded. Raises `ValueError` if it is not one."""
    if not (math.isfinite(longitude) and math.isfinite(latitude)):
        raise ValueError("a position must be two finite numbers")
    if not -90.0 <= latitude <= 90.0:
        raise ValueError(f"latitude {latitude} is not in [-90, 90]")
    return normal_longitude(longitude), round(latitude, DECIMALS)


def normal_ring(positions: Sequence[Position]) -> tuple[Position, ...]:
    """Return a closed ring without repeated neighbours. Raises `ValueError` if no ring can be made."""
    if any(abs(b[0] - a[0]) >= 180.0 for a, b in pairwise(positions)):
        raise ValueError("two neighbouring vertices are half the globe apart, so the edge between them is ambiguous")
    ring: list[Position] = []
    for longitude, latitude in positions:
        position = normal_position(longitude, latitude)
        if not ring or ring[-1] != position:
            ring.append(position)
    if len(ring) > 1 and ring[0] == ring[-1]:
        ring.pop()
    if len(ring) < 3:
        raise ValueError("a polygon needs three different vertices")
    return (*ring, ring[0])
