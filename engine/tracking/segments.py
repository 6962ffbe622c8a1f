"""Segments of a user according to the conditions in the settings."""

from engine.domain.metadata import MetadataValue
from engine.domain.settings import Comparison, Condition, ProjectSettings
from engine.domain.tracking.updates import SegmentSummary, User


def segments_of(user: User, settings: ProjectSettings) -> tuple[SegmentSummary, ...]:
    """Return the segments whose conditions all hold for a user, in the order of the settings."""
    return tuple(
        SegmentSummary(rule.description, rule.external_id)
        for rule in settings.segments
        if all(_holds(condition, user) for condition in rule.conditions)
    )


def _holds(condition: Condition, user: User) -> bool:
    """Return whether a condition holds for one of the values of its field. A field without values equals nothing."""
    values = _values(condition.field, user)
    match condition.comparison:
        case Comparison.EXISTS:
            return bool(values)
        case Comparison.NOT_EQUALS:
            return not any(_equal(value, condition.value) for value in values)
        case Comparison.EQUALS:
            return any(_equal(value, condition.value) for value in values)
        case Comparison.CONTAINS:
            return any(isinstance(value, str) and str(condition.value) in value for value in values)
        case Comparison.GREATER | Comparison.LESS:
            return any(_compares(value, condition) for value in values)


def _compares(value: MetadataValue, condition: Condition) -> bool:
    wanted = condition.value
    if not (_is_number(value) and _is_number(wanted)):
        return False
    difference = float(value) - float(wanted or 0)
    return difference > 0 if condition.comparison is Comparison.GREATER else difference < 0


def _is_number(value: MetadataValue | None) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(value: MetadataValue, wanted: MetadataValue | None) -> bool:
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _values(field: str, user: User) -> tuple[MetadataValue, ...]:
    name, _, key = field.partition(".")
    if name == "metadata":
        return (user.metadata[key],) if key in user.metadata else ()
    if name == "geofenceTag":
        return tuple(geofence.tag for geofence in user.geofences)
    found: dict[str, MetadataValue | None] = {
        "userId": user.user_id,
        "deviceId": user.device_id,
        "description": user.description,
        "deviceType": None if user.device.type is None else str(user.device.type),
        "deviceOS": user.device.os,
        "deviceMake": user.device.make,
        "deviceModel": user.device.model,
        "foreground": user.fix.foreground,
        "stopped": user.fix.stopped,
    }
    value = found[name]
    return () if value is None else (value,)
