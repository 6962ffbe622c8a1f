"""Whether a SQLite file is a workspace's database, told without changing it or making a file beside it."""

import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from engine.domain.errors import WorkspaceError

APPLICATION_ID: Final = int.from_bytes(b"FNCW")
"""The ID in a SQLite file's header of the program that it belongs to."""

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_ID_AT: Final = slice(68, 72)
_TABLES: Final = frozenset({"alembic_version", "events", "geofences", "presences", "users"})
"""Those of every version: databases of earlier ones do not say whose they are."""

_SHOWN: Final = 3


class _Found(NamedTuple):
    """The tables in a database, and whether their making was broken off, or has not begun."""

    tables: frozenset[str]
    is_unfinished: bool


def check_ours(file: Path) -> None:
    """Raise `WorkspaceError` for a file that is no database of Fencewright's; one that is empty or not there may be.

    Raises `OSError` where it cannot be read.
    """
    header = _header(file)
    if not header:
        return
    if not header.startswith(_MAGIC):
        raise WorkspaceError(f"The database {file} cannot be opened: file is not a database.")
    application = int.from_bytes(header[_ID_AT])
    if application == APPLICATION_ID:
        return
    try:
        found = _look(file)
    except sqlite3.Error as error:
        raise WorkspaceError(f"The database {file} cannot be opened: {error}.") from error
    if application or not (found.tables >= _TABLES or found.is_unfinished):
        raise WorkspaceError(
            f"{file} is a database of another program ({_described(found.tables)}), so nothing in it was changed. "
            "Choose another folder for the workspace, or move the file away."
        )


def sign(connection: sqlite3.Connection) -> None:
    """Note in a database that it is ours."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")


def _header(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(_HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _look(file: Path) -> _Found:
    """Look into a database."""
    # Where SQLite has the log: beside the file, not beside a symbolic link to it.
    file = file.resolve()
    log = file.with_name(f"{file.name}-wal")
    if not (log.exists() and log.stat().st_size):
        # With nothing in a log, what the file says holds, and SQLite need not make one to read it.
        return _look_at(f"{file.absolute().as_uri()}?immutable=1")
    with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as folder:
        # By another name of the same file, so that SQLite makes what it needs for reading elsewhere.
        other = Path(folder) / file.name
        try:
            os.link(file, other)
        except OSError:  # not on every file system
            shutil.copyfile(file, other)
        shutil.copyfile(log, other.with_name(log.name))
        return _look_at(f"{other.as_uri()}?mode=ro")


def _look_at(address: str) -> _Found:
    with closing(sqlite3.connect(address, uri=True)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        tables = frozenset(name for (name,) in rows)
        return _Found(tables, not tables or _is_unfinished(connection, tables))


def _is_unfinished(connection: sqlite3.Connection, tables: frozenset[str]) -> bool:
    """Whether an earlier version was creating these tables when it was interrupted: nothing is in them yet."""
    return (
        "alembic_version" in tables
        and tables <= _TABLES
        and not any(connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in tables)
    )


def _described(tables: Iterable[str]) -> str:
    names = sorted(tables)
    if not names:
        return "according to its application ID"
    shown = ", ".join(name[:30] for name in names[:_SHOWN])
    return f"with the table{'s' if len(names) > 1 else ''} {shown}{', …' if len(names) > _SHOWN else ''}"
