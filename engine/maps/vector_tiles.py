"""Vector tiles (Mapbox Vector Tile 2.1): encoding layers, and merging tiles."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import batched
from typing import Final

import shapely
from msgspec import Struct, field
from shapely.geometry.base import BaseGeometry

from engine.maps.protobuf import block, fields, number, numbers, unpacked, zigzag

EXTENT: Final = 4096
"""The edge of a tile in its own units."""

_LAYER: Final = 3
_NAME, _FEATURE, _KEY, _VALUE, _EXTENT, _VERSION = 1, 2, 3, 4, 5, 15
_TAGS, _KIND, _GEOMETRY = 2, 3, 4
_TEXT, _COUNT = 1, 5
_MOVE_TO, _LINE_TO, _CLOSE = 1, 2, 7
_KINDS: Final = {"Point": 1, "LineString": 2, "Polygon": 3}

type Properties = Mapping[str, str | int]


def encode_layer(name: str, shapes: Iterable[tuple[BaseGeometry, Properties]]) -> bytes:
    """Return a layer of a tile, which is also a complete tile with that single layer, or nothing without shapes.

    Coordinates are integers in units of the tile, to the right and down.
    """
    keys: dict[str, int] = {}
    values: dict[str | int, int] = {}
    features = b""
    for shape, properties in shapes:
        tags = [
            at
            for key, value in properties.items()
            for at in (keys.setdefault(key, len(keys)), values.setdefault(value, len(values)))
        ]
        features += b"".join(block(_FEATURE, numbers(_TAGS, tags) + drawn) for drawn in _drawn(shape))
    if not features:
        return b""
    head = block(_NAME, name.encode()) + number(_EXTENT, EXTENT) + number(_VERSION, 2)
    words = b"".join(block(_KEY, key.encode()) for key in keys) + b"".join(map(_value, values))
    return block(_LAYER, head + features + words)


def _value(value: str | int) -> bytes:
    return block(_VALUE, block(_TEXT, value.encode()) if isinstance(value, str) else number(_COUNT, value))


def _drawn(shape: BaseGeometry) -> Iterator[bytes]:
    """Yield the type and the geometry of each part of a shape."""
    for part in shapely.get_parts(shape):
        kind = _KINDS.get(part.geom_type)
        if kind is None:
            yield from _drawn(part)
        elif not part.is_empty:
            yield number(_KIND, kind) + numbers(_GEOMETRY, _commands(part))


def _commands(part: BaseGeometry) -> Iterator[int]:
    at = (0, 0)
    for line, closed in _lines(part):
        points = [(round(x), round(y)) for x, y in line]
        for index, point in enumerate(points):
            if index < 2:
                yield _MOVE_TO | 1 << 3 if index == 0 else _LINE_TO | (len(points) - 1) << 3
            yield zigzag(point[0] - at[0])
            yield zigzag(point[1] - at[1])
            at = point
        if closed:
            yield _CLOSE | 1 << 3


def _lines(part: BaseGeometry) -> Iterator[tuple[Sequence[tuple[float, float]], bool]]:
    """Yield the lines of a point, line or polygon, and whether each is closed. Outer rings are clockwise as drawn."""
    if isinstance(part, shapely.Polygon):
        turned = shapely.geometry.polygon.orient(part)
        for ring in (turned.exterior, *turned.interiors):
            yield ring.coords[:-1], True
    else:
        yield part.coords[:], False


class _Layer(Struct):
    """A layer during the merge of the layers of that name in several tiles."""

    head: bytes = b""
    features: list[bytes] = field(default_factory=list)
    keys: list[bytes] = field(default_factory=list)
    values: list[bytes] = field(default_factory=list)


def merge_tiles(tiles: Sequence[bytes]) -> bytes:
    """Return the contents of several tiles of the same place as one tile. Raises `DamagedMessage` if one is invalid.

    A tile may have only one layer of a name, so layers of the same name are merged.
    """
    layers: dict[bytes, _Layer] = {}
    for tile in tiles:
        for number_, content in fields(tile):
            if number_ == _LAYER and isinstance(content, bytes):
                _add(layers, content)
    return b"".join(
        block(_LAYER, b"".join([layer.head, *layer.features, *layer.keys, *layer.values])) for layer in layers.values()
    )


def _add(layers: dict[bytes, _Layer], content: bytes) -> None:
    parts: dict[int, list[bytes]] = {_NAME: [], _FEATURE: [], _KEY: [], _VALUE: []}
    head = b""
    for number_, value in fields(content):
        if isinstance(value, int):
            head += number(number_, value)
        elif number_ in parts:
            parts[number_].append(value)
    name = parts[_NAME][0] if parts[_NAME] else b""
    layer = layers.setdefault(name, _Layer(block(_NAME, name) + head))
    first = (len(layer.keys), len(layer.values))
    layer.features += [block(_FEATURE, _shifted(feature, first)) for feature in parts[_FEATURE]]
    layer.keys += [block(_KEY, key) for key in parts[_KEY]]
    layer.values += [block(_VALUE, value) for value in parts[_VALUE]]


def _shifted(feature: bytes, first: tuple[int, int]) -> bytes:
    """Return a feature with its tags moved behind the existing keys and values of its layer."""
    if first == (0, 0):
        return feature
    written = b""
    for number_, value in fields(feature):
        if isinstance(value, int):
            written += number(number_, value)
        elif number_ == _TAGS:
            pairs = batched(unpacked(value), 2)
            written += numbers(_TAGS, [at + more for pair in pairs for at, more in zip(pair, first, strict=False)])
        else:
            written += block(number_, value)
    return written
