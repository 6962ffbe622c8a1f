"""Reading all geofences at once, and writing them. What writes runs inside the writer's transaction."""

from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any

import sqlalchemy as sa

from engine.domain.geofence import Geofence
from engine.domain.ports import Progress, no_progress, reporting
from engine.store.presences import end_presences
from engine.store.records.geofence_rows import GeofenceRecord, geofence_row
from engine.store.staging import present
from engine.store.statements import ROWS_AT_ONCE, delete_rows, upsert_rows
from engine.store.tables import geofences

_ROWS_AT_ONCE = 10_000


def geofence_records(connection: sa.Connection) -> Iterator[Sequence[tuple[Any, ...]]]:
    """Yield the geofences of both environments, many at a time, as plain tuples of a `GeofenceRecord`'s values.

    Not as rows that know their columns: for a million geofences that takes longer than reading them.
    """
    table = present(connection)
    columns = [table.c[name] for name in GeofenceRecord._fields]
    # All of them, in the table's own order: following an index is several times slower.
    with connection.execute(sa.select(*columns)) as result:
        assert result.cursor is not None
        while rows := result.cursor.fetchmany(_ROWS_AT_ONCE):
            yield rows


def save(connection: sa.Connection, changed: Sequence[Geofence], report: Progress = no_progress) -> frozenset[str]:
    """Insert geofences or replace those with the same identifier; a disabled one is left by all users silently.

    Return the devices of those users.
    """
    for some in batched(map(geofence_row, reporting(changed, report)), ROWS_AT_ONCE):
        upsert_rows(connection, geofences, some)
    return end_presences(connection, [geofence.id for geofence in changed if not geofence.enabled])


def remove(connection: sa.Connection, geofence_ids: Sequence[str]) -> frozenset[str]:
    """Delete geofences, and the presences in them; return the devices of the users who were inside."""
    delete_rows(connection, geofences, [{"id": geofence_id} for geofence_id in geofence_ids])
    return end_presences(connection, geofence_ids)
