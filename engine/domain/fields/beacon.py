"""The fields of beacons."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final

from engine.domain.fields.rows import Field, ValueKind, field
from engine.domain.metadata import NO_METADATA
from engine.domain.tracking.beacon import Beacon, BeaconType, check_instance, check_number, check_uid, check_uuid

type Row = Field[Beacon]


def _part(kind: BeaconType, name: str, check: Callable[[Any, str], Any]) -> Row:
    """Return the row of a part of a signal; beacons of another type do not have it."""

    def value(beacon: Beacon) -> str | int | None:
        return getattr(beacon.signal, name) if beacon.signal.type is kind else None

    return field(name, ValueKind.OTHER, value, check=check)


PARTS: Final[Mapping[BeaconType, tuple[Row, ...]]] = {
    BeaconType.IBEACON: (
        _part(BeaconType.IBEACON, "uuid", lambda value, _: check_uuid(value)),
        _part(BeaconType.IBEACON, "major", check_number),
        _part(BeaconType.IBEACON, "minor", check_number),
    ),
    BeaconType.EDDYSTONE: (
        _part(BeaconType.EDDYSTONE, "uid", lambda value, _: check_uid(value)),
        _part(BeaconType.EDDYSTONE, "instance", lambda value, _: check_instance(value)),
    ),
}
"""The parts of each type's signal, in their order; `check` returns a part in its stored form."""

PART_NAMES: Final = {kind: tuple(row.name for row in rows) for kind, rows in PARTS.items()}
ALL_PARTS: Final = tuple(row for rows in PARTS.values() for row in rows)

BEACON: Final[tuple[Row, ...]] = (
    field("tag", ValueKind.TEXT),
    field("external_id", ValueKind.TEXT),
    field("description", ValueKind.TEXT),
    field("type", ValueKind.OTHER, attrgetter("signal.type")),
    *ALL_PARTS,
    field("geometry", ValueKind.OTHER, attrgetter("point")),
    field("enabled", ValueKind.FLAG, unset=True),
    field("metadata", ValueKind.METADATA, lambda beacon: dict(beacon.metadata), unset=NO_METADATA),
)
"""All fields that a change can set."""

_VALUES: Final = {row.name: row.value for row in BEACON}


def beacon_part(beacon: Beacon, name: str) -> object:
    """Return the value that a field of a change would replace, or None if the beacon has another type."""
    return _VALUES[name](beacon)
