"""Deliveries between two processes: how the one that sends them reads what waits, and what it reports of each.

It reads by a connection of its own, without SQLAlchemy, which would take that process longer to load than all the rest
of it, and longer for each row.
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

# The word is joined to nothing where the index of those that wait, by their lanes, would be the wrong one.

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
"""One statement for all rows: each one gives up Python's lock, and has to get it back from the threads that track."""


class WaitingDeliveries:
    """Reads what waits in a database that another process writes; each query sees the last commit."""

    def __init__(self, file: Path) -> None:
        self._address = f"{file.absolute().as_uri()}?mode=ro"
        self._connection: sqlite3.Connection | None = None

    def after(self, webhook_id: str, number: int, count: int) -> list[Waiting]:
        """Return waiting deliveries of a webhook above a number, in order."""
        return [_waiting(*row) for row in self._rows(_QUEUED_AFTER, (webhook_id, number, count))]

    def first_of_lanes(self, webhook_id: str, lanes: Sequence[str]) -> list[Waiting]:
        """Return the first waiting delivery of each of these lanes that has one."""
        return [_waiting(*row) for row in self._rows(_FIRST_OF_LANES, (webhook_id, orjson.dumps(lanes).decode()))]

    def bodies(self, numbers: Sequence[int]) -> dict[int, bytes | None]:
        """Return the bodies of the deliveries of these numbers that still wait; None where it is not encoded yet."""
        return dict(self._rows(_BODIES, (orjson.dumps(numbers).decode(),)))

    def _rows(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            if self._connection is None:
                self._connection = sqlite3.connect(self._address, uri=True, timeout=_BUSY_S, isolation_level=None)
            # To the last row: a reader that stops before it keeps the write-ahead log from being emptied.
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StorageUnavailable(f"The database could not be used: {error}.") from error


def _waiting(number: int, lane: str, kind: str, due_at: int, attempts: int, first_at: int | None) -> Waiting:
    first = None if first_at is None else from_ms(first_at)
    return Waiting(number, lane, _KINDS[kind], from_ms(due_at), attempts, first)


def settled_rows(outcomes: Sequence[Tried]) -> bytes:
    """Return the outcomes of deliveries as JSON, in the order of `SETTLE`."""
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
