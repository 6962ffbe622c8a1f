"""CSV files: their separator and columns, places where they can be divided, and the rows between two places."""

import codecs
import csv
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import IO, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.csv
from msgspec import Struct
from numpy.typing import NDArray

from engine.backtest.reading.cells import MISSING, WINDOWS_1252, text_of
from engine.backtest.reading.names import HISTORY
from engine.backtest.reading.paths import column_of, part_of
from engine.backtest.rows import Dialect
from engine.domain.errors import InvalidParameter
from engine.domain.words import count
from engine.tabular.rows import MAX_CELL_CHARACTERS, dialect

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
_CODECS: Final = {"csv.gz": "gzip", "csv.zst": "zstd"}
FORMATS: Final = {GZIP: "csv.gz", ZSTD: "csv.zst"}

HEAD_BYTES: Final = 1024**2
_UTF_8: Final = "utf-8"
_WIDE: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_MAX_WIDE: Final = 256 * 1024**2
"""Size of the largest file in UTF-16, which is read as a whole."""

_BLOCK: Final = 8 * 1024**2
_LEAST_BLOCK, _MOST_BLOCK = 1024**2, 8 * 1024**2
_SAMPLED: Final = 20
_NEWLINE, _RETURN, _QUOTE = b'\n\r"'
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_OPEN: Final = "a quote is not closed"
_LOST: Final = f"{_OPEN}; nothing after it in this file is read."


class Head(Struct, frozen=True):
    """The beginning of a CSV file: how it is written, where its first row begins, and the mean length of its rows.

    If `is_utf8` is not set, some letters are in Windows-1252.
    """

    dialect: Dialect
    start: int
    row_bytes: float
    is_utf8: bool = True


class Cut(Struct, frozen=True):
    """A range of bytes with whole rows: their number, and the number of rows before them."""

    start: int
    end: int
    rows: int
    first_row: int


class RawRows(Struct, frozen=True):
    """Rows as they were read: their columns by field, their numbers, and the rows with another number of cells."""

    columns: Mapping[str, pa.Array]
    numbers: NDArray[np.int64]
    bad: list[tuple[int, str]]


def plain_stream(file: IO[bytes], form: str) -> Any:
    """Return the decompressed bytes of a file."""
    return pa.CompressedInputStream(pa.PythonFile(file, "r"), _CODECS[form]) if form in _CODECS else file


def head_of(file: IO[bytes], form: str, size: int) -> Head:
    """Return the beginning of a file; raises `InvalidParameter` naming ``history`` if it is not a table."""
    try:
        data = bytes(plain_stream(file, form).read(HEAD_BYTES))
    except (pa.ArrowException, OSError) as error:
        raise InvalidParameter(HISTORY, f"it cannot be decompressed: {error}.") from None
    encoding = _WIDE.get(data[:2], _UTF_8)
    if encoding != _UTF_8:
        if form in _CODECS or size > _MAX_WIDE:
            raise InvalidParameter(HISTORY, "it is in UTF-16; save it as UTF-8.")
        data = data[: len(data) // 2 * 2].decode(encoding, "ignore").encode()
    if b"\0" in data:
        raise InvalidParameter(HISTORY, "it is neither Parquet nor a CSV table of text.")
    return _head(data, encoding)


def cuts_of(
    file: IO[bytes], head: Head, size: int, portion_bytes: int, report: Callable[[], None] = lambda: None
) -> list[Cut] | None:
    """Return the parts of about `portion_bytes` of a file, or None if quotes inside cells leave them uncertain.

    `report` is called regularly. Raises `InvalidParameter` naming ``history`` if a quote is not closed.
    """
    rows = _Rows(ord(head.dialect.separator))
    cuts: list[Cut] = []
    file.seek(head.start)
    start = at = head.start
    total = before = 0
    while data := _block(file):
        report()
        ends = rows.ends(data)
        if ends is None:
            return None
        while len(after := np.flatnonzero(ends >= start + portion_bytes - at - 1)):
            last = int(after[0])
            end = at + int(ends[last]) + 1
            cuts.append(Cut(start, end, total + last + 1 - before, before))
            before, start = total + last + 1, end
        total += len(ends)
        at += len(data)
    if rows.is_inside:
        raise InvalidParameter(HISTORY, f"{_OPEN}.")
    total += rows.is_unended
    if start < size:
        cuts.append(Cut(start, size, total - before, before))
    return cuts


def rows_between(
    file: IO[bytes], form: str, dialect: Dialect, columns: Mapping[str, str], start: int, end: int, batch_rows: int
) -> Iterator[RawRows]:
    """Yield the rows between two positions of the decompressed text, in batches; `end` is 0 for the end of the file."""
    reader = _Reader(dialect, columns)
    for batch, numbers in reader.batches(_stream(file, form, dialect, start, end), _block_size(end - start)):
        for begin in range(0, batch.num_rows, batch_rows):
            part = batch.slice(begin, batch_rows)
            yield RawRows(reader.fields_of(part), numbers[begin : begin + batch_rows], reader.taken_bad())
    if reader.bad:
        yield RawRows({}, np.empty(0, np.int64), reader.taken_bad())


def _head(data: bytes, encoding: str) -> Head:
    mark = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    # In this encoding each byte is a character, so positions in the text are positions in the file.
    whole = data[mark:].decode("latin-1")
    text, separator, _ = dialect(whole)
    lines = _Lines(text)
    rows = _cells(lines, separator)
    try:
        header = next((cells for cells in rows if any(cell.strip() for cell in cells)), None)
    except csv.Error as error:
        raise InvalidParameter(HISTORY, f"its header row cannot be read: {error}.") from None
    if header is None:
        raise InvalidParameter(HISTORY, "it is empty; its first row must be a header row.")
    start = lines.consumed + len(whole) - len(text)
    names = [text_of(cell.encode("latin-1")).strip() for cell in header] + [""] * _blank_ends(len(header), rows)
    body = data[mark + start :]
    row_bytes = len(body) / max(1, body.count(b"\n"))
    return Head(Dialect(separator, encoding, tuple(names)), mark + start, max(1.0, row_bytes), _is_utf8(data))


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are UTF-8, of which the last character may be incomplete."""
    try:
        codecs.getincrementaldecoder(_UTF_8)().decode(data)
    except UnicodeDecodeError:
        return False
    return True


class _Lines:
    """Lines of a text with their ends, and the number of characters of those that were taken."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.consumed = 0

    def __iter__(self) -> Iterator[str]:
        for line in _LINE.finditer(self._text):
            self.consumed = line.end()
            yield line[0]


def _cells(lines: _Lines, separator: str) -> Iterator[list[str]]:
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL_CHARACTERS))
    return csv.reader(lines, strict=True, delimiter=separator)


def _blank_ends(width: int, rows: Iterator[list[str]]) -> int:
    """Return how many blank cells more than the header the first rows have, which some programs write."""
    widths = set()
    try:
        for cells in islice(rows, _SAMPLED):
            if any(cell.strip() for cell in cells[width:]):
                return 0
            if cells:
                widths.add(len(cells))
    except csv.Error:
        pass
    return max(0, widths.pop() - width) if len(widths) == 1 else 0


def _block(file: IO[bytes]) -> bytes:
    """Return the next bytes of a file, which do not end between the two characters of a line end."""
    data = file.read(_BLOCK)
    while data.endswith(b"\r") and (more := file.read(1)):
        data += more
    return data


class _Rows:
    """Finds the ends of rows outside of quotes, in consecutive blocks."""

    def __init__(self, separator: int) -> None:
        self.is_inside = False
        self.is_unended = False
        self._before = _NEWLINE
        self._may_precede = np.zeros(256, np.bool_)
        self._may_precede[[separator, _NEWLINE, _RETURN, _QUOTE]] = True

    def ends(self, data: bytes) -> NDArray[np.int64] | None:
        """Return the positions of the ends of rows, or None if a quote begins within a cell.

        Arrow takes such a quote for a character like others, so which newlines are in a cell would be uncertain.
        """
        found = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(found == _NEWLINE)
        if b"\r" in data:
            single = np.flatnonzero(found == _RETURN)
            following = np.append(found[1:], 0)[single]
            ends = np.union1d(ends, single[following != _NEWLINE])
        if b'"' in data:
            quotes = np.flatnonzero(found == _QUOTE)
            opening = quotes[int(self.is_inside) :: 2]
            before = found[opening - 1]
            if len(opening) and not opening[0]:
                before[0] = self._before
            if not self._may_precede[before].all():
                return None
            ends = ends[(np.searchsorted(quotes, ends) + self.is_inside) % 2 == 0]
            self.is_inside ^= bool(len(quotes) % 2)
        elif self.is_inside:
            ends = ends[:0]
        self._before = data[-1]
        self.is_unended = not len(ends) or int(ends[-1]) != len(data) - 1
        return ends


def _block_size(size: int) -> int:
    return min(max(size, _LEAST_BLOCK), _MOST_BLOCK)


def _stream(file: IO[bytes], form: str, dialect: Dialect, start: int, end: int) -> Any:
    """Return the bytes from one position to another of the decompressed text in UTF-8."""
    if dialect.encoding != _UTF_8:
        text = file.read().decode(dialect.encoding, "replace")
        return pa.BufferReader(text.encode()[start:])
    stream = plain_stream(file, form)
    if form not in _CODECS:
        file.seek(start)
        return pa.PythonFile(Part(stream, end - start), "r")
    while start > 0:
        start -= len(stream.read(min(start, _BLOCK)))
    return pa.PythonFile(Part(stream, sys.maxsize), "r")


class Part:
    """The next bytes of a file, up to a number, as UTF-8."""

    closed = False

    def __init__(self, file: Any, size: int) -> None:
        self._file = file
        self._left = size
        self._decoder = codecs.getincrementaldecoder(_UTF_8)(WINDOWS_1252)
        self._rest = b""

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, and none only at the end."""
        while not self._rest and self._left:
            self._rest = self._next(size)
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def _next(self, size: int) -> bytes:
        data = bytes(self._file.read(min(size, self._left)))
        self._left = self._left - len(data) if data else 0
        if data.isascii() and self._left and not self._decoder.getstate()[0]:
            return data
        return self._decoder.decode(data, final=not self._left).encode()

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def close(self) -> None:
        """Leave the file open, since its owner closes it."""
        self.closed = True


class _Reader:
    """Reads the columns in use as text, and collects the rows with another number of cells."""

    def __init__(self, dialect: Dialect, columns: Mapping[str, str]) -> None:
        self._separator = dialect.separator
        self._width = len(dialect.names)
        index_of = {name: index for index, name in reversed(tuple(enumerate(dialect.names)))}
        self._inside = {field: column_of(name, index_of) for field, name in columns.items()}
        self._indices = {column: str(index_of[column]) for column in self._inside.values()}
        self._columns = columns
        self._removed: list[int] = []
        self.bad: list[tuple[int, str]] = []

    def batches(self, stream: Any, block_size: int) -> Iterator[tuple[pa.RecordBatch, NDArray[np.int64]]]:
        """Yield batches with the number of each row, from 1."""
        wanted = list(self._indices.values())
        taken = 0
        try:
            found = pa.csv.open_csv(
                stream,
                pa.csv.ReadOptions(
                    use_threads=False, block_size=block_size, column_names=[str(index) for index in range(self._width)]
                ),
                pa.csv.ParseOptions(
                    delimiter=self._separator,
                    newlines_in_values=True,
                    ignore_empty_lines=False,
                    invalid_row_handler=self._refuse,
                ),
                pa.csv.ConvertOptions(
                    include_columns=wanted,
                    column_types=dict.fromkeys(wanted, pa.string()),
                    null_values=MISSING,
                    strings_can_be_null=True,
                ),
            )
            for batch in found:
                yield batch, self._numbers(taken, batch.num_rows)
                taken += batch.num_rows
        except pa.ArrowInvalid as error:
            if "Empty CSV" in str(error):
                return
            if "straddling" not in str(error):
                raise
            self.bad.append((taken + len(self._removed) + 1, _LOST))

    def fields_of(self, batch: pa.RecordBatch) -> dict[str, pa.Array]:
        """Return the columns of a batch by field."""
        return {
            field: part_of(batch.column(self._indices[column]), self._columns[field], column)
            for field, column in self._inside.items()
        }

    def taken_bad(self) -> list[tuple[int, str]]:
        """Return the bad rows since the last call."""
        bad, self.bad = self.bad, []
        return bad

    def _refuse(self, row: pa.csv.InvalidRow) -> str:
        self._removed.append(row.number)
        if row.text.count('"') % 2:
            self.bad.append((row.number, _LOST))
        elif row.text.strip():
            self.bad.append((row.number, f"it has {count(row.actual_columns, 'cell')} instead of {self._width}."))
        return "skip"

    def _numbers(self, taken: int, size: int) -> NDArray[np.int64]:
        """Return the numbers of some rows, of which `taken` came before, among all rows."""
        numbers = np.arange(taken + 1, taken + size + 1)
        if self._removed:
            removed = np.array(self._removed)
            good_before = removed - np.arange(1, len(removed) + 1)
            numbers += np.searchsorted(good_before, numbers - 1, side="right")
        return numbers
