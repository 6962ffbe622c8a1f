"""The requests that came last, bounded in bytes.

A location update passes here thousands of times a second, so what is kept are the bytes that are there already: no
text is made, parsed or masked before somebody reads the log.
"""

import zlib
from collections import deque
from collections.abc import Callable
from threading import Lock
from time import perf_counter
from typing import Final

from app.api.http.admission import Keys, bare_key
from app.exchanges import Exchange
from engine.domain.ports import Clock, Listeners

MAX_BYTES: Final = 16 * 1024 * 1024
KEPT_BODY: Final = 64 * 1024
"""Bytes of a body, of a request or an answer; of a larger one only the size is kept beyond that."""

OVERHEAD: Final = 1024
"""Memory of an exchange besides its bytes."""

ANCHORED_S: Final = 1.0
"""For so long the time is counted on from when the clock was last asked: asking costs more than all the rest."""

LIVE_KEY: Final = "prj_live_"

_new: Final = tuple.__new__
"""Makes an `Exchange` in half the time that calling it takes."""

type RawLines = list[tuple[bytes, bytes]]
MAX_OPENED: Final = 256 * 1024
"""Bytes that are made of a packed body."""

_CODINGS: Final = {"gzip": 31, "x-gzip": 31, "deflate": 15}
_NOTHING: Final = (b"", b"")


def size_of(exchange: Exchange) -> int:
    """Return how many bytes of the bound an exchange takes."""
    return OVERHEAD + len(exchange.head) + len(exchange.body) + len(exchange.answer)


class RequestLog:
    """Keeps as many of the last exchanges as have room in `max_bytes`. May be used from any thread."""

    def __init__(self, clock: Clock, keys: Keys, max_bytes: int = MAX_BYTES) -> None:
        self._clock = clock
        self._keys = keys
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._kept: deque[Exchange] = deque()
        self._sizes: deque[int] = deque()
        self._bytes = 0
        self._last = 0
        self._anchor, self._anchored = clock.now(), perf_counter()
        self._listeners: Listeners[[]] = Listeners()

    def add(
        self,
        began: float,
        peer: str | None,
        live: bool | None,
        head: bytes,
        body: bytes,
        body_size: int,
        status: int,
        answer: bytes,
        answer_size: int,
        faults: tuple[str, ...] = (),
    ) -> None:
        """Keep an exchange that `began` by `perf_counter`; bodies are cut by whoever hands them in.

        `live` is found out where it is None; `faults` are those on purpose that have hit it.
        """
        ended = perf_counter()
        if ended - self._anchored > ANCHORED_S:
            self._anchor, self._anchored = self._clock.now(), ended
        if live is None:
            live = self._is_live(head)
        size = OVERHEAD + len(head) + len(body) + len(answer)
        with self._lock:
            self._last = number = self._last + 1
            after_s, anchor = ended - self._anchored, self._anchor
            kept = (
                number,
                anchor,
                after_s,
                ended - began,
                peer,
                live,
                head,
                body,
                body_size,
                status,
                answer,
                answer_size,
                faults,
            )
            self._kept.append(_new(Exchange, kept))
            self._sizes.append(size)
            self._bytes += size
            while self._bytes > self._max_bytes:
                self._kept.popleft()
                self._bytes -= self._sizes.popleft()
        self._listeners.tell()

    @property
    def size(self) -> int:
        """How many bytes of the bound are taken."""
        return self._bytes

    def snapshot(self) -> list[Exchange]:
        """Return everything that is kept, oldest first."""
        with self._lock:
            return list(self._kept)

    def clear(self, *, live: bool) -> int:
        """Forget the requests of an environment and those without a key; return how many there were."""
        with self._lock:
            before = len(self._kept)
            self._kept = deque(each for each in self._kept if each.live is (not live))
            self._sizes = deque(map(size_of, self._kept))
            self._bytes = sum(self._sizes)
            cleared = before - len(self._kept)
        self._listeners.tell()
        return cleared

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` after each request, in the thread that answers all of them; return what ends that."""
        return self._listeners.add(listener)

    def _is_live(self, head: bytes) -> bool | None:
        """Return whether the key of a request is one of Live; None where it has none of the workspace's.

        A key that has been rotated away still tells by its spelling that it was one of Live.
        """
        header = next((value for name, value in split_head(head)[2] if name.lower() == b"authorization"), None)
        if header is None:
            return None
        value = bare_key(header)
        key = self._keys.find(value)
        if key is not None:
            return key.environment.live
        return True if value.startswith(LIVE_KEY) else None


def split_head(head: bytes) -> tuple[bytes, bytes, RawLines]:
    """Return the first two words of a head (method and target, or version and status) and its headers.

    What is no head, since the request was refused for that, has as many of them as can be made out.
    """
    first, *lines = head.partition(b"\r\n\r\n")[0].split(b"\r\n")
    words = (*first.split(b" ", 2), *_NOTHING)
    pairs = (line.partition(b":") for line in lines)
    return words[0], words[1], [(name, value.strip()) for name, colon, value in pairs if colon]


def split_line(head: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the words of the first line of a head: method, target and version, as far as it has them."""
    words = (*head.partition(b"\r\n")[0].split(b" ", 2), *_NOTHING, b"")
    return words[0], words[1], words[2]


def opened(body: bytes, coding: str) -> bytes:
    """Return the content of a body that may be packed, up to `MAX_OPENED` bytes and as far as it can be unpacked."""
    name = coding.strip().lower()
    if name in ("", "identity"):
        return body
    wbits = _CODINGS.get(name)
    if wbits is None:
        return b""
    try:
        return zlib.decompressobj(wbits).decompress(body, MAX_OPENED)
    except zlib.error:
        return b""
