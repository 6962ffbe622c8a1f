"""SQLite files of other programs in place of a workspace's database: refused, and left unchanged."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceError
from engine.engine import Engine
from engine.store.database import Database
from engine.store.ownership import APPLICATION_ID, check_ours
from engine.store.workspace import DATABASE
from tests.engine.store.test_migrations import make_first

TEST = Environment.TEST

type Make = Callable[[Path], None]


def made_of(script: str, journal: str = "delete") -> Make:
    """Return a function that creates a database from a script."""

    def make(file: Path) -> None:
        connection = sqlite3.connect(file)
        connection.execute(f"PRAGMA journal_mode={journal}")
        connection.executescript(script)
        connection.close()

    return make


def left_by_a_crash(script: str) -> Make:
    """Return a function that creates a database whose program was killed, with all data in its log."""
    code = "import os, signal, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA journal_mode=WAL')"
    code += "; c.executescript(sys.argv[2]); os.kill(os.getpid(), signal.SIGKILL)"

    def make(file: Path) -> None:
        ended = subprocess.run([sys.executable, "-c", code, str(file), script])
        assert ended.returncode == -signal.SIGKILL
        assert file.with_name(f"{file.name}-wal").stat().st_size

    return make


BOOKMARKS = "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://example.org');"
ALEMBIC = "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('0004');"
PACKAGE = "PRAGMA application_id = 1196444487;"

FOREIGN: dict[str, Make] = {
    "a table": made_of(BOOKMARKS),
    "a log": made_of(BOOKMARKS, "wal"),
    "a crash": left_by_a_crash(BOOKMARKS),
    "our tables' names": made_of(
        "CREATE TABLE alembic_version (v); CREATE TABLE users (id); INSERT INTO users VALUES (1)"
    ),
    "our schema's number": made_of(ALEMBIC + "CREATE TABLE users (id INTEGER);"),
    "an application's ID": made_of(PACKAGE),
    "an application's ID and a table": made_of(PACKAGE + BOOKMARKS, "wal"),
    "many tables": made_of("".join(f"CREATE TABLE t{number} (a);" for number in range(9))),
}


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path, kind: str) -> None:
    FOREIGN[kind](tmp_path / DATABASE)
    before = files_of(tmp_path)
    for _ in range(2):
        with pytest.raises(WorkspaceError, match="is a database of another program") as refused:
            Engine.open(tmp_path)
        assert files_of(tmp_path) == before | {"lock": b""}
    assert str(tmp_path / DATABASE) in refused.value.message
    assert "bookmarks" in refused.value.message or "bookmarks" not in str(before)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("a table", "with the table bookmarks"),
        ("our tables' names", "with the tables alembic_version, users"),
        ("many tables", "with the tables t0, t1, t2"),
        ("an application's ID", "according to its application ID"),
    ],
)
def test_a_database_of_another_program_is_described(tmp_path: Path, kind: str, words: str) -> None:
    FOREIGN[kind](tmp_path / DATABASE)
    with pytest.raises(WorkspaceError) as refused:
        Engine.open(tmp_path)
    assert words in refused.value.message


def test_one_that_is_open_there_goes_on(tmp_path: Path) -> None:
    owner = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
    owner.execute("PRAGMA journal_mode=WAL")
    owner.executescript(BOOKMARKS)
    owner.execute("BEGIN IMMEDIATE")
    owner.execute("INSERT INTO bookmarks VALUES ('https://example.com')")
    before = files_of(tmp_path)
    with pytest.raises(WorkspaceError, match="another program"):
        Engine.open(tmp_path)
    assert files_of(tmp_path) == before | {"lock": b""}
    owner.execute("COMMIT")
    assert owner.execute("SELECT count(*) FROM bookmarks").fetchone() == (2,)
    assert owner.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    owner.close()


@pytest.mark.parametrize(
    "content",
    [b"x", b"SQLite format 3", b"not a database " * 100, b"SQLite format 3\0" + b"\xff" * 4000],
    ids=["a letter", "a name", "a text", "damaged"],
)
def test_an_invalid_database_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE).write_bytes(content)
    with pytest.raises(WorkspaceError, match=r"cannot be opened: .*database"):
        Engine.open(tmp_path)
    assert files_of(tmp_path) == {DATABASE: content, "lock": b""}


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE).mkdir()
    with pytest.raises(WorkspaceError, match="cannot be opened: Is a directory"):
        Engine.open(tmp_path)


def application_id(folder: Path) -> int:
    return int.from_bytes((folder / DATABASE).read_bytes()[68:72])


def test_a_new_database_has_the_application_id(tmp_path: Path) -> None:
    Engine.open(tmp_path).close()
    assert application_id(tmp_path) == APPLICATION_ID
    check_ours(tmp_path / DATABASE)
    Engine.open(tmp_path).close()


@pytest.mark.parametrize("make", [made_of, lambda script: made_of(script, "wal"), left_by_a_crash])
def test_databases_of_earlier_versions_are_taken_and_get_the_application_id(
    tmp_path: Path, make: Callable[[str], Make]
) -> None:
    (tmp_path / "first").mkdir()
    make_first(tmp_path / "first")
    with closing(sqlite3.connect(tmp_path / "first" / DATABASE)) as first:
        make("\n".join(first.iterdump()))(tmp_path / DATABASE)
    assert application_id(tmp_path) == 0
    check_ours(tmp_path / DATABASE)
    with Engine.open(tmp_path) as engine:
        assert engine.history.counts(TEST).users
    assert application_id(tmp_path) == APPLICATION_ID


@pytest.mark.parametrize("make", [lambda file: file.touch(), made_of(""), made_of("", "wal")])
def test_an_empty_one_becomes_ours(tmp_path: Path, make: Make) -> None:
    make(tmp_path / DATABASE)
    Engine.open(tmp_path).close()
    assert application_id(tmp_path) == APPLICATION_ID


def test_a_copy_has_the_application_id_too(tmp_path: Path) -> None:
    with Engine.open(tmp_path / "w") as engine:
        engine.save_copy(tmp_path / "copy")
    assert application_id(tmp_path / "copy") == APPLICATION_ID


@pytest.fixture
def unlinked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a file system without hard links."""

    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(os, "link", refuse)


@pytest.mark.usefixtures("unlinked")
def test_foreign_files_are_refused_without_hard_links(tmp_path: Path) -> None:
    left_by_a_crash(BOOKMARKS)(tmp_path / DATABASE)
    before = files_of(tmp_path)
    with pytest.raises(WorkspaceError, match="bookmarks"):
        Engine.open(tmp_path)
    assert files_of(tmp_path) == before | {"lock": b""}


def test_a_crash_in_the_middle_of_making_one_is_no_reason_to_refuse_it(tmp_path: Path) -> None:
    """Any files written by a new workspace before a crash allow the next opening to continue."""
    (tmp_path / "w").mkdir()
    with closing(Database(tmp_path / "w" / DATABASE)):
        for name in (DATABASE, f"{DATABASE}-wal"):
            shutil.copyfile(tmp_path / "w" / name, tmp_path / name)
    assert (tmp_path / f"{DATABASE}-wal").stat().st_size
    Engine.open(tmp_path).close()
    assert application_id(tmp_path) == APPLICATION_ID


@pytest.mark.parametrize("is_relative", [False, True])
def test_a_link_to_the_database_of_another_program_is_refused(tmp_path: Path, is_relative: bool) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    theirs.mkdir()
    ours.mkdir()
    left_by_a_crash(BOOKMARKS)(theirs / "bookmarks.db")
    before = files_of(theirs)
    (ours / DATABASE).symlink_to("../theirs/bookmarks.db" if is_relative else theirs / "bookmarks.db")
    with pytest.raises(WorkspaceError, match="bookmarks"):
        Engine.open(ours)
    assert files_of(theirs) == before
    assert {each.name for each in ours.iterdir()} == {DATABASE, "lock"}
