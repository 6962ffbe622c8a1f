"""A back-test from its request to its report."""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
import orjson
import pyarrow.parquet as pq
from msgspec import Struct

from engine.backtest.comparing import DIFFERENCES_SCHEMA, Differences
from engine.backtest.fences import FenceSet, moment_of
from engine.backtest.folders import PLAN, has_begun, only_one, unfinished
from engine.backtest.partitions import (
    CANCELLED,
    DECIDED,
    MOST_EXAMPLES,
    SORTED,
    Decided,
    Job,
    PartFailed,
    Sorted,
    decide_partition,
    decided_folder,
    sort_portions,
    together,
    write_job,
    write_whole,
)
from engine.backtest.reading.scanning import scan
from engine.backtest.reading.sources import natural
from engine.backtest.remarks import remarks
from engine.backtest.results import BacktestReport, FenceResult, Travel, WorkerResult
from engine.backtest.rows import BadFile, BadRow, Scan
from engine.backtest.tallies import EVENTS_SCHEMA, VISITS_SCHEMA, FenceTally, Totals
from engine.backtest.workers import Done, Workers, is_full, no_space, workers_for
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import PackedRing
from engine.domain.ports import Cancelled, SystemClock
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.explaining import EarlierState
from engine.geo.shapes import shape_of

__all__ = ["BacktestReport", "FenceSet", "Progress", "Request", "has_begun", "run", "unfinished"]

_PARTITION_ROWS: Final = 200_000
_MOST_PARTITIONS: Final = 4_096
_SMALL_ROWS: Final = 300_000
"""Number of rows up to which starting other processes takes longer than the work itself."""

SORTING, DECIDING, WRITING = "sorting", "deciding", "writing"


class Request(Struct, frozen=True, kw_only=True):
    """A back-test. Fixes without an accuracy have `accuracy_m`; `columns` are names of columns by their fields.

    `rules` describe the settings in the report. `kept` are files of kept updates by the names of their workspaces in
    `history`, and `first` the states of users before these. With `then`, each update is decided with the settings of
    its number: for updates of files the number in force at their arrival, from the moments in `edited`.
    """

    history: tuple[str, ...]
    columns: Mapping[str, str]
    accuracy_m: float
    fences: FenceSet
    against: FenceSet | None
    settings: ProjectSettings
    output: Path
    scheduler: str | None
    workers: int | None
    resume: bool
    skip_bad: bool
    rules: tuple[str, ...] = ()
    version: str = ""
    kept: Mapping[str, Path] = {}
    first: Mapping[tuple[str, str | None], EarlierState] = {}
    then: Mapping[int, ProjectSettings] = {}
    edited: tuple[tuple[datetime, int], ...] = ()


class Progress(Struct, frozen=True):
    """The progress of a back-test: its phase (``sorting``, ``deciding`` or ``writing``), fixes done and of all."""

    phase: str
    fixes: int
    total: int
    events: int
    seconds: float
    left_s: float | None
    workers: tuple[WorkerResult, ...]


type Shown = Callable[[Progress], None]
type Written = Callable[[Path, BacktestReport], None]


def run(
    request: Request, progress: Shown, stop: Callable[[], bool], write: Written = lambda *_: None
) -> BacktestReport:
    """Run a back-test and return its report.

    `write` adds files to the folder of the output, which gets its name when everything is complete. Raises `Cancelled`
    when `stop` returns True. Finished parts are kept for a request that resumes, also after an error.
    """
    folder = unfinished(request.output)
    try:
        with only_one(folder):
            return _run(request, progress, stop, write)
    except OSError as error:
        if is_full(error):
            raise PartFailed(no_space(folder)) from None
        raise


def _run(request: Request, progress: Shown, stop: Callable[[], bool], write: Written) -> BacktestReport:
    begun = time.monotonic()
    folder = unfinished(request.output)

    def check(_done: int = 0, _total: int = 0) -> None:
        if stop():
            raise Cancelled

    found, job = _begun(request, folder, check)
    state = _State(found.rows, begun, progress)
    processes = request.workers or (os.cpu_count() or 1)
    if request.workers is None and request.scheduler is None and found.rows <= _SMALL_ROWS:
        processes = 1
    try:
        with workers_for(request.scheduler, processes, request.version, stop) as workers:
            _sort(workers, folder, job, state, stop)
            _decide(workers, folder, job, state, stop)
    except BaseException as error:
        if not isinstance(error, PartFailed) and not any((folder / SORTED).glob("*.arrow")):
            shutil.rmtree(folder, ignore_errors=True)
        raise
    state.show(WRITING)
    report = _report(request, found, state)
    _write(request.output, folder, job, report, write, check)
    return report


def _begun(request: Request, folder: Path, check: Callable[..., None]) -> tuple[Scan, Job]:
    """Check the history and write the job for the workers. Nothing is left behind if that fails."""
    is_new = not has_begun(folder)
    try:
        found = scan(
            [str(request.kept.get(item, item)) for item in request.history],
            columns=request.columns,
            skip_bad=request.skip_bad,
            downloads=folder / "downloads",
            progress=check,
        )
        job = _job(request, found)
        _begin(folder, request, job)
    except BaseException:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return found, job


def _job(request: Request, found: Scan) -> Job:
    partitions = min(max(-(-found.rows // _PARTITION_ROWS), 1), _MOST_PARTITIONS)
    return Job(
        version=request.version,
        portions=together(found.portions),
        partitions=partitions,
        accuracy_m=request.accuracy_m,
        fences=request.fences,
        against=request.against,
        settings=request.then or {0: request.settings},
        edited=request.edited,
        first=request.first,
        skip_bad=request.skip_bad,
    )


def _begin(folder: Path, request: Request, job: Job) -> None:
    """Write the job for the workers. Raises `InvalidParameter` if the finished parts are those of another one."""
    plan = orjson.dumps(_plan(request, job))
    path = folder / PLAN
    if path.exists() and not request.resume:
        raise InvalidParameter("output", f"output: an unfinished back-test is in {folder}. Resume it, or delete it.")
    if path.exists() and path.read_bytes() != plan:
        raise InvalidParameter(
            "resume",
            "resume: the history, the geofences, the settings or Fencewright itself have changed since the back-test "
            "began. Start it again with another --output.",
        )
    for name in (SORTED, DECIDED):
        (folder / name).mkdir(exist_ok=True)
        for part in (folder / name).glob("*.part"):
            shutil.rmtree(part) if part.is_dir() else part.unlink()
    (folder / CANCELLED).unlink(missing_ok=True)
    write_job(folder, job)
    write_whole(path, plan)


def _plan(request: Request, job: Job) -> dict[str, object]:
    """Return the properties that a back-test must still have to be resumed."""
    portions = [
        [[each.file, each.size, each.version, each.rows, *each.row_groups, each.start] for each in some]
        for some in job.portions
    ]
    rest = msgspec.json.encode(
        (job.fences, job.against, request.columns, sorted(job.settings.items())), enc_hook=_plain, order="sorted"
    )
    return {
        "version": job.version,
        "partitions": job.partitions,
        "accuracy": job.accuracy_m,
        "settings": repr(request.settings),
        "fences": hashlib.sha256(rest).hexdigest(),
        "portions": portions,
    }


def _plain(value: object) -> object:
    """Return the bytes of a ring, and a read-only mapping as a dictionary."""
    if isinstance(value, PackedRing):
        return value.packed
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not a part of a back-test")


class _State:
    """The parts done so far, for progress and for the report."""

    def __init__(self, rows: int, begun: float, progress: Shown) -> None:
        self.rows = rows
        self.begun = begun
        self._progress = progress
        self._done = {SORTING: 0, DECIDING: 0, WRITING: 0}
        self._phase_begun: dict[str, tuple[float, int]] = {}
        self.workers: dict[str, WorkerResult] = {}
        self.bad_rows = 0
        self.bad_examples: list[tuple[int, tuple[BadRow, ...]]] = []
        self.bad_files: list[BadFile] = []
        self.sums = Decided()
        self.differences: Differences | None = None

    def took(self, done: Done) -> None:
        """Note a part that is done."""
        phase = SORTING if isinstance(done.result, Sorted) else DECIDING
        if isinstance(done.result, Sorted):
            fixes, events = sum(done.result.rows), 0
            self.bad_rows += done.result.bad_rows
            self.bad_examples.append((done.number, done.result.examples))
            self.bad_files += done.result.bad_files
        else:
            fixes, events = done.result.fixes, done.result.events
            self._add(done.result)
        self._done[phase] += fixes
        known = self.workers.get(done.worker, WorkerResult(done.worker, 0, 0, 0.0))
        decided = fixes if phase == DECIDING else 0
        self.workers[done.worker] = WorkerResult(
            done.worker, known.fixes + decided, known.events + events, known.seconds + done.seconds
        )

    def _add(self, one: Decided) -> None:
        sums = self.sums
        times = [each for each in (sums.first_us, one.first_us) if each is not None]
        lasts = [each for each in (sums.last_us, one.last_us) if each is not None]
        sums.totals.add(one.totals)
        if one.differences is not None:
            self.differences = self.differences or Differences()
            self.differences.add(one.differences)
        self.sums = Decided(
            fixes=sums.fixes + one.fixes,
            near=sums.near + one.near,
            decided=sums.decided + one.decided,
            late=sums.late + one.late,
            repeated=sums.repeated + one.repeated,
            events=sums.events + one.events,
            first_us=min(times, default=None),
            last_us=max(lasts, default=None),
            totals=sums.totals,
        )

    def show(self, phase: str) -> None:
        """Report the progress of a phase, with an estimate of the time that is left."""
        now, done = time.monotonic(), self._done[phase]
        began, before = self._phase_begun.setdefault(phase, (now, done))
        left_s = None
        if done > before:
            left_s = (now - began) / (done - before) * max(self.rows - done, 0)
        workers = tuple(self.workers.values())
        self._progress(Progress(phase, done, self.rows, self.sums.events, now - self.begun, left_s, workers))


def _sort(workers: Workers, folder: Path, job: Job, state: _State, stop: Callable[[], bool]) -> None:
    """Sort all portions. Then the number of rows is known."""
    state.show(SORTING)
    rows = 0
    for done in workers.run(sort_portions, folder, range(len(job.portions)), stop):
        if done is not None:
            state.took(done)
            assert isinstance(done.result, Sorted)
            rows += sum(done.result.rows)
        state.show(SORTING)
    state.rows = rows
    if not rows and (state.bad_rows or state.bad_files):
        # Nothing is kept, as a resumed back-test would not read more.
        shutil.rmtree(folder / SORTED)
        raise _unreadable(state)


def _unreadable(state: _State) -> InvalidParameter:
    """Return the error for a history without any good row."""
    first = next((each for _, some in sorted(state.bad_examples) for each in some), None)
    if first is None:
        bad = state.bad_files[0]
        return InvalidParameter("history", f"history: {bad.file}: {bad.message}")
    where = f"{first.file}, row {first.row:,}: {first.message}"
    return InvalidParameter("history", f"history: none of its rows can be read; the first: {where}")


def _decide(workers: Workers, folder: Path, job: Job, state: _State, stop: Callable[[], bool]) -> None:
    state.show(DECIDING)
    for done in workers.run(decide_partition, folder, range(job.partitions), stop):
        if done is not None:
            state.took(done)
        state.show(DECIDING)


def _report(request: Request, found: Scan, state: _State) -> BacktestReport:
    sums = state.sums
    fences = _fence_results(request.fences, sums.totals)
    places = {(each.tag, each.external_id): place for place, each in enumerate(fences)}
    travels = [
        Travel(places[ends[0], ends[1]], places[ends[2], ends[3]], each.count, each.duration_s)
        for ends, each in sums.totals.travels.items()
    ]
    examples = [each for _, some in sorted(state.bad_examples) for each in some]
    return BacktestReport(
        history=request.history,
        fences=request.fences.name,
        against=None if request.against is None else request.against.name,
        rules=request.rules,
        fixes=sums.fixes,
        decided=sums.decided,
        late=sums.late,
        repeated=sums.repeated,
        devices=sums.totals.devices,
        events=sums.events,
        first_at=None if sums.first_us is None else moment_of(sums.first_us),
        last_at=None if sums.last_us is None else moment_of(sums.last_us),
        geofences=fences,
        devices_without_event=sums.totals.devices_without_event,
        idle_devices=tuple(sums.totals.idle_devices),
        busiest=tuple(sums.totals.busiest),
        travels=tuple(sorted(travels, key=lambda each: (-each.count, each.origin, each.destination))),
        bad_rows=state.bad_rows,
        bad_examples=tuple(examples[:MOST_EXAMPLES]),
        bad_files=(*found.bad_files, *sorted(state.bad_files, key=lambda each: (natural(each.file), each.message))),
        notes=(*found.notes, *remarks(sums, SystemClock().now())),
        comparison=None if state.differences is None else state.differences.comparison(),
        workers=tuple(sorted(state.workers.values(), key=lambda each: each.name)),
        seconds=time.monotonic() - state.begun,
    )


def _fence_results(fences: FenceSet, totals: Totals) -> tuple[FenceResult, ...]:
    """Return the results of all geofences in the order of their names, also of those without any event."""
    known = {(each.tag, each.external_id): each for each in (version.geofence for version in fences.versions)}
    known |= {(each.tag, each.external_id): each for each in fences.geofences}
    found = []
    for name in sorted(known):
        geofence, tally = known[name], totals.geofences.get(name, FenceTally())
        shape = shape_of(geofence.geometry)
        found.append(
            FenceResult(
                tag=geofence.tag,
                external_id=geofence.external_id,
                description=geofence.description,
                longitude=shape.center.longitude,
                latitude=shape.center.latitude,
                radius_m=shape.radius_m,
                entries=tally.entries,
                exits=tally.exits,
                dwells=tally.dwells,
                visits=tally.visits,
                inside_s=tally.inside_s,
                devices=tally.devices,
                hours=tuple(tally.hours),
            )
        )
    return tuple(found)


def _write(
    output: Path, folder: Path, job: Job, report: BacktestReport, write: Written, check: Callable[[], None]
) -> None:
    """Put the files of all partitions and the report together, and give the folder its final name."""
    whole = folder / "output"
    shutil.rmtree(whole, ignore_errors=True)
    whole.mkdir(mode=0o700)
    kinds = [("events", EVENTS_SCHEMA), ("visits", VISITS_SCHEMA)]
    if job.against is not None:
        kinds.append(("differences", DIFFERENCES_SCHEMA))
    for kind, schema in kinds:
        number = 0
        for path in _files(folder, job.partitions, kind):
            check()
            _link(path, whole / f"{kind}-{number:05}.parquet")
            number += 1
        if not number:
            pq.write_table(schema.empty_table(), whole / f"{kind}-{number:05}.parquet")
    write(whole, report)
    check()
    if output.exists():
        output.rmdir()
    whole.rename(output)
    shutil.rmtree(folder, ignore_errors=True)


def _link(path: Path, to: Path) -> None:
    """Give a file a second name, or copy it where a file can have only one, as on some shared storage."""
    try:
        to.hardlink_to(path)
    except OSError:
        shutil.copyfile(path, to)


def _files(folder: Path, partitions: int, kind: str) -> Iterator[Path]:
    """Yield the files of partitions that have rows."""
    for number in range(partitions):
        path = decided_folder(folder, number) / f"{kind}.parquet"
        if pq.read_metadata(path).num_rows:
            yield path
