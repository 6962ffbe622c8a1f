"""The rows of a file, whatever its kind."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import WHOLE_FILE, RowError

FILE: Final = "file"
"""The parameter that an `InvalidParameter` names when the file as a whole is at fault."""

MAX_ROWS: Final = 1_000_000
MAX_POSITIONS: Final = 17_000_000
MAX_POSITIONS_OF_SYNC: Final = 5_000_000
"""Positions of all features of a file that a process reads: as many as the largest file holds, at 16 bytes each."""

MAX_CELL: Final = 1_000_000
"""Characters of one attribute of a feature that GDAL reads."""

MEMORY_OF_FILE: Final = 600 * 1024**2
MEMORY_OF_SYNC: Final = 300 * 1024**2
"""Memory for the process that reads a file, chosen by a person or fetched by the nightly sync."""

_CPU_S_OF_FILE: Final = 240
_CPU_S_OF_SYNC: Final = 110
_WAITING: Final = 2.5
"""How much longer than its processor time the process may take, on a machine that is busy."""

_LAYERS_SHOWN: Final = 10


class FileFormat(StrEnum):
    """The kinds of file."""

    CSV = "csv"
    GEOJSON = "geojson"
    WKT = "wkt"
    KML = "kml"
    GPX = "gpx"
    SHAPEFILE = "shapefile"
    GEOPACKAGE = "gpkg"

    @property
    def label(self) -> str:
        """The name that people know it by."""
        return _LABELS[self]


_LABELS: Final[Mapping[FileFormat, str]] = {
    FileFormat.CSV: "CSV",
    FileFormat.GEOJSON: "GeoJSON",
    FileFormat.WKT: "WKT",
    FileFormat.KML: "KML",
    FileFormat.GPX: "GPX",
    FileFormat.SHAPEFILE: "Shapefile",
    FileFormat.GEOPACKAGE: "GeoPackage",
}


class SeveralLayers(InvalidParameter):
    """A file has several layers, and nobody said which one is meant."""

    def __init__(self, layers: Sequence[str]) -> None:
        shown = ", ".join(map(repr, layers[:_LAYERS_SHOWN]))
        super().__init__("layer", f"layer: there are several layers: {shown}. Choose one.")
        self.layers = tuple(layers)


class Part(Struct, frozen=True):
    """A position, or the outer ring of a polygon without holes, in degrees; its soundness is judged elsewhere."""

    type: str
    coordinates: tuple[object, ...]


class SourceRow(Struct, frozen=True):
    """One row of a table, or one feature of a map: its texts by column, and where it is, if that is not in a column.

    `number` is what a spreadsheet shows for a table, the line for WKT, else the place of the feature in the file,
    from 1. A feature may lack columns that others have. `fault` tells why the row cannot be used.
    """

    number: int
    values: Mapping[str, str]
    parts: tuple[Part, ...] | None = None
    fault: str | None = None
    fault_column: str | None = None


class Source(Struct, frozen=True):
    """A file that was read: its columns in order, its rows, and how its numbers are written.

    `strict` tells that a column which nobody knows is taken for a typing error: a table of ours has no others.
    """

    format: FileFormat
    columns: tuple[str, ...]
    rows: list[SourceRow]
    decimal_comma: bool = False
    header_row: int = 0

    @property
    def strict(self) -> bool:
        """Whether an unknown column is an error where nobody says what the columns mean."""
        return self.format is FileFormat.CSV

    @property
    def located(self) -> bool:
        """Whether rows bring a geometry outside their columns."""
        return self.format is not FileFormat.CSV


_NOTHING: Final[Mapping[FileFormat, str]] = {
    FileFormat.CSV: "The file has a header row and no others.",
    FileFormat.GPX: "The file contains no waypoints; tracks can be played in the simulator.",
}


def too_many_features() -> InvalidParameter:
    """Return the error of a file with more features than any may have."""
    return InvalidParameter(FILE, f"There are more than {MAX_ROWS:,} features; no more are allowed.")


def cpu_s(memory: int) -> int:
    """Return how much processor time there is for reading a file, by the memory that there is for it.

    The largest file takes a third of it: KML with a million placemarks in 256 MB.
    """
    return _CPU_S_OF_FILE if memory > MEMORY_OF_SYNC else _CPU_S_OF_SYNC


def within_s(memory: int) -> float:
    """Return how long reading a file may take, by the memory that there is for it."""
    return cpu_s(memory) * _WAITING


def too_large(size: int, most: int) -> str:
    """Return the fault of a feature with more bytes than are read."""
    return f"The feature takes {size / 1024**2:.1f} MB; at most {most // 1024**2} MB are allowed."


def nothing_in(format: FileFormat) -> RowError:
    """Return what there is to say about a file without rows."""
    return RowError(WHOLE_FILE, None, _NOTHING.get(format, "The file contains no features."))
