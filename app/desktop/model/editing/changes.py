"""Changes of geofences that can be undone, and never overwrite changes made by others in the meantime.

Everything here blocks and is intended for a worker thread. An editor must be used by one thread at a time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.editing.history import Command, History
from app.desktop.model.editing.stores import FenceStore, SettingsStore
from engine.domain.edits import EditSource, editing_as
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.fields.geofence import part_of as field_of
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.geometry import Circle, Isochrone
from engine.domain.ports import Progress, no_progress, reporting, share
from engine.domain.routing import Moved
from engine.domain.settings import SettingsChange
from engine.domain.tracking.beacon import Beacon
from engine.domain.values import replace
from engine.geofences.judging import Conflicts


class Outcome(Struct, frozen=True):
    """The outcome of a change: the current geofence or beacon, or None if it was deleted.

    A change of the settings has no ID. `entry` is the number of the change in the history. `moved` is the distance by
    which the destination of an isochrone was moved to a road. After a change of several geofences, `fence_ids` has the
    existing ones among them.
    """

    fence_id: str | None
    fence: Geofence | None
    text: str
    entry: int | None = None
    moved: Moved | None = None
    beacon: Beacon | None = None
    fence_ids: tuple[str, ...] = ()


class RestoredAll(Struct, frozen=True):
    """The outcome of restoring several geofences, and those that were not restored with the reasons."""

    outcome: Outcome
    refused: Conflicts = ()


class ChangedByOthers(Conflict):
    """The record was changed by others in the meantime; nothing was overwritten."""


class NotNext(Conflict):
    """The change to undo is no longer the last one; nothing was undone."""


def same_content(one: Geofence | None, other: Geofence | None) -> bool:
    """Return whether two records of a geofence have the same content, regardless of when they were stored."""
    if one is None or other is None:
        return one is other
    return (one.summary, one.geometry, one.enabled, one.rules) == (
        other.summary,
        other.geometry,
        other.enabled,
        other.rules,
    )


class FenceEditor:
    """Creates, edits and deletes geofences of one environment, and records how to undo it.

    It also changes the settings, if the change must be undoable.
    """

    def __init__(self, fences: FenceStore, settings: SettingsStore, environment: Environment) -> None:
        self._fences = fences
        self._project = settings
        self._environment = environment
        self._written: Geofence | None = None
        self._report: Progress = no_progress
        self.history: History[Outcome] = History()

    @contextmanager
    def reporting_to(self, report: Progress) -> Iterator[None]:
        """Report the progress of changes of many geofences; if `report` raises, nothing is changed."""
        before, self._report = self._report, report
        try:
            yield
        finally:
            self._report = before

    def create(self, change: GeofenceChange) -> Outcome:
        """Create a geofence."""
        fence = self._fences.create(self._environment, change)
        return self._done(tr("Create {name}", name=_name(fence)), None, fence, change)

    def edit(self, seen: Geofence, change: GeofenceChange) -> Outcome:
        """Change fields of a geofence that the user saw as `seen`.

        Raises `ChangedByOthers`, naming the field, if one of these fields no longer has that value.
        """
        before = self._fences.get(self._environment, seen.id)
        # An edit may precede the response to the previous one: the record last written by this editor is not a foreign
        # change.
        if not same_content(before, self._written):
            _check_seen({name: part_of(seen, name) for name in names_of(change)}, before)
        fence = self._fences.update(self._environment, seen.id, change)
        return self._done(tr("Edit {name}", name=_name(before)), before, fence, change)

    def apply(self, fence_id: str, change: GeofenceChange, seen: Mapping[str, object]) -> Outcome:
        """Apply pending changes to a geofence; `seen` has the stored values at the time of the user's decision.

        Raises `ChangedByOthers`, naming the field, if one of them has changed.
        """
        before = self._fences.get(self._environment, fence_id)
        _check_seen(seen, before)
        fence = self._fences.update(self._environment, fence_id, change)
        return self._done(tr("Edit {name}", name=_name(before)), before, fence, change)

    def restore(self, fence: Geofence) -> Outcome:
        """Restore a deleted geofence as it was last known; an existing one is not changed."""
        present = self._find(fence.id)
        if present is not None:
            return Outcome(fence.id, present, "")
        restored = self._fences.restore(self._environment, fence)
        return self._done(tr("Restore {name}", name=_name(fence)), None, restored)

    def change_settings(self, change: SettingsChange, seen: Mapping[str, object]) -> Outcome:
        """Change settings; `seen` has their values at the time of the user's decision.

        Raises `ChangedByOthers` if one of them has changed.
        """
        names = names_of(change)
        before = self._settings(names)
        if any(not same_value(value, before[name]) for name, value in seen.items()):
            raise _settings_changed()
        self._project.change(self._environment, change)
        after, text = self._settings(names), tr("Change project settings")
        command = Command(
            text, do=self._settings_putter(text, before, after), undo=self._settings_putter(text, after, before)
        )
        self.history.add(command)
        return Outcome(None, None, text, command.entry)

    def keep(
        self,
        seen: Mapping[str, Geofence | None],
        wanted: Mapping[str, Geofence | None],
        settings: SettingsChange,
        settings_seen: Mapping[str, object],
        text: str = tr("Keep the sandbox"),
    ) -> Outcome:
        """Apply a sandbox's geofences and settings as one step; None stands for a geofence that does not exist.

        Raises `ChangedByOthers` if one no longer equals its `seen` state.
        """
        before, after = dict(settings_seen), {name: getattr(settings, name) for name in names_of(settings)}
        return self._put_all(text, seen, wanted, before, after)

    def put_all(self, text: str, seen: Mapping[str, Geofence | None], wanted: Mapping[str, Geofence | None]) -> Outcome:
        """Create, change and delete several geofences as one step; None stands for one that does not exist.

        Raises `ChangedByOthers` if one no longer equals its `seen` state, and `Conflict` if a tag and external ID are
        taken.
        """
        return self._put_all(text, seen, wanted, {}, {})

    def create_all(self, text: str, changes: Sequence[GeofenceChange]) -> Outcome:
        """Create several geofences as one step."""
        created = [self._fences.judged_creation(self._environment, change) for change in changes]
        return self.put_all(text, {fence.id: None for fence in created}, {fence.id: fence for fence in created})

    def edit_all(self, text: str, fences: Sequence[Geofence], change: GeofenceChange) -> Outcome:
        """Make the same change to several geofences as one step, if they still are as the user saw them.

        Raises `ChangedByOthers`, and `InvalidParameter` or `Conflict` with the name of the geofence.
        """
        names = names_of(change)
        before, after = dict[str, Geofence | None](), dict[str, Geofence | None]()
        for fence in reporting(fences, share(self._report, 0, 3)):
            present = self._find(fence.id)
            if present is None:
                raise _changed(fence, deleted=True)
            try:
                _check_seen({name: part_of(fence, name) for name in names}, present)
                after[fence.id] = self._fences.judged_change(self._environment, present, change)
            except (InvalidParameter, Conflict) as error:
                raise type(error)(error.param, f"{_name(fence)}: {error}") from error
            before[fence.id] = present
        with self.reporting_to(share(self._report, 1, 3, width=2)):
            return self.put_all(text, before, after)

    def change_shapes(
        self,
        text: str,
        shapes: Sequence[tuple[Geofence, GeofenceChange | None]],
        created: Sequence[GeofenceChange] = (),
    ) -> Outcome:
        """Change the shapes of geofences as the user saw them, delete those with None, and create others, as one step.

        Raises `ChangedByOthers` if a geofence to delete has changed, or the shape of another one.
        """
        before, after = dict[str, Geofence | None](), dict[str, Geofence | None]()
        for fence, change in shapes:
            present = self._find(fence.id)
            if present is None or (change is None and not same_content(present, fence)):
                raise _changed(present or fence, deleted=present is None)
            if present.geometry != fence.geometry:
                raise _changed(present, deleted=False)
            before[fence.id] = present
            after[fence.id] = None if change is None else self._fences.judged_change(self._environment, present, change)
        for change in created:
            made = self._fences.judged_creation(self._environment, change)
            before[made.id], after[made.id] = None, made
        return self.put_all(text, before, after)

    def delete_all(self, text: str, fences: Sequence[Geofence]) -> Outcome:
        """Delete several geofences as the user saw them, as one step; some may already have been deleted."""
        there = {fence.id: present for fence in fences if (present := self._find(fence.id)) is not None}
        return self.put_all(text, there, dict.fromkeys(there))

    def restore_all(self, text: str, fences: Sequence[Geofence]) -> RestoredAll:
        """Restore deleted geofences as one step, except those that conflict with others."""
        with editing_as(EditSource.WINDOW, text):
            restored, refused = self._fences.restore_all(self._environment, fences, self._report)
        if not restored:
            return RestoredAll(Outcome(None, None, text), refused)
        deleted, there = dict.fromkeys(fence.id for fence in restored), {fence.id: fence for fence in restored}
        command = Command(
            text, do=self._all_putter(text, deleted, there, {}, {}), undo=self._all_putter(text, there, deleted, {}, {})
        )
        self.history.add(command)
        return RestoredAll(Outcome(None, None, text, command.entry, fence_ids=tuple(there)), refused)

    def delete(self, fence_id: str) -> Outcome:
        """Delete a geofence."""
        before = self._fences.delete(self._environment, fence_id)
        return self._done(tr("Delete {name}", name=_name(before)), before, None)

    def undo(self, *, anyway: bool = False, entry: int | None = None) -> Outcome | None:
        """Undo the last change, or return None if there is no change to undo.

        Raises `ChangedByOthers` if the geofence is no longer as that change left it, unless `anyway` is set. Raises
        `NotNext` if the last change does not have the number `entry`.
        """
        if entry is not None and entry != self.history.state.entry:
            raise NotNext("id", tr("Not undone: something else has changed since. Undo that first."))
        with editing_as(EditSource.WINDOW, tr("Undo: {step}", step=self.history.state.undo)):
            return self.history.undo(anyway=anyway)

    def redo(self, *, anyway: bool = False) -> Outcome | None:
        """Redo the last undone change."""
        with editing_as(EditSource.WINDOW, tr("Redo: {step}", step=self.history.state.redo)):
            return self.history.redo(anyway=anyway)

    def _done(
        self, text: str, before: Geofence | None, after: Geofence | None, change: GeofenceChange | None = None
    ) -> Outcome:
        self._written = after
        present = after or before
        assert present is not None
        command = Command(
            text,
            do=self._putter(present.id, text, before, after),
            undo=self._putter(present.id, text, after, before),
        )
        self.history.add(command)
        moved = None if change is None or after is None else self._fences.moved_by(change, after)
        return Outcome(present.id, after, text, command.entry, moved)

    def _putter(
        self, fence_id: str, text: str, expected: Geofence | None, wanted: Geofence | None
    ) -> Callable[[bool], Outcome]:
        """Return the step that changes the geofence from `expected` to `wanted`."""

        def put(anyway: bool) -> Outcome:
            present = self._find(fence_id)
            if not anyway and not same_content(present, expected):
                raise _changed(present or expected, deleted=present is None)
            if wanted is not None:
                self._written = self._fences.restore(self._environment, wanted)
                return Outcome(fence_id, self._written, text)
            if present is not None:
                self._fences.delete(self._environment, fence_id)
            return Outcome(fence_id, None, text)

        return put

    def _all_putter(
        self,
        text: str,
        expected: Mapping[str, Geofence | None],
        wanted: Mapping[str, Geofence | None],
        settings_before: Mapping[str, object],
        settings_after: Mapping[str, object],
    ) -> Callable[[bool], Outcome]:
        """Return the step that changes several geofences and settings from one state to another."""

        def put(anyway: bool) -> Outcome:
            for fence_id, fence in reporting(() if anyway else expected.items(), share(self._report, 0, 4)):
                present = self._find(fence_id)
                if not same_content(present, fence):
                    raise _changed(present or fence, deleted=present is None)
            if not anyway and not same_value(settings_before, self._settings(tuple(settings_before))):
                raise _settings_changed()
            saved = [fence for fence in wanted.values() if fence is not None]
            self._written = None
            if wanted:
                removed = [fence_id for fence_id, fence in wanted.items() if fence is None]
                self._fences.put_all(self._environment, saved, removed, share(self._report, 1, 4, width=3))
            if settings_after:
                self._project.change(self._environment, SettingsChange(**settings_after))  # type: ignore[arg-type]
            return Outcome(None, None, text, fence_ids=tuple(fence.id for fence in saved))

        return put

    def _put_all(
        self,
        text: str,
        seen: Mapping[str, Geofence | None],
        wanted: Mapping[str, Geofence | None],
        settings_seen: Mapping[str, object],
        settings: Mapping[str, object],
    ) -> Outcome:
        """Change several geofences and settings from one state to another, and record it as one step."""
        put = self._all_putter(text, seen, wanted, settings_seen, settings)
        with editing_as(EditSource.WINDOW, text):
            done = put(False)
        command = Command(text, do=put, undo=self._all_putter(text, wanted, seen, settings, settings_seen))
        self.history.add(command)
        return replace(done, entry=command.entry)

    def _settings(self, names: tuple[str, ...]) -> dict[str, object]:
        settings = self._project.get(self._environment)
        return {name: getattr(settings, name) for name in names}

    def _settings_putter(
        self, text: str, expected: Mapping[str, object], wanted: Mapping[str, object]
    ) -> Callable[[bool], Outcome]:
        """Return the step that changes settings from `expected` to `wanted`."""

        def put(anyway: bool) -> Outcome:
            if not anyway and not same_value(expected, self._settings(tuple(expected))):
                raise _settings_changed()
            self._project.change(self._environment, SettingsChange(**wanted))  # type: ignore[arg-type]
            return Outcome(None, None, text)

        return put

    def _find(self, fence_id: str) -> Geofence | None:
        try:
            return self._fences.get(self._environment, fence_id)
        except NotFound:
            return None


def _name(fence: Geofence) -> str:
    return fence.description or fence.external_id


def _changed(fence: Geofence | None, *, deleted: bool) -> ChangedByOthers:
    name = fence.description if fence else tr("The geofence")
    change = tr("was deleted") if deleted else tr("was changed")
    return ChangedByOthers(
        "id",
        tr(
            "{geofence_name} {deleted_or_changed} by someone else in the meantime. Nothing was overwritten.",
            geofence_name=name,
            deleted_or_changed=change,
        ),
    )


def _settings_changed() -> ChangedByOthers:
    return ChangedByOthers(
        "settings", tr("The settings were changed by someone else in the meantime. Nothing was overwritten.")
    )


def names_of(change: GeofenceChange | SettingsChange) -> tuple[str, ...]:
    """Return the fields that a change sets."""
    return tuple(name for name in change.__struct_fields__ if getattr(change, name) is not UNSET)


def same_value(one: object, other: object) -> bool:
    """Return whether two values of a field are equal; in metadata, 1, 1.0 and true differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one == other and all(type(value) is type(other[key]) for key, value in one.items())
    return one == other


def part_of(fence: Geofence, name: str) -> object:
    """Return the value that a field of a change would replace, in the form that it has in a change."""
    if name == "coordinates" and isinstance(fence.geometry, Circle | Isochrone):
        return fence.geometry.center.longitude, fence.geometry.center.latitude
    return field_of(fence, name)


def _check_seen(seen: Mapping[str, object], present: Geofence) -> None:
    for name, value in seen.items():
        if not same_value(value, part_of(present, name)):
            raise ChangedByOthers(
                name,
                tr(
                    "{field_name}: was changed by someone else in the meantime. Nothing was overwritten.",
                    field_name=name,
                ),
            )
