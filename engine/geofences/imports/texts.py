"""Conversion of a geofence's shape to and from GeoJSON and well-known text, for copying between programs."""

from __future__ import annotations

from typing import Any, Final

import orjson

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, GeofenceChange
from engine.domain.geometry import Circle, Geometry, GeometryType, Isochrone, Ring
from engine.domain.words import count
from engine.geofences.imports.cells import geometry_type, mode
from engine.geofences.imports.shapes import Shape, shapes_of
from engine.tabular.cells import number
from engine.tabular.formats.geojson import read_geojson
from engine.tabular.formats.source import POINT, Part, SourceRow
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
    source = read_geojson(text.encode(errors="replace"))
    if len(source.rows) != 1:
        raise _not_one(count(len(source.rows), "feature"))
    return _shape(_of_row(source.rows[0]), before)


def _of_row(row: SourceRow) -> GeofenceChange:
    """Return the shape of a feature, ignoring its other properties."""
    if row.fault is not None:
        raise InvalidParameter(row.fault_column or "coordinates", row.fault)
    shape = _only(row.parts or ())
    values = {name: cell for name in ("type", "radius", "mode") if (cell := row.values.get(name, "").strip())}
    kind = GeometryType.ISOCHRONE if "mode" in values else GeometryType.CIRCLE
    given: dict[str, Any] = {"coordinates": shape.coordinates}
    if shape.type != POINT:
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


def _only(parts: tuple[Part, ...]) -> Shape:
    """Return the only shape of parts; raises `InvalidParameter` if others would be left out."""
    shapes, left_out = shapes_of(parts)
    if left_out:
        raise InvalidParameter("coordinates", f"coordinates: {left_out}")
    if len(shapes) != 1:
        raise _not_one(count(len(shapes), "geometry", "geometries"))
    return shapes[0]


def _not_one(found: str) -> InvalidParameter:
    return InvalidParameter("coordinates", f"coordinates: there must be one shape, but the text has {found}.")


def read_wkt_shape(text: str, before: Geometry) -> GeofenceChange:
    """Return the change to the shape of a well-known text; raises `InvalidParameter`."""
    shape = _only(parts_of_wkt(text.strip()))
    kind = UNSET if shape.type == POINT else GeometryType.POLYGON.value
    return _shape(GeofenceChange(type=kind, coordinates=shape.coordinates), before)


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
