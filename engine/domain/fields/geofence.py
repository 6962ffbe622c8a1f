"""The fields of geofences."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from engine.domain.fields.rows import Field, ValueKind, field
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone, Point
from engine.domain.metadata import NO_METADATA
from engine.domain.settings import check_approaching_threshold, check_dwell_threshold
from engine.domain.travel import TravelMode

type Row = Field[Geofence]


def size_of(geofence: Geofence) -> float | None:
    """Return the radius of a circle in metres, or the travel time of an isochrone in minutes."""
    geometry = geofence.geometry
    if isinstance(geometry, Isochrone):
        return geometry.minutes
    return geometry.radius_m if isinstance(geometry, Circle) else None


def _coordinates(geofence: Geofence) -> Point | Sequence[object]:
    geometry = geofence.geometry
    return geometry.center if isinstance(geometry, Circle | Isochrone) else geometry.coordinates


def _mode(geofence: Geofence) -> TravelMode | None:
    return geofence.geometry.mode if isinstance(geofence.geometry, Isochrone) else None


def _metadata(geofence: Geofence) -> dict[str, Any]:
    return dict(geofence.metadata)


def _rule(name: str, kind: ValueKind, **options: Any) -> Row:
    """Return the row of a field of `GeofenceRules`."""
    return field(name, kind, attrgetter(f"rules.{name}"), **options)


NAMES: Final[tuple[Row, ...]] = (
    field("tag", ValueKind.TEXT),
    field("external_id", ValueKind.TEXT),
    field("description", ValueKind.TEXT),
)
"""The names of a geofence."""

SHAPE: Final[tuple[Row, ...]] = (
    field("type", ValueKind.OTHER, attrgetter("geometry.type")),
    field("coordinates", ValueKind.OTHER, _coordinates),
    field("size", ValueKind.NUMBER, size_of),
    field("mode", ValueKind.OTHER, _mode),
)
"""The parts of the geometry, each of which can change alone."""

OTHERS: Final[tuple[Row, ...]] = (
    field("enabled", ValueKind.FLAG, unset=True),
    field("metadata", ValueKind.METADATA, _metadata, unset=NO_METADATA),
)

RULES: Final[tuple[Row, ...]] = (
    _rule("operating_hours", ValueKind.HOURS, key="hours"),
    _rule("stop_detection", ValueKind.FLAG),
    _rule("disable_after", ValueKind.MOMENT),
    _rule("delete_after", ValueKind.MOMENT),
    _rule("user_ids", ValueKind.IDS, unset=()),
    _rule("ip", ValueKind.RANGES),
    _rule("dwell_threshold_s", ValueKind.SECONDS, check=check_dwell_threshold),
    _rule("trip_approaching_threshold_s", ValueKind.SECONDS, check=check_approaching_threshold),
)
"""The fields of `GeofenceRules`, in the order in which they are stored and written."""

GEOFENCE: Final = (*NAMES, *SHAPE, *OTHERS, *RULES)
"""All fields that a change can set, and that are stored."""

_VALUES: Final = {row.name: row.value for row in GEOFENCE} | {"metadata_items": _metadata}


def part_of(geofence: Geofence, name: str) -> object:
    """Return the value that a field of a change would replace."""
    return _VALUES[name](geofence)
