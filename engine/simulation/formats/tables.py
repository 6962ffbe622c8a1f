"""Tracks from CSV tables: any with a header, those of GPSLogger and of Traccar among them.

GPSLogger: https://gpslogger.app/ (its "CSV" format). Traccar: ``/api/positions`` and ``/api/reports/route`` as
text/csv, with the fields of https://www.traccar.org/api-reference/ ("Position"); 0 is an accuracy that is not known.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found
from engine.tabular.rows import Row, read_rows

_NAMES: Final = {
    "latitude": "latitude",
    "lat": "latitude",
    "longitude": "longitude",
    "lon": "longitude",
    "lng": "longitude",
    "time": "time",
    "timestamp": "time",
    "updatedat": "time",
    "createdat": "time",
    "fixtime": "time",
    "accuracy": "accuracy",
    "foreground": "foreground",
    "stopped": "stopped",
    "deviceid": "device",
}
_TRACCAR: Final = "fixtime"

type _Columns = Mapping[str, tuple[int, str]]
"""From a field to its index and to the name that the file gives it."""


def is_table(names: Iterable[str]) -> bool:
    """Whether these cells are the header of a track."""
    fields_of = {_NAMES.get(name.strip().lower()) for name in names}
    return {"latitude", "longitude"} <= fields_of


def read(data: bytes, found: Found) -> None:
    """Find the points of the table `data`; columns that tell nothing about a fix are ignored.

    Raises `InvalidParameter` whose text names the row and the column; a row that cannot be read is only named.
    """
    rows = read_rows(_forgiven(data), "track")
    header = next(rows, None)
    if header is None:
        raise InvalidParameter("track", "it is empty.")
    table = _Table(header)
    while True:
        try:
            row = next(rows, None)
        except InvalidParameter as error:
            # Nothing after such a place can be trusted.
            found.skip(
                f"{error.message.removesuffix('.')}; nothing after that is read." if found.count else error.message
            )
            return
        if row is None:
            return
        table.take(row, found)


def _forgiven(data: bytes) -> bytes:
    """Return a table in UTF-8: a byte that is none spoils the cell it is in, and no other. UTF-16 stays as it is."""
    return data if b"\0" in data else data.decode("utf-8", "replace").encode()


class _Table:
    def __init__(self, header: Row) -> None:
        self._columns = _columns(header)
        self._width = len(header.cells)
        names = {cell.strip().lower() for cell in header.cells}
        self._accuracy = fields.known_accuracy if _TRACCAR in names else fields.accuracy

    def take(self, row: Row, found: Found) -> None:
        """Find the point of a row, or name it."""
        if len(row.cells) < self._width or any(cell.strip() for cell in row.cells[self._width :]):
            found.skip(f"row {row.number}: there are {len(row.cells)} cells, but {self._width} columns in the header.")
            return
        cells = {field: row.cells[index].strip() for field, (index, _) in self._columns.items()}
        try:
            point = self._point(cells)
        except InvalidParameter as error:
            found.skip(_located(error, self._columns, row))
            return
        found.add(point, cells.get("device") or None)

    def _point(self, cells: Mapping[str, str]) -> TrackPoint:
        time, accuracy = cells.get("time"), cells.get("accuracy")
        return TrackPoint(
            fields.position(cells["longitude"], cells["latitude"]),
            fields.moment(time) if time else None,
            self._accuracy(accuracy) if accuracy else None,
            fields.flag(cells.get("foreground"), "foreground"),
            fields.flag(cells.get("stopped"), "stopped"),
        )


def _columns(header: Row) -> _Columns:
    columns: dict[str, tuple[int, str]] = {}
    for index, cell in enumerate(header.cells):
        field = _NAMES.get(cell.strip().lower())
        if field in columns:
            both = f"{columns[field][1]!r} and {cell.strip()!r}"
            raise InvalidParameter("track", f"row {header.number}: the columns {both} both give the {field}.")
        if field is not None:
            columns[field] = (index, cell.strip())
    for field in ("latitude", "longitude"):
        if field not in columns:
            raise InvalidParameter("track", f"row {header.number}: the header row has no column {field}.")
    return columns


def _located(error: InvalidParameter, columns: _Columns, row: Row) -> str:
    message = error.message.removeprefix(f"{error.param}: ")
    return f"row {row.number}, column {columns[error.param][1]}: {message}"
