"""Upgrading a database to the current schema in one transaction, with a copy until it has succeeded."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from engine.domain.errors import WorkspaceError
from engine.domain.ports import Cancelled, Progress
from engine.store.migrations import steps
from engine.store.migrations.copies import copy_of, note_upgrade, save_copy
from engine.store.migrations.schema import drop_leftovers, lacking, schema_of

_RENUMBERED: Final = {"0007": "0010"}
"""Migrations that were renumbered during development. The migrations 0008 and 0009 were never part of this program."""


def upgrade(connection: sa.Connection, file: Path, version: str, progress: Progress) -> None:
    """Upgrade the database in `file` from the schema `version` to the newest one, and commit.

    The copy made before is kept until `copies.drop_copy` deletes it. Raises `WorkspaceError`, which names the copy, or
    `Cancelled`. Nothing has changed then.
    """
    start = _RENUMBERED.get(version, version)
    if start not in steps.versions():
        raise WorkspaceError(_unknown(file, version))
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    copy = copy_of(file, version)
    save_copy(driver, copy, progress)
    with _all_or_nothing(connection, file, version, copy):
        if start != version:
            _renumber(connection, start)
        _mend(connection, start)
        _run(connection, start, progress)
        note_upgrade(driver, version)


def is_unmade(connection: sa.Connection) -> bool:
    """Return whether the creation of a database without a version was interrupted: its tables are ours and empty."""
    tables = schema_of(connection).tables
    ours = [each.tables for each in steps.schemas().values()]
    if not all(any(each.get(name, {}).keys() == columns.keys() for each in ours) for name, columns in tables.items()):
        return False
    return not any(
        connection.execute(sa.select(sa.literal(1)).select_from(sa.table(each)).limit(1)).first() for each in tables
    )


@contextmanager
def _all_or_nothing(connection: sa.Connection, file: Path, version: str, copy: Path) -> Iterator[None]:
    """Run the block in one transaction. The driver begins none before a statement that changes the schema."""
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        connection.commit()
    except (Cancelled, KeyboardInterrupt):
        connection.rollback()
        copy.unlink(missing_ok=True)
        raise
    except Exception as error:
        connection.rollback()
        why = str(error.orig if isinstance(error, DBAPIError) else error).rstrip(".")
        raise WorkspaceError(
            f"The database {file} could not be upgraded from schema {version}: {why}. Nothing in it was changed, and "
            f"the copy made before is kept in {copy}. Open the workspace again when the cause is removed, or with the "
            "version of Fencewright that you used before."
        ) from error
    except BaseException:
        connection.rollback()
        raise


def _renumber(connection: sa.Connection, version: str) -> None:
    """Record the current number of a renumbered migration after verifying the schema."""
    made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'events'").scalar()
    if "AUTOINCREMENT" not in str(made).upper():
        raise WorkspaceError(f"its tables are not those of schema {version}, which that schema is called now")
    connection.execute(sa.text("UPDATE alembic_version SET version_num = :version"), {"version": version})


def _mend(connection: sa.Connection, version: str) -> None:
    """Remove the leftovers of an upgrade that an earlier program interrupted."""
    schemas = steps.schemas()
    _renew_items(connection)
    drop_leftovers(connection, schemas[version], [each for key, each in schemas.items() if key > version])
    if missing := lacking(schema_of(connection), schemas[version]):
        raise WorkspaceError(f"it lacks {', '.join(missing)}, which schema {version} has")


def _renew_items(connection: sa.Connection) -> None:
    """Convert the items of imports of schemas 0012 and 0013, which were still under development, to their final form.

    The data needed to undo these imports is not known, so the items are deleted, and the imports cannot be undone.
    """
    if "deleted" not in schema_of(connection).tables.get("import_items", {}):
        return
    connection.exec_driver_sql("DELETE FROM import_items")
    connection.exec_driver_sql("UPDATE imports SET undoable = 0")
    connection.exec_driver_sql("ALTER TABLE import_items DROP COLUMN deleted")
    connection.exec_driver_sql("ALTER TABLE import_items ADD COLUMN stored VARCHAR(32)")


def _run(connection: sa.Connection, version: str, progress: Progress) -> None:
    ahead = [each for each in steps.versions() if each > version]

    def applied(reached: str) -> None:
        # The copy accounted for the first half.
        progress(len(ahead) + ahead.index(reached) + 1, 2 * len(ahead))

    steps.run(connection, applied)


def _unknown(file: Path, version: str) -> str:
    return (
        f"The database {file} has schema {version}, which no released version of Fencewright has: a version under "
        "development made it, and its steps have other numbers now. Nothing in it was changed. Open it with the "
        "version that made it, export its geofences there and import them into a new workspace, or choose another "
        "workspace."
    )
