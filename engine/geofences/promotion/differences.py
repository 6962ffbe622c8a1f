"""Differences between the geofences of two environments, by tag and external ID; pure."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from math import isclose
from typing import Any, Final

from msgspec import Struct

from engine.domain.clock import utc_text
from engine.domain.environment import Environment
from engine.domain.fields.geofence import OTHERS, RULES, SHAPE, part_of
from engine.domain.geofence import Geofence
from engine.domain.geometry import Isochrone
from engine.domain.imports import Key
from engine.domain.ports import Progress, no_progress, reporting

OUTLINE: Final = "geometry"
"""The field for the outline of an isochrone, which no change sets because a router computes it."""

FIELDS: Final = (
    "description",
    *(row.name for row in SHAPE),
    OUTLINE,
    *(row.name for row in (*OTHERS, *RULES)),
)
"""Fields in which geofences with the same key can differ."""

_EXACT: Final = 1e-12
"""Relative tolerance when comparing durations, because a file has them in minutes."""


class Kind(StrEnum):
    """The kind of a difference: a geofence in the source only, in both, or in the target only."""

    NEW = "new"
    CHANGED = "changed"
    MISSING = "missing"


class FieldDifference(Struct, frozen=True):
    """A field of a geofence with its values in the target and in the source."""

    name: str
    before: object
    after: object


class Difference(Struct, frozen=True):
    """A geofence as `wanted` by the source and as `seen` in the target, either of which is None if it is missing."""

    key: Key
    wanted: Geofence | None
    seen: Geofence | None

    @property
    def kind(self) -> Kind:
        """The kind of the difference."""
        if self.seen is None:
            return Kind.NEW
        return Kind.MISSING if self.wanted is None else Kind.CHANGED

    @property
    def geofence(self) -> Geofence:
        """The geofence of the source, or else that of the target."""
        found = self.wanted or self.seen
        assert found is not None
        return found

    @property
    def fields(self) -> tuple[FieldDifference, ...]:
        """The differing fields, empty if the geofence is in one environment only."""
        if self.wanted is None or self.seen is None:
            return ()
        return tuple(fields_between(self.seen, self.wanted))


class Differences(Struct, frozen=True):
    """Differences by tag and external ID, and the number of identical geofences."""

    items: tuple[Difference, ...]
    same: int

    def of(self, kind: Kind) -> tuple[Difference, ...]:
        """Return the differences of a kind."""
        return tuple(item for item in self.items if item.kind is kind)


class ChangeSet(Struct, frozen=True):
    """Differences to apply from one environment to another; geofences missing in the source will be deleted."""

    source: Environment
    target: Environment
    made_at: datetime
    items: tuple[Difference, ...]


def key_of(geofence: Geofence) -> Key:
    """Return the key that identifies a geofence in both environments."""
    return geofence.tag, geofence.external_id


def differences(source: Iterable[Geofence], target: Iterable[Geofence], report: Progress = no_progress) -> Differences:
    """Return the differences between the geofences of a source and a target; `report` may raise `Cancelled`."""
    wanted = {key_of(geofence): geofence for geofence in source}
    seen = {key_of(geofence): geofence for geofence in target}
    items = [
        Difference(key, wanted.get(key), seen.get(key))
        for key in reporting(sorted(wanted.keys() | seen.keys()), report)
        if not _same(wanted.get(key), seen.get(key))
    ]
    return Differences(tuple(items), len(wanted.keys() | seen.keys()) - len(items))


def fields_between(before: Geofence, after: Geofence) -> Iterator[FieldDifference]:
    """Yield the fields in which two geofences with the same key differ."""
    for name in FIELDS:
        values = _field(before, name), _field(after, name)
        if not same_field(*values):
            yield FieldDifference(name, *values)


def same_field(one: object, other: object) -> bool:
    """Return whether two values of a field are equal: times to the millisecond, metadata including types."""
    match one, other:
        case datetime(), datetime():
            return utc_text(one) == utc_text(other)
        case Mapping(), Mapping():
            return _typed(one) == _typed(other)
        case (bool(), _) | (_, bool()):
            return one is other
        case float() | int(), float() | int():
            return isclose(one, other, rel_tol=_EXACT, abs_tol=_EXACT)
    return one == other


def _same(one: Geofence | None, other: Geofence | None) -> bool:
    if one is None or other is None:
        return False
    if (one.summary.description, one.geometry, one.enabled, one.rules, dict(one.metadata)) == (
        other.summary.description,
        other.geometry,
        other.enabled,
        other.rules,
        dict(other.metadata),
    ):
        # Fast for nearly all; types are compared because 1 equals true.
        return _typed(one.metadata) == _typed(other.metadata)
    return next(fields_between(one, other), None) is None


def _field(geofence: Geofence, name: str) -> object:
    if name == OUTLINE:
        return geofence.geometry.ring if isinstance(geofence.geometry, Isochrone) else None
    return part_of(geofence, name)


def _typed(values: Mapping[Any, object]) -> dict[Any, tuple[type, object]]:
    return {key: (type(value), value) for key, value in values.items()}
