"""Conversion of shapes between the map and the engine."""

from app.desktop.map.values import MapCircle, MapFence, MapIsochrone, MapPolygon
from app.desktop.model.map_layers.fences import FenceState
from app.desktop.model.words import fence_name
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.geometry import Circle, Geometry, Isochrone, Point, Polygon
from engine.geo.parts import joined_parts

type Drawn = MapCircle | MapPolygon


def geometry_of(shape: Drawn) -> Geometry:
    """Return the geometry of a shape on the map, which may not be valid for storing."""
    if isinstance(shape, MapCircle):
        return Circle(Point(shape.longitude, shape.latitude), shape.radius_m)
    return Polygon(shape.ring, shape.holes, shape.others)


def geometry_change(shape: Drawn) -> GeofenceChange:
    """Return the change that gives a geofence this shape."""
    if isinstance(shape, MapCircle):
        centre: tuple[object, ...] = (shape.longitude, shape.latitude)
        return GeofenceChange(type="circle", coordinates=centre, size=shape.radius_m)
    return GeofenceChange(type="polygon", coordinates=_coordinates(shape))


def _coordinates(polygon: MapPolygon) -> tuple[object, ...]:
    """Return the ring of a polygon, or the coordinates of a GeoJSON Polygon or MultiPolygon."""
    parts = [(polygon.ring, *polygon.holes), *((part.ring, *part.holes) for part in polygon.others)]
    rings = tuple(tuple(tuple(map(tuple, ring)) for ring in part) for part in parts)
    if polygon.is_single_ring:
        return rings[0][0]
    return rings if polygon.others else rings[0]


def moved_change(before: Geometry, shape: Drawn) -> GeofenceChange:
    """Return the change from `before` to the shape on the map, without unchanged fields."""
    change = geometry_change(shape)
    if not (isinstance(before, Circle) and isinstance(shape, MapCircle)):
        return change
    moved = (before.center.longitude, before.center.latitude) != change.coordinates
    resized = before.radius_m != shape.radius_m
    return GeofenceChange(coordinates=change.coordinates if moved else UNSET, size=shape.radius_m if resized else UNSET)


def map_shape(geometry: Geometry) -> Drawn:
    """Return a geometry as a shape for the map."""
    if isinstance(geometry, Circle):
        return MapCircle(geometry.center.longitude, geometry.center.latitude, geometry.radius_m)
    if isinstance(geometry, Isochrone):
        return MapIsochrone(geometry.ring, longitude=geometry.center.longitude, latitude=geometry.center.latitude)
    return map_polygon(geometry)


def map_polygon(polygon: Polygon) -> MapPolygon:
    """Return a polygon as a shape for the map."""
    return MapPolygon(polygon.ring, polygon.holes, polygon.others, joined_parts(polygon))


def map_fence(
    fence: Geofence, color: str, *, closed: bool = False, locked: bool = False, state: FenceState | None = None
) -> MapFence:
    """Return a geofence for the map. `closed` means outside its hours, `locked` that it cannot be reshaped.

    A geofence without a `state` belongs to no layer.
    """
    return MapFence(
        id=fence.id,
        label=fence_name(fence),
        color=color,
        enabled=fence.enabled,
        shape=map_shape(fence.geometry),
        closed=closed,
        locked=locked,
        tag=None if state is None else fence.tag,
        state=state,
    )
