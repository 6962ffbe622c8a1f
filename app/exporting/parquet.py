"""Parquet files of records: tables with typed columns."""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any, BinaryIO, Final

from arro3.core import Array, DataType, Field, RecordBatch, RecordBatchReader, Schema
from arro3.io import write_parquet

from app.exporting.columns import Cell, Column
from app.exports import Batches

_ROW_GROUP: Final = 10_000
"""Rows that are compressed together, and held in memory at a time."""

_TYPES: Final[Mapping[Cell, DataType]] = {
    Cell.TEXT: DataType.string(),
    Cell.JSON: DataType.string(),
    Cell.NUMBER: DataType.float64(),
    Cell.INTEGER: DataType.int8(),
    Cell.FLAG: DataType.bool(),
    Cell.MOMENT: DataType.timestamp("ms", tz="UTC"),
}


def write_table(stream: BinaryIO, columns: Sequence[Column], batches: Batches) -> None:
    """Write records as a table, one row group after the other.

    arro3 does not propagate exceptions that are raised while it reads or writes. Therefore it writes to memory, which
    is moved to the stream between batches, and an exception is kept, ends the table early, and is raised afterwards.
    """
    schema = Schema([Field(column.name, _TYPES[column.kind]) for column in columns])
    written = BytesIO()
    failures: list[BaseException] = []

    def tables() -> Iterator[RecordBatch]:
        try:
            for records in batches:
                yield RecordBatch.from_arrays([_array(column, records) for column in columns], schema=schema)
                _move(written, stream)
        except BaseException as error:  # noqa: BLE001 - raised again below
            failures.append(error)

    reader = RecordBatchReader.from_batches(schema, tables())
    write_parquet(reader, written, compression="zstd(1)", max_row_group_size=_ROW_GROUP)
    if failures:
        raise failures[0]
    _move(written, stream)


def _array(column: Column, records: Sequence[Mapping[str, Any]]) -> Array:
    values = [column.of(record) for record in records]
    if column.kind is Cell.MOMENT:
        return Array(values, DataType.string()).cast(_TYPES[column.kind])
    return Array(values, _TYPES[column.kind])


def _move(written: BytesIO, stream: BinaryIO) -> None:
    stream.write(written.getvalue())
    written.seek(0)
    written.truncate()
