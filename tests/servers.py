"""Local HTTP servers that reply as a test requires, and record their requests."""

import gzip
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson

from tests.resident import RESIDENT


@dataclass(frozen=True)
class ReceivedRequest:
    """One request: its path, the values of each parameter, its headers by lowercase name, and its body."""

    path: str
    params: dict[str, list[str]]
    headers: dict[str, str]
    target: str = ""
    """Path and query as sent."""
    body: bytes = b""

    @property
    def json(self) -> Any:
        """Return the body."""
        return orjson.loads(self.body)


type Reply = Callable[[BaseHTTPRequestHandler, ReceivedRequest], None]


@dataclass
class FakeServer:
    """The address of a running server, and the requests so far."""

    url: str = ""
    requests: list[ReceivedRequest] = field(default_factory=list)
    stop: Callable[[], None] = lambda: None
    """Stops the server before the end of the block."""

    def url_with(self, before_host: str = "", after_host: str = "") -> str:
        """Return the address with text before its host, such as ``me:secret@``, and after it."""
        return self.url.replace("://", f"://{before_host}") + after_host


@contextmanager
def serving(reply: Reply, *, keeps: bool = False) -> Iterator[FakeServer]:
    """Reply to every request with `reply`.

    A server that `keeps` connections does not start a thread for each request, which is most of the cost of thousands
    of them. Its responses state their length, and its threads end with its clients.
    """
    fake = FakeServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1" if keeps else "HTTP/1.0"
        # Head and body are written separately; the second would wait until the client has received the first.
        disable_nagle_algorithm = keeps

        def setup(self) -> None:
            super().setup()
            if keeps:
                RESIDENT.add(threading.current_thread())

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            request = ReceivedRequest(
                path=parts.path,
                params=parse_qs(parts.query, keep_blank_values=True),
                headers={name.lower(): value for name, value in self.headers.items()},
                target=self.path,
                body=self.rfile.read(int(self.headers.get("content-length", 0))),
            )
            fake.requests.append(request)
            with suppress(ConnectionError):  # the client has disconnected
                reply(self, request)

        def do_POST(self) -> None:
            self.do_GET()

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Suppress the log."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        # With a shorter queue, connections of simultaneous clients are lost on a busy machine.
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}"

    def stop() -> None:
        server.shutdown()
        thread.join()
        server.server_close()

    fake.stop = stop
    try:
        yield fake
    finally:
        stop()


def answering(content: Any, status: int = 200) -> Reply:
    """Return a reply that is always the same JSON."""
    return lambda handler, _: send(handler, status, orjson.dumps(content))


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> None:
    """Send a response."""
    handler.send_response(status)
    handler.send_header("content-length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)


def flood(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Send blanks without end."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" " * 1_000_000)


def drip(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Send a body slowly in small pieces."""
    handler.send_response(200)
    handler.end_headers()
    _slowly(handler, b" " * 200)


def drip_head(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Send a head slowly in small pieces."""
    _slowly(handler, b"HTTP/1.1 200 OK\r\nx-long: " + b"x" * 200)


def _slowly(handler: BaseHTTPRequestHandler, text: bytes) -> None:
    for drop in text:
        handler.wfile.write(bytes([drop]))
        handler.wfile.flush()
        sleep(0.1)


def break_off(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Announce more than is sent, and hang up."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"features": [')


def bomb(unpacked_mb: int) -> Reply:
    """Return a reply that is compressed to about a thousandth of its size."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(1024 * 1024)) + packer.flush(zlib.Z_FULL_FLUSH)
    body = gzip.compress(b"")[:10] + block * unpacked_mb + packer.flush()
    return lambda handler, _: send(handler, 200, body, content_encoding="gzip")
