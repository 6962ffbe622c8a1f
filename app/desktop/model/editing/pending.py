"""Pending changes of Live, kept until they are applied or discarded, independently of the selection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from app.desktop.model.editing.changes import part_of, same_value
from app.desktop.model.notify import Notifier
from engine.domain.fields.geofence import GEOFENCE, RULES
from engine.domain.geofence import UNSET, Geofence, GeofenceChange, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, Point, Position
from engine.domain.settings import DEFAULT_SETTINGS, NO_SETTINGS_CHANGE, ProjectSettings, SettingsChange
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geofences.changes import polygon_of

type Owner = str | None
"""ID of the geofence with the pending field, or None for the project's settings."""

type Key = tuple[Owner, str]


class Pending(Struct, frozen=True):
    """A field with its pending `value`; `seen` is the stored value at the time of the user's decision.

    `error` is the engine's error of the last attempt to apply it. `sent` is whether it is on its way to the engine.
    """

    owner: Owner
    name: str
    seen: object
    value: object
    error: str = ""
    sent: bool = False

    @property
    def key(self) -> Key:
        """The record and the name of the field, which identify a pending change."""
        return self.owner, self.name


class PendingChanges:
    """The pending fields, in the order in which the user first changed them.

    A change whose value turns out to be stored already is dropped. If others change the stored value or delete the
    record, the change is kept as a conflict.
    """

    def __init__(self) -> None:
        self._changes: dict[Key, Pending] = {}
        self._fences: dict[str, Geofence] = {}
        self._deleted: set[str] = set()
        self._settings: ProjectSettings = DEFAULT_SETTINGS
        self.changed: Notifier[[]] = Notifier()
        self.lost: Notifier[[Geofence]] = Notifier()
        """Emitted if a geofence with pending changes was deleted."""

    def __len__(self) -> int:
        return len(self._changes)

    def __iter__(self) -> Iterator[Pending]:
        return iter(tuple(self._changes.values()))

    # Queries

    def owners(self) -> tuple[Owner, ...]:
        """Return the records with pending changes."""
        return tuple(dict.fromkeys(change.owner for change in self))

    def of(self, owner: Owner) -> tuple[Pending, ...]:
        """Return the pending changes of a record."""
        return tuple(change for change in self if change.owner == owner)

    def get(self, key: Key) -> Pending | None:
        """Return the pending change of a field."""
        return self._changes.get(key)

    def change_of_fence(self, fence_id: str) -> GeofenceChange:
        """Return all pending changes of a geofence as one change."""
        return fence_change(self.of(fence_id))

    def change_of_settings(self) -> SettingsChange:
        """Return all pending changes of the settings as one change."""
        return settings_change(self.of(None))

    def fence(self, fence_id: str) -> Geofence:
        """Return a geofence with pending changes, as it is in Live or was before it was deleted."""
        return self._fences[fence_id]

    def is_deleted(self, owner: Owner) -> bool:
        """Return whether the geofence was deleted in the meantime."""
        return owner in self._deleted

    def stored(self, change: Pending) -> object:
        """Return the value currently stored in Live for a pending field."""
        return self._part(change.owner, change.name)

    def conflicts(self, change: Pending) -> bool:
        """Return whether the value in Live is gone or differs from the one the user saw; False for sent changes."""
        return not change.sent and (self.is_deleted(change.owner) or not same_value(self.stored(change), change.seen))

    # User actions

    def propose_fence(self, fence: Geofence, change: Mapping[str, object], *, deleted: bool = False) -> None:
        """Add pending values of a geofence's fields; a value that is already stored withdraws the field."""
        known = self._fences.get(fence.id)
        if known is None or known.revision <= fence.revision:
            self._fences[fence.id] = fence
        if deleted:
            self._deleted.add(fence.id)
        self._propose(fence.id, {name: part_of(fence, name) for name in change}, change)

    def propose_settings(self, settings: ProjectSettings, change: Mapping[str, object]) -> None:
        """Add pending values of settings."""
        self._settings = settings
        self._propose(None, {name: getattr(settings, name) for name in change}, change)

    def withdraw(self, owner: Owner, name: str) -> None:
        """Drop the change of a field that the user set back to its stored value."""
        self.drop(change for change in self if change.key == (owner, name))

    def drop(self, changes: Iterable[Pending]) -> tuple[Pending, ...]:
        """Drop pending changes, and return the dropped ones, so that the caller can put them back."""
        dropped = tuple(filter(None, (self._changes.pop(change.key, None) for change in changes)))
        if dropped:
            self._tidy()
            self.changed.emit()
        return dropped

    def put_back(self, changes: Iterable[Pending], fences: Mapping[str, Geofence]) -> None:
        """Restore dropped changes, except for fields with a newer pending value."""
        for change in changes:
            if change.owner is not None:
                self._fences.setdefault(change.owner, fences[change.owner])
            self._changes.setdefault(change.key, replace(change, sent=False))
        self.changed.emit()

    def clear(self) -> None:
        """Drop all changes when another workspace is opened."""
        self.drop(self)
        self._settings = DEFAULT_SETTINGS

    # Outcome

    def send(self, changes: Iterable[Pending]) -> None:
        """Mark changes as sent to the engine."""
        for change in changes:
            self._changes[change.key] = replace(change, sent=True, error="")
        self.changed.emit()

    def settle(self, sent: Iterable[Pending], stored: Iterable[Geofence] = ()) -> None:
        """Remove sent changes that were stored. A field with a newer value stays pending, based on the stored one."""
        self._take(stored)
        for change in sent:
            present = self._changes.get(change.key)
            if present is None:
                continue
            if same_value(present.value, change.value):
                del self._changes[change.key]
            else:
                self._changes[change.key] = replace(present, seen=self.stored(present))
        self._tidy()
        self.changed.emit()

    def fail(self, sent: Iterable[Pending], errors: Mapping[str, str]) -> None:
        """Mark sent changes as refused; they stay pending, with the `errors` of their fields."""
        for change in sent:
            present = self._changes.get(change.key)
            if present is not None and present.sent:
                self._changes[change.key] = replace(present, sent=False, error=errors.get(change.name, ""))
        self._drop_stored()
        self.changed.emit()

    def follow_fences(self, stored: Iterable[Geofence], removed: Iterable[str] = ()) -> None:
        """Apply changes of geofences by others."""
        if not self._fences:
            return  # such as for all geofences of an import, none of which has pending changes
        touched = self._take(stored)
        lost = [fence_id for fence_id in removed if fence_id in self._fences and fence_id not in self._deleted]
        self._deleted.update(lost)
        if touched or lost:
            self._drop_stored()
            self.changed.emit()
        for fence_id in lost:
            self.lost.emit(self._fences[fence_id])

    def follow_settings(self, settings: ProjectSettings) -> None:
        """Apply changes of the settings by others."""
        self._settings = settings
        if self.of(None):
            self._drop_stored()
            self.changed.emit()

    # Internals

    def _propose(self, owner: Owner, stored: Mapping[str, object], change: Mapping[str, object]) -> None:
        for name, value in change.items():
            if same_value(value, stored[name]):
                self._changes.pop((owner, name), None)
                continue
            known = self._changes.get((owner, name))
            # Keep the first seen value, so that changes by others since then are still reported.
            seen = known.seen if known is not None else stored[name]
            self._changes[owner, name] = Pending(owner, name, seen, value)
        self._tidy()
        self.changed.emit()

    def _take(self, stored: Iterable[Geofence]) -> bool:
        """Store newer states of geofences with pending changes, and return whether there were any."""
        touched = False
        for fence in stored:
            known = self._fences.get(fence.id)
            if known is not None and (known.revision <= fence.revision or fence.id in self._deleted):
                self._fences[fence.id] = fence
                self._deleted.discard(fence.id)
                touched = True
        return touched

    def _drop_stored(self) -> None:
        for change in self:
            same = not self.is_deleted(change.owner) and same_value(self.stored(change), change.value)
            # A sent change is dropped with its response, when the form receives the new record, too.
            if same and not change.sent:
                del self._changes[change.key]
        self._tidy()

    def _tidy(self) -> None:
        """Drop geofences without pending changes."""
        owners = {owner for owner, _ in self._changes}
        self._fences = {fence_id: fence for fence_id, fence in self._fences.items() if fence_id in owners}
        self._deleted &= owners

    def _part(self, owner: Owner, name: str) -> object:
        return getattr(self._settings, name) if owner is None else part_of(self._fences[owner], name)


def fence_change(changes: Iterable[Pending]) -> GeofenceChange:
    """Return pending fields of one geofence as the change that is sent to the engine."""
    return replace(GeofenceChange(), **{change.name: change.value for change in changes})  # type: ignore[arg-type]


def settings_change(changes: Iterable[Pending]) -> SettingsChange:
    """Return pending settings as the change that is sent to the engine."""
    return replace(NO_SETTINGS_CHANGE, **{change.name: change.value for change in changes})  # type: ignore[arg-type]


def fence_with(fence: Geofence, change: GeofenceChange) -> Geofence:
    """Return a geofence with a pending change applied for its form, without validation or a new isochrone outline."""
    given = {row.name: value for row in GEOFENCE if (value := getattr(change, row.name)) is not UNSET}
    summary = {name: given[name] for name in GeofenceSummary.__struct_fields__ if name in given}
    return replace(
        fence,
        summary=replace(fence.summary, **summary),
        geometry=_geometry_with(fence.geometry, given),
        enabled=given.get("enabled", fence.enabled),
        rules=replace(fence.rules, **{row.name: given[row.name] for row in RULES if row.name in given}),
    )


def _geometry_with(geometry: Geometry, given: Mapping[str, object]) -> Geometry:
    size, coordinates = given.get("size"), given.get("coordinates")
    if isinstance(geometry, Circle):
        radius_m = size if isinstance(size, int | float) else geometry.radius_m
        return Circle(_center_of(coordinates) or geometry.center, radius_m)
    if isinstance(geometry, Isochrone):
        mode = given.get("mode", geometry.mode)
        minutes = size if isinstance(size, int | float) else geometry.minutes
        center = _center_of(coordinates) or geometry.center
        return replace(geometry, center=center, minutes=minutes, mode=TravelMode(str(mode)))
    return geometry if coordinates is None else polygon_of(cast(Sequence[Any], coordinates))


def _center_of(coordinates: object) -> Point | None:
    return None if coordinates is None else Point(*cast(Position, coordinates))
