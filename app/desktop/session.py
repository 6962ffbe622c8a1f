"""What the window needs of whoever opened the workspace: the engine, and an endpoint to switch on and off."""

from pathlib import Path
from typing import Protocol

from engine.engine import Engine


class Session(Protocol):
    """An open workspace with its public endpoint. The calls block: the window makes them off its thread."""

    @property
    def engine(self) -> Engine:
        """The engine over the open workspace."""
        ...

    @property
    def url(self) -> str | None:
        """The address of the public endpoint, None while it is stopped."""
        ...

    def start_endpoint(self) -> str:
        """Start the public endpoint and return its address; raises `AddressInUse` where the port is taken."""
        ...

    def stop_endpoint(self) -> None:
        """Stop the public endpoint; does nothing where it is stopped."""
        ...

    def close(self) -> None:
        """Stop everything and release the workspace."""
        ...


class OpenSession(Protocol):
    """Opens a workspace. Handed in by whoever starts the window, because the desktop does not know the web server."""

    def __call__(self, folder: Path | str, *, host: str, port: int) -> Session:
        """Open the workspace in `folder` (or ":memory:"), with its public endpoint for that address still stopped.

        Raises `WorkspaceBusy` or `WorkspaceError`.
        """
        ...
