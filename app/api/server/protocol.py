"""uvicorn's connections with additional limits: sizes, deadlines, one request at a time, our error format."""

from asyncio import Event
from functools import partial
from typing import Any, Final, override

import httptools
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT

from app.api.http.errors import error_body
from app.api.http.faults import FaultGate
from app.api.http.headers import Headers, doubled
from app.api.http.request_log.ring import RecordedCycle, Recorder, Recording
from app.api.http.responses import JsonResponse, new_reference
from app.api.server.connections import Places, has_sent, reset
from app.api.server.express import Express, ExpressRequest, ShortHeads
from app.api.server.middleware import is_private
from app.api.server.pacing import LATE_BODY, UNUSED_S, Flow, Line, Turns, Unread, late_head
from app.api.server.reading import ReadingProtocol
from app.api.wire.common.decoding import unquoted

_BROKEN_OFF: Final = "The request ended before it was complete."
_CROWDED: Final = "Too many connections are open; close some or try again later."


class BoundedProtocol(ReadingProtocol):
    """A connection: its admission, the responses to its requests, and its client's deadlines."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        app: Any = self.app
        self._express: Express = app.express
        self._places: Places[BoundedProtocol] = app.places
        self._faults: FaultGate = app.services.faults
        self._turns: Turns = app.turns
        self._line: Line = app.line
        self._short_heads: ShortHeads = app.short_heads
        self._recorder = Recorder(app.request_log)
        self._recording: Recording | None = None
        self._head = b""
        self._unread = Unread()
        self._ended_at: float | None = None
        self._answering_since: float | None = None
        self._ready_at = self.loop.time()

    # The connection

    @override
    def connection_made(self, transport: Any) -> None:
        """Accept the connection; beyond the limit, close the connection that has waited longest for its client."""
        super().connection_made(transport)
        self.flow = Flow(transport)
        self._line.let_in()
        if len(self.connections) > self._places.most:
            others = (each for each in self.connections if isinstance(each, BoundedProtocol) and each is not self)
            oldest = self._places.longest_waiting(others, self.loop.time())
            if oldest is None:
                self._refuse(503, _CROWDED)
            else:
                oldest.make_way()

    @property
    def client_since(self) -> float | None:
        """Time (of the loop) since when the client must send or read, or None while the server must act."""
        if self._patience.since is not None:
            return self._patience.since
        if self._unread.since is not None:
            return self._unread.since
        # A client that has closed its side may have disconnected, which cannot be detected while it awaits a response.
        return self._answering_since if self.sends_ahead else self._ended_at

    @property
    def sends_ahead(self) -> bool:
        """Whether the client has sent its next request before the response to this one."""
        return self._received.waits()

    @property
    def waits_for_client(self) -> bool:
        """Whether the client has yet to send the rest of a request or to read a response."""
        return self._patience.since is not None or self.transport.get_write_buffer_size() > 0

    def make_way(self) -> None:
        """Close immediately in favour of a new connection, with an error response to a request that has begun."""
        self.connections.discard(self)
        if self.transport.get_write_buffer_size():
            reset(self.transport)
            return
        idle = self.cycle is not None and self._in_head and not self._head_begun
        if not (idle or self._refused):
            self._refuse(503, _CROWDED)
        self.transport.abort()

    @override
    def pause_writing(self) -> None:
        """End the turn, because the client has to read first."""
        super().pause_writing()
        self._end_turn()

    @override
    def resume_writing(self) -> None:
        """Continue with the next request, because the previous responses are on their way."""
        super().resume_writing()
        self._go_on_soon()

    @override
    def eof_received(self) -> bool | None:  # type: ignore[override]  # uvicorn always lets the connection close
        """Process the received data although the client sends no more: small tools close their side right away."""
        secured = self.transport.get_extra_info("sslcontext") is not None
        if secured or self._refused or self.transport.is_closing() or self._is_private() or self._streams():
            return None
        self._ended_at = self.loop.time()
        if isinstance(self.cycle, RecordedCycle):
            self.cycle.ended = True
        self._end_when_done()
        return not self.transport.is_closing()

    def _is_private(self) -> bool:
        """Return whether the client is another command of this program, which closes its side only when it gives up."""
        return self.scope is not None and is_private(self.scope["path"])

    def _streams(self) -> bool:
        """Return whether the client receives a stream, which ends only when the client disconnects."""
        return isinstance(self.cycle, RecordedCycle) and self.cycle.streams and not self.cycle.response_complete

    @override
    def _end_when_done(self) -> None:
        """Serve all complete requests of a client that closed its side, then close; refuse an incomplete request."""
        if self._ended_at is None or self._patience.since is None or self._going_on or self._must_wait():
            return
        if self._in_head and not self._received.waits():
            self.transport.close()
        else:
            self._refuse(400, _BROKEN_OFF)

    # Requests

    @override
    def _join_line(self) -> None:
        self._line.join(self, self.loop)

    @override
    def _end_turn(self) -> None:
        self._line.end_turn(self)

    def take_turn(self) -> bool:
        """Start one waiting request; return whether it takes the fast path."""
        self._begin_one()
        return isinstance(self.cycle, ExpressRequest)

    @override
    def _note_head(self, head: bytes) -> None:
        """Start recording a request."""
        self._head = head
        self._recorder.begin(head, self.client[0] if self.client else None)

    @override
    def _begin_known(self, head: bytes) -> bool:
        """Start a fast-path request whose head is identical to one that was parsed before."""
        known = self._short_heads.find(head)
        if known is None or not self._express.open:
            return False
        self._recording = None
        self._follow_known(known.body_size)
        self._begin_short(known.headers, keep_alive=True)
        return True

    @override
    def _begin(self, method: bytes) -> None:
        """Start a request, by the fast path if possible."""
        if not self._goes_short_way(method):
            self._start(method)

    def _goes_short_way(self, method: bytes) -> bool:
        """Start a fast-path request; return False without effect if the request is not eligible."""
        headers = dict(self.headers)
        is_odd = len(headers) < len(self.headers) and doubled(self.headers) is not None
        if is_odd or not self._express.takes(method, self.url, headers):
            return False
        self._recording = None
        keep_alive = self._keeps_alive()
        if keep_alive:
            self._short_heads.keep(self._head, headers)
        self._begin_short(headers, keep_alive=keep_alive)
        return True

    def _begin_short(self, headers: dict[bytes, bytes], *, keep_alive: bool) -> None:
        client = self.client[0] if self.client else None
        self.cycle = ExpressRequest(self, headers, client, keep_alive=keep_alive)  # type: ignore[assignment]

    def _keeps_alive(self) -> bool:
        return self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()

    def _start(self, method: bytes) -> None:
        """Start a request of the normal path."""
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
        self._recording = self._recorder.ordinary(self.scope["state"])
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
            is_last=self._is_last,
        )
        self._turns.take(partial(self._start_asgi_task, self.cycle, self.app), self.loop)

    @override
    def _take_body(self, body: bytes) -> None:
        """Pass on a part of the body, unless the response was already sent."""
        cycle = self.cycle
        if not cycle.response_complete:
            cycle.body += body
            if self._recording is not None:
                self._recording.receive(body)
            if len(cycle.body) > HIGH_WATER_LIMIT:
                self.flow.pause_reading()
            cycle.message_event.set()

    @override
    def _complete(self) -> None:
        """Signal that the request is complete."""
        cycle: Any = self.cycle
        if cycle.response_complete:
            self._patience.begin(self.loop.time())
            self._end_if_last(self.loop.time())
            return
        self._patience.end()
        self._answering_since = self.loop.time()
        cycle.more_body = False
        cycle.message_event.set()
        if isinstance(cycle, ExpressRequest):
            self._express.serve(cycle)

    # Responses

    def respond(self, request: ExpressRequest, response: JsonResponse, reference: str) -> None:
        """Write a whole response and prepare for the next request."""
        keep_alive = request.keep_alive and not self._is_last()
        data = self._as_bytes(response, reference, keep_alive=keep_alive)
        self._record_short(request, response.status_code, data, len(response.body))
        if not self.transport.is_closing():
            self.transport.write(data)
            if not keep_alive:
                self.transport.close()
            self.on_response_complete()

    def leave_unanswered(self, request: ExpressRequest) -> None:
        """Record a request that gets no response because its client has disconnected."""
        self._record_short(request, 0, b"", 0)

    def _as_bytes(self, response: JsonResponse, reference: str, *, keep_alive: bool) -> bytes:
        """Return a response with the headers that uvicorn and the application's layers add to others."""
        return response.as_bytes(reference, self.server_state.default_headers, keep_alive=keep_alive)

    @override
    def on_response_complete(self) -> None:
        """Continue with the next request, or wait for it."""
        self.server_state.total_requests += 1
        self._end_turn()
        if self.transport.is_closing():
            return
        if self._in_head:
            self._patience.begin(self.loop.time())
        self.flow.resume_reading()
        self._go_on_soon()
        self._end_when_done()
        self._end_if_last(self.loop.time())

    # Connections used for a single request

    def _is_last(self) -> bool:
        """Return whether the connection ends with the current request, with no other one waiting behind it."""
        return self._faults.needs_new_connections and not (self._in_head and self.sends_ahead)

    def _end_if_last(self, now: float) -> None:
        """Close the connection if its last response began before faults required a new connection per request."""
        if self._faults.needs_new_connections:
            self.close_idle(now)

    def close_idle(self, now: float) -> None:
        """Close the connection if it is idle and no data has arrived on it."""
        if self._is_idle(now) and not has_sent(self.transport):
            self.transport.close()

    def retire(self, now: float) -> None:
        """Close an idle connection for writing; it closes fully when the client closes its side."""
        if self._is_idle(now) and not has_sent(self.transport):
            self._refused = self.is_retired = True
            self._patience.begin(now)
            self.transport.write_eof()
            self.flow.resume_reading()

    def _is_idle(self, now: float) -> bool:
        """Return whether it is the client's turn to start a request; the first one gets some time to arrive."""
        if not self._in_head or self._refused or self.sends_ahead or self.transport.is_closing():
            return False
        return now - self._ready_at > UNUSED_S if self.cycle is None else self.cycle.response_complete

    @property
    def is_unused(self) -> bool:
        """Whether the connection is still waiting for its first request."""
        served: object = self.cycle
        return served is None and not (self._refused or self.sends_ahead or self.transport.is_closing())

    @override
    def _refuse(self, status: int, message: str, headers: Headers | None = None, param: str | None = None) -> None:
        """Respond instead of the application, signal it that the client has disconnected, and close the connection."""
        self._refused = True
        begun = self._received.begun()
        self._received.clear()
        self._patience.begin(self.loop.time())
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

    def _record_short(self, request: ExpressRequest, status: int, answer: bytes, size: int) -> None:
        self._recorder.express(request.live, request.sent or request.body, status, answer, size)

    def _record_refusal(self, begun: bytes, status: int, answer: bytes, size: int) -> None:
        cycle: Any = self.cycle
        if self._in_head or cycle is None:
            self._recorder.refused(begun, self.client[0] if self.client else None, status, answer, size)
        elif isinstance(cycle, ExpressRequest):
            self._record_short(cycle, status, answer, size)
        elif self._recording is not None:
            self._recording.refuse(status, answer, size)

    def _give_up(self) -> bool:
        """End the request whose body is arriving; return whether its response has begun."""
        cycle: Any = self.cycle
        if cycle is None:
            return False  # the head is invalid, so there is no request yet
        begun: bool = cycle.response_complete or getattr(cycle, "response_started", False)
        cycle.disconnected = True
        cycle.message_event.set()
        return begun

    # Deadlines

    def sweep(self, now: float) -> None:
        """Close the connection if its client has exceeded a deadline."""
        self._end_if_last(now)
        if self._unread.is_stuck(self.transport.get_write_buffer_size(), now):
            reset(self.transport)
        elif self._patience.since is None:
            return
        elif self._refused:
            if self._patience.lingers_too_long(now):
                self.transport.abort()
        elif not self._in_head:
            self._sweep_body(now)
        elif not self.flow.held:
            self._sweep_head(now)

    def _sweep_head(self, now: float) -> None:
        if self.cycle is not None and not self._head_begun:
            if self._patience.is_idle(now):
                self.transport.close()
        elif self._patience.head_is_late(now):
            self._refuse(408, late_head(begun=self._head_begun))

    def _sweep_body(self, now: float) -> None:
        if self.flow.read_paused:
            self._patience.begin(now)  # the application has not asked for more of the body
        elif self._patience.body_is_late(now):
            self._refuse(408, LATE_BODY)
