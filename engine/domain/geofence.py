"""The geofence: a region of the earth that is monitored, and the change that creates or edits one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final, Literal

from engine.domain.environment import Environment
from engine.domain.geometry import Geometry
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


@dataclass(frozen=True, slots=True)
class GeofenceSummary:
    """What users and events carry of a geofence."""

    id: str
    tag: str
    external_id: str
    description: str
    metadata: Metadata = NO_METADATA


@dataclass(frozen=True, slots=True)
class Geofence:
    """A stored geofence. The pair (`tag`, `external_id`) is unique within an environment."""

    id: str
    environment: Environment
    summary: GeofenceSummary
    geometry: Geometry
    enabled: bool
    created_at: datetime
    updated_at: datetime

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


@dataclass(frozen=True, slots=True, kw_only=True)
class GeofenceChange:
    """The fields to set on a geofence; whatever is `UNSET` stays as it is, or takes its default on creation.

    The geometry's parts are separate because each may change alone: a new `radius_m` for a circle keeps its
    centre. `coordinates` is one position for a circle and a closed ring for a polygon; the room `geofences`
    checks that they fit `type`. `metadata` replaces the whole dictionary; `metadata_items` sets single keys of it
    and removes those whose value is None. A `radius_m` of None asks to reset the radius, which a circle cannot.
    """

    tag: str | Unset = UNSET
    external_id: str | Unset = UNSET
    description: str | Unset = UNSET
    type: str | Unset = UNSET
    coordinates: tuple[object, ...] | Unset = UNSET
    radius_m: float | Unset | None = UNSET
    enabled: bool | Unset = UNSET
    metadata: Metadata | Unset = UNSET
    metadata_items: Mapping[str, MetadataValue | None] | Unset = UNSET
