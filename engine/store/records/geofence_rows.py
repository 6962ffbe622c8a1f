"""Conversion between geofences and the rows of current and former geofences."""

from types import SimpleNamespace
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa

from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, PackedRing, Point, Polygon
from engine.domain.tracking.explaining import GeofenceVersion
from engine.domain.travel import TravelMode
from engine.store.records.cells import box_of, from_ms, to_ms
from engine.store.records.contents import metadata_of, metadata_text
from engine.store.records.fields import rules_of, rules_text
from engine.store.records.rings import packed_rings, polygon_of, ring_sizes
from engine.store.records.rows import environment_of


def geofence_row(geofence: Geofence) -> dict[str, Any]:
    """Return the row of `geofences` that stores a geofence."""
    geometry = geofence.geometry
    circle = geometry if isinstance(geometry, Circle) else None
    isochrone = geometry if isinstance(geometry, Isochrone) else None
    centred = circle or isochrone
    return {
        "id": geofence.id,
        "live": int(geofence.environment.live),
        "tag": geofence.tag,
        "external_id": geofence.external_id,
        "description": geofence.description,
        "type": geometry.type.value,
        "longitude": centred.center.longitude if centred else None,
        "latitude": centred.center.latitude if centred else None,
        "radius_m": circle.radius_m if circle else None,
        "minutes": isochrone.minutes if isochrone else None,
        "mode": isochrone.mode if isochrone else None,
        "metadata": metadata_text(geofence.metadata),
        "enabled": int(geofence.enabled),
        "created_at": to_ms(geofence.created_at),
        "updated_at": to_ms(geofence.updated_at),
        "rules": rules_text(geofence.rules),
        "expires_at": None if geofence.expires_at is None else to_ms(geofence.expires_at),
        "revision": geofence.revision,
        "positions": packed_rings(geometry) if isinstance(geometry, Polygon) else None,
        "rings": ring_sizes(geometry) if isinstance(geometry, Polygon) else None,
    }


class GeofenceRecord(NamedTuple):
    """A row of `geofences` without derived columns. The first fields are stored separately in memory."""

    id: str
    tag: str
    positions: bytes | None
    live: int
    external_id: str
    longitude: float | None
    latitude: float | None
    radius_m: float | None
    minutes: float | None
    mode: str | None
    expires_at: int | None
    revision: int
    description: str
    metadata: str
    enabled: int
    created_at: int
    updated_at: int
    rules: str | None
    rings: str | None


def geofence_of(row: sa.Row[Any] | GeofenceRecord | SimpleNamespace) -> Geofence:
    """Return the geofence that a row of `geofences` stores."""
    created_at = from_ms(row.created_at)
    return Geofence(
        id=row.id,
        environment=environment_of(row.live),
        summary=GeofenceSummary(row.id, row.tag, row.external_id, row.description, metadata_of(row.metadata)),
        geometry=_geometry_of(row),
        enabled=bool(row.enabled),
        created_at=created_at,
        updated_at=created_at if row.updated_at == row.created_at else from_ms(row.updated_at),
        rules=rules_of(row.rules),
        revision=row.revision,
    )


def _geometry_of(row: Any) -> Geometry:
    if row.positions is None:
        return Circle(Point(row.longitude, row.latitude), row.radius_m)
    if row.rings is not None:
        return polygon_of(row.positions, row.rings)
    ring = PackedRing(row.positions)
    if row.mode is None:
        return Polygon(ring)
    center = Point(row.longitude, row.latitude)
    return Isochrone(ring, center=center, minutes=row.minutes, mode=TravelMode(row.mode))


def geofence_content(geofence: Geofence) -> str:
    """Return the text that is kept of a former geofence."""
    rings = geofence.geometry.rings if isinstance(geofence.geometry, Polygon) else None
    positions = None if rings is None else [position for ring in rings for position in ring]
    row = {**geofence_row(geofence), "positions": positions}
    if row["rings"] is None:
        # As before there were several rings: the digest of an import compares these texts.
        del row["rings"]
    return orjson.dumps(row).decode()


def geofence_of_content(content: str) -> Geofence:
    """Return the geofence in such a text."""
    fields = orjson.loads(content)
    positions = fields["positions"]
    fields["positions"] = None if positions is None else PackedRing.of(positions).packed
    return geofence_of(SimpleNamespace(**{"rings": None, **fields}))


def version_row(geofence: Geofence, until: int) -> dict[str, Any]:
    """Return the row of `geofence_versions` for a geofence as it was before the revision `until`."""
    west, south, east, north = box_of(geofence.geometry)
    return {
        "live": int(geofence.environment.live),
        "geofence": geofence.id,
        "since": geofence.revision,
        "until": until,
        "west": west,
        "south": south,
        "east": east,
        "north": north,
        "content": geofence_content(geofence),
    }


def version_of(row: sa.Row[Any]) -> GeofenceVersion:
    """Return the former geofence in a row of `geofence_versions`."""
    return GeofenceVersion(geofence_of_content(row.content), row.until)
