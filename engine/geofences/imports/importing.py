"""Importing geofences from a table."""

from collections.abc import Sequence
from typing import Final

from engine.domain.errors import GeocodingUnavailable, InvalidParameter
from engine.domain.fields.geofence import RULES
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.geometry import Circle, GeometryType, Isochrone, Polygon
from engine.domain.imports import Key, RefusedRow
from engine.domain.metadata import exact
from engine.domain.values import replace
from engine.geo.bounds import Bounds, bounds_of_ring
from engine.geofences.changes import Finders, moved_by
from engine.geofences.imports.rows import column_of
from engine.geofences.judging import Find, Judge
from engine.tabular.identifying import Numberer
from engine.tabular.refusing import given, rings_of

_PARTS_SHOWN: Final = 3
_SAME_BOX: Final = 0.01
"""Share of its size by which the box of a stored part may differ from that in the file."""


def no_geometry() -> InvalidParameter:
    """Return the error of a row of a table without a position."""
    return InvalidParameter("coordinates", "coordinates: the row has no geometry, which a new geofence needs.")


def no_radius() -> InvalidParameter:
    """Return the error of a new circle without a radius."""
    return InvalidParameter("size", "size: a point has no radius; map a column to it, or give one for all rows.")


class GeofenceImport:
    """The operations of an import plan for geofences."""

    def __init__(
        self, judge: Judge, find: Find, finders: Finders, *, of_map: bool, numberer: Numberer | None = None
    ) -> None:
        """Create the operations. With `of_map` each row should have a geometry; rows of a table may omit it.

        Rows without an external ID get one from the `numberer`.
        """
        self._judge = judge
        self._find = find
        self._finders = finders
        self._of_map = of_map
        self._numberer = numberer
        self._without_geocoder: InvalidParameter | None = None

    def key(self, change: GeofenceChange) -> Key:
        """Return the key of the geofence that a row describes."""
        tag = change.tag or ""
        if self._numberer is not None and change.external_id is UNSET:
            return tag, self._numberer.id_of(tag)
        return tag, change.external_id or ""

    def find(self, key: Key) -> Geofence | None:
        """Return the stored geofence with a key, or None."""
        return self._find(*key)

    def judged(self, change: GeofenceChange, key: Key, existing: Geofence | None) -> Geofence:
        """Return the changed or new geofence of a row; a new one must have a position."""
        if existing is None:
            change = _complete(change)
        if change.address is not UNSET and self._without_geocoder is not None:
            raise self._without_geocoder
        try:
            return self._judge.upserted(lambda _tag, _external_id: existing, *key, change)
        except GeocodingUnavailable as error:
            # It is asked once, since each of many rows would wait for it.
            self._without_geocoder = InvalidParameter("address", f"address: {error}")
            raise self._without_geocoder from None

    def differing(self, before: Geofence, record: Geofence) -> tuple[str, ...]:
        """Return the columns in which two versions of a geofence differ."""
        return differing(before, record)

    def refused(self, row: int, change: GeofenceChange) -> RefusedRow:
        """Return a row whose change is not valid, as far as it can be read."""
        rings = () if change.coordinates is UNSET else tuple(rings_of(change.coordinates))
        tag, external_id, name = map(given, (change.tag, change.external_id, change.description))
        return RefusedRow(row, tag, external_id, name, rings)

    def column(self, field: str) -> str:
        """Return the column from which a field of a change is read."""
        return column_of(field)

    def warning(self, change: GeofenceChange, record: Geofence) -> tuple[str, str] | None:
        """Return a warning about a missing geometry, stored parts, or an isochrone far from roads or at an edge.

        Readers of map formats skip damaged geometries without an error. Earlier versions made a geofence of each part.
        """
        if self._of_map and _is_nowhere(change):
            return "coordinates", "coordinates: the feature has no geometry, so that of the geofence was kept."
        if stored := self._stored_parts(record):
            return "external_id", _parts_text(stored)
        moved = moved_by(change, record, self._finders)
        if moved is not None:
            return moved.param, moved.text
        geometry = record.geometry
        edge = self._finders.edge(geometry) if isinstance(geometry, Isochrone) else None
        return None if edge is None else ("size", edge.text)

    def _stored_parts(self, record: Geofence) -> list[Geofence]:
        """Return the geofences that an import by an earlier version made of the parts of a shape."""
        if not isinstance(record.geometry, Polygon) or not record.geometry.others:
            return []
        parts = record.geometry.parts
        named = (self._find(record.tag, f"{record.external_id}-{number}") for number in range(1, len(parts) + 1))
        boxes = [bounds_of_ring(part.ring) for part in parts]
        found = [each for each in named if each is not None and _is_at(each, boxes)]
        return found if len(found) > 1 else []


def _is_at(geofence: Geofence, boxes: Sequence[Bounds]) -> bool:
    """Return whether the outline of a geofence covers one of some boxes, which a repair may have changed a little."""
    if not isinstance(geofence.geometry, Polygon):
        return False
    box = bounds_of_ring(geofence.geometry.ring)
    most = _SAME_BOX * max(box[2] - box[0], box[3] - box[1])
    return any(all(abs(a - b) <= most for a, b in zip(box, other, strict=True)) for other in boxes)


def _parts_text(stored: Sequence[Geofence]) -> str:
    shown = ", ".join(each.external_id for each in stored[:_PARTS_SHOWN])
    more = f" and {len(stored) - _PARTS_SHOWN:,} more" if len(stored) > _PARTS_SHOWN else ""
    return (
        f"externalId: the parts of this shape are also geofences of their own, from an earlier import: {shown}{more}. "
        "Delete them if they are no longer wanted."
    )


def _complete(change: GeofenceChange) -> GeofenceChange:
    """Return the change of a new geofence with its type; raises `InvalidParameter` for a point without a radius."""
    if change.type is UNSET:
        if _is_nowhere(change):
            raise no_geometry()
        change = replace(change, type=_type_of(change).value)
    if change.type == GeometryType.CIRCLE and change.place_id is UNSET and change.size in (UNSET, None):
        raise no_radius()
    return change


def _type_of(change: GeofenceChange) -> GeometryType:
    """Return the type of a geofence by its coordinates: a ring is a polygon, a position a circle or an isochrone."""
    first = change.coordinates[0] if change.coordinates else None
    if isinstance(first, list | tuple):
        return GeometryType.POLYGON
    return GeometryType.ISOCHRONE if change.mode else GeometryType.CIRCLE


def _is_nowhere(change: GeofenceChange) -> bool:
    return all(each is UNSET for each in (change.coordinates, change.address, change.place_id))


def differing(before: Geofence, after: Geofence) -> tuple[str, ...]:
    """Return the columns in which two versions of a geofence differ."""
    columns = []
    if before.description != after.description:
        columns.append("description")
    if before.geometry != after.geometry:
        columns += _differing_geometry(before, after)
    if before.enabled != after.enabled:
        columns.append("enabled")
    if before.metadata != after.metadata or exact(before.metadata) != exact(after.metadata):
        columns.append("metadata")
    if before.rules != after.rules:
        columns += [column_of(row.name) for row in RULES if row.value(before) != row.value(after)]
    return tuple(columns)


def _differing_geometry(before: Geofence, after: Geofence) -> list[str]:
    one, other = before.geometry, after.geometry
    if type(one) is not type(other):
        return ["type"]
    columns = []
    if isinstance(one, Circle) and isinstance(other, Circle):
        columns += ["coordinates"] if one.center != other.center else []
        columns += ["radius"] if one.radius_m != other.radius_m else []
    elif isinstance(one, Isochrone) and isinstance(other, Isochrone):
        columns += ["coordinates"] if one.center != other.center else []
        columns += ["radius"] if one.minutes != other.minutes else []
        columns += ["mode"] if one.mode != other.mode else []
    return columns or ["coordinates"]
