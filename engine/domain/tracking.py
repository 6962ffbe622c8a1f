"""From a device to its events: the update, the user, the presence, the event."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata


class DeviceType(StrEnum):
    """The kinds of device the specification names."""

    IOS = "iOS"
    ANDROID = "Android"
    WEB = "Web"


class EventType(StrEnum):
    """Why an event was generated, in the wire's own words."""

    ENTERED_GEOFENCE = "user.entered_geofence"
    EXITED_GEOFENCE = "user.exited_geofence"


class Confidence:
    """How sure an event is: from the share of the accuracy circle that lies where the event says."""

    HIGH = 3
    MEDIUM = 2
    LOW = 1


@dataclass(frozen=True, slots=True)
class LocationUpdate:
    """One report of a device, checked.

    `at` is the client's time, or None when the device gave none. `metadata` and `description` are None when the
    device did not send them; then what is stored stays.
    """

    device_id: str
    point: Point
    accuracy_m: float
    user_id: str | None = None
    at: datetime | None = None
    foreground: bool | None = None
    stopped: bool | None = None
    device_type: DeviceType | None = None
    description: str | None = None
    metadata: Metadata | None = None
    replayed: bool = False
    ip: str | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """Where and when a device was, as the engine accepted it."""

    point: Point
    accuracy_m: float
    at: datetime
    foreground: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Presence:
    """A user is inside a geofence since `entered_at` (the fix's time)."""

    geofence_id: str
    entered_at: datetime


@dataclass(frozen=True, slots=True)
class UserSummary:
    """What an event carries of its user."""

    id: str
    device_id: str
    user_id: str | None = None
    metadata: Metadata = NO_METADATA


@dataclass(frozen=True, slots=True)
class User:
    """A device, with the user ID it logged in with, and its last location."""

    id: str
    environment: Environment
    device_id: str
    user_id: str | None
    description: str | None
    metadata: Metadata
    fix: Fix
    device_type: DeviceType | None
    ip: str | None
    created_at: datetime
    updated_at: datetime
    geofences: tuple[GeofenceSummary, ...] = ()

    @property
    def summary(self) -> UserSummary:
        """The part of the user that its events carry."""
        return UserSummary(self.id, self.device_id, self.user_id, self.metadata)


@dataclass(frozen=True, slots=True)
class Event:
    """Something a user did, decided by the engine and stored.

    `created_at` is the fix's time and `actual_created_at` the engine's; `duration_s` is how long the stay was,
    on exits only.
    """

    id: str
    environment: Environment
    type: EventType
    created_at: datetime
    actual_created_at: datetime
    user: UserSummary
    geofence: GeofenceSummary
    point: Point
    accuracy_m: float
    confidence: int
    duration_s: float | None = None


@dataclass(frozen=True, slots=True)
class TrackResult:
    """What a location update led to: the user as stored, and the events it generated in order."""

    user: User
    events: tuple[Event, ...]
