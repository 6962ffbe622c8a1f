"""The rows of a file of any kind."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import WHOLE_FILE, Encoding, RowError

FILE: Final = "file"
"""The parameter that an `InvalidParameter` names if the file as a whole is invalid."""

POINT: Final = "point"
LINE: Final = "line"
POLYGON: Final = "polygon"
"""The types of parts."""

MAX_ROWS: Final = 1_000_000
MAX_POSITIONS: Final = 17_000_000
MAX_POSITIONS_OF_SYNC: Final = 5_000_000
"""Maximum number of positions in a file that a process reads: as many as the largest file holds, at 16 bytes each."""

MAX_CELL: Final = 1_000_000
"""Maximum length of an attribute of a feature that GDAL reads, in characters."""

MEMORY_OF_FILE: Final = 600 * 1024**2
MEMORY_OF_SYNC: Final = 300 * 1024**2
"""Memory of the process that reads a file chosen by a user, or fetched by the nightly sync, in bytes."""

_CPU_S_OF_FILE: Final = 240
_CPU_S_OF_SYNC: Final = 110
_WAITING: Final = 2.5
"""Factor by which the process may take longer than its processor time, on a busy machine."""

_LAYERS_SHOWN: Final = 10


class FileFormat(StrEnum):
    """The kinds of files."""

    CSV = "csv"
    EXCEL = "xlsx"
    GEOJSON = "geojson"
    WKT = "wkt"
    KML = "kml"
    GPX = "gpx"
    SHAPEFILE = "shapefile"
    GEOPACKAGE = "gpkg"
    FLATGEOBUF = "fgb"

    @property
    def label(self) -> str:
        """The name of the format for users."""
        return _LABELS[self]


_LABELS: Final[Mapping[FileFormat, str]] = {
    FileFormat.CSV: "CSV",
    FileFormat.EXCEL: "Excel file",
    FileFormat.GEOJSON: "GeoJSON",
    FileFormat.WKT: "WKT",
    FileFormat.KML: "KML",
    FileFormat.GPX: "GPX",
    FileFormat.SHAPEFILE: "Shapefile",
    FileFormat.GEOPACKAGE: "GeoPackage",
    FileFormat.FLATGEOBUF: "FlatGeobuf",
}


class SeveralLayers(InvalidParameter):
    """Raised if a file has several layers and the request does not choose one."""

    def __init__(self, layers: Sequence[str]) -> None:
        shown = ", ".join(map(repr, layers[:_LAYERS_SHOWN]))
        super().__init__("layer", f"layer: there are several layers: {shown}. Choose one.")
        self.layers = tuple(layers)


class Part(Struct, frozen=True):
    """A position, a line, or the outer ring of a polygon and its holes, in degrees; validated elsewhere."""

    type: str
    coordinates: tuple[object, ...]
    holes: tuple[tuple[object, ...], ...] = ()

    @property
    def positions(self) -> int:
        """Number of positions."""
        return 1 if self.type == POINT else sum(map(len, (self.coordinates, *self.holes)))


class SourceRow(Struct, frozen=True):
    """A table row or a map feature: its texts by column, and its geometry if that is not in a column.

    `number` is the row that a spreadsheet shows for a table, the line for WKT, otherwise the position of the feature in
    the file, from 1. A feature may lack columns that others have. `fault` is the reason why the row cannot be used.
    """

    number: int
    values: Mapping[str, str]
    parts: tuple[Part, ...] | None = None
    fault: str | None = None
    fault_column: str | None = None


class Source(Struct, frozen=True):
    """A file that was read: its columns in order, its rows, and the notation of its numbers.

    `strict` means that an unknown column counts as a typing error, since our tables have no others. `sheets` are the
    sheets of an Excel file, of which `sheet` was read. `notes` are sentences about choices that the reader made.
    `encoding` is that of a text file, and None for formats that have only one.
    """

    format: FileFormat
    columns: tuple[str, ...]
    rows: list[SourceRow]
    decimal_comma: bool = False
    header_row: int = 0
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    encoding: Encoding | None = None

    @property
    def strict(self) -> bool:
        """Whether an unknown column is an error if the user has not mapped the columns."""
        return self.format in _TABLES

    @property
    def located(self) -> bool:
        """Whether rows have a geometry outside their columns."""
        return self.format not in _TABLES

    @property
    def place(self) -> str:
        """The place of the header row, as a prefix of an error about it."""
        sheet = "" if self.sheet is None else f"sheet {self.sheet!r}, "
        return f"{sheet}row {self.header_row}: "


_TABLES: Final = frozenset({FileFormat.CSV, FileFormat.EXCEL})
_NOTHING: Final[Mapping[FileFormat, str]] = {
    FileFormat.CSV: "The file has a header row and no others.",
    FileFormat.EXCEL: "The sheet has a header row and no others.",
    FileFormat.GPX: "The file contains no waypoints; tracks can be played in the simulator.",
}


def too_many_features() -> InvalidParameter:
    """Return the error for a file with more features than allowed."""
    return InvalidParameter(FILE, f"There are more than {MAX_ROWS:,} features; no more are allowed.")


def cpu_s(memory: int) -> int:
    """Return the processor time for reading a file with this amount of memory, in seconds.

    The largest file takes a third of it: KML with a million placemarks in 256 MB.
    """
    return _CPU_S_OF_FILE if memory > MEMORY_OF_SYNC else _CPU_S_OF_SYNC


def within_s(memory: int) -> float:
    """Return the maximum duration of reading a file with this amount of memory, in seconds."""
    return cpu_s(memory) * _WAITING


def too_large(size: int, most: int) -> str:
    """Return the fault of a feature that is too large to be read."""
    return f"The feature takes {size / 1024**2:.1f} MB; at most {most // 1024**2} MB are allowed."


def nothing_in(format: FileFormat) -> RowError:
    """Return the error for a file without rows."""
    return RowError(WHOLE_FILE, None, _NOTHING.get(format, "The file contains no features."))
