"""The endpoint's network settings: the dialog, its QR code, and the export of the certificate."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import ask
from app.desktop.dialogs.endpoint import EndpointDialog
from app.desktop.dialogs.files import CERTIFICATES, FileChooser
from app.desktop.language import tr
from app.desktop.memory import Memory
from app.desktop.session import Session
from app.desktop.window.actions.actions import Actions
from app.desktop.window.message import MessageLine
from app.desktop.window.status import StatusLine
from app.desktop.workspace_model import WorkspaceModel
from app.endpoint import EndpointOptions, Reach
from app.files import write_file
from engine.domain.environment import KeyLevel
from engine.store.certificates.keeping import DER_SUFFIXES


class _State(Struct, frozen=True):
    """The state of the endpoint."""

    options: EndpointOptions
    reach: Reach | None
    fingerprint: str


class NetworkController(QObject):
    """Changes the endpoint outside the window's thread and shows the result."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        status: StatusLine,
        files: FileChooser,
        message: MessageLine,
        memory: Memory,
    ) -> None:
        super().__init__(window)
        self._model, self._status, self._files = model, status, files
        self._message, self._memory = message, memory
        self._changes = 0
        """Number of changes in progress, during which a state that was read is out of date."""

        self.dialog = EndpointDialog(window)
        self.dialog.changed.connect(self.change)
        self.dialog.export_requested.connect(self.choose_export)
        self.dialog.renew_requested.connect(self.ask_to_renew)
        status.device_requested.connect(self.open)
        model.environment_changed.connect(self._show_key)
        model.opened.connect(self.refresh)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.endpoint.triggered.connect(lambda: self.open())

    def open(self) -> None:
        """Open the dialog."""
        if self._model.session is not None:
            self.refresh()
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()

    def refresh(self) -> None:
        """Read the state of the endpoint and show it."""
        session = self._model.session
        if session is None:
            self.dialog.close()
            return
        self._show_key()
        self._model.operations.read(
            lambda: _state_of(session), lambda state: self._show_seen(session, state), self._model.report_error
        )

    def change(self, options: EndpointOptions) -> None:
        """Start the endpoint with other options."""
        session = self._model.session
        if session is None:
            return
        self._changes += 1
        self._status.show_endpoint(session.reach, busy=True)

        def work() -> _State:
            session.change_endpoint(options)
            return _state_of(session)

        def done(state: _State) -> None:
            self._changes -= 1
            self._memory.remember_endpoint(state.options)
            if session is self._model.session:
                self._show(session, state)
            else:
                self.refresh()

        def failed(error: Exception) -> None:
            self._changes -= 1
            self._message.complain(str(error))
            self.refresh()

        self._model.operations.serve(work, done, failed)

    def choose_export(self) -> None:
        """Ask the user for the file of the certificate."""
        if self._model.session is not None:
            self._files.save_file(tr("Export certificate"), "fencewright-ca.crt", CERTIFICATES, self.export)

    def export(self, file: Path) -> None:
        """Write the certificate in the format for the file's extension: DER for .crt and the like, else PEM."""
        session = self._model.session
        if session is None:
            return

        def work() -> None:
            found = session.certificate()
            write_file(file, found.der if file.suffix.lower() in DER_SUFFIXES else found.pem)

        def done(_: None) -> None:
            self._message.show_info(tr("Exported the certificate to {file_path}.", file_path=file))
            self.refresh()

        self._model.operations.read(work, done, self._model.report_error)

    def ask_to_renew(self) -> None:
        """Ask whether to replace the certificate, as all devices that trust it will lose their connection."""
        session = self._model.session
        if session is None:
            return
        details = tr("Devices that trust the present certificate must trust the new one before they can connect again.")
        answers = [(tr("Renew"), lambda: self.renew(session))]
        ask(self.dialog, tr("Renew certificate"), tr("Renew the certificate?"), answers, details=details)

    def renew(self, session: Session) -> None:
        """Replace the certificate."""

        def done(_: object) -> None:
            self._message.show_info(tr("The certificate has been renewed. Devices must trust the new one."))
            self.refresh()

        self._model.operations.read(session.renew_certificate, done, self._model.report_error)

    def _show_seen(self, session: Session, state: _State) -> None:
        if not self._changes:
            self._show(session, state)

    def _show(self, session: Session, state: _State) -> None:
        if session is self._model.session:
            self._status.show_endpoint(state.reach)
            self.dialog.show_endpoint(state.options, state.reach, state.fingerprint)

    def _show_key(self) -> None:
        session = self._model.session
        if session is not None:
            environment = self._model.environment
            self.dialog.show_key(environment, session.engine.workspace.keys.value(environment, KeyLevel.PUBLISHABLE))


def _state_of(session: Session) -> _State:
    """Return the state of the endpoint. A certificate is created only if HTTPS is used."""
    options = session.options
    return _State(options, session.reach, session.certificate().fingerprint if options.tls else "")
