"""Tables for spreadsheets, which run some text cells as formulas.

Such a cell gets a leading apostrophe, with which spreadsheets mark text. A cell that already has apostrophes gets
another one, so that every cell can be read back unchanged.
"""

import csv
import re
from collections.abc import Callable, Iterable
from typing import Final, TextIO

_MARK: Final = "'"
_RUN: Final = "=+\\-@\t\r\n＝＋－＠"
_WOULD_RUN: Final = re.compile(rf"'*[{_RUN}]")
_RISKY: Final = re.compile(rf"'*[{_RUN}\s]")
_OPEN_END: Final = re.compile(r"\s'*\Z")
_PROTECTED: Final = re.compile(rf"'+[{_RUN}\s]")
_CLOSED: Final = re.compile(r"\s'+\Z")


def escaped(text: str) -> str:
    """Return a cell that is only displayed."""
    return _MARK + text if _WOULD_RUN.match(text) else text


def unescaped(cell: str) -> str:
    """Return the original text of an escaped cell."""
    return cell[1:] if cell.startswith(_MARK) and _WOULD_RUN.match(cell[1:]) else cell


def protected(cell: str) -> str:
    """Return a cell for a reader that strips spaces; `plain` restores its text."""
    if _RISKY.match(cell):
        cell = f"{_MARK}{cell}"
    return f"{cell}{_MARK}" if _OPEN_END.search(cell) else cell


def plain(cell: str) -> str:
    """Return a cell without surrounding spaces, and without the apostrophes that `protected` added."""
    cell = cell.strip()
    if _MARK in cell:
        if _PROTECTED.match(cell):
            cell = cell[1:]
        if _CLOSED.search(cell):
            cell = cell[:-1]
    return cell


def write_rows(
    file: TextIO, rows: Iterable[Iterable[object]], *, escape: Callable[[str], str] = escaped, line_end: str = "\r\n"
) -> None:
    """Write the rows of a table: texts are escaped, numbers are unchanged, and None becomes an empty cell."""
    table = csv.writer(file, lineterminator=line_end)
    table.writerows([escape(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
