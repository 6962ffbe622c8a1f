"""Small street maps for tests, and a reader of vector tiles."""

import gzip
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import shapely
from pmtiles.tile import Compression, TileType, zxy_to_tileid
from pmtiles.writer import Writer

from engine.areas.folder import BASEMAP, ROADS, write_manifest
from engine.domain.area import Bounds
from engine.maps.protobuf import fields, unpacked
from engine.maps.vector_tiles import encode_layer

EVERYWHERE: Bounds = (-180, -85, 180, 85)

type Read = dict[str, list[tuple[dict[str, str | int], bytes]]]
"""The properties and geometry of each feature, by layer."""


def place_tile(*names: str) -> bytes:
    """Return a tile with a row of places with these names."""
    return encode_layer("places", [(shapely.Point(at, at), {"name": name}) for at, name in enumerate(names)])


def write_archive(file: Path, tiles: Mapping[tuple[int, int, int], bytes], *, packed: bool = True) -> Path:
    """Write a PMTiles file with these tiles by zoom, column and row."""
    with file.open("wb") as stream:
        writer: Any = Writer(stream)  # type: ignore[no-untyped-call]
        for place, content in sorted(tiles.items(), key=lambda item: zxy_to_tileid(*item[0])):
            writer.write_tile(zxy_to_tileid(*place), gzip.compress(content, mtime=0) if packed else content)
        header: dict[str, Any] = {
            "tile_type": TileType.MVT,
            "tile_compression": Compression.GZIP if packed else Compression.NONE,
            **dict.fromkeys(("min_lon_e7", "min_lat_e7", "max_lon_e7", "max_lat_e7"), 0),
            **dict.fromkeys(("center_zoom", "center_lon_e7", "center_lat_e7"), 0),
        }
        writer.finalize(header, {})
    return file


def make_area(folder: Path, tiles: Mapping[tuple[int, int, int], bytes], bounds: Bounds = EVERYWHERE) -> Path:
    """Create the folder of an area that has only a street map."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ROADS).write_bytes(bytes(1024))
    write_archive(folder / BASEMAP, tiles)
    write_manifest(folder, bounds=bounds, built_at=datetime(2026, 1, 1, tzinfo=UTC), source="none.osm.pbf")
    return folder


def read_tile(tile: bytes) -> Read:
    """Return the contents of a tile, and check that each layer occurs once."""
    found: Read = {}
    for number, layer in fields(tile):
        assert number == 3
        assert isinstance(layer, bytes)
        parts: dict[int, list[Any]] = {1: [], 2: [], 3: [], 4: [], 5: [], 15: []}
        for field, value in fields(layer):
            parts[field].append(value)
        name = parts[1][0].decode()
        assert name not in found
        assert (len(parts[1]), parts[5], parts[15]) == (1, [4096], [2])
        words = [key.decode() for key in parts[3]], [_value(value) for value in parts[4]]
        found[name] = [_feature(feature, *words) for feature in parts[2]]
    return found


def _value(message: bytes) -> str | int:
    ((_, value),) = fields(message)
    return value.decode() if isinstance(value, bytes) else value


def _feature(message: bytes, keys: list[str], values: list[str | int]) -> tuple[dict[str, str | int], bytes]:
    found: dict[int, Any] = dict(fields(message))
    tags = list(unpacked(found.get(2, b"")))
    return {keys[at]: values[to] for at, to in zip(tags[::2], tags[1::2], strict=True)}, found[4]
