"""HTTP servers of this machine that answer as a test wants, and remember what they were asked."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson


@dataclass(frozen=True)
class Asked:
    """One request: its path, and the values of each parameter."""

    path: str
    params: dict[str, list[str]]
    headers: dict[str, str]


type Reply = Callable[[BaseHTTPRequestHandler, Asked], None]


@dataclass
class FakeServer:
    """The address of a running server, and what it was asked so far."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    stop: Callable[[], None] = lambda: None
    """Ends it before the block does."""


@contextmanager
def serving(reply: Reply) -> Iterator[FakeServer]:
    """Answer every GET with `reply`."""
    told = FakeServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            asked = Asked(parts.path, parse_qs(parts.query, keep_blank_values=True), dict(self.headers.items()))
            told.asked.append(asked)
            reply(self, asked)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_port}"

    def stop() -> None:
        server.shutdown()
        thread.join()
        server.server_close()

    told.stop = stop
    try:
        yield told
    finally:
        stop()


def answering(content: Any, status: int = 200) -> Reply:
    """Return what always answers the same JSON."""
    return lambda handler, _: send(handler, status, orjson.dumps(content))


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> None:
    """Answer a request."""
    handler.send_response(status)
    handler.send_header("content-length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)
