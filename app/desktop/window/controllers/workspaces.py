"""Opening, creating and copying workspaces, and the endpoint of the open workspace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, QTime, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.desktop.collecting import rest
from app.desktop.dialogs.ask import ask
from app.desktop.dialogs.files import FileChooser
from app.desktop.language import tr
from app.desktop.memory import Memory
from app.desktop.model.colors import read_colors
from app.desktop.model.restoring.view import Found
from app.desktop.model.words import key_name, workspace_name
from app.desktop.session import OpenFolder, OpenSession, Session
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.pending import Agreed, Leave
from app.desktop.window.controllers.waiting import Waiting
from app.desktop.window.message import MessageLine
from app.desktop.window.restoring import ViewKeeper
from app.desktop.window.status import StatusLine
from app.desktop.workspace_model import WorkspaceModel
from app.endpoint import EndpointOptions, Reach, warning_of
from engine.domain.environment import ApiKey, Environment, KeyLevel
from engine.domain.errors import WorkspaceBusy, WorkspaceError
from engine.domain.ports import Cancelled, Progress
from engine.store.workspace import MEMORY

_DRAWN_WITHIN_S: Final = 2.0
"""How long the first endpoint waits for the map, which may be hidden or have lost its page."""


class _Opened(NamedTuple):
    """A newly opened workspace with the tag colours and the view that the window stores with it."""

    session: Session
    colors: Mapping[str, str]
    kept: Found


class WorkspaceController(QObject):
    """Opens workspaces in the background. The current workspace stays open until the next one is open."""

    opened = Signal()
    refused = Signal()

    def __init__(
        self,
        model: WorkspaceModel,
        files: FileChooser,
        message: MessageLine,
        memory: Memory,
        open_session: OpenFolder,
        leave: Leave,
        views: ViewKeeper,
    ) -> None:
        super().__init__(model)
        self._model, self._files, self._message, self._views = model, files, message, views
        self._memory, self._open_session, self._leave = memory, open_session, leave
        self._opening: Path | str | None = None
        self._next: Path | str | None = None
        self._refusal = ""
        self._refused: Path | str = MEMORY
        self._again = False
        self.waiting = Waiting(model.operations, self)
        self.waiting.free.connect(self.open)
        message.dismissed.connect(self._on_dismissed)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.new.triggered.connect(lambda: self.choose_new())
        actions.open.triggered.connect(lambda: self.choose())
        actions.copy.triggered.connect(lambda: self.choose_copy())

    def choose_new(self) -> None:
        """Let the user choose the folder of a new workspace."""
        self._files.new_folder(tr("New workspace"), tr("Geofences"), self._make)

    def choose(self) -> None:
        """Let the user choose a workspace."""
        self._files.open_folder(tr("Open a workspace"), self.open)

    def choose_copy(self) -> None:
        """Let the user choose the folder of a copy."""
        session = self._model.session
        if session is not None:
            self._files.new_folder(
                tr("Save a copy"),
                tr("{workspace_name} copy", workspace_name=workspace_name(session.engine.workspace)),
                self.save_copy,
            )

    def recent(self) -> tuple[Path, ...]:
        """Return the recently opened workspaces without the current one."""
        session = self._model.session
        current = session.engine.workspace.folder if session else None
        return tuple(path for path in self._memory.recent() if path != current)

    def open(self, folder: Path | str) -> None:
        """Open a workspace, creating it if it does not exist, after any workspace that is still being opened."""
        if self._opening is not None:
            self._next = folder if folder != self._opening else None
            return
        if self._is_open(folder):
            self._message.show_info(tr("{folder} is already open.", folder=folder))
            return
        self._leave(tr("open"), lambda agreed: self._begin(folder, agreed))

    def reopen(self) -> None:
        """Close the open workspace and open the workspace that is now at its path."""
        session = self._model.session
        if session is not None and self._opening is None:
            folder = session.engine.workspace.folder
            self._leave(tr("open"), lambda agreed: self._begin(folder, agreed, session))

    def _begin(self, folder: Path | str, agreed: Agreed, closed_first: Session | None = None) -> None:
        self._opening = folder
        self.waiting.stop()
        self._model.operations.long(
            tr("Opening {folder}", folder=folder),
            lambda progress: self._read(folder, closed_first, progress),
            lambda opened: self._on_opened(opened, agreed),
            lambda error: self._on_refused(folder, error, insist=closed_first is not None),
        )

    def save_copy(self, folder: Path) -> None:
        """Write a consistent copy of the open workspace into a new folder."""
        session = self._model.session
        if session is None:
            return
        self._model.operations.long(
            tr("Saving a copy in {folder}", folder=folder.name),
            lambda progress: session.engine.save_copy(folder, progress),
            lambda _: self._on_copied(folder, session),
            self._on_failed,
        )

    def _on_copied(self, folder: Path, session: Session) -> None:
        text = tr("Saved a copy in {folder}.", folder=folder)
        if session is self._model.session and session.engine.watch.problem is not None:
            self._message.keep(text, (tr("Open the copy"), lambda: self.open(folder)))
        else:
            self._message.show_info(text)

    def _is_open(self, folder: Path | str) -> bool:
        session = self._model.session
        if session is None or str(folder) == MEMORY or session.engine.watch.problem is not None:
            return False
        return Path(folder).expanduser().resolve() == session.engine.workspace.folder.resolve()

    def _open_next(self) -> None:
        """Open the workspace requested in the meantime, once the previous one, possibly the same, is released."""
        self._opening, following, self._next = None, self._next, None
        if following is not None and not self._is_open(following):
            self.open(following)

    def _make(self, folder: Path) -> None:
        self._model.operations.read(lambda: _check_free(folder), lambda _: self.open(folder), self._on_failed)

    def _read(self, folder: Path | str, closed_first: Session | None, progress: Progress) -> _Opened:
        """Open a workspace, upgrading it if necessary, and read the window's data in it. Runs in a worker thread."""
        if closed_first is not None:
            closed_first.close()
        # Collections are suspended: with many geofences they would slow down the window's thread again and again.
        end_rest = rest()
        try:
            session = self._open_session(folder, progress)
            return _Opened(session, read_colors(session.engine.workspace.folder), self._views.read(session))
        finally:
            end_rest()

    def _on_opened(self, opened: _Opened, agreed: Agreed) -> None:
        """Show the workspace, unless the user declines to lose work begun in the meantime, or the window is closing."""
        if self._model.operations.finishing:
            opened.session.close()
            return
        self._leave(tr("open"), lambda _: self._show(opened), lambda: self._give_back(opened.session), agreed)

    def _give_back(self, session: Session) -> None:
        self._model.operations.retire(session.close)
        self._message.show_info(
            tr("{workspace_name} was not opened.", workspace_name=workspace_name(session.engine.workspace))
        )
        self._open_next()

    def _show(self, opened: _Opened) -> None:
        session = opened.session
        self._views.leave()
        before = self._model.open(session, opened.colors, self._views.begin(opened.kept))
        if before is not None:
            self._model.operations.retire(before.close)
        workspace = session.engine.workspace
        if not workspace.temporary:
            self._memory.remember_workspace(workspace.folder)
        self._refusal, self._again = "", False
        self._message.dismiss()
        self._views.restore()
        self.opened.emit()
        self._open_next()

    def _on_refused(self, folder: Path | str, error: Exception, *, insist: bool = False) -> None:
        if insist or self._model.session is None:
            self._message.settle()
            self._insist(folder, error)
        elif isinstance(error, WorkspaceBusy):
            # The current workspace stays open, so that no work is lost without the user's consent.
            self._message.complain(str(error), tr("Retry"), lambda: self.open(folder))
        else:
            self._on_failed(error)
        self._open_next()

    def _insist(self, folder: Path | str, error: Exception) -> None:
        """Show why no workspace is open until one is."""
        words = [tr("Opening {folder} was cancelled.", folder=folder) if isinstance(error, Cancelled) else str(error)]
        if isinstance(error, WorkspaceBusy):
            words.append(tr("It opens here as soon as it is released."))
            self.waiting.start(Path(folder).expanduser())
        if self._again:
            words.append(tr("Tried again at {time}.", time=QTime.currentTime().toString("HH:mm:ss")))
        self._refusal, self._refused, self._again = " ".join(words), folder, False
        self._show_refusal()
        self.refused.emit()

    def _show_refusal(self) -> None:
        self._message.insist(self._refusal, (tr("Retry"), self._retry), (tr("Open another…"), self.choose))

    def _retry(self) -> None:
        self._again = True
        self.open(self._refused)

    def _on_dismissed(self) -> None:
        """Show the refusal again after another message, because no workspace is open yet."""
        if self._refusal:
            self._show_refusal()

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            self._message.show_info(tr("Cancelled; nothing was changed."))
        else:
            self._message.complain(str(error))


class EndpointController(QObject):
    """Starts and stops the public endpoint, copies its URL and keys, and rotates the keys."""

    details_requested = Signal()
    shown = Signal()

    def __init__(self, window: QWidget, model: WorkspaceModel, status: StatusLine, message: MessageLine) -> None:
        super().__init__(model)
        self._window, self._model, self._status, self._message = window, model, status, message
        self._may_load: Event | None = None
        status.endpoint_toggled.connect(self.toggle)
        status.copy_url_requested.connect(self.copy_url)
        status.copy_key_requested.connect(self.copy_key)
        status.rotate_key_requested.connect(self.rotate_key)

    def begin(self, when_drawn: Callable[[Callable[[], None]], None]) -> None:
        """Start the endpoint of a newly opened workspace.

        `when_drawn` calls back when the map has drawn the workspace. The first endpoint waits for that for a short
        time, because loading its modules would delay the responses to the page.
        """
        if self._may_load is None:
            may_load = self._may_load = Event()
            # Queued after the reads of the workspace, whose results determine what the map draws.
            self._model.operations.read(lambda: None, lambda _: when_drawn(may_load.set), self._model.report_error)
        self.toggle(True)

    def stop(self) -> None:
        """Stop waiting for the map."""
        if self._may_load is not None:
            self._may_load.set()

    def toggle(self, on: bool) -> None:
        """Start or stop the endpoint."""
        session, may_load = self._model.session, self._may_load
        if session is None:
            return
        self._status.show_endpoint(session.reach, busy=True)

        def work() -> Reach | None:
            if may_load is not None:
                may_load.wait(_DRAWN_WITHIN_S)
                may_load.set()
            if on:
                session.start_endpoint()
            else:
                session.stop_endpoint()
            return session.reach

        def done(reach: Reach | None) -> None:
            self._show(session)
            if reach is not None and (warning := warning_of(reach)) is not None and session is self._model.session:
                self._message.complain(warning, tr("Endpoint…"), self.details_requested.emit)

        self._model.operations.serve(work, done, lambda error: self._on_failed(session, error))

    def copy_url(self) -> None:
        """Copy the URL of the endpoint."""
        session = self._model.session
        if session is not None and session.url:
            reach = session.reach
            self._copy(reach.device_url if reach else session.url, tr("the endpoint's URL"))
        else:
            self._message.show_info(tr("The endpoint is stopped."), tr("Start"), lambda: self.toggle(True))

    def copy_key(self, environment: Environment, level: KeyLevel) -> None:
        """Copy one of the four keys."""
        session = self._model.session
        if session is not None:
            value = session.engine.workspace.keys.value(environment, level)
            self._copy(value, tr("the {key_name} key", key_name=key_name(environment, level)))

    def rotate_key(self, environment: Environment, level: KeyLevel) -> None:
        """Replace one of the four keys, after a confirmation because clients with the old key will be refused."""
        session = self._model.session
        if session is None:
            return
        name = key_name(environment, level)
        rotate = partial(self._rotate, session, environment, level)
        details = tr("Apps and SDKs that still use the old key will be refused. This cannot be undone.")
        ask(
            self._window,
            tr("Rotate a key"),
            tr("Rotate the {key_name} key?", key_name=name),
            [(tr("Rotate"), rotate)],
            details=details,
        )

    def _rotate(self, session: Session, environment: Environment, level: KeyLevel) -> None:
        def done(_: ApiKey) -> None:
            self.shown.emit()
            text = tr(
                "Rotated the {key_name} key of {workspace_name}.",
                key_name=key_name(environment, level),
                workspace_name=workspace_name(session.engine.workspace),
            )
            if session is self._model.session:
                self._message.show_info(text, tr("Copy"), lambda: self.copy_key(environment, level))
            else:
                self._message.show_info(text)

        keys = session.engine.workspace.keys
        self._model.operations.change(lambda: keys.rotate(environment, level), done, self._model.report_error)

    def _copy(self, text: str, label: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._message.show_info(tr("Copied {copied_items}.", copied_items=label))

    def _show(self, session: Session) -> None:
        if session is self._model.session:
            self._status.show_endpoint(session.reach)
            self.shown.emit()

    def _on_failed(self, session: Session, error: Exception) -> None:
        self._show(session)
        self._message.complain(str(error), tr("Try again"), lambda: self.toggle(True))


def _check_free(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WorkspaceError(tr("{folder} is not empty. A new workspace needs an empty folder.", folder=folder))


def bind(open_session: OpenSession, host: str, port: int) -> OpenFolder:
    """Return a function that opens sessions with the endpoint at this address."""
    return lambda folder, progress: open_session(
        folder, host=host, port=port, tls=False, allow_hosts=(), progress=progress
    )


def bind_remembering(open_session: OpenSession, given: EndpointOptions, memory: Memory) -> OpenFolder:
    """Return a function that opens sessions with the given endpoint options and those saved by the window."""

    def open_as_chosen(folder: Path | str, progress: Progress) -> Session:
        allowed = dict.fromkeys((*given.allow_hosts, *memory.allow_hosts))
        tls = given.tls or memory.tls
        return open_session(
            folder, host=given.host, port=given.port, tls=tls, allow_hosts=tuple(allowed), progress=progress
        )

    return open_as_chosen
