"""Turns: how many requests begin in one round of the event loop, so that hundreds at once leave room for updates."""

from asyncio import AbstractEventLoop, TimerHandle
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

AT_ONCE: Final = 8
AHEAD: Final = 4
"""How many requests are answered at once of those that were sent ahead: of each there is work in several rounds."""

TURN_S: Final = 0.1
"""How long a request that was sent ahead keeps others waiting that were, at most."""

MAX_WAITING: Final = 1_024
"""Twice as many as there are connections: more can only be of clients that have left."""


class Turns:
    """Begins requests in the order of their arrival, a few in each round of a loop.

    A loop finishes all that is ready before it looks for what has arrived. Location updates that go the short way
    would else wait for every request that has come before them, of which each connection may have one.
    """

    __slots__ = ("_begun", "_waiting")

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._begun = 0

    def take(self, begin: Callable[[], None], loop: AbstractEventLoop) -> None:
        """Call `begin` at once, or in a later round where enough have begun in this one."""
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
    """A connection whose client has sent requests without waiting for the answers to those before."""

    def take_turn(self) -> None:
        """Begin one request, and end the turn of the connection when it is answered."""
        ...


class Line:
    """Lets connections that send ahead take turns, one request each, a few at a time.

    Other requests begin without standing in line, so that hundreds of connections with dozens of requests each delay a
    client that waits for its answers by no more than the few that are being answered. A request that takes longer than
    `TURN_S` does not hold up the line: it is answered beside the next ones.
    """

    __slots__ = ("_giving", "_loop", "_timer", "_turns", "_waiting")

    def __init__(self) -> None:
        self._waiting: deque[SendsAhead] = deque()
        self._turns: dict[SendsAhead, float] = {}
        self._giving = False
        self._timer: TimerHandle | None = None
        self._loop: AbstractEventLoop | None = None

    def join(self, connection: SendsAhead, loop: AbstractEventLoop) -> None:
        """Let a connection wait for its turn, which comes in a later round of the loop."""
        self._loop = loop
        self._waiting.append(connection)
        self._give_soon()

    def end_turn(self, connection: SendsAhead) -> None:
        """Note that a connection has used its turn, or has ended; does nothing where it has none."""
        if self._turns.pop(connection, None) is not None and self._waiting:
            self._give_soon()

    def _give_soon(self) -> None:
        if not self._giving and self._loop is not None:
            self._giving = True
            self._loop.call_soon(self._give)

    def _give(self) -> None:
        assert self._loop is not None
        self._giving = False
        now = self._loop.time()
        self._forget_long(now)
        for _ in range(min(AHEAD - len(self._turns), len(self._waiting))):
            connection = self._waiting.popleft()
            self._turns[connection] = now
            connection.take_turn()
        if not self._waiting or self._giving:
            return
        if len(self._turns) < AHEAD:
            self._give_soon()
        elif self._timer is None:
            self._timer = self._loop.call_later(TURN_S, self._give_late)

    def _give_late(self) -> None:
        self._timer = None
        self._give()

    def _forget_long(self, now: float) -> None:
        """Let others have the turns of requests that take long."""
        for connection, since in list(self._turns.items()):
            if now - since >= TURN_S:
                del self._turns[connection]
