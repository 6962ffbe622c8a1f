"""A beacon as shown in its form, whether stored or new, with its transmitted IDs as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.shaping.positions import Order, read_point, spell
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.fields.beacon import ALL_PARTS, BEACON, PART_NAMES
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.tracking.beacon import Beacon, BeaconChange, BeaconType
from engine.domain.values import replace

DEFAULT_TAG = "beacon"
_ALL_PARTS = frozenset(row.name for row in ALL_PARTS)


class BeaconSheet(Struct, frozen=True):
    """The values of the form. `id` is empty for a beacon that is not stored yet."""

    id: str
    environment: Environment
    description: str = ""
    tag: str = DEFAULT_TAG
    external_id: str = ""
    type: BeaconType = BeaconType.IBEACON
    uuid: str = ""
    major: str = ""
    minor: str = ""
    uid: str = ""
    instance: str = ""
    geometry: Point | None = None
    enabled: bool = True
    metadata: Metadata = NO_METADATA

    @property
    def is_new(self) -> bool:
        """Whether the beacon is not stored yet."""
        return not self.id


def sheet_of(beacon: Beacon) -> BeaconSheet:
    """Return the form values of a stored beacon."""
    parts = {name: str(getattr(beacon.signal, name)) for name in PART_NAMES[beacon.signal.type]}
    return BeaconSheet(
        beacon.id,
        beacon.environment,
        beacon.description,
        beacon.tag,
        beacon.external_id,
        beacon.signal.type,
        geometry=beacon.point,
        enabled=beacon.enabled,
        metadata=beacon.metadata,
        **parts,
    )


def new_sheet(environment: Environment, beacons: Iterable[Beacon], last: Beacon | None) -> BeaconSheet:
    """Return a new beacon with the next free external ID of its tag.

    The values that the beacons of a site share are those of the `last` one.
    """
    like = BeaconSheet("", environment) if last is None else sheet_of(last)
    taken = {beacon.external_id for beacon in beacons if beacon.tag == like.tag}
    number = next(n for n in count(len(taken) + 1) if f"{like.tag}-{n}" not in taken)
    return replace(
        like,
        id="",
        environment=environment,
        description=f"{like.tag[:1].upper()}{like.tag[1:]} {number}",
        external_id=f"{like.tag}-{number}",
        minor="",
        instance="",
        geometry=None,
        enabled=True,
        metadata=NO_METADATA,
    )


def change_of(sheet: BeaconSheet, given: Mapping[str, object]) -> BeaconChange:
    """Return the change that stores the given values; for a new beacon it has all values.

    A change of the type includes all parts of the new type and none of the former one.
    """
    kind = BeaconType(str(given.get("type", sheet.type)))
    names = set(given)
    if sheet.is_new:
        names = {row.name for row in BEACON}
    if kind is not sheet.type:
        names |= {*PART_NAMES[kind]}
    names -= _ALL_PARTS - {*PART_NAMES[kind]}
    values = {name: given[name] if name in given else getattr(sheet, name) for name in names}
    if values.get("geometry", sheet.geometry) is None:
        raise InvalidParameter(
            "geometry", tr("{field_name}: use Place on map, or type latitude, longitude.", field_name=_PLACE)
        )
    return replace(BeaconChange(), **values)  # type: ignore[arg-type]


_PLACE = tr("Coordinates")


def spell_point(point: Point | None) -> str:
    """Return coordinates in the format of `parse_point`, latitude first."""
    if point is None:
        return ""
    return spell((point.longitude, point.latitude), Order.LATITUDE_FIRST)


def parse_point(text: str) -> Point:
    """Return typed or pasted coordinates, latitude first.

    Raises `InvalidParameter` for ``geometry`` if they are invalid.
    """
    try:
        return read_point(text, _PLACE)
    except InvalidParameter as error:
        raise InvalidParameter("geometry", error.message) from None
