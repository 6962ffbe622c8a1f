"""Services for handlers, in addition to their request: the engine, accessed without blocking the event loop."""

import asyncio
import logging
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import batched
from typing import Final

from app.api.http.admission import Admission
from app.api.http.errors import TooBusy
from app.api.http.faults import FaultGate
from app.api.http.feed import EventFeed
from app.api.http.hosts import Hosts
from app.api.http.lanes import Lane
from app.api.http.limits import BodyRoom
from app.api.http.streams.reader import EventStreams
from app.exchanges import Requests
from app.faults.book import Faults
from app.sdks.sightings import Sightings
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, FencewrightError, GeocodingUnavailable, RoutingUnavailable
from engine.domain.ports import Done, settle
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.domain.values import replace
from engine.engine import Engine
from engine.tracking.tracking import Submitted

logger = logging.getLogger(__name__)

FEW_UPDATES: Final = 100
MAX_ROUTES: Final = 4
MAX_LONG_ROUTES: Final = 3
MAX_LOOKUPS: Final = 4
MAX_TILES: Final = 2
MAX_SYNCS: Final = 4
"""One sync per environment can run; further requests are refused."""

_MANY_ROUTES: Final = partial(RoutingUnavailable, "Too many routes are being searched; try again later.")
_MANY_ADDRESSES: Final = partial(GeocodingUnavailable, "Too many addresses are being searched; try again later.")
_MANY_PICTURES: Final = partial(TooBusy, "Too many pictures of the map are being drawn; try again later.")
_MANY_SYNCS: Final = partial(Conflict, "sync", "sync: a sync is running already; try again when it is done.")


class LoopDispatcher[T]:
    """Passes results from other threads to one event loop.

    Waking a loop costs a system call. A commit completes many updates at once, so the loop is woken only if it has not
    been woken already.
    """

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._letters: deque[tuple[Done[T], T | None, BaseException | None]] = deque()
        self._woken = False

    def address(self, receiver: Done[T]) -> Done[T]:
        """Return a callback that calls `receiver` on the event loop, from any thread."""
        # A function defined here would have its annotations evaluated again for each update.
        return partial(self._send, receiver)

    def _send(self, receiver: Done[T], result: T | None, error: BaseException | None) -> None:
        self._letters.append((receiver, result, error))
        if not self._woken:
            self._wake()

    def _wake(self) -> None:
        self._woken = True
        try:
            self._loop.call_soon_threadsafe(self._deliver)
        except RuntimeError:
            # The loop is closed: the server has stopped, and no client is waiting for a response.
            self._letters.clear()

    def _deliver(self) -> None:
        # Cleared before reading, so that a result that arrives from here on wakes the loop again.
        self._woken = False
        while self._letters:
            receiver, result, error = self._letters.popleft()
            try:
                receiver(result, error)
            except Exception:
                # The remaining receivers still need their results.
                logger.exception("A result could not be handed over")


class Services:
    """The engine for one event loop.

    `geocoding` is for lookups that may use a remote server, and `lookups` for those that are always local. `tiles` is
    for map tiles, of which one view requests many at once, and `pictures` for pictures of the map. `long_routing` is
    for slow requests, so that single routes need not wait behind matrices. `heavy` is for work that is too expensive in
    Python itself for the event loop, and of which two at once would only slow everything down. Without `limited`, the
    updates are those played by commands. A track may be played repeatedly, so only clients' updates are stored `once`.
    """

    def __init__(
        self,
        engine: Engine,
        hosts: Hosts,
        requests: Requests,
        *,
        limited: bool,
        faults: Faults,
        sightings: Sightings | None = None,
    ) -> None:
        self.engine = engine
        self.requests = requests
        self.once = limited
        self.admission = Admission(engine, hosts, limited=limited, sightings=sightings)
        self.faults = FaultGate(faults, applied=limited)
        self.feed = EventFeed(engine.changes)
        self.streams = EventStreams(engine.history, self.feed)
        self.routing = Lane(MAX_ROUTES, _MANY_ROUTES)
        self.long_routing = Lane(MAX_LONG_ROUTES, _MANY_ROUTES)
        self.geocoding = Lane(MAX_LOOKUPS, _MANY_ADDRESSES)
        self.lookups = Lane(MAX_LOOKUPS, _MANY_ADDRESSES)
        self.tiles = Lane(MAX_TILES)
        self.pictures = Lane(1, _MANY_PICTURES)
        self.body_room = BodyRoom()
        self.heavy = Lane(1)
        self.syncs = Lane(MAX_SYNCS, _MANY_SYNCS)
        self._past = asyncio.Semaphore(1)
        self._plays = not limited
        self._dispatcher: LoopDispatcher[TrackResult] | None = None
        self._outgoing: list[Submitted] = []

    async def run[**P, T](self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a blocking call of the engine in a worker thread."""
        return await asyncio.to_thread(function, *args, **kwargs)

    def track(self, environment: Environment, update: LocationUpdate) -> asyncio.Future[TrackResult]:
        """Submit a location update and return a future of its result, set after the commit; no thread waits for it."""
        future: asyncio.Future[TrackResult] = asyncio.get_running_loop().create_future()
        self.submit_track(environment, update, settle(future))
        return future

    async def track_past(
        self, environment: Environment, updates: Sequence[LocationUpdate]
    ) -> list[TrackResult | BaseException]:
        """Submit past updates of one client in order, and return the result or error of each after its commit.

        They are submitted in small batches, and no other past updates in between. Otherwise a client that sends
        thousands at once would make all others wait until they are stored. While one of them waits for the route of its
        trip, those of other clients are submitted.
        """
        outcomes: list[TrackResult | BaseException] = []
        for few in batched(updates, FEW_UPDATES):
            held = asyncio.Event()
            async with self._past:
                answers = asyncio.gather(*self._of_past(environment, few, held), return_exceptions=True)
                waiting = asyncio.ensure_future(held.wait())
                await asyncio.wait((answers, waiting), return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
            outcomes += await answers
        return outcomes

    def _of_past(
        self, environment: Environment, few: Sequence[LocationUpdate], held: asyncio.Event
    ) -> list[Awaitable[TrackResult]]:
        """Submit a few updates together; `held` is set when one of them has to wait."""
        loop = asyncio.get_running_loop()
        self._hand_in()
        outgoing: list[Submitted] = []
        answers: list[Awaitable[TrackResult]] = []
        for update in few:
            if update.anonymous is None:
                future: asyncio.Future[TrackResult] = loop.create_future()
                outgoing.append((environment, update, self._on_the_loop(settle(future))))
                answers.append(future)
            else:
                answers.append(self.run(self.engine.tracking.track, environment, update))
        self._submit(outgoing, partial(_set_from_elsewhere, held, loop))
        return answers

    def submit_track(self, environment: Environment, update: LocationUpdate, done: Done[TrackResult]) -> None:
        """Submit a location update; `done` receives its result on the event loop, after the commit."""
        if self._plays:
            update = replace(update, awaits_route=True)
        if not self._outgoing:
            # Submitted together at the end of the loop's turn: updates of one turn share a commit, and the writer does
            # not wake up and acquire Python's lock for each.
            asyncio.get_running_loop().call_soon(self._hand_in)
        self._outgoing.append((environment, update, self._on_the_loop(done)))

    def _on_the_loop(self, done: Done[TrackResult]) -> Done[TrackResult]:
        if self._dispatcher is None:
            self._dispatcher = LoopDispatcher(asyncio.get_running_loop())
        return self._dispatcher.address(done)

    def _hand_in(self) -> None:
        outgoing, self._outgoing = self._outgoing, []
        self._submit(outgoing)

    def _submit(self, outgoing: Sequence[Submitted], held: Callable[[], None] = lambda: None) -> None:
        try:
            self.engine.tracking.submit(outgoing, held)
        except FencewrightError as error:
            for _, _, done in outgoing:
                done(None, error)


def _set_from_elsewhere(event: asyncio.Event, loop: asyncio.AbstractEventLoop) -> None:
    """Set an event of a loop from another thread, unless the loop has ended."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(event.set)
