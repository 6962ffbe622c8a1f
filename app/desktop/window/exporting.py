"""Exporting events and users to files, from the title bars of their panels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QToolButton, QWidget

from app.desktop.dialogs.files import RECORDS, FileChooser
from app.desktop.language import counted, tr
from app.desktop.model.inspector.filtering import EventSieve
from app.desktop.model.words import error_text
from app.desktop.panels.widgets import tool_button
from app.desktop.window.docks import Docks
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.exports import EVERYTHING, RecordKind, format_of
from engine.domain.ports import Cancelled, Progress

_NOUNS = {RecordKind.EVENTS: "event", RecordKind.USERS: "user"}
_TITLES = {RecordKind.EVENTS: tr("Export events"), RecordKind.USERS: tr("Export users")}
_DOING = {RecordKind.EVENTS: tr("Exporting events"), RecordKind.USERS: tr("Exporting users")}
_TIPS = {
    RecordKind.EVENTS: tr("Export all events, or those that pass the filter, as CSV, JSON lines or Parquet"),
    RecordKind.USERS: tr("Export all users as CSV, JSON lines or Parquet"),
}


class RecordExporter(QObject):
    """Exports records of the current environment in the background, with progress."""

    def __init__(
        self, window: QWidget, model: WorkspaceModel, docks: Docks, files: FileChooser, message: MessageLine
    ) -> None:
        super().__init__(window)
        self._model, self._files, self._message = model, files, message
        self.events = self._add(docks, docks.events, RecordKind.EVENTS)
        self.users = self._add(docks, docks.user, RecordKind.USERS)
        self._filter: Callable[[], EventSieve] = EventSieve
        model.opened.connect(self._refresh)
        self._refresh()

    def filter_events(self, sieve: Callable[[], EventSieve]) -> None:
        """Export only the events that pass the sieve returned by `sieve`."""
        self._filter = sieve

    def choose(self, kind: RecordKind) -> None:
        """Let the user choose the file."""
        suggestion = f"{kind}-{self._model.environment}.csv"
        self._files.save_file(_TITLES[kind], suggestion, RECORDS, lambda file: self.export(file, kind))

    def export(self, file: Path, kind: RecordKind) -> None:
        """Export the records of a kind, filtered if they are events, in the format of the file's extension."""
        session, environment = self._model.session, self._model.environment
        if session is None:
            return
        sieve = self._filter() if kind is RecordKind.EVENTS else EventSieve()

        def write(progress: Progress) -> int:
            if not sieve.is_open:
                return session.export_events(file, format_of(file), environment, sieve.passes, progress)
            return session.export_records(file, format_of(file), environment, kind, EVERYTHING, progress)

        self._model.operations.long(
            _DOING[kind],
            write,
            lambda written: self._message.show_info(
                tr("Exported {records} to {file_path}.", records=counted(written, _NOUNS[kind]), file_path=file)
            ),
            lambda error: self._on_failed(file, error),
        )

    def _on_failed(self, file: Path, error: Exception) -> None:
        if isinstance(error, Cancelled):
            self._message.show_info(tr("The export was cancelled; {file_name} was not written.", file_name=file.name))
        else:
            self._message.complain(error_text(error))

    def _refresh(self) -> None:
        for made in (self.events, self.users):
            made.setEnabled(self._model.session is not None)

    def _add(self, docks: Docks, dock: QDockWidget, kind: RecordKind) -> QToolButton:
        made = tool_button(_TIPS[kind], lambda: self.choose(kind))
        made.setText(tr("Export…"))
        made.setAccessibleName(_TITLES[kind])
        docks.title(dock).add(made)
        return made
