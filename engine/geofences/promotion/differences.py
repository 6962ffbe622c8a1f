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
"""The field for the outline of an isochrone, which no change sets: a router finds it."""

FIELDS: Final = (
    "description",
    *(row.name for row in SHAPE),
    OUTLINE,
    *(row.name for row in (*OTHERS, *RULES)),
)
"""Fields in which geofences with the same key can differ."""

_EXACT: Final = 1e-12
"""How exactly durations are compared: a file has them in minutes."""


class Kind(StrEnum):
    """How a geofence differs: in the source only, in both, or in the target only."""

    NEW = "new"
    CHANGED = "changed"
    MISSING = "missing"


class FieldDifference(Struct, frozen=True):
    """A field of a geofence as it is in the target, and as it is in the source."""

    name: str
    before: object
    after: object


class Difference(Struct, frozen=True):
    """A geofence as it is `wanted`, by the source, and as it was `seen` in the target; None where it is not there."""

    key: Key
    wanted: Geofence | None
    seen: Geofence | None

    @property
    def kind(self) -> Kind:
        """How it differs."""
        if self.seen is None:
            return Kind.NEW
        return Kind.MISSING if self.wanted is None else Kind.CHANGED

    @property
    def geofence(self) -> Geofence:
        """The geofence, as it is wanted if it is."""
        found = self.wanted or self.seen
        assert found is not None
        return found

    @property
    def fields(self) -> tuple[FieldDifference, ...]:
        """The fields that differ; none of what is in one of the environments only."""
        if self.wanted is None or self.seen is None:
            return ()
        return tuple(fields_between(self.seen, self.wanted))


class Differences(Struct, frozen=True):
    """What differs, by tag and external ID, and how many geofences are the same."""

    items: tuple[Difference, ...]
    same: int

    def of(self, kind: Kind) -> tuple[Difference, ...]:
        """Return the differences of a kind."""
        return tuple(item for item in self.items if item.kind is kind)


class ChangeSet(Struct, frozen=True):
    """Differences that are to be taken over from one environment into another; what is missing is to be deleted."""

    source: Environment
    target: Environment
    made_at: datetime
    items: tuple[Difference, ...]


def key_of(geofence: Geofence) -> Key:
    """Return what identifies a geofence in both environments."""
    return geofence.tag, geofence.external_id


def differences(source: Iterable[Geofence], target: Iterable[Geofence], report: Progress = no_progress) -> Differences:
    """Return in what the geofences of a target differ from those of a source; `report` may raise `Cancelled`."""
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
    """Whether two values of a field are the same: times to the millisecond, metadata with the types of its values."""
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
        # Quick for nearly all; 1 and true are equal.
        return _typed(one.metadata) == _typed(other.metadata)
    return next(fields_between(one, other), None) is None


def _field(geofence: Geofence, name: str) -> object:
    if name == OUTLINE:
        return geofence.geometry.ring if isinstance(geofence.geometry, Isochrone) else None
    return part_of(geofence, name)


def _typed(values: Mapping[Any, object]) -> dict[Any, tuple[type, object]]:
    return {key: (type(value), value) for key, value in values.items()}
