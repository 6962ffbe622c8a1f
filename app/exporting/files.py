"""Files of records, and who writes what into them."""

import csv
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import orjson

from app.exporting.columns import COLUMNS, Cell, Column
from app.exporting.drafts import draft_of
from app.exports import Batches, FileFormat, RecordKind
from app.spreadsheet import escaped
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress, no_progress

ROW_GROUP: Final = 10_000
"""Rows of a Parquet file that are written together; so many are in memory at once."""

_NO_PYARROW: Final = (
    "format: Parquet files need pyarrow, which is not installed; install it with: pip install 'fencewright[gis]'"
)


class RecordWriter(Protocol):
    """Writes records one batch after the other."""

    def write(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Write some records."""
        ...

    def end(self) -> None:
        """Write what is still held."""
        ...

    def close(self) -> None:
        """Let go of the stream, whether all was written or not."""
        ...


def write_records(
    file: Path,
    file_format: FileFormat,
    kind: RecordKind,
    total: int,
    batches: Batches,
    progress: Progress = no_progress,
) -> int:
    """Write records to a file and return how many there were.

    The file appears when all of it is written, and is readable by its owner alone: users' positions are in it. Raises
    `InvalidParameter` ``output`` where it cannot be written, ``format`` where what writes it is not installed;
    `progress` may raise `Cancelled`: then nothing is left.
    """
    make_writer = _WRITERS[file_format]()
    written = 0
    with draft_of(file) as stream:
        with closing(make_writer(stream, COLUMNS[kind])) as writer:
            progress(0, total)
            for records in batches:
                writer.write(records)
                written += len(records)
                progress(min(written, total), total)
            writer.end()
        progress(total, total)
    return written


class _Csv:
    """A table with a header; text is escaped, everything else is as JSON has it."""

    def __init__(self, stream: BinaryIO, columns: Sequence[Column]) -> None:
        self._columns = columns
        self._text = TextIOWrapper(stream, encoding="utf-8", newline="", write_through=False)
        self._rows = csv.writer(self._text, lineterminator="\r\n")
        self._rows.writerow(column.name for column in columns)

    def write(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Write some rows."""
        self._rows.writerows([_cell(column, record) for column in self._columns] for record in records)

    def end(self) -> None:
        """Write what is still held."""
        self._text.flush()

    def close(self) -> None:
        """Leave the stream to whoever closes it."""
        with suppress(OSError):
            self._text.detach()


def _cell(column: Column, record: Mapping[str, Any]) -> Any:
    value = column.of(record)
    if column.kind is Cell.TEXT and value is not None:
        return escaped(value)
    if column.kind is Cell.FLAG and value is not None:
        return "true" if value else "false"
    return value


class _JsonLines:
    """One record a line, as the API answers it."""

    def __init__(self, stream: BinaryIO, _columns: Sequence[Column]) -> None:
        self._stream = stream

    def write(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Write some lines."""
        self._stream.write(b"".join([orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE) for record in records]))

    def end(self) -> None:
        """Hold nothing."""

    def close(self) -> None:
        """Leave the stream to whoever closes it."""


class _Parquet:
    """A table whose columns have types; `arrow` and `parquet` are the modules of pyarrow."""

    def __init__(self, arrow: Any, parquet: Any, stream: BinaryIO, columns: Sequence[Column]) -> None:
        self._arrow = arrow
        self._columns = columns
        self._schema = arrow.schema([(column.name, _arrow_type(arrow, column.kind)) for column in columns])
        self._writer = parquet.ParquetWriter(stream, self._schema, compression="zstd")
        self._rows: list[Mapping[str, Any]] = []

    def write(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Gather rows, and write them where there are enough for a group."""
        self._rows += records
        if len(self._rows) >= ROW_GROUP:
            self._write_group()

    def end(self) -> None:
        """Write the last rows and the footer."""
        if self._rows:
            self._write_group()
        self._writer.close()

    def close(self) -> None:
        """Write no footer any more, which would else be tried when the writer is forgotten."""
        self._writer.is_open = False

    def _write_group(self) -> None:
        arrays = [
            self._arrow.array([_typed(column, record) for record in self._rows], type=field.type)
            for column, field in zip(self._columns, self._schema, strict=True)
        ]
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
        self._rows = []


def _typed(column: Column, record: Mapping[str, Any]) -> Any:
    value = column.of(record)
    return datetime.fromisoformat(value) if column.kind is Cell.MOMENT and value is not None else value


def _arrow_type(arrow: Any, kind: Cell) -> Any:
    return {
        Cell.TEXT: arrow.string(),
        Cell.JSON: arrow.string(),
        Cell.NUMBER: arrow.float64(),
        Cell.INTEGER: arrow.int8(),
        Cell.FLAG: arrow.bool_(),
        Cell.MOMENT: arrow.timestamp("ms", tz="UTC"),
    }[kind]


type _MakeWriter = Callable[[BinaryIO, Sequence[Column]], RecordWriter]


def _parquet() -> _MakeWriter:
    try:
        # Only here: it is an extra, and takes long to load.
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InvalidParameter("format", _NO_PYARROW) from None
    return lambda stream, columns: _Parquet(pyarrow, pyarrow.parquet, stream, columns)


_WRITERS: Final[Mapping[FileFormat, Callable[[], _MakeWriter]]] = {
    FileFormat.CSV: lambda: _Csv,
    FileFormat.JSONL: lambda: _JsonLines,
    FileFormat.PARQUET: _parquet,
}
