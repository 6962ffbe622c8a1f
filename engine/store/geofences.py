"""Reading all geofences, writing them and keeping versions.

Functions that write run inside the writer's transaction.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import batched
from typing import Any, Final

import sqlalchemy as sa

from engine.domain.edits import Author
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress, no_progress, reporting
from engine.store.presences import end_presences
from engine.store.records.cells import to_ms
from engine.store.records.geofence_rows import GeofenceRecord, geofence_row, version_row
from engine.store.staging.records import GEOFENCES
from engine.store.statements import ROWS_AT_ONCE, Row, delete_rows, insert_rows, upsert_rows
from engine.store.tables import edits, geofence_versions, geofences, updates

_ROWS_AT_ONCE = 10_000

MOST_VERSIONS: Final = 100_000
"""How many former geofences of a workspace are kept, not counting those referenced by kept updates."""

MOST_EDITS: Final = 200_000
"""How many of an environment's last edits keep their author."""

_LOOKED_AFTER: Final = 1_000
"""Number of former geofences after which the oldest are checked again."""


def geofence_records(connection: sa.Connection) -> Iterator[Sequence[tuple[Any, ...]]]:
    """Yield the geofences of both environments in batches, as plain tuples of a `GeofenceRecord`'s values.

    For a million geofences, rows that know their columns would take longer to create than to read.
    """
    table = GEOFENCES.present(connection)
    columns = [table.c[name] for name in GeofenceRecord._fields]
    # Read in the table's own order, because using an index is several times slower.
    with connection.execute(sa.select(*columns)) as result:
        assert result.cursor is not None
        while rows := result.cursor.fetchmany(_ROWS_AT_ONCE):
            yield rows


def save(connection: sa.Connection, changed: Sequence[Geofence], report: Progress = no_progress) -> frozenset[str]:
    """Insert geofences, or replace those with the same identifier. Presences in disabled ones end without an event.

    Return the devices of the users who were inside.
    """
    for some in batched(map(geofence_row, reporting(changed, report)), ROWS_AT_ONCE):
        upsert_rows(connection, geofences, some)
    return end_presences(connection, [geofence.id for geofence in changed if not geofence.enabled])


def remove(connection: sa.Connection, geofence_ids: Sequence[str]) -> frozenset[str]:
    """Delete geofences and the presences in them; return the devices of the users who were inside."""
    delete_rows(connection, geofences, [{"id": geofence_id} for geofence_id in geofence_ids])
    return end_presences(connection, geofence_ids)


def keep_edit(
    connection: sa.Connection,
    environment: Environment,
    revision: int,
    before: Sequence[Geofence],
    at: datetime,
    author: Author,
    report: Progress = no_progress,
) -> None:
    """Record an edit and the geofences that it replaced, and delete the oldest records of both."""
    live = int(environment.live)
    row = {"live": live, "revision": revision, "at": to_ms(at), "source": author.source.value, "detail": author.detail}
    upsert_rows(connection, edits, [row])
    connection.execute(sa.delete(edits).where(edits.c.live == live, edits.c.revision <= revision - MOST_EDITS))
    if before:
        for some in batched(former_rows(before, revision, report), ROWS_AT_ONCE):
            keep_former(connection, some)
        last = _last_number(connection)
        if last // _LOOKED_AFTER != (last - len(before)) // _LOOKED_AFTER:
            forget_versions(connection, environment)


def former_rows(before: Collection[Geofence], revision: int, report: Progress) -> Iterator[Row]:
    """Yield the rows of the geofences as they were before an edit."""
    return (version_row(geofence, revision) for geofence in reporting(before, report))


def keep_former(connection: sa.Connection, rows: Sequence[Row]) -> None:
    """Store former geofences, as returned by `former_rows`."""
    insert_rows(connection, geofence_versions, rows)


def forget_versions(connection: sa.Connection, environment: Environment, *, until: int | None = None) -> None:
    """Delete the oldest former geofences beyond the number that is kept as history.

    Versions in force at the revision `until` or later are kept. Without `until`, those that decided kept updates are
    kept.
    """
    connection.execute(sa.delete(geofence_versions).where(*_old(connection, environment, until)))


def _old(connection: sa.Connection, environment: Environment, until: int | None) -> Iterator[sa.ColumnElement[bool]]:
    """Yield the conditions under which former geofences may be deleted."""
    version, live = geofence_versions.c, int(environment.live)
    yield version.live == live
    yield version.number <= _last_number(connection) - MOST_VERSIONS
    if until is None:
        oldest = sa.select(updates.c.revision).where(updates.c.live == live).order_by(updates.c.number).limit(1)
        until = connection.execute(oldest).scalar()
    if until is not None:
        yield version.until <= until


def forget_some_versions(connection: sa.Connection, environment: Environment) -> bool:
    """Delete some of the versions that `forget_versions` deletes without a revision; return whether there were any."""
    found = sa.select(geofence_versions.c.number).where(*_old(connection, environment, None)).limit(ROWS_AT_ONCE)
    deletion = sa.delete(geofence_versions).where(geofence_versions.c.number.in_(found))
    return connection.execute(deletion).rowcount > 0


def forget_history(connection: sa.Connection, environment: Environment) -> None:
    """Delete all edits and former geofences of an environment."""
    for table in (geofence_versions, edits):
        connection.execute(sa.delete(table).where(table.c.live == int(environment.live)))


def _last_number(connection: sa.Connection) -> int:
    return connection.execute(sa.select(sa.func.max(geofence_versions.c.number))).scalar() or 0
