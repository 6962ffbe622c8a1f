"""The workspace of a command: opened by this process, or reached through the process that has it open."""

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
from engine.domain.errors import AnswerLost, WorkspaceBusy, WorkspaceError, WorkspaceStopped, WorkspaceUnreachable
from engine.domain.ports import Progress, no_progress
from engine.domain.tracking.updates import LocationUpdate
from engine.store.workspace import MEMORY, read_endpoint

_PATIENCE_S = 20.0
"""How long another process may take to release the workspace, or to respond after locking it, in seconds."""

_LOOK_AGAIN_S = 0.05, 0.4
"""The first and the longest pause between two attempts, in seconds."""

_MAX_RETRIES = 20
"""How many times in a row the process with the open workspace may exit during one request."""

_REPEATABLE_METHODS: Final = frozenset({"GET", "PUT"})

type Found = WorkspaceSession | RemoteWorkspace
type Tracked = Encoded | BaseException


class ReachedWorkspace:
    """A workspace, whichever process has it open; if that process closes it, it is opened or found again.

    A request that the other process did not receive before it exited is sent again. A request that it may have carried
    out is sent again only if repeating it does no harm. A process that is merely slow receives the request once. Work
    that was cancelled because the other command had finished is repeated, but not work that was cancelled because a
    server or a window was stopped.
    """

    def __init__(self, folder: Path | str, stop: StopRequest | None, opening: Progress | None = None) -> None:
        """Open or find the workspace. `opening` follows the upgrade and the wait, instead of a bar in the terminal."""
        self._folder = folder
        self._stop = stop
        self._check = _check_nothing if stop is None else stop.check
        self._opening = opening
        self._found = self._open_or_find()

    def run[Q, A](
        self,
        command: Command[Q, A],
        request: Q,
        environment: Environment = Environment.TEST,
        data: bytes = b"",
        progress: Progress = no_progress,
    ) -> A:
        """Run an operation and return its answer; an exception raised by `progress` cancels it."""

        def run(found: Found) -> A:
            if isinstance(found, WorkspaceSession):
                return command.run(Call(found.engine, environment, request, data, progress))
            # Reuse connections, since a track of updates would otherwise open thousands.
            return found.run(command, request, environment, data, progress, reuse=True)

        return self._ask(run, repeats=command.repeats(request))

    def now(self, environment: Environment) -> datetime:
        """Return the current time of the environment's clock."""
        return datetime.fromisoformat(self.run(now, None, environment))

    def track_all(self, environment: Environment, updates: Sequence[LocationUpdate]) -> list[Tracked]:
        """Track updates together and return the response of ``/v1/track`` or the error for each."""
        outcomes = self.run(track, tuple(updates), environment)
        return [each["answer"] if "answer" in each else decode_error(each["error"]) for each in outcomes]

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        """Track an update and return the response of ``/v1/track``, or raise its error."""
        (outcome,) = self.track_all(environment, [update])
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def records(self, environment: Environment, query: RecordQuery) -> AbstractContextManager[Records]:
        """Yield the number of events or users, and all of them in batches."""
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
        for _ in range(_MAX_RETRIES):
            try:
                return ask(self._found)
            except WorkspaceUnreachable:
                pass
            except AnswerLost as error:
                undone = isinstance(error, WorkspaceStopped) and self._is_brief
                if not (undone or repeats):
                    raise
            self.close()
            self._found = self._open_or_find()
        return ask(self._found)

    def _open_or_find(self) -> Found:
        check, opening = self._check, self._opening
        if opening is None:
            found = _open_or_find(self._folder, check, upgrade_bar(check))
        else:
            found = _open_or_find(self._folder, lambda: opening(0, 0), opening)
        if self._stop is not None and isinstance(found, WorkspaceSession):
            self._stop.deadline.at_begin(found.stop_work)
        return found

    @property
    def _is_brief(self) -> bool:
        return not isinstance(self._found, WorkspaceSession) and self._found.is_brief


def _remote(found: Found) -> RemoteWorkspace:
    """Return a workspace as other commands reach it, since only its endpoint has the operations of ``/v1``."""
    if isinstance(found, RemoteWorkspace):
        return found
    workspace = found.engine.workspace
    assert workspace.endpoint is not None
    return RemoteWorkspace(workspace.folder, workspace.endpoint)


@contextmanager
def reach_workspace(folder: Path | str, stop: StopRequest | None = None) -> Iterator[ReachedWorkspace]:
    """Yield the workspace in `folder`, which is created if it does not exist.

    This process opens the workspace, and other commands can reach it through this one in the meantime. If another
    process has it open, that process does the work. If this process has opened it, `stop` cancels long work in it
    immediately. Raises `WorkspaceBusy` if another process has it open and does not respond.
    """
    with closing(ReachedWorkspace(folder, stop)) as reached:
        if folder == MEMORY:
            note(f"the workspace {MEMORY} is temporary: nothing is kept; to keep it, use --workspace DIR")
        yield reached


def served_workspace(folder: Path | str, otherwise: str) -> RemoteWorkspace:
    """Return the workspace in `folder` that another process has open; raises `WorkspaceError` if none has.

    `otherwise` completes the error message: it says what is missing while the workspace is not open.
    """
    found = find_open_workspace(folder)
    if found is None:
        raise WorkspaceError(
            f"The workspace {folder} is not open, so there {otherwise}. Start 'fencewright serve' or the desktop first."
        )
    return found


def find_open_workspace(folder: Path | str) -> RemoteWorkspace | None:
    """Return the workspace in `folder` if another process has it open and responds, else None."""
    endpoint = None if str(folder) == MEMORY else read_endpoint(Path(folder).expanduser())
    if endpoint is None:
        return None
    remote = RemoteWorkspace(Path(folder).expanduser(), endpoint)
    try:
        remote.check()
    except (WorkspaceUnreachable, AnswerLost):
        return None
    return remote


def _check_nothing() -> None:
    """Do nothing, so that opening is never cancelled."""


def _open_or_find(folder: Path | str, check: Callable[[], None], opening: Progress) -> Found:
    """Open the workspace or find the process that has it open, and retry while another process opens or closes it.

    `check` and `opening`, which follows an upgrade, may raise `Cancelled`.
    """
    until, (pause, longest) = monotonic() + _PATIENCE_S, _LOOK_AGAIN_S
    while True:
        try:
            return find_open_workspace(folder) or WorkspaceSession(folder, brief=True, progress=opening)
        except WorkspaceBusy:
            if monotonic() > until:
                raise
        check()
        sleep(pause)
        pause = min(2 * pause, longest)
