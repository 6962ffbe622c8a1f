"""Conversion of a GeoJSON geometry to its parts: positions, lines, and polygons with their holes."""

from collections.abc import Mapping
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.source import LINE, POINT, POLYGON, Part

MAX_PARTS: Final = 10_000
"""Maximum number of parts that are read. A geofence may have fewer, of which an import can choose the largest."""

_MAX_NESTED: Final = 8


def parts_of(geometry: Mapping[str, Any], column: str = "coordinates") -> tuple[Part, ...]:
    """Return the parts of a geometry without heights; raises `InvalidParameter` for other geometries."""
    parts = tuple(_parts(geometry, column, 0))
    if not parts:
        raise InvalidParameter(column, f"{column}: the geometry is empty.")
    if len(parts) > MAX_PARTS:
        raise InvalidParameter(column, f"{column}: at most {MAX_PARTS:,} parts are allowed, not {len(parts):,}.")
    return parts


def polygon_of(rings: object) -> Part:
    """Return the part for the rings of a polygon, of which the first is the outer one."""
    outer, *holes = map(_flat_line, rings if isinstance(rings, list | tuple) else ((),))
    return Part(POLYGON, outer, tuple(holes))


def _parts(geometry: Mapping[str, Any], column: str, depth: int) -> list[Part]:
    match geometry:
        case {"type": "Point", "coordinates": list() | tuple() as position}:
            return [Part(POINT, _flat(position))] if position else []
        case {"type": "LineString", "coordinates": list() | tuple() as line}:
            return [Part(LINE, _flat_line(line))] if line else []
        case {"type": "Polygon", "coordinates": list() | tuple() as rings}:
            return [polygon_of(rings)] if rings else []
        case {"type": "MultiPoint", "coordinates": list() | tuple() as points}:
            return [Part(POINT, _flat(point)) for point in points]
        case {"type": "MultiLineString", "coordinates": list() | tuple() as lines}:
            return [Part(LINE, _flat_line(line)) for line in lines if line]
        case {"type": "MultiPolygon", "coordinates": list() | tuple() as polygons}:
            return [polygon_of(rings) for rings in polygons if rings]
        case {"type": "GeometryCollection", "geometries": list() | tuple() as members} if depth < _MAX_NESTED:
            return [
                part for member in members if isinstance(member, Mapping) for part in _parts(member, column, depth + 1)
            ]
        case _:
            raise InvalidParameter(column, f"{column}: the geometry must be a Point, a Polygon or several of them.")


def _flat_line(line: object) -> tuple[Any, ...]:
    return tuple(map(_flat, line)) if isinstance(line, list | tuple) else ()


def _flat(position: object) -> tuple[object, ...]:
    """Return a position without its height."""
    return tuple(position[:2]) if isinstance(position, list | tuple) else (position,)
