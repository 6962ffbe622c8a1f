"""The work of a back-test in parts that any worker can do: sorting portions of the history, and deciding partitions.

Portions of the history are sorted into partitions by device, small ones together. A partition is then read from all of
the sorted files, decided in the order of arrival, and its results are one folder. A file or folder gets its name when
it is complete, so a part may be done twice or be interrupted, and its result appears once.
"""

import copyreg
import os
import pickle
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from engine.backtest.reading.scanning import PORTION_ROWS
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
    portions: tuple[tuple[Portion, ...], ...]
    partitions: int
    accuracy_m: float
    fences: FenceSet
    against: FenceSet | None
    settings: Mapping[int, ProjectSettings]
    edited: tuple[tuple[datetime, int], ...] = ()
    first: Mapping[tuple[str, str | None], EarlierState] = {}
    most_rows: int = MOST_ROWS
    sorted_rows: int = PORTION_ROWS
    skip_bad: bool = False


class Sorted(Struct, frozen=True):
    """Portions that are sorted: their rows in each partition, their bad rows, and the files that were left out."""

    rows: tuple[int, ...]
    bad_rows: int = 0
    examples: tuple[BadRow, ...] = ()
    bad_files: tuple[BadFile, ...] = ()


class Decided(Struct, frozen=True, kw_only=True):
    """The sums of a partition."""

    fixes: int = 0
    near: int = 0
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
    """Return the file of sorted portions."""
    return folder / SORTED / f"{number:06}.arrow"


def decided_folder(folder: Path, number: int) -> Path:
    """Return the folder with the results of a partition."""
    return folder / DECIDED / f"{number:06}"


def check_cancelled(folder: Path) -> None:
    """Raise `Cancelled` if the back-test is to stop."""
    if (folder / CANCELLED).exists():
        raise Cancelled


def sort_portions(folder: Path, number: int, check: Callable[[], None]) -> Sorted:
    """Sort some portions of the history into partitions by device, and return how many rows each partition has.

    Damaged portions are left out if such files are skipped.
    """
    path = sorted_file(folder, number)
    counts = path.with_suffix(f".{_COUNTS}")
    if path.exists():
        return msgpack.decode(counts.read_bytes(), type=Sorted)
    job = job_of(folder)
    portions, bad_files = list(job.portions[number]), []
    beside = path.with_name(f"{path.name}.{uuid4().hex}.part")
    while True:
        try:
            found = _write_all(beside, job, portions, check)
            break
        except _Damaged as damage:
            if not job.skip_bad:
                raise damage.error from None
            portions.remove(damage.portion)
            bad_files.append(damage.bad_file())
    found = replace(found, bad_files=tuple(bad_files))
    # The counts come first, as the other file shows that both are complete.
    write_whole(counts, msgpack.encode(found))
    beside.replace(path)
    return found


class _Damaged(Exception):
    """A portion cannot be read, for a reason that `error` gives to users."""

    def __init__(self, portion: Portion, error: InvalidParameter) -> None:
        super().__init__(error.message)
        self.portion = portion
        self.error = error

    def bad_file(self) -> BadFile:
        """Return the entry for the list of files that were left out."""
        portion, error = self.portion, self.error
        reason = error.message.removeprefix(f"{error.param}: ").removeprefix(f"{portion.file} ")
        rows = f"about {count(portion.rows, 'row')} from row {portion.first_row + 1:,} on"
        return BadFile(portion.file, f"{rows}: it {reason}")


def _write_all(path: Path, job: Job, portions: Sequence[Portion], check: Callable[[], None]) -> Sorted:
    """Write the sorted rows of portions, and return what they have. Raises `_Damaged`."""
    rows, bad_rows = np.zeros(job.partitions, np.int64), 0
    examples: list[BadRow] = []

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal bad_rows
        for portion in portions:
            try:
                for each in read(portion, default_accuracy_m=job.accuracy_m):
                    check()
                    bad_rows += each.bad_rows
                    examples.extend(each.examples[: MOST_EXAMPLES - len(examples)])
                    yield _with_settings(each.batch, job.edited) if job.edited else each.batch
            except InvalidParameter as error:
                raise _Damaged(portion, error) from None

    with pa.ipc.new_file(str(path), SCHEMA, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        for table in _rounds(batches(), job.sorted_rows):
            rows += _write_sorted(writer, table, job.partitions, check)
    return Sorted(tuple(rows.tolist()), bad_rows, tuple(examples))


def _rounds(batches: Iterable[pa.RecordBatch], most_rows: int) -> Iterator[pa.Table]:
    """Yield rows in tables of a bounded size, as a large row group is a portion that cannot be divided."""
    chosen, size = [], 0
    for batch in batches:
        chosen.append(batch)
        size += batch.num_rows
        if size >= most_rows:
            yield pa.Table.from_batches(chosen, SCHEMA)
            chosen, size = [], 0
    if size:
        yield pa.Table.from_batches(chosen, SCHEMA)


def _write_sorted(
    writer: pa.ipc.RecordBatchFileWriter, table: pa.Table, partitions: int, check: Callable[[], None]
) -> Numbers:
    """Write rows as one batch for each partition, and return the number of rows in each."""
    partition = _partitions_of(table["device"], partitions)
    order = np.argsort(partition, kind="stable")
    ends = np.searchsorted(partition[order], np.arange(partitions), side="right")
    table = table.combine_chunks().take(pa.array(order))
    start = 0
    for end in ends.tolist():
        check()
        part = table.slice(start, end - start).combine_chunks().to_batches()
        writer.write_batch(part[0] if part else pa.RecordBatch.from_pylist([], SCHEMA))
        start = end
    return np.diff(ends, prepend=0)


def together(portions: Iterable[Portion], most_rows: int = PORTION_ROWS) -> tuple[tuple[Portion, ...], ...]:
    """Return the portions that are sorted together, so that many small files become one sorted file."""
    found: list[list[Portion]] = []
    size = 0
    for portion in portions:
        if not found or size + portion.rows > most_rows:
            found.append([])
            size = 0
        found[-1].append(portion)
        size += portion.rows
    return tuple(map(tuple, found))


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
        near=run.decider.near,
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
    for place in range(len(job.portions)):
        path = sorted_file(folder, place)
        rows = msgpack.decode(path.with_suffix(f".{_COUNTS}").read_bytes(), type=Sorted).rows[number]
        total += rows
        if rows:
            wanted.append(path)
    if total <= job.most_rows:
        batches = [batch for path in wanted for batch in _batches(path, job, number)]
        yield fixes_of(pa.Table.from_batches(batches, SCHEMA), job.settings)
        return
    arrived = np.sort(np.concatenate([_arrived(batch) for path in wanted for batch in _batches(path, job, number)]))
    edges = np.unique(arrived[job.most_rows :: job.most_rows])
    del arrived
    twins = several(np.concatenate([marks_of(batch) for path in wanted for batch in _batches(path, job, number)]))
    limits = [None, *edges.tolist(), None]
    for low, high in pairwise(limits):
        chosen = []
        for batch in (batch for path in wanted for batch in _batches(path, job, number)):
            times = _arrived(batch)
            keep = np.ones(len(times), np.bool)
            keep &= True if low is None else times >= low
            keep &= True if high is None else times < high
            if keep.any():
                chosen.append(batch.filter(pa.array(keep)))
        yield fixes_of(pa.Table.from_batches(chosen, SCHEMA), job.settings, twins)


def _batches(path: Path, job: Job, number: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a partition in a file of sorted portions."""
    with pa.memory_map(str(path)) as file:
        reader = pa.ipc.open_file(file)
        for place in range(number, reader.num_record_batches, job.partitions):
            yield reader.get_batch(place)


def _arrived(batch: pa.RecordBatch) -> Numbers:
    """Return the times of arrival of rows, as `fixes_of` does."""
    at_us = batch["at_us"].fill_null(0).to_numpy()
    received_us = batch["received_us"]
    is_known = received_us.is_valid().to_numpy(zero_copy_only=False)
    return np.asarray(np.where(is_known, received_us.fill_null(0).to_numpy(), at_us // 1_000 * 1_000), np.int64)


def worker_name() -> str:
    """Return a name of this process for reports."""
    return f"{os.uname().nodename}-{os.getpid()}"
