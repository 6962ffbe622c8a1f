"""Keeping updates so that they can be explained, and forgetting the oldest in the same transaction."""

from collections import deque
from typing import Any

from engine.domain.environment import Environment
from engine.store.statements import insert_rows
from engine.store.tables import updates
from engine.store.updates import count_updates, drop_updates, drop_versions, oldest_updates
from engine.store.writer import Batch, Connection

_READ_AHEAD = 1_000
"""How many of the oldest updates are looked up at once: most batches then forget theirs with one statement."""


class UpdateKeeper:
    """Keeps the last updates of each environment. Used from the writer's thread alone."""

    def __init__(self) -> None:
        self._waiting: dict[Environment, deque[dict[str, Any]]] = {}
        self._kept: dict[Environment, _Kept] = {}

    def keep(self, batch: Batch, environment: Environment, row: dict[str, Any], most: int) -> None:
        """Put an update into the batch; once that is committed, at most `most` (one or more) are kept."""
        waiting = self._waiting.get(environment)
        if waiting is None:
            # A batch may hold more updates than are kept: what would go again with its commit is never written.
            waiting = self._waiting[environment] = deque(maxlen=most)
            batch.before_commit(lambda: self._store(batch.connection, environment, most))
        waiting.append(row)

    def trim(self, connection: Connection, environment: Environment, most: int) -> None:
        """Forget the oldest updates beyond `most`; with none left, what geofences were for them as well."""
        self._of(connection, environment).trim(connection, most)
        if not most:
            drop_versions(connection, environment)
            # Numbers may begin anew now.
            del self._kept[environment]

    def forget(self) -> None:
        """Count again: the database was changed past this keeper, or what was in the batch was not committed."""
        self._waiting.clear()
        self._kept.clear()

    def _store(self, connection: Connection, environment: Environment, most: int) -> None:
        rows = self._waiting.pop(environment)
        kept = self._of(connection, environment)
        insert_rows(connection, updates, tuple(rows))
        kept.count += len(rows)
        # Afterwards: the database gives the number of the newest row again when that is deleted first.
        kept.trim(connection, most)

    def _of(self, connection: Connection, environment: Environment) -> "_Kept":
        kept = self._kept.get(environment)
        if kept is None:
            kept = self._kept[environment] = _Kept(environment, count_updates(connection, environment))
        return kept


class _Kept:
    """The kept updates of one environment: how many there are, and the numbers of the oldest."""

    def __init__(self, environment: Environment, count: int) -> None:
        self.count = count
        self._environment = environment
        self._forgotten = 0
        self._oldest: deque[int] = deque()

    def trim(self, connection: Connection, most: int) -> None:
        """Forget the oldest until `most` are left."""
        while self.count > most:
            if not self._oldest:
                self._look_ahead(connection)
            size = min(self.count - most, len(self._oldest))
            last = [self._oldest.popleft() for _ in range(size)][-1]
            drop_updates(connection, self._environment, after=self._forgotten, until=last)
            self._forgotten = last
            self.count -= size

    def _look_ahead(self, connection: Connection) -> None:
        found = oldest_updates(connection, self._environment, after=self._forgotten, count=_READ_AHEAD)
        self._oldest.extend(number for number, _ in found)
        drop_versions(connection, self._environment, until=found[0][1])
