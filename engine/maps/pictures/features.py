"""The features of vector tiles, for drawing: their kind, properties and positions."""

import struct
from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.maps.pictures.view import Positions
from engine.maps.protobuf import DamagedMessage, fields, unpacked
from engine.maps.tile import unpacked_tile
from engine.maps.vector_tiles import EXTENT

POINT, LINE, POLYGON = 1, 2, 3

_LAYER: Final = 3
_NAME, _FEATURE, _KEY, _VALUE, _EXTENT = 1, 2, 3, 4, 5
_TAGS, _KIND, _GEOMETRY = 2, 3, 4
_TEXT, _FLOAT, _DOUBLE, _SIGNED = 1, 2, 3, 6
_MOVE_TO, _LINE_TO, _CLOSE = 1, 2, 7
_FARTHEST: Final = 2**32 - 1
_LONGEST: Final = 5
"""Bytes of the longest 32-bit number."""

type Value = str | int | float


class Feature(Struct, frozen=True):
    """A feature of a tile; its positions are parts of the tile's edge, to the right and down.

    `low` and `high` are the corners of the box around all of them.
    """

    kind: int
    properties: dict[str, Value]
    parts: tuple[Positions, ...]
    low: tuple[float, float]
    high: tuple[float, float]


def read_features(packed: bytes) -> dict[str, list[Feature]]:
    """Return the features of each layer of a tile compressed with gzip.

    Raises `DamagedMessage` if it is invalid.
    """
    layers: dict[str, list[Feature]] = {}
    for number, layer in fields(unpacked_tile(packed)):
        if number == _LAYER and isinstance(layer, bytes):
            try:
                name, features = _read_layer(layer)
            except (IndexError, OverflowError, ValueError, struct.error) as error:
                raise DamagedMessage from error
            layers.setdefault(name, []).extend(features)
    return layers


def _read_layer(layer: bytes) -> tuple[str, list[Feature]]:
    name, extent = "", EXTENT
    keys: list[str] = []
    values: list[Value] = []
    raw: list[bytes] = []
    for number, value in fields(layer):
        if isinstance(value, int):
            if number == _EXTENT and value:
                extent = value
        elif number == _NAME:
            name = value.decode("utf-8", "replace")
        elif number == _FEATURE:
            raw.append(value)
        elif number == _KEY:
            keys.append(value.decode("utf-8", "replace"))
        elif number == _VALUE:
            values.append(_read_value(value))
    if extent > _FARTHEST:
        raise DamagedMessage
    return name, [_read_feature(feature, keys, values, extent) for feature in raw]


def _read_value(message: bytes) -> Value:
    for number, value in fields(message):
        if isinstance(value, int):
            return (value >> 1) ^ -(value & 1) if number == _SIGNED else value
        if number == _TEXT:
            return value.decode("utf-8", "replace")
        if number in (_FLOAT, _DOUBLE):
            found: float = struct.unpack("<f" if number == _FLOAT else "<d", value)[0]
            return found
    return ""


def _read_feature(message: bytes, keys: list[str], values: list[Value], extent: int) -> Feature:
    kind, tags, geometry = 0, b"", b""
    for number, value in fields(message):
        if isinstance(value, int):
            kind = value if number == _KIND else kind
        elif number == _TAGS:
            tags = value
        elif number == _GEOMETRY:
            geometry = value
    pairs = list(unpacked(tags))
    properties = {keys[key]: values[value] for key, value in zip(pairs[::2], pairs[1::2], strict=True)}
    parts = tuple(_parts(_numbers(geometry), extent))
    if not parts:
        return Feature(kind, properties, (), (0.0, 0.0), (0.0, 0.0))
    positions = np.concatenate(parts)
    (west, north), (east, south) = positions.min(axis=0).tolist(), positions.max(axis=0).tolist()
    return Feature(kind, properties, parts, (west, north), (east, south))


def _numbers(packed: bytes) -> NDArray[np.int64]:
    """Return the numbers of a packed field, all at once, since a tile has tens of thousands."""
    octets = np.frombuffer(packed, np.uint8)
    ends = np.flatnonzero(octets < 0x80)
    if len(octets) and (not len(ends) or ends[-1] != len(octets) - 1):
        raise DamagedMessage
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    lengths = ends - starts + 1
    if len(lengths) and lengths.max() > _LONGEST:
        raise DamagedMessage
    found = np.zeros(len(ends), np.int64)
    for at in range(int(lengths.max()) if len(lengths) else 0):
        longer = lengths > at
        found[longer] |= (octets[starts[longer] + at].astype(np.int64) & 0x7F) << (7 * at)
    return found


def _parts(numbers: NDArray[np.int64], extent: int) -> Iterator[Positions]:
    """Yield the points, lines or rings of a geometry."""
    is_argument = np.ones(len(numbers), bool)
    ends: list[int] = []
    at = positions = 0
    while at < len(numbers):
        command, count = int(numbers[at]) & 7, int(numbers[at]) >> 3
        is_argument[at] = False
        at += 1
        if command == _CLOSE:
            continue
        at += 2 * count
        if at > len(numbers):
            raise DamagedMessage
        if command == _MOVE_TO:
            ends += range(positions + 1, positions + count + 1)
        elif command == _LINE_TO and ends:
            # A line continues the part that the last move began.
            ends[-1] += count
        else:
            raise DamagedMessage
        positions += count
    steps = numbers[is_argument].reshape(-1, 2)
    places = np.cumsum((steps >> 1) ^ -(steps & 1), axis=0) / extent
    yield from np.split(places, ends[:-1]) if ends else ()
