"""Conversion of the rows of a file to one change per row, or to errors; the owner of a column defines its meaning."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from shlex import quote
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS
from engine.domain.imports import DEFAULT_OPTIONS, WHOLE_FILE, ImportOptions, RefusedRow, RowError
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.domain.ports import Progress, no_progress
from engine.domain.words import closest
from engine.tabular.formats.excel import listed
from engine.tabular.formats.source import FILE, Part, Source, SourceRow
from engine.tabular.refusing import refused
from engine.tabular.rows import read_csv

PROGRESS_ROWS: Final = 200
_COLUMNS_SHOWN: Final = 30
_ADVISED: Final = 5
"""Enough for the key, the description and both coordinates."""

_VALUE: Final = re.compile(r"[+-]?[.,]?\d|[\[{]")
"""The beginning of a cell with a value rather than the name of a column."""

_MISSPELLED: Final = 0.8
"""Minimum similarity of an ignored column, since files of other programs have columns that are a little similar."""

_RENAMED: Final = 0.75
"""Minimum similarity of a column to a mapped one, since short names of columns are a little similar."""

_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d*,\d+", re.ASCII)

_ID: Final = "externalId"
_RULE: Final = "{ZONE}-{NR}"
_IN_BRACES: Final = re.compile(r"\{([^{}]+)\}")
METADATA_KEY: Final = "metadata."
"""The prefix of columns that hold a single key of the metadata."""


class HeaderError(InvalidParameter):
    """An error in a header row; `plain` is the message without advice about options of the command line."""

    def __init__(self, column: str, message: str, plain: str) -> None:
        super().__init__(column, message)
        self.plain = plain


class UnknownColumn(HeaderError):
    """An unknown column, in a file in which each column must be known; `suggested` is the one it probably means."""

    def __init__(self, column: str, message: str, plain: str, suggested: str | None = None) -> None:
        super().__init__(column, message, plain)
        self.suggested = suggested


class ParsedRow[C](Struct, frozen=True):
    """One row: the requested change with warnings about it, or the errors that prevent it."""

    row: int
    change: C | None
    errors: tuple[RowError, ...]
    warnings: tuple[RowError, ...] = ()
    refused: RefusedRow | None = None


class Layout(Struct, frozen=True):
    """Meaning of the columns of a file: the column of each field, values for fields without one, and other columns.

    `id` is the rule for the external ID, as texts and the columns between them. `warnings` are about other columns that
    are probably misspelled.
    """

    fields: Mapping[str, str]
    fixed: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
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
        elsewhere: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """Define the columns; `prefixed` normalizes a column of a group or with another name, or returns None.

        A column and its group exclude each other. `elsewhere` has names of fields in other systems, in lower case; None
        means that columns cannot be mapped.
        """
        self._names = {name.lower(): name for name in names}
        self._required = required
        self._prefixed = prefixed
        self._exclusive = exclusive
        self._elsewhere = elsewhere

    def suggested(self, columns: Sequence[str]) -> dict[str, str]:
        """Return the probable columns of fields, by their names here and in other systems."""
        by_name = {column.strip().lower(): column for column in reversed(columns)}
        found: dict[str, str] = {}
        for field in self._names.values():
            for name in (field.lower(), *(self._elsewhere or {}).get(field, ())):
                if name in by_name and by_name[name] not in found.values() and not self._is_excluded(field, found):
                    found[field] = by_name[name]
                    break
        return found

    def check_fields(self, options: ImportOptions) -> None:
        """Raise `InvalidParameter` naming ``map``, ``set`` or ``id`` for options that no file can be read with."""
        _parts_of_rule(options)
        given = [self._mapped(field, "map") for field in options.mapping]
        self._check_exclusive([*given, *(self._mapped(field, "set") for field in options.fixed)], "")

    def layout(self, source: Source, options: ImportOptions) -> Layout:
        """Return the meaning of a file's columns; raises `InvalidParameter` naming a field, ``map`` or ``file``."""
        if source.strict and not (options.mapping or options.fixed or options.id):
            names = self._columns(source)
            return Layout(dict(zip(names, source.columns, strict=True)), {})
        fields = {self._mapped(field, "map"): _column(field, name, source) for field, name in options.mapping.items()}
        fixed = {self._mapped(field, "set"): value for field, value in options.fixed.items()}
        rule = _rule(options, source)
        self._add_known(source, fields, fixed, rule)
        ignored = [column for column in source.columns if column and column not in (*fields.values(), *rule[1::2])]
        given = tuple(dict.fromkeys((*fields, *fixed, *([_ID] if rule else []))))
        self._check_exclusive(given, "")
        self._check_required(given, source)
        return Layout(fields, fixed, tuple(ignored), rule, tuple(self._misspelled(ignored, given)))

    def _add_known(self, source: Source, fields: dict[str, str], fixed: Mapping[str, str], rule: Sequence[str]) -> None:
        """Add the columns with names of fields that are not yet used."""
        used, chosen = (*fields.values(), *rule[1::2]), (*fields, *fixed)
        # Other names of a column come last, since the file may also have the column itself, or its parts.
        for column in sorted(filter(None, source.columns), key=self._is_renamed):
            name = self._canonical(column)
            replaced = self._is_renamed(column) and self._has_part(name, (*fields, *fixed))
            replaced = replaced or self._is_excluded(name, chosen)
            if not self._is_known(name) or name in fields or column in used or replaced or (rule and name == _ID):
                continue
            fields[name] = column

    def _misspelled(self, ignored: Iterable[str], given: Sequence[str]) -> Iterator[RowError]:
        """Yield a warning for each ignored column that was probably meant as one of ours."""
        for column in ignored:
            if (suggested := self._similar(column, given, _MISSPELLED)) is not None:
                yield RowError(WHOLE_FILE, column, f"This column was ignored; did you mean {suggested}?")

    def _columns(self, source: Source) -> tuple[str, ...]:
        """Return the columns in their normal spelling; raises `InvalidParameter` naming one, or ``file``."""
        names, row = tuple(map(self._canonical, source.columns)), source.place
        if not any(map(self._is_known, names)):
            raise self._no_header(source)
        unknown = [name for name in names if name and not self._is_known(name)]
        if unknown:
            raise self._unknown(unknown, source)
        for index, name in enumerate(names):
            if name and name in names[:index]:
                raise InvalidParameter(name, f"{row}duplicate column {name}.")
            self._check_exclusive(names[: index + 1], row)
        for name in self._required:
            if name not in names:
                raise self._missing(name, source)
        return names

    def _missing(self, name: str, source: Source) -> InvalidParameter:
        plain = f"{source.place}the column {name} is missing."
        if self._elsewhere is None:
            return InvalidParameter(name, plain)
        options = self._options((name,), source)
        return HeaderError(name, f"{plain} Map a column to it, or give a value for all rows: {options}.", plain)

    def _no_header(self, source: Source) -> InvalidParameter:
        """Return the error for a file whose first row names no field."""
        shown = ", ".join(repr(cell) for cell in source.columns[:3])
        if self._elsewhere is None or any(map(_VALUE.match, source.columns)):
            return InvalidParameter(FILE, f"{source.place}this is not a header row; it begins with {shown}.")
        names = listed([column for column in source.columns if column])
        options = self._options(tuple(dict.fromkeys((*self._required, *self.suggested(source.columns)))), source)
        plain = f"{source.place}no column has the name of a field: {names}."
        return HeaderError(
            FILE, f"{plain} Map columns to fields, or give values for all rows, such as: {options}.", plain
        )

    def _unknown(self, unknown: Sequence[str], source: Source) -> InvalidParameter:
        """Return the error for columns that are not fields, in a file that has others that are."""
        known = {self._canonical(column) for column in source.columns}
        if len(unknown) == 1 and (suggested := self._similar(unknown[0], tuple(known))) is not None:
            misspelled = f"{source.place}unknown column {unknown[0]!r}; did you mean {suggested}?"
            return UnknownColumn(unknown[0], misspelled, misspelled, suggested)
        quoted = " and ".join(filter(None, (", ".join(map(repr, unknown[:-1])), repr(unknown[-1]))))
        one, more = f"{source.place}unknown column {quoted}.", f"{source.place}unknown columns {quoted}."
        plain = one if len(unknown) == 1 else more
        if self._elsewhere is None:
            return UnknownColumn(unknown[0], plain, plain)
        found = self.suggested(source.columns).items()
        field, column = next((pair for pair in found if pair[0] not in known), ("FIELD", unknown[0]))
        return UnknownColumn(
            unknown[0],
            f"{plain} Correct the name, or map columns to fields, such as --map {_assigned(field, column)}; columns "
            "that are not mapped are then ignored.",
            plain,
        )

    def _options(self, fields: Sequence[str], source: Source) -> str:
        """Return options of the command line for fields, with the probable columns of a file."""
        found = self.suggested(source.columns)
        return " ".join(
            f"--map {_assigned(field, found[field])}"
            if field in found
            else f"--set {field}=VALUE"
            if field == "tag"
            else f"--map {field}=COLUMN"
            for field in fields[:_ADVISED]
        )

    def _check_exclusive(self, names: Sequence[str], place: str) -> None:
        for whole, part in self._exclusive:
            if whole in names and self._has_part(whole, names):
                raise InvalidParameter(whole, f"{place}the column {whole} cannot be combined with {part}… columns.")

    def _has_part(self, name: str, names: Collection[str]) -> bool:
        """Return whether other columns exclude a column."""
        parts = tuple(part for whole, part in self._exclusive if whole == name)
        return any(other.startswith(parts) for other in names if other != name)

    def _is_excluded(self, name: str, given: Collection[str]) -> bool:
        """Return whether a field cannot be combined with a given one."""
        return self._has_part(name, given) or any(
            name.startswith(part) and name != whole and whole in given for whole, part in self._exclusive
        )

    def _is_renamed(self, column: str) -> bool:
        """Return whether a column is known by another name, apart from case."""
        return self._canonical(column).lower() != column.strip().lower()

    def _check_required(self, given: Sequence[str], source: Source) -> None:
        for name in self._required:
            if name not in given:
                shown = ", ".join(source.columns[:_COLUMNS_SHOWN]) or "none"
                options = self._options((name,), source)
                raise InvalidParameter(
                    name,
                    f"{name}: no column has it. Map a column to it, or give a value for all rows: {options}. "
                    f"Columns: {shown}.",
                )

    def _mapped(self, field: str, option: str) -> str:
        name = self._canonical(field)
        if not self._is_known(name):
            if (suggested := self._similar(name, ())) is not None:
                raise InvalidParameter(option, f"{option}: there is no field {field!r}; did you mean {suggested}?")
            known = ", ".join(self._names.values())
            raise InvalidParameter(
                option, f"{option}: there is no field {field!r}. Fields are {known} and metadata.KEY."
            )
        return name

    def _similar(self, name: str, given: Sequence[str], similarity: float = 0.66) -> str | None:
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


def _rule(options: ImportOptions, source: Source) -> tuple[str, ...]:
    """Return the rule for the external ID, as texts and the columns of a file between them."""
    parts = _parts_of_rule(options)
    return tuple(_column(_ID, part, source, "id") if at % 2 else part for at, part in enumerate(parts))


def _parts_of_rule(options: ImportOptions) -> tuple[str, ...]:
    """Return the rule for the external ID, split into texts and the columns between them, or nothing without one."""
    if options.id is None:
        return ()
    parts = tuple(_IN_BRACES.split(options.id))
    if len(parts) == 1 or any("{" in part or "}" in part for part in parts):
        raise InvalidParameter("id", f"id: must name columns in braces, such as {_RULE}.")
    if any(field.strip().lower() == _ID.lower() for field in (*options.mapping, *options.fixed)):
        raise InvalidParameter("id", f"id: {_ID} is also mapped or set; give only one of these.")
    return parts


def _column(field: str, name: str, source: Source, option: str = "map") -> str:
    """Return the column of a file that is mapped to a field."""
    for column in source.columns:
        if column == name:
            return column
    for column in source.columns:
        if column.strip().lower() == name.strip().lower():
            return column
    shown = ", ".join(source.columns[:_COLUMNS_SHOWN]) or "none"
    similar = closest(name, filter(None, source.columns), _RENAMED)
    if similar is not None:
        raise InvalidParameter(
            option,
            f"{option}: there is no column {name!r}, which is mapped to {field}; did you mean {similar!r}? "
            f"Columns: {shown}.",
        )
    raise InvalidParameter(
        option, f"{option}: there is no column {name!r}, which is mapped to {field}. Columns: {shown}."
    )


def _assigned(field: str, column: str) -> str:
    return quote(f"{field}={column}")


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
    commas = tuple(numeric) if source.decimal_comma else ()
    parsed: list[ParsedRow[C]] = []
    for count, row in enumerate(source.rows):
        if count % PROGRESS_ROWS == 0 or _is_large(row):
            progress(count, len(source.rows))
        empty = [column for column in layout.id[1::2] if not row.values.get(column)]
        if row.fault is not None:
            parsed.append(_faulty(row, layout, RowError(row.number, row.fault_column, row.fault)))
        elif empty:
            fault = f"{_ID}: the column {empty[0]!r}, of which it is made, is empty."
            parsed.append(_faulty(row, layout, RowError(row.number, _ID, fault)))
        else:
            parsed.extend(parse(row.number, _values(row, layout, commas), row.parts))
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
        values[_ID] = "".join(cells[part] if at % 2 else part for at, part in enumerate(layout.id))
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
