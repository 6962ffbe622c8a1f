"""Keeping updates so that they can be explained, and forgetting the oldest."""

from typing import Any

from engine.domain.environment import Environment
from engine.store.tables import updates
from engine.store.updates import count_updates, drop_oldest_updates
from engine.store.writer import Batch

_SLACK = 1_000
"""How many more than asked for may be kept for a while: forgetting many at once is cheap."""


class UpdateKeeper:
    """Keeps the updates of all environments. Used from the writer's thread alone."""

    def __init__(self) -> None:
        self._counts: dict[Environment, int] = {}

    def keep(self, batch: Batch, environment: Environment, row: dict[str, Any], most: int) -> None:
        """Put an update into the batch; at most `most` are kept, and a few more for a while."""
        count = self._counts.get(environment)
        if count is None:
            count = count_updates(batch.connection, environment)
        # What this batch adds is not in the database yet, so it cannot be among the oldest there.
        if count + 1 > most + min(_SLACK, most // 10):
            drop_oldest_updates(batch.connection, environment, count + 1 - most)
            count = max(0, most - 1) if most else 0
        if most:
            batch.append(updates, [row])
            count += 1
        self._counts[environment] = count

    def forget(self) -> None:
        """Count again: the database was changed past this keeper."""
        self._counts.clear()
