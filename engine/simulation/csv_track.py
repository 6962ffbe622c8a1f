"""Tracks from CSV tables."""

from collections.abc import Mapping

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation import fields
from engine.tabular.rows import Row, read_rows

_NAMES = {
    "latitude": "latitude",
    "lat": "latitude",
    "longitude": "longitude",
    "lon": "longitude",
    "lng": "longitude",
    "time": "time",
    "timestamp": "time",
    "updatedat": "time",
    "createdat": "time",
    "accuracy": "accuracy",
}

type _Columns = Mapping[str, tuple[int, str]]
"""From a field to its index and to the name that the file gives it."""


def read(data: bytes) -> tuple[TrackPoint, ...]:
    """Return the points of the table `data`; columns that tell nothing about a fix are ignored.

    Raises `InvalidParameter` whose text names the row and the column.
    """
    rows = read_rows(data, "track")
    header = next(rows, None)
    if header is None:
        raise InvalidParameter("track", "it is empty.")
    columns = _columns(header)
    return fields.bounded(_point(columns, row, len(header.cells)) for row in rows)


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


def _point(columns: _Columns, row: Row, width: int) -> TrackPoint:
    if len(row.cells) < width or any(cell.strip() for cell in row.cells[width:]):
        raise InvalidParameter(
            "track", f"row {row.number}: there are {len(row.cells)} cells, but {width} columns in the header."
        )
    cells = {field: row.cells[index].strip() for field, (index, _) in columns.items()}
    time, accuracy = cells.get("time"), cells.get("accuracy")
    try:
        return TrackPoint(
            fields.position(cells["longitude"], cells["latitude"]),
            fields.moment(time) if time else None,
            fields.accuracy(accuracy) if accuracy else None,
        )
    except InvalidParameter as error:
        raise InvalidParameter(error.param, _located(error, columns, row)) from None


def _located(error: InvalidParameter, columns: _Columns, row: Row) -> str:
    message = error.message.removeprefix(f"{error.param}: ")
    return f"row {row.number}, column {columns[error.param][1]}: {message}"
