"""The formats in which tracks are written."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track
from engine.simulation.writing.dropped import dropped_by_commands, dropped_by_script, dropped_by_xcode
from engine.simulation.writing.emulator import write_commands, write_script
from engine.simulation.writing.gpx import write_gpx, write_xcode
from engine.simulation.writing.tables import write_csv, write_geojson


class TrackFormat(StrEnum):
    """The formats, by their names on the command line."""

    GPX = "gpx"
    XCODE = "xcode"
    CSV = "csv"
    GEOJSON = "geojson"
    ADB = "adb"
    GEO_FIX = "geo-fix"


_WRITERS: Final[Mapping[TrackFormat, Callable[[Track], bytes]]] = {
    TrackFormat.GPX: write_gpx,
    TrackFormat.XCODE: write_xcode,
    TrackFormat.CSV: write_csv,
    TrackFormat.GEOJSON: write_geojson,
    TrackFormat.ADB: write_script,
    TrackFormat.GEO_FIX: write_commands,
}
_ENDINGS: Final = {
    ".gpx": TrackFormat.GPX,
    ".csv": TrackFormat.CSV,
    ".geojson": TrackFormat.GEOJSON,
    ".json": TrackFormat.GEOJSON,
    ".sh": TrackFormat.ADB,
}


def write_track(track: Track, track_format: TrackFormat) -> bytes:
    """Return the content of a track file."""
    return _WRITERS[track_format](track)


def left_out(track: Track, track_format: TrackFormat) -> tuple[str, ...]:
    """Return sentences about the parts of a track that a format cannot hold; empty if it holds everything."""
    match track_format:
        case TrackFormat.XCODE:
            return dropped_by_xcode(track)
        case TrackFormat.ADB:
            return dropped_by_script(track)
        case TrackFormat.GEO_FIX:
            return dropped_by_commands(track)
    return ()


def format_of(file: Path) -> TrackFormat:
    """Return the format for a file's extension; raises `InvalidParameter` ``format`` for an unknown one."""
    found = _ENDINGS.get(file.suffix.lower())
    if found is None:
        names = ", ".join(TrackFormat)
        raise InvalidParameter("format", f"format: cannot tell it from the name {file.name}; give one of {names}.")
    return found
