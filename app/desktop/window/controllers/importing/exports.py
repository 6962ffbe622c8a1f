"""Export of geofences to a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.files import EXPORTS, FileChooser
from app.desktop.dialogs.importing.exporting import ExportDialog
from app.desktop.language import tr
from app.desktop.model.words import error_text
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.files import write_file
from engine.domain.ports import Progress
from engine.geofences.imports.exporting import ExportFormat, ExportQuery


class Exports:
    """Exports geofences in the background, with progress."""

    def __init__(self, window: QWidget, model: WorkspaceModel, files: FileChooser, message: MessageLine) -> None:
        self._window, self._model, self._files, self._message = window, model, files, message

    def export(self) -> None:
        """Let the user choose the records and the file of an export."""
        session, environment = self._model.session, self._model.environment
        if session is None:
            return
        imports = session.engine.imports
        tags = sorted({fence.tag for fence in session.engine.geofences.all(environment)})
        dialog = ExportDialog(self._window, tags)

        def write(path: Path, format: ExportFormat, query: ExportQuery) -> None:
            def work(progress: Progress) -> None:
                write_file(path, imports.export(environment, format, query, progress))

            self._model.operations.long(
                tr("Exporting {file_name}", file_name=path.name),
                work,
                lambda _: self._message.show_info(
                    tr("The geofences were exported to {file_name}.", file_name=path.name)
                ),
                lambda error: self._message.complain(
                    f"{path.name}: {error_text(error) or tr('the export was cancelled')}"
                ),
            )

        def chosen(format: ExportFormat, query: ExportQuery) -> None:
            suggestion = f"geofences.{format.value}"
            kinds = EXPORTS[format.value]
            self._files.save_file(tr("Export geofences"), suggestion, kinds, lambda path: write(path, format, query))

        dialog.chosen.connect(chosen)
        dialog.open()
