"""Services for handlers besides their request: the engine, reached without blocking the event loop."""

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
"""One of each environment can run; the others are told so."""

_MANY_ROUTES: Final = partial(RoutingUnavailable, "Too many routes are being searched; try again later.")
_MANY_ADDRESSES: Final = partial(GeocodingUnavailable, "Too many addresses are being searched; try again later.")
_MANY_SYNCS: Final = partial(Conflict, "sync", "sync: a sync is running already; try again when it is done.")


class LoopDispatcher[T]:
    """Hands results from other threads to one event loop.

    Waking a loop costs a system call; a commit answers many updates at once, so the loop is woken only when it has
    not been woken already.
    """

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._letters: deque[tuple[Done[T], T | None, BaseException | None]] = deque()
        self._woken = False

    def address(self, receiver: Done[T]) -> Done[T]:
        """Return a callback that calls `receiver` on the event loop, from any thread."""
        # A function made here would have its annotations evaluated again for each update.
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
            # The loop has been closed: the server has stopped, and no client waits for an answer.
            self._letters.clear()

    def _deliver(self) -> None:
        # Cleared before reading: a letter that arrives from here on wakes the loop again.
        self._woken = False
        while self._letters:
            receiver, result, error = self._letters.popleft()
            try:
                receiver(result, error)
            except Exception:
                # The others still wait for theirs.
                logger.exception("A result could not be handed over")


class Services:
    """The engine as one event loop uses it.

    `geocoding` is for what a server elsewhere may answer, `lookups` for what always comes from here, `tiles`
    for the pieces of a map, of which one view asks for many at once; `long_routing` is
    for what takes long, so that single routes need not wait behind matrices; `heavy` is for what takes so much of
    Python itself that it must not run on the event loop, and two at once would only slow everybody down.
    Where it is not `limited`, the updates are those that commands play: a track may be played again, so clients'
    updates alone are stored `once`.
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
        """Hand in a location update and return its result, which is there after the commit; no thread waits for it."""
        future: asyncio.Future[TrackResult] = asyncio.get_running_loop().create_future()
        self.submit_track(environment, update, settle(future))
        return future

    async def track_past(
        self, environment: Environment, updates: Sequence[LocationUpdate]
    ) -> list[TrackResult | BaseException]:
        """Hand in updates of one client's past, in their order, and return what became of each after its commit.

        They go in a few at a time, and no others of the past meanwhile: who sends thousands at once would else have
        everybody wait until they are stored. While one of them waits for the route of its trip, those of others go in.
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
        """Hand in a few updates together; `held` is set when one of them has to wait."""
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
        """Hand in a location update; `done` is told its result on the event loop, after the commit."""
        if self._plays:
            update = replace(update, awaits_route=True)
        if not self._outgoing:
            # Handed in together at the end of the loop's turn: whoever came in one turn shares a commit, and the
            # writer does not wake up, and ask for Python's lock, for each.
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
    """Set an event of a loop from another thread; a loop that has ended needs none."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(event.set)
