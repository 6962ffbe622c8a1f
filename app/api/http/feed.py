"""Requests that wait for an event, without a thread each and without polling the database."""

import asyncio
from collections.abc import Callable
from typing import Protocol, Self

from engine.domain.environment import Environment
from engine.domain.queries import Change, EventFilter
from engine.domain.tracking.updates import Event


class Publisher(Protocol):
    """The part of the engine that publishes changes."""

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call `listener` after each commit, in the writer's thread; return a function that unsubscribes it."""
        ...


class EventFeed:
    """Wakes waiting requests when a matching event is committed.

    It listens to the engine only while requests are waiting. All methods must be called in the event loop's thread.
    """

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._waiters: set[Waiter] = set()
        self._unsubscribe: Callable[[], None] | None = None
        self.closed = False

    def join(self, waiter: "Waiter") -> None:
        """Start waking `waiter`."""
        self._waiters.add(waiter)
        if self._unsubscribe is None:
            self._unsubscribe = self._publisher.subscribe(self._listener(asyncio.get_running_loop()))

    def leave(self, waiter: "Waiter") -> None:
        """Stop waking `waiter`."""
        self._waiters.discard(waiter)
        if not self._waiters and self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def close(self) -> None:
        """Wake all waiters so that they return their current results, because the server is stopping."""
        self.closed = True
        for waiter in self._waiters:
            waiter.wake()

    def _listener(self, loop: asyncio.AbstractEventLoop) -> Callable[[Change], None]:
        def listen(change: Change) -> None:
            events = [event for result in change.tracked for event in result.events]
            if (events or change.reread) and not loop.is_closed():
                loop.call_soon_threadsafe(self._publish, change.environment, events, change.reread)

        return listen

    def _publish(self, environment: Environment, events: list[Event], reread: bool) -> None:
        for waiter in self._waiters:
            concerned = reread or any(waiter.wanted.may_take(event) for event in events)
            if concerned and waiter.environment is environment:
                waiter.wake()


class Waiter:
    """A request that waits for an event; used as a context manager, entered before the database is queried."""

    def __init__(self, feed: EventFeed, environment: Environment, wanted: EventFilter) -> None:
        self.environment = environment
        self.wanted = wanted
        self._feed = feed
        self._news = asyncio.Event()

    def __enter__(self) -> Self:
        self._feed.join(self)
        return self

    def __exit__(self, *_exception: object) -> None:
        self._feed.leave(self)

    def wake(self) -> None:
        """Note that there is news."""
        self._news.set()

    async def wait(self, deadline: float | None = None) -> bool:
        """Wait for news until `deadline` (the loop's time), if given; return whether to query again."""
        if self._feed.closed:
            return False
        try:
            async with asyncio.timeout_at(deadline):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True
