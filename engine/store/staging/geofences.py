"""Additional records stored by edits of very many geofences: their former versions and the undo data of imports.

Functions that write run inside the writer's transaction.
"""

from typing import Any

import sqlalchemy as sa

from engine.store.presences import end_presences
from engine.store.staging import records
from engine.store.staging.records import GEOFENCES
from engine.store.tables import geofence_versions, geofences, import_items, imports, presences, staged_edits


def in_force(versions: Any) -> sa.ColumnElement[bool]:
    """Return the condition that a row of `geofence_versions`, with the given columns, is not merely staged."""
    edit = staged_edits.c
    conditions = edit.kind == geofences.name, edit.live == versions.live, edit.revision == versions.until
    pending = sa.exists().where(edit.published == 0, *conditions)
    return ~pending


def publish_geofences(connection: sa.Connection) -> frozenset[str]:
    """Put the staged edit into force; return the devices of users who were inside deleted or disabled geofences.

    Their presences end without an event.
    """
    GEOFENCES.publish(connection)
    inside = sa.select(presences.c.geofence).where(presences.c.geofence.in_(GEOFENCES.ended)).distinct()
    return end_presences(connection, connection.scalars(inside).all())


def tidy_geofences(connection: sa.Connection) -> bool:
    """Do the next part of the work left by edits; return whether there was any."""
    return _discard_versions(connection) or GEOFENCES.tidy(connection) or _forget_items(connection)


def _discard_versions(connection: sa.Connection) -> bool:
    """Drop some of the former geofences stored by an unpublished edit; return whether there were any."""
    edit = GEOFENCES.unpublished(connection)
    if edit is None:
        return False
    version = geofence_versions.c
    conditions = version.live == edit.live, version.until == edit.revision
    former = sa.select(version.number).where(*conditions).limit(records.DROPPED_AT_ONCE)
    return connection.execute(sa.delete(geofence_versions).where(version.number.in_(former))).rowcount > 0


def _forget_items(connection: sa.Connection) -> bool:
    """Drop some undo data of imports that cannot be undone or were never published; return whether there was any."""
    item, newest = import_items.c, sa.select(sa.func.coalesce(sa.func.max(imports.c.number), 0)).scalar_subquery()
    done = sa.select(imports.c.number).where(imports.c.undoable == 0)
    for unneeded in (item.import_number.in_(done), item.import_number > newest):
        some = sa.select(item.number).where(unneeded).limit(records.DROPPED_AT_ONCE)
        if connection.execute(sa.delete(import_items).where(item.number.in_(some))).rowcount:
            return True
    return False
