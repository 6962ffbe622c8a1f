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
from itertools import chain
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import GeometryType
from engine.domain.hours import DAYS, Days, OperatingHours, Span, day_of
from engine.geofences.imports import cells
from engine.tabular.cells import enabled, flag, metadata, number, text
from engine.tabular.reading import (
    METADATA_KEY,
    ParsedRow,
    ParsedTable,
    RowReader,
    TableFormat,
    columns_of_fields,
    parse_table,
)

type _Reader = Callable[[str, str], object]

_READERS: Final[Mapping[str, tuple[str, _Reader]]] = {
    "tag": ("tag", text),
    "externalId": ("external_id", text),
    "description": ("description", text),
    "type": ("type", cells.geometry_type),
    "coordinates": ("coordinates", cells.coordinates),
    "mode": ("mode", cells.mode),
    "enabled": ("enabled", enabled),
    "metadata": ("metadata", metadata),
    "operatingHours": ("operating_hours", cells.hours),
    "stopDetection": ("stop_detection", flag),
    "disableAfter": ("disable_after", cells.date),
    "deleteAfter": ("delete_after", cells.date),
    "ip": ("ip", cells.ip_ranges),
    "dwellThreshold": ("dwell_threshold_s", cells.dwell_threshold_s),
    "tripApproachingThreshold": ("trip_approaching_threshold_s", cells.approaching_threshold_s),
}
"""The columns that are read by themselves: the field of the change, and how a cell is read."""

_LOCATED = {"address": "address", "placeId": "place_id"}
"""The columns that are looked up: an empty cell of theirs says nothing."""

_COLUMNS = columns_of_fields(
    _READERS,
    {"radius_m": "radius", "user_ids": "userIds", **{field: column for column, field in _LOCATED.items()}},
)
_DAY_OF_HOURS = "operatingHours."
_DAY_COLUMNS = tuple(_DAY_OF_HOURS + day for day in DAYS)


def column_of(field: str) -> str:
    """Return the column that a field of a change is read from."""
    return _COLUMNS.get(field, field)


def parse_rows(data: bytes) -> ParsedTable[GeofenceChange]:
    """Return the rows of the CSV `data` (UTF-8, commas, a header row); raises as `parse_table` does."""
    return parse_table(data, _FORMAT, lambda row, values: _RowParser(row, values).parse())


def _day_column(name: str) -> str | None:
    """Return a column of one day's hours with the day as it is spelled here; None for any other."""
    if not name.lower().startswith(_DAY_OF_HOURS.lower()):
        return None
    try:
        return _DAY_OF_HOURS + DAYS[day_of(name[len(_DAY_OF_HOURS) :])]
    except InvalidParameter:
        return None


_FORMAT: Final = TableFormat(
    (*_READERS, "radius", "userIds", "userId", *_LOCATED),
    ("tag", "externalId"),
    prefixed=_day_column,
    exclusive=(("metadata", METADATA_KEY), ("operatingHours", _DAY_OF_HOURS)),
)


class _RowParser(RowReader):
    """Turns the cells of one row into a change of a geofence."""

    def parse(self) -> ParsedRow[GeofenceChange]:
        self.refuse_what_has_no_name()
        self._read_where()
        for column, (field, reader) in _READERS.items():
            self.read(column, field, reader)
        self._read_radius()
        self.read_metadata_items()
        self._read_hours()
        self._read_users()
        return self.parsed(GeofenceChange)

    def _read_where(self) -> None:
        """Take what is to be looked up; where there is anything, coordinates may be missing, and so may a radius."""
        for column, field in _LOCATED.items():
            if self.values.get(column):
                self.fields[field] = self.cell(column, text)
        if self.fields and not self.values.get("coordinates"):
            self.values.pop("coordinates", None)
        if "place_id" in self.fields and not self.values.get("radius"):
            self.values.pop("radius", None)

    def _read_radius(self) -> None:
        """Read the radius, which the specification ignores for a polygon.

        Without the type in the row only the stored geofence tells whether an empty one is an error.
        """
        kind = self.fields.get("type")
        if kind == GeometryType.POLYGON:
            return
        if kind is None and self.values.get("radius") == "":
            self.fields["radius_m"] = None
            return
        self.read("radius", "radius_m", number)

    def _read_hours(self) -> None:
        """Read the columns of single days, which together are the hours; a day without a column or value is closed."""
        given = [column for column in _DAY_COLUMNS if column in self.values]
        if not given:
            return
        days: Days = tuple(self._day(column) for column in _DAY_COLUMNS)
        filled = any(self.values[column] for column in given)
        self.fields["operating_hours"] = OperatingHours(days) if filled else None

    def _day(self, column: str) -> tuple[Span, ...]:
        if column not in self.values:
            return ()
        day = column[len(_DAY_OF_HOURS) :]
        return self.cell(column, lambda column, cell: cells.spans(column, cell, day)) or ()

    def _read_users(self) -> None:
        readers = (("userIds", cells.user_ids), ("userId", cells.user_id))
        given = [self.cell(column, reader) or () for column, reader in readers if column in self.values]
        if given:
            self.fields["user_ids"] = tuple(dict.fromkeys(chain.from_iterable(given)))
