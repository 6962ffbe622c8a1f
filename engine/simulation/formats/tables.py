"""Tracks from CSV tables with a header, including those of GPSLogger and of Traccar.

GPSLogger: https://gpslogger.app/ (its "CSV" format). Traccar: ``/api/positions`` and ``/api/reports/route`` as
text/csv, with the fields of https://www.traccar.org/api-reference/ ("Position"), in which 0 is an unknown accuracy.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.columns import columns_of
from engine.simulation.formats.found import Found
from engine.tabular.rows import Row, read_rows

_SHOWN: Final = 20
_NO_CHARACTER: Final = "\ufffd"
_CLOCK: Final = re.compile(r"\d{1,2}:\d{2}", re.ASCII)
"""Beginning of a time without a date."""


def read(data: bytes, found: Found) -> None:
    """Read the points of the table `data`; columns with unknown names are named.

    Raises `InvalidParameter` whose message names the row and the column; a row that cannot be read is only named.
    """
    text, is_in_windows_1252 = decoded(data)
    if is_in_windows_1252:
        found.note("The text is not UTF-8; it was read as Windows-1252.")
    rows = read_rows(text.encode(), "track")
    header = next(rows, None)
    if header is None:
        raise InvalidParameter("track", "it is empty.")
    table = _Table(header)
    if unknown := table.columns.unknown:
        found.note(_unknown(unknown))
    while True:
        try:
            row = next(rows, None)
        except InvalidParameter as error:
            # The data after such a place cannot be trusted.
            found.skip(
                f"{error.message.removesuffix('.')}; nothing after that is read." if found.count else error.message
            )
            return
        if row is None:
            return
        table.take(row, found)


def decoded(data: bytes) -> tuple[str, bool]:
    """Return the text of a table, and whether it is in Windows-1252, in which spreadsheets save it by default.

    Text with any non-ASCII characters in valid UTF-8 is read as UTF-8, in which an invalid byte only affects its cell.
    """
    text = data.decode("utf-8-sig", "replace")
    if _NO_CHARACTER not in text or any(not each.isascii() for each in text.replace(_NO_CHARACTER, "")):
        return text, False
    return data.decode("cp1252", "replace"), True


def _unknown(names: Sequence[str]) -> str:
    """Return the note about unknown columns."""
    shown, more = ", ".join(names[:_SHOWN]), len(names) - _SHOWN
    if len(names) == 1:
        return f"1 column was not recognised: {shown}."
    if more <= 0:
        return f"{len(names):,} columns were not recognised: {shown}."
    return f"{len(names):,} columns were not recognised: {shown} and {more:,} more."


class _Table:
    def __init__(self, header: Row) -> None:
        self.columns = columns_of(header)
        self._width = len(header.cells)
        self._accuracy = fields.known_accuracy if self.columns.of_traccar else fields.accuracy

    def take(self, row: Row, found: Found) -> None:
        """Add the point of a row, or name the row if it cannot be read."""
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
            fields.speed(cells.get("speed"), self.columns.speed_unit_mps),
        )

    def _located(self, error: InvalidParameter, row: Row) -> str:
        message = error.message.removeprefix(f"{error.param}: ")
        of_date = error.param == "time" and "time" not in self.columns.fields
        place = f"row {row.number}, column {self.columns.fields['date' if of_date else error.param][1]}"
        return f"{place}: {message}"


def _time(cells: Mapping[str, str]) -> str:
    """Return the time of a fix, preceded by the date from another column if it has none itself."""
    time, date = cells.get("time", ""), cells.get("date", "")
    return f"{date} {time}".strip() if not time or _CLOCK.match(time) else time
