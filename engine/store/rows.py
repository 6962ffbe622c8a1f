"""Between the domain's values and the tables' rows."""

from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

import orjson
import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.tracking import DeviceType, Event, EventType, Fix, User, UserSummary

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def to_ms(moment: datetime) -> int:
    """Return a moment as milliseconds since 1970."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    """Return the moment of milliseconds since 1970, in UTC."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def environment_of(live: int) -> Environment:
    """Return the environment that the column `live` names."""
    return Environment.LIVE if live else Environment.TEST


def metadata_text(metadata: Metadata) -> str:
    """Return metadata as JSON text."""
    return orjson.dumps(dict(metadata)).decode() if metadata else "{}"


def metadata_of(text: str) -> Metadata:
    """Return the metadata that JSON text holds."""
    return NO_METADATA if text == "{}" else MappingProxyType(orjson.loads(text))


def geofence_row(geofence: Geofence) -> dict[str, Any]:
    """Return the row of `geofences` that stores a geofence."""
    geometry = geofence.geometry
    circle = geometry if isinstance(geometry, Circle) else None
    return {
        "id": geofence.id,
        "live": int(geofence.environment.live),
        "tag": geofence.tag,
        "external_id": geofence.external_id,
        "description": geofence.description,
        "type": geometry.type.value,
        "longitude": circle.center.longitude if circle else None,
        "latitude": circle.center.latitude if circle else None,
        "radius_m": circle.radius_m if circle else None,
        "ring": orjson.dumps(geometry.ring).decode() if isinstance(geometry, Polygon) else None,
        "metadata": metadata_text(geofence.metadata),
        "enabled": int(geofence.enabled),
        "created_at": to_ms(geofence.created_at),
        "updated_at": to_ms(geofence.updated_at),
    }


def geofence_of(row: sa.Row[Any]) -> Geofence:
    """Return the geofence that a row of `geofences` stores."""
    return Geofence(
        id=row.id,
        environment=environment_of(row.live),
        summary=GeofenceSummary(row.id, row.tag, row.external_id, row.description, metadata_of(row.metadata)),
        geometry=_geometry_of(row),
        enabled=bool(row.enabled),
        created_at=from_ms(row.created_at),
        updated_at=from_ms(row.updated_at),
    )


def _geometry_of(row: sa.Row[Any]) -> Geometry:
    if row.ring is None:
        return Circle(Point(row.longitude, row.latitude), row.radius_m)
    return Polygon(tuple(map(tuple, orjson.loads(row.ring))))


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
        "device_type": user.device_type,
        "ip": user.ip,
        "created_at": to_ms(user.created_at),
        "updated_at": to_ms(user.updated_at),
    }


def user_of(row: sa.Row[Any], geofences: tuple[GeofenceSummary, ...] = ()) -> User:
    """Return the user that a row of `users` stores, inside the given geofences."""
    updated_at = from_ms(row.updated_at)
    point = Point(row.longitude, row.latitude)
    return User(
        id=row.id,
        environment=environment_of(row.live),
        device_id=row.device_id,
        user_id=row.user_id,
        description=row.description,
        metadata=metadata_of(row.metadata),
        fix=Fix(point, row.accuracy_m, updated_at, bool(row.foreground), bool(row.stopped)),
        device_type=DeviceType(row.device_type) if row.device_type else None,
        ip=row.ip,
        created_at=from_ms(row.created_at),
        updated_at=updated_at,
        geofences=geofences,
    )


def event_row(event: Event) -> dict[str, Any]:
    """Return the row of `events` that stores an event, with its user and geofence as they were."""
    return {
        "id": event.id,
        "live": int(event.environment.live),
        "type": event.type.value,
        "created_at": to_ms(event.created_at),
        "actual_created_at": to_ms(event.actual_created_at),
        "user": event.user.id,
        "user_id": event.user.user_id,
        "device_id": event.user.device_id,
        "user_metadata": metadata_text(event.user.metadata),
        "geofence": event.geofence.id,
        "tag": event.geofence.tag,
        "external_id": event.geofence.external_id,
        "description": event.geofence.description,
        "geofence_metadata": metadata_text(event.geofence.metadata),
        "longitude": event.point.longitude,
        "latitude": event.point.latitude,
        "accuracy_m": event.accuracy_m,
        "confidence": event.confidence,
        "duration_s": event.duration_s,
    }


def event_of(row: sa.Row[Any]) -> Event:
    """Return the event that a row of `events` stores."""
    return Event(
        id=row.id,
        environment=environment_of(row.live),
        type=EventType(row.type),
        created_at=from_ms(row.created_at),
        actual_created_at=from_ms(row.actual_created_at),
        user=UserSummary(row.user, row.device_id, row.user_id, metadata_of(row.user_metadata)),
        geofence=GeofenceSummary(
            row.geofence, row.tag, row.external_id, row.description, metadata_of(row.geofence_metadata)
        ),
        point=Point(row.longitude, row.latitude),
        accuracy_m=row.accuracy_m,
        confidence=row.confidence,
        duration_s=row.duration_s,
    )
