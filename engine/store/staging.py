"""Edits of very many geofences, stored in portions between which the updates of others are stored.

What an edit makes of geofences is first staged beside them, and what they were before joins the former geofences. One
short transaction publishes all of it: from then on readers of the `present` geofences see the whole edit. Then the
geofences are moved to their table, in portions again. What was not published when a program ended is dropped; what was
is moved to its end. What writes runs inside the writer's transaction.
"""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.store.presences import end_presences
from engine.store.statements import Row, insert_rows, upsertion
from engine.store.tables import (
    geofence_versions,
    geofences,
    import_items,
    imports,
    presences,
    staged_edits,
    staged_geofences,
)

AT_ONCE: Final = 1_000
"""So many rows are written in one transaction; the updates of others wait for one of them at most."""

DROPPED_AT_ONCE: Final = 5_000
"""So many rows are dropped in one transaction, which takes less; a program that is to stop waits for all of them."""

_STAGED: Final = staged_geofences.c
_COLUMNS: Final = tuple(_STAGED[column.name] for column in geofences.columns)
_NOTHING: Final = dict.fromkeys(column.name for column in staged_geofences.columns)

_PRESENT: Final = sa.union_all(
    sa.select(geofences).where(geofences.c.id.not_in(sa.select(_STAGED.id))),
    sa.select(*_COLUMNS).where(_STAGED.gone == 0),
).subquery("present_geofences")


def present(connection: sa.Connection) -> sa.FromClause:
    """Return the geofences in force, to be read in the same transaction: their table, as long as none are staged."""
    published = sa.select(staged_edits.c.number).where(staged_edits.c.published == 1)
    return geofences if connection.execute(published).first() is None else _PRESENT


def in_force(versions: Any) -> sa.ColumnElement[bool]:
    """Return the condition that a row of `geofence_versions`, of which these are the columns, is not just staged."""
    edit = staged_edits.c
    pending = sa.exists().where(edit.published == 0, edit.live == versions.live, edit.revision == versions.until)
    return ~pending


def begin_edit(connection: sa.Connection, environment: Environment, revision: int) -> None:
    """Begin to stage the edit of a number; nothing may be left of an earlier one."""
    insert_rows(connection, staged_edits, [{"live": int(environment.live), "revision": revision, "published": 0}])


def stage_rows(connection: sa.Connection, rows: Sequence[Row]) -> None:
    """Stage geofences that are to be stored, as rows of their table."""
    insert_rows(connection, staged_geofences, [{**row, "gone": 0} for row in rows])


def stage_removals(connection: sa.Connection, rows: Sequence[str]) -> None:
    """Stage the deletion of geofences, by their identifiers, before what may take over their tags and external IDs."""
    insert_rows(connection, staged_geofences, [{**_NOTHING, "id": each, "gone": 1} for each in rows])


def publish_edit(connection: sa.Connection) -> frozenset[str]:
    """Let the staged edit be in force. What it deletes or disables users leave silently; return their devices."""
    connection.execute(sa.update(staged_edits).values(published=1))
    left = sa.select(_STAGED.id).where(sa.or_(_STAGED.gone == 1, _STAGED.enabled == 0))
    inside = sa.select(presences.c.geofence).where(presences.c.geofence.in_(left)).distinct()
    return end_presences(connection, connection.scalars(inside).all())


def tidy(connection: sa.Connection) -> bool:
    """Do the next part of what edits have left to do; return whether anything was left."""
    published = connection.execute(sa.select(staged_edits.c.published)).scalar()
    if published is not None:
        _move(connection) if published else _discard(connection)
        return True
    return _forget_items(connection)


def _move(connection: sa.Connection) -> None:
    """Move the next geofences to their table."""
    last = _last_of_next(connection, AT_ONCE)
    some = _STAGED.number <= last
    gone = sa.select(_STAGED.id).where(some, _STAGED.gone == 1)
    connection.execute(sa.delete(geofences).where(geofences.c.id.in_(gone)))
    stored = sa.select(*_COLUMNS).where(some, _STAGED.gone == 0)
    connection.execute(upsertion(geofences, stored, connection.dialect))
    connection.execute(sa.delete(staged_geofences).where(some))
    _end_if_empty(connection)


def _discard(connection: sa.Connection) -> None:
    """Drop a part of an edit that was not published."""
    version, edit = geofence_versions.c, connection.execute(sa.select(staged_edits)).one()
    mine = version.live == edit.live, version.until == edit.revision
    former = sa.select(version.number).where(*mine).limit(DROPPED_AT_ONCE)
    if connection.execute(sa.delete(geofence_versions).where(version.number.in_(former))).rowcount:
        return
    last = _last_of_next(connection, DROPPED_AT_ONCE)
    connection.execute(sa.delete(staged_geofences).where(_STAGED.number <= last))
    _end_if_empty(connection)


def _last_of_next(connection: sa.Connection, count: int) -> int:
    """Return the number up to which staged geofences are the next so many."""
    numbers = sa.select(_STAGED.number).order_by(_STAGED.number).limit(count).subquery()
    return connection.execute(sa.select(sa.func.max(numbers.c.number))).scalar() or 0


def _end_if_empty(connection: sa.Connection) -> None:
    if connection.execute(sa.select(_STAGED.number).limit(1)).first() is None:
        connection.execute(sa.delete(staged_edits))


def _forget_items(connection: sa.Connection) -> bool:
    """Forget some of what there was before imports that cannot be undone, or were never published."""
    item, newest = import_items.c, sa.select(sa.func.coalesce(sa.func.max(imports.c.number), 0)).scalar_subquery()
    done = sa.select(imports.c.number).where(imports.c.undoable == 0)
    for unneeded in (item.import_number.in_(done), item.import_number > newest):
        some = sa.select(item.number).where(unneeded).limit(DROPPED_AT_ONCE)
        if connection.execute(sa.delete(import_items).where(item.number.in_(some))).rowcount:
            return True
    return False
