"""The short way for location updates.

Devices send nothing else by the thousand a second, and of what such a request costs most is the way through the
layers: a task, an event, two messages each way. Here a complete update goes from the connection straight to the
engine, and its answer straight back, by the same functions that the ordinary way uses. Whatever is unusual about a
request (chunks, a large body, one that waits behind another) takes the ordinary way and is answered alike.
"""

import logging
from typing import Any, Final, Protocol

import orjson

from app.api.authentication import authenticate
from app.api.cors import CORS_HEADERS, Headers
from app.api.decoding import decode_body
from app.api.errors import headers_of, refusal
from app.api.exchange import JSON_TYPE, REQUEST_ID, new_reference
from app.api.gate import Hosts
from app.api.requests import TrackBody
from app.api.services import Services
from app.api.throttle import NO_HEADERS
from app.api.v1.track import encode_result, location_update
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.tracking import TrackResult

PATHS: Final = frozenset({b"/v1/track", b"/api/v1/track"})
MAX_EXPRESS_BODY: Final = 32 * 1024

_PHRASES: Final = {
    200: b"OK",
    400: b"Bad Request",
    401: b"Unauthorized",
    403: b"Forbidden",
    429: b"Too Many Requests",
    500: b"Internal Server Error",
    503: b"Service Unavailable",
}
_FIXED: Final = b"".join(b"%s: %s\r\n" % header for header in [(b"content-type", JSON_TYPE), *CORS_HEADERS])

logger = logging.getLogger(__name__)


class Connection(Protocol):
    """What the short way needs of a connection."""

    def respond(self, response: bytes, *, keep_alive: bool) -> None:
        """Write a whole response and make ready for the next request."""
        ...

    def date_headers(self) -> Headers:
        """Return the headers that the server adds to every response."""
        ...


class Signal:
    """Stands for the event by which uvicorn tells a task of news; here nobody waits."""

    def set(self) -> None:
        """Do nothing."""


class Express:
    """Answers location updates over one engine."""

    def __init__(self, services: Services, hosts: Hosts) -> None:
        self._services = services
        self._hosts = hosts

    def takes(self, method: bytes, path: bytes, headers: dict[bytes, bytes]) -> bool:
        """Whether a request may go the short way."""
        return (
            path in PATHS
            and method == b"POST"
            and _is_short(headers.get(b"content-length", b""))
            and b"expect" not in headers
            and b"content-encoding" not in headers
            and b"transfer-encoding" not in headers
        )

    def serve(self, request: "ExpressRequest") -> None:
        """Answer a complete request after the update's commit, or at once when it is refused."""
        try:
            headers = request.headers
            if not self._hosts.allows(headers.get(b"host")):
                raise InvalidParameter("Host", "Host: this endpoint is not served under this host name.")
            key = authenticate(self._services.keys, headers.get(b"authorization"), KeyLevel.PUBLISHABLE)
            body = decode_body(TrackBody, bytes(request.body), headers.get(b"content-type", JSON_TYPE))
            client = self._services.client(key.environment, headers, request.client)
            update = location_update(body, client)
            request.extra = self._services.admit(key.environment, update)
            self._services.submit_track(key.environment, update, request.done)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            request.refuse(error)


def _is_short(length: bytes) -> bool:
    return length.isdigit() and len(length) < 6 and int(length) <= MAX_EXPRESS_BODY


class ExpressRequest:
    """One request on its way; to uvicorn's connection it looks like any request in progress."""

    def __init__(
        self, connection: Connection, headers: dict[bytes, bytes], client: str | None, *, keep_alive: bool
    ) -> None:
        self._connection = connection
        self.headers = headers
        self.client = client
        self.extra: Headers = NO_HEADERS
        # What uvicorn's connection reads and writes:
        self.keep_alive = keep_alive
        self.body = bytearray()
        self.more_body = True
        self.response_complete = False
        self.disconnected = False
        self.message_event = Signal()

    def done(self, result: TrackResult | None, error: BaseException | None) -> None:
        """Answer with the engine's result, on the event loop."""
        if self.disconnected:
            return
        if result is None:
            self.refuse(error or RuntimeError("no result"))
            return
        self._answer(200, orjson.dumps(encode_result(result)), new_reference(), self.extra)

    def refuse(self, error: BaseException) -> None:
        """Answer with an error."""
        reference = new_reference()
        status, content = refusal(error, reference)
        if status == 500:
            logger.error("Request %s failed: POST /v1/track", reference, exc_info=error)
        self._answer(status, orjson.dumps(content), reference, headers_of(error))

    def _answer(self, status: int, body: bytes, reference: str, extra: Headers) -> None:
        lines: list[Any] = [b"HTTP/1.1 %d %s\r\n" % (status, _PHRASES[status])]
        lines += [b"%s: %s\r\n" % header for header in self._connection.date_headers()]
        lines += [b"%s: %s\r\n" % header for header in extra]
        lines.append(_FIXED)
        if not self.keep_alive:
            lines.append(b"connection: close\r\n")
        lines.append(b"%s: %s\r\ncontent-length: %d\r\n\r\n" % (REQUEST_ID, reference.encode(), len(body)))
        lines.append(body)
        self.response_complete = True
        self._connection.respond(b"".join(lines), keep_alive=self.keep_alive)
