"""Files that users name: written completely or not at all, and readable by their owner only if required."""

import stat
from pathlib import Path

import pytest

from app.files import draft_of, write_file
from engine.domain.errors import InvalidParameter


def mode_of(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_only_the_owner_reads_files_with_positions(tmp_path: Path) -> None:
    file = tmp_path / "track.gpx"
    file.write_text("old")
    file.chmod(0o644)
    write_file(file, b"new", owner_only=True)
    assert (file.read_text(), mode_of(file)) == ("new", 0o600)


def test_a_file_keeps_who_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / "scenario.fence.yaml"
    write_file(file, b"1", owner_only=True)
    write_file(file, b"2")
    assert (file.read_text(), mode_of(file)) == ("2", 0o600)
    file.chmod(0o664)
    write_file(file, b"3")
    assert (file.read_text(), mode_of(file)) == ("3", 0o664)
    other = tmp_path / "report.xml"
    other.touch()
    write_file(tmp_path / "new.xml", b"")
    assert mode_of(tmp_path / "new.xml") == mode_of(other), "a new file is as any other"


def _write_half(file: Path) -> None:
    with draft_of(file, owner_only=False) as stream:
        stream.write(b"half")
        raise OSError(28, "No space left on device")


def test_a_failure_keeps_the_previous_file(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    write_file(file, b"old")
    with pytest.raises(InvalidParameter, match="No space left"):
        _write_half(file)
    assert file.read_bytes() == b"old"
    with pytest.raises(InvalidParameter, match=r"a\.csv cannot be written: Not a directory\.") as caught:
        write_file(file / "a.csv", b"")
    assert caught.value.param == "output"
    with pytest.raises(InvalidParameter, match="is a folder; give the name of a file"):
        write_file(tmp_path, b"")
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    kept, links = tmp_path / "kept", tmp_path / "links"
    kept.mkdir()
    links.mkdir()
    (kept / "old.csv").write_text("old")
    for name in ("old.csv", "new.csv"):
        (links / name).symlink_to(Path("..") / "kept" / name)
        write_file(links / name, b"new")
        assert (links / name).is_symlink()
        assert (kept / name).read_text() == "new"
    assert sorted(each.name for each in tmp_path.glob("*/*")) == ["new.csv", "new.csv", "old.csv", "old.csv"]


def test_a_name_as_long_as_names_may_be_is_written(tmp_path: Path) -> None:
    file = tmp_path / ("\N{GRINNING FACE}" * 63)
    write_file(file, b"new")
    assert file.read_bytes() == b"new"
