"""From the engine's values to the wire: the only place that spells its fields.

Absent fields are left out and never null; times are ``YYYY-MM-DDTHH:MM:SS.mmmZ``; durations are minutes; positions
are ``[longitude, latitude]``. What is returned holds only types that JSON has.
"""

from datetime import UTC, datetime
from typing import Any

from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Point
from engine.domain.imports import ImportReport, RowError
from engine.domain.tracking import Event, TrackResult, User, UserSummary
from engine.geo.circles import circle_ring
from engine.geo.shapes import shape_of

type Encoded = dict[str, Any]

OK: Encoded = {"code": 200}


def encode_answer(content: Encoded, *, has_more: bool | None = None) -> Encoded:
    """Return the body of a successful answer; lists say in ``meta.hasMore`` whether more follow."""
    meta = OK if has_more is None else {"code": 200, "hasMore": has_more}
    return {"meta": meta, **content}


def encode_time(moment: datetime) -> str:
    """Return a time in the only form that every SDK reads."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="milliseconds")[:-6] + "Z"


def minutes(seconds: float) -> float:
    """Return a duration as the wire gives it, to a thousandth of a minute."""
    return round(seconds / 60, 3)


def encode_point(point: Point) -> Encoded:
    """Return a GeoJSON Point."""
    return {"type": "Point", "coordinates": [point.longitude, point.latitude]}


def encode_track(result: TrackResult) -> Encoded:
    """Return what a location update led to."""
    events = [encode_event(event) for event in result.events]
    return {"meta": OK, "events": events, "user": encode_user(result.user)}


def encode_user(user: User) -> Encoded:
    """Return a user with their last location."""
    fix = user.fix
    encoded: Encoded = {
        "_id": user.id,
        "live": user.environment.live,
        "deviceId": user.device_id,
        "metadata": dict(user.metadata),
        "location": encode_point(fix.point),
        "locationAccuracy": fix.accuracy_m,
        "foreground": fix.foreground,
        "stopped": fix.stopped,
        "createdAt": encode_time(user.created_at),
        "updatedAt": encode_time(user.updated_at),
        "geofences": [encode_summary(geofence) for geofence in user.geofences],
    }
    if user.user_id is not None:
        encoded["userId"] = user.user_id
    if user.description is not None:
        encoded["description"] = user.description
    if user.device_type is not None:
        encoded["deviceType"] = user.device_type
    if user.ip is not None:
        encoded["ip"] = user.ip
    return encoded


def encode_event(event: Event) -> Encoded:
    """Return an event; ``duration`` (minutes) is on exits only."""
    encoded: Encoded = {
        "_id": event.id,
        "type": event.type,
        "createdAt": encode_time(event.created_at),
        "actualCreatedAt": encode_time(event.actual_created_at),
        "live": event.environment.live,
        "user": encode_user_summary(event.user),
        "geofence": encode_summary(event.geofence),
        "location": encode_point(event.point),
        "locationAccuracy": event.accuracy_m,
        "confidence": event.confidence,
    }
    if event.duration_s is not None:
        encoded["duration"] = minutes(event.duration_s)
    return encoded


def encode_user_summary(user: UserSummary) -> Encoded:
    """Return what an event carries of its user."""
    encoded: Encoded = {"_id": user.id, "deviceId": user.device_id, "metadata": dict(user.metadata)}
    if user.user_id is not None:
        encoded["userId"] = user.user_id
    return encoded


def encode_summary(geofence: GeofenceSummary) -> Encoded:
    """Return what users and events carry of a geofence."""
    return {
        "_id": geofence.id,
        "tag": geofence.tag,
        "externalId": geofence.external_id,
        "description": geofence.description,
        "metadata": dict(geofence.metadata),
    }


def encode_geofence(geofence: Geofence, include_geometry: bool = True) -> Encoded:
    """Return a geofence; without geometry it keeps its centre, and has no ``type`` or ``geometryRadius``."""
    shape = shape_of(geofence.geometry)
    encoded = encode_summary(geofence.summary) | {
        "createdAt": encode_time(geofence.created_at),
        "updatedAt": encode_time(geofence.updated_at),
        "live": geofence.environment.live,
        "enabled": geofence.enabled,
        "geometryCenter": encode_point(shape.center),
    }
    if include_geometry:
        encoded["type"] = geofence.geometry.type
        encoded["geometry"] = encode_polygon(geofence)
        encoded["geometryRadius"] = shape.radius_m
    return encoded


def encode_polygon(geofence: Geofence) -> Encoded:
    """Return a geofence's outline as a GeoJSON Polygon; a circle is approximated."""
    geometry = geofence.geometry
    ring = circle_ring(geometry.center, geometry.radius_m) if isinstance(geometry, Circle) else geometry.ring
    return {"type": "Polygon", "coordinates": [[list(position) for position in ring]]}


def encode_report(report: ImportReport) -> Encoded:
    """Return the outcome of an import, for another command of this workspace."""
    return {
        "rows": report.rows,
        "created": report.created,
        "updated": report.updated,
        "failed": report.failed,
        "dryRun": report.dry_run,
        "errors": [encode_row_error(error) for error in report.errors],
    }


def encode_row_error(error: RowError) -> Encoded:
    """Return why a row of a table was not imported; row 1 is the header."""
    column = {} if error.column is None else {"column": error.column}
    return {"row": error.row, **column, "message": error.message}
