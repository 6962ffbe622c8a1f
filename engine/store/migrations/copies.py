"""The copy of a database that is kept beside it during an upgrade of its schema."""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from engine.domain.errors import WorkspaceError
from engine.domain.ports import Progress

_PAGES_AT_ONCE: Final = 1_000
_MB: Final = 1_000_000
_LAST_VERSION: Final = 9_999
"""Larger numbers in a database header identify its files; see `engine.store.watching.files`."""


def copy_of(file: Path, version: str) -> Path:
    """Return the path of the copy of a database with the schema `version`."""
    return file.with_name(f"{file.name}.schema-{version}")


def save_copy(connection: sqlite3.Connection, copy: Path, progress: Progress) -> None:
    """Write a consistent copy that only the owner can read. It is created completely or not at all.

    Raises `WorkspaceError` if there is not enough disk space. `progress` may raise `Cancelled`.
    """
    _check_room(connection, copy)
    part = copy.with_name(f"{copy.name}.part")
    try:
        # A partial copy from an interrupted run is useless.
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        _write(connection, part, progress)
        part.replace(copy)
        _sync(copy.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        why = (isinstance(error, OSError) and error.strerror) or error
        raise WorkspaceError(
            f"The database was not upgraded, because its copy {copy} cannot be written: {why}. Nothing in the "
            "workspace was changed. Make room for the copy, or let it be written there, and open the workspace again."
        ) from error
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def note_upgrade(connection: sqlite3.Connection, version: str) -> None:
    """Record in the transaction that upgrades a database that its copy with the schema `version` can be deleted."""
    connection.execute(f"PRAGMA user_version={int(version)}")


def drop_copy(connection: sqlite3.Connection, file: Path) -> None:
    """Delete the copy that was made before the last upgrade of a database, if it still exists.

    The copy is only deleted if the header of the database names its schema version. A copy that merely has such a name
    may be left from a failed upgrade, and be all that remains of a workspace whose database was moved away.
    """
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    if not 0 < number <= _LAST_VERSION:
        return
    # If the copy cannot be deleted now, it is deleted when the database is next opened.
    with suppress(OSError, sqlite3.Error):
        copy_of(file, f"{number:04}").unlink(missing_ok=True)
        connection.execute("PRAGMA user_version=0")


def _check_room(connection: sqlite3.Connection, copy: Path) -> None:
    (pages,), (size,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    needed, free = pages * size, shutil.disk_usage(copy.parent).free
    if needed > free:
        raise WorkspaceError(
            f"The database was not upgraded: it is first copied to {copy}, which takes {_mb(needed)}, and "
            f"{_mb(free)} are free there. Nothing in the workspace was changed. Make room, and open it again."
        )


def _mb(amount: int) -> str:
    return f"{amount / _MB:,.1f} MB"


def _write(connection: sqlite3.Connection, part: Path, progress: Progress) -> None:
    with closing(sqlite3.connect(part)) as target:
        # An incomplete copy is discarded, so it needs no journal. Its contents are synced once below.
        target.execute("PRAGMA journal_mode=OFF")
        target.execute("PRAGMA synchronous=OFF")
        connection.backup(
            target, pages=_PAGES_AT_ONCE, progress=lambda _, left, total: progress(total - left, total * 2)
        )
    _sync(part)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
