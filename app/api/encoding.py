"""From the engine's values to the wire: the only place that spells its fields.

Absent fields are left out and never null; times are ``YYYY-MM-DDTHH:MM:SS.mmmZ``; durations are minutes; positions
are ``[longitude, latitude]``. What is returned holds only types that JSON has.
"""

from datetime import UTC, datetime
from typing import Any

from engine.domain.address import NO_REGIONS, Region, Regions, RegionType, flag_of
from engine.domain.explaining import ReplayedEvent
from engine.domain.fraud import Fraud, FraudCheck
from engine.domain.geofence import DEFAULT_RULES, Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Isochrone, Point
from engine.domain.hours import DAYS, spell_hours
from engine.domain.imports import ImportReport, RowError
from engine.domain.place import Chain, Place
from engine.domain.tracking import (
    UNKNOWN_DEVICE,
    ChainSummary,
    Device,
    Event,
    SegmentSummary,
    TrackResult,
    User,
    UserSummary,
)
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
    """Return how long something took, to a thousandth of a minute."""
    return round(seconds / 60, 3)


def set_minutes(seconds: float) -> float:
    """Return a duration that somebody set, as exactly as it was set."""
    return round(seconds / 60, 9)


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
        if user.personal_data:
            encoded["personalData"] = True
    if user.description is not None:
        encoded["description"] = user.description
    if user.ip is not None:
        encoded["ip"] = user.ip
    if user.device is not UNKNOWN_DEVICE:
        _add_device(encoded, user.device)
    if fix.altitude_m is not None:
        encoded["altitude"] = fix.altitude_m
    if fix.vertical_accuracy_m is not None:
        encoded["verticalAccuracy"] = fix.vertical_accuracy_m
    if user.fraud is not None:
        encoded["fraud"] = encode_fraud(user.fraud)
    if user.place is not None:
        encoded["place"] = encode_place(user.place)
    if user.regions is not NO_REGIONS:
        encoded |= encode_regions(user.regions)
    if user.segments:
        encoded["segments"] = [_encode_segment(segment) for segment in user.segments]
    if user.top_chains:
        encoded["topChains"] = [_encode_visited(chain) for chain in user.top_chains]
    return encoded


def _add_device(encoded: Encoded, device: Device) -> None:
    if device.type is not None:
        encoded["deviceType"] = device.type
    if device.os is not None:
        encoded["deviceOS"] = device.os
    if device.make is not None:
        encoded["deviceMake"] = device.make
    if device.model is not None:
        encoded["deviceModel"] = device.model


def _encode_segment(segment: SegmentSummary) -> Encoded:
    return {"description": segment.description, "externalId": segment.external_id}


def _encode_visited(chain: ChainSummary) -> Encoded:
    external_id = {} if chain.external_id is None else {"externalId": chain.external_id}
    return {"name": chain.name, "slug": chain.slug, **external_id}


def encode_place(place: Place) -> Encoded:
    """Return a place."""
    encoded: Encoded = {
        "_id": place.id,
        "name": place.name,
        "location": encode_point(place.point),
        "categories": list(place.categories),
    }
    if place.chain is not None:
        encoded["chain"] = encode_chain(place.chain)
    return encoded


def encode_chain(chain: Chain) -> Encoded:
    """Return the chain of a place."""
    external_id = {} if chain.external_id is None else {"externalId": chain.external_id}
    metadata = {"metadata": dict(chain.metadata)} if chain.metadata else {}
    return {"name": chain.name, "slug": chain.slug} | external_id | metadata


def encode_region(region: Region) -> Encoded:
    """Return a country, state, market area or postal code; a country with its flag."""
    flag = {"flag": flag_of(region.code)} if region.type is RegionType.COUNTRY else {}
    return {"_id": region.id, "type": region.type, "code": region.code, "name": region.name} | flag


def encode_regions(regions: Regions) -> Encoded:
    """Return the regions of a position, by the names they have on a user."""
    found = (("country", regions.country), ("state", regions.state), ("dma", regions.dma))
    named = (*found, ("postalCode", regions.postal_code))
    return {name: encode_region(region) for name, region in named if region is not None}


def encode_fraud(fraud: Fraud) -> Encoded:
    """Return what the checks found; a date is there once its check has failed. Nothing here is ever ``verified``."""
    last = {f"last{check.capitalize()}At": encode_time(at) for check, at in fraud.last}
    checks = {check.value: check in fraud.failed for check in FraudCheck}
    decided = {"verified": False, "passed": fraud.passed, "bypassed": fraud.bypassed, "blocked": fraud.blocked}
    return decided | checks | last


def encode_happened(event: Event | ReplayedEvent) -> Encoded:
    """Return what an event is about, whether it was stored or a replay made it; ``duration`` is in minutes."""
    encoded: Encoded = {}
    if event.geofence is not None:
        encoded["geofence"] = encode_summary(event.geofence)
    if event.place is not None:
        encoded["place"] = encode_place(event.place)
    if event.region is not None:
        encoded["region"] = encode_region(event.region)
    if event.confidence is not None:
        encoded["confidence"] = event.confidence
    if event.duration_s is not None:
        encoded["duration"] = minutes(event.duration_s)
    if event.currently_operating is not None:
        encoded["currentlyOperating"] = event.currently_operating
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
    }
    if event.point is not None:
        encoded["location"] = encode_point(event.point)
    if event.accuracy_m is not None:
        encoded["locationAccuracy"] = event.accuracy_m
    encoded |= encode_happened(event)
    if event.metadata:
        encoded["metadata"] = dict(event.metadata)
    if event.fraud is not None:
        encoded["fraud"] = encode_fraud(event.fraud)
    if event.verification is not None:
        encoded["verification"] = event.verification.value
    if event.verified_place_id is not None:
        encoded["verifiedPlaceId"] = event.verified_place_id
    if event.replayed:
        encoded["replayed"] = True
    return encoded


def encode_user_summary(user: UserSummary) -> Encoded:
    """Return what an event carries of its user; of one who is not known yet, only what the client told."""
    encoded: Encoded = {"_id": user.id, "deviceId": user.device_id, "metadata": dict(user.metadata)}
    if not user.id:
        del encoded["_id"]
    if not user.device_id:
        del encoded["deviceId"]
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
    geometry = geofence.geometry
    shape = shape_of(geometry)
    encoded = encode_summary(geofence.summary) | {
        "createdAt": encode_time(geofence.created_at),
        "updatedAt": encode_time(geofence.updated_at),
        "live": geofence.environment.live,
        "enabled": geofence.enabled,
        "geometryCenter": encode_point(shape.center),
    }
    if include_geometry:
        encoded["type"] = geometry.type
        encoded["geometry"] = encode_polygon(geofence)
        if isinstance(geometry, Isochrone):
            encoded |= {"geometryRadius": geometry.minutes, "mode": geometry.mode}
        else:
            encoded["geometryRadius"] = shape.radius_m
    return encoded if geofence.rules is DEFAULT_RULES else encoded | encode_rules(geofence.rules)


def encode_found(geofence: Geofence, include_geometry: bool = True) -> Encoded:
    """Return a geofence for client apps, which must not learn for whom it is."""
    encoded = encode_geofence(geofence, include_geometry)
    encoded.pop("userIds", None)
    encoded.pop("ip", None)
    return encoded


def encode_rules(rules: GeofenceRules) -> Encoded:
    """Return what a geofence sets about its events and its life; lists are comma-separated text."""
    encoded: Encoded = {}
    if rules.operating_hours is not None:
        # Hours in which no day opens must not look like no hours, which an empty dictionary asks for.
        encoded["operatingHours"] = spell_hours(rules.operating_hours) or {day: [] for day in DAYS}
    if rules.stop_detection is not None:
        encoded["stopDetection"] = rules.stop_detection
    if rules.disable_after is not None:
        encoded["disableAfter"] = encode_time(rules.disable_after)
    if rules.delete_after is not None:
        encoded["deleteAfter"] = encode_time(rules.delete_after)
    if rules.user_ids:
        encoded["userIds"] = ",".join(rules.user_ids)
    if rules.ip is not None:
        encoded["ip"] = str(rules.ip)
    if rules.dwell_threshold_s is not None:
        encoded["dwellThreshold"] = set_minutes(rules.dwell_threshold_s)
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
