"""Incoming data: the bytes of a connection, parsed one request at a time, within size limits."""

import logging
import re
from abc import ABC, abstractmethod
from typing import Any, Final, override

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.api.http.cors import METHODS
from app.api.http.headers import Headers
from app.api.http.limits import MAX_LINGERING, MAX_TRAILERS
from app.api.server.pacing import Flow, Patience

BLANK_LINE: Final = b"\r\n\r\n"
"""End of every head and of every chunked body; the parser accepts no other line ends."""

MAX_HEAD: Final = 32 * 1024
"""Maximum size of the request line and headers together."""

MAX_BEGUN: Final = 2 * 1024
"""Maximum number of bytes logged of data that is not a request."""

_BREAKS: Final = (b"\r", b"\n")
_BLANKS: Final = re.compile(rb"[\r\n]*")
_METHOD: Final = re.compile(rb"(?:[!#$%&'*+.^_`|~0-9A-Za-z-]{0,64}\Z|[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64} )")
_ANY_REQUEST_LINE: Final = re.compile(rb"\S+ [^\r\n]* HTTP/\d\.\d\r\n")

MAX_PARTS: Final = 32
BREATH_S: Final = 0.001
"""Pause of a connection after `MAX_PARTS` pipelined parts, which leaves the loop to other connections."""

MIN_PORTION: Final = 256
MAX_PORTION: Final = 16 * 1024
SMALL_CHUNK: Final = 64
"""Average chunk size below which smaller parts of a chunked body are parsed, so that each takes little time."""

_UPGRADE: Final = re.compile(rb"\r\nupgrade:", re.IGNORECASE)
_REQUEST_LINE: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)( [^\r\n]+ HTTP/1\.[01]\r\n)")
_UNSERVED: Final = b"TRACE"
"""A method that the parser knows and no route serves."""

_TOO_LARGE: Final = f"The request line and headers must not exceed {MAX_HEAD // 1024} KiB."
_TRAILERS_TOO_LARGE: Final = f"The chunk extensions and trailers of a body must not exceed {MAX_TRAILERS // 1024} KiB."
_INVALID: Final = "The request is not valid HTTP."
logger = logging.getLogger(__name__)


class HeadTooLarge(Exception):
    """The request line and headers exceed the limit."""


class NotHttp(Exception):
    """Raised for bytes that are not the beginning of a request."""


class Received:
    """Received bytes in order of arrival; bytes that are taken are removed."""

    __slots__ = ("_at", "_data", "_skipped")

    def __init__(self) -> None:
        self._data = b""
        self._at = 0
        self._skipped = 0

    def waits(self) -> bool:
        """Return whether bytes are left to take."""
        return self._at < len(self._data)

    def several(self) -> bool:
        """Return whether another request seems to follow the next one; a body with a blank line looks the same."""
        end = self._data.find(BLANK_LINE, self._at)
        return end >= 0 and self._data.find(BLANK_LINE, end + len(BLANK_LINE)) >= 0

    def add(self, data: bytes) -> None:
        """Append newly received bytes."""
        self._data = self._data[self._at :] + data if self._at < len(self._data) else data
        self._at = 0

    def begun(self) -> bytes:
        """Return the beginning of the remaining bytes without taking them."""
        return self._data[self._at : self._at + MAX_BEGUN]

    def clear(self) -> None:
        """Discard all bytes."""
        self._data, self._at = b"", 0

    def head(self) -> bytes | None:
        """Take the next request's head with the blank line at its end, or return None if it is incomplete.

        Raises `HeadTooLarge`, and `NotHttp` as soon as the bytes cannot become a head.
        """
        data, at = self._data, self._at
        if data[at : at + 1] in _BREAKS:
            at = self._skip_blank_lines()
        end = data.find(BLANK_LINE, at) + 4
        if (end if end > 3 else len(data)) - at + self._skipped > MAX_HEAD:
            raise HeadTooLarge
        if end > 3:
            self._skipped = 0
            self._at = end
            return data[at:end]
        if at < len(data):
            self._check_beginning()
        return None

    def _skip_blank_lines(self) -> int:
        """Skip blank lines, which some clients send between requests, and return the position after them."""
        found = _BLANKS.match(self._data, self._at)
        assert found is not None
        self._skipped += found.end() - self._at
        self._at = found.end()
        return self._at

    def body(self, most: int) -> bytes:
        """Take up to `most` bytes."""
        return self._take(min(len(self._data), self._at + most))

    def chunks(self, most: int) -> bytes:
        """Take up to `most` bytes that certainly belong to one chunked body: up to its possible end."""
        end = min(len(self._data), self._at + most)
        found = self._data.find(BLANK_LINE, self._at, end)
        return self._take(found + 4 if found >= 0 else end - self._begun_blank_line(end))

    def _take(self, end: int) -> bytes:
        part = self._data[self._at : end]
        self._at = end
        return part

    def _begun_blank_line(self, end: int) -> int:
        """Return the number of bytes before `end` that may be the beginning of a blank line."""
        tail = self._data[max(self._at, end - 3) : end]
        return next((size for size in (3, 2, 1) if tail.endswith(BLANK_LINE[:size])), 0)

    def _check_beginning(self) -> None:
        begun = self._data[self._at :]
        if not _METHOD.match(begun):
            raise NotHttp
        if b"\r\n" in begun and not _ANY_REQUEST_LINE.match(begun):
            raise NotHttp


class ReadingProtocol(HttpToolsProtocol, ABC):
    """A connection that parses its received bytes one request at a time.

    The next request begins when the response to the previous one has been sent; until then reading pauses. `_in_head`
    states whether the head of a request is expected, as opposed to its body.
    """

    flow: Flow

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._received = Received()
        self._patience = Patience(self.loop.time())
        self._in_head = True
        self._head_begun = False
        self._body_left: int | None = None
        self._portion = MIN_PORTION
        self._chunks = 0
        self._chunk_size = 0
        self._around_chunks = 0
        self._method: bytes | None = None
        self._going_on = False
        self._has_turn = False
        self._known = False
        self._parts = 0
        self._refused = False
        self.is_retired = False
        self._lingering = 0

    @abstractmethod
    def _note_head(self, head: bytes) -> None:
        """Note a complete head before it is parsed."""

    @abstractmethod
    def _begin_known(self, head: bytes) -> bool:
        """Start a request whose head is known and need not be parsed; return whether it is."""

    @abstractmethod
    def _begin(self, method: bytes) -> None:
        """Start the request whose head was parsed."""

    @abstractmethod
    def _take_body(self, body: bytes) -> None:
        """Process a part of the request's body."""

    @abstractmethod
    def _complete(self) -> None:
        """Complete the request, which has fully arrived."""

    @abstractmethod
    def _refuse(self, status: int, message: str, headers: Headers | None = None, param: str | None = None) -> None:
        """Respond in place of the application and close the connection."""

    @abstractmethod
    def _join_line(self) -> None:
        """Queue this pipelining connection for its turn, in which `_begin_one` is called."""

    @abstractmethod
    def _end_turn(self) -> None:
        """End the turn, so that the next connection gets one."""

    @abstractmethod
    def _end_when_done(self) -> None:
        """Close a connection whose client has closed its side, once all requests are served."""

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Discard unparsed bytes, because the parser no longer exists."""
        self._received.clear()
        self._end_turn()
        super().connection_lost(exc)

    # Incoming data

    @override
    def data_received(self, data: bytes) -> None:
        """Parse the data as far as possible."""
        if self._refused:
            self._lingering += len(data)
            if self._lingering > MAX_LINGERING:
                self.transport.abort()
            return
        self._received.add(data)
        if not self._going_on:
            self._go_on()

    def _go_on_soon(self) -> None:
        """Schedule the remaining data in its turn; after some parts, pause for other connections."""
        if self._going_on or not self._received.waits():
            return
        self._going_on = True
        if self._parts < MAX_PARTS:
            self._go_on_in_turn()
        else:
            self._parts = 0
            self.loop.call_later(BREATH_S, self._go_on_in_turn)

    def _go_on_in_turn(self) -> None:
        """Continue with a body in the next round of the loop, or with a request in the connection's turn."""
        if self._in_head:
            self._join_line()
        else:
            self.loop.call_soon(self._go_on)

    def _begin_one(self) -> None:
        """Start one waiting request."""
        self._has_turn = True
        self._go_on()

    def _go_on(self) -> None:
        """Parse a limited number of parts; reading pauses while more data is waiting."""
        self._going_on, more = True, True
        while more and self._parts < MAX_PARTS and not (self._in_head and self._must_wait()):
            self._has_turn = self._has_turn and not self._in_head
            self._parts += 1
            more = self._parse_next()
        self._going_on = self._has_turn = False
        if not self._is_answering():
            self._end_turn()
        if self._refused or self.transport.is_closing():
            self._received.clear()
        elif more and self._received.waits():
            self.flow.hold()
            if not (self._in_head and self._is_held_up()):
                self._go_on_soon()
        else:
            self._parts = 0
            if self.flow.held:
                self.flow.release()
            self._end_when_done()

    def _must_wait(self) -> bool:
        """Return whether the next request must wait for the previous one, or for its turn if others follow it."""
        return self._is_held_up() or (not self._has_turn and self._received.several())

    def _is_held_up(self) -> bool:
        """Return whether the previous request has no response yet, or the response is not sent yet."""
        return self._is_answering() or self.flow.write_paused or self._refused or self.transport.is_closing()

    def _is_answering(self) -> bool:
        """Return whether the previous request is complete but has no response yet."""
        cycle = self.cycle
        return cycle is not None and not (cycle.response_complete or cycle.more_body)

    def _parse_next(self) -> bool:
        """Parse the next part of a request; return whether there was one."""
        if self._in_head:
            return self._parse_head()
        if self._body_left is None:
            part = self._received.chunks(self._portion)
            self._around_chunks += len(part)
            self._chunks = 0
        else:
            part = self._received.body(self._body_left)
            self._body_left -= len(part)
        if not part:
            return False
        if self._known:
            self._take_known(part)
        else:
            self._parse(part)
        small = self._chunks * SMALL_CHUNK > len(part)
        self._portion = MIN_PORTION if small else min(self._portion * 2, MAX_PORTION)
        if not (self._in_head or self._refused):
            self._patience.note_progress(len(part), self.loop.time())
            if self._around_chunks > MAX_TRAILERS:
                self._refuse(400, _TRAILERS_TOO_LARGE)
        return True

    def _parse_head(self) -> bool:
        try:
            head = self._received.head()
        except HeadTooLarge:
            self._refuse(400, _TOO_LARGE)
            return False
        except NotHttp:
            self._refuse(400, _INVALID)
            return False
        if head is not None:
            self._note_head(head)
            if not self._begin_known(head):
                self._parse(head)
            return True
        if not self._head_begun and self._received.waits():
            self._head_begun = True
            self._patience.begin(self.loop.time())
        return False

    def _follow_known(self, body_size: int) -> None:
        """Expect the body of a request whose head is known; both bypass the parser."""
        self._known = True
        self._body_left = body_size
        self._in_head = self._head_begun = False
        self._patience.begin_body(self.loop.time())

    def _take_known(self, part: bytes) -> None:
        """Process a part of the body of a request whose head is known."""
        self.on_body(part)
        if not self._body_left:
            self._known = False
            self.on_message_complete()

    def _parse(self, part: bytes) -> None:
        try:
            self.parser.feed_data(part)
        except httptools.HttpParserUpgrade:
            self._decline_upgrade(part)
        except httptools.HttpParserError as error:
            self._parse_otherwise(part, error)

    def _decline_upgrade(self, head: bytes) -> None:
        """Parse a head again without its offer to upgrade the protocol, which is declined by ignoring it.

        Java's own client offers HTTP/2 with every request, and the parser would take the body for the other protocol.
        """
        if self.parser.get_method() == b"CONNECT":
            served = [(b"allow", METHODS)]
            self._refuse(405, "CONNECT is not served: this endpoint is not a proxy.", served, param="method")
        else:
            self._restart_parser(_UPGRADE.sub(b"\r\nx-declined-upgrade:", head))

    def _parse_otherwise(self, part: bytes, error: httptools.HttpParserError) -> None:
        """Parse a head with a method unknown to the parser as one with a method that no route serves."""
        fault = error.__context__
        if fault is not None and not isinstance(fault, httptools.HttpParserError):
            logger.error("A request could not be taken in", exc_info=fault)
        line = _REQUEST_LINE.match(part) if self._in_head and self._method is None else None
        if line is None or line[1] == _UNSERVED:
            self._refuse(400, _INVALID)
        else:
            self._method = line[1]
            self._restart_parser(_UNSERVED + part[len(line[1]) :])

    def _restart_parser(self, head: bytes) -> None:
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        self._parse(head)

    # Parser callbacks

    @override
    def on_message_begin(self) -> None:
        """Reset the fields of the head; the application's view of it is created only if an application is called."""
        self.url = b""
        self.headers = []
        self.expect_100_continue = False

    @override
    def on_header(self, name: bytes, value: bytes) -> None:
        """Store a header; trailers after the body are counted elsewhere and not stored."""
        if not self._in_head:
            return
        name = name.lower()
        if name == b"content-length":
            self._body_left = int(value)
        elif name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    @override
    def on_headers_complete(self) -> None:
        """Start the request."""
        if self.parser.should_upgrade():
            return
        self._in_head = self._head_begun = False
        self._patience.begin_body(self.loop.time())
        method = self._method or self.parser.get_method()
        self._method = None
        self.cycle = None  # type: ignore[assignment]  # it belonged to the previous request
        self._begin(method)

    def on_chunk_header(self) -> None:
        """Start counting a chunk."""
        self._chunks += 1
        self._chunk_size = 0

    def on_chunk_complete(self) -> None:
        """Count as overhead everything beyond the shortest framing of this chunk."""
        if self._chunk_size:
            self._around_chunks -= len(b"%x\r\n\r\n" % self._chunk_size)

    @override
    def on_body(self, body: bytes) -> None:
        """Pass on a part of the body."""
        self._chunk_size += len(body)
        self._around_chunks -= len(body)
        self._take_body(body)

    @override
    def on_message_complete(self) -> None:
        """End a request after a final check of its overhead limit, because the overhead may end with it."""
        if self._in_head:
            return  # its offer of another protocol is declined first
        if self._around_chunks > MAX_TRAILERS:
            self._refuse(400, _TRAILERS_TOO_LARGE)
            return
        self._in_head = True
        self._body_left = None
        self._around_chunks = 0
        self._complete()
