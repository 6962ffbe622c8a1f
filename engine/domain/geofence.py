"""The geofence: a region of the earth that is monitored, and the change that creates or edits one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Final, Literal

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Geometry, GeometryType, Point
from engine.domain.hours import OperatingHours
from engine.domain.ip import IpRanges
from engine.domain.metadata import NO_METADATA, Metadata, MetadataValue


class _Unset(Enum):
    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> Literal[False]:
        return False


type Unset = Literal[_Unset.UNSET]
UNSET: Final = _Unset.UNSET
"""Stands in a change for "this field was not given, keep what is stored"."""


def required[T](value: T | Unset, param: str) -> T:
    """Return the value of a field that a new record cannot do without; raises `InvalidParameter` naming `param`."""
    if value is UNSET:
        raise missing(param)
    return value


def missing(param: str) -> InvalidParameter:
    """Return the error for a field that a new record cannot do without."""
    return InvalidParameter(param, f"{param}: is required.")


class Extent(Struct, frozen=True):
    """Position and size of a geofence: enough to draw it roughly.

    `radius` is in metres (of a polygon to its farthest vertex), of an isochrone in minutes of travel.
    """

    type: GeometryType
    center: Point
    radius: float


class GeofenceSummary(Struct, frozen=True):
    """The part of a geofence that users and events carry; `extent` is there where somebody is to be told of it."""

    id: str
    tag: str
    external_id: str
    description: str
    metadata: Metadata = NO_METADATA
    extent: Extent | None = None


class GeofenceRules(Struct, frozen=True, kw_only=True):
    """Rules of a geofence about its events and its life; whatever is None or empty sets nothing.

    `operating_hours` None is always open, `stop_detection` None follows the project. Events are for `user_ids` only,
    and for requests from `ip` only, where these are given.
    """

    operating_hours: OperatingHours | None = None
    stop_detection: bool | None = None
    disable_after: datetime | None = None
    delete_after: datetime | None = None
    user_ids: tuple[str, ...] = ()
    ip: IpRanges | None = None
    dwell_threshold_s: float | None = None
    trip_approaching_threshold_s: float | None = None


DEFAULT_RULES: Final = GeofenceRules()
"""The rules of most geofences; shared by all of them."""


class Geofence(Struct, frozen=True):
    """A stored geofence. The pair (`tag`, `external_id`) is unique within an environment.

    `revision` numbers the edit of its environment's geofences that stored it like this.
    """

    id: str
    environment: Environment
    summary: GeofenceSummary
    geometry: Geometry
    enabled: bool
    created_at: datetime
    updated_at: datetime
    rules: GeofenceRules = DEFAULT_RULES
    revision: int = 0

    @property
    def expires_at(self) -> datetime | None:
        """The next moment after which the geofence is disabled or deleted."""
        disable_after = self.rules.disable_after if self.enabled else None
        moments = [moment for moment in (disable_after, self.rules.delete_after) if moment is not None]
        return min(moments) if moments else None

    @property
    def tag(self) -> str:
        """The group of the geofence."""
        return self.summary.tag

    @property
    def external_id(self) -> str:
        """The caller's identifier, unique within the tag."""
        return self.summary.external_id

    @property
    def description(self) -> str:
        """The display name."""
        return self.summary.description

    @property
    def metadata(self) -> Metadata:
        """The caller's own key-value pairs."""
        return self.summary.metadata


class GeofenceChange(Struct, frozen=True, kw_only=True):
    """The fields to set on a geofence; whatever is `UNSET` stays as it is, or takes its default on creation.

    The geometry's parts are separate because each may change alone: a new `size` for a circle keeps its centre.
    `size` is the radius of a circle in metres, or the travel time of an isochrone in minutes. None asks to reset it,
    which neither can. `coordinates` is one position for a circle, the destination of an isochrone, and a closed ring
    for a polygon; the room `geofences` checks that they fit `type`. `mode` is for isochrones alone.
    `metadata` replaces the whole dictionary; `metadata_items` sets single keys of it and removes those whose value is
    None.
    `address` is looked up for the centre or destination; of the place `place_id` the outline, else the point, is taken
    instead of whatever else says where the geofence is. Neither is stored.
    None in a field of `GeofenceRules` (an empty tuple for `user_ids`) sets nothing any more.
    """

    tag: str | Unset = UNSET
    external_id: str | Unset = UNSET
    description: str | Unset = UNSET
    type: str | Unset = UNSET
    coordinates: Sequence[object] | Unset = UNSET
    address: str | Unset = UNSET
    place_id: str | Unset = UNSET
    size: float | Unset | None = UNSET
    mode: str | Unset | None = UNSET
    enabled: bool | Unset = UNSET
    metadata: Metadata | Unset = UNSET
    metadata_items: Mapping[str, MetadataValue | None] | Unset = UNSET
    operating_hours: OperatingHours | Unset | None = UNSET
    stop_detection: bool | Unset | None = UNSET
    disable_after: datetime | Unset | None = UNSET
    delete_after: datetime | Unset | None = UNSET
    user_ids: tuple[str, ...] | Unset = UNSET
    ip: IpRanges | Unset | None = UNSET
    dwell_threshold_s: float | Unset | None = UNSET
    trip_approaching_threshold_s: float | Unset | None = UNSET
