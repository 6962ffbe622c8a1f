"""The server of the endpoint, which runs in its own thread."""

import asyncio
import errno
import logging
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Final, Self, override

import uvicorn

from app.api.http.hosts import Hosts, OwnNames
from app.api.server.application import Application, create_app, request_reader
from app.api.server.connections import raise_file_limit, reset
from app.api.server.protocol import BoundedProtocol
from app.api.server.tls import Tls, TlsProtocol
from app.api.v1 import HITTABLE
from app.api.v1.request_log.reader import RequestReader
from app.endpoint import DEFAULT_PORT, LOOPBACK, Reach, is_loopback, is_wildcard, normal_host, url_of
from app.faults.book import Faults
from app.sdks.sightings import Sightings
from engine.domain.errors import AddressInUse, FencewrightError, InvalidParameter
from engine.engine import Engine

BACKLOG: Final = 2048
GRACE_S: Final = 2
CLIENTS_GRACE_S: Final = 1.5
"""How long a shutdown waits for requests to finish and for clients to send and read the rest, in seconds."""

ENDED_EVERY_S: Final = 0.005
"""Interval at which a shutdown checks whether they have ended, in seconds."""

SWEEP_S: Final = 0.5
RENEW_S: Final = 1.0
"""Maximum wait for the first request on new connections, in seconds."""

LEAVE_S: Final = 1.0
"""How long clients may take to close their side, in seconds; a busy machine delays some, others never notice."""

LOOK_EVERY_S: Final = 0.01

MAX_THREADS: Final = 32
"""Maximum number of threads for requests that wait for the engine; each is started on demand."""

logger = logging.getLogger(__name__)


class ApiServer:
    """Serves an open engine's `/v1` at an address; it can be started again after a stop.

    Port 0 picks a free port at each start. With `tls` it speaks HTTPS, using a certificate of the workspace's own
    authority. `allow_hosts` are the names and addresses under which clients may call it, in addition to those of this
    machine. `requests` is the request log and `faults` are the injected faults; both survive a restart.
    """

    def __init__(
        self,
        engine: Engine,
        host: str = LOOPBACK,
        port: int = DEFAULT_PORT,
        *,
        tls: bool = False,
        allow_hosts: Sequence[str] = (),
        control_token: str | None = None,
        requests: RequestReader | None = None,
        sightings: Sightings | None = None,
        faults: Faults | None = None,
    ) -> None:
        self._engine = engine
        self._host = host
        self._wanted_port = port
        self._control_token = control_token
        self._tls, self._allow_hosts = tls, tuple(allow_hosts)
        self.requests = requests or request_reader(engine)
        self._sightings = sightings
        self.faults = faults or Faults(lambda: HITTABLE)
        self._lock = threading.Lock()
        self._run: _Run | None = None

    def start(self) -> None:
        """Start the server and return as soon as the endpoint responds; do nothing if it is already running.

        Raises `AddressInUse` if another program has the port, `InvalidParameter` ``host`` or ``port`` if the address
        cannot be used at all, and `WorkspaceError` if the certificate cannot be used.
        """
        with self._lock:
            if self._run is None or not self._run.alive:
                self._run = self._begin(bind(self._host, self._wanted_port))

    def _begin(self, listener: socket.socket) -> "_Run":
        # Raise the limit first: the application has as many places for connections as files may be opened.
        raise_file_limit()
        try:
            address = listener.getsockname()[0]
            beyond = not is_loopback(normal_host(address) or address)
            named = () if is_wildcard(self._host) else (self._host,)
            own = OwnNames() if beyond else None
            hosts = Hosts((*self._allow_hosts, *named, address), own)
            tls = Tls(self._engine.workspace.certificates, hosts) if self._tls else None
            app = create_app(
                self._engine,
                control_token=self._control_token,
                hosts=hosts,
                tls=tls,
                sightings=self._sightings,
                requests=self.requests,
                faults=self.faults,
            )
            return _Run(app, listener, own)
        except BaseException:
            listener.close()
            raise

    def stop(self) -> None:
        """Stop accepting connections, let requests finish briefly, and join the thread; harmless if already stopped."""
        with self._lock:
            if self._run is not None:
                self._run.stop()
                self._run = None

    @property
    def running(self) -> bool:
        """Whether the endpoint is running."""
        run = self._run
        return run is not None and run.alive

    @property
    def port(self) -> int:
        """The port that it listens on, or the requested port while it is not running."""
        run = self._run
        return self._wanted_port if run is None else run.port

    @property
    def url(self) -> str:
        """The address for clients on this machine, without a trailing slash."""
        host = {"0.0.0.0": LOOPBACK, "": LOOPBACK, "::": "::1"}.get(self._host, self._host)
        return self._url_of(host)

    @property
    def reach(self) -> Reach:
        """The current addresses for clients on this machine and beyond it."""
        run = self._run
        if run is None or run.own is None:
            return Reach(self.url)
        run.own.look_again()
        if not is_wildcard(self._host):
            return Reach(self.url, (self.url,), open_to_network=True)
        both = run.family == socket.AF_INET6
        shown = [each for each in run.own.addresses if not each.startswith("fe80:") and (both or ":" not in each)]
        return Reach(self.url, tuple(map(self._url_of, shown)), open_to_network=True)

    def _url_of(self, host: str) -> str:
        return url_of("https" if self._tls else "http", host, self.port)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.stop()


class _Run:
    """One run of the server, from the bound socket to the joined thread."""

    def __init__(self, app: Application, listener: socket.socket, own: OwnNames | None) -> None:
        self.port: int = listener.getsockname()[1]
        self.family = listener.family
        self.own = own
        self._listener = listener
        self._close_feed: Callable[[], None] = app.services.feed.close
        config = uvicorn.Config(
            app,
            http=BoundedProtocol if app.tls is None else TlsProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            # A client's X-Forwarded-For must not replace its address, because geofences may be restricted by it.
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
        )
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._serve, name=f"fencewright-api-{self.port}", daemon=True)
        self._ignore_faults = app.services.faults.renew_with(self._server.renew_connections)
        self._thread.start()
        self._server.ready.wait()
        if not self._server.started:
            self._ignore_faults()
            self._thread.join()
            raise FencewrightError("The endpoint could not be started; the log has the details.")

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._ignore_faults()
        self._server.ask_to_stop(self._close_feed)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _serve(self) -> None:
        try:
            with asyncio.Runner(loop_factory=_loop_factory()) as runner:
                runner.run(self._server.serve([self._listener]))
        except Exception:
            logger.exception("The endpoint stopped unexpectedly")
        finally:
            self._listener.close()
            self._server.ready.set()


class _Server(uvicorn.Server):
    """A uvicorn server that stops without waiting for its next tick and sweeps connections that are late."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._stopping: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        # As many threads as all lanes may take, plus a few. Python's default is six on two cores.
        self._loop.set_default_executor(ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="asyncio"))
        self._stopping = asyncio.Event()
        await super().startup(sockets)
        self.ready.set()

    @override
    async def main_loop(self) -> None:
        assert self._stopping is not None
        assert self._loop is not None
        while not await self.on_tick(0):
            self._sweep(self._loop.time())
            try:
                async with asyncio.timeout(SWEEP_S):
                    await self._stopping.wait()
            except TimeoutError:
                continue

    def _sweep(self, now: float) -> None:
        for connection in list(self.server_state.connections):
            if isinstance(connection, BoundedProtocol):
                connection.sweep(now)

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the listeners and end all connections, as uvicorn does, but check for the end more often.

        uvicorn itself only checks ten times a second.
        """
        assert self._loop is not None
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        cut = self._loop.call_later(CLIENTS_GRACE_S, self._cut_waiting)
        try:
            async with asyncio.timeout(GRACE_S):
                await self._all_ended()
        except TimeoutError:
            logger.warning("Requests did not end in time: %d", len(self.server_state.tasks))
            for task in self.server_state.tasks:
                task.cancel()
        cut.cancel()

    async def _all_ended(self) -> None:
        while self.server_state.connections or self.server_state.tasks:
            await asyncio.sleep(ENDED_EVERY_S)
        for server in self.servers:
            await server.wait_closed()

    def _cut_waiting(self) -> None:
        """Reset connections that wait for a client to read or send, because waiting would not end their requests."""
        for connection in list(self.server_state.connections):
            if isinstance(connection, BoundedProtocol) and connection.waits_for_client:
                reset(connection.transport)

    def renew_connections(self) -> Future[None]:
        """Close connections without a request, from any thread; return a future that is done when they are closed."""
        renewing = self._renew()
        try:
            if self._loop is not None:
                return asyncio.run_coroutine_threadsafe(renewing, self._loop)
        except RuntimeError:  # the loop has stopped
            pass
        renewing.close()
        ended: Future[None] = Future()
        ended.set_result(None)
        return ended

    async def _renew(self) -> None:
        """Close idle connections and, after a moment, new connections that have had no request.

        Clients are notified first. Otherwise a client would send its next request on such a connection and see it fail,
        regardless of the kind of fault.
        """
        assert self._loop is not None
        left = [each for each in self.server_state.connections if isinstance(each, BoundedProtocol)]
        until = self._loop.time() + RENEW_S
        while left and self._loop.time() < until:
            for connection in left:
                connection.retire(self._loop.time())
            left = [connection for connection in left if connection.is_unused]
            await asyncio.sleep(LOOK_EVERY_S if left else 0)
        await self._close_retired(self._loop.time() + LEAVE_S)

    async def _close_retired(self, until: float) -> None:
        """Close retired connections as soon as their clients have closed them, or after `until`."""
        assert self._loop is not None
        while (left := self._retired()) and self._loop.time() < until:
            await asyncio.sleep(LOOK_EVERY_S)
        for connection in left:
            connection.transport.close()
        await asyncio.sleep(0)  # the transports close in the next iteration of the loop

    def _retired(self) -> list[BoundedProtocol]:
        connections = self.server_state.connections
        return [each for each in connections if isinstance(each, BoundedProtocol) and each.is_retired]

    def ask_to_stop(self, on_loop: Callable[[], None]) -> None:
        """Stop soon, from any thread, after `on_loop` ran on the event loop."""
        self.should_exit = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop, on_loop)

    def _stop(self, on_loop: Callable[[], None]) -> None:
        on_loop()
        if self._stopping is not None:
            self._stopping.set()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    if sys.platform == "win32":
        return None
    import uvloop

    return uvloop.new_event_loop


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    The socket listens at once, because a bound socket that does not listen yet can still lose its port.
    """
    if not 0 <= port <= 65535:
        raise InvalidParameter("port", f"port: must be within [0, 65535], not {port}.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise InvalidParameter("host", f"host: {host!r} is not an address of this machine.") from None
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _bind_error(error, host, port) from None
    return listener


def _bind_error(error: OSError, host: str, port: int) -> FencewrightError:
    if error.errno == errno.EADDRINUSE:
        return AddressInUse(
            f"Port {port} on {host} is taken by another program. Stop that program, or choose another port "
            "(port 0 picks a free one)."
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return InvalidParameter("port", f"port: this account may not open port {port}; choose one above 1023.")
    return InvalidParameter("host", f"host: {host!r} cannot be opened here: {error.strerror}.")
