"""The open workspace as the window works with it: its state, and the operations that change it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.desktop.feed import ChangeFeed, Gathered
from app.desktop.model.editing import FenceEditor, Outcome
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook
from app.desktop.model.history import HistoryState
from app.desktop.model.selection import Selection
from app.desktop.model.simulation import Simulation
from app.desktop.operations import Failed, Operations
from app.desktop.relay import Relay
from app.desktop.session import Session
from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.queries import MAX_LIMIT, Counts, EventQuery, UserQuery
from engine.domain.tracking import Event, User

_COUNTED_EVERY_MS = 300


class Desk(QObject):
    """Everything that panels look at. They listen to its parts; they change fences through `edit`."""

    opened = Signal()
    environment_changed = Signal()
    history_changed = Signal()
    counted = Signal(object)
    events_arrived = Signal(object)
    users_moved = Signal(object)
    users_loaded = Signal(object)
    simulation_progressed = Signal()
    problem = Signal(str)

    def __init__(self, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.operations = operations
        self.session: Session | None = None
        self.environment = Environment.TEST
        self.fences = FenceBook()
        self.events = EventLog()
        self.selection = Selection()
        self.simulation = Simulation(operations.retire)
        self._editors: dict[Environment, FenceEditor] = {}
        self._shown = 0
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
        self._shown += 1
        self.selection.clear()
        self.simulation.send_to(partial(engine.track, environment))
        self._feed.listen(engine.subscribe, environment)
        self.environment_changed.emit()
        self.fences.replace(engine.all_geofences(environment))
        self.events.replace(())
        self._load()
        self.history_changed.emit()

    def close(self) -> None:
        """Stop playing and listening."""
        self._feed.close()
        self.simulation.unload()

    def _need_session(self) -> Session:
        if self.session is None:
            raise RuntimeError("no workspace is open")
        return self.session

    # What is read

    def _load(self) -> None:
        engine, environment, shown = self._need_session().engine, self.environment, self._shown

        def read() -> tuple[tuple[Event, ...], tuple[User, ...]]:
            events = engine.events(environment, EventQuery(limit=MAX_LIMIT)).items
            return events, engine.users(environment, UserQuery()).items

        def done(answer: tuple[tuple[Event, ...], tuple[User, ...]]) -> None:
            if shown == self._shown:
                events, users = answer
                arrived = tuple(reversed(self.events.all()))
                self.events.replace(events)
                self.events.add(arrived)
                self.users_loaded.emit(users)

        self.operations.read(read, done, self.tell)
        self._recount.ring()

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
            self.users_moved.emit(tuple(gathered.users.values()))
        if gathered.events:
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
