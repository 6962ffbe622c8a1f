"""Tracks from files of any format, which is detected by their content."""

import codecs
import csv
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from io import StringIO
from json import detect_encoding
from pathlib import Path
from stat import S_ISREG
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.values import replace
from engine.simulation.formats import columns, fit, json_files, nmea, owntracks, tables
from engine.simulation.formats.found import Found
from engine.simulation.formats.gpx import GpxHandler
from engine.simulation.formats.kml import KmlHandler
from engine.simulation.formats.tcx import TcxHandler
from engine.simulation.formats.xml import Handler, read_xml
from engine.tabular.formats.archives import Archive
from engine.tabular.rows import SEPARATORS

MAX_TRACK_BYTES: Final = 32 * 1024 * 1024
"""Maximum size of a track file, enough for days of one fix per second."""

FORMATS: Final = (
    "GPX",
    "KML and KMZ",
    "FIT",
    "TCX",
    "GeoJSON",
    "CSV with latitude and longitude (also of GPSLogger and Traccar)",
    "Google Timeline and Takeout",
    "OwnTracks",
    "Overland",
    "Traccar",
    "NMEA 0183",
    "the request log of this endpoint",
)
_READ: Final = f"Supported formats: {', '.join(FORMATS)}."

_XML: Final[Mapping[str, Callable[[Found], Handler]]] = {
    "gpx": GpxHandler,
    "kml": KmlHandler,
    "TrainingCenterDatabase": TcxHandler,
}
_DECLARED_ENCODING: Final = re.compile(r"(<\?xml\b[^>]{0,100}?)\s+encoding\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_UNMARKED: Final = {
    "utf-16-le": re.compile(rb"(?:[\t\r\n -~]\0){2}"),
    "utf-16-be": re.compile(rb"(?:\0[\t\r\n -~]){2}"),
}
_GZIP: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 31
_GZIP_PIECE: Final = 65_536
_MOST_MEMBERS: Final = 10_000
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_PACKED: Final = (".kml", ".gpx", ".fit", ".tcx", ".geojson", ".json", ".csv", ".nmea", ".rec")
_BEGINNING: Final = 4_096
_MILLISECOND: Final = timedelta(milliseconds=1)


def read_track(path: Path, device: str | None = None) -> Track:
    """Return the track in the file `path`, regardless of its name.

    docs/tracks.md lists the data read from each format. If a file has several devices, the track is that of `device`,
    or of the one with most positions. A time without a zone is UTC. Unreadable parts are named by `Track.skipped`.
    Raises `InvalidParameter` naming ``track`` or ``device``, whose message names the file and the place.
    """
    try:
        return parse_track(_read(path), path.name, device)
    except InvalidParameter as error:
        raise InvalidParameter(
            error.param if error.param == "device" else "track", f"{path.name}: {error.message}"
        ) from None


def parse_track(data: bytes, name: str, device: str | None = None) -> Track:
    """Return the track in the content of a file; raises `InvalidParameter` whose message names the place."""
    found = Found()
    data = _as_utf8(_gunzipped(data, found))
    if not data.strip():
        raise InvalidParameter("track", "it is empty.")
    _find(data, name.removesuffix(".gz"), found)
    track = found.track(name, device)
    return replace(track, points=_without_small_steps_back(track.points))


def _find(data: bytes, name: str, found: Found, *, packed: bool = False) -> None:
    begin = _beginning(data)
    if data.startswith(_ZIP) and not packed:
        _find_packed(data, found)
    elif fit.is_fit(data):
        fit.read(data, found)
    elif begin.startswith("<"):
        read_xml(data, _XML, found)
    elif begin.startswith(("{", "[")):
        if not json_files.read(data, found):
            raise _unknown()
    elif owntracks.is_rec(begin):
        json_files.read_lines(data.decode("utf-8-sig", "replace"), found)
    elif nmea.is_nmea(begin):
        nmea.read(data.decode("ascii", "replace"), found)
    elif _is_table(begin):
        tables.read(data, found)
    else:
        _complain(data, name, found)


def _gunzipped(data: bytes, found: Found) -> bytes:
    """Return the content of a gzip file, as provided by sports portals and loggers, or other content unchanged.

    A file to which a logger has appended consists of several members; a truncated one is read as far as possible.
    """
    content, at = bytearray(), 0
    for _ in range(_MOST_MEMBERS):
        if not data.startswith(_GZIP, at):
            return bytes(content) if at else data
        unpacker = zlib.decompressobj(_GZIP_WINDOW)
        while at < len(data) and not unpacker.eof:
            try:
                content += unpacker.decompress(data[at : at + _GZIP_PIECE], MAX_TRACK_BYTES + 1 - len(content))
            except zlib.error:
                raise InvalidParameter("track", "it is gzip, and damaged.") from None
            if len(content) > MAX_TRACK_BYTES:
                raise _too_large()
            at = min(at + _GZIP_PIECE, len(data))
        at -= len(unpacker.unused_data)
        if not unpacker.eof:
            found.note("The gzip file is cut off, so its end is missing.")
            return bytes(content)
    raise InvalidParameter("track", f"it consists of more than {_MOST_MEMBERS:,} gzip files.")


def _as_utf8(data: bytes) -> bytes:
    """Return UTF-16 text, as saved by PowerShell and spreadsheets, in UTF-8, or other content unchanged.

    The encoding named in XML is removed, because programs that save it in another encoding leave the name.
    """
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else _unmarked_utf16(data)
    if encoding is None:
        return data
    return _DECLARED_ENCODING.sub(r"\1", data.decode(encoding, "replace"), count=1).encode()


def _unmarked_utf16(data: bytes) -> str | None:
    """Return the UTF-16 encoding of a text without a byte order mark by its first two ASCII characters, or None."""
    return next((name for name, begin in _UNMARKED.items() if begin.match(data)), None)


def _complain(data: bytes, name: str, found: Found) -> None:
    """Raise the error of an unreadable file, in the format suggested by its name."""
    match Path(name).suffix.lower():
        case ".gpx" | ".kml" | ".tcx":
            read_xml(data, _XML, found)
        case ".json" | ".geojson":
            json_files.read(data, found)
        case ".csv":
            tables.read(data, found)
    raise _unknown()


def _unknown() -> InvalidParameter:
    return InvalidParameter("track", f"its format is not known. {_READ}")


def _find_packed(data: bytes, found: Found) -> None:
    try:
        archive = Archive(data, MAX_TRACK_BYTES)
        for ending in _PACKED:
            if names := archive.names(ending):
                _find(archive.read(names[0]), names[0], found, packed=True)
                if len(names) > 1:
                    found.note(f"Only {names[0]} of the {len(names):,} {ending} files in the archive is read.")
                return
    except InvalidParameter as error:
        raise InvalidParameter("track", error.message[:1].lower() + error.message[1:]) from None
    raise InvalidParameter("track", f"this ZIP archive contains no track. {_READ}")


def _beginning(data: bytes) -> str:
    """Return the beginning of a file as text, without spaces and marks; invalid characters are not an error here."""
    begin = data[:_BEGINNING]
    marked = begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"\0", b"<\0", b"{\0", b"[\0"))
    text = begin.decode(detect_encoding(begin), "replace") if marked else tables.decoded(begin)[0]
    return text.lstrip("\ufeff \t\r\n")


def _is_table(begin: str) -> bool:
    for line in begin.splitlines():
        if line.strip() and not line.startswith("sep="):
            try:
                return any(
                    columns.is_table(next(csv.reader(StringIO(line), delimiter=separator), []))
                    for separator in SEPARATORS
                )
            except csv.Error:
                return False
    return False


def _without_small_steps_back(points: Iterable[TrackPoint]) -> tuple[TrackPoint, ...]:
    """Return points in which a time less than a millisecond before the previous one is replaced by that one.

    Programs write the same time sometimes exact and sometimes rounded.
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
        # Checked before opening, because opening a pipe would wait for a writer.
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise InvalidParameter("track", "it is not a file.")
        with path.open("rb") as file:
            data = file.read(MAX_TRACK_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InvalidParameter("track", f"it cannot be read: {reason}.") from None
    if len(data) > MAX_TRACK_BYTES:
        raise _too_large()
    return data


def _too_large() -> InvalidParameter:
    return InvalidParameter("track", f"it is larger than {MAX_TRACK_BYTES // 1024**2} MB.")
