"""Rows of a sheet of an Excel file (.xlsx), as the texts that a CSV of the sheet would have.

Numbers are written as Excel shows them: 12 rather than 12.0, with at most 15 digits. Dates and times are written as in
ISO 8601, a date at midnight without its time. The value of cells merged vertically holds for all of their rows. Rows
with a single cell above the header row, such as a title, are skipped.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.source import FILE, MAX_CELL, MAX_ROWS

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

type Row = tuple[int, list[str]]
"""A row's number in the sheet, and its cells."""

PROTECTED: Final = "This Excel file is protected with a password. Save it without one, and import it again."
_NAMES_SHOWN: Final = 10
_EXACT: Final = 2**53
"""Whole numbers below this are exact in a cell."""


class Sheet(Struct, frozen=True):
    """A sheet that was read, the names of all sheets, and notes about the choices made in reading it."""

    name: str
    names: tuple[str, ...]
    header_row: int
    columns: tuple[str, ...]
    rows: list[Row]
    notes: tuple[str, ...] = ()

    @property
    def layer(self) -> str:
        """The name of the sheet."""
        return self.name

    @property
    def positions(self) -> int:
        """Number of positions of geometries, which a table has in its cells."""
        return 0

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield the rows by column; a row with a cell that is too long has a fault."""
        for number, cells in self.rows:
            values = dict(zip(self.columns, cells, strict=True))
            if "" in values:
                values[""] = next((cell for column, cell in zip(self.columns, cells, strict=True) if not column), "")
            long = next((column for column, cell in values.items() if len(cell) > MAX_CELL), None)
            if long is None:
                yield {"number": number, "values": values}
            else:
                fault = f"{long}: may have at most {MAX_CELL:,} characters, not {len(values[long]):,}."
                yield {"number": number, "values": {**values, long: ""}, "fault": fault, "column": long}


def read_sheet(path: Path, wanted: str | None) -> Sheet:
    """Return a sheet by name, or the first visible one with rows; raises `InvalidParameter`."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    try:
        with CalamineWorkbook.from_path(path) as book:
            return _read(book, wanted)
    except PasswordError:
        raise InvalidParameter(FILE, PROTECTED) from None
    except CalamineError as error:
        reason = str(error).splitlines()[0][:200] if str(error) else "no reason given"
        raise InvalidParameter(FILE, f"This Excel file cannot be read: {reason}.") from None


def _read(book: "CalamineWorkbook", wanted: str | None) -> Sheet:
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    sheets = [each for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    names = tuple(each.name for each in sheets)
    if wanted is not None:
        return _sheet(book.get_sheet_by_name(_chosen(names, wanted)), names)
    for name in (each.name for each in sheets if each.visible == SheetVisibleEnum.Visible):
        sheet = book.get_sheet_by_name(name)
        if any(any(map(text_of_cell, row)) for row in sheet.iter_rows()):
            return _sheet(sheet, names, _choice(name, names))
    raise InvalidParameter(FILE, "This Excel file has no visible sheet with rows.")


def _chosen(names: Sequence[str], wanted: str) -> str:
    folded = wanted.strip().lower()
    found = wanted if wanted in names else next((name for name in names if name.strip().lower() == folded), None)
    if found is None:
        raise InvalidParameter("sheet", f"sheet: there is no sheet {wanted!r}. Sheets: {listed(names)}.")
    return found


def _choice(name: str, names: Sequence[str]) -> tuple[str, ...]:
    others = [other for other in names if other != name]
    return (f"The sheet {name!r} was read, the first with rows. Other sheets: {listed(others)}.",) if others else ()


def listed(names: Sequence[str]) -> str:
    """Return names, quoted, of which only the first are listed if there are many."""
    more = f" and {len(names) - _NAMES_SHOWN:,} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(map(repr, names[:_NAMES_SHOWN])) + more


def _sheet(sheet: "CalamineSheet", names: tuple[str, ...], notes: tuple[str, ...] = ()) -> Sheet:
    numbered = enumerate(sheet.iter_rows(), 1)
    filled = ((number, [text_of_cell(cell) for cell in cells]) for number, cells in numbered)
    rows = [(number, cells) for number, cells in filled if any(cells)]
    if not rows:
        raise InvalidParameter(FILE, f"The sheet {sheet.name!r} is empty; its first row must be a header row.")
    header = next((at for at, (_, cells) in enumerate(rows) if sum(map(bool, cells)) > 1), 0)
    (header_row, columns), below = rows[header], rows[header + 1 :]
    if (count := len(below)) > MAX_ROWS:
        raise InvalidParameter(FILE, f"There are {count:,} rows; at most {MAX_ROWS:,} are allowed.")
    if header:
        notes = (*notes, f"The header row is row {header_row}; the text above it was skipped.")
    _fill_merged(below, sheet, header_row)
    return Sheet(sheet.name, names, header_row, tuple(columns), below, notes)


def _fill_merged(rows: list[Row], sheet: "CalamineSheet", header_row: int) -> None:
    """Repeat the value of merged cells in their rows below the first, in their first column."""
    numbers = [number for number, _ in rows]
    # Rows begin at the first column that is used anywhere in the sheet.
    first_column = 0 if sheet.start is None else sheet.start[1]
    for (top, left), (bottom, _) in sheet.merged_cell_ranges or []:
        merged, column = rows[bisect_left(numbers, top + 1) : bisect_right(numbers, bottom + 1)], left - first_column
        if not merged or merged[0][0] != top + 1 or top < header_row or not 0 <= column < len(merged[0][1]):
            continue
        for _, cells in merged[1:]:
            cells[column] = merged[0][1][column]


def text_of_cell(value: object) -> str:
    """Return a cell's value as text in the form of a CSV."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < _EXACT:
            return str(int(value))
        case float():
            return f"{value:.15g}"
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat()
        case _:
            return str(value).strip()
