"""Geofences and events for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

from engine.domain.environment import Environment
from engine.domain.errors import Conflict, NotFound
from engine.domain.fields.settings import changed_settings
from engine.domain.geofence import UNSET, Geofence, GeofenceChange, GeofenceSummary
from engine.domain.geometry import Circle, Point, Polygon
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.ports import Progress, no_progress
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings, SettingsChange
from engine.domain.tracking.updates import Event, EventType, UserSummary
from engine.domain.values import replace
from engine.geofences.judging import Restored

START = datetime(2026, 5, 12, 6, 0, tzinfo=UTC)


def fence(
    number: int, tag: str = "store", description: str = "", *, enabled: bool = True, metadata: Metadata = NO_METADATA
) -> Geofence:
    """Return a circle of 100 m whose identifiers follow from its number."""
    fence_id = f"f{number}"
    summary = GeofenceSummary(fence_id, tag, f"{tag}-{number}", description or f"Fence {number}", metadata)
    return Geofence(fence_id, Environment.TEST, summary, Circle(Point(14.5, 46.0), 100.0), enabled, START, START)


def event(number: int, of: Geofence, kind: EventType = EventType.ENTERED_GEOFENCE) -> Event:
    """Return an event of a geofence, a minute after the previous one."""
    at = START + timedelta(minutes=number)
    user = UserSummary("u1", "phone-1")
    return Event(f"e{number}", Environment.TEST, kind, at, at, user, of.summary, Point(14.5, 46.0), 10.0, 3)


class MemoryFences:
    """Geofences in a dictionary, with the names and errors of the engine."""

    def __init__(self) -> None:
        self.fences: dict[str, Geofence] = {}
        self._numbers = count(1)

    def get(self, environment: Environment, geofence_id: str) -> Geofence:
        """Return a geofence."""
        if geofence_id not in self.fences:
            raise NotFound("id", f"No geofence has the _id {geofence_id!r}.")
        return self.fences[geofence_id]

    def create(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Store a new geofence."""
        made = _changed(fence(next(self._numbers)), change)
        return self.restore(environment, made)

    def update(self, environment: Environment, geofence_id: str, change: GeofenceChange) -> Geofence:
        """Change a geofence."""
        return self.restore(environment, _changed(self.get(environment, geofence_id), change))

    def delete(self, environment: Environment, geofence_id: str) -> Geofence:
        """Delete a geofence."""
        deleted = self.get(environment, geofence_id)
        del self.fences[geofence_id]
        return deleted

    def put_all(
        self,
        environment: Environment,
        saved: Sequence[Geofence],
        removed: Sequence[str],
        report: Progress = no_progress,
    ) -> None:
        """Store and delete all of the geofences, or none."""
        before = dict(self.fences)
        try:
            for geofence_id in removed:
                self.delete(environment, geofence_id)
            for geofence in saved:
                self.restore(environment, geofence)
        except Conflict:
            self.fences = before
            raise

    def judged_creation(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Return a new geofence."""
        return _changed(fence(next(self._numbers)), change)

    def judged_change(self, environment: Environment, geofence: Geofence, change: GeofenceChange) -> Geofence:
        """Return a geofence with a change applied."""
        return _changed(geofence, change)

    def restore(self, environment: Environment, geofence: Geofence) -> Geofence:
        """Store a record unchanged, under its own key."""
        for other in self.fences.values():
            same_key = (other.tag, other.external_id) == (geofence.tag, geofence.external_id)
            if same_key and other.id != geofence.id:
                raise Conflict("externalId", "externalId: is taken.")
        stored = replace(geofence, updated_at=START + timedelta(seconds=next(self._numbers)))
        self.fences[geofence.id] = stored
        return stored

    def restore_all(
        self, environment: Environment, geofences: Sequence[Geofence], report: Progress = no_progress
    ) -> Restored:
        """Store deleted geofences that do not conflict with others."""
        restored, refused = list[Geofence](), list[tuple[Geofence, Conflict]]()
        for geofence in geofences:
            try:
                restored.append(self.restore(environment, geofence))
            except Conflict as error:
                refused.append((geofence, error))
        return tuple(restored), tuple(refused)

    def moved_by(self, change: GeofenceChange, geofence: Geofence) -> None:
        """Do nothing."""


class MemorySettings:
    """Settings with the names and errors of the engine."""

    def __init__(self) -> None:
        self.project = DEFAULT_SETTINGS

    def get(self, environment: Environment) -> ProjectSettings:
        """Return the settings."""
        return self.project

    def change(self, environment: Environment, change: SettingsChange) -> ProjectSettings:
        """Change settings."""
        self.project = changed_settings(self.project, change)
        return self.project


def _changed(before: Geofence, change: GeofenceChange) -> Geofence:
    summary = before.summary
    for name in ("tag", "external_id", "description", "metadata"):
        value = getattr(change, name)
        if value is not UNSET:
            summary = replace(summary, **{name: value})
    geometry = before.geometry
    if change.type == "polygon" and change.coordinates is not UNSET:
        geometry = Polygon(tuple(tuple(position) for position in change.coordinates))  # type: ignore[arg-type,misc]
    if isinstance(change.size, float) and isinstance(geometry, Circle):
        geometry = Circle(geometry.center, change.size)
    enabled = before.enabled if change.enabled is UNSET else change.enabled
    return replace(before, summary=summary, geometry=geometry, enabled=enabled)
