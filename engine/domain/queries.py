"""Queries of the stored records, and the pages of their results."""

from datetime import datetime

from msgspec import Struct

from engine.domain.addresses.address import NO_REGIONS, Regions
from engine.domain.addresses.place import Place
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Wanted
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.trips import Trip
from engine.domain.tracking.updates import Event, Subject, TrackResult, UserSummary
from engine.domain.travel import TravelMode

DEFAULT_LIMIT = 100
MAX_LIMIT = 1_000


class Page[T](Struct, frozen=True):
    """Some records in the requested order; `has_more` is set if others follow the last."""

    items: tuple[T, ...]
    has_more: bool


class RecordQuery(Struct, frozen=True, kw_only=True):
    """A query for records with tag and external ID, last updated first; metadata must match every given key."""

    limit: int = DEFAULT_LIMIT
    tag: str | None = None
    external_id: str | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None
    updated_before: datetime | None = None
    updated_after: datetime | None = None
    metadata: Wanted = NO_METADATA


class GeofenceQuery(RecordQuery, frozen=True, kw_only=True):
    """A query for geofences by update time, newest first."""


class BeaconQuery(RecordQuery, frozen=True, kw_only=True):
    """A query for beacons by update time, newest first."""


class NearbyQuery(Struct, frozen=True, kw_only=True):
    """A query for geofences or beacons by distance from `near`, nearest first; without `radius_m` at any distance.

    With a `subject`, only enabled geofences are returned whose users and addresses allow its updates to generate
    events.
    """

    near: Point
    limit: int = DEFAULT_LIMIT
    radius_m: float | None = None
    tags: frozenset[str] = frozenset()
    metadata: Wanted = NO_METADATA
    subject: Subject | None = None


class NearbyGeofence(Struct, frozen=True):
    """A geofence and the distance to its boundary, which is 0 for a point inside."""

    geofence: Geofence
    distance_m: float


class NearbyBeacon(Struct, frozen=True):
    """A beacon and the distance to its position."""

    beacon: Beacon
    distance_m: float


class UserFilter(Struct, frozen=True, kw_only=True):
    """A filter for users, who must match all given fields."""

    user_id: str | None = None
    device_id: str | None = None
    updated_before: datetime | None = None
    updated_after: datetime | None = None


class UserQuery(UserFilter, frozen=True, kw_only=True):
    """A query for users by update time, newest first."""

    limit: int = DEFAULT_LIMIT


class NearbyUserQuery(Struct, frozen=True, kw_only=True):
    """A query for users by distance from `near`, nearest first: within `radius_m`, or within `minutes` for a `mode`."""

    near: Point
    limit: int = 10
    radius_m: float = 1_000
    mode: TravelMode | None = None
    minutes: float = 10
    metadata: Wanted = NO_METADATA


class TripLocation(Struct, frozen=True):
    """A location update of the user of a trip, with the fix's time."""

    point: Point
    at: datetime
    accuracy_m: float


class TripDetails(Struct, frozen=True):
    """A trip with its user, if known, and the kept locations of the time in which it was in progress, if requested."""

    trip: Trip
    user: UserSummary | None = None
    locations: tuple[TripLocation, ...] | None = None


class EventFilter(Struct, frozen=True, kw_only=True):
    """A filter for events, which must match all given fields, but only one of several types or tags.

    `user` is an `_id`.
    """

    user: str | None = None
    user_id: str | None = None
    device_id: str | None = None
    types: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    external_id: str | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None

    def may_take(self, event: Event) -> bool:
        """Return whether an event matches, except for its time, which the database checks."""
        named = event.geofence or event.beacon
        return (
            (self.user is None or self.user == event.user.id)
            and (self.user_id is None or self.user_id == event.user.user_id)
            and (self.device_id is None or self.device_id == event.user.device_id)
            and (not self.types or event.type in self.types)
            and (not self.tags or (named is not None and named.tag in self.tags))
            and (self.external_id is None or (named is not None and named.external_id == self.external_id))
        )


class EventQuery(EventFilter, frozen=True, kw_only=True):
    """A query for events by time, newest first. Of events with the same time, the one stored last comes first."""

    limit: int = DEFAULT_LIMIT

    @classmethod
    def of(cls, wanted: EventFilter, limit: int) -> "EventQuery":
        """Return the query for the newest events that match a filter."""
        return cls(**{name: getattr(wanted, name) for name in EventFilter.__struct_fields__}, limit=limit)


class EventRun(Struct, frozen=True):
    """Events in the order in which they were stored, each with its number. All up to number `reached` were searched."""

    events: tuple[tuple[int, Event], ...]
    reached: int


class Counts(Struct, frozen=True):
    """Numbers of records in an environment."""

    geofences: int
    users: int
    events: int


class Change(Struct, frozen=True):
    """The changes of a commit, published to listeners after the commit, from the writer's thread.

    `reread` is set if users or events were changed or removed otherwise than by tracking. `areas` is set if the set of
    areas, or of those in use, changed; that is published once for each environment, since it belongs to none.
    `webhooks` is set if webhooks or the states of their deliveries changed. `sync` is set if a nightly sync was
    configured, has begun or has ended, and is published from the thread of that event.
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
    webhooks: bool = False
    sync: bool = False


class Context(Struct, frozen=True):
    """The surroundings of a position; places and regions only if the settings enable them."""

    geofences: tuple[GeofenceSummary, ...]
    place: Place | None = None
    regions: Regions = NO_REGIONS
