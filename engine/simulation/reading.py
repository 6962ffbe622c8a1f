"""Tracks from files: GPX, CSV and GeoJSON."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from stat import S_ISREG

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation import csv_track, geojson_track, gpx_track

MAX_TRACK_BYTES = 32 * 1024 * 1024
"""Days of one fix a second; whatever is larger is not the track of one device."""

_MILLISECOND = timedelta(milliseconds=1)

type _Reader = Callable[[bytes], tuple[TrackPoint, ...]]

_READERS: dict[str, _Reader] = {
    ".gpx": gpx_track.read,
    ".csv": csv_track.read,
    ".geojson": geojson_track.read,
    ".json": geojson_track.read,
}


def read_track(path: Path) -> Track:
    """Return the track in the file `path`, whose suffix (else whose first character) tells the format.

    - ``.gpx``: the points of all tracks and segments in order; of the routes where there is no track.
    - ``.csv``: a header with latitude/lat, longitude/lon/lng, and optional time/timestamp/updatedAt/createdAt (ISO,
      or unix seconds or milliseconds) and accuracy (metres).
    - ``.geojson``, ``.json``: lines with ``coordTimes`` or ``coordinateProperties.times``; points with ``time``.

    A time without a zone is UTC. Raises `InvalidParameter` naming ``track`` whose text names the file and the place.
    """
    try:
        points = _reader_for(path, data := _read(path))(data)
    except InvalidParameter as error:
        raise InvalidParameter("track", f"{path.name}: {error.message}") from None
    if not points:
        raise InvalidParameter("track", f"{path.name}: it contains no positions.")
    return Track(path.name, _without_small_steps_back(points))


def _without_small_steps_back(points: Iterable[TrackPoint]) -> tuple[TrackPoint, ...]:
    """Return points of which those that go back in time by less than a millisecond have the time before.

    Programs write one time now exactly, now rounded.
    """
    latest: datetime | None = None
    steady: list[TrackPoint] = []
    for point in points:
        at = point.at
        if at is not None and latest is not None and latest - _MILLISECOND < at < latest:
            at = latest
        steady.append(point if at is point.at else replace(point, at=at))
        latest = at or latest
    return tuple(steady)


def _read(path: Path) -> bytes:
    try:
        # Looked at before it is opened: opening a pipe would wait for a writer.
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise InvalidParameter("track", "it is not a file.")
        with path.open("rb") as file:
            data = file.read(MAX_TRACK_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InvalidParameter("track", f"it cannot be read: {reason}.") from None
    if len(data) > MAX_TRACK_BYTES:
        raise InvalidParameter("track", f"it is larger than {MAX_TRACK_BYTES // 1024**2} MB.")
    if not data.strip():
        raise InvalidParameter("track", "it is empty.")
    return data


def _reader_for(path: Path, data: bytes) -> _Reader:
    known = _READERS.get(path.suffix.lower())
    if known is not None:
        return known
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return {b"<": gpx_track.read, b"{": geojson_track.read}.get(start, csv_track.read)
