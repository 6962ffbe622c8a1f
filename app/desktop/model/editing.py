"""Changes of fences that can be taken back, and never overwrite what others changed meanwhile.

Everything here blocks and is made for a worker thread; one editor is used by one thread at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Protocol

from app.desktop.model.history import Command, History
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, NotFound
from engine.domain.geofence import UNSET, Geofence, GeofenceChange, GeofenceRules
from engine.domain.geometry import Circle, Geometry, Isochrone


class FenceStore(Protocol):
    """What the editor needs of the engine."""

    def geofence(self, environment: Environment, geofence_id: str) -> Geofence: ...
    def create_geofence(self, environment: Environment, change: GeofenceChange) -> Geofence: ...
    def update_geofence(self, environment: Environment, geofence_id: str, change: GeofenceChange) -> Geofence: ...
    def delete_geofence(self, environment: Environment, geofence_id: str) -> Geofence: ...
    def restore_geofence(self, environment: Environment, geofence: Geofence) -> Geofence: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a change led to: the fence as it is now, or None where it is gone."""

    fence_id: str
    fence: Geofence | None
    text: str


class ChangedByOthers(Conflict):
    """Somebody else changed the fence meanwhile; nothing was overwritten."""


def same_content(one: Geofence | None, other: Geofence | None) -> bool:
    """Whether two records of a fence say the same, whenever that was stored."""
    if one is None or other is None:
        return one is other
    return (one.summary, one.geometry, one.enabled, one.rules) == (
        other.summary,
        other.geometry,
        other.enabled,
        other.rules,
    )


class FenceEditor:
    """Creates, edits and deletes fences of one environment, and remembers how to take that back."""

    def __init__(self, store: FenceStore, environment: Environment) -> None:
        self._store = store
        self._environment = environment
        self._written: Geofence | None = None
        self.history: History[Outcome] = History()

    def create(self, change: GeofenceChange) -> Outcome:
        """Create a fence."""
        fence = self._store.create_geofence(self._environment, change)
        return self._done(_verb("Create", fence), None, fence)

    def edit(self, seen: Geofence, change: GeofenceChange) -> Outcome:
        """Change fields of a fence that the user saw as `seen`.

        Raises `ChangedByOthers`, naming the field, where one of these fields is no longer as it was seen.
        """
        before = self._store.geofence(self._environment, seen.id)
        # Edits can be quicker than their answers: what this editor wrote last is not someone else's.
        if not same_content(before, self._written):
            _check_unseen(seen, before, change)
        fence = self._store.update_geofence(self._environment, seen.id, change)
        return self._done(_verb("Edit", before), before, fence)

    def delete(self, fence_id: str) -> Outcome:
        """Delete a fence."""
        before = self._store.delete_geofence(self._environment, fence_id)
        return self._done(_verb("Delete", before), before, None)

    def undo(self, *, anyway: bool = False) -> Outcome | None:
        """Take the last change back; None where there is none.

        Raises `ChangedByOthers` unless `anyway` where the fence is no longer as that change left it.
        """
        return self.history.undo(anyway=anyway)

    def redo(self, *, anyway: bool = False) -> Outcome | None:
        """Make the change again that was taken back last."""
        return self.history.redo(anyway=anyway)

    def _done(self, text: str, before: Geofence | None, after: Geofence | None) -> Outcome:
        self._written = after
        present = after or before
        assert present is not None
        self.history.add(
            Command(
                text,
                do=self._putter(present.id, text, before, after),
                undo=self._putter(present.id, text, after, before),
            )
        )
        return Outcome(present.id, after, text)

    def _putter(
        self, fence_id: str, text: str, expected: Geofence | None, wanted: Geofence | None
    ) -> Callable[[bool], Outcome]:
        """Return the step that brings the fence from `expected` to `wanted`."""

        def put(anyway: bool) -> Outcome:
            present = self._find(fence_id)
            if not anyway and not same_content(present, expected):
                raise _changed(present or expected, gone=present is None)
            if wanted is not None:
                self._written = self._store.restore_geofence(self._environment, wanted)
                return Outcome(fence_id, self._written, text)
            if present is not None:
                self._store.delete_geofence(self._environment, fence_id)
            return Outcome(fence_id, None, text)

        return put

    def _find(self, fence_id: str) -> Geofence | None:
        try:
            return self._store.geofence(self._environment, fence_id)
        except NotFound:
            return None


def _verb(verb: str, fence: Geofence) -> str:
    return f"{verb} {fence.description or fence.external_id}"


def _changed(fence: Geofence | None, *, gone: bool) -> ChangedByOthers:
    name = fence.description if fence else "The fence"
    what = "was deleted" if gone else "was changed"
    return ChangedByOthers("id", f"{name} {what} by someone else in the meantime. Nothing was overwritten.")


_PARAMS = {
    "external_id": "externalId",
    "radius_m": "radius",
    "metadata_items": "metadata",
    "operating_hours": "operatingHours",
    "stop_detection": "stopDetection",
    "disable_after": "disableAfter",
    "delete_after": "deleteAfter",
    "user_ids": "userIds",
    "dwell_threshold_s": "dwellThreshold",
}
_RULES = frozenset(field.name for field in fields(GeofenceRules))


def _check_unseen(seen: Geofence, present: Geofence, change: GeofenceChange) -> None:
    for field in fields(change):
        if getattr(change, field.name) is not UNSET and _part(seen, field.name) != _part(present, field.name):
            param = _PARAMS.get(field.name, field.name)
            raise ChangedByOthers(
                param, f"{param}: was changed by someone else in the meantime. Nothing was overwritten."
            )


def _part(fence: Geofence, name: str) -> object:
    """Return what a field of a change would replace."""
    match name:
        case "type":
            return fence.geometry.type
        case "coordinates":
            return fence.geometry.center if isinstance(fence.geometry, Circle | Isochrone) else fence.geometry.ring
        case "radius_m":
            return _radius(fence.geometry)
        case "mode":
            return fence.geometry.mode if isinstance(fence.geometry, Isochrone) else None
        case "metadata" | "metadata_items":
            return dict(fence.metadata)
        case _ if name in _RULES:
            return getattr(fence.rules, name)
        case _:
            return getattr(fence, name)


def _radius(geometry: Geometry) -> float | None:
    if isinstance(geometry, Isochrone):
        return geometry.minutes
    return geometry.radius_m if isinstance(geometry, Circle) else None
