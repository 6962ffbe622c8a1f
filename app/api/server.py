"""The endpoint's server, in a thread of its own beside whatever else the process does."""

import asyncio
import errno
import logging
import socket
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from types import TracebackType
from typing import Final, Self, override

import uvicorn

from app.api.application import create_app
from app.api.limits import KEEP_ALIVE_S
from app.api.protocol import BoundedProtocol, ControlProtocol
from engine.domain.errors import AddressInUse, FencewrightError, InvalidParameter
from engine.engine import Engine

DEFAULT_PORT: Final = 8787
BACKLOG: Final = 2048
GRACE_S: Final = 2
SWEEP_S: Final = 1.0
MAX_THREADS: Final = 32
"""Of requests that wait for the engine; each is made when it is first needed."""

logger = logging.getLogger(__name__)


class ApiServer:
    """Serves an open engine's `/v1` at an address; can be started again after it was stopped.

    Port 0 picks a free port at each start.
    """

    def __init__(
        self, engine: Engine, host: str = "127.0.0.1", port: int = DEFAULT_PORT, *, control_token: str | None = None
    ) -> None:
        self._engine = engine
        self._host = host
        self._wanted_port = port
        self._control_token = control_token
        self._lock = threading.Lock()
        self._run: _Run | None = None

    def start(self) -> None:
        """Bind, serve, and return when the endpoint answers; nothing happens when it already runs.

        Raises `AddressInUse` when another program has the port, `InvalidParameter` ``host`` or ``port`` when the
        address cannot be used at all.
        """
        with self._lock:
            if self._run is None or not self._run.alive:
                self._run = _Run(self._engine, bind(self._host, self._wanted_port), self._host, self._control_token)

    def stop(self) -> None:
        """Stop to accept, let requests finish for a moment, and join the thread; harmless when it is stopped."""
        with self._lock:
            if self._run is not None:
                self._run.stop()
                self._run = None

    @property
    def running(self) -> bool:
        """Whether the endpoint answers."""
        run = self._run
        return run is not None and run.alive

    @property
    def port(self) -> int:
        """The port it answers at, or the one it was asked for while it does not run."""
        run = self._run
        return self._wanted_port if run is None else run.port

    @property
    def url(self) -> str:
        """The address for clients on this machine, without a slash at the end."""
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self._host, self._host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.stop()


class _Run:
    """One life of the server, from bound socket to joined thread."""

    def __init__(self, engine: Engine, listener: socket.socket, host: str, control_token: str | None) -> None:
        self.port: int = listener.getsockname()[1]
        self._listener = listener
        app = create_app(engine, control_token=control_token, hosts=_names(host))
        self._close_feed: Callable[[], None] = app.services.feed.close
        config = uvicorn.Config(
            app,
            http=ControlProtocol if control_token else BoundedProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            # A client's X-Forwarded-For must not pass for its address: geofences may be restricted by it.
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=GRACE_S,
        )
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._serve, name=f"fencewright-api-{self.port}", daemon=True)
        self._thread.start()
        self._server.ready.wait()
        if not self._server.started:
            self._thread.join()
            raise FencewrightError("The endpoint could not be started; the log says why.")

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
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
    """uvicorn's server, told to stop without waiting for its next tick, and sweeping late connections."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._stopping: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        # As many as all lanes may take and some more: Python's own number is six on two cores.
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


def _names(host: str) -> tuple[str, ...]:
    """Return the names under which a server bound to `host` may be called."""
    return (socket.gethostname(),) if _is_wildcard(host) else (host,)


def _is_wildcard(host: str) -> bool:
    try:
        return not host or ip_address(host).is_unspecified
    except ValueError:
        return False


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Listening at once settles the matter: a bound socket that does not listen yet can still lose its port.
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
