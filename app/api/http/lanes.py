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


class Once[T]:
    """A value that takes long to make, made in a thread on the first request and shared by all requests."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._making: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the value once it is made; after a failure the next call tries again."""
        making = self._making
        if making is None or (making.done() and (making.cancelled() or making.exception())):
            making = self._making = asyncio.create_task(asyncio.to_thread(self._make))
        return making.result() if making.done() else await asyncio.shield(making)
