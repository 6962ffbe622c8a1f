"""Progress of long work, told as lines of JSON while it goes on."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, override

import orjson
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from app.api.wire.common.encoding import Encoded
from engine.domain.ports import Cancelled

NDJSON: Final = "application/x-ndjson"
NOTHING_CHANGED: Final = "nothing was changed"

LINE_EVERY_S: Final = 0.1
"""Progress is told at most this often; a reader needs no more."""


def stopped_line(outcome: str = NOTHING_CHANGED) -> Encoded:
    """Return the last line of work that was cancelled because the process is being stopped."""
    return {"stopped": outcome}


class ProgressLines:
    """Carries progress from the importing thread to the event loop, and the wish to stop back."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: asyncio.Queue[Encoded | None] = asyncio.Queue()
        self._cancelled = threading.Event()
        self._next_line = 0.0

    def progress(self, done: int, total: int) -> None:
        """Note how far the work is; raise `Cancelled` when nobody waits for it any more."""
        if self._cancelled.is_set():
            raise Cancelled
        now = time.monotonic()
        if now >= self._next_line or done == total:
            self._next_line = now + LINE_EVERY_S
            self.tell({"done": done, "total": total})

    def tell(self, line: Encoded | None) -> None:
        """Add a line, from any thread; None ends them."""
        with suppress(RuntimeError):  # the loop is closed: nobody reads any more
            self._loop.call_soon_threadsafe(self._queue.put_nowait, line)

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._cancelled.set()

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the lines as they come."""
        while (line := await self._queue.get()) is not None:
            yield orjson.dumps(line) + b"\n"


class ProgressResponse(StreamingResponse):
    """Lines of JSON as they come; the work is asked to stop when nobody waits for them any more."""

    def __init__(self, lines: ProgressLines) -> None:
        super().__init__(lines.lines(), media_type=NDJSON)
        self._lines = lines

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._lines.cancel()
