"""Export files of records, and their writers."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from app.exporting.columns import COLUMNS, Cell, Column
from app.exports import Batches, FileFormat, RecordKind
from app.files import draft_of
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress, no_progress
from engine.extras import how_to_install
from engine.tabular.spreadsheet import write_rows

_NO_ARRO3: Final = f"format: Parquet files need arro3-io, which is not installed. {how_to_install('gis')}"

type _Write = Callable[[BinaryIO, Sequence[Column], Batches], None]
"""Writes all records to a stream, one batch after the other. The caller closes the stream."""


def write_records(
    file: Path,
    file_format: FileFormat,
    kind: RecordKind,
    total: int,
    batches: Batches,
    progress: Progress = no_progress,
) -> int:
    """Write records to a file and return how many there were.

    The file appears when it is complete. Only its owner may read it, since it holds users' positions. Raises
    `InvalidParameter` for ``output`` if the file cannot be written, and for ``format`` if the library for it is not
    installed. `progress` may raise `Cancelled`, in which case no file is left.
    """
    write = _WRITERS[file_format]()
    written = 0

    def counted() -> Batches:
        nonlocal written
        for records in batches:
            yield records
            written += len(records)
            progress(min(written, total), total)

    with draft_of(file, owner_only=True) as stream:
        progress(0, total)
        write(stream, COLUMNS[kind], counted())
        progress(total, total)
    return written


def _write_csv(stream: BinaryIO, columns: Sequence[Column], batches: Batches) -> None:
    """Write a table with a header. Values other than text are written as JSON."""
    text = TextIOWrapper(stream, encoding="utf-8", newline="", write_through=False)
    try:
        write_rows(text, [[column.name for column in columns]])
        for records in batches:
            write_rows(text, ([_cell(column, record) for column in columns] for record in records))
        text.flush()
    finally:
        with suppress(OSError):
            text.detach()


def _cell(column: Column, record: Mapping[str, Any]) -> Any:
    value = column.of(record)
    if column.kind is Cell.FLAG and value is not None:
        return "true" if value else "false"
    return value


def _write_json_lines(stream: BinaryIO, _columns: Sequence[Column], batches: Batches) -> None:
    """Write one record per line, as the API returns it."""
    for records in batches:
        stream.write(b"".join([orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE) for record in records]))


def _parquet() -> _Write:
    try:
        # Imported here because the library is an optional extra and slow to load.
        from app.exporting.parquet import write_table
    except ImportError:
        raise InvalidParameter("format", _NO_ARRO3) from None
    return write_table


_WRITERS: Final[Mapping[FileFormat, Callable[[], _Write]]] = {
    FileFormat.CSV: lambda: _write_csv,
    FileFormat.JSONL: lambda: _write_json_lines,
    FileFormat.PARQUET: _parquet,
}
