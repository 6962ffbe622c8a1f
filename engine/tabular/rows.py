"""A text table as spreadsheets write it: with a header row, separated by commas, semicolons, tabs or vertical bars.

A cell that a spreadsheet would run as a formula, or whose outer spaces are significant, is written between apostrophes,
which are removed on reading; see `spreadsheet.py`.
"""

import csv
import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import Encoding
from engine.tabular.encodings import decoded
from engine.tabular.formats.source import FILE, MAX_ROWS, FileFormat, Source, SourceRow
from engine.tabular.spreadsheet import plain

MAX_CELL_CHARACTERS = 1_000_000
"""Maximum length of a cell; it is longer than any allowed ring, so a longer cell has a quote that was never closed."""

SEPARATORS: Final = (",", ";", "\t", "|")
_SEPARATOR_LINE: Final = re.compile(r"sep=([,;\t|])\r?\n")
"""The line that specifies the separator for Excel."""

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


class Row(Struct, frozen=True):
    """One record; `number` is the row number in a spreadsheet, where the header is row 1 and blank rows count."""

    number: int
    cells: tuple[str, ...]

    @property
    def blank(self) -> bool:
        """Whether all cells are empty."""
        return not any(cell.strip() for cell in self.cells)


def read_csv(data: bytes, encoding: Encoding | None = None) -> Source:
    """Return a table in an encoding, by default the recognised one; raises `InvalidParameter` if it is not a table."""
    read = decoded(data, FILE, encoding)
    text, separator, skipped = dialect(read.text)
    _check_count(text, separator, skipped)
    rows = table_rows(text, separator, skipped, FILE)
    header = next(rows, None)
    if header is None:
        raise InvalidParameter(FILE, "The table is empty; its first row must be a header row.")
    columns = tuple(cell.strip() for cell in header.cells)
    found = [_source_row(columns, row) for row in rows]
    return Source(
        FileFormat.CSV,
        columns,
        found,
        decimal_comma=separator != ",",
        header_row=header.number,
        notes=read.notes,
        encoding=read.encoding,
    )


def read_rows(data: bytes, param: str) -> Iterator[Row]:
    """Yield the rows of the table `data` that are not blank; the first is the header, if there is one.

    Raises `InvalidParameter` naming `param`, with the row in its text, if the data is not a table of text. The
    whole table is refused in that case, because nothing after the error can be trusted.
    """
    yield from table_rows(*dialect(decoded(data, param).text), param)


def _check_count(text: str, separator: str, skipped: int) -> None:
    """Refuse too many rows before they are created: freeing a million blocks the interpreter for half a second."""
    if text.count("\n") + text.count("\r") <= MAX_ROWS:
        return
    header = 1
    count = sum(1 for _ in table_rows(text, separator, skipped, FILE)) - header
    if count > MAX_ROWS:
        raise InvalidParameter(FILE, f"There are {count:,} rows; at most {MAX_ROWS:,} are allowed.")


def _source_row(columns: tuple[str, ...], row: Row) -> SourceRow:
    width = len(columns)
    if len(row.cells) < width or any(cell.strip() for cell in row.cells[width:]):
        fault = f"There are {len(row.cells)} cells, but {width} columns in the header."
        return SourceRow(row.number, {}, fault=fault)
    return SourceRow(row.number, dict(zip(columns, map(plain, row.cells), strict=False)))


def dialect(text: str) -> tuple[str, str, int]:
    """Return the text, the separator of its cells, and the number of lines that specify it before the table."""
    if declared := _SEPARATOR_LINE.match(text):
        return text[declared.end() :], declared[1], 1
    widths = {separator: _header_width(text, separator) for separator in SEPARATORS}
    best = max(SEPARATORS, key=lambda separator: widths[separator])
    return text, best if widths[best] > 1 else SEPARATORS[0], 0


def _lines(text: str) -> Iterator[str]:
    """Yield lines with their line ends, one by one, since copying a text of 64 MB takes a large part of a second."""
    return (line[0] for line in _LINE.finditer(text))


def _header_width(text: str, separator: str) -> int:
    """Return the number of cells into which a separator splits the header."""
    try:
        for cells in csv.reader(_lines(text), strict=True, delimiter=separator):
            if any(cell.strip() for cell in cells):
                return len(cells)
    except csv.Error:
        pass
    return 0


def table_rows(text: str, separator: str, skipped: int, param: str) -> Iterator[Row]:
    """Yield the rows that are not blank of a text split into its table and the `skipped` lines before it."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL_CHARACTERS))
    reader = csv.reader(_lines(text), strict=True, delimiter=separator)
    number = skipped
    try:
        for number, cells in enumerate(reader, 1 + skipped):
            row = Row(number, tuple(cells))
            if not row.blank:
                yield row
    except csv.Error as error:
        raise InvalidParameter(param, f"row {number + 1}: {_explain(error)}.") from None


def _explain(error: csv.Error) -> str:
    text = str(error)
    if "unexpected end" in text:
        return "a quote is not closed"
    if "field larger" in text:
        return f"a cell is longer than {MAX_CELL_CHARACTERS:,} characters; a quote may not be closed"
    if "expected after" in text:
        return "there is text after a closing quote; a quote inside a cell must be doubled"
    return text
