"""The effect of a change on a beacon, as pure functions, so that requests and table rows are judged alike."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.fields.beacon import PART_NAMES, PARTS, Row
from engine.domain.geofence import UNSET, missing, required
from engine.domain.geometry import Point, check_latitude, check_longitude
from engine.domain.metadata import MAX_GEOFENCE_KEYS, NO_METADATA, Metadata, changed_metadata
from engine.domain.text import check_description, check_identifier
from engine.domain.tracking.beacon import (
    Beacon,
    BeaconChange,
    BeaconSummary,
    BeaconType,
    Eddystone,
    IBeacon,
    Signal,
    check_type,
)
from engine.domain.values import replace


def created(change: BeaconChange, environment: Environment, make_id: Callable[[], str], now: datetime) -> Beacon:
    """Return the new beacon that a change describes.

    Raises `InvalidParameter` naming the first field that is missing or cannot be accepted.
    """
    tag = check_identifier(required(change.tag, "tag"), "tag")
    external_id = check_identifier(required(change.external_id, "external_id"), "external_id")
    description = check_description(required(change.description, "description"))
    signal = signal_of(change)
    point = _checked(required(change.geometry, "geometry"))
    metadata = _metadata(change, NO_METADATA)
    enabled = change.enabled is UNSET or change.enabled
    summary = BeaconSummary(make_id(), tag, external_id, description, signal, point, enabled, metadata)
    return Beacon(environment, summary, now, now)


def changed(beacon: Beacon, change: BeaconChange, now: datetime) -> Beacon:
    """Return the beacon with the change's fields set and all others kept.

    Raises `InvalidParameter` naming the first field that cannot be accepted.
    """
    before = beacon.summary
    summary = replace(
        before,
        tag=before.tag if change.tag is UNSET else check_identifier(change.tag, "tag"),
        external_id=(
            before.external_id if change.external_id is UNSET else check_identifier(change.external_id, "external_id")
        ),
        description=before.description if change.description is UNSET else check_description(change.description),
        signal=signal_of(change, before.signal),
        point=before.point if change.geometry is UNSET else _checked(change.geometry),
        enabled=before.enabled if change.enabled is UNSET else change.enabled,
        metadata=_metadata(change, before.metadata),
    )
    return replace(beacon, summary=summary, updated_at=now)


def signal_of(change: BeaconChange, before: Signal | None = None) -> Signal:
    """Return the signal that a change describes. Omitted parts are kept if the previous signal has the same type.

    Raises `InvalidParameter` naming the part that is missing, invalid, or of the other type.
    """
    if change.type is not UNSET:
        kind = check_type(change.type)
    elif before is not None:
        kind = before.type
    else:
        kind = check_type(required(change.type, "type"))
    _refuse_parts_of_others(change, kind)
    same = before if before is not None and before.type is kind else None
    parts = [_part(change, row, same) for row in PARTS[kind]]
    return IBeacon(*parts) if kind is BeaconType.IBEACON else Eddystone(*parts)


def _part(change: BeaconChange, row: Row, before: Signal | None) -> Any:
    given = getattr(change, row.name)
    if given is not UNSET:
        assert row.check is not None
        return row.check(given, row.name)
    if before is None:
        raise missing(row.name)
    return getattr(before, row.name)


def _refuse_parts_of_others(change: BeaconChange, kind: BeaconType) -> None:
    for other, parts in PART_NAMES.items():
        given = next((part for part in parts if getattr(change, part) is not UNSET), None)
        if other is not kind and given is not None:
            own = ", ".join(PART_NAMES[kind])
            raise InvalidParameter(given, f"{given}: is not a field of {kind} beacons, which have {own}.")


def _checked(point: Point) -> Point:
    return Point(check_longitude(point.longitude, "geometry"), check_latitude(point.latitude, "geometry"))


def _metadata(change: BeaconChange, before: Metadata) -> Metadata:
    whole = None if change.metadata is UNSET else change.metadata
    items = None if change.metadata_items is UNSET else change.metadata_items
    return changed_metadata(before, whole, items, max_keys=MAX_GEOFENCE_KEYS)
