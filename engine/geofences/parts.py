"""Many geofences by columns: their names, properties and shapes, without an object for each."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.geometry import Circle, Geometry, Isochrone, Polygon
from engine.store.records.rings import packed_rings, ring_sizes


class GeofenceColumns(NamedTuple):
    """Names and properties of some geofences, in columns of equal length."""

    ids: Sequence[str]
    tags: Sequence[str]
    external_ids: Sequence[str]
    descriptions: Sequence[str]
    enabled: Sequence[bool]
    rules: Sequence[GeofenceRules]
    revisions: Sequence[int]
    make: Callable[[int], Geofence]
    """Returns the geofence of a row as of the reading of the columns, equal at every call."""


class ShapeColumns(NamedTuple):
    """The shapes of the same geofences, with None for values that a shape does not have.

    A circle has a centre and a radius. A polygon has its rings in the encoding of `PackedRing`, one after the other,
    and the sizes of these rings unless there is one (see `engine.store.records.rings`). An isochrone has a ring and,
    as its destination, a centre.
    """

    longitudes: Sequence[float | None]
    latitudes: Sequence[float | None]
    radii_m: Sequence[float | None]
    rings: Sequence[bytes | None]
    ring_sizes: Sequence[str | None]


class GeofencePart(NamedTuple):
    """A part of many geofences."""

    columns: GeofenceColumns
    shapes: ShapeColumns


def part_of(geofences: Sequence[Geofence]) -> GeofencePart:
    """Return geofences by columns."""
    columns = GeofenceColumns(
        ids=[each.id for each in geofences],
        tags=[each.tag for each in geofences],
        external_ids=[each.external_id for each in geofences],
        descriptions=[each.description for each in geofences],
        enabled=[each.enabled for each in geofences],
        rules=[each.rules for each in geofences],
        revisions=[each.revision for each in geofences],
        make=geofences.__getitem__,
    )
    return GeofencePart(columns, _shapes_of([each.geometry for each in geofences]))


def _shapes_of(geometries: Sequence[Geometry]) -> ShapeColumns:
    centers = [each.center if isinstance(each, Circle | Isochrone) else None for each in geometries]
    return ShapeColumns(
        longitudes=[None if each is None else each.longitude for each in centers],
        latitudes=[None if each is None else each.latitude for each in centers],
        radii_m=[each.radius_m if isinstance(each, Circle) else None for each in geometries],
        rings=[packed_rings(each) if isinstance(each, Polygon) else None for each in geometries],
        ring_sizes=[ring_sizes(each) if isinstance(each, Polygon) else None for each in geometries],
    )
