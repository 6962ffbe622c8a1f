"""From the specification's CSV columns to one change per row.

What a row means beyond its cells (does the geofence exist, does the geometry hold) is decided where it is stored;
here every cell becomes a field of a `GeofenceChange`, or an error that names its row and column.

- A missing column keeps what is stored; an empty cell resets: ``enabled`` to true, ``metadata`` to nothing,
  ``metadata.{key}`` to no such key. The required fields cannot be reset, so an empty cell of theirs is an error.
- A column of the specification that is not served yet is an error where a row fills it: nothing is dropped.
- A column that the specification does not know refuses the table: a typing error must not lose data.
- Spaces around a cell, and the case of a column's name, do not matter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import GeometryType
from engine.domain.imports import RowError
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.domain.tables import Row, check_commas, read_rows
from engine.geofences import csv_cells as cells

FILE = "file"
"""The parameter that an `InvalidParameter` names when the table as a whole is at fault."""

_SERVED = ("description", "type", "tag", "externalId", "coordinates", "radius", "enabled", "metadata")
_NOT_SERVED = (
    *("address", "placeId", "mode", "operatingHours", "stopDetection", "disableAfter", "deleteAfter"),
    *("userId", "userIds", "ip", "dwellThreshold"),
)
_KEY = ("tag", "externalId")
_METADATA_KEY = "metadata."
_DAY_OF_HOURS = "operatingHours."
_NAMES = {name.lower(): name for name in (*_SERVED, *_NOT_SERVED)}


@dataclass(frozen=True, slots=True)
class ParsedRow:
    """One row: the change it asks for, or why it asks for nothing that can be done."""

    row: int
    change: GeofenceChange | None
    errors: tuple[RowError, ...]


@dataclass(frozen=True, slots=True)
class ParsedTable:
    """A table in the order of its rows; blank rows are passed over."""

    columns: tuple[str, ...]
    rows: tuple[ParsedRow, ...]


def parse_rows(data: bytes) -> ParsedTable:
    """Return the rows of the CSV `data` (UTF-8, commas, a header row).

    Raises `InvalidParameter` when the table as a whole cannot be used: naming the column where the header is
    wrong, else ``file``. Everything else is an error of its row.
    """
    rows = read_rows(data, FILE)
    header = next(rows, None)
    if header is None:
        raise InvalidParameter(FILE, "The table is empty; its first row must be a header row.")
    columns = _columns(header)
    return ParsedTable(columns, tuple(_parse_row(columns, row) for row in rows))


def _columns(header: Row) -> tuple[str, ...]:
    check_commas(header, FILE)
    names = tuple(_canonical(cell) for cell in header.cells)
    if not any(_is_known(name) for name in names):
        shown = ", ".join(repr(cell) for cell in header.cells[:3])
        raise InvalidParameter(FILE, f"row {header.number}: this is not a header row; it begins with {shown}.")
    for index, name in enumerate(names):
        _check_column(name, names[:index], header.number)
    for name in _KEY:
        if name not in names:
            raise InvalidParameter(name, f"row {header.number}: the column {name} is missing.")
    return names


def _check_column(name: str, earlier: tuple[str, ...], row: int) -> None:
    if name and not _is_known(name):
        raise InvalidParameter(name, f"row {row}: there is no column {name!r} in the specification.")
    if name and name in earlier:
        raise InvalidParameter(name, f"row {row}: the column {name} is there twice.")
    for whole, part in (("metadata", _METADATA_KEY), ("operatingHours", _DAY_OF_HOURS)):
        pair = {name, *earlier}
        if whole in pair and any(other.startswith(part) for other in pair):
            raise InvalidParameter(whole, f"row {row}: the column {whole} cannot be combined with {part}… columns.")


def _canonical(cell: str) -> str:
    name = cell.strip()
    for prefix in (_METADATA_KEY, _DAY_OF_HOURS):
        if name.lower().startswith(prefix.lower()):
            return prefix + name[len(prefix) :].strip()
    return _NAMES.get(name.lower(), name)


def _is_known(name: str) -> bool:
    if name.startswith((_METADATA_KEY, _DAY_OF_HOURS)):
        return not name.endswith(".")
    return name.lower() in _NAMES


def _parse_row(columns: tuple[str, ...], row: Row) -> ParsedRow:
    width = len(columns)
    if len(row.cells) < width or any(cell.strip() for cell in row.cells[width:]):
        message = f"There are {len(row.cells)} cells, but {width} columns in the header."
        return ParsedRow(row.number, None, (RowError(row.number, None, message),))
    return _RowParser(row.number, dict(zip(columns, (cell.strip() for cell in row.cells), strict=False))).parse()


class _RowParser:
    """Turns the cells of one row into a change and collects everything that is wrong with them."""

    def __init__(self, row: int, values: dict[str, str]) -> None:
        self._row = row
        self._values = values
        self._fields: dict[str, Any] = {}
        self._errors: list[RowError] = []

    def parse(self) -> ParsedRow:
        self._refuse_what_is_not_served()
        self._read("tag", "tag", cells.text)
        self._read("externalId", "external_id", cells.text)
        self._read("description", "description", cells.text)
        self._read("type", "type", cells.geometry_type)
        self._read("coordinates", "coordinates", cells.coordinates)
        self._read("enabled", "enabled", cells.enabled)
        self._read("metadata", "metadata", cells.metadata)
        self._read_radius()
        self._read_metadata_items()
        if self._errors:
            return ParsedRow(self._row, None, tuple(self._errors))
        return ParsedRow(self._row, GeofenceChange(**self._fields), ())

    def _read(self, column: str, field: str, reader: Callable[[str, str], object]) -> None:
        if column not in self._values:
            return
        try:
            self._fields[field] = reader(column, self._values[column])
        except InvalidParameter as error:
            self._fail(column, error.message)

    def _read_radius(self) -> None:
        """Read the radius, which the specification ignores for a polygon.

        Without the type in the row only the stored geofence tells whether an empty one is an error.
        """
        kind = self._fields.get("type")
        if kind == GeometryType.POLYGON:
            return
        if kind is None and self._values.get("radius") == "":
            self._fields["radius_m"] = None
            return
        self._read("radius", "radius_m", cells.number)

    def _read_metadata_items(self) -> None:
        items = {
            name[len(_METADATA_KEY) :]: value for name, value in self._values.items() if name.startswith(_METADATA_KEY)
        }
        if not items:
            return
        try:
            check_metadata({key: value for key, value in items.items() if value}, max_keys=MAX_GEOFENCE_KEYS)
        except InvalidParameter as error:
            self._fail("metadata", error.message)
        self._fields["metadata_items"] = {key: value or None for key, value in items.items()}

    def _refuse_what_is_not_served(self) -> None:
        for name, value in self._values.items():
            if not value:
                continue
            if not name:
                self._fail(None, f"{value!r} stands in a column without a name.")
            elif name in _NOT_SERVED or name.startswith(_DAY_OF_HOURS):
                self._fail(name, f"{name}: this column is not served yet; leave its cell empty.")

    def _fail(self, column: str | None, message: str) -> None:
        self._errors.append(RowError(self._row, column, message))
