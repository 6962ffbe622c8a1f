"""Histories in files, and all results of their partitions."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from engine.backtest.comparing import Differences
from engine.backtest.fences import FenceSet, moment_of
from engine.backtest.partitions import (
    DECIDED,
    SORTED,
    Decided,
    Job,
    decide_partition,
    decided_folder,
    sort_portions,
    together,
    write_job,
)
from engine.backtest.reading.scanning import scan
from engine.backtest.tallies import Totals
from engine.domain.settings import ProjectSettings
from engine.domain.values import replace

type Record = Mapping[str, Any]
"""A row with the columns of `SCHEMA`."""


@dataclasses.dataclass(frozen=True)
class Split:
    """How a history is divided: file of each row, format of each file, and the sizes of portions and parts."""

    files: Sequence[int] = (0,)
    formats: Sequence[str] = ("parquet",)
    portion_rows: int = 1_000_000
    partitions: int = 1
    most_rows: int = 1_000_000
    sorted_rows: int = 1_000_000
    together_rows: int = 1


def write_history(folder: Path, rows: Sequence[Record], split: Split) -> None:
    """Write rows to the files of a history."""
    folder.mkdir()
    of_file: dict[int, list[Record]] = {}
    for place, row in enumerate(rows):
        of_file.setdefault(split.files[place % len(split.files)], []).append(row)
    for number, some in of_file.items():
        form = split.formats[number % len(split.formats)]
        table = _table(some, form)
        if form == "csv":
            pyarrow.csv.write_csv(table, folder / f"{number}.csv")
        else:
            pq.write_table(table, folder / f"{number}.parquet", row_group_size=max(1, split.portion_rows))


def _table(rows: Sequence[Record], form: str) -> pa.Table:
    def times(name: str) -> pa.Array:
        moments = [None if row[name] is None else moment_of(row[name]) for row in rows]
        if form == "csv":
            return pa.array([None if each is None else each.isoformat(timespec="microseconds") for each in moments])
        return pa.array(moments, pa.timestamp("us", "UTC"))

    names = {"deviceId": "device", "userId": "user", "longitude": "longitude", "latitude": "latitude"}
    names |= {"accuracy": "accuracy_m", "stopped": "stopped", "foreground": "foreground", "ip": "ip"}
    columns = {name: pa.array([row[own] for row in rows]) for name, own in names.items()}
    return pa.table({**columns, "time": times("at_us"), "received": times("received_us")})


def job_for(history: Path, split: Split, fences: FenceSet, against: FenceSet | None, project: ProjectSettings) -> Job:
    """Return the job of a history."""
    found = scan([str(history)], columns={}, skip_bad=False, portion_rows=split.portion_rows)
    return Job(
        version="test",
        portions=together(found.portions, split.together_rows),
        partitions=split.partitions,
        accuracy_m=10.0,
        fences=fences,
        against=against,
        settings={0: project},
        most_rows=split.most_rows,
        sorted_rows=split.sorted_rows,
    )


def begin(folder: Path, job: Job) -> None:
    """Write a job for workers."""
    for name in (SORTED, DECIDED):
        (folder / name).mkdir(parents=True)
    write_job(folder, job)


def unchecked() -> None:
    """Never cancel."""


@dataclasses.dataclass(frozen=True)
class Result:
    """All results of a job, in an order that does not depend on its partitions."""

    events: list[tuple[object, ...]]
    visits: list[tuple[object, ...]]
    differences: list[tuple[object, ...]]
    sums: Decided


def result_of(folder: Path, job: Job, check: Callable[[], None] = unchecked) -> Result:
    """Do all parts of a job, and return its results."""
    begin(folder, job)
    for number in reversed(range(len(job.portions))):
        assert sum(sort_portions(folder, number, check).rows) >= 0
    for number in range(job.partitions):
        decide_partition(folder, number, check)
    return results_in(folder, job)


def results_in(folder: Path, job: Job) -> Result:
    """Return the results of a job that is done."""
    parts = [decide_partition(folder, number, unchecked) for number in range(job.partitions)]
    folders = [decided_folder(folder, number) for number in range(job.partitions)]
    return Result(
        events=rows_in(folders, "events"),
        visits=rows_in(folders, "visits"),
        differences=rows_in(folders, "differences") if job.against is not None else [],
        sums=summed(parts),
    )


def rows_in(folders: Sequence[Path], name: str) -> list[tuple[object, ...]]:
    """Return the rows of files of a kind, in order."""
    tables = (pq.read_table(path) for folder in folders for path in sorted(folder.glob(f"{name}*.parquet")))
    rows = (row for table in tables for row in zip(*(column.to_pylist() for column in table.columns), strict=True))
    return sorted((tuple(map(_rounded, row)) for row in rows), key=str)


def summed(parts: Sequence[Decided]) -> Decided:
    """Return the sums of partitions, without what depends on the division: fixes decided, and seconds."""
    totals, differences = Totals(), Differences()
    for part in parts:
        totals.add(part.totals)
        differences.add(part.differences or Differences())
    for tally in totals.geofences.values():
        tally.inside_s = round(tally.inside_s, 3)
    for travel in totals.travels.values():
        travel.duration_s = round(travel.duration_s, 3)
    firsts = [part.first_us for part in parts if part.first_us is not None]
    lasts = [part.last_us for part in parts if part.last_us is not None]
    return replace(
        Decided(),
        fixes=sum(part.fixes for part in parts),
        late=sum(part.late for part in parts),
        repeated=sum(part.repeated for part in parts),
        events=sum(part.events for part in parts),
        first_us=min(firsts, default=None),
        last_us=max(lasts, default=None),
        totals=totals,
        differences=differences,
    )


def _rounded(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return round(value, 6) if isinstance(value, float) else value
