"""The contents of a workspace in a file: its actual state (a snapshot), or a description of it (a seed)."""

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
from engine.domain.webhooks.webhook import Webhook, WebhookChange


class KeptUser(Struct, frozen=True):
    """A user with open stays in geofences, but without the findings of places, regions and fraud checks."""

    user: User
    stays: tuple[Presence, ...] = ()


class Contents(Struct, frozen=True):
    """The settings, geofences, users, beacons and open trips of one environment.

    The `webhooks` are only those of a seed. None leaves all webhooks as they are.
    """

    settings: ProjectSettings
    geofences: tuple[Geofence, ...] = ()
    users: tuple[KeptUser, ...] = ()
    beacons: tuple[Beacon, ...] = ()
    trips: tuple[Trip, ...] = ()
    webhooks: tuple[Webhook, ...] | None = None


class Snapshot(Struct, frozen=True):
    """The contents of both environments, and the Test clock."""

    contents: Mapping[Environment, Contents]
    clock: ClockState


class ClockSeed(Struct, frozen=True, kw_only=True):
    """The initial state of the Test clock: from `now`, or the current time if None, at `scale` seconds a second."""

    now: datetime | None = None
    frozen: bool = False
    scale: float = 1.0


class GeofenceSeed(Struct, frozen=True, kw_only=True):
    """A geofence to create. `ring` is the known ring of an isochrone, for which no router is needed."""

    environment: Environment
    change: GeofenceChange
    id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    ring: Ring | None = None


class StaySeed(Struct, frozen=True, kw_only=True):
    """A stay in the geofence with this tag and external ID, since `entered_at`, or the user's last update if None."""

    tag: str
    external_id: str
    entered_at: datetime | None = None
    dwelled: bool = False


class BeaconSeed(Struct, frozen=True, kw_only=True):
    """A beacon to create."""

    environment: Environment
    change: BeaconChange
    id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


class UserSeed(Struct, frozen=True, kw_only=True):
    """A user to create, with the last update at `point`."""

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
    user_tags: tuple[str, ...] = ()
    install_id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    stays: tuple[StaySeed, ...] = ()


class LegSeed(Struct, frozen=True):
    """State of a leg of a trip to create, in addition to its definition."""

    id: str | None = None
    status: TripStatus | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    eta: Eta | None = None


class TripSeed(Struct, frozen=True, kw_only=True):
    """An open trip to create. `legs` has as many items as the legs of the change."""

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


class WebhookSeed(Struct, frozen=True, kw_only=True):
    """A webhook to create."""

    environment: Environment
    change: WebhookChange
    id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


class Seed(Struct, frozen=True, kw_only=True):
    """Contents of a new workspace. Settings are changes to the defaults; `keys` are the keys of Test.

    If `webhooks` is not None, a reset restores them as well.
    """

    settings: Mapping[Environment, SettingsChange] = field(default_factory=dict)
    geofences: tuple[GeofenceSeed, ...] = ()
    users: tuple[UserSeed, ...] = ()
    beacons: tuple[BeaconSeed, ...] = ()
    trips: tuple[TripSeed, ...] = ()
    webhooks: tuple[WebhookSeed, ...] | None = None
    clock: ClockSeed | None = None
    keys: Mapping[KeyLevel, str] = field(default_factory=dict)

    def settings_of(self, environment: Environment) -> SettingsChange:
        """Return the settings of an environment that differ from the defaults."""
        return self.settings.get(environment, NO_SETTINGS_CHANGE)
