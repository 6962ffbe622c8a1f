"""The packed world as the window's map reads it."""

from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import orjson
import pytest
import shapely

from engine.maps.packed_world import LEVELS, MARGIN, pack_world, world_inputs
from engine.maps.world_atlas import Atlas, Detail, Places


def read(packed: bytes) -> tuple[dict[str, Any], list[Places]]:
    """Return the index and all shapes in order."""
    size = int.from_bytes(packed[:4], "little")
    index = orjson.loads(packed[4 : 4 + size])
    places = np.frombuffer(packed, "<f4", offset=4 + size).astype(float).reshape(-1, 2)
    lengths = [length for _, rings in index["countries"] for length in rings]
    lengths += [length for _, parts in index["tiles"] for some in parts.values() for length in some]
    assert sum(lengths) == len(places)
    return index, [places[start:end] for start, end in pairwise([0, *accumulate(lengths)])]


def box_of(key: str) -> tuple[float, float, float, float]:
    level, x, y = map(int, key.split("/"))
    margin, size = MARGIN, 2.0**-level
    return (x - margin) * size, (y - margin) * size, (x + 1 + margin) * size, (y + 1 + margin) * size


def check_keys(index: dict[str, Any], detail: Detail) -> None:
    """Check that the tiles are those of the level all around the earth."""
    keys, level = [tuple(map(int, key.split("/"))) for key, _ in index["tiles"]], LEVELS[detail]
    assert len(set(keys)) == len(keys)
    assert {(z, x) for z, x, _ in keys} == {(level, x) for x in range(2**level)}
    assert {y for _, _, y in keys} <= set(range(2**level))


@pytest.mark.slow
@pytest.mark.parametrize("detail", ["50m", "10m"])
def test_its_tiles_hold_all_land_and_lines_of_the_atlas(detail: Detail) -> None:
    index, shapes = read(pack_world(detail))
    check_keys(index, detail)
    atlas, rest = Atlas(detail), iter(shapes[sum(len(rings) for _, rings in index["countries"]) :])
    trees = {"land": atlas.land, "coast": atlas.coast, "borders": atlas.borders}
    shapely.prepare(atlas.land.geometries)  # the tree would prepare the points
    chance = np.random.default_rng(1)
    for key, parts in index["tiles"]:
        tile = shapely.box(*box_of(key))
        for name, tree in trees.items():
            packed = [next(rest) for _ in parts[name]]
            if name == "land":
                points = shapely.points(chance.uniform(tile.bounds[:2], tile.bounds[2:], (200, 2)))
                # The page fills by the even-odd rule, so holes are separate rings.
                around = sum(
                    (shapely.contains(shapely.Polygon(ring), points).astype(int) for ring in packed), np.int_(0)
                )
                near, lands = tree.query(points)
                found = np.unique(near[shapely.intersects(tree.geometries[lands], points[near])])
                assert np.mean((around % 2 == 1) != np.isin(np.arange(200), found)) <= 0.005
            else:
                inside = shapely.intersection(tree.geometries[tree.query(tile)], tile)
                length = sum(shapely.LineString(line).length for line in packed)
                assert length == pytest.approx(sum(shapely.length(inside)), rel=5e-3, abs=1e-9)


def test_a_country_across_the_date_line_is_in_one_piece() -> None:
    index, shapes = read(pack_world("50m"))
    check_keys(index, "50m")
    rest = iter(shapes)
    rings = {name: [next(rest) for _ in lengths] for name, lengths in index["countries"]}
    assert len(rings) > 200
    largest = max(rings["Russia"], key=lambda ring: np.ptp(ring[:, 0]))
    assert largest[:, 0].max() > 1.0
    assert np.abs(np.diff(largest[:, 0])).max() < 0.1


def test_no_tile_is_beyond_the_world() -> None:
    index, _ = read(pack_world("50m"))
    level, tiles = LEVELS["50m"], [tuple(map(int, key.split("/"))) for key, _ in index["tiles"]]
    assert len(set(tiles)) == len(tiles) > 4**level / 2
    assert {each[0] for each in tiles} == {level}
    assert {part for each in tiles for part in each[1:]} == set(range(2**level))


def test_countries_have_the_names_of_a_language() -> None:
    english, german = ({name for name, _ in read(pack_world("50m", each))[0]["countries"]} for each in ("en", "de"))
    assert {"Germany", "Slovenia", "Kosovo"} <= english
    assert {"Deutschland", "Slowenien", "Kosovo"} <= german
    assert len(german) == len(english)


def test_it_depends_on_the_atlas() -> None:
    assert world_inputs("50m") != world_inputs("10m")
