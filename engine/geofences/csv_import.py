"""From the specification's CSV columns to one change per row.

What a row means beyond its cells (does the geofence exist, does the geometry hold) is decided where it is stored;
here every cell becomes a field of a `GeofenceChange`, or an error that names its row and column.

- A missing column keeps what is stored; an empty cell resets: ``enabled`` to true, ``metadata`` to nothing,
  ``metadata.{key}`` to no such key, the rules to none. The required fields cannot be reset, so an empty cell of
  theirs is an error.
- The columns ``operatingHours.{day}`` together are the whole of the hours; so are ``userIds`` and the deprecated
  ``userId`` of the users.
- ``address`` and ``placeId`` say where the geofence is besides, or instead of, ``coordinates``; empty ones say nothing.
- A column that the specification does not know refuses the table: a typing error must not lose data.
- Spaces around a cell, and the case of a column's name, do not matter.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import GeometryType
from engine.domain.hours import DAYS, Days, OperatingHours, Span, day_of
from engine.domain.imports import RowError
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.domain.tables import Row, check_commas, read_rows
from engine.geofences import csv_cells as cells

FILE = "file"
"""The parameter that an `InvalidParameter` names when the table as a whole is at fault."""

type _Reader = Callable[[str, str], object]

_READERS: Final[Mapping[str, tuple[str, _Reader]]] = {
    "tag": ("tag", cells.text),
    "externalId": ("external_id", cells.text),
    "description": ("description", cells.text),
    "type": ("type", cells.geometry_type),
    "coordinates": ("coordinates", cells.coordinates),
    "mode": ("mode", cells.mode),
    "enabled": ("enabled", cells.enabled),
    "metadata": ("metadata", cells.metadata),
    "operatingHours": ("operating_hours", cells.hours),
    "stopDetection": ("stop_detection", cells.flag),
    "disableAfter": ("disable_after", cells.date),
    "deleteAfter": ("delete_after", cells.date),
    "ip": ("ip", cells.ip_ranges),
    "dwellThreshold": ("dwell_threshold_s", cells.dwell_threshold_s),
}
"""The columns that are read by themselves: the field of the change, and how a cell is read."""

_SERVED = (*_READERS, "radius", "userIds", "userId")
_LOCATED = {"address": "address", "placeId": "place_id"}
"""The columns that are looked up: an empty cell of theirs says nothing."""

_KEY = ("tag", "externalId")
_METADATA_KEY = "metadata."
_DAY_OF_HOURS = "operatingHours."
_DAY_COLUMNS = tuple(_DAY_OF_HOURS + day for day in DAYS)
_NAMES = {name.lower(): name for name in (*_SERVED, *_LOCATED)}


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
    if name.lower().startswith(_METADATA_KEY):
        return _METADATA_KEY + name[len(_METADATA_KEY) :].strip()
    if name.lower().startswith(_DAY_OF_HOURS.lower()):
        return _day_column(name[len(_DAY_OF_HOURS) :]) or name
    return _NAMES.get(name.lower(), name)


def _day_column(day: str) -> str | None:
    try:
        return _DAY_OF_HOURS + DAYS[day_of(day)]
    except InvalidParameter:
        return None


def _is_known(name: str) -> bool:
    if name.startswith(_METADATA_KEY):
        return not name.endswith(".")
    return name.lower() in _NAMES or name in _DAY_COLUMNS


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
        self._refuse_what_has_no_name()
        self._read_where()
        for column, (field, reader) in _READERS.items():
            self._read(column, field, reader)
        self._read_radius()
        self._read_metadata_items()
        self._read_hours()
        self._read_users()
        if self._errors:
            return ParsedRow(self._row, None, tuple(self._errors))
        return ParsedRow(self._row, GeofenceChange(**self._fields), ())

    def _read_where(self) -> None:
        """Take what is to be looked up; where there is anything, coordinates may be missing, and so may a radius."""
        for column, field in _LOCATED.items():
            if self._values.get(column):
                self._fields[field] = self._cell(column, cells.text)
        if self._fields and not self._values.get("coordinates"):
            self._values.pop("coordinates", None)
        if "place_id" in self._fields and not self._values.get("radius"):
            self._values.pop("radius", None)

    def _read(self, column: str, field: str, reader: _Reader) -> None:
        if column in self._values:
            self._fields[field] = self._cell(column, reader)

    def _cell[T](self, column: str, reader: Callable[[str, str], T]) -> T | None:
        """Return what a cell says, or take note of what is wrong with it."""
        try:
            return reader(column, self._values[column])
        except InvalidParameter as error:
            self._fail(column, error.message)
            return None

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

    def _read_hours(self) -> None:
        """Read the columns of single days, which together are the hours; a day without a column or value is closed."""
        given = [column for column in _DAY_COLUMNS if column in self._values]
        if not given:
            return
        days: Days = tuple(self._day(column) for column in _DAY_COLUMNS)
        filled = any(self._values[column] for column in given)
        self._fields["operating_hours"] = OperatingHours(days) if filled else None

    def _day(self, column: str) -> tuple[Span, ...]:
        if column not in self._values:
            return ()
        day = column[len(_DAY_OF_HOURS) :]
        return self._cell(column, lambda column, cell: cells.spans(column, cell, day)) or ()

    def _read_users(self) -> None:
        readers = (("userIds", cells.user_ids), ("userId", cells.user_id))
        given = [self._cell(column, reader) or () for column, reader in readers if column in self._values]
        if given:
            self._fields["user_ids"] = tuple(dict.fromkeys(chain.from_iterable(given)))

    def _refuse_what_has_no_name(self) -> None:
        for name, value in self._values.items():
            if value and not name:
                self._fail(None, f"{value!r} stands in a column without a name.")

    def _fail(self, column: str | None, message: str) -> None:
        self._errors.append(RowError(self._row, column, message))
