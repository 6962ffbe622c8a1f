"""Histories for tests, and their rows after reading."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from engine.backtest.reading.reading import read
from engine.backtest.reading.scanning import scan
from engine.backtest.rows import SCHEMA, BadRow, Scan

FIRST_US = 1_767_225_600_000_000
"""2026-01-01T00:00:00Z."""

ACCURACY_M = 25.0


def table(count: int = 10, **columns: Any) -> pa.Table:
    """Return a table with the four required columns; `columns` replaces or adds some, and None removes one."""
    made: dict[str, Any] = {
        "deviceId": [f"d{index % 3}" for index in range(count)],
        "time": pa.array([FIRST_US + index * 1_000_001 for index in range(count)], pa.timestamp("us", "UTC")),
        "longitude": [9.5 + index / 1_000 for index in range(count)],
        "latitude": [47.1 + index / 1_000 for index in range(count)],
    }
    return pa.table({name: values for name, values in (made | columns).items() if values is not None})


def parquet(file: Path, made: pa.Table | None = None, **options: Any) -> Path:
    """Write a Parquet file, and its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(table() if made is None else made, file, **options)
    return file


def csv(file: Path, *lines: str, end: str = "\n", encoding: str = "utf-8") -> Path:
    """Write a CSV file, and its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(end.join([*lines, ""]).encode(encoding))
    return file


HEADER = "deviceId,time,longitude,latitude"


def scanned(*history: Path | str, columns: Mapping[str, str] | None = None, **options: Any) -> Scan:
    """Return the scan of a history in which every file must be readable, unless `skip_bad` is set."""
    options = {"skip_bad": False, **options}
    return scan([str(each) for each in history], columns=columns or {}, **options)


class Rows:
    """The rows of a history, the number of bad ones, and the examples of these."""

    def __init__(self, found: Scan, **options: Any) -> None:
        reads = [each for portion in found.portions for each in read(portion, default_accuracy_m=ACCURACY_M, **options)]
        self.table = pa.Table.from_batches([each.batch for each in reads], SCHEMA)
        self.table.validate(full=True)
        self.bad = sum(each.bad_rows for each in reads)
        self.examples: Sequence[BadRow] = [example for each in reads for example in each.examples]

    def __getitem__(self, name: str) -> list[Any]:
        return list(self.table[name].to_pylist())

    @property
    def messages(self) -> list[tuple[int, str]]:
        return [(example.row, example.message) for example in self.examples]


def rows(*history: Path | str, columns: Mapping[str, str] | None = None, **options: Any) -> Rows:
    """Return the rows of a history."""
    return Rows(scanned(*history, columns=columns), **options)
