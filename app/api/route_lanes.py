"""How many routing requests run at once: each takes a thread while it runs, and location updates need threads, too."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.domain.errors import RoutingUnavailable

MAX_QUICK: Final = 4
MAX_LONG: Final = 3
MAX_WAIT_S: Final = 20.0


class RoutingLanes:
    """Lets routing requests of one event loop run, a few at a time; the others wait without a thread."""

    def __init__(self) -> None:
        self._quick, self._long = asyncio.Semaphore(MAX_QUICK), asyncio.Semaphore(MAX_LONG)

    async def run[T](self, find: Callable[[], T], *, long: bool = False) -> T:
        """Return what `find` returns, in a thread; raises `RoutingUnavailable` when its turn does not come.

        What takes `long` waits in a lane of its own, so that single routes need not wait behind matrices.
        """
        turns = self._long if long else self._quick
        try:
            async with asyncio.timeout(MAX_WAIT_S):
                await turns.acquire()
        except TimeoutError:
            raise RoutingUnavailable("Too many routes are being looked for; ask again later.") from None
        try:
            return await asyncio.to_thread(find)
        finally:
            turns.release()
