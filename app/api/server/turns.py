"""Turns: how many requests begin in one round of the event loop, so that hundreds at once leave room for updates."""

from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 8
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
