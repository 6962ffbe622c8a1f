"""A running fleet: one thread sends the due updates on time, or as fast as the engine accepts them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from heapq import heapify, heappop, heappush
from threading import Condition, Thread, current_thread
from typing import Final

from msgspec import Struct

from engine.domain.ports import Cancelled
from engine.domain.tracking.updates import LocationUpdate
from engine.simulation.fleet.updates import Due
from engine.simulation.player import RealTime, Timekeeper, check_speed

BATCH: Final = 128
"""Number of updates submitted together; those of other clients come in between."""

LATE_S: Final = 1.0
"""Delay in seconds from which a fleet is late and waits for the engine instead of adding to its load."""

_WINDOW_S: Final = 2.0
_REPORT_EVERY_S: Final = 0.2

type Send = Callable[[Sequence[LocationUpdate]], Sequence[int | BaseException]]
"""Sends updates of distinct devices; returns for each the number of events, or the error of a refused one."""


type _Waiting = tuple[float, int, LocationUpdate]
"""The due time, the index of the device, and the update."""


class FleetState(Enum):
    """The state of a fleet."""

    READY = "ready"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


class FleetStatus(Struct, frozen=True):
    """Status of a fleet.

    `moving` of `devices` have more to send. `elapsed_s` is the fleet's own time, which recently passed `pace` times as
    fast as real time. `late` states whether the engine fails to keep up with the requested speed.
    """

    state: FleetState
    devices: int
    moving: int
    sent: int = 0
    events: int = 0
    refused: int = 0
    elapsed_s: float = 0.0
    per_second: float = 0.0
    pace: float = 0.0
    late: bool = False
    error: BaseException | None = None


class Fleet:
    """Sends the updates of many devices in the order of their times, which no speed changes.

    With speed None all are sent without waiting, otherwise that many times as fast as their times state. If the engine
    does not keep up, the fleet's time slows down: no update is dropped, and no backlog builds up. `send` and the
    callbacks run in the fleet's thread. If `send` raises `Cancelled`, the fleet is stopped. `on_progress` is called a
    few times a second, and at the end with the final status.
    """

    def __init__(
        self,
        send: Send,
        devices: Sequence[Iterable[Due]],
        *,
        speed: float | None = 1.0,
        until_s: float | None = None,
        on_progress: Callable[[FleetStatus], None] | None = None,
        timekeeper: Timekeeper | None = None,
    ) -> None:
        """Create a fleet that sends until `until_s` of its own time have passed, or all devices are done."""
        self._send = send
        self._sources: tuple[Iterator[Due], ...] = tuple(iter(device) for device in devices)
        self._speed = check_speed(speed)
        self._until_s = until_s
        self._on_progress = on_progress or (lambda _status: None)
        self._time = timekeeper or RealTime()
        self._condition = Condition()
        self._thread: Thread | None = None
        self._state = FleetState.READY
        self._waiting: list[_Waiting] = []
        self._sent = self._events = self._refused = 0
        self._elapsed_s = 0.0
        self._error: BaseException | None = None
        self._meter = _Meter()

    @property
    def status(self) -> FleetStatus:
        """Current status of the fleet."""
        with self._condition:
            return FleetStatus(
                self._state,
                len(self._sources),
                len(self._waiting) if self._state is not FleetState.READY else len(self._sources),
                self._sent,
                self._events,
                self._refused,
                self._elapsed_s,
                self._meter.per_second,
                self._meter.pace,
                self._meter.late and self._state is FleetState.RUNNING,
                self._error,
            )

    def start(self) -> None:
        """Start sending; a fleet can be started only once."""
        with self._condition:
            if self._state is not FleetState.READY:
                return
            self._state = FleetState.RUNNING
            self._thread = Thread(target=self._run, name="fleet", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop after the current batch, and wait for it. May be called repeatedly and from any thread."""
        self.ask_to_stop()
        self.wait()

    def ask_to_stop(self) -> None:
        """Let the fleet stop after the current batch; returns immediately."""
        with self._condition:
            if self._state in (FleetState.READY, FleetState.RUNNING):
                self._state = FleetState.STOPPED
            self._condition.notify_all()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the fleet has ended; return whether it has."""
        thread = self._thread
        if thread is not None and thread is not current_thread():
            thread.join(timeout)
        return thread is None or not thread.is_alive()

    def _run(self) -> None:
        try:
            self._fill()
            self._play()
        except Cancelled:
            with self._condition:
                self._state = FleetState.STOPPED
        except BaseException as error:  # noqa: BLE001 - whatever it was, the owner of the fleet hears of it
            with self._condition:
                self._state, self._error = FleetState.FAILED, error
        self._on_progress(self.status)

    def _fill(self) -> None:
        first = [(*due, index) for index, source in enumerate(self._sources) if (due := next(source, None)) is not None]
        with self._condition:
            self._waiting = [(at, index, update) for at, update, index in first if self._is_within(at)]
            heapify(self._waiting)

    def _is_within(self, at: float) -> bool:
        return self._until_s is None or at <= self._until_s

    def _play(self) -> None:
        """Send due updates until there are no more or the fleet is stopped."""
        began = reported_at = self._time.now()
        while (batch := self._due(began)) is not None:
            if batch:
                self._hand_over(batch)
                began = self._without_debt(began, batch[-1][0])
            now = self._time.now()
            self._meter.measure(now, self._sent, self._elapsed_s)
            if now - reported_at >= _REPORT_EVERY_S:
                reported_at = now
                self._on_progress(self.status)

    def _due(self, began: float) -> list[_Waiting] | None:
        """Take the due updates, after a short wait if there are none; return None at the end."""
        with self._condition:
            if self._state is not FleetState.RUNNING:
                return None
            if not self._waiting:
                self._state = FleetState.FINISHED
                return None
            now_s = self._now_s(began)
            if now_s is not None and self._waiting[0][0] > now_s:
                assert self._speed is not None
                due_in = (self._waiting[0][0] - now_s) / self._speed
                self._elapsed_s = now_s
                self._time.wait(self._condition, min(due_in, _REPORT_EVERY_S))
                return []
            return self._take(now_s)

    def _take(self, until_s: float | None) -> list[_Waiting]:
        """Take the next updates in the order of their times, stopping before the second one of a device."""
        batch: list[_Waiting] = []
        devices: set[int] = set()
        while self._waiting and len(batch) < BATCH and (until_s is None or self._waiting[0][0] <= until_s):
            index = self._waiting[0][1]
            if index in devices:
                break
            devices.add(index)
            batch.append(heappop(self._waiting))
            due = next(self._sources[index], None)
            if due is not None and self._is_within(due[0]):
                heappush(self._waiting, (due[0], index, due[1]))
        return batch

    def _now_s(self, began: float) -> float | None:
        return None if self._speed is None else (self._time.now() - began) * self._speed

    def _hand_over(self, batch: Sequence[_Waiting]) -> None:
        """Send updates and count the outcomes."""
        outcomes = self._send([update for _, _, update in batch])
        refused = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        with self._condition:
            self._sent += len(batch) - len(refused)
            self._events += sum(outcome for outcome in outcomes if isinstance(outcome, int))
            self._refused += len(refused)
            self._error = refused[-1] if refused else self._error
            self._elapsed_s = batch[-1][0]

    def _without_debt(self, began: float, sent_s: float) -> float:
        """Return the start adjusted so that the fleet is at most `LATE_S` late and does not make up for more."""
        now_s = self._now_s(began)
        if now_s is None or self._speed is None:
            return began
        late_s = (now_s - sent_s) / self._speed
        with self._condition:
            self._meter.late = late_s > LATE_S or (self._meter.late and late_s > LATE_S / 2)
        return began + (late_s - LATE_S if late_s > LATE_S else 0.0)


class _Meter:
    """Speed of a fleet over the last seconds."""

    def __init__(self) -> None:
        self.per_second = self.pace = 0.0
        self.late = False
        self._since: tuple[float, int, float] | None = None

    def measure(self, now: float, sent: int, elapsed_s: float) -> None:
        if self._since is None:
            self._since = (now, sent, elapsed_s)
            return
        passed = now - self._since[0]
        if passed >= _WINDOW_S:
            self.per_second = (sent - self._since[1]) / passed
            self.pace = (elapsed_s - self._since[2]) / passed
            self._since = (now, sent, elapsed_s)
