"""Importing tables of fences, and taking files that are dropped on the window."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.files import TABLES, FileChooser
from app.desktop.dialogs.import_report import ImportReportDialog, summary
from app.desktop.model.drops import FileKind, kind_by_name, kind_of_table
from app.desktop.model.words import error_text
from app.desktop.window.controllers.areas import AreaController
from app.desktop.window.controllers.tracks import TrackController
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import FencewrightError
from engine.domain.imports import ImportFile, ImportOptions, ImportReport
from engine.domain.ports import Cancelled


class ImportController(QObject):
    """Imports in the background, with progress, and shows the report."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        tracks: TrackController,
        areas: AreaController,
        files: FileChooser,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._tracks, self._areas = window, model, tracks, areas
        self._files, self._message, self._confirmation = files, message, confirmation

    def choose(self) -> None:
        """Let the user choose a table."""
        self._files.open_file("Import geofences or beacons", TABLES, self.import_file)

    def take(self, paths: Iterable[Path]) -> None:
        """Take files that were dropped: tables are imported, a track is opened, an extract becomes an area."""
        for path in paths:
            match kind_by_name(path):
                case FileKind.TRACK:
                    self._tracks.open(path)
                case FileKind.EXTRACT:
                    self._areas.build(path)
                case FileKind.FENCES:
                    self._model.operations.read(
                        lambda path=path: kind_of_table(_read(path)),  # type: ignore[misc]
                        lambda kind, path=path: self._take_table(path, kind),  # type: ignore[misc]
                        self._model.tell,
                    )
                case FileKind.OTHER:
                    self._message.complain(
                        f"{path.name} is not a file that can be opened here: CSV tables of geofences or beacons, "
                        "tracks as GPX, CSV or GeoJSON, and extracts of OpenStreetMap (.osm.pbf)."
                    )

    def import_file(self, path: Path) -> None:
        """Import a table."""
        self._confirmation.confirm(f"Import {path.name} into Live?", "Import", lambda: self._import(path))

    def _take_table(self, path: Path, kind: FileKind) -> None:
        if kind is FileKind.TRACK:
            self._tracks.open(path)
        else:
            self.import_file(path)

    def _import(self, path: Path) -> None:
        session, environment = self._model.session, self._model.environment
        if session is None:
            return
        engine = session.engine
        self._model.operations.long(
            f"Importing {path.name}",
            lambda progress: engine.import_file(
                environment, ImportFile(_read(path), path.name), ImportOptions(keep_good_rows=True), progress=progress
            ),
            lambda report: self._on_imported(path, report),
            lambda error: self._on_failed(path, error),
        )

    def _on_imported(self, path: Path, report: ImportReport) -> None:
        text = f"{path.name}: {summary(report)}"
        if report.errors or report.warnings:
            ImportReportDialog(self._window, path.name, report).open()
        if report.errors:
            self._message.complain(text)
        else:
            self._message.say(text)

    def _on_failed(self, path: Path, error: Exception) -> None:
        if isinstance(error, Cancelled):
            self._message.say(f"The import of {path.name} was cancelled; nothing was imported.")
        else:
            self._message.complain(f"{path.name}: {error_text(error)}")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FencewrightError(f"{path.name} cannot be read: {error.strerror}.") from error
