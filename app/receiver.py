"""The built-in receiver of webhooks, which acknowledges every request and checks its signature.

It is for testing on this machine only. Requests are limited in size, time and number of connections.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from threading import BoundedSemaphore, Thread
from types import TracebackType
from typing import Any, Final, Self

import orjson
from msgspec import Struct

from engine.domain.errors import AddressInUse
from engine.domain.ports import SystemClock
from engine.outbound.posting.signing import SIGNATURE, SIGNING_ID, is_signed

HOST: Final = "127.0.0.1"
MAX_BODY: Final = 4 * 1024 * 1024
MAX_CONNECTIONS: Final = 64
TIMEOUT_S: Final = 30.0
MAX_EVENTS: Final = 100


class Signature(StrEnum):
    """Result of the check of a signature."""

    VALID = "valid"
    WRONG = "wrong"
    MISSING = "missing"
    UNCHECKED = "not checked"


class ReceivedEvent(Struct, frozen=True):
    """An event of a request: its ID, its type, and a short text about its user and location."""

    id: str
    type: str
    about: str


class Received(Struct, frozen=True):
    """A received request and the status of its response. `content` is the JSON of its body if that is an object."""

    at: datetime
    path: str
    signature: Signature
    text: str
    content: Mapping[str, Any] | None
    events: tuple[ReceivedEvent, ...]
    status: int = 200


class Receiver:
    """A server that listens until it is closed."""

    def __init__(
        self,
        received: Callable[[Received], None],
        *,
        port: int = 0,
        token: str | None = None,
        status: int = 200,
        first: Iterable[int] = (),
    ) -> None:
        """Respond with `status`, and to the first requests with the statuses in `first`, in order.

        `received` gets each request, in a thread of its own. Raises `AddressInUse`.
        """
        self.token = token
        self.status = status
        self._first = deque(first)
        self._received = received
        self._clock = SystemClock()
        try:
            self._server = _Server(self, port)
        except OSError as error:
            raise AddressInUse(f"Nothing can listen on {HOST}:{port}: {error.strerror}.") from error
        self._thread = Thread(target=self._server.serve_forever, args=(0.1,), name="webhook-receiver")
        self._thread.start()

    @property
    def url(self) -> str:
        """The address for a webhook."""
        return f"http://{HOST}:{self._server.server_port}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def take(self, path: str, signing_id: str | None, given: str | None, body: bytes) -> int:
        """Check a request, report it, and return the status of the response."""
        status = self._next_status()
        content = _object_of(body)
        text = body.decode("utf-8", "replace")
        signature = self._judged(signing_id, given)
        events = _events_of(content or {})
        self._received(Received(self._clock.now(), path, signature, text, content, events, status))
        return status

    def _next_status(self) -> int:
        with suppress(IndexError):  # not checked beforehand, since each request has a thread
            return self._first.popleft()
        return self.status

    def _judged(self, signing_id: str | None, given: str | None) -> Signature:
        if signing_id is None or given is None:
            return Signature.MISSING
        if not self.token:
            return Signature.UNCHECKED
        return Signature.VALID if is_signed(self.token, signing_id, given) else Signature.WRONG

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Open connections must not delay the shutdown.
    block_on_close = False
    request_queue_size = 128

    def __init__(self, receiver: Receiver, port: int) -> None:
        self.receiver = receiver
        self._places = BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__((HOST, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread, unless there are too many."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection and free its slot."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """Ignore errors, since a sender may disconnect at any time."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT_S
    server: _Server

    def do_POST(self) -> None:
        """Receive and acknowledge a request."""
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and int(length[:12]) <= MAX_BODY and len(length) <= 12):
            self._answer(411 if not length else 413, close=True)
            return
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            return
        signing_id, given = self.headers.get(SIGNING_ID), self.headers.get(SIGNATURE)
        self._answer(self.server.receiver.take(self.path[:2_000], signing_id, given, body))

    def _answer(self, status: int, *, close: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        if close:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(b"{}")

    def version_string(self) -> str:
        """Return the name in the ``Server`` header."""
        return "Fencewright"

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


def _object_of(body: bytes) -> Mapping[str, Any] | None:
    with suppress(orjson.JSONDecodeError):
        content = orjson.loads(body)
        return content if isinstance(content, dict) else None
    return None


def _events_of(content: Mapping[str, Any]) -> tuple[ReceivedEvent, ...]:
    events = content.get("events", [content.get("event")])
    found = events[:MAX_EVENTS] if isinstance(events, list) else []
    return tuple(_event_of(event) for event in found if isinstance(event, dict))


def _event_of(event: Mapping[str, Any]) -> ReceivedEvent:
    user, geofence = _part(event, "user"), _part(event, "geofence")
    whose = user.get("userId") or user.get("deviceId") or ""
    geofence_key = f"{geofence['tag']}/{geofence['externalId']}" if {"tag", "externalId"} <= geofence.keys() else ""
    about = "  ".join(str(each) for each in (whose, geofence_key) if each)
    return ReceivedEvent(str(event.get("_id", "")), str(event.get("type", "")), about)


def _part(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = event.get(name)
    return part if isinstance(part, dict) else {}
