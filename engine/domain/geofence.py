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
"""Placeholder in a change for a field that is not given, so that its stored value is kept."""


def required[T](value: T | Unset, param: str) -> T:
    """Return the value of a field that a new record requires. Raises `InvalidParameter` for `param` if missing."""
    if value is UNSET:
        raise missing(param)
    return value


def missing(param: str) -> InvalidParameter:
    """Return the error for a missing field that a new record requires."""
    return InvalidParameter(param, f"{param}: is required.")


class Extent(Struct, frozen=True):
    """Position and size of a geofence, enough to draw it approximately.

    `radius` is in metres (for a polygon, to its farthest vertex), for an isochrone in minutes of travel.
    """

    type: GeometryType
    center: Point
    radius: float


class GeofenceSummary(Struct, frozen=True):
    """The part of a geofence in users and events; `extent` is set only for recipients that need it."""

    id: str
    tag: str
    external_id: str
    description: str
    metadata: Metadata = NO_METADATA
    extent: Extent | None = None


class GeofenceRules(Struct, frozen=True, kw_only=True):
    """Rules of a geofence for its events and its lifetime. A field that is None or empty sets no rule.

    If `operating_hours` is None, the geofence is always open. If `stop_detection` is None, the project's setting
    applies. If `user_ids` are given, only these users generate events; if `ip` is given, only requests from these
    addresses do.
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
"""The rules of most geofences, shared by all of them."""


class Geofence(Struct, frozen=True):
    """A stored geofence. The pair (`tag`, `external_id`) is unique within an environment.

    `revision` is the number of the edit in its environment that stored this state.
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
        """The next moment at which the geofence is disabled or deleted."""
        disable_after = self.rules.disable_after if self.enabled else None
        moments = [moment for moment in (disable_after, self.rules.delete_after) if moment is not None]
        return min(moments) if moments else None

    @property
    def tag(self) -> str:
        """The group of the geofence."""
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
    def metadata(self) -> Metadata:
        """The client's own key-value pairs."""
        return self.summary.metadata


class GeofenceChange(Struct, frozen=True, kw_only=True):
    """The fields to set on a geofence. A field that is `UNSET` keeps its value, or gets its default on creation.

    The parts of the geometry are separate because each can change alone: a new `size` of a circle keeps its centre.
    `size` is the radius of a circle in metres, or the travel time of an isochrone in minutes; None requests a reset,
    which neither supports. `coordinates` is a position for a circle, the destination of an isochrone, and a closed ring
    for a polygon; the package `engine.geofences` checks that they match `type`. `mode` is for isochrones only.
    `metadata` replaces the whole dictionary; `metadata_items` sets single keys of it and removes those whose value is
    None. `address` is geocoded to the centre or destination. The outline of the place `place_id`, or its point if it
    has none, takes precedence over all other location fields. Neither `address` nor `place_id` is stored. None in a
    field of `GeofenceRules` (an empty tuple for `user_ids`) removes the rule.
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
