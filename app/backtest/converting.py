"""Events of a back-test as CSV or GeoJSON, from the Parquet files that it leaves."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq

from app.backtest.formats import EVENTS, EventFormat
from app.files import draft_of
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress, no_progress
from engine.tabular.spreadsheet import escaped

_ROWS: Final = 10_000
"""Rows that are in memory at a time."""

_TIME: Final = "createdAt"
_WIRE_TIME: Final = "%Y-%m-%dT%H:%M:%SZ"
"""Format of times; the seconds have as many decimals as the column."""

_POSITION: Final = ("longitude", "latitude")

type _Batches = Iterator[pa.RecordBatch]
"""Events, some at a time, whose times are spelled as on the wire."""

type _Write = Callable[[BinaryIO, pa.Schema, _Batches], None]


def convert_events(folder: Path, file: Path, file_format: EventFormat, progress: Progress = no_progress) -> int:
    """Write the events of a back-test to a file in another format, and return how many there are.

    The file appears when it is complete. Only its owner may read it, since it holds users' positions. `progress` may
    raise `Cancelled`, in which case no file is left. Raises `InvalidParameter` for ``output``.
    """
    try:
        parts = [pq.ParquetFile(each) for each in sorted(folder.glob(EVENTS))]
        if not parts:
            raise InvalidParameter("output", f"{folder} has no files {EVENTS}, so it is not the output of a back-test.")
        total: int = sum(each.metadata.num_rows for each in parts)
        with draft_of(file, owner_only=True) as stream:
            schema = _spelled_schema(parts[0].schema_arrow)
            _WRITERS[file_format](stream, schema, _batches(parts, total, progress))
    except pa.ArrowException as error:
        raise InvalidParameter("output", f"{folder}: the events cannot be read: {error}.") from error
    return total


def _batches(parts: list[pq.ParquetFile], total: int, progress: Progress) -> _Batches:
    done = 0
    progress(done, total)
    for batch in chain.from_iterable(each.iter_batches(_ROWS) for each in parts):
        yield _spelled(batch)
        done += batch.num_rows
        progress(done, total)


def _spelled_schema(schema: pa.Schema) -> pa.Schema:
    return pa.schema([field.with_type(pa.string()) if field.name == _TIME else field for field in schema])


def _spelled(batch: pa.RecordBatch) -> pa.RecordBatch:
    at = batch.schema.get_field_index(_TIME)
    return batch.set_column(at, pa.field(_TIME, pa.string()), pc.strftime(batch.column(at), _WIRE_TIME))


def _write_csv(stream: BinaryIO, schema: pa.Schema, batches: _Batches) -> None:
    with pcsv.CSVWriter(stream, schema, write_options=pcsv.WriteOptions(eol="\r\n")) as writer:
        for batch in batches:
            columns = [_escaped(each) if pa.types.is_string(each.type) else each for each in batch.columns]
            writer.write(pa.record_batch(columns, schema))


def _escaped(column: pa.StringArray) -> pa.StringArray:
    """Return texts that no spreadsheet runs as formulas; those that recur are examined once."""
    encoded = column.dictionary_encode()
    texts = pa.array([escaped(each) for each in encoded.dictionary.to_pylist()], pa.string())
    return texts.take(encoded.indices)


def _write_geojson(stream: BinaryIO, schema: pa.Schema, batches: _Batches) -> None:
    """Write points, one in each line, whose properties are the other columns with a value."""
    others = [name for name in schema.names if name not in _POSITION]
    separator = b"\n"
    stream.write(b'{"type":"FeatureCollection","features":[')
    for batch in batches:
        columns = {name: _values(batch.column(name)) for name in schema.names}
        positions = zip(*(columns[name] for name in _POSITION), strict=True)
        rows = zip(*(columns[name] for name in others), strict=True)
        features = [
            _feature(position, dict(zip(others, row, strict=True)))
            for position, row in zip(positions, rows, strict=True)
        ]
        if features:
            stream.write(separator + b",\n".join(map(orjson.dumps, features)))
            separator = b",\n"
    stream.write(b"\n]}\n")


def _values(column: pa.Array) -> list[Any]:
    """Return the values of a column. Those of a whole array are converted much faster than one by one."""
    if column.null_count and not pa.types.is_string(column.type):
        values: list[Any] = column.to_pylist()
    else:
        values = column.to_numpy(zero_copy_only=False).tolist()
    return values


def _feature(position: tuple[float, float], properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": position},
        "properties": {name: value for name, value in properties.items() if value is not None},
    }


_WRITERS: Final[Mapping[EventFormat, _Write]] = {EventFormat.CSV: _write_csv, EventFormat.GEOJSON: _write_geojson}
