"""Files on web servers, read in ranges of bytes, or downloaded if a server sends only whole files."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from engine.backtest.reading.names import HISTORY
from engine.backtest.reading.ranges import HistoryChanged, State, buffered
from engine.domain.errors import FencewrightError
from engine.outbound.questions import Bounds, Question, Reply, RequestFailed, check_url
from engine.outbound.urls import shown_url

if TYPE_CHECKING:
    from engine.outbound.client import GuardedClient

_SCHEMES: Final = ("https://", "http://")
_WITHIN_S: Final = 300.0
_REDIRECTS: Final = 5
_ROOM: Final = 64 * 1024
_MOST: Final = 2 * 1024**3
"""Size of the largest file that is downloaded, which is in memory meanwhile."""

_RANGE: Final = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_PARTIAL: Final = 206
_WHOLE: Final = 200
_AGAIN: Final = 3
"""Number of attempts to read a range."""


class Located(Struct, frozen=True):
    """The state of a file on a server, and the path of its copy if it had to be downloaded."""

    state: State
    path: str = ""


def is_address(item: str) -> bool:
    """Return whether a part of a history is on a web server."""
    return item.lower().startswith(_SCHEMES)


def located(url: str, downloads: Path | None) -> Located:
    """Return the state of a file on a server; a file that cannot be read in ranges is saved in `downloads`.

    Raises `InvalidParameter` naming ``history`` for an invalid URL, or `FencewrightError` with the reason.
    """
    check_url(url, HISTORY)
    try:
        reply = _ask(url, {"range": "bytes=0-0"}, _ROOM)
    except RequestFailed:
        # A server may have sent more than was requested.
        if _ask(url, {}, _ROOM, "HEAD").status != _WHOLE:
            raise
        return _downloaded(url, downloads)
    if reply.status == _WHOLE:
        return _downloaded(url, downloads)
    total = _RANGE.fullmatch(reply.headers.get("content-range", ""))
    if reply.status != _PARTIAL or total is None:
        raise FencewrightError(f"the server answered with the status {reply.status}.")
    return Located(State(int(total[3]), _version(reply)))


def opened(url: str, state: State) -> IO[bytes]:
    """Open a file in a state; reading raises `HistoryChanged` if it has another one."""

    def fetch(start: int, end: int) -> bytes:
        reply = _patiently(url, {"range": f"bytes={start}-{end - 1}"}, end - start)
        total = _RANGE.fullmatch(reply.headers.get("content-range", ""))
        if reply.status != _PARTIAL or total is None:
            raise HistoryChanged(f"{shown_url(url)} cannot be read any more: status {reply.status}.")
        if State(int(total[3]), _version(reply)) != state or len(reply.body) != end - start:
            raise HistoryChanged(f"{shown_url(url)} changed after it was checked; start the back-test again.")
        return reply.body

    return buffered(state.size, fetch)


def _patiently(url: str, headers: dict[str, str], most: int) -> Reply:
    """Return the response of a server, after more attempts if it fails."""
    for _ in range(_AGAIN - 1):
        try:
            return _ask(url, headers, most)
        except RequestFailed:
            continue
    return _ask(url, headers, most)


def _downloaded(url: str, downloads: Path | None) -> Located:
    if downloads is None:
        raise FencewrightError("the server cannot send parts of a file; download it, and give the path of the copy.")
    reply = _ask(url, {}, _MOST)
    if reply.status != _WHOLE or not reply.is_whole:
        raise FencewrightError(f"the server answered with the status {reply.status}, or with an incomplete file.")
    name = unquote(urlsplit(url).path).rpartition("/")[2] or "history"
    folder = downloads / sha256(url.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / re.sub(r"[^\w.-]", "_", name)
    path.write_bytes(reply.body)
    found = path.stat()
    return Located(State(found.st_size, str(found.st_mtime_ns)), str(path))


def _version(reply: Reply) -> str:
    return reply.headers.get("etag") or reply.headers.get("last-modified", "")


def _ask(url: str, headers: dict[str, str], most: int, method: str = "GET") -> Reply:
    bounds = Bounds(most, _WITHIN_S, redirects=_REDIRECTS)
    # A compressed response would have other ranges.
    headers = {**headers, "accept-encoding": "identity"}
    return _client().ask(Question(url=url, bounds=bounds, method=method, headers=headers, private=True))


@cache
def _client() -> "GuardedClient":
    # Imported here because most back-tests read local files.
    from engine.outbound.client import GuardedClient

    return GuardedClient()
