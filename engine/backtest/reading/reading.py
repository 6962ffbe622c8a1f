"""The rows of a portion in the columns of a history, with the rows that cannot be read."""

from collections.abc import Callable, Iterator, Mapping
from typing import IO, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from engine.backtest.fields import FIELDS
from engine.backtest.reading import delimited, parquet
from engine.backtest.reading.cells import (
    Cells,
    Mask,
    address,
    addresses,
    cell_of,
    faultless,
    flag,
    flags,
    identifier,
    identifiers,
    moment,
    number,
    numbers,
    times,
)
from engine.backtest.reading.delimited import RawRows
from engine.backtest.reading.names import DATE, HISTORY, base_of
from engine.backtest.reading.paths import is_text
from engine.backtest.reading.ranges import HistoryChanged, State
from engine.backtest.reading.sources import check_unchanged, is_remote, open_source
from engine.backtest.rows import KEPT, NOW, SCHEMA, BadRow, Portion
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import check_latitude, check_longitude
from engine.simulation.formats import fields

BATCH_ROWS: Final = 128 * 1024
EXAMPLES: Final = 10
"""Maximum number of bad rows of a portion that are returned as examples."""

_CONVERTED: Final[Mapping[str, Callable[[pa.Array], Cells]]] = {
    "device": identifiers,
    "user": identifiers,
    "time": times,
    "received": times,
    "longitude": numbers,
    "latitude": numbers,
    "accuracy": numbers,
    "stopped": flags,
    "foreground": flags,
    "ip": addresses,
}
_TYPES: Final = {
    **dict.fromkeys(("device", "user", "ip"), pa.string()),
    **dict.fromkeys(("time", "received"), pa.int64()),
    **dict.fromkeys(("longitude", "latitude", "accuracy"), pa.float64()),
    **dict.fromkeys(("stopped", "foreground"), pa.bool_()),
}
_MAX_LONGITUDE, _MAX_LATITUDE = 180.0, 90.0
_EMPTY: Final = pa.RecordBatch.from_pylist([], SCHEMA)
_NO_POSITION: Final = "there is no position such as POINT (9.5 47.1) or [9.5, 47.1], with the longitude first."
_CLOCK: Final = r"^\s*\d{1,2}:\d{2}"
"""Beginning of a time without a date."""


class Read(Struct, frozen=True):
    """Rows of a portion in the columns of `SCHEMA`, the number of bad rows among them, and examples of these."""

    batch: pa.RecordBatch
    bad_rows: int = 0
    examples: tuple[BadRow, ...] = ()


def read(portion: Portion, *, default_accuracy_m: float, batch_rows: int = BATCH_ROWS) -> Iterator[Read]:
    """Yield the rows of a portion in batches; of all bad rows, only the first ten are examples.

    `default_accuracy_m` is for rows without an accuracy. Raises `HistoryChanged` if the file is not as it was checked,
    or `InvalidParameter` naming ``history`` if it is damaged.
    """
    state = State(portion.size, portion.version)
    shown = 0
    with open_source(portion.file, portion.path, state) as file:
        try:
            if portion.format == KEPT:
                yield from map(Read, parquet.whole_batches(file, portion.row_groups, batch_rows))
                return
            for raw in _raw(portion, file, batch_rows):
                found = _Rows(portion, raw, default_accuracy_m).read(EXAMPLES - shown)
                shown += len(found.examples)
                yield found
        except (pa.ArrowException, OSError) as error:
            check_unchanged(portion.file, portion.path, state)
            if isinstance(error.__context__, HistoryChanged):
                raise error.__context__ from None
            raise InvalidParameter(HISTORY, f"{HISTORY}: {portion.file} is damaged: {parquet.short(error)}.") from None
    check_unchanged(portion.file, portion.path, state)


def _raw(portion: Portion, file: IO[bytes], batch_rows: int) -> Iterator[RawRows]:
    if portion.dialect is not None:
        where = portion.columns, portion.start, portion.end, batch_rows
        yield from delimited.rows_between(file, portion.format, portion.dialect, *where)
        return
    before = 0
    at_once = is_remote(portion.path or portion.file)
    for columns in parquet.batches(file, portion.columns, portion.row_groups, batch_rows, at_once=at_once):
        size = len(next(iter(columns.values())))
        yield RawRows(columns, np.arange(before + 1, before + size + 1), [])
        before += size


class _Rows:
    """Converts the rows of a batch, and finds the bad ones."""

    def __init__(self, portion: Portion, raw: RawRows, default_accuracy_m: float) -> None:
        self._portion = portion
        self._raw = dict(raw.columns)
        self._numbers = raw.numbers
        self._ragged = raw.bad
        self._size = len(raw.numbers)
        self._default_accuracy_m = default_accuracy_m
        self._faults: dict[str, Mask] = {}
        if DATE in self._raw:
            self._raw["time"] = _dated(self._raw["time"], self._raw.pop(DATE))
        self._blank = self._blank_rows()
        for name, value in portion.constants.items():
            self._raw[name] = pa.DictionaryArray.from_arrays(np.zeros(self._size, np.int32), pa.array([value]))

    def read(self, examples: int) -> Read:
        """Return the good rows, and at most some `examples` of bad ones."""
        if not self._size:
            return self._with_bad(_EMPTY, faultless(0), examples)
        batch = self._batch()
        bad = np.logical_or.reduce(list(self._faults.values())) & ~self._blank
        left_out = bad | self._blank
        return self._with_bad(batch.filter(pa.array(~left_out)) if left_out.any() else batch, bad, examples)

    def _blank_rows(self) -> Mask:
        """Return which rows of a CSV file are blank, or have no values in the columns in use."""
        if self._portion.dialect is None or not self._size:
            return faultless(self._size)
        blank: Mask = np.logical_and.reduce([_is_null(column) for column in self._raw.values()])
        return blank

    def _batch(self) -> pa.RecordBatch:
        device, at, received = self._converted("device"), self._converted("time"), self._converted("received")
        self._faults["device"] |= _is_null(device)
        self._faults["time" if "time" in self._raw else "received"] |= _is_null(at) & _is_null(received)
        zeros = np.zeros(self._size, np.int64)
        columns = {
            "device": device,
            "user": self._converted("user"),
            "at_us": at,
            "received_us": received,
            "number": pa.array(zeros),
            "longitude": self._degrees("longitude", _MAX_LONGITUDE),
            "latitude": self._degrees("latitude", _MAX_LATITUDE),
            "accuracy_m": self._accuracy(),
            "stopped": self._converted("stopped"),
            "foreground": self._converted("foreground"),
            "ip": self._converted("ip"),
            "revision": pa.array(np.full(self._size, NOW)),
            "settings": pa.array(zeros.astype(np.int32)),
        }
        return pa.RecordBatch.from_arrays([columns[field.name] for field in SCHEMA], schema=SCHEMA)

    def _converted(self, field: str) -> pa.Array:
        """Return a column with the type of its field, and note its faults; a column that is missing has no values."""
        kind = _TYPES[field]
        if field not in self._raw:
            return pa.array(faultless(self._size)) if kind == pa.bool_() else pa.nulls(self._size, kind)
        found = _CONVERTED[field](self._raw[field])
        self._faults[field] = found.faults
        return found.values

    def _degrees(self, field: str, most: float) -> pa.Array:
        values = self._converted(field).to_numpy(zero_copy_only=False)
        self._faults[field] |= ~(np.abs(values) <= most)
        return pa.array(values)

    def _accuracy(self) -> pa.Array:
        if "accuracy" not in self._raw:
            return pa.array(np.full(self._size, self._default_accuracy_m))
        values = self._converted("accuracy").to_numpy(zero_copy_only=False)
        missing = np.isnan(values)
        if self._portion.zero_is_unknown:
            missing |= values <= 0
        self._faults["accuracy"] |= ~missing & ~((values > 0) & (values < np.inf))
        return pa.array(np.where(missing, self._default_accuracy_m, values))

    def _with_bad(self, batch: pa.RecordBatch, bad: Mask, examples: int) -> Read:
        """Return good rows with the number of bad ones and examples of these, in the order of the file."""
        rows = np.flatnonzero(bad)
        named = [(int(self._numbers[row]), self._message(int(row))) for row in rows[:examples]]
        before = self._portion.first_row
        shown = (
            BadRow(self._portion.file, before + number, message)
            for number, message in sorted(named + self._ragged[:examples])[:examples]
        )
        return Read(batch, len(rows) + len(self._ragged), tuple(shown))

    def _message(self, row: int) -> str:
        """Return the first field of a row that cannot be read, and the reason."""
        field = next(field for field in FIELDS if field in self._faults and self._faults[field][row])
        name = self._portion.columns.get(field)
        place = f"the folder for {field}" if name is None else f"column {name}"
        cell = cell_of(self._raw[field], row)
        if cell is None or cell != cell or not str(cell).strip():
            if name is not None and base_of(name) != name:
                return f"column {base_of(name)}: {_NO_POSITION}"
            return f"{place}: there is no value."
        try:
            _CHECKS[field](cell)
        except InvalidParameter as error:
            return f"{place}: {error.message.removeprefix(f'{error.param}: ')}"
        return f"{place}: {str(cell)[:60]!r} is out of range."


def _is_null(column: pa.Array) -> Mask:
    found: Mask = column.is_null().to_numpy(zero_copy_only=False)
    return found


def _dated(time: pa.Array, date: pa.Array) -> pa.Array:
    """Return times, preceded by the date from another column if they have none."""
    if pa.types.is_time(time.type):
        time = time.cast(pa.time64("us"), safe=False)
    elif not is_text(time.type):
        return time
    if pa.types.is_timestamp(date.type):
        date = date.cast(pa.date32(), safe=False)
    time, date = (column.cast(pa.string()) for column in (time, date))
    is_clock = pc.fill_null(pc.match_substring_regex(time, _CLOCK), True)
    joined = pc.binary_join_element_wise(date, time, " ", null_handling="skip")
    return pc.if_else(is_clock, joined, time)


def _check_degrees(check: Callable[[float, str], float], field: str) -> Callable[[object], object]:
    def checked(cell: object) -> float | None:
        value = number(cell)
        return None if value is None else check(value, field)

    return checked


_CHECKS: Final[Mapping[str, Callable[[object], object]]] = {
    "device": identifier,
    "user": identifier,
    "time": moment,
    "received": moment,
    "longitude": _check_degrees(check_longitude, "longitude"),
    "latitude": _check_degrees(check_latitude, "latitude"),
    "accuracy": lambda cell: fields.accuracy(number(cell)),
    "stopped": flag,
    "foreground": flag,
    "ip": address,
}
"""The conversion of a single cell by field, which raises `InvalidParameter` with what is wrong."""
