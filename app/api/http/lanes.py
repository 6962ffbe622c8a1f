"""Limits on concurrent blocking work of one kind, as each takes a thread that updates need too."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.domain.errors import FencewrightError

MAX_WAIT_S: Final = 20.0


class Lane:
    """Runs work of one event loop, a few at a time; the rest waits without a thread.

    With `busy`, work that has waited too long is refused with that error.
    """

    def __init__(self, at_once: int, busy: Callable[[], FencewrightError] | None = None) -> None:
        self._turns = asyncio.Semaphore(at_once)
        self._busy = busy

    async def run[T](self, work: Callable[[], T]) -> T:
        """Run `work` in a thread and return its result."""
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
    """An expensive value, created in a thread on the first request and shared by all requests."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._making: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the value once it is created; after a failure the next call tries again."""
        making = self._making
        if making is None or (making.done() and (making.cancelled() or making.exception())):
            making = self._making = asyncio.create_task(asyncio.to_thread(self._make))
        return making.result() if making.done() else await asyncio.shield(making)
