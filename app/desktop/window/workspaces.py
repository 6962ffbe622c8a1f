"""Opening, making and copying workspaces; the endpoint of the one that is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.desktop.desk import Desk
from app.desktop.dialogs.ask import ask
from app.desktop.dialogs.files import FileChooser
from app.desktop.memory import Memory
from app.desktop.model.words import key_name
from app.desktop.session import OpenSession, Session
from app.desktop.window.message import MessageLine
from app.desktop.window.status import StatusLine
from engine.domain.environment import ApiKey, Environment, KeyLevel
from engine.domain.errors import WorkspaceError
from engine.domain.ports import Cancelled
from engine.store.workspace import MEMORY


class WorkspaceController(QObject):
    """Opens workspaces in the background. The one that is open stays until the next one is."""

    opened = Signal()

    def __init__(
        self,
        desk: Desk,
        files: FileChooser,
        message: MessageLine,
        memory: Memory,
        open_session: Callable[[Path | str], Session],
    ) -> None:
        super().__init__(desk)
        self._desk, self._files, self._message = desk, files, message
        self._memory, self._open_session = memory, open_session
        self._opening: Path | str | None = None
        self._next: Path | str | None = None

    def choose_new(self) -> None:
        """Let the user name the folder of a new workspace."""
        self._files.new_folder("New workspace", "Geofences", self._make)

    def choose(self) -> None:
        """Let the user choose a workspace."""
        self._files.open_folder("Open a workspace", self.open)

    def choose_copy(self) -> None:
        """Let the user name the folder of a copy."""
        session = self._desk.session
        if session is not None:
            self._files.new_folder("Save a copy", f"{session.engine.workspace.name} copy", self.save_copy)

    def recent(self) -> tuple[Path, ...]:
        """Return the workspaces that were open lately, but for the one that is."""
        session = self._desk.session
        current = session.engine.workspace.folder if session else None
        return tuple(path for path in self._memory.recent() if path != current)

    def open(self, folder: Path | str) -> None:
        """Open a workspace, making it where it is not there; one after the other."""
        if self._opening is not None:
            self._next = folder if folder != self._opening else None
            return
        if self._is_open(folder):
            self._message.say(f"{folder} is open already.")
            return
        self._opening = folder
        self._desk.operations.long(
            f"Opening {folder}", lambda _: self._open_session(folder), self._on_opened, self._on_refused
        )

    def save_copy(self, folder: Path) -> None:
        """Write a consistent copy of the open workspace into a new folder."""
        session = self._desk.session
        if session is None:
            return
        self._desk.operations.long(
            f"Saving a copy in {folder.name}",
            lambda progress: session.engine.save_copy(folder, progress),
            lambda _: self._message.say(f"Saved a copy in {folder}."),
            self._on_failed,
        )

    def _is_open(self, folder: Path | str) -> bool:
        session = self._desk.session
        if session is None or str(folder) == MEMORY:
            return False
        return Path(folder).expanduser().resolve() == session.engine.workspace.folder.resolve()

    def _open_next(self) -> None:
        """Open what was asked for meanwhile: the workspace before is released first, which may be the very one."""
        self._opening, following, self._next = None, self._next, None
        if following is not None and not self._is_open(following):
            self.open(following)

    def _make(self, folder: Path) -> None:
        self._desk.operations.read(lambda: _check_free(folder), lambda _: self.open(folder), self._on_failed)

    def _on_opened(self, session: Session) -> None:
        before = self._desk.open(session)
        if before is not None:
            self._desk.operations.retire(before.close)
        workspace = session.engine.workspace
        if not workspace.temporary:
            self._memory.remember_workspace(workspace.folder)
        self._message.dismiss()
        self.opened.emit()
        self._open_next()

    def _on_refused(self, error: Exception) -> None:
        self._on_failed(error)
        self._open_next()

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            self._message.say("Cancelled; nothing was changed.")
            return
        offer = "Open another…" if self._desk.session is None else ""
        self._message.complain(str(error), offer, self.choose)


class EndpointController(QObject):
    """Starts and stops the public endpoint, copies what a client needs of it, and makes its keys new."""

    def __init__(self, window: QWidget, desk: Desk, status: StatusLine, message: MessageLine) -> None:
        super().__init__(desk)
        self._window, self._desk, self._status, self._message = window, desk, status, message
        status.endpoint_toggled.connect(self.toggle)
        status.copy_url_requested.connect(self.copy_url)
        status.copy_key_requested.connect(self.copy_key)
        status.rotate_key_requested.connect(self.rotate_key)

    def toggle(self, on: bool) -> None:
        """Start or stop the endpoint."""
        session = self._desk.session
        if session is None:
            return
        self._status.show_endpoint(session.url, busy=True)
        work: Callable[[], object] = session.start_endpoint if on else session.stop_endpoint
        self._desk.operations.read(work, lambda _: self._show(session), lambda error: self._on_failed(session, error))

    def copy_url(self) -> None:
        """Copy the endpoint's address."""
        session = self._desk.session
        if session is not None and session.url:
            self._copy(session.url, "The endpoint's URL")
        else:
            self._message.say("The endpoint is stopped.", "Start", lambda: self.toggle(True))

    def copy_key(self, environment: Environment, level: KeyLevel) -> None:
        """Copy one of the four keys."""
        session = self._desk.session
        if session is not None:
            value = session.engine.workspace.keys.value(environment, level)
            self._copy(value, f"The {key_name(environment, level)} key")

    def rotate_key(self, environment: Environment, level: KeyLevel) -> None:
        """Replace one of the four keys after a yes: whoever has the old one is refused from then on."""
        session = self._desk.session
        if session is None:
            return
        name = key_name(environment, level)
        rotate = partial(self._rotate, session, environment, level)
        details = "Apps and SDKs that use the old key are refused from then on. This cannot be undone."
        ask(self._window, "Rotate a key", f"Rotate the {name} key?", [("Rotate", rotate)], details=details)

    def _rotate(self, session: Session, environment: Environment, level: KeyLevel) -> None:
        def done(_: ApiKey) -> None:
            text = f"The {key_name(environment, level)} key of {session.engine.workspace.name} is new."
            if session is self._desk.session:
                self._message.say(text, "Copy", lambda: self.copy_key(environment, level))
            else:
                self._message.say(text)

        keys = session.engine.workspace.keys
        self._desk.operations.change(lambda: keys.rotate(environment, level), done, self._desk.tell)

    def _copy(self, text: str, what: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._message.say(f"{what} is copied.")

    def _show(self, session: Session) -> None:
        if session is self._desk.session:
            self._status.show_endpoint(session.url)

    def _on_failed(self, session: Session, error: Exception) -> None:
        self._show(session)
        self._message.complain(str(error), "Try again", lambda: self.toggle(True))


def _check_free(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WorkspaceError(f"{folder} is not empty. A new workspace needs a folder of its own.")


def bind(open_session: OpenSession, host: str, port: int) -> Callable[[Path | str], Session]:
    """Return what opens sessions whose endpoint is for this address."""
    return lambda folder: open_session(folder, host=host, port=port)
