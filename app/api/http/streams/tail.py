"""The newest events of an environment, read and encoded once for all readers."""

import asyncio
import logging
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Final

from msgspec import Struct

from app.api.http.feed import EventFeed, Waiter
from engine.domain.environment import Environment
from engine.domain.errors import StorageUnavailable
from engine.domain.queries import EventFilter
from engine.domain.tracking.updates import Event
from engine.tracking.event_records import History

MAX_MESSAGES: Final = 10_000
MAX_BYTES: Final = 16 * 1024 * 1024
"""Maximum size of the events kept for slower readers; a reader that falls further behind is too slow."""

AT_ONCE: Final = 200
PART: Final = 64 * 1024
"""Approximate number of bytes sent to a reader at once."""

REST: Final = 19
MIN_PAUSE_S: Final = 0.05
MAX_PAUSE_S: Final = 0.25
"""Longest pause after a read.

After events have been read and distributed, the pause is `REST` times as long as that took, within the bounds. If more
events are already available, it is only as long as that took.
"""

RETRY_S: Final = 1.0

logger = logging.getLogger(__name__)

type Encode = Callable[[Event], bytes]


class Message(Struct, frozen=True):
    """An event as sent."""

    number: int
    event: Event
    data: bytes


class Part(Struct, frozen=True):
    """The next events for a reader; all up to the number `reached` are included or filtered out."""

    data: bytes
    reached: int


class Tail:
    """Follows the events of one environment while it has readers; all methods must be called in the loop's thread.

    All events up to the number `_head` have been read, and of these all beyond `_floor` are kept.
    """

    def __init__(self, history: History, feed: EventFeed, environment: Environment, encode: Encode) -> None:
        self._history = history
        self._feed = feed
        self._environment = environment
        self._encode = encode
        self._readers: set[asyncio.Event] = set()
        self._task: asyncio.Task[None] | None = None
        self._head = self._floor = 0
        self._numbers: list[int] = []
        self._messages: list[Message] = []
        self._bytes = 0
        self._parts: dict[tuple[int, EventFilter], Part] = {}
        self.broken = False

    async def join(self, news: asyncio.Event) -> int:
        """Set `news` whenever new events arrive; return the number of the newest event."""
        newest = await asyncio.to_thread(self._history.newest_number)
        if self._task is None:
            self.broken = False
            self._head = self._floor = newest
            self._task = asyncio.get_running_loop().create_task(self._follow())
        self._readers.add(news)
        return newest

    def leave(self, news: asyncio.Event) -> None:
        """Stop setting `news`; when the last reader leaves, reading ends."""
        self._readers.discard(news)
        if not self._readers and self._task is not None:
            self._task.cancel()
            self._task = None
            self._forget()

    def part_after(self, number: int, wanted: EventFilter) -> Part | None:
        """Return the events after a number, or None if they are no longer kept."""
        if number < self._floor:
            return None
        part = self._parts.get((number, wanted))
        if part is None:
            # Readers at the same position with the same filter share these bytes.
            part = self._parts[number, wanted] = self._made_part(number, wanted)
        return part

    def _made_part(self, number: int, wanted: EventFilter) -> Part:
        data: list[bytes] = []
        size = 0
        for at in range(bisect_right(self._numbers, number), len(self._messages)):
            message = self._messages[at]
            if wanted.may_take(message.event):
                data.append(message.data)
                size += len(message.data)
                if size >= PART:
                    return Part(b"".join(data), message.number)
        return Part(b"".join(data), max(number, self._head))

    async def _follow(self) -> None:
        with Waiter(self._feed, self._environment, EventFilter()) as waiter:
            while not self._feed.closed:
                began = perf_counter()
                try:
                    more = await self._read()
                except StorageUnavailable as error:
                    logger.warning("Streams of events wait for the database: %s", error)
                    await asyncio.sleep(RETRY_S)
                    continue
                except Exception:
                    logger.exception("Streams of events have ended")
                    self.broken = True
                    break
                self._wake()
                await asyncio.sleep(0)  # the readers send
                took_s = perf_counter() - began
                if more:
                    await asyncio.sleep(took_s)
                else:
                    await asyncio.sleep(min(MAX_PAUSE_S, max(MIN_PAUSE_S, REST * took_s)))
                    await waiter.wait()
        self._wake()

    def _wake(self) -> None:
        for news in self._readers:
            news.set()

    async def _read(self) -> bool:
        """Read new events up to a limit; return whether there are more."""
        messages, reached = await asyncio.to_thread(self._messages_after, self._head)
        self._parts.clear()
        self._trim()
        self._messages += messages
        self._numbers += [message.number for message in messages]
        self._bytes += sum(len(message.data) for message in messages)
        self._head = max(self._head, reached)
        return len(messages) == AT_ONCE

    def _messages_after(self, number: int) -> tuple[list[Message], int]:
        run = self._history.run_after(self._environment, EventFilter(), number, AT_ONCE)
        return [Message(number, event, self._encode(event)) for number, event in run.events], run.reached

    def _trim(self) -> None:
        """Drop the oldest events beyond the limits; those read next are kept until all readers could send them."""
        dropped = 0
        while len(self._messages) - dropped > MAX_MESSAGES or self._bytes > MAX_BYTES:
            self._bytes -= len(self._messages[dropped].data)
            dropped += 1
        if dropped:
            self._floor = self._numbers[dropped - 1]
            del self._messages[:dropped], self._numbers[:dropped]

    def _forget(self) -> None:
        self._messages.clear()
        self._numbers.clear()
        self._parts.clear()
        self._bytes = 0


async def wait_for_news(news: asyncio.Event, deadline: float) -> bool:
    """Wait for news until `deadline` (the loop's time); return whether there is any."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(deadline):
            await news.wait()
    found = news.is_set() and asyncio.get_running_loop().time() < deadline
    news.clear()
    return found
