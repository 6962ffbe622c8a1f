"""An open workspace: its engine, the address for other commands on it, and the endpoint for clients."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from secrets import token_urlsafe
from threading import RLock
from types import TracebackType
from typing import Self

from app.api.server import ApiServer
from engine.domain.errors import WorkspaceError
from engine.domain.ports import Clock
from engine.engine import Engine
from engine.store.workspace import Endpoint

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8787


class WorkspaceSession:
    """Opens a workspace and keeps its published address true until it is closed.

    Other commands reach the workspace through a private server on a port of its own, guarded by a random token that
    only the workspace's owner can read. The endpoint for clients is a second server that starts and stops
    independently. All methods block and may be called from any thread.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        host: str = DEFAULT_HOST,
        port: int = DEFAULT_PORT,
        clock: Clock | None = None,
        frozen_at: datetime | None = None,
        areas: Sequence[str] = (),
        router_url: str | None = None,
        geocoder_url: str | None = None,
    ) -> None:
        """Open or create the workspace in `folder` (":memory:" for a temporary one), without the endpoint.

        `frozen_at` is where the clock of Test stands from the beginning; for the others see `Engine.open`.
        Raises `WorkspaceBusy` when another process has it open, `WorkspaceError` when it cannot be used.
        """
        self._address = (host, port)
        self._lock = RLock()
        self._public: ApiServer | None = None
        self._closed = False
        with ExitStack() as undo:
            self.engine = undo.enter_context(
                Engine.open(
                    folder,
                    clock=clock,
                    frozen_at=frozen_at,
                    areas=areas,
                    router_url=router_url,
                    geocoder_url=geocoder_url,
                )
            )
            self._token = token_urlsafe(32)
            self._control = ApiServer(self.engine, port=0, control_token=self._token)
            undo.callback(self._control.stop)
            self._control.start()
            self._publish()
            undo.pop_all()

    @property
    def url(self) -> str | None:
        """The address of the endpoint for clients; None while it is stopped."""
        with self._lock:
            return self._public.url if self._public is not None else None

    def start_endpoint(self) -> str:
        """Start the endpoint for clients, if it is not running, and return its address.

        Raises `AddressInUse` when another program has the port, `WorkspaceError` when the workspace is closed.
        """
        with self._lock:
            if self._closed:
                raise WorkspaceError("The workspace is closed; open it again to serve it.")
            if self._public is None:
                server = ApiServer(self.engine, *self._address)
                server.start()
                self._public = server
                self._publish()
            return self._public.url

    def stop_endpoint(self) -> None:
        """Stop the endpoint for clients after the requests under way; does nothing when it is not running."""
        with self._lock:
            if self._public is not None:
                server, self._public = self._public, None
                server.stop()
                if not self._closed:
                    self._publish()

    def close(self) -> None:
        """Stop serving, then close the engine, which withdraws the address. May be called again."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            with ExitStack() as closing:
                # In reverse: clients first, then other commands, then the engine that both need.
                closing.callback(self.engine.close)
                closing.callback(self._control.stop)
                closing.callback(self.stop_endpoint)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _publish(self) -> None:
        self.engine.workspace.publish(Endpoint(os.getpid(), self._control.url, self._token, self.url))
