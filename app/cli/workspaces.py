"""The workspace of a command: opened here, or reached through the process that has it open."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Protocol

from app.api.encoding import Encoded, encode_report, encode_track
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceBusy, WorkspaceGone
from engine.domain.ports import Progress, SystemClock, no_progress
from engine.domain.tracking import LocationUpdate
from engine.store.workspace import MEMORY, read_endpoint

if TYPE_CHECKING:
    from app.remote import RemoteWorkspace

_RETRY_AFTER_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""How long a process that is closing the workspace may take from its last answer until it lets go."""

_TIMES_GONE = 5
"""How often in a row the process that has the workspace open may go away while it is asked one thing."""


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


class _Reached:
    """A workspace wherever it is open now: when that process closes it, it is opened or found again.

    What was asked of a process that went away is asked again. That does no harm: an update that was stored already
    is stored again with the same time and place, and an import sets the same fields.
    """

    def __init__(self, folder: Path | str) -> None:
        self._folder = folder
        self._found = _open_or_find(folder)

    def now(self) -> datetime:
        return self._current().now()

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        return self._persistently(lambda workspace: workspace.track(environment, update))

    def import_csv(
        self, environment: Environment, data: bytes, *, dry_run: bool, progress: Progress = no_progress
    ) -> Encoded:
        return self._persistently(
            lambda workspace: workspace.import_csv(environment, data, dry_run=dry_run, progress=progress)
        )

    def close(self) -> None:
        self._found.close()

    def _current(self) -> ReachedWorkspace:
        found = self._found
        return _Here(found) if isinstance(found, WorkspaceSession) else _Elsewhere(found)

    def _persistently(self, ask: Callable[[ReachedWorkspace], Encoded]) -> Encoded:
        for _ in range(_TIMES_GONE):
            try:
                return ask(self._current())
            except WorkspaceGone:
                self._found.close()
                self._found = _open_or_find(self._folder)
        return ask(self._current())


@contextmanager
def reach_workspace(folder: Path | str) -> Iterator[ReachedWorkspace]:
    """Yield the workspace in `folder`, created where it does not exist.

    This process opens it, and other commands can reach it through this one meanwhile; where another process has
    it open, that one does the work. Raises `WorkspaceBusy` when it has it open and does not answer.
    """
    with closing(_Reached(folder)) as reached:
        yield reached


def find_open_workspace(folder: Path | str) -> "RemoteWorkspace | None":
    """Return the workspace in `folder` if another process has it open and answers."""
    endpoint = None if str(folder) == MEMORY else read_endpoint(Path(folder).expanduser())
    if endpoint is None:
        return None
    # Only here: the HTTP client takes long to load, and most commands find the workspace closed.
    from app.remote import RemoteWorkspace

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
