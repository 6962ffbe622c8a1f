"""What became of deliveries, as it is stored: rows that one process makes and another one stores as they are."""

from collections.abc import Sequence
from typing import Final

import orjson

from engine.domain.webhooks.delivery import Tried
from engine.store.records.cells import to_ms

SETTLE: Final = """
UPDATE deliveries SET
    status = settled.value ->> 1, due_at = settled.value ->> 2, attempts = settled.value ->> 3,
    first_at = settled.value ->> 4, last_at = settled.value ->> 5, status_code = settled.value ->> 6,
    error = settled.value ->> 7, duration_ms = settled.value ->> 8
FROM json_each(?) AS settled WHERE number = settled.value ->> 0
"""
"""One statement for all rows: each one gives up Python's lock, and has to get it back from whoever tracks."""


def settled_rows(outcomes: Sequence[Tried]) -> bytes:
    """Return what became of deliveries as JSON, in the order of `SETTLE`."""
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
