"""How many routing requests run at once: each takes a thread while it runs, and location updates need threads, too."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.domain.errors import RoutingUnavailable

MAX_AT_ONCE: Final = 4
MAX_WAIT_S: Final = 20.0


class RoutingLanes:
    """Lets routing requests of one event loop run, a few at a time; the others wait without a thread."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(MAX_AT_ONCE)

    async def run[T](self, find: Callable[[], T]) -> T:
        """Return what `find` returns, in a thread; raises `RoutingUnavailable` when its turn does not come."""
        try:
            async with asyncio.timeout(MAX_WAIT_S):
                await self._turns.acquire()
        except TimeoutError:
            raise RoutingUnavailable("Too many routes are being looked for; ask again later.") from None
        try:
            return await asyncio.to_thread(find)
        finally:
            self._turns.release()
