"""Playback of a track: its updates are sent one by one, in their rhythm, from a separate thread."""

from collections.abc import Callable, Sequence
from enum import Enum
from threading import Condition, Thread, current_thread
from time import monotonic
from typing import Protocol

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.updates import LocationUpdate


class PlayerState(Enum):
    """The state of a player."""

    PAUSED = "paused"
    PLAYING = "playing"
    FINISHED = "finished"
    FAILED = "failed"
    STOPPED = "stopped"


class Timekeeper(Protocol):
    """The passing of time while a track plays; tests use one that does not wait."""

    def now(self) -> float:
        """Return monotonic seconds."""
        ...

    def wait(self, condition: Condition, seconds: float | None) -> None:
        """Wait on the held `condition` until it is notified, at most `seconds`."""
        ...


class RealTime:
    """The machine's monotonic time."""

    def now(self) -> float:
        """Return the monotonic time in seconds."""
        return monotonic()

    def wait(self, condition: Condition, seconds: float | None) -> None:
        """Wait on the held `condition`, at most `seconds`."""
        condition.wait(seconds)


def check_speed(speed: float | None) -> float | None:
    """Return `speed` if it is valid: None for as fast as possible, or a positive factor."""
    if speed is not None and not 0 < speed < float("inf"):
        raise InvalidParameter("speed", f"speed: must be greater than 0, not {speed:g}.")
    return speed


class Player[Result]:
    """Sends the updates of a track through `track`, in order; `Result` is the type that `track` returns.

    A new player is paused before the first update. `play`, `pause`, `step`, `seek`, `stop` and `set_speed` may be
    called from any thread, at any time, and return immediately. Only `stop` waits for the thread, which exists only
    while the player plays or steps.

    The callbacks run **in the player's thread**, never while a lock is held, so they may call the player:

    - ``on_step(index, update, result)`` after each update was committed;
    - ``on_finished()`` after the last one;
    - ``on_error(error)`` when `track` or `on_step` raised: the player has failed; an update that was not
      tracked is sent again by the next `play` or `step`.

    Speed None sends without waiting. Speed N plays N times as fast as recorded: the first update at once, each further
    one when its time after the first has passed. If the engine does not keep up, late updates follow without waiting.
    """

    def __init__(
        self,
        track: Callable[[LocationUpdate], Result],
        updates: Sequence[LocationUpdate],
        *,
        speed: float | None = None,
        on_step: Callable[[int, LocationUpdate, Result], None] | None = None,
        on_finished: Callable[[], None] | None = None,
        on_error: Callable[[BaseException], None] | None = None,
        timekeeper: Timekeeper | None = None,
    ) -> None:
        self._track = track
        self._updates = tuple(updates)
        self._on_step = on_step or (lambda _index, _update, _result: None)
        self._on_finished = on_finished or (lambda: None)
        self._on_error = on_error or (lambda _error: None)
        self._time = timekeeper or RealTime()
        self._condition = Condition()
        self._thread: Thread | None = None
        self._awake = False
        self._state = PlayerState.PAUSED
        self._position = 0
        self._steps_wanted = 0
        self._speed = check_speed(speed)
        self._offsets = _offsets(self._updates)
        # Recorded seconds since the first update, as of the time `_anchor` while playing.
        self._elapsed = 0.0
        self._anchor = 0.0

    @property
    def state(self) -> PlayerState:
        """The current state of the player."""
        with self._condition:
            return self._state

    @property
    def position(self) -> int:
        """Index of the next update to send, or the number of updates once finished."""
        with self._condition:
            return self._position

    @property
    def total(self) -> int:
        """Number of updates of the track."""
        return len(self._updates)

    @property
    def speed(self) -> float | None:
        """Factor on recorded time, or None for as fast as possible."""
        with self._condition:
            return self._speed

    def set_speed(self, speed: float | None) -> None:
        """Change the speed, even while playing; the elapsed part of the current pause between fixes counts."""
        checked = check_speed(speed)
        with self._condition:
            self._settle_time()
            self._speed = checked
            self._condition.notify_all()

    def play(self) -> None:
        """Start, or continue after a pause, a failure or a stop. Does nothing once finished."""
        with self._condition:
            if self._state in (PlayerState.FINISHED, PlayerState.PLAYING):
                return
            self._state = PlayerState.PLAYING
            self._anchor = self._time.now()
            self._wake()

    def pause(self) -> None:
        """Stop sending after the current update; time stands still until `play`."""
        with self._condition:
            if self._state is PlayerState.PLAYING:
                self._settle_time()
                self._state = PlayerState.PAUSED
                self._condition.notify_all()

    def step(self) -> None:
        """Send exactly one update now, then pause. Does nothing once finished."""
        with self._condition:
            if self._state is PlayerState.FINISHED:
                return
            self._state = PlayerState.PAUSED
            self._steps_wanted += 1
            self._wake()

    def seek(self, index: int) -> None:
        """Continue with the update `index`, clamped to the track; a player that was not playing is paused."""
        with self._condition:
            self._position = max(0, min(index, self.total))
            self._steps_wanted = 0
            self._elapsed = self._offset(self._position)
            self._anchor = self._time.now()
            if self._state is not PlayerState.PLAYING:
                self._state = PlayerState.PAUSED
            self._condition.notify_all()

    def stop(self) -> None:
        """End the thread and wait for it; the current update is completed. May be called repeatedly."""
        with self._condition:
            if self._state is not PlayerState.FINISHED:
                self._settle_time()
                self._state = PlayerState.STOPPED
            self._steps_wanted = 0
            self._condition.notify_all()
            thread = self._thread
        if thread is not None and thread is not current_thread():
            thread.join()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the thread has ended (finished, failed, paused or stopped); return whether it has."""
        with self._condition:
            thread = self._thread
        if thread is not None:
            thread.join(timeout)
        return thread is None or not thread.is_alive()

    def _wake(self) -> None:
        if not self._awake:
            self._awake = True
            self._thread = Thread(target=self._run, args=(self._thread,), name="track player", daemon=True)
            self._thread.start()
        self._condition.notify_all()

    def _run(self, previous: Thread | None) -> None:
        if previous is not None:
            previous.join()  # its last callback precedes everything in this thread
        while isinstance(index := self._next(), int):
            self._send(index)
        if index is PlayerState.FINISHED:
            self._on_finished()

    def _next(self) -> int | PlayerState:
        """Wait until an update is due and take it, or end the thread and return the final state."""
        with self._condition:
            while self._steps_wanted or self._state in (PlayerState.PLAYING, PlayerState.PAUSED):
                if self._position >= self.total:
                    self._state, self._steps_wanted = PlayerState.FINISHED, 0
                elif self._steps_wanted or (self._state is PlayerState.PLAYING and self._due_in() <= 0):
                    return self._take()
                elif self._state is PlayerState.PLAYING:
                    self._time.wait(self._condition, self._due_in())
                else:
                    break
            # Cleared under the lock, so that a `play` from here on starts a new thread.
            self._awake = False
            return self._state

    def _take(self) -> int:
        index = self._position
        self._position += 1
        if self._steps_wanted:
            self._steps_wanted -= 1
            self._elapsed = self._offset(index)
            self._anchor = self._time.now()
        return index

    def _send(self, index: int) -> None:
        update = self._updates[index]
        try:
            result = self._track(update)
        except BaseException as error:  # noqa: BLE001 - whatever it was, the owner of the player hears of it
            self._fail(error, retry=index)
            return
        try:
            self._on_step(index, update, result)
        except BaseException as error:  # noqa: BLE001
            self._fail(error, retry=None)

    def _fail(self, error: BaseException, *, retry: int | None) -> None:
        with self._condition:
            self._steps_wanted = 0
            if self._state is not PlayerState.STOPPED:
                self._settle_time()
                self._state = PlayerState.FAILED
            if retry is not None and self._position == retry + 1:  # unless a seek came in between
                self._position = retry
        self._on_error(error)

    def _due_in(self) -> float:
        """Return the seconds to wait until the next update is due at the current speed."""
        if self._speed is None:
            return 0.0
        passed = (self._time.now() - self._anchor) * self._speed
        return (self._offset(self._position) - self._elapsed - passed) / self._speed

    def _settle_time(self) -> None:
        """Add the time elapsed since the anchor, but never beyond the next update."""
        if self._state is not PlayerState.PLAYING:
            return
        now = self._time.now()
        limit = self._offset(self._position)
        passed = 0.0 if self._speed is None else (now - self._anchor) * self._speed
        self._elapsed = limit if self._speed is None else min(self._elapsed + passed, limit)
        self._anchor = now

    def _offset(self, index: int) -> float:
        return self._offsets[min(index, self.total - 1)] if self._offsets else 0.0


def _offsets(updates: Sequence[LocationUpdate]) -> tuple[float, ...]:
    """Return each update's seconds after the first timed one; an update without a time follows immediately."""
    first = next((update.at for update in updates if update.at is not None), None)
    offsets: list[float] = []
    latest = 0.0
    for update in updates:
        if update.at is not None and first is not None:
            latest = (update.at - first).total_seconds()
        offsets.append(latest)
    return tuple(offsets)
