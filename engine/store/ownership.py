"""Detection of whether an SQLite file is a workspace's database, without modifying it or creating files beside it."""

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
"""Application ID in the header of the SQLite file."""

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_ID_AT: Final = slice(68, 72)
_TABLES: Final = frozenset({"alembic_version", "events", "geofences", "presences", "users"})
"""Tables of every version, which identify databases of earlier ones, as these have no application ID."""

_SHOWN: Final = 3


class _Found(NamedTuple):
    """The tables in a database, and whether their creation was interrupted or has not begun."""

    tables: frozenset[str]
    is_unfinished: bool


def check_ours(file: Path) -> None:
    """Raise `WorkspaceError` if a file is not a database of Fencewright. An empty or missing file is accepted.

    Raises `OSError` if the file cannot be read.
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
    """Mark a database as one of Fencewright."""
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
    """Return the tables of a database, and whether their creation is unfinished."""
    # SQLite keeps the log beside the file itself rather than beside a symbolic link.
    file = file.resolve()
    log = file.with_name(f"{file.name}-wal")
    if not (log.exists() and log.stat().st_size):
        # Without a log, the file is complete, and SQLite need not create a log to read it.
        return _look_at(f"{file.absolute().as_uri()}?immutable=1")
    with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as folder:
        # A link in another folder, so that SQLite creates the files it needs for reading there.
        other = Path(folder) / file.name
        try:
            os.link(file, other)
        except OSError:  # not supported by every file system
            shutil.copyfile(file, other)
        shutil.copyfile(log, other.with_name(log.name))
        return _look_at(f"{other.as_uri()}?mode=ro")


def _look_at(address: str) -> _Found:
    with closing(sqlite3.connect(address, uri=True)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        tables = frozenset(name for (name,) in rows)
        return _Found(tables, not tables or _is_unfinished(connection, tables))


def _is_unfinished(connection: sqlite3.Connection, tables: frozenset[str]) -> bool:
    """Return whether an earlier version was interrupted while creating these tables, so that all of them are empty."""
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
