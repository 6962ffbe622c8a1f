"""Conversion of a geofence's shape to and from GeoJSON and well-known text, for copying between programs."""

from __future__ import annotations

from typing import Any, Final

import orjson

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, GeofenceChange
from engine.domain.geometry import Circle, Geometry, GeometryType, Isochrone, Ring
from engine.geofences.imports.cells import geometry_type, mode
from engine.tabular.cells import number
from engine.tabular.formats.geojson import read_geojson
from engine.tabular.formats.parts import POINT, without_holes
from engine.tabular.formats.source import Part, SourceRow
from engine.tabular.formats.wkt import parts_of_wkt

_SHAPE: Final = ("type", "coordinates", "size", "mode")


def geojson_of(geometry: Geometry) -> dict[str, Any]:
    """Return a GeoJSON feature; values that do not fit in its geometry are in its properties, as in an export."""
    properties: dict[str, Any] = {}
    if isinstance(geometry, Circle):
        properties = {"radius": geometry.radius_m}
    elif isinstance(geometry, Isochrone):
        properties = {"type": geometry.type.value, "radius": geometry.minutes, "mode": geometry.mode.value}
    return {"type": "Feature", "properties": properties, "geometry": geometry_of(geometry)}


def wkt_of(geometry: Geometry) -> str:
    """Return well-known text: a polygon's ring, or the point of a centre or destination."""
    if isinstance(geometry, Circle | Isochrone):
        return f"POINT ({_numbers(geometry.center.longitude, geometry.center.latitude)})"
    parts = [f"({', '.join(map(_ring_text, (part.ring, *part.holes)))})" for part in geometry.parts]
    return f"MULTIPOLYGON ({', '.join(parts)})" if geometry.others else f"POLYGON {parts[0]}"


def _ring_text(ring: Ring) -> str:
    return f"({', '.join(_numbers(*position) for position in ring)})"


def read_geojson_shape(text: str, before: Geometry) -> GeofenceChange:
    """Return the change to the shape of a GeoJSON feature or geometry; raises `InvalidParameter`.

    A point without a radius moves the centre of a geofence that has one.
    """
    shapes = [_of_row(row) for row in read_geojson(text.encode(errors="replace")).rows]
    if len(shapes) != 1:
        raise InvalidParameter("coordinates", f"coordinates: there must be one geometry, not {len(shapes)}.")
    return _shape(shapes[0], before)


def _of_row(row: SourceRow) -> GeofenceChange:
    """Return the shape of a feature, ignoring its other properties."""
    if row.fault is not None:
        raise InvalidParameter(row.fault_column or "coordinates", row.fault)
    (part,) = _only(row.parts or ())
    values = {name: cell for name in ("type", "radius", "mode") if (cell := row.values.get(name, "").strip())}
    kind = GeometryType.ISOCHRONE if "mode" in values else GeometryType.CIRCLE
    given: dict[str, Any] = {"coordinates": part.coordinates}
    if part.type != POINT:
        given["type"] = GeometryType.POLYGON.value
    elif "type" in values:
        given["type"] = geometry_type("type", values["type"])
    elif "radius" in values or "mode" in values:
        given["type"] = kind.value
    if "radius" in values:
        given["size"] = number("radius", values["radius"])
    if "mode" in values:
        given["mode"] = mode("mode", values["mode"])
    return GeofenceChange(**given)


def _only(parts: tuple[Part, ...]) -> tuple[Part]:
    if len(parts) != 1:
        raise InvalidParameter("coordinates", f"coordinates: there must be one geometry, not {len(parts)}.")
    return (without_holes(parts)[0],)


def read_wkt_shape(text: str, before: Geometry) -> GeofenceChange:
    """Return the change to the shape of a well-known text; raises `InvalidParameter`."""
    (part,) = _only(parts_of_wkt(text.strip()))
    polygon = part.type != POINT
    kind = GeometryType.POLYGON.value if polygon else UNSET
    return _shape(GeofenceChange(type=kind, coordinates=part.coordinates), before)


def _shape(change: GeofenceChange, before: Geometry) -> GeofenceChange:
    """Return the shape of a change; a point keeps the geofence's type if that has a centre."""
    given = {name: getattr(change, name) for name in _SHAPE if getattr(change, name) is not UNSET}
    if given.get("type") == GeometryType.POLYGON:
        return GeofenceChange(type=GeometryType.POLYGON.value, coordinates=change.coordinates)
    if "type" not in given and not isinstance(before, Circle | Isochrone):
        raise InvalidParameter("coordinates", "coordinates: a point needs a radius to become a circle.")
    given.setdefault("type", before.type.value)
    return GeofenceChange(**given)


def geometry_of(geometry: Geometry) -> dict[str, Any]:
    """Return a GeoJSON geometry; a circle or an isochrone becomes a point, its centre or destination."""
    if isinstance(geometry, Circle | Isochrone):
        return {"type": "Point", "coordinates": [geometry.center.longitude, geometry.center.latitude]}
    parts = [[_listed(ring) for ring in (part.ring, *part.holes)] for part in geometry.parts]
    return {"type": "MultiPolygon", "coordinates": parts} if geometry.others else _polygon(parts[0])


def _polygon(rings: list[list[list[float]]]) -> dict[str, Any]:
    return {"type": "Polygon", "coordinates": rings}


def _listed(ring: Ring) -> list[list[float]]:
    return [list(position) for position in ring]


def _numbers(longitude: float, latitude: float) -> str:
    return f"{_number(longitude)} {_number(latitude)}"


def _number(value: float) -> str:
    return orjson.dumps(int(value) if value == int(value) else value).decode()
