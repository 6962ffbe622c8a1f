"""Loading the tiles of a source from its server, with a cache and a pause after repeated failures."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final

from app.desktop.language import tr
from app.desktop.model.imagery.capabilities import BadCapabilities, WmsLayer, read_capabilities
from app.desktop.model.imagery.sources import (
    ImagerySource,
    TileAddress,
    address_of,
    capabilities_address,
    check_server,
    has_fine_tiles,
    host_of,
)
from engine.domain.errors import FencewrightError

if TYPE_CHECKING:
    from engine.outbound.server import Answer, RemoteServer

CONNECTIONS: Final = 6
TILE_S: Final = 20.0
CAPABILITIES_S: Final = 30.0
RESTS_S: Final = 30.0
MAX_KEPT_BYTES: Final = 64 * 1024 * 1024
MAX_KEPT: Final = 4_000

_FAILURES_BEFORE_REST: Final = 3
_MISSING: Final = (204, 404, 410)
_PICTURES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF")
_ACCEPTED: Final = "image/png,image/jpeg,image/webp,image/gif,*/*;q=0.5"

type Tile = tuple[int, int, int, bool]
"""Zoom, column and row of a tile, and whether it is for high-resolution screens."""


class ImageryUnavailable(FencewrightError):
    """Raised if imagery is not available.

    The message is a full sentence that gives the reason and contains no secrets.
    """


class TileCache:
    """An LRU cache of loaded tiles and of tiles known to be missing, limited by size."""

    def __init__(self, max_bytes: int = MAX_KEPT_BYTES, max_tiles: int = MAX_KEPT) -> None:
        self._tiles: OrderedDict[Tile, bytes] = OrderedDict()
        self._max_bytes, self._max_tiles = max_bytes, max_tiles
        self._bytes = 0

    def get(self, tile: Tile) -> bytes | None:
        """Return a tile, or None if it is not cached. Tiles known to be missing are empty."""
        found = self._tiles.get(tile)
        if found is not None:
            self._tiles.move_to_end(tile)
        return found

    def put(self, tile: Tile, content: bytes) -> None:
        """Store a tile."""
        self._bytes += len(content) - len(self._tiles.pop(tile, b""))
        self._tiles[tile] = content
        while self._bytes > self._max_bytes or len(self._tiles) > self._max_tiles:
            _, evicted = self._tiles.popitem(last=False)
            self._bytes -= len(evicted)


class ImageryServer:
    """Loads the tiles of a source. Thread-safe. No host other than that of the source is contacted.

    After several consecutive failures, it sends no requests for half a minute.
    """

    def __init__(self, source: ImagerySource, clock: Callable[[], float] = monotonic) -> None:
        self.source = source
        self._clock = clock
        self._lock = Lock()
        self._servers: dict[str, RemoteServer[ImageryUnavailable]] = {}
        self._kept = TileCache()
        self._failures = 0
        self._rests_until = 0.0
        self._trouble = ""
        self._closed = False

    @property
    def trouble(self) -> str:
        """The current problem as a sentence, or "" if the server delivers its tiles."""
        with self._lock:
            return self._trouble if self._failures >= _FAILURES_BEFORE_REST else ""

    @property
    def rests_s(self) -> float:
        """Seconds until requests are sent again, or 0 if there is no pause."""
        with self._lock:
            return max(0.0, self._rests_until - self._clock())

    def tile(self, zoom: int, x: int, y: int, *, fine: bool = False) -> bytes:
        """Return the image of a tile, in high resolution if requested and available; raises `ImageryUnavailable`."""
        fine = fine and has_fine_tiles(self.source)
        tile = zoom, x, y, fine
        with self._lock:
            kept, rests = self._kept.get(tile), self._clock() < self._rests_until
        if kept:
            return kept
        if kept is not None or rests:
            raise ImageryUnavailable(self._trouble)
        try:
            answer = self._get(address_of(self.source, zoom, x, y, fine=fine))
        except ValueError:
            raise ImageryUnavailable(tr("There is no such tile.")) from None
        except ImageryUnavailable as failure:
            self._note_failure(str(failure))
            raise
        return self._take(tile, answer)

    def close(self) -> None:
        """Close the connections. Pending requests fail with an error."""
        with self._lock:
            servers, self._servers = list(self._servers.values()), {}
            self._closed = True
        for server in servers:
            server.close()

    def _get(self, address: TileAddress) -> Answer:
        with self._lock:
            if self._closed:
                raise ImageryUnavailable(tr("The imagery is no longer shown."))
            if address.server not in self._servers:
                self._servers[address.server] = _server_of(address, _ACCEPTED)
            server = self._servers[address.server]
        return server.get(address.path, address.query, TILE_S)

    def _take(self, tile: Tile, answer: Answer) -> bytes:
        if answer.status == 200 and answer.body.startswith(_PICTURES):
            with self._lock:
                self._kept.put(tile, answer.body)
                self._failures, self._trouble = 0, ""
            return answer.body
        is_missing = answer.status in _MISSING
        reason = tr("no picture in its response") if answer.status == 200 else str(answer.status)
        text = tr("Imagery from {host} cannot be loaded ({reason}).", host=host_of(self.source), reason=reason)
        if is_missing:
            with self._lock:
                self._kept.put(tile, b"")
                self._failures, self._trouble = self._failures + 1, text
        else:
            self._note_failure(text)
        raise ImageryUnavailable(text)

    def _note_failure(self, text: str) -> None:
        with self._lock:
            self._failures, self._trouble = self._failures + 1, text
            if self._failures >= _FAILURES_BEFORE_REST:
                self._rests_until = max(self._rests_until, self._clock() + RESTS_S)


def ask_layers(url: str, version: str) -> tuple[WmsLayer, ...]:
    """Return the layers that a WMS lists; raises `ImageryUnavailable`, or `InvalidParameter` for ``url``."""
    check_server(url)
    address = capabilities_address(url, version)
    server = _server_of(address, "text/xml,application/xml,*/*;q=0.5")
    try:
        answer = server.get(address.path, address.query, CAPABILITIES_S)
    finally:
        server.close()
    if answer.status != 200:
        raise server.failure(tr("answered with status {status}", status=answer.status))
    try:
        return read_capabilities(answer.body)
    except BadCapabilities as bad:
        raise ImageryUnavailable(str(bad)) from None


def _server_of(address: TileAddress, accept: str) -> RemoteServer[ImageryUnavailable]:
    # The client is slow to import and is needed only by users with imagery.
    from engine.outbound.server import RemoteServer

    return RemoteServer(
        tr("imagery server"), address.server, ImageryUnavailable, connections=CONNECTIONS, accept=accept
    )
