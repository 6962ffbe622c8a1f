"""Keeping updates so that they can be explained, and forgetting the oldest in the same transaction."""

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
"""How many of the oldest updates are looked up at once: most batches then forget theirs with one statement."""


class UpdateKeeper:
    """Keeps the last updates of each environment. Used from the writer's thread alone."""

    def __init__(self) -> None:
        self._waiting: dict[Environment, deque[dict[str, Any]]] = {}
        self._kept: dict[Environment, _Kept] = {}
        self._last: int | None = None

    def last_number(self, connection: Connection) -> int:
        """Return the number that was given out last."""
        if self._last is None:
            self._last = last_number(connection)
        return self._last

    def next_number(self, connection: Connection) -> int:
        """Return the number of a new update."""
        self._last = self.last_number(connection) + 1
        return self._last

    def keep(self, batch: Batch, environment: Environment, row: dict[str, Any], most: int) -> None:
        """Put an update into the batch; once that is committed, at most `most` (one or more) are kept."""
        waiting = self._waiting.get(environment)
        if waiting is None:
            # A batch may hold more updates than are kept: what would go again with its commit is never written.
            waiting = self._waiting[environment] = deque(maxlen=most)
            batch.before_commit(lambda: self._store(batch.connection, environment, most))
        waiting.append(row)

    def trim(self, connection: Connection, environment: Environment, most: int) -> None:
        """Forget the oldest updates beyond `most`; with none left, what is kept for them as well."""
        if most:
            self._of(connection, environment).trim(connection, most)
        else:
            drop_all(connection, environment)
            self._kept.pop(environment, None)

    def forget(self) -> None:
        """Count again: the database was changed past this keeper, or what was in the batch was not committed."""
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
    """The kept updates of one environment: how many there are, and the numbers of the oldest."""

    def __init__(self, environment: Environment, count: int) -> None:
        self.count = count
        self._environment = environment
        self._forgotten = 0
        self._oldest_former: int | None = None
        self._oldest: deque[int] = deque()

    def trim(self, connection: Connection, most: int) -> None:
        """Forget the oldest until `most` are left."""
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
        """Forget the presences that only updates numbered up to `until` came with."""
        if self._oldest_former is None or self._oldest_former <= until:
            drop_former(connection, self._environment, until=until)
            oldest = oldest_former(connection, self._environment)
            # Where there is none, the next one will be up to an update that is yet to come.
            self._oldest_former = last_number(connection) if oldest is None else oldest

    def _look_ahead(self, connection: Connection) -> None:
        found = oldest_updates(connection, self._environment, after=self._forgotten, count=_READ_AHEAD)
        self._oldest.extend(number for number, _ in found)
        forget_versions(connection, self._environment, until=found[0][1])
