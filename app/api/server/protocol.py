"""uvicorn's connections, with the limits it does not have: sizes, deadlines, one request at a time, our error shape."""

import logging
import re
from asyncio import Event
from typing import Any, Final, override

import httptools
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.api.http.cors import METHODS
from app.api.http.errors import error_body
from app.api.http.headers import Headers
from app.api.http.limits import (
    BODY_DEADLINE_S,
    HEAD_DEADLINE_S,
    KEEP_ALIVE_S,
    LINGER_S,
    MAX_LINGERING,
    MAX_TRAILERS,
    PROGRESS,
    PROGRESS_EVERY_S,
)
from app.api.http.responses import JsonResponse, new_reference
from app.api.server.connections import Places, reset
from app.api.server.express import Express, ExpressRequest
from app.api.server.middleware import is_private
from app.api.server.received import MAX_HEAD, HeadTooLarge, NotHttp, Received
from app.api.server.recording import RecordedCycle, Recorder, Recording
from app.api.wire.common.decoding import unquoted

MAX_PARTS: Final = 32
BREATH_S: Final = 0.001
"""After so many parts of what one connection has sent without waiting, the others have the loop for so long."""

_UPGRADE: Final = re.compile(rb"\r\nupgrade:", re.IGNORECASE)
_REQUEST_LINE: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)( [^\r\n]+ HTTP/1\.[01]\r\n)")
_UNSERVED: Final = b"TRACE"
"""A method that the parser knows and no path serves."""

_TOO_LARGE: Final = f"The request line and headers must not exceed {MAX_HEAD // 1024} KiB."
_TRAILERS_TOO_LARGE: Final = f"The data around the chunks of a body must not exceed {MAX_TRAILERS // 1024} KiB."
_INVALID: Final = "The request is not valid HTTP."
_BROKEN_OFF: Final = "The request ended before it was complete."
_CROWDED: Final = "Too many connections are open; close some or try again later."

logger = logging.getLogger(__name__)


class Flow(FlowControl):
    """Reading and writing of a connection; `held` reading is not resumed by who only waits for a body."""

    held = False

    @override
    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()

    def hold(self) -> None:
        """Read no more until `release`."""
        self.held = True
        self.pause_reading()

    def release(self) -> None:
        """Read on."""
        if self.held:
            self.held = False
            self.resume_reading()


class BoundedProtocol(HttpToolsProtocol):
    """One connection.

    What arrives is parsed one request at a time: the next one begins when the one before has been answered and the
    answer has gone out, and until then reading pauses. `_in_head` tells that a request's head is awaited, else it is
    its body; `_waits_since` since when, by the loop's time: None while a request is answered.
    """

    flow: Flow

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        app: Any = self.app
        self._express: Express = app.express
        self._places: Places[BoundedProtocol] = app.places
        self._received = Received()
        self._recorder = Recorder(app.request_log)
        self._recording: Recording | None = None
        self._in_head = True
        self._head_begun = False
        self._body_left: int | None = None
        self._chunk_size = 0
        self._around_chunks = 0
        self._waits_since: float | None = self.loop.time()
        self._body_since = 0.0
        self._progress = 0
        self._unread = 0
        self._unread_since: float | None = None
        self._method: bytes | None = None
        self._going_on = False
        self._parts = 0
        self._refused = False
        self._lingering = 0
        self._ended_at: float | None = None

    # The connection

    @override
    def connection_made(self, transport: Any) -> None:
        """Accept the connection; where there are too many, the one that waits longest for its client goes."""
        super().connection_made(transport)
        self.flow = Flow(transport)
        if len(self.connections) > self._places.most:
            others = (each for each in self.connections if isinstance(each, BoundedProtocol) and each is not self)
            oldest = self._places.longest_waiting(others, self.loop.time())
            if oldest is None:
                self._refuse(503, _CROWDED)
            else:
                oldest.make_way()

    @property
    def client_since(self) -> float | None:
        """Since when it is the client's turn to send or to read, by the loop's time; None while it is ours."""
        if self._waits_since is not None:
            return self._waits_since
        # Who has ended its side may have left: of a request that is being answered, nobody can tell.
        return self._ended_at if self._unread_since is None else self._unread_since

    @property
    def waits_for_client(self) -> bool:
        """Whether the client has yet to send the rest of a request or to take an answer."""
        return self._waits_since is not None or self.transport.get_write_buffer_size() > 0

    def make_way(self) -> None:
        """Close at once in favour of a new connection; who is in the midst of a request is told so."""
        self.connections.discard(self)
        if self.transport.get_write_buffer_size():
            reset(self.transport)
            return
        idle = self.cycle is not None and self._in_head and not self._head_begun
        if not (idle or self._refused):
            self._refuse(503, _CROWDED)
        self.transport.abort()

    @override
    def resume_writing(self) -> None:
        """Go on with the next request: the answers before it are on their way."""
        super().resume_writing()
        self._go_on_soon()

    # What arrives

    @override
    def eof_received(self) -> bool | None:  # type: ignore[override]  # uvicorn always lets the connection close
        """Answer what has arrived, although the client sends no more: small tools end their side right away."""
        secured = self.transport.get_extra_info("sslcontext") is not None
        if secured or self._refused or self.transport.is_closing() or self._is_private() or self._streams():
            return None
        self._ended_at = self.loop.time()
        self._end_when_done()
        return not self.transport.is_closing()

    def _is_private(self) -> bool:
        """Whether another command of this program is served, which ends its side only when it gives up."""
        return self.scope is not None and is_private(self.scope["path"])

    def _streams(self) -> bool:
        """Whether the client gets a stream, which ends for nobody but who leaves."""
        return isinstance(self.cycle, RecordedCycle) and self.cycle.streams and not self.cycle.response_complete

    def _end_when_done(self) -> None:
        """Close a connection that its client has ended once all is answered; what it broke off is refused."""
        if self._ended_at is None or self._waits_since is None or self._going_on or self._must_wait():
            return
        if self._in_head and not self._received.waits():
            self.transport.close()
        else:
            self._refuse(400, _BROKEN_OFF)

    @override
    def data_received(self, data: bytes) -> None:
        """Parse what may be parsed already."""
        if self._refused:
            self._lingering += len(data)
            if self._lingering > MAX_LINGERING:
                self.transport.abort()
            return
        self._received.add(data)
        if not self._going_on:
            self._go_on()

    def _go_on_soon(self) -> None:
        """Go on with what waits; after a while let others have the loop in between."""
        if self._going_on or not self._received.waits():
            return
        self._going_on = True
        if self._parts < MAX_PARTS:
            self.loop.call_soon(self._go_on)
        else:
            self._parts = 0
            self.loop.call_later(BREATH_S, self._go_on)

    def _go_on(self) -> None:
        """Parse what may be parsed already, but only so much; reading pauses while there is more."""
        self._going_on, more = True, True
        while more and self._parts < MAX_PARTS and not (self._in_head and self._must_wait()):
            self._parts += 1
            more = self._parse_next()
        self._going_on = False
        if self._refused or self.transport.is_closing():
            self._received.clear()
        elif more and self._received.waits():
            self.flow.hold()
            if not (self._in_head and self._must_wait()):
                self._go_on_soon()
        else:
            self._parts = 0
            if self.flow.held:
                self.flow.release()
            self._end_when_done()

    def _must_wait(self) -> bool:
        """Whether the next request must wait: until the one before is answered, and that answer on its way."""
        cycle = self.cycle
        if cycle is not None and not (cycle.response_complete or cycle.more_body):
            return True
        return self.flow.write_paused or self._refused or self.transport.is_closing()

    def _parse_next(self) -> bool:
        """Parse the next part of a request; return whether there was one."""
        if self._in_head:
            return self._parse_head()
        if self._body_left is None:
            part = self._received.chunks()
            self._around_chunks += len(part)
        else:
            part = self._received.body(self._body_left)
            self._body_left -= len(part)
        if not part:
            return False
        self._parse(part)
        if not (self._in_head or self._refused):
            self._note_progress(len(part))
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
            self._recorder.begin(head, self.client[0] if self.client else None)
            self._parse(head)
            return True
        if not self._head_begun and self._received.waits():
            self._head_begun = True
            self._waits_since = self.loop.time()
        return False

    def _parse(self, part: bytes) -> None:
        try:
            self.parser.feed_data(part)
        except httptools.HttpParserUpgrade:
            self._decline_upgrade(part)
        except httptools.HttpParserError as error:
            self._parse_otherwise(part, error)

    def _note_progress(self, size: int) -> None:
        self._progress += size
        if self._progress >= PROGRESS:
            self._progress = 0
            self._waits_since = self.loop.time()
        if self._around_chunks > MAX_TRAILERS:
            self._refuse(400, _TRAILERS_TOO_LARGE)

    def _decline_upgrade(self, head: bytes) -> None:
        """Parse a head again without its offer to change the protocol, which is declined by ignoring it.

        Java's own client offers HTTP/2 with every request, and the parser would take the body for the other protocol.
        """
        if self.parser.get_method() == b"CONNECT":
            served = [(b"allow", METHODS)]
            self._refuse(405, "CONNECT is not served: this endpoint is no proxy.", served, param="method")
        else:
            self._parse_anew(_UPGRADE.sub(b"\r\nx-declined-upgrade:", head))

    def _parse_otherwise(self, part: bytes, error: httptools.HttpParserError) -> None:
        """Parse a head whose method the parser does not know as one with a method that nothing serves."""
        fault = error.__context__
        if fault is not None and not isinstance(fault, httptools.HttpParserError):
            logger.error("A request could not be taken in", exc_info=fault)
        line = _REQUEST_LINE.match(part) if self._in_head and self._method is None else None
        if line is None or line[1] == _UNSERVED:
            self._refuse(400, _INVALID)
        else:
            self._method = line[1]
            self._parse_anew(_UNSERVED + part[len(line[1]) :])

    def _parse_anew(self, head: bytes) -> None:
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        self._parse(head)

    # What the parser finds

    @override
    def on_message_begin(self) -> None:
        """Begin a head; what an application is told of it waits until one is asked."""
        self.url = b""
        self.headers = []
        self.expect_100_continue = False

    @override
    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; one behind the body (a trailer) is counted elsewhere and not kept."""
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
        self._waits_since = self._body_since = self.loop.time()
        self._progress = 0
        method = self._method or self.parser.get_method()
        self._method = None
        self.cycle = None  # type: ignore[assignment]  # the request before is none of this one's
        if not self._goes_short_way(method):
            self._start(method)

    def _goes_short_way(self, method: bytes) -> bool:
        """Begin an express request where this is one."""
        headers = dict(self.headers)
        if not self._express.takes(method, self.url, headers):
            return False
        self._recording = None
        client = self.client[0] if self.client else None
        self.cycle = ExpressRequest(self, headers, client, keep_alive=self._keeps_alive())  # type: ignore[assignment]
        return True

    def _keeps_alive(self) -> bool:
        return self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()

    def _start(self, method: bytes) -> None:
        """Begin a request of the ordinary way."""
        url = httptools.parse_url(self.url)
        path = url.path or b"/"
        if not path.isascii():
            raise httptools.HttpParserInvalidURLError(path)
        self.scope = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": self.parser.get_http_version(),
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme or "http",
            "root_path": self.root_path,
            "method": method.decode("ascii"),
            "path": unquoted(path, errors="replace"),
            "raw_path": path,
            "query_string": url.query or b"",
            "headers": self.headers,
            "state": self.app_state.copy(),
        }
        self._recording = self._recorder.ordinary()
        self.cycle = RecordedCycle(
            self._recording,
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=self._keeps_alive(),
            on_response=self.on_response_complete,
        )
        self._start_asgi_task(self.cycle, self.app)

    def on_chunk_header(self) -> None:
        """Begin to count a chunk."""
        self._chunk_size = 0

    def on_chunk_complete(self) -> None:
        """Count as around the chunks what is more than the shortest head of this chunk."""
        if self._chunk_size:
            self._around_chunks -= len(b"%x\r\n\r\n" % self._chunk_size)

    @override
    def on_body(self, body: bytes) -> None:
        """Hand a part of the body on."""
        self._chunk_size += len(body)
        self._around_chunks -= len(body)
        cycle = self.cycle
        if not cycle.response_complete:
            cycle.body += body
            if self._recording is not None:
                self._recording.receive(body)
            if len(cycle.body) > HIGH_WATER_LIMIT:
                self.flow.pause_reading()
            cycle.message_event.set()

    @override
    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        if self._in_head:
            return  # its offer of another protocol is declined first
        if self._around_chunks > MAX_TRAILERS:
            self._refuse(400, _TRAILERS_TOO_LARGE)
            return
        self._in_head = True
        self._body_left = None
        self._around_chunks = 0
        cycle: Any = self.cycle
        if cycle.response_complete:
            self._waits_since = self.loop.time()
            return
        self._waits_since = None
        cycle.more_body = False
        cycle.message_event.set()
        if isinstance(cycle, ExpressRequest):
            self._express.serve(cycle)

    # Answers

    def respond(self, request: ExpressRequest, response: JsonResponse, reference: str) -> None:
        """Write a whole response and make ready for the next request."""
        data = self._as_bytes(response, reference, keep_alive=request.keep_alive)
        self._recorder.express(request, response.status_code, data, len(response.body))
        if not self.transport.is_closing():
            self.transport.write(data)
            if not request.keep_alive:
                self.transport.close()
            self.on_response_complete()

    def leave_unanswered(self, request: ExpressRequest) -> None:
        """Note that there is nobody to answer any more."""
        self._recorder.express(request, 0, b"", 0)

    def _as_bytes(self, response: JsonResponse, reference: str, *, keep_alive: bool) -> bytes:
        """Return a response with what uvicorn and the layers of the application add to others."""
        return response.as_bytes(reference, self.server_state.default_headers, keep_alive=keep_alive)

    @override
    def on_response_complete(self) -> None:
        """Wait for the next request, or go on with it when it is here already."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        if self._in_head:
            self._waits_since = self.loop.time()
        self.flow.resume_reading()
        self._go_on_soon()
        self._end_when_done()

    def _refuse(self, status: int, message: str, headers: Headers | None = None, param: str | None = None) -> None:
        """Answer instead of the application, which is told that the client has left, and close."""
        self._refused = True
        begun = self._received.begun()
        self._received.clear()
        self._waits_since = self.loop.time()
        if self.transport.is_closing():
            return
        if not self._in_head and self._give_up():
            self.transport.close()
            return
        response = JsonResponse(error_body(status, message, param), status, headers)
        data = self._as_bytes(response, new_reference(), keep_alive=False)
        self._record_refusal(begun, status, data, len(response.body))
        self.transport.write(data)
        if not self.transport.is_closing():
            self.transport.write_eof()
            self.flow.release()
            self.flow.resume_reading()

    def _record_refusal(self, begun: bytes, status: int, answer: bytes, size: int) -> None:
        cycle: Any = self.cycle
        if self._in_head or cycle is None:
            self._recorder.refused(begun, self.client[0] if self.client else None, status, answer, size)
        elif isinstance(cycle, ExpressRequest):
            self._recorder.express(cycle, status, answer, size)
        elif self._recording is not None:
            self._recording.refuse(status, answer, size)

    def _give_up(self) -> bool:
        """End the request whose body is arriving; return whether its answer has begun."""
        cycle: Any = self.cycle
        if cycle is None:
            return False  # it is the head that is at fault: there is no request yet
        begun: bool = cycle.response_complete or getattr(cycle, "response_started", False)
        cycle.disconnected = True
        cycle.message_event.set()
        return begun

    # Deadlines

    def sweep(self, now: float) -> None:
        """Close the connection when its client has kept it waiting for too long."""
        if self._is_unread(now):
            reset(self.transport)
        elif self._waits_since is None:
            return
        elif self._refused:
            if now - self._waits_since > LINGER_S:
                self.transport.abort()
        elif not self._in_head:
            self._sweep_body(now, now - self._waits_since)
        elif not self.flow.held:
            self._sweep_head(now - self._waits_since)

    def _is_unread(self, now: float) -> bool:
        """Whether the client has not taken an answer for too long."""
        size = self.transport.get_write_buffer_size()
        if not size:
            self._unread, self._unread_since = 0, None
        elif self._unread_since is None or size <= self._unread - PROGRESS:
            self._unread, self._unread_since = size, now
        else:
            self._unread = max(size, self._unread)
            return now - self._unread_since > PROGRESS_EVERY_S
        return False

    def _sweep_head(self, waited_s: float) -> None:
        if self.cycle is not None and not self._head_begun:
            if waited_s > KEEP_ALIVE_S:
                self.transport.close()
        elif waited_s > HEAD_DEADLINE_S:
            what = "The request's head" if self._head_begun else "A request"
            self._refuse(408, f"{what} did not arrive within {HEAD_DEADLINE_S:g} seconds.")

    def _sweep_body(self, now: float, waited_s: float) -> None:
        if self.flow.read_paused:
            self._waits_since = now  # it is the request that has not asked for more
        elif waited_s > PROGRESS_EVERY_S or now - self._body_since > BODY_DEADLINE_S:
            expected = f"{PROGRESS} bytes every {PROGRESS_EVERY_S:g} seconds, and all of it within {BODY_DEADLINE_S:g}"
            self._refuse(408, f"The request's body did not arrive in time: it takes at least {expected}.")
