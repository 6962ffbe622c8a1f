"""Conversion of the columns of a beacon table to one change per row.

- A missing column keeps the stored value. An empty cell resets ``enabled`` to true and removes ``metadata``.
- Empty cells of the signal and the position are ignored, as a row has only the cells of its own type.
- ``latitude`` and ``longitude`` go together. ``geometry`` is a GeoJSON Point instead of both.
- A table with an unknown column is rejected, so that a typing error does not lose data.
"""

from collections.abc import Callable, Mapping
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.fields.beacon import ALL_PARTS, Row
from engine.domain.geometry import Point, check_latitude, check_longitude
from engine.domain.imports import Encoding
from engine.domain.tracking.beacon import BeaconChange, check_type
from engine.tabular.cells import enabled, json_of, metadata, number, text
from engine.tabular.encodings import Text, decoded, head
from engine.tabular.layouts import TableFormat
from engine.tabular.reading import ParsedRow, RowReader, columns_of_fields, parse_table
from engine.tabular.rows import read_rows

_LOOKED_AT: Final = 64 * 1024
_ZIP: Final = b"PK"
"""The beginning of an Excel file, which is an archive."""

_NUMERIC: Final = ("latitude", "longitude")
_TELLING: Final = frozenset(row.name for row in ALL_PARTS)
"""Columns that tables of other records do not have."""


def is_beacon_table(data: bytes) -> bool:
    """Return whether the header of a table identifies it as a table of beacons."""
    try:
        header = next(read_rows(head(data, _LOOKED_AT), "file"), None)
    except InvalidParameter:
        return False
    return header is not None and not _TELLING.isdisjoint(cell.strip().lower() for cell in header.cells)


def column_of(field: str) -> str:
    """Return the column of a field of a change."""
    return _COLUMNS.get(field, field)


def text_of_table(data: bytes, encoding: Encoding | None = None) -> Text:
    """Return the text of a CSV in an encoding, by default the recognised one; raises `InvalidParameter`."""
    if data.startswith(_ZIP):
        raise InvalidParameter("file", "Beacons are imported from CSV. Save the sheet of an Excel file as CSV.")
    return decoded(data, "file", encoding)


def parse_rows(data: bytes) -> tuple[ParsedRow[BeaconChange], ...]:
    """Return the rows of the CSV `data` (UTF-8, with a header row). Raises the exceptions of `parse_table`."""
    return parse_table(data, _FORMAT, lambda row, values: _RowParser(row, values).parse(), _NUMERIC)


def _beacon_type(column: str, cell: str) -> str:
    return str(check_type(text(column, cell)))


def _point(column: str, cell: str) -> Point:
    """Return the position of a GeoJSON Point."""
    match json_of(column, cell):
        case {"type": "Point", "coordinates": [int() | float() as longitude, int() | float() as latitude]}:
            return Point(check_longitude(float(longitude), column), check_latitude(float(latitude), column))
        case _:
            raise InvalidParameter(column, f'{column}: must be {{"type": "Point", "coordinates": [lon, lat]}}.')


def _reader(row: Row) -> Callable[[str, str], object]:
    check = row.check
    assert check is not None
    return lambda column, cell: check(cell, column)


_READERS: Final[Mapping[str, tuple[str, Callable[[str, str], object]]]] = {
    "tag": ("tag", text),
    "externalId": ("external_id", text),
    "description": ("description", text),
    "type": ("type", _beacon_type),
    "enabled": ("enabled", enabled),
    "metadata": ("metadata", metadata),
}
"""Columns that are always read, with the field of the change and the parser of their cells."""

_FILLED: Final[Mapping[str, tuple[str, Callable[[str, str], object]]]] = {
    **{row.name: (row.name, _reader(row)) for row in ALL_PARTS},
    "geometry": ("geometry", _point),
}
"""Columns whose empty cells are ignored."""

_COLUMNS: Final = {**columns_of_fields({**_READERS, **_FILLED}, {}), "geometry": "latitude"}
_FORMAT: Final = TableFormat(
    (*_READERS, *_FILLED, "latitude", "longitude"),
    ("tag", "externalId"),
    exclusive=(("metadata", "metadata."), ("geometry", "latitude"), ("geometry", "longitude")),
)


class _RowParser(RowReader):
    """Parses the cells of one row into a change of a beacon."""

    def parse(self) -> ParsedRow[BeaconChange]:
        self.reject_unnamed_columns()
        for column, (field, reader) in _READERS.items():
            self.read(column, field, reader)
        for column, (field, reader) in _FILLED.items():
            if self.values.get(column):
                self.read(column, field, reader)
        self._read_position()
        self.read_metadata_items()
        return self.parsed(BeaconChange)

    def _read_position(self) -> None:
        if not (self.values.get("latitude") or self.values.get("longitude")):
            return
        for column in ("latitude", "longitude"):
            self.values.setdefault(column, "")
        latitude = self.cell("latitude", lambda column, cell: check_latitude(number(column, cell), column))
        longitude = self.cell("longitude", lambda column, cell: check_longitude(number(column, cell), column))
        if latitude is not None and longitude is not None:
            self.fields["geometry"] = Point(longitude, latitude)
