"""The contents of a workspace that a file can hold: as they are (a snapshot), and as they are asked for (a seed)."""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from engine.domain.clock import ClockState
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Point, Ring
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.settings import NO_SETTINGS_CHANGE, ProjectSettings, SettingsChange
from engine.domain.tracking.beacon import Beacon, BeaconChange
from engine.domain.tracking.trips import Eta, Trip, TripChange, TripStatus
from engine.domain.tracking.updates import UNKNOWN_DEVICE, Device, Presence, User


class KeptUser(Struct, frozen=True):
    """A user with the stays that are under way. What places, regions and fraud checks found is not kept."""

    user: User
    stays: tuple[Presence, ...] = ()


class Contents(Struct, frozen=True):
    """The settings, geofences, users, beacons and open trips of one environment."""

    settings: ProjectSettings
    geofences: tuple[Geofence, ...] = ()
    users: tuple[KeptUser, ...] = ()
    beacons: tuple[Beacon, ...] = ()
    trips: tuple[Trip, ...] = ()


class Snapshot(Struct, frozen=True):
    """The contents of both environments, and the Test clock."""

    contents: Mapping[Environment, Contents]
    clock: ClockState


class ClockSeed(Struct, frozen=True, kw_only=True):
    """How the Test clock is to go: from `now` (the present moment where it is None) on, `scale` seconds a second."""

    now: datetime | None = None
    frozen: bool = False
    scale: float = 1.0


class GeofenceSeed(Struct, frozen=True, kw_only=True):
    """A geofence to be made. `ring` is that of an isochrone which is known already, so that no router is asked."""

    environment: Environment
    change: GeofenceChange
    id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    ring: Ring | None = None


class StaySeed(Struct, frozen=True, kw_only=True):
    """A stay in the geofence with this tag and external ID, since `entered_at` or else the user's last update."""

    tag: str
    external_id: str
    entered_at: datetime | None = None
    dwelled: bool = False


class BeaconSeed(Struct, frozen=True, kw_only=True):
    """A beacon to be made."""

    environment: Environment
    change: BeaconChange
    id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


class UserSeed(Struct, frozen=True, kw_only=True):
    """A user to be made, whose last update was at `point`."""

    environment: Environment
    device_id: str
    point: Point
    accuracy_m: float
    id: str | None = None
    user_id: str | None = None
    description: str | None = None
    metadata: Metadata = NO_METADATA
    foreground: bool = False
    stopped: bool = False
    altitude_m: float | None = None
    vertical_accuracy_m: float | None = None
    device: Device = UNKNOWN_DEVICE
    ip: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    stays: tuple[StaySeed, ...] = ()


class LegSeed(Struct, frozen=True):
    """State of a leg of a trip to be made, besides how it was asked for."""

    id: str | None = None
    status: TripStatus | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    eta: Eta | None = None


class TripSeed(Struct, frozen=True, kw_only=True):
    """A trip that goes on, to be made. `legs` are as many as those of the change."""

    environment: Environment
    change: TripChange
    id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    started_at: datetime | None = None
    approaching_at: datetime | None = None
    arrived_at: datetime | None = None
    eta: Eta | None = None
    legs: tuple[LegSeed, ...] = ()


class Seed(Struct, frozen=True, kw_only=True):
    """Contents of a new workspace. Settings are changes of the defaults; `keys` are those of Test to be used."""

    settings: Mapping[Environment, SettingsChange] = field(default_factory=dict)
    geofences: tuple[GeofenceSeed, ...] = ()
    users: tuple[UserSeed, ...] = ()
    beacons: tuple[BeaconSeed, ...] = ()
    trips: tuple[TripSeed, ...] = ()
    clock: ClockSeed | None = None
    keys: Mapping[KeyLevel, str] = field(default_factory=dict)

    def settings_of(self, environment: Environment) -> SettingsChange:
        """Return the settings of an environment that are not the defaults."""
        return self.settings.get(environment, NO_SETTINGS_CHANGE)
