"""What a reader may ask of the stored records, and the page that answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.domain.address import NO_REGIONS, Regions
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata, MetadataValue
from engine.domain.place import Place
from engine.domain.settings import ProjectSettings
from engine.domain.tracking import TrackResult
from engine.domain.travel import TravelMode

DEFAULT_LIMIT = 100
MAX_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Page[T]:
    """Some records in the order asked for; `has_more` tells that others follow the last."""

    items: tuple[T, ...]
    has_more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GeofenceQuery:
    """Geofences by their update time, newest first. A metadata filter must match every key given."""

    limit: int = DEFAULT_LIMIT
    tag: str | None = None
    external_id: str | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None
    updated_before: datetime | None = None
    updated_after: datetime | None = None
    metadata: Metadata = NO_METADATA


@dataclass(frozen=True, slots=True, kw_only=True)
class NearbyQuery:
    """Geofences by their distance from `near`, nearest first; `radius_m` None looks everywhere."""

    near: Point
    limit: int = DEFAULT_LIMIT
    radius_m: float | None = None
    tags: frozenset[str] = frozenset()
    metadata: Metadata = NO_METADATA


@dataclass(frozen=True, slots=True)
class NearbyGeofence:
    """A geofence and how far its boundary is: 0 for a point inside."""

    geofence: Geofence
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
    metadata: Metadata = NO_METADATA


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


def matches(metadata: Metadata, wanted: Mapping[str, MetadataValue]) -> bool:
    """Whether `metadata` holds every wanted pair. A boolean never equals a number."""
    return all(
        key in metadata and metadata[key] == value and isinstance(metadata[key], bool) == isinstance(value, bool)
        for key, value in wanted.items()
    )


@dataclass(frozen=True, slots=True)
class Counts:
    """How many records an environment holds."""

    geofences: int
    users: int
    events: int


@dataclass(frozen=True, slots=True)
class Change:
    """What a commit changed; published to whoever listens, after the commit, from the writer's thread.

    `reread` tells that users or events were changed or removed otherwise than by tracking, `areas` that there are other
    areas, or others in use: that is published once for each environment, since it belongs to none.
    """

    environment: Environment
    geofences: tuple[Geofence, ...] = ()
    removed_geofence_ids: tuple[str, ...] = ()
    tracked: tuple[TrackResult, ...] = ()
    settings: ProjectSettings | None = None
    reread: bool = False
    areas: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What is around a position; places and regions as far as the settings ask for them."""

    geofences: tuple[Geofence, ...]
    place: Place | None = None
    regions: Regions = NO_REGIONS
