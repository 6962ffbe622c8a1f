"""The workspace of a command: opened here, or reached through the process that has it open."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from app.api.commands.command import Call, Command
from app.api.commands.errors import decode_error
from app.api.commands.records import RecordQuery, Records, records
from app.api.commands.tracking import now, track
from app.api.wire.common.encoding import Encoded
from app.cli.terminal.output import note, upgrade_bar
from app.cli.terminal.signals import StopRequest
from app.remote import RemoteWorkspace
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.errors import AnswerLost, WorkspaceBusy, WorkspaceError, WorkspaceGone, WorkspaceStopped
from engine.domain.ports import Progress, no_progress
from engine.domain.tracking.updates import LocationUpdate
from engine.store.workspace import MEMORY, read_endpoint

_PATIENCE_S = 20.0
"""How long a process may take from its last answer until it lets go of the workspace, or from its lock to its first."""

_LOOK_AGAIN_S = 0.05, 0.4
"""The first and the longest pause between two attempts."""

_TIMES_GONE = 20
"""How often in a row the process that has the workspace open may go away while it is asked one thing."""

_REPEATABLE_METHODS: Final = frozenset({"GET", "PUT"})

type Found = WorkspaceSession | RemoteWorkspace
type Tracked = Encoded | BaseException


class ReachedWorkspace:
    """A workspace wherever it is open now: when that process closes it, it is opened or found again.

    What a process that went away has not received is asked again; what it may have done, only where doing it twice
    does no harm. A process that is merely slow is asked once. Work that a command cancelled because its own was done is
    asked again, but not work that is cancelled because a server or a window was stopped.
    """

    def __init__(self, folder: Path | str, stop: StopRequest | None) -> None:
        self._folder = folder
        self._stop = stop
        self._found = self._open_or_find()

    def run[Q, A](
        self,
        command: Command[Q, A],
        request: Q,
        environment: Environment = Environment.TEST,
        data: bytes = b"",
        progress: Progress = no_progress,
    ) -> A:
        """Do an operation and return its answer; what `progress` raises cancels it."""

        def run(found: Found) -> A:
            if isinstance(found, WorkspaceSession):
                return command.run(Call(found.engine, environment, request, data, progress))
            # A track of updates would open thousands of connections.
            return found.run(command, request, environment, data, progress, reuse=True)

        return self._ask(run, repeats=command.repeats(request))

    def now(self, environment: Environment) -> datetime:
        """Return the present moment, as the environment's clock has it."""
        return datetime.fromisoformat(self.run(now, None, environment))

    def track_all(self, environment: Environment, updates: Sequence[LocationUpdate]) -> list[Tracked]:
        """Track updates together; return what ``/v1/track`` answers each, or its error."""
        outcomes = self.run(track, tuple(updates), environment)
        return [each["answer"] if "answer" in each else decode_error(each["error"]) for each in outcomes]

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        """Track an update and return what ``/v1/track`` answers; raises its error."""
        (outcome,) = self.track_all(environment, [update])
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def records(self, environment: Environment, query: RecordQuery) -> AbstractContextManager[Records]:
        """Yield how many events or users there are, and all of them, some at a time."""
        found = self._found
        if isinstance(found, WorkspaceSession):
            return nullcontext(records.run(Call(found.engine, environment, query)))
        return found.records(environment, query)

    def ask_v1(self, method: str, path: str, environment: Environment, body: object = None) -> Encoded:
        """Call an operation of ``/v1`` with the secret key and return its response without `meta`."""
        return self._ask(
            lambda found: _remote(found).ask_v1(method, path, environment, body), repeats=method in _REPEATABLE_METHODS
        )

    def close(self) -> None:
        """Close the workspace if it is open here, otherwise the connections to the process that has it."""
        self._found.close()

    def _ask[A](self, ask: Callable[[Found], A], *, repeats: bool) -> A:
        for _ in range(_TIMES_GONE):
            try:
                return ask(self._found)
            except WorkspaceGone:
                pass
            except AnswerLost as error:
                undone = isinstance(error, WorkspaceStopped) and self._is_brief
                if not (undone or repeats):
                    raise
            self.close()
            self._found = self._open_or_find()
        return ask(self._found)

    def _open_or_find(self) -> Found:
        found = _open_or_find(self._folder, _check_nothing if self._stop is None else self._stop.check)
        if self._stop is not None and isinstance(found, WorkspaceSession):
            self._stop.deadline.at_begin(found.stop_work)
        return found

    @property
    def _is_brief(self) -> bool:
        return not isinstance(self._found, WorkspaceSession) and self._found.is_brief


def _remote(found: Found) -> RemoteWorkspace:
    """Return a workspace as other commands reach it: there is one way to the operations of ``/v1``."""
    if isinstance(found, RemoteWorkspace):
        return found
    workspace = found.engine.workspace
    assert workspace.endpoint is not None
    return RemoteWorkspace(workspace.folder, workspace.endpoint)


@contextmanager
def reach_workspace(folder: Path | str, stop: StopRequest | None = None) -> Iterator[ReachedWorkspace]:
    """Yield the workspace in `folder`, created where it does not exist.

    This process opens it, and other commands can reach it through this one meanwhile; where another process has
    it open, that one does the work. Where this process has opened it, `stop` cancels long work in it at once.
    Raises `WorkspaceBusy` when another process has it open and does not answer.
    """
    with closing(ReachedWorkspace(folder, stop)) as reached:
        if folder == MEMORY:
            note(f"the workspace {MEMORY} is temporary: nothing is kept; to keep it, use --workspace DIR")
        yield reached


def served_workspace(folder: Path | str, otherwise: str) -> RemoteWorkspace:
    """Return the workspace in `folder` that another process has open; raises `WorkspaceError` where none has.

    `otherwise` says what there is not without it.
    """
    found = find_open_workspace(folder)
    if found is None:
        raise WorkspaceError(
            f"The workspace {folder} is not open, so there {otherwise}. Start 'fencewright serve' or the desktop first."
        )
    return found


def find_open_workspace(folder: Path | str) -> RemoteWorkspace | None:
    """Return the workspace in `folder` if another process has it open and answers."""
    endpoint = None if str(folder) == MEMORY else read_endpoint(Path(folder).expanduser())
    if endpoint is None:
        return None
    remote = RemoteWorkspace(Path(folder).expanduser(), endpoint)
    try:
        remote.check()
    except (WorkspaceGone, AnswerLost):
        return None
    return remote


def _check_nothing() -> None:
    """Never ask to end."""


def _open_or_find(folder: Path | str, check: Callable[[], None]) -> Found:
    """Return the workspace either way; one that is just being closed or opened elsewhere is tried again.

    `check` may raise `Cancelled`.
    """
    until, (pause, longest) = monotonic() + _PATIENCE_S, _LOOK_AGAIN_S
    while True:
        try:
            return find_open_workspace(folder) or WorkspaceSession(folder, brief=True, progress=upgrade_bar(check))
        except WorkspaceBusy:
            if monotonic() > until:
                raise
        check()
        sleep(pause)
        pause = min(2 * pause, longest)
