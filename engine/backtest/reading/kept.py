"""The kept updates of a workspace in the columns of a history."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from engine.backtest.rows import SCHEMA
from engine.domain.environment import Environment
from engine.store.history.kept import UpdateRow, contents_of, update_rows

if TYPE_CHECKING:
    from engine.store.writer import Connection

BATCH_ROWS: Final = 50_000
_US_PER_MS: Final = 1_000


def kept_batches(
    connection: "Connection", environment: Environment, *, batch_rows: int = BATCH_ROWS
) -> Iterator[pa.RecordBatch]:
    """Yield the kept updates of an environment in the order of their arrival.

    `at_us` is the time that the device sent, or null if it sent none. `revision` and `settings` are those in force.
    """
    for rows in update_rows(connection, environment, batch_rows):
        yield _batch(rows)


def _batch(rows: Sequence[tuple[Any, ...]]) -> pa.RecordBatch:
    stored = dict(zip(UpdateRow._fields, zip(*rows, strict=True), strict=True))
    contents = contents_of(stored["content"])
    columns = {
        "device": stored["device_id"],
        "user": [content.user_id for content in contents],
        "at_us": [None if content.taken_at is None else content.taken_at * _US_PER_MS for content in contents],
        "received_us": np.array(stored["received_at"], np.int64) * _US_PER_MS,
        "stopped": [bool(content.stopped) for content in contents],
        "foreground": [bool(content.foreground) for content in contents],
        "ip": [content.ip for content in contents],
        **{name: stored[name] for name in ("number", "longitude", "latitude", "accuracy_m", "revision", "settings")},
    }
    return pa.RecordBatch.from_arrays([pa.array(columns[field.name], field.type) for field in SCHEMA], schema=SCHEMA)
