"""The newest events of an environment, read and written down once for all who follow them."""

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
"""Events kept for readers that have not read them yet; a reader further behind than that is too slow."""

AT_ONCE: Final = 200
PART: Final = 64 * 1024
"""About so much goes to a reader at once."""

REST: Final = 19
MIN_PAUSE_S: Final = 0.05
MAX_PAUSE_S: Final = 0.25
"""After events have been read and handed out, others have nineteen times as long, within these bounds; while there are
more already, as long."""

RETRY_S: Final = 1.0

logger = logging.getLogger(__name__)

type Encode = Callable[[Event], bytes]


class Message(Struct, frozen=True):
    """An event as it goes over the wire."""

    number: int
    event: Event
    data: bytes


class Part(Struct, frozen=True):
    """Events to be sent to a reader next; all up to the number `reached` are in it, or not wanted."""

    data: bytes
    reached: int


class Tail:
    """Follows the events of one environment while it has readers. All its methods belong to the loop's thread.

    All up to the number `_head` has been read, and of that all beyond `_floor` is kept.
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
        """Have `news` set when there is something new; return the number of the newest event."""
        newest = await asyncio.to_thread(self._history.newest_number)
        if self._task is None:
            self.broken = False
            self._head = self._floor = newest
            self._task = asyncio.get_running_loop().create_task(self._follow())
        self._readers.add(news)
        return newest

    def leave(self, news: asyncio.Event) -> None:
        """Set `news` no more; the last one to leave ends all reading."""
        self._readers.discard(news)
        if not self._readers and self._task is not None:
            self._task.cancel()
            self._task = None
            self._forget()

    def part_after(self, number: int, wanted: EventFilter) -> Part | None:
        """Return what comes after an event; None where that is not kept any more."""
        if number < self._floor:
            return None
        part = self._parts.get((number, wanted))
        if part is None:
            # Those who want the same, and are all abreast, get the same bytes.
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
        """Read what is new, or some of it; return whether there is more."""
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
        """Drop the oldest of what is too much; what is read next is kept until everybody could send it."""
        gone = 0
        while len(self._messages) - gone > MAX_MESSAGES or self._bytes > MAX_BYTES:
            self._bytes -= len(self._messages[gone].data)
            gone += 1
        if gone:
            self._floor = self._numbers[gone - 1]
            del self._messages[:gone], self._numbers[:gone]

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
