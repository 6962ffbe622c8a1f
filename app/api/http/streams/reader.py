"""A stream of events, from its first byte to the reason for its end."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from enum import Enum
from functools import partial
from typing import Final, override

import orjson
from msgspec import Struct
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.api.http.errors import TooBusy
from app.api.http.feed import EventFeed
from app.api.http.lanes import Lane
from app.api.http.streams.tail import Encode, Tail, wait_for_news
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, StorageUnavailable
from engine.domain.queries import EventFilter
from engine.tracking.event_records import History

EVENT_STREAM: Final = "text/event-stream"
MAX_STREAMS: Final = 256
"""Maximum number of streams per server, which has twice as many places for connections."""

RECONNECT_MS: Final = 1_000
PAGE: Final = 100
"""Number of past events that are read at once for one stream."""

READ_AT_ONCE: Final = 2
"""Number of streams that read past events at once; the others wait."""

logger = logging.getLogger(__name__)

HEARTBEAT: Final = b": still here\n\n"
_BEGIN: Final = b"retry: %d\n\n" % RECONNECT_MS


class Ending(Enum):
    """The reasons for which a stream ends, each with the message for its reader."""

    STOPPING = "stopping", "The endpoint is being stopped. Reconnect later with the id of the last event."
    SLOW_READER = (
        "slowReader",
        "The client reads events more slowly than they happen. Reconnect with the id of the last event, or filter "
        "the events.",
    )
    KEY_REPLACED = "keyReplaced", "The API key of this stream has been replaced. Reconnect with the new one."
    FAULT = "fault", "Something went wrong inside Fencewright; its log has the details."

    def message(self) -> bytes:
        """Return the last message of a stream."""
        reason, sentence = self.value
        return b"event: end\ndata: %s\n\n" % orjson.dumps({"reason": reason, "message": sentence})


class Follow(Struct, frozen=True):
    """Contents of a stream: the events stored after the number `after`, or from now on."""

    environment: Environment
    wanted: EventFilter
    encode: Encode
    heartbeat_s: float
    after: int | None = None


class EventStreams:
    """The streams of one event loop: their shared state and their maximum number."""

    def __init__(self, history: History, feed: EventFeed) -> None:
        self.history = history
        self.feed = feed
        self.most = MAX_STREAMS
        self.past = Lane(READ_AT_ONCE)
        self._open = 0
        self._tails: dict[Environment, Tail] = {}

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Reserve a place for a stream; raises `TooBusy`."""
        if self._open >= self.most:
            raise TooBusy(f"{self._open} event streams are open, the maximum; close some.")
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    def tail(self, follow: Follow) -> Tail:
        """Return the tail of a stream's environment."""
        if follow.environment not in self._tails:
            made = Tail(self.history, self.feed, follow.environment, follow.encode)
            self._tails[follow.environment] = made
        return self._tails[follow.environment]


class StreamResponse(Response):
    """The response that is a stream; `valid` returns whether the key of its request is still valid."""

    def __init__(self, streams: EventStreams, follow: Follow, valid: Callable[[], bool]) -> None:
        self.status_code = 200
        self.background = None
        self.raw_headers = [
            (b"content-type", EVENT_STREAM.encode()),
            (b"cache-control", b"no-store"),
            # A proxy that buffers responses would delay events.
            (b"x-accel-buffering", b"no"),
        ]
        self._streams = streams
        self._follow = follow
        self._valid = valid
        self._left = False

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await self._send_head(send)
            await send({"type": "http.response.body", "body": b""})
            return
        if scope["http_version"] == "1.0":
            raise InvalidParameter("protocol", _ONE_ZERO)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._streams.place())
            news = asyncio.Event()
            tail = self._streams.tail(self._follow)
            newest = await tail.join(news)
            stack.callback(tail.leave, news)
            leaving = asyncio.create_task(self._note_leaving(receive, news))
            stack.callback(leaving.cancel)
            await self._send_head(send)
            after = newest if self._follow.after is None else self._follow.after
            async for data in self._messages(tail, news, after):
                await send({"type": "http.response.body", "body": data, "more_body": True})
            await send({"type": "http.response.body", "body": b""})

    async def _send_head(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})

    async def _note_leaving(self, receive: Receive, news: asyncio.Event) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._left = True
        news.set()

    async def _messages(self, tail: Tail, news: asyncio.Event, after: int) -> AsyncIterator[bytes]:
        """Yield the messages of the stream: past events from the database, then new ones."""
        now = asyncio.get_running_loop().time
        caught_up, sent_at = False, now()
        yield _BEGIN
        while not self._left:
            part = tail.part_after(after, self._follow.wanted)
            if (ending := self._ending(tail, too_slow=part is None and caught_up)) is not None:
                yield ending.message()
                return
            if part is None:
                try:
                    data, reached = await self._streams.past.run(partial(self._past, after))
                except StorageUnavailable as error:
                    logger.warning("A stream of events has ended: %s", error)
                    yield Ending.FAULT.message()
                    return
            else:
                data, reached, caught_up = part.data, part.reached, True
            if not data and reached == after and not await wait_for_news(news, sent_at + self._follow.heartbeat_s):
                data = HEARTBEAT
            after = reached
            if data:
                yield data
                sent_at = now()

    def _ending(self, tail: Tail, *, too_slow: bool) -> Ending | None:
        """Return the reason why the stream ends, or None if it does not."""
        if self._streams.feed.closed:
            return Ending.STOPPING
        if not self._valid():
            return Ending.KEY_REPLACED
        if tail.broken:
            return Ending.FAULT
        return Ending.SLOW_READER if too_slow else None

    def _past(self, after: int) -> tuple[bytes, int]:
        follow = self._follow
        run = self._streams.history.run_after(follow.environment, follow.wanted, after, PAGE)
        return b"".join(follow.encode(event) for _, event in run.events), run.reached


_ONE_ZERO: Final = (
    "protocol: event streams need HTTP/1.1, because they are sent in chunks. In nginx, set proxy_http_version 1.1."
)
