"""The shapes of a row of a file, from its geometry, its coordinates, or its latitude and longitude.

The polygons of a geometry are one geofence with all their parts and holes. Other parts of it are then left out, with a
warning. Several points are several geofences, whose external IDs end in ``-1``, ``-2`` and so on.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import ImportOptions, RowError
from engine.domain.words import count
from engine.geofences.imports import cells
from engine.geofences.imports.repairing import repaired
from engine.tabular.cells import number
from engine.tabular.formats.source import LINE, POINT, POLYGON, Part

_LINES: Final = (
    "a line cannot be a geofence. Repair it with a width of lines (--repair --line-width), or draw a polygon around it."
)


class Shape(Struct, frozen=True):
    """A shape that can become a geofence: its type as of a part, and its coordinates as of a `GeofenceChange`."""

    type: str
    coordinates: tuple[Any, ...]


class LocatedRow:
    """The shapes of a row, and the errors and warnings about them.

    `typed` means that the geometry gives the type of the geofence; a table gives it itself. `found` are the parts as
    they are in the file, also if no shape can be made of them.
    """

    def __init__(
        self, row: int, values: Mapping[str, str], parts: tuple[Part, ...] | None, options: ImportOptions
    ) -> None:
        self.shapes: tuple[Shape, ...] = ()
        self.errors: list[RowError] = []
        self.notes: list[RowError] = []
        self.typed = parts is not None
        self._row = row
        self._options = options
        found: tuple[Part, ...] | None = parts or ()
        if values.get("coordinates"):
            found = self._read("coordinates", lambda: cells.parts("coordinates", values["coordinates"]))
        elif values.get("latitude") or values.get("longitude"):
            found = self._read("latitude", lambda: (_position(values),))
        elif parts is None and "coordinates" in values:
            found = self._read("coordinates", lambda: cells.parts("coordinates", ""))
        self.found: tuple[Part, ...] = found or ()
        if found:
            self.shapes = self._read("coordinates", lambda: self._shapes(found)) or ()

    def _shapes(self, parts: tuple[Part, ...]) -> tuple[Shape, ...]:
        done = repaired(parts, self._options.repairs, self._options.line_width_m)
        self._note(done.note)
        shapes, note = shapes_of(done.parts)
        self._note(note)
        return shapes

    def _note(self, text: str) -> None:
        if text:
            self.notes.append(RowError(self._row, "coordinates", text))

    def _read[T](self, column: str, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except InvalidParameter as error:
            self.errors.append(RowError(self._row, error.param or column, error.message))
            return None


def shapes_of(parts: tuple[Part, ...], column: str = "coordinates") -> tuple[tuple[Shape, ...], str]:
    """Return the shapes that parts form, and a sentence about parts that are left out, or an empty text.

    Raises `InvalidParameter` naming `column` for a line without a polygon.
    """
    polygons = [part for part in parts if part.type == POLYGON]
    if polygons:
        return (Shape(POLYGON, _coordinates(polygons)),), _left_out(parts)
    if any(part.type == LINE for part in parts):
        raise InvalidParameter(column, f"{column}: {_LINES}")
    return tuple(Shape(POINT, part.coordinates) for part in parts), ""


def _coordinates(polygons: list[Part]) -> tuple[Any, ...]:
    """Return a ring, or the coordinates of a GeoJSON Polygon or MultiPolygon."""
    first, *others = ((part.coordinates, *part.holes) for part in polygons)
    return (first, *others) if others else first if len(first) > 1 else first[0]


def _left_out(parts: tuple[Part, ...]) -> str:
    others = Counter(part.type for part in parts if part.type != POLYGON)
    if not others:
        return ""
    named = " and ".join(count(number, kind) for kind, number in sorted(others.items()))
    return f"The geofence has the polygons of the geometry, without {named} beside them."


def _position(values: Mapping[str, str]) -> Part:
    longitude, latitude = (number(column, values.get(column, "")) for column in ("longitude", "latitude"))
    return Part(POINT, (longitude, latitude))
