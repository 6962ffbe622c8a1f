"""The dialog of the nightly sync, which saves its settings and runs it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.importing.encodings import EncodingChoice
from app.desktop.dialogs.importing.layers import LayerDialog
from app.desktop.dialogs.integrations.nightly_sync import NightlySyncDialog
from app.desktop.language import tr
from app.desktop.model.importing import AS_NAMED, WHOLE, Columns, Part, with_named
from app.desktop.model.nightly_sync import run_summary
from app.desktop.model.words import error_text
from app.desktop.operations import Lane
from app.desktop.window.actions.actions import Actions
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.imports import Encoding, Heading, ImportFile
from engine.domain.nightly.runs import SyncRun, SyncState, SyncStatus
from engine.domain.nightly.settings import FileOptions, SyncChange
from engine.domain.ports import Cancelled, Progress
from engine.domain.values import replace
from engine.outbound.urls import shown_url
from engine.tabular.formats.source import SeveralLayers


class NightlySyncController(QObject):
    """Saves and syncs outside the window's thread and follows changes by others."""

    def __init__(
        self, window: QWidget, model: WorkspaceModel, message: MessageLine, confirmation: LiveConfirmation
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._message, self._confirmation = window, model, message, confirmation
        self._dialog: NightlySyncDialog | None = None
        model.opened.connect(self._on_other)
        model.environment_changed.connect(self._on_other)
        model.sync_changed.connect(self._follow)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.nightly_sync.triggered.connect(lambda: self.open())

    @property
    def dialog(self) -> NightlySyncDialog:
        """The dialog."""
        if self._dialog is None:
            self._dialog = NightlySyncDialog(self._window)
            self._dialog.save_requested.connect(self._on_save)
            self._dialog.columns_requested.connect(self._read_columns)
        return self._dialog

    def open(self) -> None:
        """Open the dialog with the stored settings."""
        if self._model.session is not None:
            self._load(fill=True, show=True)

    def _on_other(self) -> None:
        if self._dialog is not None and self._dialog.isVisible():
            if self._model.session is None:
                self._dialog.close()
            else:
                self._load(fill=True)

    def _follow(self) -> None:
        if self._dialog is not None and self._dialog.isVisible():
            self._load(fill=False)

    def _load(self, *, fill: bool, show: bool = False) -> None:
        session, environment = self._model.session, self._model.environment
        if session is None:
            return

        def done(state: SyncState) -> None:
            if session is not self._model.session or environment is not self._model.environment:
                return
            if fill:
                self.dialog.show_settings(environment, state)
            self.dialog.show_state(state)
            if show:
                self.dialog.show()
                self.dialog.raise_()
                self.dialog.activateWindow()

        self._model.operations.read(lambda: session.engine.nightly.state(environment), done, self._model.report_error)

    def _on_save(self, change: SyncChange, sync: bool) -> None:
        environment = self.dialog.environment
        question = tr("Save the nightly sync of Live, and sync now?") if sync else tr("Save the nightly sync of Live?")
        yes = tr("Save and Sync") if sync else tr("Save")
        self._confirmation.confirm(question, yes, lambda: self._save(environment, change, sync))

    def _save(self, environment: Environment, change: SyncChange, sync: bool) -> None:
        session = self._model.session
        if session is None:
            return

        def done(state: SyncState) -> None:
            self.dialog.show_settings(environment, state)
            self.dialog.show_state(state)
            if sync:
                self._sync(environment)
            else:
                self._message.show_info(tr("Nightly sync saved."))

        self._model.operations.change(lambda: session.engine.nightly.change(environment, change), done, self._failed)

    # The columns of a file

    def _read_columns(self, name: str) -> None:
        """Fetch a file as the form describes it, and ask for its columns."""
        session, environment = self._model.session, self._model.environment
        if session is None:
            return
        change, nightly = self.dialog.change(), session.engine.nightly
        known = self.dialog.options.options_of(name)
        part = WHOLE if known is None else Part(known.layer, known.sheet, known.encoding)
        self._fetching(name, environment, part, lambda progress: nightly.fetch(environment, change, name, progress))

    def _fetching(
        self, name: str, environment: Environment, part: Part, fetch: Callable[[Progress], ImportFile]
    ) -> None:
        session = self._model.session
        if session is None:
            return
        imports = session.engine.imports

        def work(progress: Progress) -> tuple[ImportFile, Heading | tuple[str, ...]]:
            file = fetch(progress)
            try:
                return file, imports.heading(file, AS_NAMED.options(part), progress)
            except SeveralLayers as error:
                return file, error.layers

        def done(read: tuple[ImportFile, Heading | tuple[str, ...]]) -> None:
            if environment is self.dialog.environment and self.dialog.isVisible():
                self._ask(name, environment, part, *read)

        self._model.operations.long(tr("Reading {file_name}", file_name=shown_url(name)), work, done, self._not_read)

    def _ask(
        self, name: str, environment: Environment, part: Part, file: ImportFile, found: Heading | tuple[str, ...]
    ) -> None:
        """Ask for the layer or sheet of a file that has several, then for its columns."""
        if isinstance(found, Heading) and (part.sheet is not None or len(found.sheets) < 2):
            self._ask_columns(name, environment, part, file, found)
            return
        layers, sheets = ((), found.sheets) if isinstance(found, Heading) else (found, ())
        current = Part(sheet=found.sheet) if isinstance(found, Heading) else WHOLE
        dialog = LayerDialog(self.dialog, file.name, layers, sheets, current)
        dialog.decided.connect(lambda chosen: self._fetching(name, environment, chosen, lambda _: file))
        dialog.open()

    def _ask_columns(self, name: str, environment: Environment, part: Part, file: ImportFile, found: Heading) -> None:
        known = self.dialog.options.options_of(name)
        options = found.guess if known is None else known.import_options()
        shown = with_named(found.columns, AS_NAMED if options is None else Columns.of(options))
        encoding = EncodingChoice(found.encoding, part.encoding)
        dialog = ColumnsDialog(
            self.dialog, shown_url(name), found.columns, shown, encoding=encoding, details=found.details
        )

        def decided(chosen: Columns) -> None:
            options = FileOptions(
                file=name,
                layer=part.layer,
                sheet=part.sheet,
                encoding=part.encoding,
                mapping=dict(chosen.mapping),
                fixed=dict(chosen.fixed),
                id=chosen.id,
                metadata=chosen.metadata,
                repairs=chosen.repairs,
                line_width_m=chosen.line_width_m,
            )
            self.dialog.options.set_options(options)

        def recode(encoding: Encoding | None) -> None:
            self._fetching(name, environment, replace(part, encoding=encoding), lambda _: file)

        dialog.decided.connect(decided)
        dialog.encoding_chosen.connect(recode)
        dialog.open()

    def _not_read(self, error: Exception) -> None:
        if isinstance(error, Cancelled) or not self.dialog.isVisible():
            return
        param = error.param if isinstance(error, InvalidParameter) else "file"
        self.dialog.show_error(
            "file_options" if param in ("file", "layer", "sheet", "encoding") else param, error_text(error)
        )

    def _sync(self, environment: Environment) -> None:
        session = self._model.session
        if session is None:
            return
        nightly = session.engine.nightly
        self._model.operations.aside(
            Lane.SYNCING,
            tr("Syncing {environment}", environment=environment.value.capitalize()),
            lambda progress: nightly.run(environment, progress=progress),
            self._on_synced,
            self._failed,
        )

    def _on_synced(self, run: SyncRun) -> None:
        self.dialog.show_page(2)
        if run.status in (SyncStatus.FAILED, SyncStatus.PARTIAL):
            self._message.complain(run_summary(run))
        else:
            self._message.show_info(run_summary(run))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            return
        if isinstance(error, InvalidParameter) and self.dialog.isVisible():
            self.dialog.show_error(error.param, error_text(error))
        else:
            self._model.report_error(error)
