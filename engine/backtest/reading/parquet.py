"""Parquet files: their columns and row groups, and the rows of some groups."""

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from engine.backtest.reading.names import DATE, HISTORY
from engine.backtest.reading.paths import column_of, is_binary, is_text, names_in, part_of
from engine.domain.errors import InvalidParameter

MAGIC: Final = b"PAR1"
_REPEATED: Final = ("device", "user", "ip", "stopped", "foreground")
_MOMENTS: Final = ("time", "received", DATE)


class Footer(Struct, frozen=True):
    """The columns of a Parquet file by name with their types, and the number of rows of each row group."""

    columns: Mapping[str, pa.DataType]
    schema: pa.Schema
    groups: tuple[int, ...]


def footer_of(file: IO[bytes]) -> Footer:
    """Return the columns and row groups of a file; raises `InvalidParameter` naming ``history``."""
    try:
        found = pq.ParquetFile(file)
        metadata, schema = found.metadata, found.schema_arrow
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InvalidParameter(HISTORY, f"it is a damaged Parquet file: {short(error)}.") from None
    if repeated := {name for name in schema.names if schema.names.count(name) > 1}:
        raise InvalidParameter(HISTORY, f"it has several columns named {min(repeated)!r}.")
    groups = tuple(metadata.row_group(index).num_rows for index in range(metadata.num_row_groups))
    return Footer(dict(names_in(schema)), schema, groups)


def check_types(columns: Mapping[str, str], types: Mapping[str, pa.DataType]) -> None:
    """Raise `InvalidParameter` naming ``history`` if a column has a type that its field cannot have."""
    for field, name in columns.items():
        kind = types.get(name) or types[name[:-2]]
        if name not in types and not (is_text(kind) or is_binary(kind)):
            raise InvalidParameter(HISTORY, f"the column {name[:-2]} has the type {kind}, which has no coordinates.")
        if pa.types.is_time(kind) and not (field == "time" and DATE in columns):
            raise InvalidParameter(HISTORY, f"the column {name} has the type {kind}, which has no date.")
        if not _fits(field, kind):
            raise InvalidParameter(HISTORY, f"the column {name} has the type {kind}, which is not one of {field}.")


def grouped(groups: Sequence[int], portion_rows: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield consecutive row groups of about `portion_rows` rows, their number of rows, and that of the rows before."""
    before = rows = 0
    some: list[int] = []
    for index, size in enumerate(groups):
        if some and rows + size > portion_rows:
            yield tuple(some), rows, before
            before, rows, some = before + rows, 0, []
        some.append(index)
        rows += size
    if rows:
        yield tuple(some), rows, before


def batches(
    file: IO[bytes], columns: Mapping[str, str], groups: Sequence[int], batch_rows: int, *, at_once: bool
) -> Iterator[dict[str, pa.Array]]:
    """Yield the columns of some row groups by field, in batches; raises an error of Arrow if they are damaged.

    With `at_once`, few large ranges of the file are read instead of many small ones, which takes more memory.
    """
    schema = pq.ParquetFile(file).schema_arrow
    inside = {field: column_of(name, schema.names) for field, name in columns.items()}
    texts = [column for field, column in inside.items() if field in _REPEATED and is_text(schema.field(column).type)]
    found = pq.ParquetFile(file, read_dictionary=texts, pre_buffer=at_once)
    wanted = list(dict.fromkeys(inside.values()))
    for batch in found.iter_batches(batch_rows, row_groups=list(groups), columns=wanted, use_threads=False):
        yield {field: part_of(batch.column(column), columns[field], column) for field, column in inside.items()}


def whole_batches(file: IO[bytes], groups: Sequence[int], batch_rows: int) -> Iterator[pa.RecordBatch]:
    """Yield all columns of some row groups in batches; raises an error of Arrow if they are damaged."""
    yield from pq.ParquetFile(file).iter_batches(batch_rows, row_groups=list(groups), use_threads=False)


def short(error: Exception) -> str:
    """Return the first line of the message of an error of Arrow."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")[:200]


def _fits(field: str, kind: Any) -> bool:
    types = pa.types
    if types.is_dictionary(kind):
        return _fits(field, kind.value_type)
    if is_text(kind) or is_binary(kind) or types.is_null(kind):
        return True
    is_number = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    if field in _MOMENTS:
        return bool(is_number or _is_moment(kind))
    if field in ("stopped", "foreground"):
        return bool(types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind))
    if field in ("device", "user"):
        return bool(is_number or types.is_fixed_size_binary(kind) or isinstance(kind, pa.UuidType))
    return bool(is_number) and field != "ip"


def _is_moment(kind: Any) -> bool:
    types = pa.types
    return bool(types.is_timestamp(kind) or types.is_date(kind) or types.is_time(kind))
