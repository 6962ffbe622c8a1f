"""A web shop with another origin than the endpoint, whose pages use the vendor's browser SDK in Chromium."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine

ROOT = Path(__file__).parents[2]
SDK = ROOT / "resources" / "web" / "node_modules" / "radar-sdk-js" / "dist" / "radar.js"

KINDS = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css"}


class Shop(BaseHTTPRequestHandler):
    """Serves the page and the SDK like a web shop. A page can run actions here with POST."""

    files: ClassVar[dict[str, tuple[str, bytes]]] = {}
    actions: ClassVar[dict[str, Callable[[], object]]] = {}

    def do_GET(self) -> None:
        """Return one of the files."""
        kind, content = self.files.get(self.path, ("text/plain", b""))
        self.send_response(200 if self.path in self.files else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        """Run one of the actions."""
        self.actions[self.path]()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Log nothing."""


@pytest.fixture
def shop() -> Iterator[str]:
    with open_shop() as url:
        yield url


@contextmanager
def open_shop() -> Iterator[str]:
    """Run the web shop during the block, and return its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Shop) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def browse(url: str) -> dict[str, Any]:
    """Return the result that a page reports."""
    command = [sys.executable, "-m", "tests.clients.browser", url]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr.decode()
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def visit(engine: Engine, shop: str, page: str) -> dict[str, Any]:
    """Return the result of a page at an endpoint over `engine`. The page gets its key and address."""
    with ApiServer(engine, port=0) as server:
        stock(page, engine, server.url, {"/radar.js": SDK})
        return browse(f"{shop}/")


def stock(page: str, engine: Engine, endpoint: str, files: Mapping[str, Path]) -> None:
    """Set the shop's files, and its page with a Test key and the address of an endpoint filled in."""
    shelve(page, engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE), endpoint, files)


def shelve(page: str, key: str, endpoint: str, files: Mapping[str, Path]) -> None:
    """Set the shop's files, and its page with a key and the address of an endpoint filled in."""
    page = page.replace("@KEY@", key).replace("@HOST@", endpoint)
    shelf = {path: (KINDS[file.suffix], file.read_bytes()) for path, file in files.items()}
    Shop.files = {"/": ("text/html", page.encode()), **shelf}
