"""Change sets: files with the changes to promote from one environment to the other.

Each geofence is written as in a snapshot, once as it should become and once as it was in the target.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from app.api.wire.common.encoding import Encoded, encode_time, wire_name
from app.api.wire.snapshot import encode_seed_geofence
from engine.domain.fields.geofence import RULES
from engine.domain.fields.rows import ValueKind
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress, no_progress, reporting
from engine.domain.words import exact_minutes
from engine.geofences.promotion.differences import ChangeSet, Difference, Kind
from engine.geofences.promotion.promotions import Applied, Plan, not_portable

FORMAT: Final = "fencewright-change-set"
VERSION: Final = 1

ACTIONS: Final[Mapping[Kind, str]] = {Kind.NEW: "create", Kind.CHANGED: "update", Kind.MISSING: "delete"}

_OF_WORKSPACE: Final = ("_id", "live", "createdAt", "updatedAt", "geometryCenter", "geometryRadius")
_SHOWN_MISSING: Final = 1_000
_EXACTLY: Final[Mapping[ValueKind, Callable[[Any], Any]]] = {ValueKind.SECONDS: exact_minutes, ValueKind.IDS: list}
"""Converters for values that snapshots write differently: as text, an ID with a comma would become two."""


def encode_plan(plan: Plan, report: Progress = no_progress) -> Encoded:
    """Return the change set of a promotion and the geofences that it leaves out; `report` may raise `Cancelled`."""
    return {
        "changeSet": encode_change_set(plan.changes, report),
        "same": plan.same,
        "missing": [_encode_key(geofence) for geofence in plan.missing[:_SHOWN_MISSING]],
        "missingCount": len(plan.missing),
        "notes": list(plan.notes),
        "notPortable": encode_not_portable(plan.changes),
    }


def encode_not_portable(changes: ChangeSet) -> list[dict[str, str]]:
    """Return the geofences that the platform would not take as they are, with what it does not have."""
    found = not_portable(changes).items()
    return [{"tag": tag, "externalId": external_id, "text": text} for (tag, external_id), text in found]


def encode_change_set(changes: ChangeSet, report: Progress = no_progress) -> dict[str, Any]:
    """Return a change set in its file format."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "from": changes.source.value,
        "to": changes.target.value,
        "createdAt": encode_time(changes.made_at),
        "changes": [_encode_change(item) for item in reporting(changes.items, report)],
    }


def encode_applied(applied: Applied) -> Encoded:
    """Return how many geofences were created, updated, deleted and left unchanged."""
    return {
        "created": applied.created,
        "updated": applied.changed,
        "deleted": applied.deleted,
        "unchanged": applied.unchanged,
    }


def _encode_change(item: Difference) -> dict[str, Any]:
    tag, external_id = item.key
    encoded: dict[str, Any] = {"action": ACTIONS[item.kind], "tag": tag, "externalId": external_id}
    if item.wanted is not None:
        encoded["geofence"] = encode_content(item.wanted)
    if item.seen is not None:
        encoded["seen"] = encode_content(item.seen)
    return encoded


def encode_content(geofence: Geofence) -> dict[str, Any]:
    """Return the exact content of a geofence, regardless of its environment."""
    encoded = encode_seed_geofence(geofence)
    for row in RULES:
        value = row.value(geofence)
        if row.kind in _EXACTLY and value != row.unset:
            encoded[wire_name(row.name)] = _EXACTLY[row.kind](value)
    return {name: value for name, value in encoded.items() if name not in _OF_WORKSPACE}


def _encode_key(geofence: Geofence) -> Encoded:
    return {"tag": geofence.tag, "externalId": geofence.external_id, "description": geofence.description}
