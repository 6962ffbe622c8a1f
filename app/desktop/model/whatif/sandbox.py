"""A sandbox for editing geofences, with the same validation as the workspace but without storing them.

It replaces the engine's geofences under a `FenceEditor`, so that all editing works in it and has its own undo history.
Edits are made in the worker for changes. The window reads their results after they have been delivered.
"""

from collections.abc import Mapping, Sequence

from app.desktop.language import tr
from app.desktop.model.editing.changes import FenceEditor, same_content
from app.desktop.model.editing.stores import FenceStore, SettingsStore
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, FencewrightError, NotFound
from engine.domain.fields.settings import changed_settings
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.ports import Cancelled, Progress, no_progress, reporting
from engine.domain.routing import Moved
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.domain.tracking.whatif import FenceEdits
from engine.geofences.judging import Restored


class Sandbox:
    """The geofences of one environment with edits applied."""

    def __init__(self, fences: FenceStore, settings: SettingsStore, environment: Environment) -> None:
        self.environment = environment
        self._store = fences
        self._fences: dict[str, Geofence | None] = {}
        self._seen: dict[str, Geofence | None] = {}
        self._owners: dict[tuple[str, str], str] = {}
        """IDs of the geofences in the sandbox by tag and external ID."""
        self.editor = FenceEditor(self, _SandboxSettings(settings), environment)

    # Contents

    @property
    def edits(self) -> FenceEdits:
        """Edits: the geofences that differ from their state when editing began."""
        differing = {key: fence for key, fence in self._fences.items() if not same_content(fence, self._seen[key])}
        removed = frozenset(key for key, fence in differing.items() if fence is None)
        return FenceEdits(tuple(fence for fence in differing.values() if fence is not None), removed)

    @property
    def left(self) -> frozenset[str]:
        """IDs of geofences that were edited and then returned to their original state."""
        return frozenset(self._fences) - self.edits.touched

    def both(self) -> tuple[dict[str, Geofence | None], dict[str, Geofence | None]]:
        """Return the edited geofences in their original state and in their current state."""
        touched = self.edits.touched
        return {key: self._seen[key] for key in touched}, {key: self._fences[key] for key in touched}

    def stored(self, geofence_id: str) -> Geofence | None:
        """Return a geofence as it is currently stored, or None."""
        try:
            return self._store.get(self.environment, geofence_id)
        except NotFound:
            return None

    # Interface for the editor

    def get(self, environment: Environment, geofence_id: str) -> Geofence:
        """Return a geofence of the sandbox; raises `NotFound`."""
        if geofence_id not in self._fences:
            return self._store.get(environment, geofence_id)
        found = self._fences[geofence_id]
        if found is None:
            raise NotFound("id", tr("The geofence is deleted in the sandbox."))
        return found

    def create(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Add a geofence."""
        return self._put(self._store.judged_creation(environment, change))

    def update(self, environment: Environment, geofence_id: str, change: GeofenceChange) -> Geofence:
        """Change a geofence."""
        return self._put(self._store.judged_change(environment, self.get(environment, geofence_id), change))

    def delete(self, environment: Environment, geofence_id: str) -> Geofence:
        """Delete a geofence."""
        deleted = self.get(environment, geofence_id)
        self._set(geofence_id, None)
        return deleted

    def restore(self, environment: Environment, geofence: Geofence) -> Geofence:  # noqa: ARG002 (as the engine's)
        """Restore a geofence to a former state."""
        return self._put(geofence)

    def put_all(
        self,
        environment: Environment,
        saved: Sequence[Geofence],
        removed: Sequence[str],
        report: Progress = no_progress,
    ) -> None:
        """Store and delete geofences, either all or none; raises `Conflict`."""
        before = dict(self._fences), dict(self._owners)
        try:
            for geofence_id in removed:
                self.delete(environment, geofence_id)
            for geofence in reporting(saved, report):
                self._put(geofence)
        except (FencewrightError, Cancelled):
            self._fences, self._owners = before
            raise

    def restore_all(
        self,
        environment: Environment,  # noqa: ARG002 (as the engine's)
        geofences: Sequence[Geofence],
        report: Progress = no_progress,
    ) -> Restored:
        """Restore deleted geofences; return them, and those that conflict with others."""
        restored, refused = list[Geofence](), list[tuple[Geofence, Conflict]]()
        for geofence in reporting(geofences, report):
            try:
                restored.append(self._put(geofence))
            except Conflict as error:
                refused.append((geofence, error))
        return tuple(restored), tuple(refused)

    def judged_creation(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Return the geofence that a creation would add."""
        return self._store.judged_creation(environment, change)

    def judged_change(self, environment: Environment, geofence: Geofence, change: GeofenceChange) -> Geofence:
        """Return the geofence that results from a change."""
        return self._store.judged_change(environment, geofence, change)

    def moved_by(self, change: GeofenceChange, geofence: Geofence) -> Moved | None:
        """Return how far an isochrone was moved to a road."""
        return self._store.moved_by(change, geofence)

    def _put(self, geofence: Geofence) -> Geofence:
        if self._owners.get(_key(geofence), geofence.id) != geofence.id:
            text = tr(
                "external_id: another geofence in the sandbox has the ID {external_id!r}.",
                external_id=geofence.external_id,
            )
            raise Conflict("external_id", text)
        self._set(geofence.id, geofence)
        return geofence

    def _set(self, geofence_id: str, geofence: Geofence | None) -> None:
        self._note(geofence_id)
        if (before := self._fences.get(geofence_id)) is not None:
            del self._owners[_key(before)]
        self._fences[geofence_id] = geofence
        if geofence is not None:
            self._owners[_key(geofence)] = geofence_id

    def _note(self, geofence_id: str) -> None:
        """Record the stored state of a geofence before its first edit."""
        if geofence_id not in self._seen:
            self._seen[geofence_id] = self.stored(geofence_id)


def _key(geofence: Geofence) -> tuple[str, str]:
    return geofence.tag, geofence.external_id


class _SandboxSettings:
    """Settings that are changed only in the sandbox."""

    def __init__(self, store: SettingsStore) -> None:
        self._store = store
        self._changed: Mapping[Environment, ProjectSettings] = {}

    def get(self, environment: Environment) -> ProjectSettings:
        """Return the settings."""
        return self._changed.get(environment) or self._store.get(environment)

    def change(self, environment: Environment, change: SettingsChange) -> ProjectSettings:
        """Change settings."""
        settings = changed_settings(self.get(environment), change)
        self._changed = {**self._changed, environment: settings}
        return settings
