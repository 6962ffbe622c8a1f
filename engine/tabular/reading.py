"""From the text of a table to one change per row, or the errors of its cells. What a column means, its owner says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.domain.imports import RowError
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.tabular.rows import Row, check_commas, read_rows

FILE: Final = "file"
"""The parameter that an `InvalidParameter` names when the table as a whole is at fault."""

METADATA_KEY: Final = "metadata."
"""The beginning of a column that holds one key of the metadata."""


@dataclass(frozen=True, slots=True)
class ParsedRow[C]:
    """One row: the change it asks for, or why it asks for nothing that can be done."""

    row: int
    change: C | None
    errors: tuple[RowError, ...]


@dataclass(frozen=True, slots=True)
class ParsedTable[C]:
    """A table in the order of its rows; blank rows are passed over."""

    columns: tuple[str, ...]
    rows: tuple[ParsedRow[C], ...]


class TableFormat:
    """The columns that a table may have, and must have; the case of a name and spaces around it do not matter."""

    def __init__(
        self,
        names: Iterable[str],
        required: Sequence[str],
        *,
        prefixed: Callable[[str], str | None] = lambda _: None,
        exclusive: Sequence[tuple[str, str]] = (("metadata", METADATA_KEY),),
    ) -> None:
        """`prefixed` spells a column of a group, or returns None; a column and its group exclude each other."""
        self._names = {name.lower(): name for name in names}
        self._required = required
        self._prefixed = prefixed
        self._exclusive = exclusive

    def columns(self, header: Row) -> tuple[str, ...]:
        """Return the columns as they are spelled here; raises `InvalidParameter` naming one, or ``file``."""
        check_commas(header, FILE)
        names = tuple(map(self._canonical, header.cells))
        if not any(map(self._is_known, names)):
            shown = ", ".join(repr(cell) for cell in header.cells[:3])
            raise InvalidParameter(FILE, f"row {header.number}: this is not a header row; it begins with {shown}.")
        for index, name in enumerate(names):
            self._check(name, names[:index], header.number)
        for name in self._required:
            if name not in names:
                raise InvalidParameter(name, f"row {header.number}: the column {name} is missing.")
        return names

    def _check(self, name: str, earlier: tuple[str, ...], row: int) -> None:
        if name and not self._is_known(name):
            raise InvalidParameter(name, f"row {row}: unknown column {name!r}.")
        if name and name in earlier:
            raise InvalidParameter(name, f"row {row}: duplicate column {name}.")
        for whole, part in self._exclusive:
            pair = {name, *earlier}
            if whole in pair and any(other.startswith(part) for other in pair):
                raise InvalidParameter(whole, f"row {row}: the column {whole} cannot be combined with {part}… columns.")

    def _canonical(self, cell: str) -> str:
        name = cell.strip()
        if name.lower().startswith(METADATA_KEY):
            return METADATA_KEY + name[len(METADATA_KEY) :].strip()
        return self._prefixed(name) or self._names.get(name.lower(), name)

    def _is_known(self, name: str) -> bool:
        if name.startswith(METADATA_KEY):
            return not name.endswith(".")
        return name.lower() in self._names or self._prefixed(name) == name


class RowReader:
    """Turns the cells of one row into the fields of a change, and collects everything that is wrong with them."""

    def __init__(self, row: int, values: dict[str, str]) -> None:
        self._row = row
        self.values = values
        self.fields: dict[str, Any] = {}
        self.errors: list[RowError] = []

    def read(self, column: str, field: str, reader: Callable[[str, str], object]) -> None:
        """Set a field to what a cell says, if there is such a column."""
        if column in self.values:
            self.fields[field] = self.cell(column, reader)

    def cell[T](self, column: str, reader: Callable[[str, str], T]) -> T | None:
        """Return what a cell says, or take note of what is wrong with it."""
        try:
            return reader(column, self.values[column])
        except InvalidParameter as error:
            self.fail(column, error.message)
            return None

    def read_metadata_items(self) -> None:
        """Set the keys of the metadata that have columns of their own; an empty cell removes its key."""
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

    def refuse_what_has_no_name(self) -> None:
        """Take note of cells in columns without a name."""
        for name, value in self.values.items():
            if value and not name:
                self.fail(None, f"{value!r} is in a column without a name.")

    def fail(self, column: str | None, message: str) -> None:
        """Take note of an error."""
        self.errors.append(RowError(self._row, column, message))

    def parsed[C](self, make: Callable[..., C]) -> ParsedRow[C]:
        """Return the row: the change that `make` makes of the fields, or the errors."""
        if self.errors:
            return ParsedRow(self._row, None, tuple(self.errors))
        return ParsedRow(self._row, make(**self.fields), ())


def parse_table[C](
    data: bytes, format: TableFormat, parse: Callable[[int, dict[str, str]], ParsedRow[C]]
) -> ParsedTable[C]:
    """Return the rows of the CSV `data` (UTF-8, commas, a header row), each as `parse` reads its cells.

    Raises `InvalidParameter` when the table as a whole cannot be used: naming the column where the header is wrong,
    else ``file``. Everything else is an error of its row.
    """
    rows = read_rows(data, FILE)
    header = next(rows, None)
    if header is None:
        raise InvalidParameter(FILE, "The table is empty; its first row must be a header row.")
    columns = format.columns(header)
    return ParsedTable(columns, tuple(_parse_row(columns, row, parse) for row in rows))


def _parse_row[C](
    columns: tuple[str, ...], row: Row, parse: Callable[[int, dict[str, str]], ParsedRow[C]]
) -> ParsedRow[C]:
    width = len(columns)
    if len(row.cells) < width or any(cell.strip() for cell in row.cells[width:]):
        message = f"There are {len(row.cells)} cells, but {width} columns in the header."
        return ParsedRow(row.number, None, (RowError(row.number, None, message),))
    return parse(row.number, dict(zip(columns, (cell.strip() for cell in row.cells), strict=False)))


def columns_of_fields(readers: Mapping[str, tuple[str, object]], others: Mapping[str, str]) -> Mapping[str, str]:
    """Return the columns by the fields of a change that they are read into."""
    return {"metadata_items": "metadata", **others, **{field: column for column, (field, _) in readers.items()}}
