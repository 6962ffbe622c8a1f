"""Conversion between users, presences, events and updates and the rows that store them."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

import orjson
import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.tracking.beacon import BeaconSummary
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.explaining import KeptUpdate
from engine.domain.tracking.updates import (
    NOWHERE,
    Device,
    DeviceType,
    Event,
    Fix,
    InOrder,
    LocationUpdate,
    PlaceState,
    Presence,
    Subject,
    User,
    UserSummary,
)
from engine.domain.tracking.verdicts import About, EventReason, Verdict
from engine.store.records.cells import from_ms, to_ms
from engine.store.records.contents import (
    event_details_of,
    event_details_text,
    extent_of_content,
    fraud_of,
    in_order_of,
    metadata_of,
    metadata_text,
    moment_or_none,
    place_state_content,
    place_state_of,
    presences_content,
    presences_of_content,
    user_details_text,
    user_summary_details_of,
)

_PREFIX: Final = "user."


def verdict_contents(verdicts: Iterable[Verdict]) -> list[Any]:
    """Return verdicts as JSON types."""
    return [_content(each) for each in verdicts]


def verdicts_of(contents: Iterable[list[Any]]) -> tuple[Verdict, ...]:
    """Return verdicts from JSON types."""
    return tuple(map(_verdict, contents))


def _content(verdict: Verdict) -> list[Any]:
    about = verdict.about
    reasons = [
        [each.wording.name, dict(each.values)] if each.values else [each.wording.name] for each in verdict.reasons
    ]
    names = [] if about is None else [about.name] if about.id is None else [about.name, about.id]
    return [verdict.type.removeprefix(_PREFIX), int(verdict.fired), names, *reasons]


def _verdict(content: list[Any]) -> Verdict:
    kind, fired, names, *reasons = content
    about = About(*names) if names else None
    return Verdict(_PREFIX + kind, bool(fired), tuple(map(_reason, reasons)), about)


def _reason(content: list[Any]) -> EventReason:
    name, *values = content
    return EventReason(EventWording[name], *values)


def environment_of(live: int) -> Environment:
    """Return the environment for a value of the column `live`."""
    return Environment.LIVE if live else Environment.TEST


def user_row(user: User, last_kept: int = 0) -> dict[str, Any]:
    """Return the row of `users` for a user, with the number of their last kept update, if any."""
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
        "last_kept": last_kept or None,
        "install_id": user.install_id,
    }


def user_of(
    row: sa.Row[Any], geofences: tuple[GeofenceSummary, ...] = (), beacons: tuple[BeaconSummary, ...] = ()
) -> User:
    """Return the user in a row of `users`, with the given geofences they are in and beacons they are near."""
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
        newest_at=moment_or_none(details.get("newest_at")),
        in_order=in_order_of(details.get("in_order")),
        user_tags=tuple(details.get("user_tags", ())),
        install_id=row.install_id,
    )


def presence_row(user_id: str, presence: Presence, since: int = 0) -> dict[str, Any]:
    """Return the row of `presences` for a presence as it is after the update with the number `since`."""
    return {
        "user": user_id,
        "geofence": presence.geofence_id,
        "entered_at": to_ms(presence.entered_at),
        "dwelled": int(presence.dwelled),
        "since": since,
    }


def former_presence_row(user: User, presence: Presence, since: int, until: int) -> dict[str, Any]:
    """Return the row of `former_presences` for a presence that applied up to the update with the number `until`."""
    return {"live": int(user.environment.live), "until": until, **presence_row(user.id, presence, since)}


def presence_of(row: sa.Row[Any]) -> Presence:
    """Return the presence in a row of either table."""
    return Presence(row.geofence, from_ms(row.entered_at), bool(row.dwelled))


def event_row(event: Event) -> dict[str, Any]:
    """Return the row of `events` for an event, with its user and its geofence or beacon as they were."""
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
    """Return the event in a row of `events`."""
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
    previous: int,
    user: User,
    subject: Subject,
    received_at: datetime,
    revision: int,
    settings: int,
    update: LocationUpdate,
    place_state: PlaceState = NOWHERE,
    verdicts: tuple[Verdict, ...] = (),
    in_order: InOrder | None = None,
) -> dict[str, Any]:
    """Return the row of `updates` for `update`, the user's last one; see `KeptUpdate`.

    `previous` is the number of the same user's previous kept update, or 0 without one.
    """
    fix = user.fix
    content: dict[str, Any] = {"verdicts": verdict_contents(verdicts)}
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
    if fix.late_after is not None:
        content["late_after"] = to_ms(fix.late_after)
    if in_order is not None:
        content["in_order"] = presences_content(in_order.presences)
    if (taken_at := update.taken_at(received_at)) is not None:
        content["taken_at"] = to_ms(taken_at)
        if update.at is None:
            content["aged"] = 1
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
        "previous": previous or None,
    }


def user_id_of(row: sa.Row[Any]) -> str | None:
    """Return the ID of the user who was logged in at the update in a row of `updates`."""
    found: str | None = orjson.loads(row.content).get("user_id")
    return found


def update_of(row: sa.Row[Any], presences: Mapping[str, Presence]) -> KeptUpdate:
    """Return the update in a row of `updates`, with the presences of its user."""
    content = orjson.loads(row.content)
    user_id = content.get("user_id")
    point = Point(row.longitude, row.latitude)
    return KeptUpdate(
        number=row.number,
        user=UserSummary(row.user, row.device_id, user_id),
        subject=Subject(user_id, content.get("ip")),
        fix=Fix(
            point,
            row.accuracy_m,
            from_ms(row.at),
            "foreground" in content,
            "stopped" in content,
            late_after=moment_or_none(content.get("late_after")),
        ),
        received_at=from_ms(row.received_at),
        revision=row.revision,
        settings=row.settings,
        presences=presences,
        replayed="replayed" in content,
        mocked="mocked" in content,
        compromised="compromised" in content,
        place_state=place_state_of(content.get("whereabouts")),
        taken_at=moment_or_none(content.get("taken_at")),
        is_aged="aged" in content,
        in_order=presences_of_content(content["in_order"]) if "in_order" in content else None,
    )
