"""The most recent requests, bounded in bytes, and the recorders with which connections add them after responding.

Location updates arrive here thousands of times a second, so existing bytes are stored as they are. No text is created,
parsed or masked until the log is read.
"""

import zlib
from collections import deque
from collections.abc import Callable, Mapping
from threading import Lock
from time import perf_counter
from typing import Any, Final, override

from starlette.types import ASGIApp, Message
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from app.api.http.admission import Keys, bare_key
from app.api.http.faults import LINE, STRUCK
from app.api.http.headers import Headers
from app.api.http.streams.reader import EVENT_STREAM
from app.exchanges import Exchange
from engine.domain.ports import Clock, Listeners

MAX_BYTES: Final = 16 * 1024 * 1024
KEPT_BODY: Final = 64 * 1024
"""Maximum number of bytes kept of a request or response body; of a larger one, the rest is only counted."""

OVERHEAD: Final = 1024
"""Memory of an exchange in addition to its bytes."""

ANCHORED_S: Final = 1.0
"""How long times are derived from one reading of the clock, which costs more than everything else here."""

LIVE_KEY: Final = "prj_live_"

_new: Final = tuple.__new__
"""Creates an `Exchange` in half the time of calling it."""

type RawLines = list[tuple[bytes, bytes]]
MAX_OPENED: Final = 256 * 1024
"""Maximum size of a decompressed body in bytes."""

_CODINGS: Final = {"gzip": 31, "x-gzip": 31, "deflate": 15}
_NOTHING: Final = (b"", b"")

OWN: Final = b"/v1/requests"
"""Successful requests to the log are not recorded, because each response would contain those before it."""

_STREAM: Final = (b"content-type", EVENT_STREAM.encode())

_OWN_METHODS: Final = (b"GET", b"HEAD", b"DELETE")


def size_of(exchange: Exchange) -> int:
    """Return the number of bytes that an exchange counts towards the bound."""
    return OVERHEAD + len(exchange.head) + len(exchange.body) + len(exchange.answer)


class RequestLog:
    """Keeps as many recent exchanges as fit in `max_bytes`; may be used from any thread."""

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
        """Add an exchange that `began` at a `perf_counter` time; the caller truncates the bodies.

        `live` is determined from the key if it is None; `faults` are the injected faults that hit the exchange.
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
        self._listeners.notify()

    @property
    def size(self) -> int:
        """Number of bytes used."""
        return self._bytes

    def snapshot(self) -> list[Exchange]:
        """Return all exchanges, oldest first."""
        with self._lock:
            return list(self._kept)

    def clear(self, *, live: bool) -> int:
        """Delete the requests of an environment and those without a key; return their number."""
        with self._lock:
            before = len(self._kept)
            self._kept = deque(each for each in self._kept if each.live is (not live))
            self._sizes = deque(map(size_of, self._kept))
            self._bytes = sum(self._sizes)
            cleared = before - len(self._kept)
        self._listeners.notify()
        return cleared

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` after each request, in the serving thread; return a function that unsubscribes it."""
        return self._listeners.add(listener)

    def _is_live(self, head: bytes) -> bool | None:
        """Return whether a request's key is one of Live, or None if it has none of the workspace's keys.

        A key that has been rotated is still recognised as one of Live by its format.
        """
        header = next((value for name, value in split_head(head)[2] if name.lower() == b"authorization"), None)
        if header is None:
            return None
        value = bare_key(header)
        key = self._keys.find(value)
        if key is not None:
            return key.environment.live
        return True if value.startswith(LIVE_KEY) else None


class Recorder:
    """The request log for one connection; `log` is None if nothing is recorded."""

    __slots__ = ("_began", "_head", "_log", "_peer")

    def __init__(self, log: RequestLog | None) -> None:
        self._log = log
        self._head = b""
        self._began = 0.0
        self._peer: str | None = None

    def begin(self, head: bytes, peer: str | None) -> None:
        """Note the head of a request as received."""
        self._head = head
        self._peer = peer
        self._began = perf_counter()

    def express(self, live: bool | None, sent: bytes | bytearray, status: int, answer: bytes, size: int) -> None:
        """Record a request of the fast path; the last `size` bytes of `answer` are its body."""
        if self._log is None:
            return
        if size > KEPT_BODY:
            answer = answer[: len(answer) - size + KEPT_BODY]
        body = bytes(sent)
        self._log.add(self._began, self._peer, live, self._head, body, len(body), status, answer, size)
        self._head = b""

    def ordinary(self, state: Mapping[str, Any]) -> "Recording | None":
        """Start recording a request of the normal path; its `state` holds the faults that hit it."""
        head, self._head = self._head, b""
        return None if self._log is None else Recording(self._log, head, self._began, self._peer, state)

    def refused(self, begun: bytes, peer: str | None, status: int, answer: bytes, size: int) -> None:
        """Record a refused request by its head, or by the bytes received so far; without any, record nothing."""
        head, self._head = self._head, b""
        if self._log is not None and (head or begun):
            began = self._began if head else perf_counter()
            self._log.add(began, peer, None, head or begun, b"", 0, status, answer, size)


class Recording:
    """A request of the normal path in progress; bytes beyond the kept part of a body are only counted."""

    __slots__ = (
        *("_answer", "_answer_size", "_began", "_body", "_done", "_head", "_log", "_peer", "_size", "_state"),
        "_status",
    )

    def __init__(self, log: RequestLog, head: bytes, began: float, peer: str | None, state: Mapping[str, Any]) -> None:
        self._log = log
        self._state = state
        self._head, self._began, self._peer = head, began, peer
        self._body: list[bytes] = []
        self._size = 0
        self._status = 0
        self._answer: list[bytes] = []
        self._answer_size = 0
        self._done = False

    def receive(self, part: bytes) -> None:
        """Add a part of the request's body."""
        if self._size < KEPT_BODY:
            self._body.append(part[: KEPT_BODY - self._size])
        self._size += len(part)

    def note(self, message: Message) -> None:
        """Add a message of the response; the last one completes the record."""
        if self._done:
            return
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._answer.append(answer_head(self._status, message["headers"]))
            if is_stream(message):
                self.end()
            return
        body = message.get("body", b"")
        if self._answer_size < KEPT_BODY:
            # A view would keep the whole buffer alive.
            self._answer.append(bytes(body[: KEPT_BODY - self._answer_size]))
        self._answer_size += len(body)
        if not message.get("more_body", False):
            self.end()

    def refuse(self, status: int, answer: bytes, size: int) -> None:
        """Record that the connection responded instead of the application."""
        self._status, self._answer, self._answer_size = status, [answer], size
        self.end()

    def end(self) -> None:
        """Record the request unless that was done, without a response if there was none."""
        if self._done:
            return
        self._done = True
        if not self._is_own():
            body, answer = b"".join(self._body), b"".join(self._answer)
            self._log.add(
                *(self._began, self._peer, None, self._head, body, self._size, self._status, answer),
                self._answer_size,
                self._state.get(STRUCK, ()),
            )
        self._body.clear()
        self._answer.clear()

    def _is_own(self) -> bool:
        method, _, rest = self._head.partition(b" ")
        path = rest[: len(OWN) + 5].removeprefix(b"/api")
        return method in _OWN_METHODS and path.startswith(OWN) and 0 < self._status < 400


class RecordedCycle(RequestResponseCycle):
    """A request that uvicorn passes to an application, recorded on the way.

    `streams` is set if the response is a stream. `ended` states that the client sends no more data; it may be waiting
    for the response, or have given up. `is_last` returns, at the start of the response, whether its connection closes
    afterwards.
    """

    def __init__(self, recording: Recording | None, *, is_last: Callable[[], bool], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scope["state"][LINE] = self
        self.recording = recording
        self._is_last = is_last
        self.streams = False
        self.ended = False

    @override
    async def send(self, message: Any) -> None:
        """Record a message of the response and send it."""
        if self.recording is not None and not self.disconnected:
            self.recording.note(message)
        if message["type"] == "http.response.start":
            self.streams = is_stream(message)
            await self._begin_answer(message)
        else:
            await super().send(message)

    async def _begin_answer(self, start: Any) -> None:
        """Send the head of the response, which states whether the connection closes afterwards.

        While the request's body is still arriving, the connection stays open. Otherwise it would be reset, and some
        clients would lose the response.
        """
        is_last = self.keep_alive and self._is_last()
        self.keep_alive = self.keep_alive and not is_last
        await super().send(start)
        if is_last and self.more_body:
            self.keep_alive = True

    @property
    def has_left(self) -> bool:
        """Whether the client has disconnected or closed its side."""
        return self.ended or self.disconnected

    def drop(self, last: bytes = b"") -> None:
        """Close the connection after sending the written data and `last`; the rest of the response is dropped."""
        self.disconnected = True
        if last and not self.transport.is_closing():
            self.transport.write(last)
        self.transport.close()

    @override
    async def run_asgi(self, app: ASGIApp) -> None:  # type: ignore[override]
        """Serve the request, and record it even if it ends without a response."""
        try:
            await super().run_asgi(app)  # type: ignore[arg-type]
        finally:
            # breaks reference cycles, which would wait for the garbage collector
            del self.scope["state"][LINE], self._is_last
            if self.recording is not None:
                self.recording.end()


def is_stream(start: Message) -> bool:
    """Return whether a response without end begins, which is recorded at its start, without a body."""
    return _STREAM in start["headers"]


def answer_head(status: int, headers: Headers) -> bytes:
    """Return the head of a response as sent."""
    lines = b"".join([b"%s: %s\r\n" % header for header in headers])
    return b"%s%s\r\n" % (STATUS_LINE[status], lines)


def split_head(head: bytes) -> tuple[bytes, bytes, RawLines]:
    """Return the first two words of a head (method and target, or version and status) and its headers.

    If the head is malformed, as in some refused requests, the result holds the words and headers that could be parsed.
    """
    first, *lines = head.partition(b"\r\n\r\n")[0].split(b"\r\n")
    words = (*first.split(b" ", 2), *_NOTHING)
    pairs = (line.partition(b":") for line in lines)
    return words[0], words[1], [(name, value.strip()) for name, colon, value in pairs if colon]


def split_line(head: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the words of a head's first line: method, target and version, as far as present."""
    words = (*head.partition(b"\r\n")[0].split(b" ", 2), *_NOTHING, b"")
    return words[0], words[1], words[2]


def opened(body: bytes, coding: str) -> bytes:
    """Return the content of a body; a compressed one up to `MAX_OPENED` bytes and as far as it can be decompressed."""
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
