"""Conversion of a GeoJSON geometry to parts, each of which can become a geofence."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.source import Part

MAX_PARTS: Final = 1_000
POINT: Final = "point"
POLYGON: Final = "polygon"
_MAX_NESTED: Final = 8

HOLE: Final = (
    "the polygon has a hole, which a geofence cannot have. Fill the hole, as an import with --repair does, or cut the "
    "polygon into parts without one."
)


def parts_of(geometry: Mapping[str, Any], column: str = "coordinates") -> tuple[Part, ...]:
    """Return the parts of a geometry without heights; raises `InvalidParameter` if it cannot be a geofence."""
    parts = tuple(_parts(geometry, column, 0))
    if not parts:
        raise InvalidParameter(column, f"{column}: the geometry is empty.")
    if len(parts) > MAX_PARTS:
        raise InvalidParameter(column, f"{column}: at most {MAX_PARTS:,} parts are allowed, not {len(parts):,}.")
    return parts


def polygon_of(rings: Sequence[Any]) -> Part:
    """Return the part for the rings of a polygon, of which the first is the outer one."""
    outer = tuple(map(_flat, rings[0])) if isinstance(rings[0], list | tuple) else ()
    return Part(POLYGON, outer, len(rings) - 1)


def without_holes(parts: tuple[Part, ...], column: str = "coordinates") -> tuple[Part, ...]:
    """Return the parts; raises `InvalidParameter` if one has holes, which a geofence cannot have."""
    if any(part.holes for part in parts):
        raise InvalidParameter(column, f"{column}: {HOLE}")
    return parts


def _parts(geometry: Mapping[str, Any], column: str, depth: int) -> list[Part]:
    match geometry:
        case {"type": "Point", "coordinates": list() | tuple() as position}:
            return [Part(POINT, _flat(position))] if position else []
        case {"type": "Polygon", "coordinates": list() | tuple() as rings}:
            return [polygon_of(rings)] if rings else []
        case {"type": "MultiPoint", "coordinates": list() | tuple() as points}:
            return [Part(POINT, _flat(point)) for point in points]
        case {"type": "MultiPolygon", "coordinates": list() | tuple() as polygons}:
            return [polygon_of(rings) for rings in polygons if rings]
        case {"type": "GeometryCollection", "geometries": list() | tuple() as members} if depth < _MAX_NESTED:
            return [
                part for member in members if isinstance(member, Mapping) for part in _parts(member, column, depth + 1)
            ]
        case {"type": "LineString" | "MultiLineString"}:
            raise InvalidParameter(
                column, f"{column}: a line cannot be a geofence. Draw a polygon around it (a buffer), and import that."
            )
        case _:
            raise InvalidParameter(column, f"{column}: the geometry must be a Point, a Polygon or several of them.")


def _flat(position: object) -> tuple[object, ...]:
    """Return a position without its height."""
    return tuple(position[:2]) if isinstance(position, list | tuple) else (position,)
