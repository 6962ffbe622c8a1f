"""How much blocking work of one kind runs at once: each takes a thread, and location updates need threads, too."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.domain.errors import FencewrightError

MAX_WAIT_S: Final = 20.0


class Lane:
    """Lets work of one event loop run, a few at a time; the others wait without a thread.

    Where it may be `busy`, work whose turn does not come for long is refused with that error.
    """

    def __init__(self, at_once: int, busy: Callable[[], FencewrightError] | None = None) -> None:
        self._turns = asyncio.Semaphore(at_once)
        self._busy = busy

    async def run[T](self, work: Callable[[], T]) -> T:
        """Return what `work` returns, in a thread."""
        try:
            async with asyncio.timeout(MAX_WAIT_S if self._busy else None):
                await self._turns.acquire()
        except TimeoutError:
            assert self._busy is not None
            raise self._busy() from None
        try:
            return await asyncio.to_thread(work)
        finally:
            self._turns.release()
