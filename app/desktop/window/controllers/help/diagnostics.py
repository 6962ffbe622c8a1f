"""Collection of diagnostics of the workspace and the window for viewing and saving."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from app.desktop.dialogs.files import DIAGNOSTICS, FileChooser
from app.desktop.dialogs.help.diagnostics import DiagnosticsDialog
from app.desktop.language import tr
from app.desktop.memory import Memory
from app.desktop.model.words import error_text
from app.desktop.operations import Lane
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.map_layers.imagery import ImageryController
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.diagnostics.bundle import SUFFIX, save
from app.diagnostics.collecting import Part, Subject, collect
from app.diagnostics.log import recent_log
from engine.domain.ports import Cancelled, Progress


class DiagnosticsController(QObject):
    """Collects diagnostics in the background, shows them, and saves them to a file."""

    def __init__(
        self,
        window: QMainWindow,
        model: WorkspaceModel,
        memory: Memory,
        imagery: ImageryController,
        files: FileChooser,
        message: MessageLine,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._memory, self._imagery = window, model, memory, imagery
        self._files, self._message = files, message
        self.dialog: DiagnosticsDialog | None = None

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.diagnostics.triggered.connect(lambda: self.open())

    def open(self) -> None:
        """Collect the diagnostics and show them."""
        subject = self._subject()

        def work(progress: Progress) -> tuple[Part, ...]:
            progress(0, 0)
            return collect(subject)

        self._model.operations.aside(
            Lane.CHECKING, tr("Collecting diagnostics"), work, lambda parts: self._show(parts), self._on_failed
        )

    def save(self, file: Path) -> None:
        """Write the displayed diagnostics to a file."""
        if self.dialog is None:
            return
        file = file if file.suffix.lower() == SUFFIX else file.with_name(f"{file.name}{SUFFIX}")
        parts = self.dialog.parts
        self._model.operations.read(lambda: save(parts, file), lambda _: self._on_saved(file), self._on_failed)

    def _subject(self) -> Subject:
        session = self._model.session
        folder = session.engine.workspace.folder if session is not None else None
        return Subject(folder, self._preferences(), recent_log().lines, self._imagery.secrets)

    def _preferences(self) -> dict[str, Any]:
        screen, options = self._window.screen(), self._model.session.options if self._model.session else None
        return {
            "darkTheme": self._memory.theme == "dark",
            "systemTheme": self._memory.theme == "system",
            "onlineMap": self._memory.online_tiles,
            "imagerySources": len(self._imagery.book.sources),
            "imageryShown": len(self._imagery.book.shown()),
            "tls": options is not None and options.tls,
            "windowWidth": self._window.width(),
            "windowHeight": self._window.height(),
            "screens": len(QGuiApplication.screens()),
            "screenRatio": screen.devicePixelRatio(),
            "letters": self._window.font().pointSizeF(),
            "geofencesShown": len(self._model.fences),
            "eventsShown": len(self._model.events),
        }

    def _show(self, parts: tuple[Part, ...]) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
        dialog = self.dialog = DiagnosticsDialog(self._window, parts)
        dialog.save_requested.connect(self._choose)
        dialog.open()

    def _choose(self) -> None:
        name = f"fencewright-diagnostics-{self._model.now():%Y-%m-%d}{SUFFIX}"
        self._files.save_file(tr("Save diagnostics"), name, DIAGNOSTICS, self.save)

    def _on_saved(self, file: Path) -> None:
        if self.dialog is not None:
            self.dialog.accept()
        self._message.show_info(tr("Saved diagnostics in {file_path}.", file_path=file))

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._message.complain(error_text(error))
