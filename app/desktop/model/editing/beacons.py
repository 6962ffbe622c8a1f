"""Changes of beacons that can be undone, in the same history as those of geofences.

Everything here blocks and is intended for a worker thread. An editor must be used by one thread at a time.
"""

from collections.abc import Callable
from typing import Protocol

from app.desktop.language import tr
from app.desktop.model.beacons import beacon_name
from app.desktop.model.editing.changes import ChangedByOthers, Outcome, same_value
from app.desktop.model.editing.history import Command, History
from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.fields.beacon import BEACON
from engine.domain.geofence import UNSET
from engine.domain.tracking.beacon import Beacon, BeaconChange


class BeaconStore(Protocol):
    """The part of the engine's beacon API that the editor needs."""

    def get(self, environment: Environment, beacon_id: str) -> Beacon: ...
    def create(self, environment: Environment, change: BeaconChange) -> Beacon: ...
    def update(self, environment: Environment, beacon_id: str, change: BeaconChange) -> Beacon: ...
    def delete(self, environment: Environment, beacon_id: str) -> Beacon: ...
    def restore(self, environment: Environment, beacon: Beacon) -> Beacon: ...


def same_beacon(one: Beacon | None, other: Beacon | None) -> bool:
    """Return whether two records of a beacon have the same content, regardless of when they were stored."""
    if one is None or other is None:
        return one is other
    return one.summary == other.summary and same_value(one.metadata, other.metadata)


class BeaconEditor:
    """Creates, edits and deletes beacons of one environment, and records in `history` how to undo it."""

    def __init__(self, beacons: BeaconStore, environment: Environment, history: History[Outcome]) -> None:
        self._beacons = beacons
        self._environment = environment
        self._history = history
        self._written: Beacon | None = None

    def create(self, change: BeaconChange) -> Outcome:
        """Create a beacon."""
        created = self._beacons.create(self._environment, change)
        return self._done(tr("Create {name}", name=beacon_name(created)), None, created)

    def edit(self, seen: Beacon, change: BeaconChange) -> Outcome:
        """Change fields of a beacon that the user saw as `seen`.

        Raises `ChangedByOthers`, naming the field, if one of these fields no longer has that value.
        """
        before = self._beacons.get(self._environment, seen.id)
        # An edit may precede the response to the previous one: the record last written by this editor is not a foreign
        # change.
        if not same_beacon(before, self._written):
            _check_seen(seen, before, change)
        edited = self._beacons.update(self._environment, seen.id, change)
        return self._done(tr("Edit {name}", name=beacon_name(edited)), before, edited)

    def restore(self, beacon: Beacon, change: BeaconChange) -> Outcome:
        """Restore a deleted beacon as it was last known, and change it; an existing one is only changed."""
        outcome = Outcome(None, None, "", beacon=self._find(beacon.id))
        if outcome.beacon is None:
            restored = self._beacons.restore(self._environment, beacon)
            outcome = self._done(tr("Restore {name}", name=beacon_name(restored)), None, restored)
        return outcome if change == BeaconChange() else self.edit(beacon, change)

    def delete(self, beacon_id: str) -> Outcome:
        """Delete a beacon."""
        deleted = self._beacons.delete(self._environment, beacon_id)
        return self._done(tr("Delete {name}", name=beacon_name(deleted)), deleted, None)

    def _done(self, text: str, before: Beacon | None, after: Beacon | None) -> Outcome:
        self._written = after
        command = Command(text, do=self._putter(text, before, after), undo=self._putter(text, after, before))
        self._history.add(command)
        return Outcome(None, None, text, command.entry, beacon=after)

    def _putter(self, text: str, expected: Beacon | None, wanted: Beacon | None) -> Callable[[bool], Outcome]:
        """Return the step that changes the beacon from `expected` to `wanted`."""
        known = expected or wanted
        assert known is not None

        def put(anyway: bool) -> Outcome:
            present = self._find(known.id)
            if not anyway and not same_beacon(present, expected):
                raise _changed(present or known, deleted=present is None)
            if wanted is not None:
                self._written = self._beacons.restore(self._environment, wanted)
                return Outcome(None, None, text, beacon=self._written)
            if present is not None:
                self._beacons.delete(self._environment, known.id)
            return Outcome(None, None, text)

        return put

    def _find(self, beacon_id: str) -> Beacon | None:
        try:
            return self._beacons.get(self._environment, beacon_id)
        except NotFound:
            return None


def _check_seen(seen: Beacon, present: Beacon, change: BeaconChange) -> None:
    for row in BEACON:
        name = row.name
        if getattr(change, name) is not UNSET and not same_value(row.value(seen), row.value(present)):
            raise ChangedByOthers(
                name,
                tr(
                    "{field_name}: was changed by someone else in the meantime. Nothing was overwritten.",
                    field_name=name,
                ),
            )


def _changed(beacon: Beacon, *, deleted: bool) -> ChangedByOthers:
    change = tr("was deleted") if deleted else tr("was changed")
    return ChangedByOthers(
        "id",
        tr(
            "{beacon_name} {deleted_or_changed} by someone else in the meantime. Nothing was overwritten.",
            beacon_name=beacon_name(beacon),
            deleted_or_changed=change,
        ),
    )
