"""The open workspace as the window works with it: its state, and the operations that change it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal

from app.desktop.feed import ChangeFeed, Gathered
from app.desktop.map.values import MapFence
from app.desktop.model.editing import FenceEditor, Outcome
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook, FenceDelta
from app.desktop.model.history import HistoryState
from app.desktop.model.openings import Openings
from app.desktop.model.selection import Selection
from app.desktop.model.simulation import Simulation
from app.desktop.model.users import UserBook
from app.desktop.operations import Failed, Operations
from app.desktop.relay import Relay
from app.desktop.session import Session
from app.desktop.shapes import map_fence
from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.geofence import Geofence
from engine.domain.queries import MAX_LIMIT, Counts, EventQuery, UserQuery
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings, SettingsChange
from engine.domain.tracking import Event, User
from engine.geo.zones import zone_at

_COUNTED_EVERY_MS = 300
_LOOKED_AT_ONCE = 64


class Desk(QObject):
    """Everything that panels look at. They listen to its parts; they change fences through `edit`."""

    opened = Signal()
    environment_changed = Signal()
    history_changed = Signal()
    counted = Signal(object)
    events_arrived = Signal(object)
    users_moved = Signal(object)
    users_loaded = Signal(object)
    settings_changed = Signal()
    areas_changed = Signal()
    simulation_progressed = Signal()
    problem = Signal(str)

    def __init__(self, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.operations = operations
        self.session: Session | None = None
        self.environment = Environment.TEST
        self.fences = FenceBook()
        self.events = EventLog()
        self.users = UserBook()
        self.openings = Openings()
        self.selection = Selection()
        self.fences.changed.connect(self._follow_hours)
        self.simulation = Simulation(operations.retire)
        self._editors: dict[Environment, FenceEditor] = {}
        self._shown = 0
        self._arrived = Gathered()
        self._feed = ChangeFeed(self)
        self._feed.changed.connect(self._take_in)
        self._player = Relay(self, interval_ms=40)
        self._player.rung.connect(self.simulation_progressed)
        self.simulation.progressed.connect(self._player.ring)
        self._counting = False
        self._recount = Relay(self, interval_ms=_COUNTED_EVERY_MS)
        self._recount.rung.connect(self._count)

    # What is open

    def open(self, session: Session) -> Session | None:
        """Show another workspace; return the one before, for its owner to close."""
        before, self.session = self.session, session
        self._editors = {env: FenceEditor(session.engine, env) for env in Environment}
        self.simulation.unload()
        self.opened.emit()
        self.show(self.environment)
        return before

    def show(self, environment: Environment) -> None:
        """Show Test or Live."""
        session = self._need_session()
        engine = session.engine
        self.environment = environment
        self.selection.reset()
        self.simulation.send_to(partial(engine.track, environment))
        self._feed.listen(engine.subscribe, environment)
        self.environment_changed.emit()
        self.settings_changed.emit()
        self.fences.replace(engine.all_geofences(environment))
        self.events.replace(())
        self.users.replace(())
        self._load()
        self.history_changed.emit()

    def close(self) -> None:
        """Stop playing and listening."""
        self._feed.close()
        self.simulation.unload()

    @property
    def settings(self) -> ProjectSettings:
        """The settings of the environment that is shown."""
        return self.session.engine.settings(self.environment) if self.session else DEFAULT_SETTINGS

    def now(self) -> datetime:
        """Return the time by which the environment that is shown goes."""
        return self.session.engine.clock_of(self.environment).now() if self.session else datetime.now(UTC)

    def zone_of_event(self, event: Event) -> ZoneInfo:
        """Return the zone in which an event's time is shown: its fence's, else that of its place."""
        fence = self.fences.get(event.geofence.id) if event.geofence else None
        if fence is not None:
            return self.fences.zone(fence)
        return zone_at(event.point.longitude, event.point.latitude) if event.point else ZoneInfo("UTC")

    def drawn(self, fence: Geofence) -> MapFence:
        """Return a fence as the map draws it."""
        return map_fence(fence, self.fences.color(fence.tag), closed=self.openings.is_closed(fence.id))

    def _follow_hours(self, delta: FenceDelta) -> None:
        """Look at once at a few fences that have changed; many are for the next look in the background."""
        self.openings.follow(delta.upserted, delta.removed, reset=delta.reset)
        if len(delta.upserted) <= _LOOKED_AT_ONCE:
            with_hours = [fence for fence in delta.upserted if fence.rules.operating_hours is not None]
            self.openings.look(with_hours, self.now(), self.fences.zone)

    def _need_session(self) -> Session:
        if self.session is None:
            raise RuntimeError("no workspace is open")
        return self.session

    # What is read

    def _load(self) -> None:
        engine, environment = self._need_session().engine, self.environment
        # What arrives while it is read may be in the answer or not: it is added once.
        self._shown += 1
        shown, self._arrived = self._shown, Gathered()

        def read() -> tuple[tuple[Event, ...], tuple[User, ...]]:
            # The outlines of the zones are loaded with the first question: not in the window's thread.
            zone_at(0.0, 0.0)
            events = engine.events(environment, EventQuery(limit=MAX_LIMIT)).items
            return events, engine.users(environment, UserQuery(limit=MAX_LIMIT)).items

        def done(answer: tuple[tuple[Event, ...], tuple[User, ...]]) -> None:
            if shown == self._shown:
                self._show_loaded(*answer)

        self.operations.read(read, done, self.tell)
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
            self.tell(error)

        self.operations.read(lambda: engine.counts(environment), done, failed)

    def _take_in(self, gathered: Gathered) -> None:
        if gathered.fences or gathered.removed:
            self.fences.apply(gathered.fences.values(), gathered.removed)
            self.selection.forget_fences(tuple(gathered.removed))
        if gathered.users:
            self._arrived.users |= gathered.users
            self.users.take(gathered.users.values())
            self.users_moved.emit(tuple(gathered.users.values()))
        if gathered.settings is not None:
            self.settings_changed.emit()
        if gathered.areas:
            self.areas_changed.emit()
        if gathered.reread:
            self._load()
        if gathered.events:
            self._arrived.events += gathered.events
            self.events.add(gathered.events)
            self.events_arrived.emit(tuple(gathered.events))
        self._recount.ring()

    # What is changed

    @property
    def history(self) -> HistoryState:
        """What undo and redo would do."""
        editor = self._editors.get(self.environment)
        return editor.history.state if editor else HistoryState()

    def edit[T](
        self,
        work: Callable[[FenceEditor], T],
        done: Callable[[T], None] | None = None,
        failed: Failed | None = None,
    ) -> None:
        """Change fences of the environment that is shown; without `failed` an error is a message."""
        environment = self.environment
        editor = self._editors[environment]

        def finish(answer: T) -> None:
            self._take_outcome(answer, environment)
            if done is not None and environment is self.environment:
                done(answer)

        self.operations.change(lambda: work(editor), finish, failed or self.tell)

    def change_settings(self, change: SettingsChange, done: Callable[[ProjectSettings], None], failed: Failed) -> None:
        """Change the settings of the environment that is shown."""
        engine, environment = self._need_session().engine, self.environment
        self.operations.change(lambda: engine.change_settings(environment, change), done, failed)

    def tell(self, error: Exception) -> None:
        """Show an error that belongs to no field."""
        self.problem.emit(str(error) or type(error).__name__)

    def _take_outcome(self, answer: object, environment: Environment) -> None:
        self._feed.flush()
        if isinstance(answer, Outcome) and environment is self.environment:
            self._refresh(answer.fence_id)
        self.history_changed.emit()

    def _refresh(self, fence_id: str) -> None:
        """Show a fence as the engine has it now: since the answer was given others may have changed it."""
        try:
            fence = self._need_session().engine.geofence(self.environment, fence_id)
        except NotFound:
            self.fences.apply(removed=(fence_id,))
            self.selection.forget_fences((fence_id,))
        else:
            self.fences.apply((fence,))
