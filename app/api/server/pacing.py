"""Timeouts of a connection, the pace of reading it, and the number of requests per round of the event loop."""

from asyncio import AbstractEventLoop, TimerHandle
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol, override

from uvicorn.protocols.http.flow_control import FlowControl

from app.api.http.limits import BODY_DEADLINE_S, HEAD_DEADLINE_S, KEEP_ALIVE_S, LINGER_S, PROGRESS, PROGRESS_EVERY_S

LATE_BODY: Final = (
    f"The request's body did not arrive in time: it takes at least {PROGRESS} bytes every {PROGRESS_EVERY_S:g} "
    f"seconds, and all of it within {BODY_DEADLINE_S:g}."
)

UNUSED_S: Final = 0.25
"""How soon a request follows on a connection opened for it; browsers also open connections without a request."""

AT_ONCE: Final = 8
"""Number of requests started in one round, and of places for requests of pipelining connections."""

ORDINARY: Final = 4
"""Number of places taken by a normal request of such a connection; a location update takes one.

A normal request may need a thread, and each busy thread makes the loop wait for the interpreter.
"""

TURN_S: Final = 0.1
"""Maximum time for which one pipelined request blocks the others."""

LET_IN_S: Final = 0.05
"""Maximum time for which pipelined requests wait while new connections are accepted."""

MAX_WAITING: Final = 1_024
"""Twice the number of connections: any more must belong to clients that have disconnected."""


def late_head(*, begun: bool) -> str:
    """Return the error message for a request that did not arrive in time."""
    return f"{"The request's head" if begun else 'A request'} did not arrive within {HEAD_DEADLINE_S:g} seconds."


class Patience:
    """Tracks how long a connection has been waiting for its client to send, by the loop's clock."""

    __slots__ = ("_body_since", "_progress", "since")

    def __init__(self, now: float) -> None:
        self.since: float | None = now
        """Start of the wait, or None while the connection is responding to a request."""
        self._body_since = 0.0
        self._progress = 0

    def begin(self, now: float) -> None:
        """Start waiting."""
        self.since = now

    def begin_body(self, now: float) -> None:
        """Start waiting for a body."""
        self.since = self._body_since = now
        self._progress = 0

    def end(self) -> None:
        """Stop waiting, because now the client waits."""
        self.since = None

    def note_progress(self, size: int, now: float) -> None:
        """Count received bytes of a body; enough of them extend the deadline."""
        self._progress += size
        if self._progress >= PROGRESS:
            self._progress = 0
            self.since = now

    def lingers_too_long(self, now: float) -> bool:
        """Return whether a refused client has not closed its side in time."""
        return self._waited_s(now) > LINGER_S

    def is_idle(self, now: float) -> bool:
        """Return whether the connection has been idle for so long that it may be closed."""
        return self._waited_s(now) > KEEP_ALIVE_S

    def head_is_late(self, now: float) -> bool:
        """Return whether a request's head has not arrived in time."""
        return self._waited_s(now) > HEAD_DEADLINE_S

    def body_is_late(self, now: float) -> bool:
        """Return whether a body arrives too slowly or has not arrived in time."""
        return self._waited_s(now) > PROGRESS_EVERY_S or now - self._body_since > BODY_DEADLINE_S

    def _waited_s(self, now: float) -> float:
        return 0.0 if self.since is None else now - self.since


class Unread:
    """The part of the responses that a client has not read yet."""

    __slots__ = ("_size", "since")

    def __init__(self) -> None:
        self._size = 0
        self.since: float | None = None
        """Loop time at which the client began to read too little, or None if it has read everything."""

    def is_stuck(self, size: int, now: float) -> bool:
        """Update the unread size; return whether the client has read too little for too long."""
        if not size:
            self._size, self.since = 0, None
        elif self.since is None or size <= self._size - PROGRESS:
            self._size, self.since = size, now
        else:
            self._size = max(size, self._size)
            return now - self.since > PROGRESS_EVERY_S
        return False


class Flow(FlowControl):
    """Flow control of a connection; `held` reading is resumed only by `release`."""

    held = False

    @override
    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()

    def hold(self) -> None:
        """Pause reading until `release`."""
        self.held = True
        self.pause_reading()

    def release(self) -> None:
        """Resume reading."""
        if self.held:
            self.held = False
            self.resume_reading()


class Turns:
    """Starts requests in order of arrival, a few in each round of a loop.

    A loop finishes everything that is ready before it polls for new data. Otherwise location updates of the fast path
    would wait for all requests that arrived before them, and each connection may have one.
    """

    __slots__ = ("_begun", "_waiting")

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._begun = 0

    def take(self, begin: Callable[[], None], loop: AbstractEventLoop) -> None:
        """Call `begin` at once, or in a later round if this one has started enough."""
        if not self._begun:
            loop.call_soon(self._next_round, loop)
        if self._begun < AT_ONCE and not self._waiting:
            self._begun += 1
            begin()
            return
        self._waiting.append(begin)
        if len(self._waiting) > MAX_WAITING:
            self._waiting.popleft()()

    def _next_round(self, loop: AbstractEventLoop) -> None:
        self._begun = min(AT_ONCE, len(self._waiting))
        if self._begun:
            loop.call_soon(self._next_round, loop)
        for _ in range(self._begun):
            self._waiting.popleft()()


class SendsAhead(Protocol):
    """A connection whose client pipelines requests: it sends them without waiting for responses."""

    def take_turn(self) -> bool:
        """Start one request unless the client has disconnected; return whether it takes the fast path."""
        ...


class Line:
    """Gives pipelining connections their turns, one request each, a few at a time.

    Other requests start without queueing. Hundreds of connections with dozens of requests each delay a client that
    waits for its responses only by the few requests in progress. A turn ends with the response, or when the client has
    to read or send first, and after `TURN_S` at the latest: a request that waits for another resource is processed
    alongside the next ones.

    A loop accepts one new connection per round. While connections are being accepted, its rounds stay short. Otherwise
    the last of hundreds would wait for as many turns as there are connections before it.
    """

    __slots__ = ("_given_at", "_giving", "_is_letting_in", "_loop", "_timer", "_turns", "_waiting")

    def __init__(self) -> None:
        self._waiting: deque[SendsAhead] = deque()
        self._turns: dict[SendsAhead, tuple[float, int]] = {}
        self._giving = False
        self._given_at = 0.0
        self._is_letting_in = False
        self._timer: TimerHandle | None = None
        self._loop: AbstractEventLoop | None = None

    def join(self, connection: SendsAhead, loop: AbstractEventLoop) -> None:
        """Queue a connection for its turn, which comes in a later round of the loop."""
        self._loop = loop
        self._waiting.append(connection)
        self._give_soon()

    def end_turn(self, connection: SendsAhead) -> None:
        """End the turn of a connection, if it has one."""
        if self._turns.pop(connection, None) is not None and self._waiting:
            self._give_soon()

    def let_in(self) -> None:
        """Note that a connection was accepted, and that others may be waiting."""
        self._is_letting_in = True

    def _give_soon(self) -> None:
        if not self._giving and self._loop is not None:
            self._giving = True
            self._loop.call_soon(self._give)

    def _give(self) -> None:
        """Give turns as far as there are places, and schedule the next attempt."""
        assert self._loop is not None
        self._giving = False
        now = self._loop.time()
        is_letting_in, self._is_letting_in = self._is_letting_in, False
        if is_letting_in and now - self._given_at < LET_IN_S:
            self._give_soon()
            return
        self._given_at = now
        self._forget_long(now)
        for _ in range(min(AT_ONCE, len(self._waiting))):
            if self._has_place():
                self._give_one(now)
        if self._waiting:
            self._give_later()

    def _has_place(self) -> bool:
        return sum(places for _, places in self._turns.values()) < AT_ONCE

    def _give_one(self, now: float) -> None:
        connection = self._waiting.popleft()
        self._turns[connection] = now, ORDINARY
        if connection.take_turn() and connection in self._turns:
            self._turns[connection] = now, 1

    def _give_later(self) -> None:
        assert self._loop is not None
        if self._has_place():
            self._give_soon()
        elif self._timer is None:
            self._timer = self._loop.call_later(TURN_S, self._give_late)

    def _give_late(self) -> None:
        self._timer = None
        self._give()

    def _forget_long(self, now: float) -> None:
        """End the turns of slow requests."""
        for connection, (since, _) in list(self._turns.items()):
            if now - since >= TURN_S:
                del self._turns[connection]
