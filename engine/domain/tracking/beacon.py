"""The beacon: a Bluetooth transmitter at a known position, and the change that creates or edits one.

Devices report the beacons that they hear. A user is near a beacon that is stored, enabled and heard.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, Unset
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata, MetadataValue

MAX_NUMBER: Final = 65_535
"""Maximum of a major or minor number: two bytes each."""

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,5}", re.ASCII)
_UID: Final = re.compile(r"[0-9a-f]{20}", re.ASCII)
_INSTANCE: Final = re.compile(r"[0-9a-f]{12}", re.ASCII)


class BeaconType(StrEnum):
    """The kinds of beacon signals, in the wire's own words."""

    IBEACON = "ibeacon"
    EDDYSTONE = "eddystone"


class IBeacon(Struct, frozen=True, tag=True):
    """The signal of an iBeacon. `uuid` is in lower case with dashes."""

    uuid: str
    major: int
    minor: int

    @property
    def type(self) -> BeaconType:
        """The kind of signal."""
        return BeaconType.IBEACON

    def __str__(self) -> str:
        return f"{self.uuid}, major {self.major}, minor {self.minor}"


class Eddystone(Struct, frozen=True, tag=True):
    """The signal of an Eddystone-UID beacon: a namespace of 20 and an instance of 12 hexadecimal digits, lower case."""

    uid: str
    instance: str

    @property
    def type(self) -> BeaconType:
        """The kind of signal."""
        return BeaconType.EDDYSTONE

    def __str__(self) -> str:
        return f"{self.uid}, instance {self.instance}"


type Signal = IBeacon | Eddystone
"""The identifiers that a beacon sends, which are unique."""


class BeaconSummary(Struct, frozen=True):
    """The part of a beacon that users and events include."""

    id: str
    tag: str
    external_id: str
    description: str
    signal: Signal
    point: Point
    enabled: bool = True
    metadata: Metadata = NO_METADATA


class Beacon(Struct, frozen=True):
    """A stored beacon. The pair (`tag`, `external_id`) is unique within an environment, and so is the signal."""

    environment: Environment
    summary: BeaconSummary
    created_at: datetime
    updated_at: datetime

    @property
    def id(self) -> str:
        """The engine's identifier."""
        return self.summary.id

    @property
    def tag(self) -> str:
        """The group of the beacon."""
        return self.summary.tag

    @property
    def external_id(self) -> str:
        """The client's identifier, unique within the tag."""
        return self.summary.external_id

    @property
    def description(self) -> str:
        """The display name."""
        return self.summary.description

    @property
    def signal(self) -> Signal:
        """The identifiers that the beacon sends."""
        return self.summary.signal

    @property
    def point(self) -> Point:
        """The position of the beacon."""
        return self.summary.point

    @property
    def enabled(self) -> bool:
        """Whether the beacon generates events."""
        return self.summary.enabled

    @property
    def metadata(self) -> Metadata:
        """The client's own key-value pairs."""
        return self.summary.metadata


class BeaconChange(Struct, frozen=True, kw_only=True):
    """The fields to set on a beacon. A field that is `UNSET` keeps its value, or gets its default on creation.

    The parts of the signal are in the client's spelling and can change alone; `checked_signal` returns the resulting
    signal. `metadata` replaces the whole dictionary; `metadata_items` sets single keys of it and removes those whose
    value is None.
    """

    tag: str | Unset = UNSET
    external_id: str | Unset = UNSET
    description: str | Unset = UNSET
    type: str | Unset = UNSET
    uuid: str | Unset = UNSET
    major: str | int | Unset = UNSET
    minor: str | int | Unset = UNSET
    uid: str | Unset = UNSET
    instance: str | Unset = UNSET
    geometry: Point | Unset = UNSET
    enabled: bool | Unset = UNSET
    metadata: Metadata | Unset = UNSET
    metadata_items: Mapping[str, MetadataValue | None] | Unset = UNSET


class ReportedBeacon(Struct, frozen=True):
    """A beacon reported by a device: the signal that it heard, or only the engine's identifier of the beacon."""

    signal: Signal | None = None
    id: str | None = None


type BeaconStays = Mapping[str, datetime]
"""The beacons that a user is near, by identifier, and since when (the fix's time)."""

NO_STAYS: Final[BeaconStays] = MappingProxyType({})


def check_type(value: str) -> BeaconType:
    """Return the kind of a signal. Raises `InvalidParameter` if it is unknown."""
    try:
        return BeaconType(value.lower())
    except ValueError:
        raise InvalidParameter("type", f"type: must be {' or '.join(BeaconType)}, not {_shown(value)}.") from None


def check_uuid(value: str) -> str:
    """Return the UUID of an iBeacon in lower case with dashes. Raises `InvalidParameter` if it is invalid."""
    digits = value.strip().lower()
    if not _UUID.fullmatch(digits):
        message = "must be a UUID such as b9407f30-f5f8-466e-aff9-25556b57fe6d"
        raise InvalidParameter("uuid", f"uuid: {message}, not {_shown(value)}.")
    plain = digits.replace("-", "")
    return "-".join((plain[:8], plain[8:12], plain[12:16], plain[16:20], plain[20:]))


def check_number(value: str | int, param: str) -> int:
    """Return a major or minor number, given as number or text. Raises `InvalidParameter` for `param` if invalid."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_NUMBER:
        raise InvalidParameter(param, f"{param}: must be a whole number within [0, {MAX_NUMBER}], not {_shown(value)}.")
    return value


def check_uid(value: str) -> str:
    """Return the namespace of an Eddystone beacon in lower case. Raises `InvalidParameter` if it is invalid."""
    return _hexadecimal(value, "uid", _UID, "20 hexadecimal digits such as edd1ebeac04e5defa017")


def check_instance(value: str) -> str:
    """Return the instance of an Eddystone beacon in lower case. Raises `InvalidParameter` if it is invalid."""
    return _hexadecimal(value, "instance", _INSTANCE, "12 hexadecimal digits such as 0bdb87539b67")


def _hexadecimal(value: str, param: str, pattern: re.Pattern[str], form: str) -> str:
    digits = value.strip().lower()
    if not pattern.fullmatch(digits):
        raise InvalidParameter(param, f"{param}: must be {form}, not {_shown(value)}.")
    return digits


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
