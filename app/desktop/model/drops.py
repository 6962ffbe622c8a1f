"""The kinds of files that may be dropped on the window."""

from enum import Enum
from pathlib import Path

from app.desktop.model.areas import is_extract
from engine.beacons.csv_import import is_beacon_table


class FileKind(Enum):
    """The use the window has for a file."""

    FENCES = "fences"
    TRACK = "track"
    EXTRACT = "extract"
    OTHER = "other"


_TRACKS = {".gpx", ".geojson", ".json"}
_POSITION_COLUMNS = {"lat", "latitude"}


def kind_by_name(path: Path) -> FileKind:
    """Return the kind that a file's name promises; a CSV may still turn out to be a track."""
    if is_extract(path):
        return FileKind.EXTRACT
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return FileKind.FENCES
    return FileKind.TRACK if suffix in _TRACKS else FileKind.OTHER


def kind_of_table(data: bytes) -> FileKind:
    """Return whether a CSV holds records or a track: only a track, and beacons, have a column of latitudes."""
    header = data.partition(b"\n")[0].decode("utf-8-sig", "replace")
    columns = {cell.strip().strip('"').lower() for cell in header.split(",")}
    is_track = columns & _POSITION_COLUMNS and not is_beacon_table(data)
    return FileKind.TRACK if is_track else FileKind.FENCES
