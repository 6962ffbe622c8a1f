"""Objects that are created once and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.desktop.map.kept import Kept


class Maker:
    def __init__(self) -> None:
        self.times = 0

    def make(self) -> bytes:
        self.times += 1
        return b"made %d" % self.times


def test_content_is_created_once_for_each_source(tmp_path: Path) -> None:
    kept, maker = Kept(tmp_path / "cache" / "map"), Maker()
    assert kept.get("page", b"1", maker.make) == b"made 1"
    assert Kept(tmp_path / "cache" / "map").get("page", b"1", maker.make) == b"made 1"
    assert kept.get("page", b"2", maker.make) == b"made 2"
    assert kept.get("world", b"2", maker.make) == b"made 3"
    for version in range(9):
        kept.get("page", b"3%d" % version, maker.make)
    names = [path.name.partition("-")[0] for path in (tmp_path / "cache" / "map").iterdir()]
    assert sorted(names) == ["page", "page", "page", "world"]


@pytest.mark.parametrize("damage", [b"", b"x" * 20, b"x" * 100])
def test_damaged_content_is_recreated(tmp_path: Path, damage: bytes) -> None:
    kept, maker = Kept(tmp_path), Maker()
    kept.get("page", b"", maker.make)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage)
    assert kept.get("page", b"", maker.make) == b"made 2"
    assert kept.get("page", b"", maker.make) == b"made 2"


def test_a_cache_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    kept, maker = Kept(tmp_path / "cache"), Maker()
    assert [kept.get("page", b"", maker.make) for _ in range(2)] == [b"made 1", b"made 2"]
    folder = tmp_path / "folder"
    kept = Kept(folder)
    (folder / "page-e3b0c44298fc1c149afb").mkdir(parents=True)
    assert kept.get("page", b"", maker.make) == b"made 3"
    assert [path.name for path in folder.iterdir()] == ["page-e3b0c44298fc1c149afb"]
