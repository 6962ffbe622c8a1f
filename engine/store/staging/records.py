"""Edits of very many records, stored in portions so that location updates can be stored in between.

The edited records are first staged in a separate table. One short transaction publishes all of them: from then on,
readers of the `present` records see the whole edit. Then the records are moved to their table, again in portions. If a
program ended during an edit, an unpublished edit is dropped, and a published one is completed. Functions that write run
inside the writer's transaction.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.store.statements import Row, insert_rows, upsertion
from engine.store.tables import beacons, geofences, staged_beacons, staged_edits, staged_geofences

AT_ONCE: Final = 1_000
"""Number of rows written in one transaction. Location updates wait for at most one of these transactions."""

DROPPED_AT_ONCE: Final = 5_000
"""Number of rows dropped in one transaction, which is faster than writing. A stopping program waits for its end."""


class Staging:
    """The edit of one kind of record that is being stored in portions, if any."""

    def __init__(self, records: sa.Table, staged: sa.Table) -> None:
        """Create a stage.

        `staged` has the columns of `records`, an increasing number, and the flag `gone` for deletions.
        """
        self._records = records
        self._staged = staged
        self._columns = tuple(staged.c[column.name] for column in records.columns)
        self._nothing = dict.fromkeys(column.name for column in staged.columns)
        self._present = sa.union_all(
            sa.select(records).where(records.c.id.not_in(sa.select(staged.c.id))),
            sa.select(*self._columns).where(staged.c.gone == 0),
        ).subquery(f"present_{records.name}")

    @property
    def _is_own_edit(self) -> sa.ColumnElement[bool]:
        return staged_edits.c.kind == self._records.name

    def present(self, connection: sa.Connection) -> sa.FromClause:
        """Return the records in force, which must be read in the same transaction.

        This is their table unless a published edit is staged.
        """
        published = sa.select(staged_edits.c.number).where(self._is_own_edit, staged_edits.c.published == 1)
        return self._records if connection.execute(published).first() is None else self._present

    @property
    def ended(self) -> sa.Select[tuple[str]]:
        """Identifiers of the records that the staged edit deletes or disables."""
        staged = self._staged.c
        return sa.select(staged.id).where(sa.or_(staged.gone == 1, staged.enabled == 0))

    def begin(self, connection: sa.Connection, environment: Environment, revision: int = 0) -> None:
        """Begin to stage the edit with a revision, which requires that nothing is left of an earlier one."""
        edit = {"kind": self._records.name, "live": int(environment.live), "revision": revision, "published": 0}
        insert_rows(connection, staged_edits, [edit])

    def put(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """Stage records to store, as rows of their table."""
        insert_rows(connection, self._staged, [{**row, "gone": 0} for row in rows])

    def put_removals(self, connection: sa.Connection, rows: Sequence[str]) -> None:
        """Stage the deletion of records by identifier, before other records that may take over their keys."""
        insert_rows(connection, self._staged, [{**self._nothing, "id": each, "gone": 1} for each in rows])

    def publish(self, connection: sa.Connection) -> None:
        """Put the staged edit into force."""
        connection.execute(sa.update(staged_edits).where(self._is_own_edit).values(published=1))

    def unpublished(self, connection: sa.Connection) -> sa.Row[Any] | None:
        """Return the staged edit if it is not yet in force."""
        return connection.execute(
            sa.select(staged_edits).where(self._is_own_edit, staged_edits.c.published == 0)
        ).first()

    def tidy(self, connection: sa.Connection) -> bool:
        """Do the next part of the work left by the edit; return whether there was any."""
        published = connection.execute(sa.select(staged_edits.c.published).where(self._is_own_edit)).scalar()
        if published is None:
            return False
        some = self._staged.c.number <= self._last_of_next(connection, AT_ONCE if published else DROPPED_AT_ONCE)
        if published:
            self._move(connection, some)
        connection.execute(sa.delete(self._staged).where(some))
        if connection.execute(sa.select(self._staged.c.number).limit(1)).first() is None:
            connection.execute(sa.delete(staged_edits).where(self._is_own_edit))
        return True

    def _move(self, connection: sa.Connection, some: sa.ColumnElement[bool]) -> None:
        """Move some of the staged records to their table."""
        staged, records = self._staged.c, self._records
        removed = sa.select(staged.id).where(some, staged.gone == 1)
        for former in (removed, *self._in_the_way(some)):
            connection.execute(sa.delete(records).where(records.c.id.in_(former)))
        stored = sa.select(*self._columns).where(some, staged.gone == 0)
        connection.execute(upsertion(records, stored, connection.dialect))

    def _in_the_way(self, some: sa.ColumnElement[bool]) -> Iterator[sa.Select[Any]]:
        """Yield queries for records whose unique values are taken over by some of the staged records.

        These records are staged as well, but later.
        """
        for unique in self._records.constraints:
            if isinstance(unique, sa.UniqueConstraint):
                alike = (column == self._staged.c[column.name] for column in unique.columns)
                both = sa.join(self._staged, self._records, sa.and_(*alike))
                another = self._records.c.id != self._staged.c.id
                yield sa.select(self._records.c.id).select_from(both).where(some, another)

    def _last_of_next(self, connection: sa.Connection, count: int) -> int:
        """Return the number of the last of the next `count` staged records."""
        number = self._staged.c.number
        numbers = sa.select(number).order_by(number).limit(count).subquery()
        return connection.execute(sa.select(sa.func.max(numbers.c.number))).scalar() or 0


GEOFENCES: Final = Staging(geofences, staged_geofences)
BEACONS: Final = Staging(beacons, staged_beacons)
