"""Progress of long work, told as lines of JSON while it goes on."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, override
from weakref import WeakValueDictionary

import orjson
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from app.api.http.headers import raw_headers
from app.api.wire.common.encoding import Encoded
from engine.domain.ports import Cancelled

NDJSON: Final = "application/x-ndjson"
NOTHING_CHANGED: Final = "nothing was changed"

LINE_EVERY_S: Final = 0.1
"""Progress is told at most this often; a reader needs no more."""

LINE_WITHIN_S: Final = 1.0
"""Progress is told again after this long, so that a reader who wants to stop the work comes to say so."""

CANCELLED: Final[Encoded] = {"cancelled": True}
"""The last line of work that its reader has cancelled: it changed nothing."""

WORK: Final = b"x-fencewright-work"
"""The header in which a reader names its work, to be able to cancel it and still read what came of it."""


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

    @property
    def cancelled(self) -> bool:
        """Whether the work was asked to stop."""
        return self._cancelled.is_set()

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the lines as they come, and the last one again while there is no other."""
        last: Encoded | None = None
        while True:
            try:
                line = await asyncio.wait_for(self._queue.get(), LINE_WITHIN_S)
            except TimeoutError:
                if last is None:
                    continue
                line = last
            if line is None:
                return
            last = line
            yield orjson.dumps(line) + b"\n"


class WorkInProgress:
    """The long work of a server. For its event loop only."""

    def __init__(self) -> None:
        self._named: WeakValueDictionary[bytes, ProgressLines] = WeakValueDictionary()

    def begin(self, request: Request) -> ProgressLines:
        """Return the lines of work that a request asks for."""
        lines = ProgressLines(asyncio.get_running_loop())
        if (name := raw_headers(request.scope).get(WORK)) is not None:
            self._named[name] = lines
        return lines

    def cancel(self, request: Request) -> None:
        """Cancel the work that a request names, unless that has ended."""
        if (lines := self._named.get(raw_headers(request.scope).get(WORK, b""))) is not None:
            lines.cancel()


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
