"""What handlers need besides their request: the engine, reached without blocking the event loop."""

import asyncio
from collections.abc import Callable

from app.api.authentication import Keys
from app.api.feed import EventFeed
from app.api.mailbox import Mailbox
from engine.domain.environment import Environment
from engine.domain.tracking import LocationUpdate, TrackResult
from engine.engine import Engine


class Services:
    """The engine as one event loop uses it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.keys: Keys = engine.workspace.keys
        self.feed = EventFeed(engine)
        self._mailbox: Mailbox[TrackResult] | None = None

    async def run[**P, T](self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a blocking call of the engine in a worker thread."""
        return await asyncio.to_thread(function, *args, **kwargs)

    async def track(self, environment: Environment, update: LocationUpdate) -> TrackResult:
        """Hand in a location update and return its result after the commit; no thread waits for it."""
        if self._mailbox is None:
            self._mailbox = Mailbox(asyncio.get_running_loop())
        future, done = self._mailbox.address()
        self.engine.submit_track(environment, update, done)
        return await future
