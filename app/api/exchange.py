"""One request and its answer, as the gate hands them to a route."""

from collections.abc import Sequence
from itertools import count
from secrets import token_hex
from typing import Any, Final

import orjson
from starlette.types import Receive, Scope, Send

from app.api.cors import CORS_HEADERS, Headers

JSON_TYPE: Final = b"application/json"
REQUEST_ID: Final = b"x-radar-request-id"
EXCHANGE: Final = "fencewright.exchange"
"""Where a scope holds its `Exchange`."""

_PREFIX: Final = token_hex(4)
_NUMBERS: Final = count(1)


def new_reference() -> str:
    """Return what an answer and the log call a request."""
    return f"{_PREFIX}{next(_NUMBERS):08x}"


class Exchange:
    """A request's headers and reference, and the means to answer it once.

    `path` is the raw path, percent-encoded as sent, without the ``/api`` of the alias. `started` tells that the
    answer's status has been sent.
    """

    __slots__ = ("control", "headers", "path", "receive", "reference", "scope", "send", "started")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.receive = receive
        self.send = send
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.reference = new_reference()
        path: bytes = scope["raw_path"]
        self.path = path[4:] if path.startswith(b"/api/v1/") else path
        self.control = path.startswith(b"/_workspace")
        self.started = False

    @property
    def client(self) -> str | None:
        """The address the request came from."""
        client = self.scope.get("client")
        return client[0] if client else None

    async def answer_json(self, status: int, content: Any, extra: Sequence[tuple[bytes, bytes]] = ()) -> None:
        """Send a whole JSON answer."""
        await self.answer(status, orjson.dumps(content), JSON_TYPE, extra)

    async def answer(
        self, status: int, body: bytes, content_type: bytes, extra: Sequence[tuple[bytes, bytes]] = ()
    ) -> None:
        """Send a whole answer."""
        await self.begin(status, content_type, [(b"content-length", b"%d" % len(body)), *extra])
        await self.send({"type": "http.response.body", "body": body})

    async def begin(self, status: int, content_type: bytes, extra: Headers) -> None:
        """Send the status and headers; bodies follow by `part`."""
        self.started = True
        headers = [(b"content-type", content_type), (REQUEST_ID, self.reference.encode()), *extra]
        if not self.control:
            headers += CORS_HEADERS
        await self.send({"type": "http.response.start", "status": status, "headers": headers})

    async def part(self, body: bytes, *, last: bool = False) -> None:
        """Send a part of the body of a streamed answer."""
        await self.send({"type": "http.response.body", "body": body, "more_body": not last})
