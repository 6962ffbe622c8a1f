"""What handlers need besides their request: the engine, reached without blocking the event loop."""

import asyncio
from collections.abc import Callable, Mapping

from app.api.authentication import Keys
from app.api.clients import client_address
from app.api.cors import Headers
from app.api.endpoint_limits import EndpointLimits, Rate
from app.api.feed import EventFeed
from app.api.geocode_lane import GeocodeLane
from app.api.mailbox import Done, Mailbox, settle
from app.api.route_lanes import RoutingLanes
from app.api.throttle import NO_HEADERS, TrackLimit
from engine.domain.environment import ApiKey, Environment
from engine.domain.errors import FencewrightError
from engine.domain.tracking import LocationUpdate, TrackResult
from engine.engine import Engine


class Services:
    """The engine as one event loop uses it.

    `geocoding` is for what a server elsewhere may answer, `lookups` for what always comes from here. Where it is not
    `limited`, requests may come at any speed.
    """

    def __init__(self, engine: Engine, *, limited: bool = True) -> None:
        self.engine = engine
        self.keys: Keys = engine.workspace.keys
        self.feed = EventFeed(engine)
        self.routing = RoutingLanes()
        self.geocoding = GeocodeLane()
        self.lookups = GeocodeLane()
        self._limit = TrackLimit(engine) if limited else None
        self._endpoints = EndpointLimits(engine) if limited else None
        self._mailbox: Mailbox[TrackResult] | None = None
        self._outgoing: list[tuple[Environment, LocationUpdate, Done[TrackResult]]] = []

    async def run[**P, T](self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a blocking call of the engine in a worker thread."""
        return await asyncio.to_thread(function, *args, **kwargs)

    def client(self, environment: Environment, headers: Mapping[bytes, bytes], peer: str | None) -> str | None:
        """Return the address a request comes from, as the environment's settings have it found out."""
        return client_address(headers, peer, self.engine.settings(environment).trusted_proxy_header)

    def admit(self, environment: Environment, update: LocationUpdate) -> Headers:
        """Count an update that is about to be handed in; raises `TooManyRequests`."""
        return NO_HEADERS if self._limit is None else self._limit.admit(environment, update)

    def admit_request(self, key: ApiKey, name: str, rate: Rate | None, client: str | None) -> Headers:
        """Count a request to an operation that is about to be served; raises `TooManyRequests`."""
        if self._endpoints is None or rate is None:
            return []
        return self._endpoints.admit(key, name, rate, client)

    async def track(self, environment: Environment, update: LocationUpdate) -> TrackResult:
        """Hand in a location update and return its result after the commit; no thread waits for it."""
        future: asyncio.Future[TrackResult] = asyncio.get_running_loop().create_future()
        self.submit_track(environment, update, settle(future))
        return await future

    def submit_track(self, environment: Environment, update: LocationUpdate, done: Done[TrackResult]) -> None:
        """Hand in a location update; `done` is told its result on the event loop, after the commit."""
        if self._mailbox is None:
            self._mailbox = Mailbox(asyncio.get_running_loop())
        if not self._outgoing:
            # Handed in together at the end of the loop's turn: whoever came in one turn shares a commit, and the
            # writer does not wake up, and ask for Python's lock, for each.
            asyncio.get_running_loop().call_soon(self._hand_in)
        self._outgoing.append((environment, update, self._mailbox.address(done)))

    def _hand_in(self) -> None:
        outgoing, self._outgoing = self._outgoing, []
        try:
            self.engine.submit_tracks(outgoing)
        except FencewrightError as error:
            for _, _, done in outgoing:
                done(None, error)
