"""The features of tiles, and tiles that are damaged."""

import gzip
import logging
import struct
import zlib

import numpy as np
import pytest
import shapely

from engine.maps.pictures.features import LINE, POINT, POLYGON, read_features
from engine.maps.pictures.sheet import sheet_of
from engine.maps.pictures.view import View
from engine.maps.protobuf import DamagedMessage, block, number, numbers
from engine.maps.tile import Tile
from engine.maps.vector_tiles import encode_layer


def test_features_are_read_with_their_positions_and_properties() -> None:
    square = shapely.Polygon(shapely.box(0, 0, 1024, 1024).exterior, [shapely.box(256, 256, 512, 512).exterior])
    line = shapely.LineString([(0, 0), (4096, 2048), (-80, 4176)])
    tile = encode_layer("shapes", [(square, {"kind": "sea"}), (line, {"kind": "river", "at": 300})])
    tile += encode_layer("points", [(shapely.Point(2048, 1024), {"name": "Ä"})])
    layers = read_features(gzip.compress(tile))
    area, way = layers["shapes"]
    assert (area.kind, area.properties, len(area.parts)) == (POLYGON, {"kind": "sea"}, 2)
    assert shapely.Polygon(area.parts[0]).equals(shapely.box(0, 0, 0.25, 0.25))
    assert (way.kind, way.properties) == (LINE, {"kind": "river", "at": 300})
    assert way.parts[0].tolist() == [[0, 0], [1, 0.5], [-80 / 4096, 4176 / 4096]]
    assert (way.low, way.high) == ((-80 / 4096, 0), (1, 4176 / 4096))
    [point] = layers["points"]
    assert (point.kind, point.properties, point.parts[0].tolist()) == (POINT, {"name": "Ä"}, [[0.5, 0.25]])


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xff",
        block(3, block(2, block(4, b"\x09\x80"))),
        block(3, block(2, block(4, b"\x09\x02"))),
        block(3, block(2, block(2, b"\x00\x00"))),
        # Values of three bytes that should have four and eight.
        block(3, block(4, block(2, b"abc"))),
        block(3, block(4, block(3, b"abc"))),
        # More positions than the tile has, and than memory has room for.
        block(3, block(2, numbers(4, [1 | (2**29 - 1) << 3, 0, 0]))),
        block(3, block(2, numbers(4, [1 | 1 << 3, 0, 0, 2 | (2**29 - 1) << 3, 0, 0]))),
        # A command that does not exist, and a line from nowhere.
        block(3, block(2, numbers(4, [3 | 1 << 3, 0, 0]))),
        block(3, block(2, numbers(4, [2 | 1 << 3, 0, 0]))),
        # A tag without value, and one beyond the keys.
        block(3, block(2, numbers(2, [0]))),
        block(3, block(2, numbers(2, [2**40, 0])) + block(3, b"name") + block(4, block(1, b"x"))),
        # A tile with an edge that is longer than any number.
        block(3, number(5, 2**69) + block(2, numbers(4, [1 | 1 << 3, 2, 2]))),
    ],
)
def test_a_damaged_tile_is_refused(content: bytes) -> None:
    with pytest.raises(DamagedMessage):
        read_features(gzip.compress(content))
    with pytest.raises(DamagedMessage):
        read_features(content)


def damaged_files() -> list[bytes]:
    """Return compressed tiles of which the compression is damaged."""
    whole = gzip.compress(encode_layer("points", [(shapely.Point(1, 1), {"name": "Ä"})]), mtime=0)
    head, body, (check, size) = whole[:10], bytearray(whole[10:-8]), struct.unpack("<II", whole[-8:])
    body[0] |= 0b110  # a kind of block that does not exist
    return [
        b"",
        whole[:-1],
        whole[: len(whole) // 2],
        head + bytes(body) + whole[-8:],
        whole[:-8] + struct.pack("<II", check ^ 1, size),
        zlib.compress(b""),
    ]


@pytest.mark.parametrize("packed", damaged_files(), ids=["empty", "cut", "half", "deflate", "checksum", "zlib"])
def test_a_tile_with_damaged_compression_is_refused(packed: bytes) -> None:
    with pytest.raises(DamagedMessage):
        read_features(packed)


def test_a_tile_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.maps.tile._LARGEST", 1_000)
    assert read_features(gzip.compress(block(1, bytes(900)))) == {}
    with pytest.raises(DamagedMessage):
        read_features(gzip.compress(block(1, bytes(1_000))))


def test_any_damage_of_a_tile_is_recognized() -> None:
    line = shapely.LineString([(0, 0), (4096, 2048), (-80, 4176)])
    whole = encode_layer("roads", [(line, {"kind": "river", "at": 300}), (shapely.Point(5, 5), {"name": "Ä"})])
    draw = np.random.default_rng(37)
    refused = 0
    for _ in range(3_000):
        content = bytearray(whole)
        for _ in range(draw.integers(1, 4)):
            content[draw.integers(len(content))] = draw.integers(256)
        try:
            read_features(gzip.compress(bytes(content), 1))
        except DamagedMessage:
            refused += 1
    assert 500 < refused < 3_000


def test_a_damaged_tile_is_logged_and_left_out(caplog: pytest.LogCaptureFixture) -> None:
    good = Tile.plain(encode_layer("points", [(shapely.Point(2048, 2048), {"name": "a"})]))
    tiles = {0: good, 1: Tile.of(damaged_files()[3])}
    view = View(512, 256, 1, 0, 66, 2)
    with caplog.at_level(logging.WARNING):
        sheet = sheet_of(view, lambda place: tiles[place.x], 0, 14)
    assert [feature.properties for feature in sheet.features("points")] == [{"name": "a"}]
    assert [record.message for record in caplog.records if "damaged" in record.message] == [
        "A tile is damaged and is left out of pictures: TilePlace(z=1, x=1, y=0)"
    ]
