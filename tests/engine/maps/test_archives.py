"""Tiles of the areas currently in use."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.domain.area import Area
from engine.domain.errors import InvalidParameter
from engine.maps.archives import Archive, AreaTiles
from engine.maps.tile import TilePlace
from tests.engine.maps.reading import EVERYWHERE, place_tile, read_tile, write_archive

HERE, THERE = TilePlace(4, 8, 5), TilePlace(14, 8000, 5000)


class InUse:
    """Areas in use, which a test can change."""

    def __init__(self) -> None:
        self.areas: tuple[Area, ...] = ()

    def __call__(self) -> tuple[Area, ...]:
        return self.areas

    def use(self, *files: Path) -> None:
        """Use areas with these street maps."""
        self.areas = tuple(
            Area(
                name=file.stem,
                folder=file.parent,
                bounds=EVERYWHERE,
                roads=file,
                basemap=file,
                built_at=datetime(2026, 1, 1, tzinfo=UTC),
                source="",
                format=1,
            )
            for file in files
        )


@pytest.fixture
def in_use() -> InUse:
    return InUse()


@pytest.fixture
def tiles(in_use: InUse) -> AreaTiles:
    return AreaTiles(in_use)


def names_at(tiles: AreaTiles, place: TilePlace) -> list[str]:
    """Return the names on a tile."""
    tile = tiles.tile(place)
    if tile is None:
        return []
    return [str(properties["name"]) for properties, _ in read_tile(gzip.decompress(tile.packed))["places"]]


def key(place: TilePlace) -> tuple[int, int, int]:
    return place.z, place.x, place.y


def test_a_tile_of_one_area_is_sent_as_it_is_stored(tiles: AreaTiles, in_use: InUse, tmp_path: Path) -> None:
    file = write_archive(tmp_path / "one.pmtiles", {key(HERE): place_tile("Ä"), key(THERE): place_tile("b")})
    in_use.use(file)
    tile = tiles.tile(HERE)
    assert tile is not None
    assert tile.packed in file.read_bytes()
    assert tiles.tile(HERE) == tile
    assert (names_at(tiles, HERE), names_at(tiles, THERE)) == (["Ä"], ["b"])
    assert tiles.tile(TilePlace(4, 8, 6)) is None
    assert tiles.tile(TilePlace(15, 0, 0)) is None


def test_a_tile_of_several_areas_has_the_features_of_all(tiles: AreaTiles, in_use: InUse, tmp_path: Path) -> None:
    one = write_archive(tmp_path / "one.pmtiles", {key(HERE): place_tile("a", "b")})
    two = write_archive(tmp_path / "two.pmtiles", {key(HERE): place_tile("b", "c"), key(THERE): place_tile("d")})
    plain = write_archive(tmp_path / "three.pmtiles", {key(HERE): place_tile("e")}, packed=False)
    in_use.use(one, two, plain)
    assert names_at(tiles, HERE) == ["a", "b", "b", "c", "e"]
    assert names_at(tiles, THERE) == ["d"]


def test_another_choice_and_another_build_are_seen_at_once(tiles: AreaTiles, in_use: InUse, tmp_path: Path) -> None:
    assert names_at(tiles, HERE) == []
    one = write_archive(tmp_path / "one.pmtiles", {key(HERE): place_tile("a")})
    in_use.use(one)
    before = tiles.tile(HERE)
    write_archive(tmp_path / "new", {key(HERE): place_tile("rebuilt")}).replace(one)
    after = tiles.tile(HERE)
    assert before is not None
    assert after is not None
    assert before.tag != after.tag
    assert names_at(tiles, HERE) == ["rebuilt"]
    one.unlink()
    assert names_at(tiles, HERE) == []
    in_use.use()
    assert names_at(tiles, HERE) == []


def test_a_reader_reads_on_when_the_file_is_deleted(tmp_path: Path) -> None:
    file = write_archive(tmp_path / "one.pmtiles", {key(HERE): place_tile("a"), key(THERE): place_tile("b")})
    archive = Archive(file)
    file.unlink()
    assert archive.tile(THERE) == gzip.compress(place_tile("b"), mtime=0)


@pytest.mark.parametrize("content", [b"", b"PMTiles", b"PMTiles\3" + bytes(200), bytes(range(256)) * 4])
def test_a_damaged_file_leaves_the_others(tiles: AreaTiles, in_use: InUse, tmp_path: Path, content: bytes) -> None:
    damaged = tmp_path / "damaged.pmtiles"
    damaged.write_bytes(content)
    in_use.use(damaged, write_archive(tmp_path / "one.pmtiles", {key(HERE): place_tile("a")}))
    assert names_at(tiles, HERE) == ["a"]


def test_a_damaged_tile_leaves_those_of_other_areas(tiles: AreaTiles, in_use: InUse, tmp_path: Path) -> None:
    good = write_archive(tmp_path / "good.pmtiles", {key(HERE): place_tile("a")})
    bad = write_archive(tmp_path / "bad.pmtiles", {key(HERE): b"\xff" * 9})
    in_use.use(bad, good)
    assert names_at(tiles, HERE) == ["a"]


@pytest.mark.parametrize(("place", "param"), [((23, 0, 0), "z"), ((1, 2, 0), "x"), ((1, 0, -1), "y")])
def test_there_are_no_other_tiles(place: tuple[int, int, int], param: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        TilePlace(*place)
    assert refused.value.param == param
