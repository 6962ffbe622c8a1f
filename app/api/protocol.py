"""uvicorn's connections, with the limits it does not have: head size, deadlines, connections, our error shape."""

import re
from typing import Any, Final, override

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.api.cors import CORS_HEADERS, Headers
from app.api.errors import error_body
from app.api.express import Express, ExpressRequest
from app.api.limits import IMPORT_DEADLINE_S, MAX_CONNECTIONS, MAX_HEAD, RECEIVE_DEADLINE_S

_PHRASES: Final = {400: b"Bad Request", 503: b"Service Unavailable"}


_UPGRADE: Final = re.compile(rb"\r\nupgrade:", re.IGNORECASE)


def _without_upgrade(data: bytes) -> bytes:
    """Return the bytes of a head without its offer to change the protocol, which is declined by ignoring it.

    Java's own client offers HTTP/2 with every request, and the parser would take the body for the other protocol.
    """
    head, blank, body = data.partition(b"\r\n\r\n")
    return _UPGRADE.sub(b"\r\nx-declined-upgrade:", head) + blank + body


class HeadTooLarge(Exception):
    """The request line and headers exceed what is accepted."""


class BoundedProtocol(HttpToolsProtocol):
    """One connection.

    `receiving_since` is the loop's time of the first byte of a request that is not complete yet, or of the
    connection when it has sent nothing; None while a request is answered or the connection idles between two (the
    server's keep-alive covers that).
    """

    deadline_s = RECEIVE_DEADLINE_S

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.receiving_since: float | None = self.loop.time()
        self._head_size = 0
        self._in_head = True
        self._refused = False
        self._express: Express | None = getattr(self.app, "express", None)

    @override
    def connection_made(self, transport: Any) -> None:
        """Accept the connection unless there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            self._refuse(503, "Too many connections are open; close some or try again later.")

    @override
    def data_received(self, data: bytes) -> None:
        """Feed the parser, counting what belongs to a head."""
        if self._refused:
            return
        if self.receiving_since is None:
            self.receiving_since = self.loop.time()
        if self._in_head:
            self._head_size += len(data)
            if b"pgrade" in data:
                data = _without_upgrade(data)
        super().data_received(data)
        if self._in_head and self._head_size > MAX_HEAD:
            self.send_400_response("")

    @override
    def on_message_begin(self) -> None:
        """Note when a request begins, also one that arrives behind another."""
        self.receiving_since = self.loop.time()
        super().on_message_begin()

    @override
    def on_headers_complete(self) -> None:
        """Start the request unless its head is too large."""
        self._in_head = False
        if self._head_size > MAX_HEAD and self._measured_head() > MAX_HEAD:
            raise HeadTooLarge
        if not self._goes_short_way():
            super().on_headers_complete()

    def _goes_short_way(self) -> bool:
        """Begin an express request where this is one and nothing before it is unanswered."""
        busy = self.cycle is not None and not self.cycle.response_complete
        if self._express is None or busy or self.flow.write_paused:
            return False
        headers = dict(self.headers)
        if not self._express.takes(self.parser.get_method(), self.url, headers):
            return False
        keep_alive = self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()
        client = self.client[0] if self.client else None
        self.cycle = ExpressRequest(self, headers, client, keep_alive=keep_alive)  # type: ignore[assignment]
        return True

    def respond(self, response: bytes, *, keep_alive: bool) -> None:
        """Write a whole response and make ready for the next request."""
        if not self.transport.is_closing():
            self.transport.write(response)
            if not keep_alive:
                self.transport.close()
            self.on_response_complete()

    def date_headers(self) -> Headers:
        """Return the headers that the server adds to every response."""
        return self.server_state.default_headers

    def _measured_head(self) -> int:
        """Return the size of the head alone: the count may hold some of the body."""
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    @override
    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self._in_head = True
        self._head_size = 0
        self.receiving_since = None
        super().on_message_complete()
        request: object = self.cycle
        if self._express is not None and isinstance(request, ExpressRequest) and not request.response_complete:
            self._express.serve(request)

    @override
    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, or has too large a head, in the shape of all errors."""
        if self._head_size > MAX_HEAD:
            self._refuse(400, f"The request line and headers must not exceed {MAX_HEAD // 1024} KiB.")
        else:
            self._refuse(400, "The request is not valid HTTP.")

    def _refuse(self, status: int, message: str) -> None:
        self._refused = True
        if self.transport.is_closing():
            return
        body = orjson.dumps(error_body(status, message))
        head = [b"HTTP/1.1 %d %s" % (status, _PHRASES[status]), b"content-type: application/json"]
        head += [b"content-length: %d" % len(body), b"connection: close"]
        head += [name + b": " + value for name, value in CORS_HEADERS]
        self.transport.write(b"\r\n".join(head) + b"\r\n\r\n" + body)
        self.transport.close()

    def sweep(self, now: float) -> None:
        """Close the connection when its request has been arriving for too long."""
        if self.receiving_since is not None and now - self.receiving_since > self.deadline_s:
            self.transport.close()


class ControlProtocol(BoundedProtocol):
    """A connection of the control server, where a large table may take its time."""

    deadline_s = IMPORT_DEADLINE_S
