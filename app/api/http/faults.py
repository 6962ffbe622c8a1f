"""Injection of faults between the decoding of a request and its response, on one event loop."""

import asyncio
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, Protocol, override

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from app.api.http.errors import TooBusy, error_body
from app.api.http.headers import Headers
from app.api.http.responses import JsonResponse
from app.faults.book import Fault, Faults, FaultyRequest, Hit, Renew
from app.faults.rules import DropTime, FaultKind, FaultRule
from engine.domain.environment import ApiKey, Environment
from engine.domain.values import replace

LINE: Final = "line"
"""The key under which a scope's state holds the connection, which a response may close."""

STRUCK: Final = "faults"
"""The key under which a scope's state holds the faults that hit the request."""

LOOK_EVERY_S: Final = 0.25
"""Interval at which a wait checks whether the client has disconnected."""

LOOK_FOR_RESEND_EVERY_S: Final = 0.005
"""Interval of the check whether a browser that sends a request again has disconnected."""

PIECE_S: Final = 0.1
"""Interval between the pieces of a slow body, which is sent about ten times a second or byte by byte."""

MAX_SLOW_S: Final = 300.0
"""Maximum duration of a slow body, after which the connection is closed."""

MOST_HELD: Final = 128
"""Maximum number of held requests, which occupy connections that others may need."""

GIVE_UP: Final = b"HTTP/1.1 100 Continue\r\n\r\n\r\n"
"""The beginning of a response that keeps browsers from sending a request again.

Chromium sends a request again if nothing was received on a connection that was already open, even one without earlier
requests. Firefox sends a GET again on any connection, up to ten times. Both accept the interim response alone as a
response or the beginning of one. With the line after it, they report a failed connection, over HTTP and HTTPS, on any
port.
"""

_BROWSER: Final = b"Mozilla/"
"""Common prefix of all browsers' user agents."""

MAX_RENEWAL_S: Final = 2.0
"""How long adding a fault waits at most for connections to end, because a server may be busy or stopping."""

HELD_S: Final = 0.25
"""How long the last byte of a 408 is held back; a browser that sends again closes the connection within this time."""

EXPECTED_S: Final = 2.0
"""How long a repeated request is expected."""

_PHRASES: Final[Mapping[int, str]] = {
    401: "Unauthorized",
    402: "Payment required",
    403: "Forbidden",
    404: "Not found",
    409: "Conflict",
    429: "Too many requests",
    451: "Unavailable for legal reasons",
    500: "Internal server error",
    502: "Bad gateway",
    503: "Service temporarily unavailable",
    504: "Gateway timeout",
}

type Request = tuple[object, ...]
type HasLeft = Callable[[], bool]


class Line(Protocol):
    """The connection on which a request arrived."""

    @property
    def has_left(self) -> bool:
        """Whether the client has disconnected, or has closed its side as clients that give up do."""
        ...

    def drop(self, last: bytes = b"") -> None:
        """Close the connection after sending the written data and `last`, regardless of pending responses."""
        ...


class Resends:
    """Requests that may be sent again, with the faults that hit them, on one event loop."""

    def __init__(self) -> None:
        self._expected: dict[Request, tuple[Hit, HasLeft]] = {}

    def __bool__(self) -> bool:
        return bool(self._expected)

    def expect(self, request: Request, hit: Hit, has_left: HasLeft) -> None:
        """Expect a request again for a limited time, once its client has disconnected."""
        self._expected[request] = hit, has_left
        asyncio.get_running_loop().call_later(EXPECTED_S, self.forget, request)

    def forget(self, request: Request) -> None:
        """Stop expecting a request because its client received the whole response."""
        self._expected.pop(request, None)

    def take(self, request: Request) -> Hit | None:
        """Return the fault that hit a request before, if the request was sent again."""
        hit, has_left = self._expected.get(request, (None, None))
        if has_left is None or not has_left():
            return None
        self.forget(request)
        return hit


class FaultGate:
    """Applies faults on one event loop; `most` is the maximum number of requests they may hold at once."""

    def __init__(self, faults: Faults, *, applied: bool) -> None:
        """Create a gate; unless `applied`, faults are only stored, because requests of other commands are never hit."""
        self.faults = faults
        self.most = MOST_HELD
        self.resends = Resends()
        self._applied = applied
        self._held = 0

    @property
    def is_on(self) -> bool:
        """Whether faults may hit requests."""
        return self._applied and (self.faults.active > 0 or bool(self.resends))

    @property
    def needs_new_connections(self) -> bool:
        """Whether no connection may be used for a second request."""
        return self._applied and self.faults.needs_new_connections

    def renew_with(self, renew: Renew) -> Callable[[], None]:
        """Register `renew`, which closes a server's connections when a rule needs new ones.

        Returns a function that unregisters it.
        """
        return self.faults.renew_with(renew) if self._applied else lambda: None

    async def add(self, rule: FaultRule) -> Fault:
        """Add a rule, and return once all connections that must be renewed are closed; raises `InvalidParameter`."""
        fault = self.faults.add(rule)
        renewals = [asyncio.wrap_future(each) for each in self.faults.renewals]
        if rule.is_sent_again and renewals:
            await asyncio.wait(renewals, timeout=MAX_RENEWAL_S)
        return fault

    def strike(self, scope: Scope, key: ApiKey, device_id: str | None, limit: str) -> "Struck | None":
        """Return the faults of a Test request if it is hit; raises `TooBusy` if too many requests are held.

        `limit` is the name of the operation's rate limit.
        """
        if not self.is_on or key.environment is not Environment.TEST:
            return None
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        request = request_of(scope, device_id)
        hit = self.resends.take(request)
        if hit is None or not self.faults.has(hit.rule_id):
            hit = self.faults.strike(FaultyRequest(method, scope["path"], key.level, device_id))
        if hit is None:
            return None
        scope["state"][STRUCK] = hit.ids
        struck = Struck(self, hit, scope, limit, request)
        if struck.waits and self._held >= self.most:
            raise TooBusy(
                f"Faults already hold {self._held} requests; remove some faults, or send fewer requests at once."
            )
        return struck

    async def wait(self, line: "Line | None", seconds: float) -> None:
        """Wait, or return early if the client disconnects."""
        self._held += 1
        try:
            while seconds > 0 and not (line is not None and line.has_left):
                step = min(seconds, LOOK_EVERY_S)
                await asyncio.sleep(step)
                seconds -= step
        finally:
            self._held -= 1


class Struck:
    """A request that is hit by faults."""

    def __init__(self, gate: FaultGate, hit: Hit, scope: Scope, limit: str, request: Request) -> None:
        self.gate = gate
        self._limit = limit
        self._hit = hit
        self._request = request
        self.line: Line | None = scope["state"].get(LINE)
        self._is_from_browser = is_from_browser(scope)

    @property
    def waits(self) -> bool:
        """Whether the request is held for some time."""
        return self._hit.latency_s > 0 or self._is(FaultKind.SLOW)

    async def begin(self) -> Response | None:
        """Hold the request, and return the response if the operation must not run; the client may leave meanwhile."""
        if self._hit.latency_s:
            await self.gate.wait(self.line, self._hit.latency_s)
        rule = self._hit.rule
        if rule is None:
            return None
        if rule.kind is FaultKind.STATUS:
            refusal = _refusal(rule, self._hit.ids, self._limit)
            return TimedOut(self, refusal) if self._is_from_browser and rule.is_sent_again else refusal
        return Dropped(self) if rule.kind is FaultKind.DROP and rule.when is not DropTime.AFTER else None

    def answered(self, response: Response) -> Response:
        """Return the response to send in place of the given one."""
        rule = self._hit.rule
        match None if rule is None else rule.kind:
            case FaultKind.DROP:
                return Dropped(self)
            case FaultKind.TRUNCATE:
                assert rule is not None
                return Truncated(self, response, rule.bytes)
            case FaultKind.SLOW:
                assert rule is not None
                assert rule.bytes_per_second is not None
                return Slow(self, response, rule.bytes_per_second)
            case _:
                return response

    async def hold_rest(self) -> None:
        """Hold the rest of the response until a resending browser disconnects, and expect its request again."""
        line = self.line
        if line is None:
            return
        self.gate.resends.expect(self._request, replace(self._hit, latency_s=0.0), lambda: line.has_left)
        waited_s = 0.0
        while waited_s < HELD_S and not line.has_left:
            await asyncio.sleep(LOOK_FOR_RESEND_EVERY_S)
            waited_s += LOOK_FOR_RESEND_EVERY_S
        if not line.has_left:
            self.gate.resends.forget(self._request)

    def drop(self) -> None:
        """Close the connection in the middle of the response."""
        if self.line is not None:
            self.line.drop()

    def drop_unanswered(self) -> None:
        """Close the connection without a response; to a browser, send bytes that keep it from trying again."""
        if self.line is not None:
            self.line.drop(GIVE_UP if self._is_from_browser else b"")

    def _is(self, kind: FaultKind) -> bool:
        return self._hit.rule is not None and self._hit.rule.kind is kind


class Dropped(Response):
    """A missing response: the connection is closed."""

    def __init__(self, struck: Struck) -> None:
        super().__init__()
        self._struck = struck

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._struck.drop_unanswered()


class TimedOut(Response):
    """A 408 response for a browser, whose last byte is held back until it is clear whether the browser sends again."""

    def __init__(self, struck: Struck, response: JsonResponse) -> None:
        super().__init__()
        self._struck, self._response = struck, response

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_part(message: Message) -> None:
            if message["type"] == "http.response.body":
                body = message.get("body", b"")
                await send({**message, "body": body[:-1], "more_body": True})
                await self._struck.hold_rest()
                message = {**message, "body": body[-1:]}
            await send(message)

        await self._response(scope, receive, send_part)


class Truncated(Response):
    """A response whose body ends early, by at least one byte, and by default in the middle."""

    def __init__(self, struck: Struck, response: Response, limit: int | None) -> None:
        super().__init__()
        self._struck, self._response, self._limit = struck, response, limit

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left: int | None = self._limit
        ended = False

        async def send_part(message: Message) -> None:
            nonlocal left, ended
            if message["type"] == "http.response.start":
                left = _part_of(message["headers"], self._limit)
                await send(message)
                return
            if ended:
                return
            body = message.get("body", b"")
            if left is None:
                left = len(body) // 2  # a body of unknown size ends within its first piece
            await send({"type": "http.response.body", "body": body[:left], "more_body": True})
            left -= min(left, len(body))
            if not left or not message.get("more_body", False):
                ended = True
                self._struck.drop()

        await self._response(scope, receive, send_part)


class Slow(Response):
    """A response whose body is sent at a limited rate in bytes per second."""

    def __init__(self, struck: Struck, response: Response, bytes_per_second: int) -> None:
        super().__init__()
        self._struck, self._response = struck, response
        self._speed = bytes_per_second

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = max(1, int(self._speed * PIECE_S))
        left_s = MAX_SLOW_S

        async def send_slowly(message: Message) -> None:
            nonlocal left_s
            body = memoryview(message.get("body", b""))
            for at in range(0, len(body), size):
                piece = body[at : at + size]
                await self._struck.gate.wait(self._struck.line, len(piece) / self._speed)
                left_s -= len(piece) / self._speed
                if left_s < 0:
                    self._struck.drop()
                await send({"type": "http.response.body", "body": bytes(piece), "more_body": True})
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self._response(scope, receive, send_slowly)


def is_from_browser(scope: Scope) -> bool:
    """Return whether a request comes from a page in a browser, not from an app or an HTTP/1.0 proxy."""
    agent = next((value for name, value in scope["headers"] if name == b"user-agent"), b"")
    return scope["http_version"] == "1.1" and agent.startswith(_BROWSER)


def _part_of(headers: Headers, limit: int | None) -> int | None:
    """Return the number of bytes of a body to send, or None for a part of a body of unknown size."""
    size = next((int(value) for name, value in headers if name.lower() == b"content-length"), None)
    if size is None:
        return limit
    return min(size // 2 if limit is None else limit, max(size - 1, 0))


def _refusal(rule: FaultRule, ids: tuple[str, ...], limit: str) -> JsonResponse:
    """Return the error response of a rule; the limit's name is the default type of 429 only, as without faults."""
    assert rule.status is not None
    kind = rule.type or (limit if rule.status == HTTPStatus.TOO_MANY_REQUESTS else None)
    phrase = _PHRASES.get(rule.status, "Refused")
    body = error_body(rule.status, rule.message or f"{phrase} ({ids[-1]}, an injected fault).", kind=kind)
    headers = [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in rule.headers]
    return JsonResponse(body, rule.status, headers)


def request_of(scope: Scope, device_id: str | None) -> Request:
    """Return the key that a repeated request shares with the first; the client's address excludes the port."""
    address = (scope["client"] or ("",))[0]
    return address, scope["method"], scope["raw_path"], scope["query_string"], tuple(scope["headers"]), device_id
