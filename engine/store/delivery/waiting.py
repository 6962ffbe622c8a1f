"""Deliveries shared by two processes: the sending process reads queued deliveries and reports their outcomes.

It uses its own connection without SQLAlchemy, which would take longer to load than the rest of that process, and would
be slower for each row.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from engine.domain.errors import StorageUnavailable
from engine.domain.webhooks.delivery import DeliveryKind, Tried, Waiting
from engine.store.records.cells import from_ms, to_ms

_BUSY_S: Final = 5.0
_COLUMNS: Final = "number, lane, kind, due_at, attempts, first_at"

# The concatenation prevents the use of the partial index by lane, which would be slower for this query.

_QUEUED_AFTER: Final = (
    f"SELECT {_COLUMNS} FROM deliveries "
    "WHERE webhook = ? AND number > ? AND status || '' = 'queued' ORDER BY number LIMIT ?"
)
_FIRST_OF_LANES: Final = (
    f"SELECT {_COLUMNS} FROM deliveries WHERE number IN (SELECT min(number) FROM deliveries "
    "WHERE webhook = ? AND lane IN (SELECT value FROM json_each(?)) AND status = 'queued' GROUP BY lane)"
)
_BODIES: Final = (
    "SELECT deliveries.number, body FROM json_each(?) AS wanted "
    "CROSS JOIN deliveries ON deliveries.number = wanted.value "
    "LEFT JOIN delivery_bodies ON delivery_bodies.number = deliveries.number WHERE status || '' = 'queued'"
)
_KINDS: Final = {kind.value: kind for kind in DeliveryKind}

SETTLE: Final = """
UPDATE deliveries SET
    status = settled.value ->> 1, due_at = settled.value ->> 2, attempts = settled.value ->> 3,
    first_at = settled.value ->> 4, last_at = settled.value ->> 5, status_code = settled.value ->> 6,
    error = settled.value ->> 7, duration_ms = settled.value ->> 8
FROM json_each(?) AS settled WHERE number = settled.value ->> 0
"""
"""A single statement for all rows. Each statement releases the GIL and must reacquire it from the tracking threads."""


class WaitingDeliveries:
    """Reads queued deliveries from a database that another process writes. Each query sees the last commit."""

    def __init__(self, file: Path) -> None:
        self._address = f"{file.absolute().as_uri()}?mode=ro"
        self._connection: sqlite3.Connection | None = None

    def after(self, webhook_id: str, number: int, count: int) -> list[Waiting]:
        """Return queued deliveries of a webhook above a number, in order."""
        return [_waiting(*row) for row in self._rows(_QUEUED_AFTER, (webhook_id, number, count))]

    def first_of_lanes(self, webhook_id: str, lanes: Sequence[str]) -> list[Waiting]:
        """Return the first queued delivery of each of these lanes."""
        return [_waiting(*row) for row in self._rows(_FIRST_OF_LANES, (webhook_id, orjson.dumps(lanes).decode()))]

    def bodies(self, numbers: Sequence[int]) -> dict[int, bytes | None]:
        """Return the bodies of deliveries that are still queued, by number. A body not encoded yet is None."""
        return dict(self._rows(_BODIES, (orjson.dumps(numbers).decode(),)))

    def _rows(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            if self._connection is None:
                self._connection = sqlite3.connect(self._address, uri=True, timeout=_BUSY_S, isolation_level=None)
            # Fetch all rows, because an unfinished read would keep the write-ahead log from being emptied.
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StorageUnavailable(f"The database could not be used: {error}.") from error


def _waiting(number: int, lane: str, kind: str, due_at: int, attempts: int, first_at: int | None) -> Waiting:
    first = None if first_at is None else from_ms(first_at)
    return Waiting(number, lane, _KINDS[kind], from_ms(due_at), attempts, first)


def settled_rows(outcomes: Sequence[Tried]) -> bytes:
    """Return the outcomes of deliveries as JSON, in the column order of `SETTLE`."""
    return orjson.dumps(list(map(_settled, outcomes)))


def _settled(after: Tried) -> list[object]:
    at, before, attempt = to_ms(after.at), after.delivery, after.attempt
    return [
        before.number,
        after.status.value,
        at if after.due_at is after.at else to_ms(after.due_at),
        before.attempts + 1,
        at if before.first_at is None else to_ms(before.first_at),
        at,
        attempt.status_code,
        attempt.error,
        attempt.duration_ms,
    ]
