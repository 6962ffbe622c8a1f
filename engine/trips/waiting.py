"""Location updates that wait outside the writer for the routes of their trips, without delaying other users.

If time does not pass by itself (the Test clock stands still or is moved manually, or a track is played at full speed),
the next update may arrive before the route requested by the previous one. Without waiting, the speed of the machine
would decide whether its ETA uses that route. Therefore such an update waits, and so do later updates of its device. If
the route takes too long, the update is decided without it and marked accordingly.
"""

from bisect import insort
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from itertools import count
from threading import Lock
from time import monotonic
from typing import Final

from msgspec import Struct, field

from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.ports import Done
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.domain.values import replace
from engine.store.writer import Batch

PATIENCE_S: Final = 5.0
"""How long an update waits for the route of its trip, in seconds."""

type Work = tuple[Callable[[Batch], TrackResult], Done[TrackResult]]
"""An update in the form that the writer takes."""

type Track = Callable[[Environment, LocationUpdate, Batch], TrackResult]
type Awaited = Callable[[Environment, LocationUpdate, Batch], Future[None] | None]


class _Held(Exception):
    """Raised by the work of an update that cannot be decided yet."""


class _Line(Struct, eq=False):
    """The updates of a device in order, from the first undecided one, and whether that one is waiting."""

    entries: "list[_Entry]" = field(default_factory=list)
    waits: bool = False


class _Entry(Struct, eq=False):
    """An update with the `search` it must wait for. `at_writer` is true once it was passed to the writer."""

    number: int
    environment: Environment
    update: LocationUpdate
    done: Done[TrackResult]
    held: Callable[[], None]
    line: _Line = field(default_factory=_Line)
    search: Future[None] | None = None
    at_writer: bool = True
    gave_up: bool = False

    @property
    def key(self) -> tuple[Environment, str]:
        """The device of the update."""
        return self.environment, self.update.device_id


class WaitingLines:
    """A queue for each device with a waiting update. The queues are changed in the writer's thread only."""

    def __init__(
        self, track: Track, awaited: Awaited, submit: Callable[[Iterable[Work]], None], waiting: Callable[[], None]
    ) -> None:
        """Create the queues. `waiting` is called when an update begins to wait, so that `give_up` can be scheduled."""
        self._track = track
        self._awaited = awaited
        self._submit_all = submit
        self._waiting = waiting
        self._numbers = count()
        self._lines: dict[tuple[Environment, str], _Line] = {}
        self._lock = Lock()
        self._waits: dict[_Entry, float] = {}
        """Deadline of each waiting update."""
        self._is_closed = False

    def __bool__(self) -> bool:
        """Return whether any update is waiting."""
        return bool(self._lines)

    def enter(
        self, environment: Environment, update: LocationUpdate, done: Done[TrackResult], held: Callable[[], None]
    ) -> Work:
        """Return the work of an update that may have to wait. `held` is called if it does."""
        return self._work_of(_Entry(next(self._numbers), environment, update, done, held))

    def until_given_up_s(self) -> float | None:
        """Return the seconds until the first waiting update gives up, or None if no update is waiting."""
        with self._lock:
            first = min(self._waits.values(), default=None)
        return None if first is None else first - monotonic()

    def give_up(self) -> None:
        """Release the updates that have waited long enough."""
        now = monotonic()
        with self._lock:
            due = [entry for entry, until in self._waits.items() if until <= now]
        for entry in due:
            self._go_on(entry, gave_up=True)

    def close(self) -> None:
        """Release all updates, and let no others wait."""
        with self._lock:
            self._is_closed = True
            waits = tuple(self._waits)
        for entry in waits:
            self._go_on(entry, gave_up=True)

    def _work_of(self, entry: _Entry) -> Work:
        return partial(self._decide, entry), partial(self._decided, entry)

    def _decide(self, entry: _Entry, batch: Batch) -> TrackResult:
        """Decide an update, unless it has to wait. The writer may call this again after a failed commit."""
        line = entry.line = self._lines.setdefault(entry.key, entry.line)
        if entry not in line.entries:
            insort(line.entries, entry, key=lambda each: each.number)
        if line.entries[0] is not entry:
            raise _Held
        is_patient = not (entry.gave_up or self._is_closed)
        entry.search = self._awaited(entry.environment, entry.update, batch) if is_patient else None
        if entry.search is not None:
            raise _Held
        self._leave(entry)
        result = self._track(entry.environment, entry.update, batch)
        return replace(result, lacks_route=True) if entry.gave_up and result.user.trip is not None else result

    def _leave(self, entry: _Entry) -> None:
        line = entry.line
        if entry in line.entries:
            line.entries.remove(entry)
        if not line.entries and self._lines.get(entry.key) is line:
            del self._lines[entry.key]

    def _decided(self, entry: _Entry, result: TrackResult | None, error: BaseException | None) -> None:
        """Deliver the result of an update, or begin to wait, in the writer's thread after the commit."""
        entry.at_writer = False
        if not isinstance(error, _Held):
            self._leave(entry)
            entry.done(result, error)
        else:
            if entry.search is not None:
                self._wait(entry, entry.search)
            entry.held()
        self._submit(self._ready(entry.line))

    def _wait(self, entry: _Entry, search: Future[None]) -> None:
        with self._lock:
            entry.line.waits = True
            self._waits[entry] = monotonic() + PATIENCE_S
        self._waiting()
        search.add_done_callback(lambda _: self._go_on(entry, gave_up=False))

    def _go_on(self, entry: _Entry, *, gave_up: bool) -> None:
        """Release a waiting update, once and from any thread."""
        with self._lock:
            if self._waits.pop(entry, None) is None:
                return
            entry.gave_up, entry.at_writer, entry.line.waits = gave_up, True, False
        self._submit((entry,))

    def _ready(self, line: _Line) -> tuple[_Entry, ...]:
        """Mark and return the updates of a queue to decide now; none if its first one is waiting or being decided."""
        with self._lock:
            if not line.entries or line.waits or line.entries[0].at_writer:
                return ()
            ready = tuple(entry for entry in line.entries if not entry.at_writer)
            for entry in ready:
                entry.at_writer = True
        return ready

    def _submit(self, entries: tuple[_Entry, ...]) -> None:
        try:
            if entries:
                self._submit_all(self._work_of(entry) for entry in entries)
        except FencewrightError as error:  # the workspace is closed
            for line in {entry.line for entry in entries}:
                for entry in tuple(line.entries):
                    entry.done(None, error)
