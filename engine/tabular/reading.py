"""Conversion of the rows of a file to one change per row, or to errors; the owner of a column defines its meaning."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import DEFAULT_OPTIONS, WHOLE_FILE, ImportOptions, RowError
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.domain.ports import Progress, no_progress
from engine.domain.words import closest
from engine.tabular.formats.source import FILE, Part, Source, SourceRow
from engine.tabular.rows import read_csv

PROGRESS_ROWS: Final = 200
_COLUMNS_SHOWN: Final = 30
_MISSPELLED: Final = 0.8
"""Minimum similarity of an ignored column, since files of other programs have columns that are a little similar."""

_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d*,\d+", re.ASCII)

METADATA_KEY: Final = "metadata."
"""The prefix of columns that hold a single key of the metadata."""


class UnknownColumn(InvalidParameter):
    """An unknown column, in a file in which each column must be known."""


class ParsedRow[C](Struct, frozen=True):
    """One row: the requested change, or the errors that prevent it."""

    row: int
    change: C | None
    errors: tuple[RowError, ...]


class Layout(Struct, frozen=True):
    """Meaning of the columns of a file: the column of each field, values for fields without one, and other columns.

    `warnings` are about other columns that are probably misspelled.
    """

    fields: Mapping[str, str]
    fixed: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    warnings: tuple[RowError, ...] = ()


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
        """Define the columns; `prefixed` normalizes a column of a group, or returns None.

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
        ignored = []
        for column in source.columns:
            name = self._canonical(column)
            if column in fields.values() or not column:
                continue
            if self._is_known(name) and name not in fields:
                fields[name] = column
            else:
                ignored.append(column)
        given = tuple(dict.fromkeys((*fields, *fixed)))
        self._check_exclusive(given, "")
        self._check_required(given, source)
        return Layout(fields, fixed, tuple(ignored), tuple(self._misspelled(ignored, given)))

    def _misspelled(self, ignored: Iterable[str], given: Sequence[str]) -> Iterator[RowError]:
        """Yield a warning for each ignored column that was probably meant as one of ours."""
        for column in ignored:
            if (suggested := self._similar(column, given, _MISSPELLED)) is not None:
                yield RowError(WHOLE_FILE, column, f"This column was ignored; did you mean {suggested}?")

    def _columns(self, source: Source) -> tuple[str, ...]:
        """Return the columns in their normal spelling; raises `InvalidParameter` naming one, or ``file``."""
        names, row = tuple(map(self._canonical, source.columns)), f"row {source.header_row}: "
        if not any(map(self._is_known, names)):
            shown = ", ".join(repr(cell) for cell in source.columns[:3])
            raise InvalidParameter(FILE, f"{row}this is not a header row; it begins with {shown}.")
        for index, name in enumerate(names):
            if name and not self._is_known(name):
                if (suggested := self._similar(name, names)) is not None:
                    raise UnknownColumn(name, f"{row}unknown column {name!r}; did you mean {suggested}?")
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
            if whole in names and any(other.startswith(part) for other in names if other != whole):
                raise InvalidParameter(whole, f"{place}the column {whole} cannot be combined with {part}… columns.")

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
            if (suggested := self._similar(name, ())) is not None:
                raise InvalidParameter("map", f"map: there is no field {field!r}; did you mean {suggested}?")
            known = ", ".join(self._names.values())
            raise InvalidParameter("map", f"map: there is no field {field!r}. Fields are {known} and metadata.KEY.")
        return name

    def _similar(self, name: str, given: Sequence[str], similarity: float = 0.6) -> str | None:
        """Return the column, other than the given ones, that a misspelled one probably means, or None."""
        group, dot, key = name.partition(".")
        if dot and key and closest(group, (METADATA_KEY[:-1],), similarity) is not None:
            return METADATA_KEY + key
        return closest(name, (known for known in self._names.values() if known not in given), similarity)

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

    def parsed[C](self, make: Callable[..., C]) -> ParsedRow[C]:
        """Return the row: the change that `make` creates from the fields, or the errors."""
        if self.errors:
            return ParsedRow(self._row, None, tuple(self.errors))
        return ParsedRow(self._row, make(**self.fields), ())


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
