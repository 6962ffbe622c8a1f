"""A table of text as spreadsheets write it: comma-separated, UTF-8, with a header row."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO

from engine.domain.errors import InvalidParameter

MAX_CELL_CHARACTERS = 1_000_000
"""Longer than any ring of the specification; a longer cell is a quote that was never closed."""

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Row:
    """One record. `number` is what a spreadsheet shows at its left: the header is row 1, blank rows count."""

    number: int
    cells: tuple[str, ...]

    @property
    def blank(self) -> bool:
        """Whether no cell holds anything."""
        return not any(cell.strip() for cell in self.cells)


def read_rows(data: bytes, param: str) -> Iterator[Row]:
    """Yield the rows of the table `data` that hold anything; the first is the header, if there is one.

    Raises `InvalidParameter` naming `param`, and in its text the row, for what is not a table of UTF-8 text: the
    whole table is refused then, because nothing after such a place can be trusted.
    """
    reader = csv.reader(StringIO(_decode(data, param), newline=""), strict=True)
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL_CHARACTERS))
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            row = Row(number, tuple(cells))
            if not row.blank:
                yield row
    except csv.Error as error:
        raise InvalidParameter(param, f"row {number + 1}: {_explain(error)}.") from None


def check_commas(header: Row, param: str) -> None:
    """Raise `InvalidParameter` naming `param` if the header is one cell that another separator would split."""
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(header.cells) == 1 and separator in header.cells[0]:
            raise InvalidParameter(
                param, f"row {header.number}: the columns are separated by {name}; they must be separated by commas."
            )


def _decode(data: bytes, param: str) -> str:
    if data.startswith(_UTF16_MARKS):
        raise InvalidParameter(param, "row 1: the text is UTF-16; it must be saved as UTF-8.")
    if (at := data.find(b"\0")) >= 0:
        raise InvalidParameter(param, f"row {_line(data, at)}: there is a NUL character; this is not a text table.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"the byte 0x{data[error.start]:02x}"
        raise InvalidParameter(
            param, f"row {_line(data, error.start)}: {byte} is not UTF-8; the text must be saved as UTF-8."
        ) from None


def _line(data: bytes, at: int) -> int:
    """Return the row of a byte, counted up to quotes alone: where text cannot be read, its lines still can."""
    rows = data[:at].split(b'"')[::2]
    return sum(part.count(b"\n") or part.count(b"\r") for part in rows) + 1


def _explain(error: csv.Error) -> str:
    text = str(error)
    if "unexpected end" in text:
        return "a quote is opened and never closed"
    if "field larger" in text:
        return f"a cell is longer than {MAX_CELL_CHARACTERS:,} characters; is a quote never closed?"
    if "expected after" in text:
        return "there is text after a closing quote; a quote inside a cell must be doubled"
    return text
