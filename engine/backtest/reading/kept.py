"""The kept updates of a workspace in the columns of a history, with what was in force when they arrived."""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from engine.backtest.partitions import pickled, write_whole
from engine.backtest.rows import SCHEMA
from engine.domain.environment import Environment
from engine.domain.ports import Progress
from engine.domain.tracking.explaining import EarlierState
from engine.store.history.kept import UpdateRow, contents_of, earlier_states, number_of_updates, update_rows
from engine.store.history.versions import GeofenceHistory, SettingsVersion, geofence_history, settings_history

if TYPE_CHECKING:
    from engine.store.writer import Connection

BATCH_ROWS: Final = 50_000
UPDATES: Final = "updates.parquet"
_CIRCUMSTANCES: Final = "circumstances"
_US_PER_MS: Final = 1_000


class Circumstances(Struct, frozen=True):
    """The states of users before their kept updates, and all versions of geofences and settings.

    `updates` is the number of these updates, 0 if they were not read. `first` are the states before a user's first one,
    by device and user ID.
    """

    updates: int
    first: Mapping[tuple[str, str | None], EarlierState]
    geofences: GeofenceHistory
    settings: tuple[SettingsVersion, ...]


def write_kept(
    connection: "Connection", environment: Environment, folder: Path, progress: Progress, *, updates: bool
) -> None:
    """Write the circumstances of kept updates into a folder, after the `updates` if these are wanted.

    Only the owner may read the folder, since it holds users' positions. This takes several statements, so the
    connection must read all from the same commit. `progress` receives numbers of updates and may raise `Cancelled`.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    first: Mapping[tuple[str, str | None], EarlierState] = {}
    done = 0
    if updates:
        total = number_of_updates(connection, environment)
        with pq.ParquetWriter(folder / UPDATES, SCHEMA) as writer:
            for batch in kept_batches(connection, environment):
                progress(done, total)
                writer.write_batch(batch)
                done += batch.num_rows
        progress(done, total)
        first = earlier_states(connection, environment)
    geofences, settings = geofence_history(connection, environment), settings_history(connection, environment)
    found = Circumstances(done, first, geofences, settings)
    # Last, as it shows that everything is complete.
    write_whole(folder / _CIRCUMSTANCES, pickled(found))


def read_circumstances(folder: Path) -> Circumstances | None:
    """Return the circumstances in a folder, or None if they are not complete."""
    try:
        found = pickle.loads((folder / _CIRCUMSTANCES).read_bytes())
    except FileNotFoundError:
        return None
    assert isinstance(found, Circumstances)
    return found


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
