"""From a device to its events: the update, the user, the presence, the event."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum

from engine.domain.address import NO_REGIONS, Region, Regions
from engine.domain.decision import Explanation
from engine.domain.environment import Environment
from engine.domain.fraud import Fraud
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.place import Place
from engine.domain.text import is_personal


class DeviceType(StrEnum):
    """The kinds of device the specification names."""

    IOS = "iOS"
    ANDROID = "Android"
    WEB = "Web"


class EventType(StrEnum):
    """Why an event was generated, in the wire's own words."""

    ENTERED_GEOFENCE = "user.entered_geofence"
    EXITED_GEOFENCE = "user.exited_geofence"
    DWELLED_IN_GEOFENCE = "user.dwelled_in_geofence"
    ENTERED_PLACE = "user.entered_place"
    EXITED_PLACE = "user.exited_place"
    ENTERED_COUNTRY = "user.entered_region_country"
    EXITED_COUNTRY = "user.exited_region_country"
    ENTERED_STATE = "user.entered_region_state"
    EXITED_STATE = "user.exited_region_state"
    ENTERED_DMA = "user.entered_region_dma"
    EXITED_DMA = "user.exited_region_dma"
    ENTERED_POSTAL_CODE = "user.entered_region_postal_code"
    EXITED_POSTAL_CODE = "user.exited_region_postal_code"
    FAILED_FRAUD = "user.failed_fraud"


class Verification(IntEnum):
    """What a person or a program found out about an event."""

    ACCEPTED = 1
    UNVERIFIED = 0
    REJECTED = -1


class Confidence:
    """How sure an event is: from the share of the accuracy circle that lies where the event says."""

    HIGH = 3
    MEDIUM = 2
    LOW = 1


@dataclass(frozen=True, slots=True)
class Device:
    """What a device says of itself."""

    type: DeviceType | None = None
    os: str | None = None
    make: str | None = None
    model: str | None = None


UNKNOWN_DEVICE = Device()


@dataclass(frozen=True, slots=True)
class LocationUpdate:
    """One report of a device, checked.

    `at` is the client's time, or None when the device gave none; then `age_s` may tell how long ago the fix was
    taken. What is None in `description`, `metadata` and `device` the device did not send; then what is stored stays.
    `mocked` and `compromised` are what the device itself found. `explain` asks for the result's explanations.
    """

    device_id: str
    point: Point
    accuracy_m: float
    user_id: str | None = None
    at: datetime | None = None
    age_s: float | None = None
    foreground: bool | None = None
    stopped: bool | None = None
    device: Device = UNKNOWN_DEVICE
    altitude_m: float | None = None
    vertical_accuracy_m: float | None = None
    description: str | None = None
    metadata: Metadata | None = None
    replayed: bool = False
    ip: str | None = None
    mocked: bool | None = None
    compromised: bool | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """Where and when a device was, as the engine accepted it."""

    point: Point
    accuracy_m: float
    at: datetime
    foreground: bool = False
    stopped: bool = False
    altitude_m: float | None = None
    vertical_accuracy_m: float | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """A user is inside a geofence since `entered_at` (the fix's time), and perhaps has dwelled there."""

    geofence_id: str
    entered_at: datetime
    dwelled: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose update it is, as far as rules of geofences ask: the user who is logged in, the request's address."""

    user_id: str | None = None
    ip: str | None = None


@dataclass(frozen=True, slots=True)
class UserSummary:
    """What an event carries of its user."""

    id: str
    device_id: str
    user_id: str | None = None
    metadata: Metadata = NO_METADATA


@dataclass(frozen=True, slots=True)
class SegmentSummary:
    """What a user carries of a segment they belong to."""

    description: str
    external_id: str


@dataclass(frozen=True, slots=True)
class ChainSummary:
    """What a user carries of a chain whose places they visit."""

    name: str
    slug: str
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class ChainVisits:
    """How often a user entered places of a chain."""

    slug: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class PlaceStay:
    """A user is at a place since `entered_at` (the fix's time). The place has neither address nor outline."""

    place: Place
    entered_at: datetime


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """At which place and in which regions a user is, and which chains they visited, as far as the settings ask for it.

    `settings` numbers the settings that found it: what is older than switching places or regions on no longer counts.
    """

    stay: PlaceStay | None = None
    regions: Regions = NO_REGIONS
    visits: tuple[ChainVisits, ...] = ()
    settings: int = 0


NOWHERE = Whereabouts()


@dataclass(frozen=True, slots=True)
class User:
    """A device, with the user ID it logged in with, and its last location.

    `whereabouts` are as they are stored; `place`, `regions` and `top_chains` are what the settings let see of them.
    """

    id: str
    environment: Environment
    device_id: str
    user_id: str | None
    description: str | None
    metadata: Metadata
    fix: Fix
    device: Device
    ip: str | None
    created_at: datetime
    updated_at: datetime
    geofences: tuple[GeofenceSummary, ...] = ()
    fraud: Fraud | None = None
    segments: tuple[SegmentSummary, ...] = ()
    whereabouts: Whereabouts = NOWHERE
    place: Place | None = None
    regions: Regions = NO_REGIONS
    top_chains: tuple[ChainSummary, ...] = ()

    @property
    def summary(self) -> UserSummary:
        """The part of the user that its events carry."""
        return UserSummary(self.id, self.device_id, self.user_id, self.metadata)

    @property
    def personal_data(self) -> bool:
        """Whether the user ID looks like an e-mail address; user IDs must not carry personal information."""
        return self.user_id is not None and is_personal(self.user_id)


@dataclass(frozen=True, slots=True)
class Event:
    """Something a user did, decided by the engine or reported by a client, and stored.

    `created_at` is the fix's time and `actual_created_at` the engine's. On events of geofences: `geofence`,
    `confidence`, `currently_operating` where the geofence has hours, and on exits `duration_s`, how long the stay
    was. `place` is on events of places, with `confidence` and, on exits, `duration_s`; `region` on events of regions.
    `fraud` is on failed checks, `metadata` on conversions, whose `type` is any word of the client's. A
    conversion of a user who is not known yet has no place, and an empty `user.id`.
    """

    id: str
    environment: Environment
    type: str
    created_at: datetime
    actual_created_at: datetime
    user: UserSummary
    geofence: GeofenceSummary | None = None
    point: Point | None = None
    accuracy_m: float | None = None
    confidence: int | None = None
    duration_s: float | None = None
    currently_operating: bool | None = None
    metadata: Metadata = NO_METADATA
    fraud: Fraud | None = None
    verification: Verification | None = None
    verified_place_id: str | None = None
    replayed: bool = False
    place: Place | None = None
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class Conversion:
    """An event that a client reports itself."""

    type: str
    device_id: str | None = None
    user_id: str | None = None
    at: datetime | None = None
    metadata: Metadata = NO_METADATA


@dataclass(frozen=True, slots=True)
class TrackResult:
    """What a location update led to: the user as stored, and the events it generated in order.

    `explanations` are there when the update asked for them: every geofence near, and those the user was in. So is
    `place_reason`, while places are on: a sentence that says at which place the user is, or why at none.
    """

    user: User
    events: tuple[Event, ...]
    explanations: tuple[Explanation, ...] | None = None
    place_reason: str | None = None
