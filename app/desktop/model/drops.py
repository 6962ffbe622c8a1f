"""What a file that was dropped on the window is."""

from enum import Enum
from pathlib import Path

from app.desktop.model.areas import is_extract


class FileKind(Enum):
    """What the window can do with a file."""

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
    """Return whether a CSV holds fences or a track: only a track has a column of latitudes."""
    header = data.partition(b"\n")[0].decode("utf-8-sig", "replace")
    columns = {cell.strip().strip('"').lower() for cell in header.split(",")}
    return FileKind.TRACK if columns & _POSITION_COLUMNS else FileKind.FENCES
