"""The fast path of location updates.

Devices send only location updates by the thousand a second, and most of the cost of such a request is its way through
the layers: a task, an event, two messages each way. Here a complete update goes from the connection directly to the
engine, and its response directly back, by the same functions that the normal path uses. Any unusual request (chunked,
with a large body, or queued behind another) takes the normal path and gets the same response.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Final, NamedTuple, Protocol

from app.api.http.admission import CountryCheck
from app.api.http.headers import Headers
from app.api.http.rates import NO_HEADERS
from app.api.http.responses import JSON_TYPE, JsonResponse, error_response, new_reference
from app.api.http.services import Services
from app.api.v1.track import MetaOf, decide_anonymous, location_update, nearby_wanted, with_nearby
from app.api.wire.common.decoding import QUICK_BODY, decode_body, warnings_of
from app.api.wire.common.encoding import Encoded, on_the_wire, with_warnings
from app.api.wire.sdk import track_meta
from app.api.wire.track import TrackBody, encode_result, warnings_about
from engine.domain.environment import Environment, KeyLevel
from engine.domain.tracking.updates import LocationUpdate, Timing, TrackResult

PATHS: Final = frozenset({b"/v1/track", b"/api/v1/track"})

LONGEST_KEPT: Final = 2 * 1024
MOST_KEPT: Final = 1_000
"""Maximum number of remembered heads, each of at most `LONGEST_KEPT` bytes."""


class Connection(Protocol):
    """The part of a connection that the fast path needs."""

    def respond(self, request: "ExpressRequest", response: JsonResponse, reference: str) -> None:
        """Write a whole response and prepare for the next request."""
        ...

    def leave_unanswered(self, request: "ExpressRequest") -> None:
        """Record a request that gets no response because its client has disconnected."""
        ...


class Signal:
    """Stands in for the event with which uvicorn wakes a task; here no task is waiting."""

    def set(self) -> None:
        """Do nothing."""


class Express:
    """Responds to location updates with one engine."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._faults, self._resends = services.faults.faults, services.faults.resends
        self._tasks: set[asyncio.Task[None]] = set()

    def takes(self, method: bytes, path: bytes, headers: dict[bytes, bytes]) -> bool:
        """Return whether a request may take the fast path; while faults are active, none does."""
        return (
            path in PATHS
            and method == b"POST"
            and _is_short(headers.get(b"content-length", b""))
            and b"expect" not in headers
            and b"content-encoding" not in headers
            and b"transfer-encoding" not in headers
            and self.open
        )

    @property
    def open(self) -> bool:
        """Whether the fast path is available now."""
        return not (self._faults.active or self._resends)

    def serve(self, request: "ExpressRequest") -> None:
        """Respond to a complete request after the update's commit, or at once if it is refused."""
        services, headers = self._services, request.headers
        request.sent = sent = bytes(request.body)
        try:
            services.admission.check_host(headers)
            caller = services.admission.caller(headers, request.client, KeyLevel.PUBLISHABLE)
            environment = caller.key.environment
            request.live = environment.live
            services.admission.rehearse(environment)
            content_type = headers.get(b"content-type", JSON_TYPE)
            body = decode_body(TrackBody, sent, content_type, warnings=request.warnings)
            update = location_update(body, caller.address, once=services.once)
            request.warnings += warnings_of(body)
            wanted = nearby_wanted(body)
            settings = services.engine.settings.get(caller.key.environment)
            request.meta = meta = partial(track_meta, settings, body.device_type)
            if update.anonymous is not None:
                services.admission.check_workspace()
                request.finish(self._anonymous(request, environment, update, wanted))
                return
            if wanted is not None:
                request.more = lambda result: with_nearby(services, result, wanted, meta)
            check = services.admission.country_check(environment)
            if check is None:
                self._submit(request, environment, update)
            else:
                task = asyncio.create_task(self._submit_checked(request, environment, update, check))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            request.refuse(error)

    def _submit(self, request: "ExpressRequest", environment: Environment, update: LocationUpdate) -> None:
        services = self._services
        request.extra = services.admission.admit_update(environment, update)
        services.submit_track(environment, update, request.done)

    async def _anonymous(
        self, request: "ExpressRequest", environment: Environment, update: LocationUpdate, wanted: int | None
    ) -> Encoded:
        """Return the response to an anonymous update, of which nothing is stored."""
        services = self._services
        if (check := services.admission.country_check(environment)) is not None:
            await services.run(check, "latitude", update.point)
        return await decide_anonymous(services, environment, update, wanted, request.meta, request.warnings)

    async def _submit_checked(
        self, request: "ExpressRequest", environment: Environment, update: LocationUpdate, check: CountryCheck
    ) -> None:
        """Submit an update after looking up its country."""
        try:
            await self._services.run(check, "latitude", update.point)
            self._submit(request, environment, update)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            request.refuse(error)


class ShortHead(NamedTuple):
    """The parsed head of a fast-path request: its headers, and the size of its body in bytes."""

    headers: dict[bytes, bytes]
    body_size: int


class ShortHeads:
    """Known heads of fast-path requests of all connections: a device sends an identical head with each update."""

    def __init__(self) -> None:
        self._heads: dict[bytes, ShortHead] = {}

    def find(self, head: bytes) -> ShortHead | None:
        """Return the parsed form of a head, or None if it is unknown."""
        return self._heads.get(head)

    def keep(self, head: bytes, headers: dict[bytes, bytes]) -> None:
        """Remember the head of a fast-path request that keeps its connection open."""
        size = int(headers[b"content-length"])
        if not size or len(head) > LONGEST_KEPT:
            return
        if len(self._heads) >= MOST_KEPT:
            self._heads.clear()
        self._heads[head] = ShortHead(headers, size)


def _is_short(length: bytes) -> bool:
    return length.isdigit() and len(length) < 6 and int(length) <= QUICK_BODY


class ExpressRequest:
    """A request of the fast path; to uvicorn's connection it looks like any request in progress."""

    def __init__(
        self, connection: Connection, headers: dict[bytes, bytes], client: str | None, *, keep_alive: bool
    ) -> None:
        self._connection = connection
        self.headers = headers
        self.client = client
        self.live: bool | None = None
        self.sent = b""
        self.extra: Headers = NO_HEADERS
        self.warnings: list[str] = []
        self.meta: MetaOf = lambda _: {"code": 200}
        self.more: Callable[[TrackResult], Coroutine[None, None, Encoded]] | None = None
        self._task: asyncio.Task[None] | None = None
        # Attributes that uvicorn's connection reads and writes:
        self.keep_alive = keep_alive
        self.body = bytearray()
        self.more_body = True
        self.response_complete = False
        self.disconnected = False
        self.message_event = Signal()

    def done(self, result: TrackResult | None, error: BaseException | None) -> None:
        """Respond with the engine's result, on the event loop."""
        if self.disconnected:
            self._connection.leave_unanswered(self)
            return
        if result is None:
            self.refuse(on_the_wire(error or RuntimeError("no result")))
            return
        if result.refused or result.lacks_route or result.timing is not Timing.ON_TIME:
            self.warnings = [*self.warnings, *warnings_about(result)]
        if self.more is not None:
            self.finish(self.more(result))
            return
        self._succeed(encode_result(result, self.meta(result.user)))

    def finish(self, answer: Coroutine[None, None, Encoded]) -> None:
        """Respond as soon as the coroutine completes."""
        # Kept because the loop itself holds no reference to the task.
        self._task = asyncio.get_running_loop().create_task(self._finish(answer))

    async def _finish(self, answer: Awaitable[Encoded]) -> None:
        """Respond once all additionally requested data is available."""
        try:
            encoded = await answer
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            if not self.disconnected:
                self.refuse(on_the_wire(error))
        else:
            if not self.disconnected:
                self._succeed(encoded)

    def _succeed(self, answer: Encoded) -> None:
        self._answer(JsonResponse(with_warnings(answer, self.warnings), headers=self.extra))

    def refuse(self, error: BaseException) -> None:
        """Respond with an error."""
        if self.disconnected:
            return
        reference = new_reference()
        self._answer(error_response(error, reference, "POST /v1/track"), reference)

    def _answer(self, response: JsonResponse, reference: str | None = None) -> None:
        self.response_complete = True
        self._connection.respond(self, response, reference or new_reference())
