"""The open workspace as used by the window: its state, and the operations that change it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.desktop.change_feed import Arrived, ChangeFeed, Gathered
from app.desktop.fence_reader import FenceReader
from app.desktop.language import tr
from app.desktop.map.values import MapFence
from app.desktop.model.beacons import BeaconBook
from app.desktop.model.colors import TagColors, write_colors
from app.desktop.model.editing.beacons import BeaconEditor
from app.desktop.model.editing.changes import FenceEditor, Outcome
from app.desktop.model.editing.history import HistoryState
from app.desktop.model.editing.openings import Openings
from app.desktop.model.editing.pending import PendingChanges
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook, FenceDelta
from app.desktop.model.isochrones import moved_text
from app.desktop.model.map_layers.fences import state_of
from app.desktop.model.moments import Zones
from app.desktop.model.selection import Selection
from app.desktop.model.simulation.simulation import Simulation
from app.desktop.model.users import UserBook
from app.desktop.model.whatif.sandbox import Sandbox
from app.desktop.model.words import error_text
from app.desktop.operations import Failed, Operations
from app.desktop.relay import Relay
from app.desktop.session import Session
from app.desktop.shapes import map_fence
from engine.domain.edits import EditSource, editing_as
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.ports import Cancelled, Progress, no_progress
from engine.domain.queries import MAX_LIMIT, Change, Counts, UserQuery
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings, SettingsChange
from engine.domain.tracking.updates import Event, User
from engine.geo.zones import zone_at

_log = logging.getLogger(__name__)
_COUNTED_EVERY_MS = 300
_KEPT_EVERY_MS = 300
_LOOKED_AT_ONCE = 64


class WorkspaceModel(QObject):
    """The state that all panels show. They listen to its parts and change geofences through `edit`.

    `problem` carries an error that belongs to no field, `noted` an unexpected effect of a change.
    """

    opened = Signal()
    environment_changed = Signal()
    history_changed = Signal()
    counted = Signal(object)
    events_arrived = Signal(object)
    users_moved = Signal(object)
    users_loaded = Signal(object)
    settings_changed = Signal()
    areas_changed = Signal()
    webhooks_changed = Signal()
    sync_changed = Signal()
    sandbox_changed = Signal()
    simulation_progressed = Signal()
    problem = Signal(str)
    noted = Signal(str)

    def __init__(self, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.operations = operations
        self.session: Session | None = None
        self.environment = Environment.TEST
        self.fences = FenceBook()
        self.beacons = BeaconBook()
        self.events = EventLog()
        self.zones = Zones(self.fences, self.events)
        self.users = UserBook()
        self.openings = Openings()
        self.selection = Selection()
        self.fences.changed.connect(self._follow_hours)
        self.simulation = Simulation(operations.retire)
        self.pending = PendingChanges()
        """The pending changes of Live, regardless of the environment shown."""
        self.sandbox: Sandbox | None = None
        """The sandbox, which takes edits instead of the workspace while it is open."""
        self._fence_reader = FenceReader(operations, self.fences, self.now, self.problem.emit, self)
        self.fences_begun, self.fences_read = self._fence_reader.begun, self._fence_reader.portion_read
        self._editors: dict[Environment, FenceEditor] = {}
        self._beacon_editors: dict[Environment, BeaconEditor] = {}
        self._shown = 0
        self._loading = self._stale = False
        self._arrived = Arrived()
        self._feed = ChangeFeed(self)
        self._feed.changed.connect(self._take_in)
        self._live = ChangeFeed(self, wanted=_of_records)
        self._live.changed.connect(self._follow_live)
        self._player = Relay(self, interval_ms=40)
        self._player.rung.connect(self.simulation_progressed)
        self.simulation.progressed.connect(self._player.ring)
        self._counting = False
        self._keeping = Relay(self, interval_ms=_KEPT_EVERY_MS)
        self._keeping.rung.connect(self._keep_colors)
        self._recount = Relay(self, interval_ms=_COUNTED_EVERY_MS)
        self._recount.rung.connect(self._count)

    # The open workspace

    def open(
        self,
        session: Session,
        colors: Mapping[str, str] | None = None,
        environment: Environment | None = None,
    ) -> Session | None:
        """Show another workspace with the stored colours of its tags; return the previous one for the caller to close.

        Without an `environment`, the current one is kept.
        """
        self._keeping.deliver()
        # Unfinished input in the form belongs to the previous workspace.
        self.selection.reset()
        before, self.session = self.session, session
        self.sandbox = None
        self.fences.colors = TagColors(colors)
        self.fences.colors.assigned.connect(self._keeping.ring)
        self._editors = {
            env: FenceEditor(session.engine.geofences, session.engine.settings, env) for env in Environment
        }
        self._beacon_editors = {
            env: BeaconEditor(session.engine.beacons, env, editor.history) for env, editor in self._editors.items()
        }
        self.simulation.unload()
        self.pending.clear()
        self._live.listen(session.engine.changes.subscribe, Environment.LIVE)
        self.opened.emit()
        self.show(environment or self.environment)
        return before

    def show(self, environment: Environment) -> None:
        """Show Test or Live."""
        session = self._need_session()
        engine = session.engine
        self.environment = environment
        self.sandbox = None
        self.sandbox_changed.emit()
        self.selection.reset()
        self.simulation.send_to(partial(engine.tracking.track, environment), live=environment.live)
        self._feed.listen(engine.changes.subscribe, environment)
        self.environment_changed.emit()
        self.settings_changed.emit()
        self._fence_reader.read(engine.geofences, environment)
        self.beacons.replace(engine.beacons.all(environment))
        self.events.replace(())
        self.users.replace(())
        self._load()
        self.history_changed.emit()

    def open_sandbox(self) -> None:
        """Send edits of geofences to a sandbox until it is closed."""
        engine = self._need_session().engine
        self.sandbox = Sandbox(engine.geofences, engine.settings, self.environment)
        self.sandbox_changed.emit()
        self.history_changed.emit()

    def close_sandbox(self) -> None:
        """Close the sandbox and show the stored geofences."""
        sandbox, self.sandbox = self.sandbox, None
        if sandbox is None:
            return
        stored = {fence_id: sandbox.stored(fence_id) for fence_id in sandbox.edits.touched | sandbox.left}
        self.fences.apply(filter(None, stored.values()), [key for key, fence in stored.items() if fence is None])
        self.selection.forget_fences(tuple(key for key, fence in stored.items() if fence is None))
        self.sandbox_changed.emit()
        self.history_changed.emit()

    def keep_sandbox(
        self, settings: SettingsChange, seen: Mapping[str, object], done: Callable[[Outcome], None], failed: Failed
    ) -> None:
        """Store the changes of the sandbox and `settings` in one step, then close the sandbox."""
        sandbox, environment = self.sandbox, self.environment
        kept = ({}, {}) if sandbox is None else sandbox.both()

        def finish(outcome: Outcome) -> None:
            if sandbox is self.sandbox:
                self.close_sandbox()
            done(outcome)

        editor = self._editors[environment]
        self._change(lambda _: editor.keep(*kept, settings, seen), finish, failed)

    def _show_sandbox(self) -> None:
        """Show the sandbox's unsaved changes."""
        if self.sandbox is not None:
            edits = self.sandbox.edits
            back = {key: self.sandbox.stored(key) for key in self.sandbox.left}
            deleted = [*edits.removed, *(key for key, fence in back.items() if fence is None)]
            self.fences.apply([*edits.saved, *filter(None, back.values())], deleted)
            self.selection.forget_fences(tuple(deleted))

    def close(self) -> None:
        """Stop playback and listening."""
        self._keeping.deliver()
        self._fence_reader.stop()
        self._feed.close()
        self._live.close()
        self.simulation.unload()

    def _keep_colors(self) -> None:
        """Store the colours of tags with the workspace, because they could be assigned differently next time."""
        engine = self._need_session().engine
        workspace = engine.workspace
        if workspace.temporary or engine.watch.problem is not None:
            return
        folder, colors = workspace.folder, self.fences.colors.kept

        def failed(error: Exception) -> None:
            _log.warning("the colours of tags are not kept in %s: %s", folder, error)

        self.operations.change(lambda: write_colors(folder, colors), lambda _: None, failed)

    @property
    def settings(self) -> ProjectSettings:
        """The settings of the current environment."""
        return self.session.engine.settings.get(self.environment) if self.session else DEFAULT_SETTINGS

    def now(self) -> datetime:
        """Return the current time of the environment's clock."""
        return self.session.engine.clock_of(self.environment).now() if self.session else datetime.now(UTC)

    def drawn(self, fence: Geofence) -> MapFence:
        """Return a geofence as drawn on the map."""
        closed, locked = self.openings.is_closed(fence.id), self.fences.locks.is_locked(fence.id)
        state = state_of(fence, self.now, closed=closed)
        return map_fence(fence, self.fences.color(fence.tag), closed=closed, locked=locked, state=state)

    def _follow_hours(self, delta: FenceDelta) -> None:
        """Check whether a few changed geofences are closed now; many wait for the periodic check."""
        self.openings.follow(delta.upserted, delta.removed, reset=delta.reset)
        if len(delta.upserted) <= _LOOKED_AT_ONCE:
            with_hours = [fence for fence in delta.upserted if fence.rules.operating_hours is not None]
            self.openings.look(with_hours, self.now(), self.fences.zone, self.settings.operating_hours_rule)

    def _need_session(self) -> Session:
        if self.session is None:
            raise RuntimeError("no workspace is open")
        return self.session

    # Reading

    def _load(self) -> None:
        engine, environment = self._need_session().engine, self.environment
        # Records that arrive during the read may or may not be in its result, so they are added once.
        self._shown += 1
        shown, self._arrived = self._shown, Arrived()
        wanted = max(MAX_LIMIT, len(self.events))
        self._loading, self._stale = True, False

        def read() -> tuple[tuple[Event, ...], tuple[User, ...]]:
            # Ordered by arrival, as the window receives them: replaying an old track creates events with old times.
            events = engine.history.newest(environment, wanted)
            users = engine.users.page(environment, UserQuery(limit=MAX_LIMIT)).items
            if events or users:
                # The events' times need time zones, whose outlines are loaded on first use. That takes a tenth of a
                # second and 30 MB: not in the window's thread, and not unless there is anything to show.
                zone_at(0.0, 0.0)
            return events, users

        def done(answer: tuple[tuple[Event, ...], tuple[User, ...]]) -> None:
            if shown == self._shown:
                self._loading = False
                self._show_loaded(*answer)
                if self._stale:
                    self._load()

        def failed(error: Exception) -> None:
            if shown == self._shown:
                self._loading = False
            self.report_error(error)

        self.operations.read(read, done, failed)
        self._recount.ring()

    def _show_loaded(self, events: tuple[Event, ...], users: tuple[User, ...]) -> None:
        self.events.replace(events)
        self.events.add(self._arrived.events)
        known = {user.id: user for user in reversed(users)} | self._arrived.users
        self.users.replace(known.values())
        self.users_loaded.emit(tuple(known.values()))
        selected = self.selection.event
        if selected is not None and self.events.get(selected.id) is None:
            self.selection.select_event(None)

    def _count(self) -> None:
        if self._counting or self.session is None:
            return
        self._counting = True
        engine, environment = self.session.engine, self.environment

        def done(counts: Counts) -> None:
            self._counting = False
            if environment is self.environment:
                self.counted.emit(counts)
            else:
                self._recount.ring()

        def failed(error: Exception) -> None:
            self._counting = False
            self.report_error(error)

        self.operations.read(lambda: engine.history.counts(environment), done, failed)

    def _take_in(self, gathered: Gathered) -> None:
        if gathered.fences or gathered.removed:
            hidden = self.sandbox.edits.touched if self.sandbox else frozenset()
            fences = [fence for fence in gathered.fences.values() if fence.id not in hidden]
            removed = [fence_id for fence_id in gathered.removed if fence_id not in hidden]
            self._fence_reader.take(fences, removed)
            self.selection.forget_fences(tuple(removed))
        if gathered.beacons or gathered.removed_beacons:
            self.beacons.apply(gathered.beacons.values(), gathered.removed_beacons)
            self.selection.forget_beacons(tuple(gathered.removed_beacons))
        if gathered.users:
            self.users.take(gathered.users.values())
            self.users_moved.emit(tuple(gathered.users.values()))
        if gathered.settings is not None:
            self.settings_changed.emit()
        if gathered.areas:
            self.areas_changed.emit()
        if gathered.sync:
            self.sync_changed.emit()
        if gathered.webhooks:
            self.webhooks_changed.emit()
        self._read_again(gathered)
        if gathered.events:
            self.events.add(gathered.events)
            self.events_arrived.emit(tuple(gathered.events))
        self._recount.ring()

    def _read_again(self, gathered: Gathered) -> None:
        """Reload events and users if that is due, keeping records that arrive in the meantime."""
        begins = gathered.reread and not self._loading
        if begins:
            self._load()
        elif gathered.reread:
            # Trips of a whole fleet change faster than they are read, so reload once more afterwards.
            self._stale = True
        if self._loading:
            came = gathered.since if begins else gathered
            self._arrived.take(came.users.values(), came.events)

    # Changing

    @property
    def history(self) -> HistoryState:
        """The next steps of undo and redo."""
        editor = self.sandbox.editor if self.sandbox else self._editors.get(self.environment)
        return editor.history.state if editor else HistoryState()

    def edit[T](
        self,
        work: Callable[[FenceEditor], T],
        done: Callable[[T], None] | None = None,
        failed: Failed | None = None,
        text: str = "",
    ) -> None:
        """Change geofences of the current environment; without `failed`, an error is shown as a message.

        A change of possibly many geofences has a `text`, which is shown if it takes a while; it can then be cancelled.
        """
        environment = self.environment

        def finish(answer: T) -> None:
            if done is not None and environment is self.environment:
                done(answer)

        self.edit_in(environment, work, finish, failed or self.report_error, text)

    def edit_in[T](
        self,
        environment: Environment,
        work: Callable[[FenceEditor], T],
        done: Callable[[T], None],
        failed: Failed,
        text: str = "",
    ) -> None:
        """Change geofences of an environment, shown or not."""
        sandbox = self.sandbox
        editor = self._editors[environment]
        if sandbox is not None and sandbox.environment is environment:
            editor = sandbox.editor

        def reported(report: Progress) -> T:
            with editor.reporting_to(report):
                return work(editor)

        self._change(reported, done, failed, text)

    def edit_beacons[T](
        self, environment: Environment, work: Callable[[BeaconEditor], T], done: Callable[[T], None], failed: Failed
    ) -> None:
        """Change beacons of an environment, shown or not."""
        self._change(lambda _: work(self._beacon_editors[environment]), done, failed)

    def _change[T](
        self, work: Callable[[Progress], T], done: Callable[[T], None], failed: Failed, text: str = ""
    ) -> None:
        def finish(answer: T) -> None:
            # Show the change before the caller is notified.
            self._feed.flush()
            self._live.flush()
            self._show_sandbox()
            self.history_changed.emit()
            done(answer)
            if isinstance(answer, Outcome) and answer.moved is not None:
                self.noted.emit(moved_text(answer.moved))

        def change(report: Progress = no_progress) -> T:
            with editing_as(EditSource.WINDOW):
                return work(report)

        if text:
            self.operations.long_change(text, change, finish, failed)
        else:
            self.operations.change(change, finish, failed)

    def report_error(self, error: Exception) -> None:
        """Show an error that belongs to no field; a cancellation is only noted."""
        if isinstance(error, Cancelled):
            self.noted.emit(tr("Cancelled; nothing was changed."))
            return
        self.problem.emit(error_text(error) or type(error).__name__)

    def _follow_live(self, gathered: Gathered) -> None:
        self.pending.follow_fences(gathered.fences.values(), gathered.removed)
        if gathered.settings is not None:
            self.pending.follow_settings(gathered.settings)


def _of_records(change: Change) -> bool:
    """Return whether editable records were changed, as opposed to tracked ones."""
    return bool(change.geofences or change.removed_geofence_ids or change.settings)
