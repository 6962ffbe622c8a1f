"""Conversion of the rows of a file to one change per row, or to errors; the owner of a column defines its meaning."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import DEFAULT_OPTIONS, ImportOptions, RowError
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.domain.ports import Progress, no_progress
from engine.tabular.formats.source import FILE, Part, Source, SourceRow
from engine.tabular.rows import read_csv

PROGRESS_ROWS: Final = 200
_COLUMNS_SHOWN: Final = 30
_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d*,\d+", re.ASCII)

METADATA_KEY: Final = "metadata."
"""The prefix of columns that hold a single key of the metadata."""


class UnknownColumn(InvalidParameter):
    """An unknown column, in a file in which each column must be known."""


class ParsedRow[C](Struct, frozen=True):
    """One row: the requested change with warnings about it, or the errors that prevent it."""

    row: int
    change: C | None
    errors: tuple[RowError, ...]
    warnings: tuple[RowError, ...] = ()


class Layout(Struct, frozen=True):
    """Meaning of the columns of a file: the column of each field, values for fields without one, and other columns."""

    fields: Mapping[str, str]
    fixed: Mapping[str, str]
    ignored: tuple[str, ...] = ()


class TableFormat:
    """The allowed and required columns of a table; case and surrounding spaces in column names are ignored."""

    def __init__(
        self,
        names: Iterable[str],
        required: Sequence[str],
        *,
        prefixed: Callable[[str], str | None] = lambda _: None,
        exclusive: Sequence[tuple[str, str]] = (("metadata", METADATA_KEY),),
    ) -> None:
        """Define the columns; `prefixed` normalizes a column of a group or with another name, or returns None.

        A column and its group exclude each other.
        """
        self._names = {name.lower(): name for name in names}
        self._required = required
        self._prefixed = prefixed
        self._exclusive = exclusive

    def layout(self, source: Source, options: ImportOptions) -> Layout:
        """Return the meaning of a file's columns; raises `InvalidParameter` naming a field, ``map`` or ``file``."""
        if source.strict and not (options.mapping or options.fixed):
            names = self._columns(source)
            return Layout(dict(zip(names, source.columns, strict=True)), {})
        fields = {self._mapped(field): _column(name, source) for field, name in options.mapping.items()}
        fixed = {self._mapped(field): value for field, value in options.fixed.items()}
        # Other names of a column come last, since the file may also have the column itself, or its parts.
        for column in sorted(filter(None, source.columns), key=self._is_renamed):
            name = self._canonical(column)
            replaced = self._is_renamed(column) and self._has_part(name, (*fields, *fixed))
            if self._is_known(name) and name not in fields and column not in fields.values() and not replaced:
                fields[name] = column
        ignored = [column for column in source.columns if column and column not in fields.values()]
        given = tuple(dict.fromkeys((*fields, *fixed)))
        self._check_exclusive(given, "")
        self._check_required(given, source)
        return Layout(fields, fixed, tuple(ignored))

    def _columns(self, source: Source) -> tuple[str, ...]:
        """Return the columns in their normal spelling; raises `InvalidParameter` naming one, or ``file``."""
        names, row = tuple(map(self._canonical, source.columns)), f"row {source.header_row}: "
        if not any(map(self._is_known, names)):
            shown = ", ".join(repr(cell) for cell in source.columns[:3])
            raise InvalidParameter(FILE, f"{row}this is not a header row; it begins with {shown}.")
        for index, name in enumerate(names):
            if name and not self._is_known(name):
                raise UnknownColumn(name, f"{row}unknown column {name!r}.")
            if name and name in names[:index]:
                raise InvalidParameter(name, f"{row}duplicate column {name}.")
            self._check_exclusive(names[: index + 1], row)
        for name in self._required:
            if name not in names:
                raise InvalidParameter(name, f"{row}the column {name} is missing.")
        return names

    def _check_exclusive(self, names: Sequence[str], place: str) -> None:
        for whole, part in self._exclusive:
            if whole in names and self._has_part(whole, names):
                raise InvalidParameter(whole, f"{place}the column {whole} cannot be combined with {part}… columns.")

    def _has_part(self, name: str, names: Sequence[str]) -> bool:
        """Return whether other columns exclude a column."""
        parts = tuple(part for whole, part in self._exclusive if whole == name)
        return any(other.startswith(parts) for other in names if other != name)

    def _is_renamed(self, column: str) -> bool:
        """Return whether a column is known by another name, apart from case."""
        return self._canonical(column).lower() != column.strip().lower()

    def _check_required(self, given: Sequence[str], source: Source) -> None:
        for name in self._required:
            if name not in given:
                shown = ", ".join(source.columns[:_COLUMNS_SHOWN]) or "none"
                raise InvalidParameter(
                    name, f"{name}: no column has it. Map one to it, or give a value for all rows. Columns: {shown}."
                )

    def _mapped(self, field: str) -> str:
        name = self._canonical(field)
        if not self._is_known(name):
            known = ", ".join(self._names.values())
            raise InvalidParameter("map", f"map: there is no field {field!r}. Fields are {known} and metadata.KEY.")
        return name

    def _canonical(self, cell: str) -> str:
        name = cell.strip()
        if name.lower().startswith(METADATA_KEY):
            return METADATA_KEY + name[len(METADATA_KEY) :].strip()
        return self._prefixed(name) or self._names.get(name.lower(), name)

    def _is_known(self, name: str) -> bool:
        if name.startswith(METADATA_KEY):
            return not name.endswith(".")
        return name.lower() in self._names or self._prefixed(name) == name


def _column(name: str, source: Source) -> str:
    """Return the column of a file that a name refers to."""
    for column in source.columns:
        if column == name:
            return column
    for column in source.columns:
        if column.strip().lower() == name.strip().lower():
            return column
    shown = ", ".join(source.columns[:_COLUMNS_SHOWN]) or "none"
    raise InvalidParameter("map", f"map: there is no column {name!r}. Columns: {shown}.")


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

    def read_metadata_items(self) -> None:
        """Set the metadata keys that have their own columns; an empty cell removes its key."""
        items = {
            name[len(METADATA_KEY) :]: value for name, value in self.values.items() if name.startswith(METADATA_KEY)
        }
        if not items:
            return
        try:
            check_metadata({key: value for key, value in items.items() if value}, max_keys=MAX_GEOFENCE_KEYS)
        except InvalidParameter as error:
            self.fail("metadata", error.message)
        self.fields["metadata_items"] = {key: value or None for key, value in items.items()}

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
            return ParsedRow(self._row, None, tuple(self.errors))
        return ParsedRow(self._row, make(**self.fields), (), tuple(self.warnings))


type ParseRow[C] = Callable[[int, dict[str, str], tuple[Part, ...] | None], Sequence[ParsedRow[C]]]
"""Converts a row's cells by field, and its geometry, to the requested changes."""


def parse_source[C](
    source: Source, layout: Layout, numeric: Iterable[str], parse: ParseRow[C], progress: Progress
) -> tuple[ParsedRow[C], ...]:
    """Return the rows of a file as parsed by `parse`; `numeric` are the fields that are numbers.

    Everything that is invalid in a row is an error of the row.
    """
    commas = tuple(numeric) if source.decimal_comma else ()
    parsed: list[ParsedRow[C]] = []
    for count, row in enumerate(source.rows):
        if count % PROGRESS_ROWS == 0:
            progress(count, len(source.rows))
        if row.fault is not None:
            parsed.append(ParsedRow(row.number, None, (RowError(row.number, row.fault_column, row.fault),)))
        else:
            parsed.extend(parse(row.number, _values(row, layout, commas), row.parts))
    return tuple(parsed)


def _values(row: SourceRow, layout: Layout, commas: Iterable[str]) -> dict[str, str]:
    cells = row.values
    values = {field: cells[column] for field, column in layout.fields.items() if column in cells}
    for field, value in layout.fixed.items():
        if not values.get(field):
            values[field] = value
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
