"""The kinds of files that may be dropped on the window."""

import re
from enum import Enum
from pathlib import Path
from typing import Final

from app.desktop.model.areas import is_extract
from engine.beacons.csv_import import is_beacon_table
from engine.domain.imports import Encoding
from engine.tabular.encodings import recognised

_BEGINNING: Final = 4_096


class FileKind(Enum):
    """The use of a file in the window; for some files it depends on their content."""

    FENCES = "fences"
    TRACK = "track"
    EXTRACT = "extract"
    UNSURE = "unsure"
    OTHER = "other"


_MAPS: Final = frozenset({".xlsx", ".xlsm", ".kmz", ".wkt", ".shp", ".zip", ".gpkg", ".fgb"})
_EITHER: Final = frozenset({".csv", ".tsv", ".txt", ".gpx", ".kml", ".geojson", ".json"})
_TRACKS: Final = frozenset({".fit", ".nmea", ".rec", ".jsonl", ".log"})
_POSITION_COLUMNS: Final = {"lat", "latitude"}
_OWN_COLUMNS: Final = {"tag", "externalid"}
_LINES: Final = re.compile(
    rb'<(trk|rte|gx:Track|Track)[\s>]|"(Multi)?LineString"|"(locations|requests|semanticSegments|rawSignals)"'
)
_SHAPES: Final = re.compile(rb'<wpt[\s>]|"(Multi)?Polygon"|"externalId"')


def kind_by_name(path: Path) -> FileKind:
    """Return the kind of a file by its name."""
    if is_extract(path):
        return FileKind.EXTRACT
    suffix = path.suffix.lower()
    if suffix in _MAPS:
        return FileKind.FENCES
    if suffix in _TRACKS:
        return FileKind.TRACK
    return FileKind.UNSURE if suffix in _EITHER else FileKind.OTHER


def kind_of_content(data: bytes) -> FileKind:
    """Return whether a table or a map holds records or a track."""
    if recognised(data[:_BEGINNING]) in (Encoding.UTF_16_LE, Encoding.UTF_16_BE):
        data = data.decode(recognised(data[:_BEGINNING]).value, "replace").encode()
    if b"<kml" in data[:_BEGINNING]:
        return FileKind.TRACK if _LINES.search(data) else FileKind.FENCES
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[", b"<"):
        return FileKind.FENCES if _SHAPES.search(data) and not _LINES.search(data) else FileKind.TRACK
    header = data.partition(b"\n")[0].decode("utf-8-sig", "replace")
    columns = {cell.strip().strip('"').lower() for cell in re.split(r"[,;\t|]", header)}
    is_track = columns & _POSITION_COLUMNS and not columns & _OWN_COLUMNS and not is_beacon_table(data)
    return FileKind.TRACK if is_track else FileKind.FENCES
