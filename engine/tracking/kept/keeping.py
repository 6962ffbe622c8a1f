"""Storage of updates for explanations, with deletion of the oldest in the same transaction."""

from collections import deque
from typing import Any

from engine.domain.environment import Environment
from engine.store.geofences import forget_versions
from engine.store.presences import drop_former, oldest_former
from engine.store.statements import insert_rows
from engine.store.tables import updates
from engine.store.updates import (
    count_updates,
    drop_all,
    drop_updates,
    last_number,
    oldest_updates,
)
from engine.store.writer import Batch, Connection

_READ_AHEAD = 1_000
"""Number of the oldest updates looked up at a time, so that most batches delete theirs with one statement."""


class UpdateKeeper:
    """Keeps the last updates of each environment. Only for use in the writer's thread."""

    def __init__(self) -> None:
        self._waiting: dict[Environment, deque[dict[str, Any]]] = {}
        self._kept: dict[Environment, _Kept] = {}
        self._last: int | None = None

    def last_number(self, connection: Connection) -> int:
        """Return the last number in use."""
        if self._last is None:
            self._last = last_number(connection)
        return self._last

    def next_number(self, connection: Connection) -> int:
        """Return the number of a new update."""
        self._last = self.last_number(connection) + 1
        return self._last

    def keep(self, batch: Batch, environment: Environment, row: dict[str, Any], most: int) -> None:
        """Add an update to the batch. After its commit at most `most` updates (one or more) are kept."""
        waiting = self._waiting.get(environment)
        if waiting is None:
            # A batch may hold more updates than are kept. Updates that its commit would delete again are never written.
            waiting = self._waiting[environment] = deque(maxlen=most)
            batch.before_commit(lambda: self._store(batch.connection, environment, most))
        waiting.append(row)

    def trim(self, connection: Connection, environment: Environment, most: int) -> None:
        """Delete the oldest updates beyond `most`. If it is 0, the data kept for updates is deleted as well."""
        if most:
            self._of(connection, environment).trim(connection, most)
        else:
            drop_all(connection, environment)
            self._kept.pop(environment, None)

    def forget(self) -> None:
        """Reset the counts, because the database was changed otherwise or the batch was not committed."""
        self._waiting.clear()
        self._kept.clear()
        self._last = None

    def _store(self, connection: Connection, environment: Environment, most: int) -> None:
        rows = self._waiting.pop(environment)
        kept = self._of(connection, environment)
        insert_rows(connection, updates, tuple(rows))
        kept.count += len(rows)
        kept.trim(connection, most)
        if len(rows) == most:
            kept.forget_former(connection, rows[0]["number"] - 1)

    def _of(self, connection: Connection, environment: Environment) -> "_Kept":
        kept = self._kept.get(environment)
        if kept is None:
            kept = self._kept[environment] = _Kept(environment, count_updates(connection, environment))
        return kept


class _Kept:
    """The kept updates of one environment: their number, and the numbers of the oldest."""

    def __init__(self, environment: Environment, count: int) -> None:
        self.count = count
        self._environment = environment
        self._forgotten = 0
        self._oldest_former: int | None = None
        self._oldest: deque[int] = deque()

    def trim(self, connection: Connection, most: int) -> None:
        """Delete the oldest updates until `most` are left."""
        if self.count <= most:
            return
        while self.count > most:
            if not self._oldest:
                self._look_ahead(connection)
            size = min(self.count - most, len(self._oldest))
            last = [self._oldest.popleft() for _ in range(size)][-1]
            drop_updates(connection, self._environment, after=self._forgotten, until=last)
            self._forgotten = last
            self.count -= size
        self.forget_former(connection, self._forgotten)

    def forget_former(self, connection: Connection, until: int) -> None:
        """Delete the former presences that only updates numbered up to `until` refer to."""
        if self._oldest_former is None or self._oldest_former <= until:
            drop_former(connection, self._environment, until=until)
            oldest = oldest_former(connection, self._environment)
            # If none exists, the next one will last until an update that is still to come.
            self._oldest_former = last_number(connection) if oldest is None else oldest

    def _look_ahead(self, connection: Connection) -> None:
        found = oldest_updates(connection, self._environment, after=self._forgotten, count=_READ_AHEAD)
        self._oldest.extend(number for number, _ in found)
        forget_versions(connection, self._environment, until=found[0][1])
