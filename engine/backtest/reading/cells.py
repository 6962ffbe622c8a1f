"""Conversion of whole columns to the types of a history; cells in unusual forms are converted one by one."""

import codecs
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from typing import Any, Final
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from numpy.typing import NDArray

from engine.backtest.reading.paths import is_text
from engine.domain.errors import InvalidParameter
from engine.domain.ip import normal_address
from engine.domain.text import MAX_IDENTIFIER, check_identifier
from engine.simulation.formats import fields

type Check = Callable[[object], Any]
"""Conversion of one cell, which is never missing; raises `InvalidParameter`."""

type Way = Callable[[pa.Array], pa.Array]
"""Conversion of all cells of a column of text at once; raises `ArrowInvalid` if one does not fit."""

type Mask = NDArray[np.bool_]

WINDOWS_1252: Final = "fencewright.windows-1252"
"""Name of the handler of decoding errors that reads bytes which are not UTF-8 as Windows-1252."""

MISSING: Final = ("", "null", "NULL", "Null", "None", "(null)", "\\N", "NaN", "nan", "NA", "N/A", "n/a", "#N/A")
"""Texts of a CSV file that stand for a missing value."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
FIRST_US: Final = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND
LAST_US: Final = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH) // MICROSECOND
_UNITS_PER_SECOND: Final = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_FIRST_MS, _FIRST_US, _FIRST_NS = 1e11, 1e14, 1e17
"""Smallest Unix times that are read as milliseconds, microseconds and nanoseconds."""

_MAX_INTEGER: Final = 2**63
_INTEGER: Final = re.compile(r"[+-]?\d+", re.ASCII)
_ONE_BY_ONE: Final = 64
"""Number of cells up to which a piece is not divided further."""

_OCTET: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = rf"^(?:{_OCTET}\.){{3}}{_OCTET}$"
_FLAGS: Final = {
    **dict.fromkeys(("true", "t", "yes", "y", "1", "on"), True),
    **dict.fromkeys(("false", "f", "no", "n", "0", "off"), False),
}


class Cells(Struct, frozen=True):
    """The values of a column, and for which rows the cell cannot be read. Missing cells are null and no fault."""

    values: pa.Array
    faults: Mask


def numbers(column: pa.Array) -> Cells:
    """Return numbers as floating point; text may have a decimal comma."""
    if pa.types.is_dictionary(column.type):
        return _of_dictionary(column, numbers)
    if not is_text(column.type):
        return _faultless(pc.cast(column, pa.float64(), safe=False))
    return _converted(column, (_as_float, _as_decimal_comma), number, pa.float64())


def times(column: pa.Array) -> Cells:
    """Return times in microseconds since 1970: ISO 8601, timestamps, and Unix times in the unit of their magnitude."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _of_dictionary(column, times)
    if is_text(kind):
        return _in_range(_converted(column, (_unix_text, _unix_decimals, _zoned, _zoneless), moment, pa.int64()))
    if pa.types.is_timestamp(kind):
        return _in_range(_scaled(column.cast(pa.int64()), _UNITS_PER_SECOND[kind.unit]))
    if pa.types.is_date(kind):
        return _in_range(_scaled(column.cast(pa.date64(), safe=False).cast(pa.int64()), 1_000))
    return _in_range(_faultless(_unix(column)))


def flags(column: pa.Array) -> Cells:
    """Return truth values of Booleans, of 0 and 1, and of text such as ``yes``; a missing one is false."""
    if pa.types.is_boolean(column.type):
        return _faultless(pc.fill_null(column, False))
    found = _by_value(column, (), flag, pa.bool_())
    return Cells(pc.fill_null(found.values, False), found.faults)


def identifiers(column: pa.Array) -> Cells:
    """Return trimmed identifiers; empty ones are null."""
    if pa.types.is_integer(column.type):
        return _faultless(column.cast(pa.string()))
    return _by_value(column, (_as_identifiers,), identifier, pa.string())


def addresses(column: pa.Array) -> Cells:
    """Return IP addresses; empty ones are null."""
    return _by_value(column, (_as_ipv4,), address, pa.string())


def number(cell: object) -> float | None:
    """Return the number in a cell, or None for blank text."""
    if isinstance(cell, Decimal):
        return float(cell)
    text = fields.decimal(cell) if isinstance(cell, str) else cell
    return None if text == "" else fields.number(text, "number")


def moment(cell: object) -> int | None:
    """Return the time in a cell in microseconds since 1970, or None for blank text."""
    if isinstance(cell, str) and not (cell := cell.strip()):
        return None
    if isinstance(cell, str):
        with suppress(InvalidParameter):
            return _unix_value(int(cell) if _INTEGER.fullmatch(cell) else fields.number(cell, "time"))
    if isinstance(cell, datetime | date | str):
        return (fields.moment(str(cell)) - EPOCH) // MICROSECOND
    return (
        _unix_value(float(cell) if isinstance(cell, Decimal) else cell)
        if isinstance(cell, int | float | Decimal)
        else None
    )


def flag(cell: object) -> bool | None:
    """Return the truth value of a cell, or None for blank text."""
    text = str(int(cell)) if isinstance(cell, float) and cell in (0, 1) else str(cell).strip().lower()
    if text and text not in _FLAGS:
        raise InvalidParameter("flag", f"flag: {_shown(cell)} is neither true nor false.")
    return _FLAGS.get(text)


def identifier(cell: object) -> str | None:
    """Return the trimmed identifier in a cell, or None for blank text."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, bytes) and len(cell) == len(UUID(int=0).bytes):
        cell = UUID(bytes=cell)
    text = str(cell).strip()
    return check_identifier(text, "identifier") if text else None


@lru_cache(65_536)
def address(cell: object) -> str | None:
    """Return the trimmed IP address in a cell, or None for blank text."""
    text = str(cell).strip()
    if text and normal_address(text) is None:
        raise InvalidParameter("ip", f"ip: {_shown(cell)} is not an IP address.")
    return text or None


def cell_of(column: pa.Array, row: int) -> object:
    """Return the cell of a row for a message, also if its text is not UTF-8."""
    if pa.types.is_dictionary(column.type):
        index = column.indices[row].as_py()
        return None if index is None else cell_of(column.dictionary, index)
    return _plain(column.slice(row, 1))[0]


def faultless(size: int) -> Mask:
    """Return the faults of a column without any."""
    return np.zeros(size, np.bool_)


def _shown(cell: object) -> str:
    text = repr(cell)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _faultless(values: pa.Array) -> Cells:
    return Cells(values, faultless(len(values)))


def _of_dictionary(column: pa.Array, convert: Callable[[pa.Array], Cells]) -> Cells:
    """Convert the values of a dictionary instead of all cells."""
    found = convert(column.dictionary)
    indices = column.indices
    known = pc.fill_null(indices, 0).to_numpy() if len(column.dictionary) else None
    if known is None:
        return _faultless(pa.nulls(len(column), found.values.type))
    faults = found.faults[known] & indices.is_valid().to_numpy(zero_copy_only=False)
    return Cells(found.values.take(indices), faults)


def _by_value(column: pa.Array, ways: Sequence[Way], check: Check, kind: pa.DataType) -> Cells:
    """Convert a column with fewer values than cells."""
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    return _of_dictionary(column, lambda values: _converted(values, ways, check, kind))


def _converted(column: pa.Array, ways: Sequence[Way], check: Check, kind: pa.DataType) -> Cells:
    """Convert text in the first way that fits all cells, or else its halves, and the smallest pieces cell by cell."""
    if not is_text(column.type):
        return _one_by_one(column, check, kind)
    if not pa.types.is_string(column.type):
        column = column.cast(pa.string())
    found = _in_one_way(column, ways)
    if found is None:
        with suppress(pa.ArrowInvalid):
            column = pc.ascii_trim_whitespace(column)
        found = _in_one_way(column, ways)
    if found is not None:
        return _faultless(found)
    pieces = _in_pieces(column, ways, check, kind)
    return Cells(
        pa.concat_arrays([piece.values for piece in pieces]), np.concatenate([piece.faults for piece in pieces])
    )


def _in_pieces(column: pa.Array, ways: Sequence[Way], check: Check, kind: pa.DataType) -> list[Cells]:
    if len(column) <= _ONE_BY_ONE:
        return [_one_by_one(column, check, kind)]
    pieces: list[Cells] = []
    half = len(column) // 2
    for piece in (column.slice(0, half), column.slice(half)):
        found = _in_one_way(piece, ways)
        pieces += _in_pieces(piece, ways, check, kind) if found is None else [_faultless(found)]
    return pieces


def _in_one_way(column: pa.Array, ways: Sequence[Way]) -> pa.Array | None:
    for way in ways:
        with suppress(pa.ArrowInvalid):
            # Arrow converts all cells even if the first one does not fit.
            way(column.slice(0, 1))
            return way(column)
    return None


def _one_by_one(column: pa.Array, check: Check, kind: pa.DataType) -> Cells:
    known: dict[object, tuple[Any, bool]] = {}
    found = []
    for cell in _plain(column):
        if cell not in known:
            known[cell] = _checked(cell, check)
        found.append(known[cell])
    values = pa.array([value for value, _ in found], kind)
    return Cells(values, np.array([fault for _, fault in found], np.bool_))


def _checked(cell: object, check: Check) -> tuple[Any, bool]:
    """Return the value of a cell, and whether it is at fault."""
    try:
        return (None if cell is None or cell != cell else check(cell)), False
    except InvalidParameter:
        return None, True


def _plain(column: pa.Array) -> list[Any]:
    """Return the cells of a column; bytes that are not UTF-8 are read as Windows-1252."""
    if not is_text(column.type):
        return list(column.to_pylist())
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        cells = column.cast(pa.binary()).to_pylist()
        return [None if cell is None else text_of(cell) for cell in cells]


def text_of(data: bytes) -> str:
    """Return text in UTF-8, of which bytes that are not UTF-8 are read as Windows-1252."""
    return data.decode(errors=WINDOWS_1252)


def _in_windows_1252(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    data = error.object[error.start : error.end]
    try:
        return data.decode("cp1252"), error.end
    except UnicodeDecodeError:
        return data.decode("latin-1"), error.end


codecs.register_error(WINDOWS_1252, _in_windows_1252)


def _as_float(column: pa.Array) -> pa.Array:
    return pc.cast(column, pa.float64())


def _as_decimal_comma(column: pa.Array) -> pa.Array:
    return pc.cast(pc.replace_substring(column, ",", "."), pa.float64())


def _as_identifiers(column: pa.Array) -> pa.Array:
    column.validate(full=True)
    trimmed = pc.utf8_trim_whitespace(column)
    length = pc.utf8_length(trimmed)
    if (pc.max(length).as_py() or 0) > MAX_IDENTIFIER or pc.any(pc.match_substring(trimmed, "\0")).as_py():
        raise pa.ArrowInvalid("an identifier is not valid")
    return pc.if_else(pc.greater(length, 0), trimmed, pa.scalar(None, pa.string()))


def _as_ipv4(column: pa.Array) -> pa.Array:
    if not pc.all(pc.match_substring_regex(column, _IPV4)).as_py():
        raise pa.ArrowInvalid("an address is not valid")
    return column


def _unix_text(column: pa.Array) -> pa.Array:
    return _unix(pc.cast(column, pa.int64()))


def _unix_decimals(column: pa.Array) -> pa.Array:
    return _unix(pc.cast(column, pa.float64()))


def _zoned(column: pa.Array) -> pa.Array:
    try:
        return pc.cast(column, pa.timestamp("us", "UTC")).cast(pa.int64())
    except pa.ArrowInvalid:
        return pc.floor(pc.divide(pc.cast(column, pa.timestamp("ns", "UTC")).cast(pa.int64()), 1_000)).cast(pa.int64())


def _zoneless(column: pa.Array) -> pa.Array:
    return pc.cast(column, pa.timestamp("us")).cast(pa.int64())


def _unix(column: pa.Array) -> pa.Array:
    """Return Unix times in microseconds, each from the unit of its magnitude."""
    missing = column.is_null()
    if pa.types.is_integer(column.type):
        found = _unix_integers(pc.fill_null(column, 0).cast(pa.int64(), safe=False).to_numpy())
    else:
        values = pc.cast(column, pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        missing = pa.array(np.isnan(values))
        found = _unix_floats(np.nan_to_num(values, nan=0.0, posinf=1e300, neginf=-1e300))
    return pc.if_else(missing, pa.scalar(None, pa.int64()), pa.array(found))


def _unix_integers(values: NDArray[np.int64]) -> NDArray[np.int64]:
    size = np.abs(values.astype(np.float64))
    found: NDArray[np.int64] = np.where(size < _FIRST_NS, values, values // 1_000)
    found = np.where(size < _FIRST_US, values * 1_000, found)
    found[size < _FIRST_MS] = values[size < _FIRST_MS] * 1_000_000
    return found


def _unix_floats(values: NDArray[np.float64]) -> NDArray[np.int64]:
    size = np.abs(values)
    factors = np.select([size < _FIRST_MS, size < _FIRST_US, size < _FIRST_NS], [1e6, 1e3, 1.0], 1e-3)
    found: NDArray[np.int64] = np.rint(np.clip(values * factors, -9e18, 9e18)).astype(np.int64)
    return found


def _unix_value(value: float) -> int:
    if not isfinite(value):
        raise InvalidParameter("time", f"time: {value} is not a time.")
    if isinstance(value, int) and abs(value) < _MAX_INTEGER:
        return int(_unix_integers(np.array([value]))[0])
    return int(_unix_floats(np.array([float(value)]))[0])


def _scaled(column: pa.Array, per_second: int) -> Cells:
    """Return times of a known unit in microseconds."""
    if per_second == _UNITS_PER_SECOND["us"]:
        return _faultless(column)
    values = pc.fill_null(column, 0).to_numpy()
    if per_second == _UNITS_PER_SECOND["ns"]:
        return _faultless(pa.array(values // 1_000, mask=column.is_null().to_numpy(zero_copy_only=False)))
    factor = _UNITS_PER_SECOND["us"] // per_second
    faults = (values > LAST_US // factor) | (values < FIRST_US // factor)
    missing = faults | column.is_null().to_numpy(zero_copy_only=False)
    return Cells(pa.array(np.where(faults, 0, values) * factor, mask=missing), faults)


def _in_range(found: Cells) -> Cells:
    """Add the times to the faults that no calendar has."""
    values = pc.fill_null(found.values, 0).to_numpy()
    faults = (values < FIRST_US) | (values > LAST_US)
    return Cells(found.values, found.faults | faults) if faults.any() else found
