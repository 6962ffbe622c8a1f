"""The workspace of a command: opened here, or reached through the process that has it open."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
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

_TRIES = 3


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
    busy: WorkspaceBusy | None = None
    for _ in range(_TRIES):
        remote = find_open_workspace(folder)
        if remote is not None:
            return remote
        try:
            return WorkspaceSession(folder)
        except WorkspaceBusy as error:
            busy = error
    assert busy is not None
    raise busy
