"""Bringing a database to this version's schema: all of it or nothing, with a copy of what was before.

Earlier versions changed the schema outside a transaction, since Python's sqlite3 begins none before DDL. An upgrade
of theirs that was interrupted has left tables, indexes and columns of its first step behind, all of them empty.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from engine.domain.errors import WorkspaceError

_RENUMBERED: Final = {"0007": "0010"}
"""Steps that got another number before they were released, with the same schema."""

_BEFORE_THE_FIRST: Final = "base"
_COPY_PAGES: Final = 1_000
_ROOM_FOR_LOG: Final = 2
"""How many times its size a database needs free: for its copy, and for the log of a step that writes it all again."""


class _Part(NamedTuple):
    """A table, an index, or a column of a table (`column`), with the default value of the column as SQL."""

    kind: str
    name: str
    column: str = ""
    default: str = "NULL"

    @property
    def is_of_batch(self) -> bool:
        """Whether it is a table that Alembic makes to replace another."""
        return self.name.startswith("_alembic_tmp_")


def upgrade(connection: sa.Connection, file: Path, version: str | None) -> None:
    """Bring the database in `file` from a version to the newest, in one transaction.

    A copy lies beside the database meanwhile, and stays there if the upgrade fails. Raises `WorkspaceError`.
    """
    config = _config(connection)
    begin = _known(config, file, version)
    copy = _copied(connection, file, version)
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        _drop_leftovers(connection, begin)
        if version in _RENUMBERED:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = :begin"), {"begin": begin})
        command.upgrade(config, "head")
        connection.commit()
    except Exception as error:
        connection.rollback()
        raise WorkspaceError(_failed(file, version, error, copy)) from error
    copy.unlink(missing_ok=True)


def copy_of(file: Path, version: str | None) -> Path:
    """Return where the copy of a database lies while it is upgraded from a version."""
    return file.with_name(f"{file.name}.schema-{version or _BEFORE_THE_FIRST}")


def _config(connection: sa.Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _known(config: Config, file: Path, version: str | None) -> str:
    """Return the revision that a version is; raises `WorkspaceError` for one that no release has."""
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    revision = _BEFORE_THE_FIRST if version is None else _RENUMBERED.get(version, version)
    if revision not in known | {_BEFORE_THE_FIRST}:
        raise WorkspaceError(
            f"The database {file} has schema {version}, which no released version of Fencewright has. Open it with the "
            "version that made it, export its geofences there, and import them into a new workspace. "
            "Nothing was changed."
        )
    return revision


def _copied(connection: sa.Connection, file: Path, version: str | None) -> Path:
    """Copy the database beside itself; the copy is there in full or not at all."""
    copy = copy_of(file, version)
    part = copy.with_name(f"{copy.name}.part")
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        _check_room(driver, file)
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(part)) as target:
            driver.backup(target, pages=_COPY_PAGES)
        _flush(part)
        part.replace(copy)
        _flush(copy.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise WorkspaceError(
            f"The database {file} has schema {version} and is not upgraded, because no copy of it can be made: "
            f"{getattr(error, 'strerror', None) or error}. Make room in {file.parent} and open the workspace again. "
            "Nothing was changed."
        ) from error
    return copy


def _check_room(driver: sqlite3.Connection, file: Path) -> None:
    pages, page_bytes = (driver.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    needed, free = pages * page_bytes * _ROOM_FOR_LOG, shutil.disk_usage(file.parent).free
    if free < needed:
        raise OSError(0, f"that needs {needed / 1e6:,.0f} MB of disk space, and {free / 1e6:,.0f} MB are free")


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _drop_leftovers(connection: sa.Connection, begin: str) -> None:
    """Drop what an interrupted upgrade of an earlier version has left; raises `WorkspaceError` where it holds data."""
    before, after = _schemas(begin)
    there = set(_parts(connection))
    left = [part for part in there - before if part in after or part.is_of_batch]
    tables = {part.name for part in left if part.kind == "table"}
    # Indexes first, since they use columns; the columns of a table go with it.
    for part in sorted(left, key=lambda part: ("index", "column", "table").index(part.kind)):
        if part.kind == "column" and part.name in tables:
            continue
        _check_empty(connection, part)
        name, column = _quoted(part.name), _quoted(part.column)
        connection.exec_driver_sql(
            f"ALTER TABLE {name} DROP COLUMN {column}" if part.column else f"DROP {part.kind.upper()} {name}"
        )


def _schemas(begin: str) -> tuple[set[_Part], set[_Part]]:
    """Return the parts of the schema of a revision, and of the one after it."""
    memory = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
    with memory.begin() as connection:
        config = _config(connection)
        if begin != _BEFORE_THE_FIRST:
            command.upgrade(config, begin)
        before = set(_parts(connection))
        command.upgrade(config, "+1")
        after = set(_parts(connection))
    memory.dispose()
    return before, after


def _parts(connection: sa.Connection) -> Iterator[_Part]:
    names = "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'index') AND name NOT LIKE 'sqlite_%'"
    for kind, name in connection.exec_driver_sql(names).all():
        if name == "alembic_version":
            continue
        yield _Part(kind, name)
        if kind == "table":
            for _, column, _, _, default, _ in connection.exec_driver_sql(f"PRAGMA table_info({_quoted(name)})").all():
                yield _Part("column", name, column, default or "NULL")


def _check_empty(connection: sa.Connection, part: _Part) -> None:
    if part.kind == "index":
        return
    where = f" WHERE {_quoted(part.column)} IS NOT {part.default}" if part.column else ""
    if connection.exec_driver_sql(f"SELECT 1 FROM {_quoted(part.name)}{where} LIMIT 1").first() is not None:
        what = f"the column {part.column} of the table {part.name}" if part.column else f"the table {part.name}"
        raise WorkspaceError(f"{what} has data, which no version of Fencewright has stored there")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _failed(file: Path, version: str | None, error: Exception, copy: Path) -> str:
    why = getattr(error, "orig", None) or error
    is_full = getattr(why, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return (
        f"The database {file} could not be upgraded from schema {version or _BEFORE_THE_FIRST}: {why}. Nothing was "
        f"changed, and a copy of it is in {copy}."
        + (" Make room on the disk, and open the workspace again." if is_full else "")
    )
