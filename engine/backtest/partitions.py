"""The work of a back-test in parts that any worker can do: sorting portions of the history, and deciding partitions.

A portion of the history is sorted into partitions by device, one file for each portion. A partition is then read from
all of these files, decided in the order of arrival, and its results are one folder. A file or folder gets its name when
it is complete, so a part may be done twice or be interrupted, and its result appears once.
"""

import copyreg
import os
import pickle
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Final
from uuid import uuid4
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct, field, msgpack

from engine.backtest.comparing import Differences, compare
from engine.backtest.deciding import Decider
from engine.backtest.fences import FenceSet, Numbers, Versions, microseconds
from engine.backtest.fixes import Fixes, fixes_of, marks_of, revisions_of, several
from engine.backtest.reading.reading import read
from engine.backtest.rows import NOW, SCHEMA, BadFile, BadRow, Portion
from engine.backtest.tallies import EventLog, Tallies, Totals
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.ports import Cancelled
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.explaining import EarlierState
from engine.domain.values import replace
from engine.domain.words import count

JOB: Final = "job"
SORTED: Final = "sorted"
DECIDED: Final = "decided"
CANCELLED: Final = "cancelled"
_COUNTS: Final = "counts"
MOST_EXAMPLES: Final = 10
MOST_ROWS: Final = 2_000_000
"""Number of rows that are decided together. A partition with more is decided in several parts by time."""


class Job(Struct, frozen=True, kw_only=True):
    """The data that all parts of a back-test have in common.

    `settings` are those by number, with 0 for rows of files, unless `edited` has the moments from which others hold for
    these. `first` are the states of users before their first row. With `skip_bad`, damaged portions have no rows.
    """

    version: str
    portions: tuple[Portion, ...]
    partitions: int
    accuracy_m: float
    fences: FenceSet
    against: FenceSet | None
    settings: Mapping[int, ProjectSettings]
    edited: tuple[tuple[datetime, int], ...] = ()
    first: Mapping[tuple[str, str | None], EarlierState] = {}
    most_rows: int = MOST_ROWS
    skip_bad: bool = False


class Sorted(Struct, frozen=True):
    """A portion that is sorted: its rows in each partition, its bad rows, and why its file is left out if it is."""

    rows: tuple[int, ...]
    bad_rows: int = 0
    examples: tuple[BadRow, ...] = ()
    bad_file: BadFile | None = None


class Decided(Struct, frozen=True, kw_only=True):
    """The sums of a partition."""

    fixes: int = 0
    decided: int = 0
    late: int = 0
    repeated: int = 0
    events: int = 0
    first_us: int | None = None
    last_us: int | None = None
    seconds: float = 0.0
    totals: Totals = field(default_factory=Totals)
    differences: Differences | None = None


class PartFailed(FencewrightError):
    """A part of a back-test cannot be done."""


def write_job(folder: Path, job: Job) -> None:
    """Write the job for the workers. Only its owner may read the folder, and workers trust the file."""
    write_whole(folder / JOB, pickled(job))


def pickled(value: object) -> bytes:
    """Return a value with geofences as bytes. Their metadata are read-only mappings, which are pickled as copies."""
    data = BytesIO()
    pickler = pickle.Pickler(data)
    pickler.dispatch_table = copyreg.dispatch_table | {MappingProxyType: lambda each: (_read_only, (dict(each),))}
    pickler.dump(value)
    return data.getvalue()


def _read_only(items: dict[str, object]) -> MappingProxyType[str, object]:
    return MappingProxyType(items)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears when it is complete."""
    beside = path.with_name(f"{path.name}.{uuid4().hex}.part")
    beside.write_bytes(data)
    beside.replace(path)


@lru_cache(maxsize=1)
def _job(folder: Path, _changed: int) -> Job:
    job = pickle.loads((folder / JOB).read_bytes())
    assert isinstance(job, Job)
    return job


def job_of(folder: Path) -> Job:
    """Return the job in a folder. Raises `PartFailed` if this machine does not have it."""
    try:
        return _job(folder, (folder / JOB).stat().st_mtime_ns)
    except FileNotFoundError:
        raise PartFailed(
            f"output: a worker cannot read {folder}. The output must be in a folder that all workers share."
        ) from None


@lru_cache(maxsize=2)
def _versions(folder: Path, changed: int, *, against: bool) -> Versions:
    job = _job(folder, changed)
    fences = job.against if against else job.fences
    assert fences is not None
    return Versions(fences)


def sorted_file(folder: Path, number: int) -> Path:
    """Return the file of a sorted portion."""
    return folder / SORTED / f"{number:06}.arrow"


def decided_folder(folder: Path, number: int) -> Path:
    """Return the folder with the results of a partition."""
    return folder / DECIDED / f"{number:06}"


def check_cancelled(folder: Path) -> None:
    """Raise `Cancelled` if the back-test is to stop."""
    if (folder / CANCELLED).exists():
        raise Cancelled


def sort_portion(folder: Path, number: int, check: Callable[[], None]) -> Sorted:
    """Sort a portion of the history into partitions by device, and return how many rows each has."""
    path = sorted_file(folder, number)
    counts = path.with_suffix(f".{_COUNTS}")
    if path.exists():
        return msgpack.decode(counts.read_bytes(), type=Sorted)
    job = job_of(folder)
    table, found = _read(job, job.portions[number], check)
    partition = _partitions_of(table["device"], job.partitions)
    order = np.argsort(partition, kind="stable")
    ends = np.searchsorted(partition[order], np.arange(job.partitions), side="right")
    table = table.take(pa.array(order))
    found = replace(found, rows=tuple(np.diff(ends, prepend=0).tolist()))
    beside = path.with_name(f"{path.name}.{uuid4().hex}.part")
    with pa.ipc.new_file(str(beside), SCHEMA, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        start = 0
        for end in ends.tolist():
            check()
            part = table.slice(start, end - start).combine_chunks().to_batches()
            writer.write_batch(part[0] if part else pa.RecordBatch.from_pylist([], SCHEMA))
            start = end
    # The counts come first, as the other file shows that both are complete.
    write_whole(counts, msgpack.encode(found))
    beside.replace(path)
    return found


def _read(job: Job, portion: Portion, check: Callable[[], None]) -> tuple[pa.Table, Sorted]:
    """Return the good rows of a portion, and its bad ones. A damaged portion has no rows if such files are skipped."""
    batches, bad_rows = [], 0
    examples: list[BadRow] = []
    try:
        for each in read(portion, default_accuracy_m=job.accuracy_m):
            check()
            batches.append(_with_settings(each.batch, job.edited) if job.edited else each.batch)
            bad_rows += each.bad_rows
            examples += each.examples
    except InvalidParameter as error:
        if not job.skip_bad:
            raise
        return SCHEMA.empty_table(), Sorted((), bad_file=_damage(portion, error))
    table = pa.Table.from_batches(batches, SCHEMA).combine_chunks()
    return table, Sorted((), bad_rows, tuple(examples[:MOST_EXAMPLES]))


def _damage(portion: Portion, error: InvalidParameter) -> BadFile:
    reason = error.message.removeprefix(f"{error.param}: ").removeprefix(f"{portion.file} ")
    rows = f"about {count(portion.rows, 'row')} from row {portion.first_row + 1:,} on"
    return BadFile(portion.file, f"{rows}: it {reason}")


def _with_settings(batch: pa.RecordBatch, edited: Sequence[tuple[datetime, int]]) -> pa.RecordBatch:
    """Return rows, of which those of files have the number of the settings at their arrival."""
    moments = np.array([microseconds(at) for at, _ in edited], np.int64)
    then = np.array([0, *(number for _, number in edited)], np.int32)[
        np.searchsorted(moments, _arrived(batch), side="right")
    ]
    found = np.where(batch["revision"].to_numpy() == NOW, then, batch["settings"].to_numpy())
    return batch.set_column(SCHEMA.get_field_index("settings"), SCHEMA.field("settings"), pa.array(found, pa.int32()))


def partition_of(device_id: str, partitions: int) -> int:
    """Return the partition of a device, by a checksum that is the same on all machines."""
    return crc32(device_id.encode()) % partitions


def _partitions_of(devices: pa.ChunkedArray, partitions: int) -> Numbers:
    """Return the partition of each row."""
    encoded = devices.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    names = encoded.dictionary.to_pylist()
    of_device = np.array([partition_of(name, partitions) for name in names], np.int64)
    return of_device[encoded.indices.to_numpy()] if len(of_device) else np.empty(0, np.int64)


def decide_partition(folder: Path, number: int, check: Callable[[], None]) -> Decided:
    """Decide the fixes of a partition, write its events, visits and differences, and return its sums."""
    final = decided_folder(folder, number)
    if final.exists():
        return read_decided(final)
    job = job_of(folder)
    begun = time.perf_counter()
    changed = (folder / JOB).stat().st_mtime_ns
    run = _Run(job.fences, _versions(folder, changed, against=False), job, number)
    runs = [run]
    if job.against is not None:
        runs.append(_Run(job.against, _versions(folder, changed, against=True), job, number))
    result = _decide(_parts(folder, job, number), runs, check)
    beside = final.with_name(f"{final.name}.{uuid4().hex}.part")
    beside.mkdir(parents=True)
    events = run.log.take()
    pq.write_table(events, beside / "events.parquet")
    pq.write_table(run.tallies.visits(), beside / "visits.parquet")
    differences = None
    if len(runs) > 1:
        differences, rows = compare(runs[1].log.take(), events)
        pq.write_table(rows, beside / "differences.parquet")
    result = replace(
        result,
        fixes=result.fixes - run.decider.repeated,
        repeated=run.decider.repeated,
        decided=run.decider.decided,
        late=run.decider.late,
        events=events.num_rows,
        seconds=time.perf_counter() - begun,
        totals=run.tallies.totals,
        differences=differences,
    )
    (beside / "sums").write_bytes(msgpack.encode(result))
    _put(beside, final)
    return read_decided(final)


def read_decided(folder: Path) -> Decided:
    """Return the sums of a partition that is decided."""
    return msgpack.decode((folder / "sums").read_bytes(), type=Decided)


def _put(beside: Path, final: Path) -> None:
    """Give a folder its final name, unless another worker was faster with the same part."""
    try:
        beside.rename(final)
    except OSError:
        if not final.exists():
            raise
        shutil.rmtree(beside)


class _Run:
    """The decider of one set of geofences, with what it keeps."""

    def __init__(self, fences: FenceSet, versions: Versions, job: Job, number: int) -> None:
        self.fences = fences
        self.log, self.tallies = EventLog(), Tallies()
        self.decider = Decider(versions, job.settings, self.log, self.tallies)
        self.decider.begin_with(
            {
                (device_id, user_id): state
                for (device_id, user_id), state in job.first.items()
                if partition_of(device_id, job.partitions) == number
            }
        )


def _decide(parts: Iterator[Fixes], runs: Sequence[_Run], check: Callable[[], None]) -> Decided:
    """Decide the fixes of a partition, in parts by time, and return how many there were and when."""
    found = Decided()
    for given in parts:
        if not len(given):
            continue
        for run in runs:
            for _ in run.decider.run(replace(given, revision=revisions_of(given, run.fences))):
                check()
        first_us, last_us = int(given.arrived_us.min()), int(given.arrived_us.max())
        found = replace(
            found,
            fixes=found.fixes + len(given),
            first_us=first_us if found.first_us is None else min(found.first_us, first_us),
            last_us=last_us if found.last_us is None else max(found.last_us, last_us),
        )
    for run in runs:
        run.decider.finish()
    return found


def _parts(folder: Path, job: Job, number: int) -> Iterator[Fixes]:
    """Yield the fixes of a partition in parts by time of arrival, so that memory is bounded."""
    wanted, total = [], 0
    for portion in job.portions:
        path = sorted_file(folder, portion.number)
        count = msgpack.decode(path.with_suffix(f".{_COUNTS}").read_bytes(), type=Sorted).rows[number]
        total += count
        if count:
            wanted.append(path)
    if total <= job.most_rows:
        yield fixes_of(pa.Table.from_batches([_batch(path, number) for path in wanted], SCHEMA), job.settings)
        return
    arrived = np.sort(np.concatenate([_arrived(_batch(path, number)) for path in wanted]))
    edges = np.unique(arrived[job.most_rows :: job.most_rows])
    del arrived
    twins = several(np.concatenate([marks_of(_batch(path, number)) for path in wanted]))
    limits = [None, *edges.tolist(), None]
    for low, high in pairwise(limits):
        chosen = []
        for path in wanted:
            batch = _batch(path, number)
            times = _arrived(batch)
            keep = np.ones(len(times), np.bool)
            keep &= True if low is None else times >= low
            keep &= True if high is None else times < high
            if keep.any():
                chosen.append(batch.filter(pa.array(keep)))
        yield fixes_of(pa.Table.from_batches(chosen, SCHEMA), job.settings, twins)


def _batch(path: Path, number: int) -> pa.RecordBatch:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).get_batch(number)


def _arrived(batch: pa.RecordBatch) -> Numbers:
    """Return the times of arrival of rows, as `fixes_of` does."""
    at_us = batch["at_us"].fill_null(0).to_numpy()
    received_us = batch["received_us"]
    is_known = received_us.is_valid().to_numpy(zero_copy_only=False)
    return np.asarray(np.where(is_known, received_us.fill_null(0).to_numpy(), at_us // 1_000 * 1_000), np.int64)


def worker_name() -> str:
    """Return a name of this process for reports."""
    return f"{os.uname().nodename}-{os.getpid()}"
