"""Tracks from CSV tables: any with a header, those of GPSLogger and of Traccar among them.

GPSLogger: https://gpslogger.app/ (its "CSV" format). Traccar: ``/api/positions`` and ``/api/reports/route`` as
text/csv, with the fields of https://www.traccar.org/api-reference/ ("Position"); 0 is an accuracy that is not known.
"""

import re
from collections.abc import Mapping
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.columns import columns_of
from engine.simulation.formats.found import Found
from engine.tabular.rows import Row, read_rows

_SHOWN: Final = 20
_CLOCK: Final = re.compile(r"\d{1,2}:\d{2}", re.ASCII)
"""How a time begins that is no date."""


def read(data: bytes, found: Found) -> None:
    """Find the points of the table `data`; columns whose names are not known are named.

    Raises `InvalidParameter` whose text names the row and the column; a row that cannot be read is only named.
    """
    rows = read_rows(_forgiven(data), "track")
    header = next(rows, None)
    if header is None:
        raise InvalidParameter("track", "it is empty.")
    table = _Table(header)
    if unknown := table.columns.unknown:
        more = f" and {len(unknown) - _SHOWN:,} more" if len(unknown) > _SHOWN else ""
        noun = "column was" if len(unknown) == 1 else "columns were"
        found.note(f"{len(unknown):,} {noun} not recognised: {', '.join(unknown[:_SHOWN])}{more}.")
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
        self.columns = columns_of(header)
        self._width = len(header.cells)
        self._accuracy = fields.known_accuracy if self.columns.of_traccar else fields.accuracy

    def take(self, row: Row, found: Found) -> None:
        """Find the point of a row, or name it."""
        if len(row.cells) < self._width or any(cell.strip() for cell in row.cells[self._width :]):
            found.skip(f"row {row.number}: there are {len(row.cells)} cells, but {self._width} columns in the header.")
            return
        cells = {field: row.cells[index].strip() for field, (index, _) in self.columns.fields.items()}
        try:
            point = self._point(cells)
        except InvalidParameter as error:
            found.skip(self._located(error, row))
            return
        found.add(point, cells.get("device") or None)

    def _point(self, cells: Mapping[str, str]) -> TrackPoint:
        time, accuracy = _time(cells), fields.decimal(cells.get("accuracy", ""))
        return TrackPoint(
            fields.position(fields.decimal(cells["longitude"]), fields.decimal(cells["latitude"])),
            fields.moment(time) if time else None,
            self._accuracy(accuracy) if accuracy else None,
            fields.flag(cells.get("foreground"), "foreground"),
            fields.flag(cells.get("stopped"), "stopped"),
            fields.speed(fields.decimal(cells.get("speed", "")), self.columns.speed_unit_mps),
        )

    def _located(self, error: InvalidParameter, row: Row) -> str:
        message = error.message.removeprefix(f"{error.param}: ")
        of_date = error.param == "time" and "time" not in self.columns.fields
        return f"row {row.number}, column {self.columns.fields['date' if of_date else error.param][1]}: {message}"


def _time(cells: Mapping[str, str]) -> str:
    """Return when a fix was: its time, which may be that of a day in a column of its own."""
    time, date = cells.get("time", ""), cells.get("date", "")
    return f"{date} {time}".strip() if not time or _CLOCK.match(time) else time
