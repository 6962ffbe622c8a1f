"""From the engine's writer thread to the event loop, many results at one wake-up."""

import logging
from asyncio import AbstractEventLoop
from collections import deque
from functools import partial

from engine.domain.ports import Done

logger = logging.getLogger(__name__)


class LoopDispatcher[T]:
    """Hands results from other threads to one event loop.

    Waking a loop costs a system call; a commit answers many updates at once, so the loop is woken only when it has
    not been woken already.
    """

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._letters: deque[tuple[Done[T], T | None, BaseException | None]] = deque()
        self._woken = False

    def address(self, receiver: Done[T]) -> Done[T]:
        """Return a callback for any thread that has `receiver` told on the event loop."""
        # A function made here would have its annotations worked out anew for each update.
        return partial(self._send, receiver)

    def _send(self, receiver: Done[T], result: T | None, error: BaseException | None) -> None:
        self._letters.append((receiver, result, error))
        if not self._woken:
            self._wake()

    def _wake(self) -> None:
        self._woken = True
        try:
            self._loop.call_soon_threadsafe(self._deliver)
        except RuntimeError:
            # The loop has been closed: the server has stopped and nobody waits for an answer any more.
            self._letters.clear()

    def _deliver(self) -> None:
        # Cleared before reading: a letter that arrives from here on wakes the loop again.
        self._woken = False
        while self._letters:
            receiver, result, error = self._letters.popleft()
            try:
                receiver(result, error)
            except Exception:
                # The others still wait for theirs.
                logger.exception("A result could not be handed over")
