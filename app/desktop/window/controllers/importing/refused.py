"""Saving the rows that an import refused, for correcting them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.desktop.dialogs.files import FileChooser
from app.desktop.language import tr, translated
from app.desktop.model.words import error_text
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.files import write_file
from engine.domain.imports import ImportFile, ImportOptions, RowError
from engine.domain.ports import Progress
from engine.tabular.formats.subset import Subset, subset_of


class RefusedRows:
    """Saves refused rows in the format of their file."""

    def __init__(self, model: WorkspaceModel, files: FileChooser, message: MessageLine) -> None:
        self._model, self._files, self._message = model, files, message

    def save(self, file: ImportFile, options: ImportOptions, errors: Sequence[RowError]) -> None:
        """Copy the rows with errors, then let the user choose where to save them."""
        rows = frozenset(error.row for error in errors if error.row)

        def work(progress: Progress) -> Subset:
            return subset_of(file, options, rows, progress)

        self._model.operations.long(
            tr("Reading {file_name}", file_name=file.name),
            work,
            lambda subset: self._choose(file.name, subset),
            lambda error: self._message.complain(error_text(error) or tr("Cancelled; nothing was changed.")),
        )

    def _choose(self, name: str, subset: Subset) -> None:
        suggestion = f"{Path(name).stem}-refused{subset.ending}"

        def write(path: Path) -> None:
            self._model.operations.read(
                lambda: write_file(path, subset.data), lambda _: self._saved(path, subset), self._model.report_error
            )

        kinds = f"*{subset.ending}"
        self._files.save_file(tr("Save refused rows"), suggestion, kinds, write, suffix=subset.ending[1:])

    def _saved(self, path: Path, subset: Subset) -> None:
        text = tr("The refused rows were saved to {file_name}.", file_name=path.name)
        self._message.show_info(f"{text} {translated(subset.note)}".strip())
