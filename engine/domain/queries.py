"""Queries of the stored records, and the page that answers."""

from dataclasses import dataclass
from datetime import datetime

from engine.domain.addresses.address import NO_REGIONS, Regions
from engine.domain.addresses.place import Place
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Wanted
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.updates import Subject, TrackResult
from engine.domain.travel import TravelMode

DEFAULT_LIMIT = 100
MAX_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Page[T]:
    """Some records in the order asked for; `has_more` tells that others follow the last."""

    items: tuple[T, ...]
    has_more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordQuery:
    """Records with tag and external ID by their update time, newest first. Metadata must match every key given."""

    limit: int = DEFAULT_LIMIT
    tag: str | None = None
    external_id: str | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None
    updated_before: datetime | None = None
    updated_after: datetime | None = None
    metadata: Wanted = NO_METADATA


@dataclass(frozen=True, slots=True, kw_only=True)
class GeofenceQuery(RecordQuery):
    """Geofences by their update time, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeaconQuery(RecordQuery):
    """Beacons by their update time, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NearbyQuery:
    """Geofences or beacons by their distance from `near`, nearest first; `radius_m` None looks everywhere.

    With a `subject`, only the enabled geofences whose users and addresses let its updates make events.
    """

    near: Point
    limit: int = DEFAULT_LIMIT
    radius_m: float | None = None
    tags: frozenset[str] = frozenset()
    metadata: Wanted = NO_METADATA
    subject: Subject | None = None


@dataclass(frozen=True, slots=True)
class NearbyGeofence:
    """A geofence and how far its boundary is: 0 for a point inside."""

    geofence: Geofence
    distance_m: float


@dataclass(frozen=True, slots=True)
class NearbyBeacon:
    """A beacon and how far away it was put up."""

    beacon: Beacon
    distance_m: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UserQuery:
    """Users by their update time, newest first."""

    limit: int = DEFAULT_LIMIT
    user_id: str | None = None
    device_id: str | None = None
    updated_before: datetime | None = None
    updated_after: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearbyUserQuery:
    """Users by their distance from `near`, nearest first: within `radius_m`, or, with a `mode`, within `minutes`."""

    near: Point
    limit: int = 10
    radius_m: float = 1_000
    mode: TravelMode | None = None
    minutes: float = 10
    metadata: Wanted = NO_METADATA


@dataclass(frozen=True, slots=True, kw_only=True)
class EventQuery:
    """Events by their time, newest first; events of one time by the order they were stored."""

    limit: int = DEFAULT_LIMIT
    user_id: str | None = None
    device_id: str | None = None
    type: str | None = None
    tag: str | None = None
    external_id: str | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many records an environment holds."""

    geofences: int
    users: int
    events: int


@dataclass(frozen=True, slots=True)
class Change:
    """The changes of a commit; published to whoever listens, after the commit, from the writer's thread.

    `reread` tells that users or events were changed or removed otherwise than by tracking, `areas` that there are other
    areas, or others in use: that is published once for each environment, since it belongs to none.
    """

    environment: Environment
    geofences: tuple[Geofence, ...] = ()
    removed_geofence_ids: tuple[str, ...] = ()
    beacons: tuple[Beacon, ...] = ()
    removed_beacon_ids: tuple[str, ...] = ()
    tracked: tuple[TrackResult, ...] = ()
    settings: ProjectSettings | None = None
    reread: bool = False
    areas: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a position; places and regions as far as the settings ask for them."""

    geofences: tuple[GeofenceSummary, ...]
    place: Place | None = None
    regions: Regions = NO_REGIONS
