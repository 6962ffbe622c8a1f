"""The workspace of a command: opened here, or reached through the process that has it open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from app.api.change_sets import apply_change_set, plan_promotion
from app.api.checks import run_checks
from app.api.records import records_of
from app.api.wire.common.encoding import Encoded, with_warnings
from app.api.wire.event import encode_event
from app.api.wire.explanation import encode_explained_update, encode_replay_report
from app.api.wire.imports import encode_import, encode_preview, encode_report
from app.api.wire.integrations.nightly_sync import decode_sync_change, encode_run, encode_sync
from app.api.wire.review.checks import CheckQuery
from app.api.wire.settings.record import encode_settings
from app.api.wire.settings.request import decode_settings_change
from app.api.wire.snapshot import encode_cleared, encode_snapshot
from app.api.wire.track import encode_result, warnings_about
from app.cli.terminal.output import note, upgrade_bar
from app.cli.terminal.signals import StopRequest
from app.exports import Batches, RecordFilter, RecordKind
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.errors import AnswerLost, WorkspaceBusy, WorkspaceError, WorkspaceGone, WorkspaceStopped
from engine.domain.imports import ImportFile, ImportKind, ImportOptions, ImportQuery
from engine.domain.ports import Progress, no_progress
from engine.domain.queries import EventFilter, EventQuery
from engine.domain.tracking.explaining import ReplayQuery, UpdateQuery
from engine.domain.tracking.tracks import RecordedQuery, Track
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.domain.tracking.whatif import AskedEdits
from engine.geofences.imports.exporting import ExportFormat, ExportQuery
from engine.geofences.promotion.promotions import PromotionQuery
from engine.importing import import_file
from engine.store.workspace import MEMORY, read_endpoint

if TYPE_CHECKING:
    from app.remote.workspace import RemoteWorkspace

_RETRY_AFTER_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""How long a process may take from its last answer until it lets go of the workspace, or from its lock to its first."""

_THIS_MACHINE = "127.0.0.1"
"""Where a command's updates come from; through another process they come from there as well."""

_TIMES_GONE = 20
"""How often in a row the process that has the workspace open may go away while it is asked one thing."""

_REPEATABLE: Final = frozenset(
    {
        *("now", "snapshot", "export", "imports", "recorded", "newest_event", "events", "explain", "replay"),
        *("plan_promotion", "settings", "change_settings", "sync", "change_sync", "track", "track_all"),
    }
)
"""Operations that may be done twice: they read, they set the same values, or they store what a track says at a time."""

_REPEATABLE_METHODS: Final = frozenset({"GET", "PUT"})


type Tracked = Encoded | BaseException


class ReachedWorkspace(Protocol):
    """Operations of commands on a workspace, wherever it is open. Answers are spelled as on the wire."""

    def now(self, environment: Environment) -> datetime:
        """Return the present moment, as the environment's clock has it."""
        ...

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        """Track an update and return what ``/v1/track`` answers."""
        ...

    def track_all(self, environment: Environment, updates: Sequence[LocationUpdate]) -> list[Tracked]:
        """Track updates of different devices together; return what ``/v1/track`` answers each, or its error."""
        ...

    def import_file(
        self,
        environment: Environment,
        file: ImportFile,
        options: ImportOptions,
        kind: ImportKind | None = None,
        *,
        dry_run: bool,
        preview: bool = False,
        progress: Progress = no_progress,
    ) -> Encoded:
        """Import a file and return its report; without a kind its header tells what is in it."""
        ...

    def check_geofences(self, environment: Environment, query: CheckQuery, progress: Progress = no_progress) -> Encoded:
        """Check geofences, fix them where that is asked for, and return the report."""
        ...

    def plan_promotion(self, query: PromotionQuery, progress: Progress = no_progress) -> Encoded:
        """Return what a promotion would change."""
        ...

    def apply_change_set(self, content: bytes, *, dry_run: bool, progress: Progress = no_progress) -> Encoded:
        """Apply a change set, and return how much that was."""
        ...

    def imports(self, environment: Environment, limit: int) -> list[Encoded]:
        """Return the last imports, newest first."""
        ...

    def undo_import(self, environment: Environment, import_id: str) -> Encoded:
        """Put back what there was before an import, and return its record."""
        ...

    def export(
        self, environment: Environment, format: ExportFormat, query: ExportQuery, progress: Progress, /
    ) -> bytes:
        """Return a file of geofences."""
        ...

    def settings(self, environment: Environment) -> Encoded:
        """Return the settings."""
        ...

    def change_settings(self, environment: Environment, change: Mapping[str, object]) -> Encoded:
        """Change settings, all or none, and return all of them."""
        ...

    def sync(self, environment: Environment) -> Encoded:
        """Return the settings of the nightly sync, and what came of the last one."""
        ...

    def change_sync(self, environment: Environment, change: Mapping[str, object]) -> Encoded:
        """Change settings of the nightly sync, all or none, and return all of them."""
        ...

    def run_sync(self, environment: Environment, *, force: bool, progress: Progress = no_progress) -> Encoded:
        """Sync now and return what came of it."""
        ...

    def explain(self, environment: Environment, query: UpdateQuery) -> Encoded:
        """Return a past update and its explanations."""
        ...

    def replay(
        self,
        environment: Environment,
        query: ReplayQuery,
        settings: Mapping[str, object],
        edits: AskedEdits,
        progress: Progress,
        /,
    ) -> Encoded:
        """Run updates again under changed settings and geofences and return the difference."""
        ...

    def recorded(self, environment: Environment, query: RecordedQuery) -> Track:
        """Return the kept updates of a device as a track."""
        ...

    def clear(self, device_id: str | None, *, geofences: bool, beacons: bool) -> Encoded:
        """Remove data of Test and return how much that was."""
        ...

    def snapshot(self) -> Encoded:
        """Return the settings, geofences and users, and the Test clock."""
        ...

    def newest_event(self, environment: Environment) -> str | None:
        """Return the `_id` of the event that was stored last; None where there is none."""
        ...

    def events(self, environment: Environment, wanted: EventFilter, limit: int) -> list[Encoded]:
        """Return the newest events, newest first."""
        ...

    def records(
        self, environment: Environment, kind: RecordKind, wanted: RecordFilter
    ) -> AbstractContextManager[tuple[int, Batches]]:
        """Yield how many events or users there are, and all of them, some at a time."""
        ...

    def ask_v1(self, method: str, path: str, environment: Environment, body: object = None) -> Encoded:
        """Return what an operation of ``/v1`` for the secret key answers, without its meta."""
        ...


class _Here:
    """A workspace that this process has open."""

    def __init__(self, session: WorkspaceSession) -> None:
        self._engine = session.engine
        self._session = session

    def now(self, environment: Environment) -> datetime:
        return self._engine.clock_of(environment).now()

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        result = self._engine.tracking.track(environment, replace(update, ip=_THIS_MACHINE))
        return _encoded(result)

    def track_all(self, environment: Environment, updates: Sequence[LocationUpdate]) -> list[Tracked]:
        known = [replace(update, ip=_THIS_MACHINE) for update in updates]
        results = self._engine.tracking.track_all(environment, known)
        return [result if isinstance(result, BaseException) else _encoded(result) for result in results]

    def import_file(
        self,
        environment: Environment,
        file: ImportFile,
        options: ImportOptions,
        kind: ImportKind | None = None,
        *,
        dry_run: bool,
        preview: bool = False,
        progress: Progress = no_progress,
    ) -> Encoded:
        report = import_file(self._engine, environment, file, options, kind, dry_run=dry_run, progress=progress)
        return {**encode_report(report), **(encode_preview(report) if preview else {})}

    def check_geofences(self, environment: Environment, query: CheckQuery, progress: Progress = no_progress) -> Encoded:
        return run_checks(self._engine, environment, query, progress)

    def plan_promotion(self, query: PromotionQuery, _progress: Progress = no_progress) -> Encoded:
        return plan_promotion(self._engine, query)

    def apply_change_set(self, content: bytes, *, dry_run: bool, progress: Progress = no_progress) -> Encoded:
        return apply_change_set(self._engine, content, progress, dry_run=dry_run)

    def imports(self, environment: Environment, limit: int) -> list[Encoded]:
        page = self._engine.imports.page(environment, ImportQuery(limit=limit))
        return [dict(encode_import(record)) for record in page.items]

    def undo_import(self, environment: Environment, import_id: str) -> Encoded:
        return dict(encode_import(self._engine.imports.undo(environment, import_id)))

    def export(
        self, environment: Environment, format: ExportFormat, query: ExportQuery, progress: Progress, /
    ) -> bytes:
        return self._engine.imports.export(environment, format, query, progress)

    def settings(self, environment: Environment) -> Encoded:
        return encode_settings(self._engine.settings.get(environment))

    def change_settings(self, environment: Environment, change: Mapping[str, object]) -> Encoded:
        return encode_settings(self._engine.settings.change(environment, decode_settings_change(change)))

    def sync(self, environment: Environment) -> Encoded:
        return encode_sync(self._engine.nightly.state(environment))

    def change_sync(self, environment: Environment, change: Mapping[str, object]) -> Encoded:
        return encode_sync(self._engine.nightly.change(environment, decode_sync_change(dict(change))))

    def run_sync(self, environment: Environment, *, force: bool, progress: Progress = no_progress) -> Encoded:
        return encode_run(self._engine.nightly.run(environment, force=force, progress=progress))

    def explain(self, environment: Environment, query: UpdateQuery) -> Encoded:
        return encode_explained_update(self._engine.tracking.explain(environment, query))

    def replay(
        self,
        environment: Environment,
        query: ReplayQuery,
        settings: Mapping[str, object],
        edits: AskedEdits,
        progress: Progress,
        /,
    ) -> Encoded:
        fences = self._engine.imports.tried(environment, edits, progress)
        query = replace(query, change=decode_settings_change(settings), edits=fences)
        return encode_replay_report(self._engine.tracking.replay(environment, query, progress))

    def recorded(self, environment: Environment, query: RecordedQuery) -> Track:
        return self._engine.tracking.recorded(environment, query)

    def clear(self, device_id: str | None, *, geofences: bool, beacons: bool) -> Encoded:
        return encode_cleared(self._engine.history.clear_test_data(device_id, geofences=geofences, beacons=beacons))

    def snapshot(self) -> Encoded:
        return encode_snapshot(self._engine.seeding.snapshot())

    def newest_event(self, environment: Environment) -> str | None:
        return self._engine.history.newest_id(environment)

    def events(self, environment: Environment, wanted: EventFilter, limit: int) -> list[Encoded]:
        page = self._engine.history.page(environment, EventQuery.of(wanted, limit))
        return [cast(Encoded, encode_event(event)) for event in page.items]

    def records(
        self, environment: Environment, kind: RecordKind, wanted: RecordFilter
    ) -> AbstractContextManager[tuple[int, Batches]]:
        return nullcontext(records_of(self._engine, environment, kind, wanted))

    def ask_v1(self, method: str, path: str, environment: Environment, body: object = None) -> Encoded:
        from app.remote.workspace import RemoteWorkspace

        workspace = self._session.engine.workspace
        assert workspace.endpoint is not None
        # By the address for other commands: there is one way to an operation.
        with RemoteWorkspace(workspace.folder, workspace.endpoint) as remote:
            return remote.ask_v1(method, path, environment, body)


def _encoded(result: TrackResult) -> Encoded:
    """Return the result of an update as the answer of ``/v1/track``."""
    return with_warnings(encode_result(result, {"code": 200}), warnings_about(result))


class _Reached:
    """A workspace wherever it is open now: when that process closes it, it is opened or found again.

    It has every operation of `ReachedWorkspace`. What a process that went away has not received is asked again; what
    it may have done, only where doing it twice does no harm. A process that is merely slow is asked once. Work that a
    command cancelled because its own was done is asked again; who stops a server or a window means all of its work.
    """

    def __init__(self, folder: Path | str, stop: StopRequest | None) -> None:
        self._folder = folder
        self._stop = stop
        self._found = self._open_or_find()

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def ask(*args: object, **options: object) -> Any:
            for _ in range(_TIMES_GONE):
                try:
                    return getattr(self._current(), operation)(*args, **options)
                except WorkspaceGone:
                    pass
                except AnswerLost as error:
                    undone = isinstance(error, WorkspaceStopped) and self._is_brief
                    if not (undone or _may_be_repeated(operation, args, options)):
                        raise
                self._found.close()
                self._found = self._open_or_find()
            return getattr(self._current(), operation)(*args, **options)

        return ask

    def records(
        self, environment: Environment, kind: RecordKind, wanted: RecordFilter
    ) -> AbstractContextManager[tuple[int, Batches]]:
        # Not asked again where the process goes away in between: a part of it is in the file already.
        return self._current().records(environment, kind, wanted)

    def close(self) -> None:
        self._found.close()

    def _open_or_find(self) -> "WorkspaceSession | RemoteWorkspace":
        found = _open_or_find(self._folder)
        if self._stop is not None and isinstance(found, WorkspaceSession):
            self._stop.deadline.at_begin(found.stop_work)
        return found

    @property
    def _is_brief(self) -> bool:
        return not isinstance(self._found, WorkspaceSession) and self._found.is_brief

    def _current(self) -> ReachedWorkspace:
        found = self._found
        return _Here(found) if isinstance(found, WorkspaceSession) else found


def _may_be_repeated(operation: str, args: Sequence[object], options: Mapping[str, object]) -> bool:
    if operation == "ask_v1":
        return args[0] in _REPEATABLE_METHODS
    return operation in _REPEATABLE or bool(options.get("dry_run"))


@contextmanager
def reach_workspace(folder: Path | str, stop: StopRequest | None = None) -> Iterator[ReachedWorkspace]:
    """Yield the workspace in `folder`, created where it does not exist.

    This process opens it, and other commands can reach it through this one meanwhile; where another process has
    it open, that one does the work. Where this process has opened it, `stop` cancels long work in it at once.
    Raises `WorkspaceBusy` when another process has it open and does not answer.
    """
    with closing(_Reached(folder, stop)) as reached:
        if folder == MEMORY:
            note(f"the workspace {MEMORY} is temporary: nothing is kept; to keep it, use --workspace DIR")
        yield cast(ReachedWorkspace, reached)


def served_workspace(folder: Path | str, otherwise: str) -> "RemoteWorkspace":
    """Return the workspace in `folder` that another process has open; raises `WorkspaceError` where none has.

    `otherwise` says what there is not without it.
    """
    found = find_open_workspace(folder)
    if found is None:
        raise WorkspaceError(
            f"The workspace {folder} is not open, so there {otherwise}. Start 'fencewright serve' or the desktop first."
        )
    return found


def find_open_workspace(folder: Path | str) -> "RemoteWorkspace | None":
    """Return the workspace in `folder` if another process has it open and answers."""
    endpoint = None if str(folder) == MEMORY else read_endpoint(Path(folder).expanduser())
    if endpoint is None:
        return None
    # Only here: the HTTP client takes long to load, and most commands find the workspace closed.
    from app.remote.workspace import RemoteWorkspace

    remote = RemoteWorkspace(Path(folder).expanduser(), endpoint)
    try:
        remote.check()
    except (WorkspaceGone, AnswerLost):
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
            return find_open_workspace(folder) or WorkspaceSession(folder, brief=True, progress=upgrade_bar())
        sleep(delay)
    return find_open_workspace(folder) or WorkspaceSession(folder, brief=True, progress=upgrade_bar())
