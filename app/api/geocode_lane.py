"""How many lookups of addresses run at once: a server elsewhere may be slow, and others need threads, too."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.domain.errors import GeocodingUnavailable

MAX_AT_ONCE: Final = 4
MAX_WAIT_S: Final = 20.0


class GeocodeLane:
    """Lets lookups of one event loop run, a few at a time; the others wait without a thread."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(MAX_AT_ONCE)

    async def run[T](self, find: Callable[[], T]) -> T:
        """Return what `find` returns, in a thread; raises `GeocodingUnavailable` when its turn does not come."""
        try:
            async with asyncio.timeout(MAX_WAIT_S):
                await self._turns.acquire()
        except TimeoutError:
            raise GeocodingUnavailable("Too many addresses are being looked for; ask again later.") from None
        try:
            return await asyncio.to_thread(find)
        finally:
            self._turns.release()
