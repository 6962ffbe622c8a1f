"""Between the domain's values and the tables' rows."""

from collections.abc import Mapping
from datetime import datetime
from math import cos, radians
from types import SimpleNamespace
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, Point, Polygon
from engine.domain.tracking.beacon import BeaconSummary
from engine.domain.tracking.explaining import GeofenceVersion, KeptUpdate
from engine.domain.tracking.updates import (
    NOWHERE,
    Device,
    DeviceType,
    Event,
    Fix,
    LocationUpdate,
    PlaceState,
    Presence,
    Subject,
    User,
    UserSummary,
)
from engine.domain.travel import TravelMode
from engine.store.records.contents import (
    event_details_of,
    event_details_text,
    extent_of_content,
    fraud_of,
    metadata_of,
    metadata_text,
    moment_or_none,
    place_state_content,
    place_state_of,
    rules_of,
    rules_text,
    user_details_text,
    user_summary_details_of,
)
from engine.store.records.rings import pack_ring, unpack_ring
from engine.store.records.times import from_ms, to_ms

_METRES_PER_DEGREE = 110_000.0
"""A little less than there are, so that boxes come out larger."""


def environment_of(live: int) -> Environment:
    """Return the environment that the column `live` names."""
    return Environment.LIVE if live else Environment.TEST


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
        "positions": pack_ring(geometry.ring) if isinstance(geometry, Polygon) else None,
    }


class GeofenceRecord(NamedTuple):
    """A row of `geofences` without what follows from the rest of it."""

    id: str
    live: int
    tag: str
    external_id: str
    longitude: float | None
    latitude: float | None
    radius_m: float | None
    minutes: float | None
    mode: str | None
    positions: bytes | None
    expires_at: int | None
    revision: int
    description: str
    metadata: str
    enabled: int
    created_at: int
    updated_at: int
    rules: str | None


def geofence_of(row: sa.Row[Any] | GeofenceRecord | SimpleNamespace) -> Geofence:
    """Return the geofence that a row of `geofences` stores."""
    return Geofence(
        id=row.id,
        environment=environment_of(row.live),
        summary=GeofenceSummary(row.id, row.tag, row.external_id, row.description, metadata_of(row.metadata)),
        geometry=_geometry_of(row),
        enabled=bool(row.enabled),
        created_at=from_ms(row.created_at),
        updated_at=from_ms(row.updated_at),
        rules=rules_of(row.rules),
        revision=row.revision,
    )


def _geometry_of(row: Any) -> Geometry:
    if row.positions is None:
        return Circle(Point(row.longitude, row.latitude), row.radius_m)
    ring = unpack_ring(row.positions)
    if row.mode is None:
        return Polygon(ring)
    return Isochrone(ring, Point(row.longitude, row.latitude), row.minutes, TravelMode(row.mode))


def geofence_content(geofence: Geofence) -> str:
    """Return a geofence as the text that is kept of one which there is no more."""
    ring = geofence.geometry.ring if isinstance(geofence.geometry, Polygon) else None
    return orjson.dumps({**geofence_row(geofence), "positions": ring}).decode()


def geofence_of_content(content: str) -> Geofence:
    """Return the geofence that such a text holds."""
    fields = orjson.loads(content)
    ring = fields["positions"]
    fields["positions"] = None if ring is None else pack_ring(ring)
    return geofence_of(SimpleNamespace(**fields))


def version_row(geofence: Geofence, until: int) -> dict[str, Any]:
    """Return the row of `geofence_versions` for what a geofence was before the revision `until`."""
    west, south, east, north = _box(geofence.geometry)
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
    """Return what a row of `geofence_versions` holds."""
    return GeofenceVersion(geofence_of_content(row.content), row.until)


def _box(geometry: Geometry) -> tuple[float, float, float, float]:
    """Return a box that holds a geometry: all around the earth where it may reach a pole or the antimeridian."""
    if isinstance(geometry, Circle):
        center, reach_m = geometry.center, geometry.radius_m
        return box_of_reach(center, reach_m)
    longitudes, latitudes = zip(*geometry.ring, strict=True)
    west, east = min(longitudes), max(longitudes)
    if east - west > 180:
        west, east = -180.0, 180.0
    return west, min(latitudes), east, max(latitudes)


def box_of_reach(center: Point, reach_m: float) -> tuple[float, float, float, float]:
    """Return a box that holds all within a distance of a point."""
    height = reach_m / _METRES_PER_DEGREE
    south, north = center.latitude - height, center.latitude + height
    if max(abs(south), abs(north)) > 89:
        return -180.0, south, 180.0, north
    width = height / cos(radians(max(abs(south), abs(north))))
    west, east = center.longitude - width, center.longitude + width
    if west < -180 or east > 180:
        return -180.0, south, 180.0, north
    return west, south, east, north


def user_row(user: User) -> dict[str, Any]:
    """Return the row of `users` that stores a user."""
    fix = user.fix
    return {
        "id": user.id,
        "live": int(user.environment.live),
        "device_id": user.device_id,
        "user_id": user.user_id,
        "description": user.description,
        "metadata": metadata_text(user.metadata),
        "longitude": fix.point.longitude,
        "latitude": fix.point.latitude,
        "accuracy_m": fix.accuracy_m,
        "foreground": fix.foreground,
        "stopped": fix.stopped,
        "device_type": user.device.type,
        "ip": user.ip,
        "details": user_details_text(user),
        "created_at": to_ms(user.created_at),
        "updated_at": to_ms(user.updated_at),
    }


def user_of(
    row: sa.Row[Any], geofences: tuple[GeofenceSummary, ...] = (), beacons: tuple[BeaconSummary, ...] = ()
) -> User:
    """Return the user that a row of `users` stores, inside the given geofences and near the given beacons."""
    updated_at = from_ms(row.updated_at)
    details = {} if row.details is None else orjson.loads(row.details)
    fix = Fix(
        Point(row.longitude, row.latitude),
        row.accuracy_m,
        updated_at,
        bool(row.foreground),
        bool(row.stopped),
        details.get("altitude_m"),
        details.get("vertical_accuracy_m"),
        details.get("source"),
    )
    kind = DeviceType(row.device_type) if row.device_type else None
    return User(
        id=row.id,
        environment=environment_of(row.live),
        device_id=row.device_id,
        user_id=row.user_id,
        description=row.description,
        metadata=metadata_of(row.metadata),
        fix=fix,
        device=Device(kind, details.get("os"), details.get("make"), details.get("model")),
        ip=row.ip,
        created_at=from_ms(row.created_at),
        updated_at=updated_at,
        geofences=geofences,
        beacons=beacons,
        fraud=fraud_of(details.get("fraud")),
        place_state=place_state_of(details.get("whereabouts")),
        actual_updated_at=moment_or_none(details.get("actual_updated_at")),
    )


def presence_row(user_id: str, presence: Presence, since: int = 0) -> dict[str, Any]:
    """Return the row of `presences` that stores where a user is inside, after the update with the number `since`."""
    return {
        "user": user_id,
        "geofence": presence.geofence_id,
        "entered_at": to_ms(presence.entered_at),
        "dwelled": int(presence.dwelled),
        "since": since,
    }


def former_presence_row(user: User, presence: Presence, since: int, until: int) -> dict[str, Any]:
    """Return the row of `former_presences` for what the update with the number `until` has ended or changed."""
    return {"live": int(user.environment.live), "until": until, **presence_row(user.id, presence, since)}


def presence_of(row: sa.Row[Any]) -> Presence:
    """Return where a user is inside by a row of either table."""
    return Presence(row.geofence, from_ms(row.entered_at), bool(row.dwelled))


def event_row(event: Event) -> dict[str, Any]:
    """Return the row of `events` that stores an event, with its user and geofence or beacon as they were."""
    geofence, point = event.geofence, event.point
    named = geofence or event.beacon
    return {
        "id": event.id,
        "live": int(event.environment.live),
        "type": str(event.type),
        "created_at": to_ms(event.created_at),
        "actual_created_at": to_ms(event.actual_created_at),
        "user": event.user.id,
        "user_id": event.user.user_id,
        "device_id": event.user.device_id,
        "user_metadata": metadata_text(event.user.metadata),
        "geofence": None if geofence is None else geofence.id,
        "tag": None if named is None else named.tag,
        "external_id": None if named is None else named.external_id,
        "description": None if named is None else named.description,
        "geofence_metadata": None if geofence is None else metadata_text(geofence.metadata),
        "longitude": None if point is None else point.longitude,
        "latitude": None if point is None else point.latitude,
        "accuracy_m": event.accuracy_m,
        "confidence": event.confidence,
        "duration_s": event.duration_s,
        "currently_operating": None if event.currently_operating is None else int(event.currently_operating),
        "details": event_details_text(event),
    }


def event_of(row: sa.Row[Any]) -> Event:
    """Return the event that a row of `events` stores."""
    details = {} if row.details is None else orjson.loads(row.details)
    carried = user_summary_details_of(details)
    return Event(
        id=row.id,
        environment=environment_of(row.live),
        type=row.type,
        created_at=from_ms(row.created_at),
        actual_created_at=from_ms(row.actual_created_at),
        user=UserSummary(row.user, row.device_id, row.user_id, metadata_of(row.user_metadata), *carried),
        geofence=_event_geofence(row, details),
        point=None if row.longitude is None else Point(row.longitude, row.latitude),
        accuracy_m=row.accuracy_m,
        confidence=row.confidence,
        duration_s=row.duration_s,
        currently_operating=None if row.currently_operating is None else bool(row.currently_operating),
        **event_details_of(details, environment_of(row.live)),
    )


def _event_geofence(row: sa.Row[Any], details: dict[str, Any]) -> GeofenceSummary | None:
    if row.geofence is None:
        return None
    metadata, extent = metadata_of(row.geofence_metadata), extent_of_content(details.get("extent"))
    return GeofenceSummary(row.geofence, row.tag, row.external_id, row.description, metadata, extent)


def update_row(
    number: int,
    user: User,
    subject: Subject,
    received_at: datetime,
    revision: int,
    settings: int,
    update: LocationUpdate,
    place_state: PlaceState = NOWHERE,
) -> dict[str, Any]:
    """Return the row of `updates` that keeps `update`, the user's last one; see `KeptUpdate`."""
    fix = user.fix
    content: dict[str, Any] = {}
    if subject.user_id is not None:
        content["user_id"] = subject.user_id
    if subject.ip is not None:
        content["ip"] = subject.ip
    if fix.foreground:
        content["foreground"] = 1
    if fix.stopped:
        content["stopped"] = 1
    if update.replayed:
        content["replayed"] = 1
    if update.mocked:
        content["mocked"] = 1
    if update.compromised:
        content["compromised"] = 1
    if place_state is not NOWHERE:
        content["whereabouts"] = place_state_content(place_state, visits=False)
    return {
        "number": number,
        "live": int(user.environment.live),
        "user": user.id,
        "device_id": user.device_id,
        "at": to_ms(fix.at),
        "received_at": to_ms(received_at),
        "revision": revision,
        "settings": settings,
        "longitude": fix.point.longitude,
        "latitude": fix.point.latitude,
        "accuracy_m": fix.accuracy_m,
        "content": orjson.dumps(content).decode(),
    }


def user_id_of(row: sa.Row[Any]) -> str | None:
    """Return who was logged in at the update that a row of `updates` keeps."""
    found: str | None = orjson.loads(row.content).get("user_id")
    return found


def update_of(row: sa.Row[Any], presences: Mapping[str, Presence]) -> KeptUpdate:
    """Return the update that a row of `updates` keeps, of a user who was inside there."""
    content = orjson.loads(row.content)
    user_id = content.get("user_id")
    point = Point(row.longitude, row.latitude)
    return KeptUpdate(
        number=row.number,
        user=UserSummary(row.user, row.device_id, user_id),
        subject=Subject(user_id, content.get("ip")),
        fix=Fix(point, row.accuracy_m, from_ms(row.at), "foreground" in content, "stopped" in content),
        received_at=from_ms(row.received_at),
        revision=row.revision,
        settings=row.settings,
        presences=presences,
        replayed="replayed" in content,
        mocked="mocked" in content,
        compromised="compromised" in content,
        place_state=place_state_of(content.get("whereabouts")),
    )
