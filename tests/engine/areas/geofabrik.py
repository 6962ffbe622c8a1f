"""A fake Geofabrik server."""

import hashlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson


class Geofabrik(ThreadingHTTPServer):
    """A server with an index, an extract and its checksum, which breaks off responses on request."""

    daemon_threads = True

    def __init__(self, extract: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.extract = extract
        self.checksum = hashlib.md5(extract).hexdigest()
        self.break_after: list[int] = []
        self.ranges: list[str | None] = []
        self.with_ranges = True
        self.silent_at: str | None = None
        """Address whose requests are accepted but never answered; an extract stops in its middle."""
        self.silent = threading.Event()
        """Set when the server has fallen silent."""
        self.over = threading.Event()

    @property
    def url(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.server_port}"

    def index(self) -> dict[str, Any]:
        """Return regions in Geofabrik's format."""
        about = [
            {"id": "europe", "name": "Europe"},
            {"id": "town", "parent": "europe", "name": "The Town"},
            {"id": "us/vermont", "parent": "us", "name": "Vermont"},
            {"id": "isle-of-man", "parent": "europe", "name": "Isle of Man"},
        ]
        return {
            "type": "FeatureCollection",
            "features": [
                {"type": "Feature", "properties": each | {"urls": {"pbf": f"{self.url}/{each['id']}-latest.osm.pbf"}}}
                for each in about
            ],
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Geofabrik

    def do_GET(self) -> None:
        if self.path == self.server.silent_at and not self.path.endswith(".pbf"):
            self._stall()
        elif self.path == "/index.json":
            self._send(orjson.dumps(self.server.index()))
        elif self.path.endswith(".md5"):
            self._send(f"{self.server.checksum}  town-latest.osm.pbf\n".encode())
        elif self.path == "/town-latest.osm.pbf":
            self._send_extract()
        else:
            self.send_error(404)

    def _send(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_extract(self) -> None:
        requested_range = self.headers.get("Range")
        self.server.ranges.append(requested_range)
        start = (
            int(requested_range.removeprefix("bytes=").removesuffix("-"))
            if requested_range and self.server.with_ranges
            else 0
        )
        body = self.server.extract[start:]
        if requested_range and not body:
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.path == self.server.silent_at:
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            self._stall()
        elif self.server.break_after:
            self.wfile.write(body[: self.server.break_after.pop(0)])
            self.close_connection = True
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.wfile.write(body)

    def _stall(self) -> None:
        self.server.silent.set()
        self.server.over.wait()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Suppress the log."""


@contextmanager
def playing(extract: bytes) -> Iterator[Geofabrik]:
    """Serve an extract during the block."""
    server = Geofabrik(extract)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
