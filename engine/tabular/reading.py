"""Conversion of the rows of a file to one change per row, or to errors; the owner of a column defines its meaning."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS
from engine.domain.imports import DEFAULT_OPTIONS, RefusedRow, RowError
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.domain.ports import Progress, no_progress
from engine.tabular.formats.source import Part, Source, SourceRow
from engine.tabular.identifying import ID, NAMES, Namer, whole
from engine.tabular.kinds import ColumnKind, value_of
from engine.tabular.layouts import METADATA_KEY, Layout, TableFormat
from engine.tabular.refusing import refused
from engine.tabular.rows import read_csv

PROGRESS_ROWS: Final = 200
NO_KINDS: Final[Mapping[str, ColumnKind]] = MappingProxyType({})
_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d*,\d+", re.ASCII)


class ParsedRow[C](Struct, frozen=True):
    """One row: the requested change with warnings about it, or the errors that prevent it."""

    row: int
    change: C | None
    errors: tuple[RowError, ...]
    warnings: tuple[RowError, ...] = ()
    refused: RefusedRow | None = None


class RowReader:
    """Converts the cells of one row to the fields of a change, and collects all errors."""

    def __init__(self, row: int, values: dict[str, str]) -> None:
        self._row = row
        self.values = values
        self.fields: dict[str, Any] = {}
        self.errors: list[RowError] = []
        self.warnings: list[RowError] = []

    def read(self, column: str, field: str, reader: Callable[[str, str], object]) -> None:
        """Set a field to the value of a cell, if the column exists."""
        if column in self.values:
            self.fields[field] = self.cell(column, reader)

    def cell[T](self, column: str, reader: Callable[[str, str], T]) -> T | None:
        """Return the value of a cell, or None after recording an error."""
        try:
            return reader(column, self.values[column])
        except InvalidParameter as error:
            self.fail(column, error.message)
            return None

    def read_metadata_items(self, kinds: Mapping[str, ColumnKind] = NO_KINDS) -> None:
        """Set the metadata keys that have their own columns; an empty cell removes its key.

        `kinds` are those of fields that are not only texts.
        """
        items = {
            name[len(METADATA_KEY) :]: value_of(cell, kinds.get(name, ColumnKind.TEXT))
            for name, cell in self.values.items()
            if name.startswith(METADATA_KEY)
        }
        if not items:
            return
        try:
            check_metadata(
                {key: value for key, value in items.items() if value is not None}, max_keys=MAX_GEOFENCE_KEYS
            )
        except InvalidParameter as error:
            self.fail("metadata", error.message)
        self.fields["metadata_items"] = items

    def reject_unnamed_columns(self) -> None:
        """Record an error for each cell in a column without a name."""
        for name, value in self.values.items():
            if value and not name:
                self.fail(None, f"{value!r} is in a column without a name.")

    def fail(self, column: str | None, message: str) -> None:
        """Record an error."""
        self.errors.append(RowError(self._row, column, message))

    def warn(self, column: str | None, message: str) -> None:
        """Record a warning, which the import reports if the row has no error."""
        self.warnings.append(RowError(self._row, column, message))

    def parsed[C](self, make: Callable[..., C]) -> ParsedRow[C]:
        """Return the row: the change that `make` creates from the fields, or the errors."""
        if self.errors:
            row = refused(self._row, self.values, self.fields.get("coordinates"))
            return ParsedRow(self._row, None, tuple(self.errors), refused=row)
        return ParsedRow(self._row, make(**self.fields), (), tuple(self.warnings))


type ParseRow[C] = Callable[[int, dict[str, str], tuple[Part, ...] | None], Sequence[ParsedRow[C]]]
"""Converts a row's cells by field, and its geometry, to the requested changes."""


def parse_source[C](
    source: Source, layout: Layout, numeric: Iterable[str], parse: ParseRow[C], progress: Progress
) -> tuple[ParsedRow[C], ...]:
    """Return the rows of a file as parsed by `parse`; `numeric` are the fields that are numbers.

    Everything that is invalid in a row is an error of the row.
    """
    numbers = (*numeric, *(field for field, kind in layout.kinds.items() if kind is ColumnKind.NUMBER))
    commas, namer = numbers if source.decimal_comma else (), Namer()
    parsed: list[ParsedRow[C]] = []
    for count, row in enumerate(source.rows):
        if count % PROGRESS_ROWS == 0 or _is_large(row):
            progress(count, len(source.rows))
        empty = [column for column in layout.id[1::2] if not row.values.get(column)]
        if row.fault is not None:
            parsed.append(_faulty(row, layout, RowError(row.number, row.fault_column, row.fault)))
        elif empty:
            fault = f"{ID}: the column {empty[0]!r}, of which it is made, is empty."
            parsed.append(_faulty(row, layout, RowError(row.number, ID, fault)))
        else:
            values = _values(row, layout, commas)
            if layout.made == NAMES:
                values[ID] = namer.id_of(values.get("tag", ""), values.get("description", ""))
            parsed.extend(parse(row.number, values, row.parts))
    return tuple(parsed)


def _is_large(row: SourceRow) -> bool:
    """Return whether repairing a row may take a large part of a second."""
    return any(len(part.coordinates) > MAX_RING_POSITIONS for part in row.parts or ())


def _faulty(row: SourceRow, layout: Layout, error: RowError) -> ParsedRow[Any]:
    """Return a row that cannot be used, with the cells that name it."""
    named = {field: row.values.get(column, "") for field, column in layout.fields.items()}
    parts = tuple(part.coordinates for part in row.parts or ())
    return ParsedRow(row.number, None, (error,), refused=refused(row.number, {**layout.fixed, **named}, parts))


def _values(row: SourceRow, layout: Layout, commas: Iterable[str]) -> dict[str, str]:
    cells = row.values
    values = {field: cells[column] for field, column in layout.fields.items() if column in cells}
    for field, value in layout.fixed.items():
        if not values.get(field):
            values[field] = value
    if layout.id:
        values[ID] = "".join(cells[part] if at % 2 else part for at, part in enumerate(layout.id))
    elif layout.whole_ids and ID in values:
        values[ID] = whole(values[ID])
    for field in commas:
        if _DECIMAL_COMMA.fullmatch(values.get(field, "")):
            values[field] = values[field].replace(",", ".")
    return values


def parse_table[C](
    data: bytes, format: TableFormat, parse: Callable[[int, dict[str, str]], ParsedRow[C]], numeric: Iterable[str] = ()
) -> tuple[ParsedRow[C], ...]:
    """Return the rows of the CSV `data` as parsed by `parse`.

    Raises `InvalidParameter` if the table as a whole cannot be used. The error names the column if the header is wrong,
    otherwise ``file``. Everything else is an error of its row.
    """
    source = read_csv(data)
    layout = format.layout(source, DEFAULT_OPTIONS)
    return parse_source(source, layout, numeric, lambda row, values, _: (parse(row, values),), no_progress)


def columns_of_fields(readers: Mapping[str, tuple[str, object]], others: Mapping[str, str]) -> Mapping[str, str]:
    """Return the columns by the fields of a change that are read from them."""
    return {"metadata_items": "metadata", **others, **{field: column for column, (field, _) in readers.items()}}
