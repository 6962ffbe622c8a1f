"""The workspace of a command: opened here, or reached through the process that has it open."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Protocol

from app.api.encoding import Encoded, encode_report, encode_track
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceBusy
from engine.domain.ports import Progress, SystemClock, no_progress
from engine.domain.tracking import LocationUpdate
from engine.store.workspace import MEMORY, read_endpoint

if TYPE_CHECKING:
    from app.remote import RemoteWorkspace

_RETRY_AFTER_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""How long a process that is closing the workspace may take from its last answer until it lets go."""


class ReachedWorkspace(Protocol):
    """What commands do on a workspace, wherever it is open. Answers are spelled as on the wire."""

    def now(self) -> datetime:
        """Return the present moment, as the engine's clock has it."""
        ...

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        """Track an update and return what ``/v1/track`` answers."""
        ...

    def import_csv(
        self, environment: Environment, data: bytes, *, dry_run: bool, progress: Progress = no_progress
    ) -> Encoded:
        """Import a table and return its report."""
        ...


class _Here:
    """A workspace that this process has open."""

    def __init__(self, session: WorkspaceSession) -> None:
        self._engine = session.engine

    def now(self) -> datetime:
        return self._engine.clock.now()

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        return encode_track(self._engine.track(environment, update))

    def import_csv(
        self, environment: Environment, data: bytes, *, dry_run: bool, progress: Progress = no_progress
    ) -> Encoded:
        return encode_report(self._engine.import_csv(environment, data, dry_run=dry_run, progress=progress))


class _Elsewhere:
    """A workspace that another process has open."""

    def __init__(self, remote: "RemoteWorkspace") -> None:
        self._clock = SystemClock()
        self.track = remote.track
        self.import_csv = remote.import_csv

    def now(self) -> datetime:
        return self._clock.now()


@contextmanager
def reach_workspace(folder: Path | str) -> Iterator[ReachedWorkspace]:
    """Yield the workspace in `folder`, created where it does not exist.

    This process opens it, and other commands can reach it through this one meanwhile; where another process has
    it open, that one does the work. Raises `WorkspaceBusy` when it has it open and does not answer.
    """
    found = _open_or_find(folder)
    with found:
        yield _Here(found) if isinstance(found, WorkspaceSession) else _Elsewhere(found)


def find_open_workspace(folder: Path | str) -> "RemoteWorkspace | None":
    """Return the workspace in `folder` if another process has it open and answers."""
    endpoint = None if str(folder) == MEMORY else read_endpoint(Path(folder).expanduser())
    if endpoint is None:
        return None
    # Only here: the HTTP client takes long to load, and most commands find the workspace closed.
    from app.remote import RemoteWorkspace, WorkspaceGone

    remote = RemoteWorkspace(Path(folder).expanduser(), endpoint)
    try:
        remote.check()
    except WorkspaceGone:
        remote.close()
        return None
    except BaseException:
        remote.close()
        raise
    return remote


def _open_or_find(folder: Path | str) -> "WorkspaceSession | RemoteWorkspace":
    """Return the workspace either way; one that is just being closed or opened elsewhere is tried again."""
    for delay in _RETRY_AFTER_S:
        with suppress(WorkspaceBusy):
            return find_open_workspace(folder) or WorkspaceSession(folder)
        sleep(delay)
    return find_open_workspace(folder) or WorkspaceSession(folder)
