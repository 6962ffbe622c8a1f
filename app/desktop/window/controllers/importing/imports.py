"""Import of files with a preview, the import history, and files dropped on the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.files import TABLES, FileChooser
from app.desktop.dialogs.import_report import ImportReportDialog, problems_of, summary
from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.importing.encodings import EncodingChoice
from app.desktop.dialogs.importing.history import ImportsDialog
from app.desktop.dialogs.importing.layers import LayerDialog
from app.desktop.dialogs.importing.preview import PreviewDialog
from app.desktop.language import tr
from app.desktop.map import MapView
from app.desktop.memory import Memory
from app.desktop.model.drops import FileKind, kind_by_name, kind_of_content
from app.desktop.model.editing.imports import import_command, step_of
from app.desktop.model.importing import AS_NAMED, WHOLE, Columns, KeptColumns, Part, with_named
from app.desktop.model.words import error_text
from app.desktop.operations import Task
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.areas import AreaController
from app.desktop.window.controllers.importing.exports import Exports
from app.desktop.window.controllers.importing.on_map import ImportOnMap
from app.desktop.window.controllers.importing.refused import RefusedRows
from app.desktop.window.controllers.tracks import TrackController
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.files import read_import
from engine.beacons.csv_import import is_beacon_table
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.imports import (
    DEFAULT_OPTIONS,
    Column,
    Encoding,
    ImportFile,
    ImportOptions,
    ImportOutcome,
    ImportQuery,
    ImportRecord,
    ImportReport,
)
from engine.domain.ports import Cancelled, Progress
from engine.domain.values import replace
from engine.engine import Engine
from engine.tabular.formats.source import SeveralLayers

_LISTED = 200
_CHOOSE_COLUMNS = tr("Choose the column for each field, or one value for all rows.")


class Draft(Struct, frozen=True):
    """A file that was read, with its preview or the questions to ask first.

    Without either, it is a file of beacons.
    """

    file: ImportFile
    part: Part = WHOLE
    layers: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    details: tuple[Column, ...] = ()
    decided: Columns = AS_NAMED
    encoding: Encoding | None = None
    suggested: Columns | None = None
    report: ImportReport | None = None
    problem: str = ""


class ImportController(QObject):
    """Imports in the background, with progress.

    An import `began` with its environment, task and step of undo; `ended` has the task and whether it can be undone.
    """

    began = Signal(object, object, str)
    ended = Signal(object, bool)

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        tracks: TrackController,
        areas: AreaController,
        files: FileChooser,
        message: MessageLine,
        confirmation: LiveConfirmation,
        map_view: MapView,
        memory: Memory,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._tracks, self._areas = window, model, tracks, areas
        self._files, self._message, self._confirmation = files, message, confirmation
        self._memory, self._kept = memory, KeptColumns(memory.columns)
        self._on_map = ImportOnMap(model, map_view)
        self._refused = RefusedRows(model, files, message)
        self.exports = Exports(window, model, files, message)
        self.preview: PreviewDialog | None = None
        self.history = ImportsDialog(window)
        self.history.undo_requested.connect(self._undo)
        self.history.problems_requested.connect(self._show_problems)
        model.environment_changed.connect(self._leave)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.import_file.triggered.connect(lambda: self.choose())
        actions.export_file.triggered.connect(lambda: self.exports.export())
        actions.imports.triggered.connect(lambda: self.open_history())

    # Files

    def choose(self) -> None:
        """Let the user choose a file."""
        self._files.open_file(tr("Import geofences or beacons"), TABLES, self.import_file)

    def take(self, paths: Iterable[Path]) -> None:
        """Open dropped files: tables and maps are imported, a track is opened, and an extract becomes an area."""
        for path in paths:
            match kind_by_name(path):
                case FileKind.EXTRACT:
                    self._areas.build(path)
                case FileKind.TRACK:
                    self._tracks.open(path)
                case FileKind.FENCES:
                    self.import_file(path)
                case FileKind.UNSURE:
                    self._model.operations.read(
                        lambda path=path: kind_of_content(read_import(path).data),  # type: ignore[misc]
                        lambda kind, path=path: self._take(path, kind),  # type: ignore[misc]
                        self._model.report_error,
                    )
                case _:
                    self._message.complain(
                        tr(
                            "{file_name} cannot be opened. Supported files: geofences (CSV, Excel, GeoJSON, KML, GPX, "
                            "WKT, Shapefile, GeoPackage, FlatGeobuf), "
                            "beacons (CSV), tracks (GPX, KML, FIT, NMEA, CSV, JSON) and "
                            "OpenStreetMap extracts (.osm.pbf).",
                            file_name=path.name,
                        )
                    )

    def _take(self, path: Path, kind: FileKind) -> None:
        if kind is FileKind.TRACK:
            self._tracks.open(path)
        else:
            self.import_file(path)

    # Importing

    def import_file(self, path: Path) -> None:
        """Read a file and show a preview of its import."""
        self._read(path.name, lambda: read_import(path))

    def _read(
        self,
        name: str,
        read: Callable[[], ImportFile],
        part: Part = WHOLE,
        decided: Columns | None = None,
        *,
        again: bool = False,
    ) -> None:
        """Read a file, and show its preview or ask; `again` asks for its columns also if they are known."""
        session, environment = self._model.session, self._model.environment
        if session is None:
            return
        engine, kept = session.engine, self._kept
        self._model.operations.long(
            tr("Reading {file_name}", file_name=name),
            lambda progress: _drafted(engine, environment, read(), part, decided, kept, progress, again=again),
            lambda draft: self._on_read(environment, draft),
            lambda error: self._on_failed(name, error),
        )

    def _on_read(self, environment: Environment, draft: Draft) -> None:
        if environment is not self._model.environment:
            return
        name = draft.file.name
        if draft.report is not None:
            self._show_preview(draft, draft.report)
        elif draft.problem:
            self._ask_columns(draft)
        elif draft.layers or draft.sheets:
            self._ask_part(draft)
        else:
            question = tr("Import {file_name} into Live?", file_name=name)
            self._confirmation.confirm(question, tr("Import"), lambda: self._import_beacons(draft.file))

    def _ask_part(self, draft: Draft) -> None:
        dialog = LayerDialog(self._window, draft.file.name, draft.layers, draft.sheets, draft.part)
        dialog.decided.connect(lambda part: self._read(draft.file.name, lambda: draft.file, part))
        dialog.open()

    def _ask_columns(self, draft: Draft) -> None:
        shown = with_named(draft.columns, draft.decided)
        encoding = EncodingChoice(draft.encoding, draft.part.encoding)
        dialog = ColumnsDialog(
            self._window,
            draft.file.name,
            draft.columns,
            shown,
            draft.problem,
            encoding=encoding,
            details=draft.details,
        )

        def decided(columns: Columns) -> None:
            self._memory.columns = self._kept.keep(draft.columns, columns, draft.suggested)
            self._read(draft.file.name, lambda: draft.file, draft.part, columns)

        def recode(encoding: Encoding | None) -> None:
            part = replace(draft.part, encoding=encoding)
            self._read(draft.file.name, lambda: draft.file, part, draft.decided, again=True)

        dialog.decided.connect(decided)
        dialog.encoding_chosen.connect(recode)
        if (report := draft.report) is not None:
            dialog.rejected.connect(lambda: self._show_preview(draft, report))
        dialog.open()

    def _show_preview(self, draft: Draft, report: ImportReport) -> None:
        self._leave()
        dialog = PreviewDialog(self._window, draft.file.name, report, draft.decided)
        dialog.import_requested.connect(lambda keep_good: self._confirm(draft, keep_good))
        dialog.columns_requested.connect(lambda: self._ask_columns(draft))
        dialog.row_chosen.connect(self._on_map.go_to)
        options = draft.decided.options(draft.part)
        dialog.save_requested.connect(lambda: self._refused.save(draft.file, options, report.errors))
        dialog.finished.connect(lambda _: self._forget(dialog))
        self.preview = dialog
        self._on_map.show(report.judged)
        dialog.show()

    def _leave(self) -> None:
        if self.preview is not None:
            self.preview.reject()

    def _forget(self, dialog: PreviewDialog) -> None:
        if dialog is self.preview:
            self.preview = None
            self._on_map.clear()

    def _confirm(self, draft: Draft, keep_good: bool) -> None:
        options = draft.decided.options(draft.part, keep_good_rows=keep_good)
        if draft.decided == draft.suggested and draft.decided != AS_NAMED:
            self._memory.columns = self._kept.keep(draft.columns, draft.decided, draft.suggested)
        question = tr("Import {file_name} into Live?", file_name=draft.file.name)
        self._confirmation.confirm(question, tr("Import"), lambda: self._import(draft.file, options))

    def _import(self, file: ImportFile, options: ImportOptions) -> None:
        session, environment = self._model.session, self._model.environment
        if session is None:
            return
        imports = session.engine.imports

        def failed(error: Exception) -> None:
            self._on_failed(file.name, error)
            self.ended.emit(task, False)

        task = self._model.operations.long(
            tr("Importing {file_name}", file_name=file.name),
            lambda progress: imports.run(environment, file, options, progress),
            lambda outcome: self._on_imported(task, environment, file, options, outcome),
            failed,
        )
        self.began.emit(environment, task, step_of(file))

    def _on_imported(
        self, task: Task, environment: Environment, file: ImportFile, options: ImportOptions, outcome: ImportOutcome
    ) -> None:
        session = self._model.session
        if session is not None and outcome.record.undoable:
            command = import_command(session.engine.imports, environment, file, options, outcome.record.id)

            def failed(error: Exception) -> None:
                self._model.report_error(error)
                self.ended.emit(task, False)

            self._model.edit_in(
                environment, lambda editor: editor.history.add(command), lambda _: self.ended.emit(task, True), failed
            )
        else:
            self.ended.emit(task, False)
        self._report(file, outcome.report, options)
        self._refresh_history()

    def _import_beacons(self, file: ImportFile) -> None:
        session, environment = self._model.session, self._model.environment
        if session is None:
            return
        engine = session.engine
        self._model.operations.long(
            tr("Importing {file_name}", file_name=file.name),
            lambda progress: engine.beacons.import_csv(environment, file.data, progress=progress),
            lambda report: self._report(file, report, with_errors=True),
            lambda error: self._on_failed(file.name, error),
        )

    def _report(
        self,
        file: ImportFile,
        report: ImportReport,
        options: ImportOptions = DEFAULT_OPTIONS,
        *,
        with_errors: bool = False,
    ) -> None:
        text = f"{file.name}: {summary(report)}"
        if report.warnings or not report.stored or (with_errors and report.errors):
            dialog = ImportReportDialog(self._window, file.name, report)
            dialog.save_requested.connect(lambda: self._refused.save(file, options, report.errors))
            dialog.open()
        if report.stored and not (with_errors and report.errors):
            self._message.show_info(text)
        else:
            self._message.complain(text)

    def _on_failed(self, name: str, error: Exception) -> None:
        if isinstance(error, Cancelled):
            self._message.show_info(
                tr("The import of {file_name} was cancelled; nothing was imported.", file_name=name)
            )
        else:
            self._message.complain(f"{name}: {error_text(error)}")

    # History

    def open_history(self) -> None:
        """Show the imports."""
        if self._model.session is not None:
            self._refresh_history(opening=True)
            self.history.show()
            self.history.raise_()

    def _refresh_history(self, *, opening: bool = False) -> None:
        session, environment = self._model.session, self._model.environment
        if session is None or not (opening or self.history.isVisible()):
            return
        imports = session.engine.imports

        def done(records: tuple[ImportRecord, ...]) -> None:
            if environment is self._model.environment:
                self.history.show_records(records)

        self._model.operations.read(
            lambda: imports.page(environment, ImportQuery(limit=_LISTED)).items, done, self._model.report_error
        )

    def _show_problems(self, record: ImportRecord) -> None:
        """List all errors and warnings of an import, which are not in the list of imports."""
        session = self._model.session
        if session is not None:
            imports = session.engine.imports
            self._model.operations.read(
                lambda: imports.get(record.environment, record.id),
                lambda found: problems_of(self.history, found).open(),
                self._model.report_error,
            )

    def _undo(self, record: ImportRecord) -> None:
        session = self._model.session
        if session is None:
            return
        imports = session.engine.imports

        def done(undone: ImportRecord) -> None:
            self._message.show_info(tr("The import of {file_name} was undone.", file_name=undone.name))
            self._refresh_history()

        def act() -> None:
            self._model.operations.change(
                lambda: imports.undo(record.environment, record.id), done, self._model.report_error
            )

        self._confirmation.confirm(
            tr("Undo the import of {file_name} in Live?", file_name=record.name), tr("Undo import"), act
        )


def _drafted(
    engine: Engine,
    environment: Environment,
    file: ImportFile,
    part: Part,
    decided: Columns | None,
    kept: KeptColumns,
    progress: Progress,
    *,
    again: bool = False,
) -> Draft:
    """Read a file and judge its rows, using earlier decisions for files with the same columns."""
    if is_beacon_table(file.data):
        return Draft(file)
    try:
        heading = engine.imports.heading(file, AS_NAMED.options(part), progress)
    except SeveralLayers as error:
        return Draft(file, layers=error.layers)
    except InvalidParameter as error:
        if not (again and part.encoding):
            raise
        # The text is not in the chosen encoding, so that another one must be chosen.
        part = replace(part, encoding=None)
        draft = _drafted(engine, environment, file, part, decided, kept, progress, again=True)
        return replace(draft, problem=error_text(error))
    if part.sheet is None and len(heading.sheets) > 1:
        return Draft(file, Part(sheet=heading.sheet), sheets=heading.sheets)
    suggested = None if heading.guess is None else Columns.of(heading.guess)
    draft = Draft(
        file,
        part,
        columns=heading.columns,
        details=heading.details,
        encoding=heading.encoding,
        suggested=suggested,
        problem=_CHOOSE_COLUMNS,
    )
    if again:
        is_there = decided is not None and {*decided.mapping.values()} <= {*draft.columns, ""}
        return replace(draft, decided=decided if decided is not None and is_there else suggested or AS_NAMED)
    draft = replace(draft, decided=decided or _former(draft, kept) or suggested or AS_NAMED)
    return _judged(draft, partial(engine.imports.preview, environment, progress=progress))


def _former(draft: Draft, kept: KeptColumns) -> Columns | None:
    """Return the earlier decisions for files with the same columns, unless there is nothing to decide."""
    is_empty = draft.suggested is None and not any(column.samples for column in draft.details)
    return None if is_empty else kept.get(draft.columns, draft.suggested)


def _judged(draft: Draft, preview: Callable[[ImportFile, ImportOptions], ImportReport]) -> Draft:
    """Return a draft with the report of its rows, or with the reason why its columns must be chosen."""
    try:
        report = preview(draft.file, draft.decided.options(draft.part))
    except InvalidParameter as error:
        if not draft.columns:
            raise
        # Before the user has assigned the columns, the error would only report that their names are unknown.
        return draft if draft.decided is AS_NAMED else replace(draft, problem=error_text(error))
    return replace(draft, report=report, problem="")
