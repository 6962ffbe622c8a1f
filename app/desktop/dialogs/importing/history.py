"""The imports of the displayed environment, latest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.desktop.language import counted, tr, translated
from app.desktop.model.words import local_time
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import EmptyState, button, tip_text
from engine.domain.imports import Channel, ImportRecord, ImportStatus, RowError

_TITLES = (
    tr("Time"),
    tr("File"),
    tr("Source"),
    tr("Outcome"),
    tr("Created"),
    tr("Updated"),
    tr("Unchanged"),
    tr("Deleted"),
    tr("Errors"),
)
_CHANNELS = {Channel.FILE: tr("File"), Channel.SYNC: tr("Sync")}
_OUTCOMES = {
    ImportStatus.IMPORTED: tr("Imported"),
    ImportStatus.REFUSED: tr("Refused"),
    ImportStatus.UNDONE: tr("Undone"),
}
_FILE = 1
_SHOWN = 10


class ImportsDialog(QDialog):
    """The import history. Emits the import that the user wants to undo."""

    undo_requested = Signal(object)
    problems_requested = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Import history"))
        self.resize(1000, 400)
        self._records: tuple[ImportRecord, ...] = ()
        self.table = _table()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.table)
        self._stack.addWidget(EmptyState(tr("No imports yet"), tr("Imports of geofences are listed here.")))
        self.undo = button(tr("Undo import"), self._on_undo)
        self.problems = button(tr("Errors and warnings…"), self._on_problems)
        self.table.itemSelectionChanged.connect(self._enable)
        in_dialog(self, (self._stack, 1), in_row(self.undo, self.problems, STRETCH, button(tr("Close"), self.reject)))
        self._enable()

    def show_records(self, records: Sequence[ImportRecord]) -> None:
        """Show imports and keep the selection."""
        selected = self._selected()
        self._records = tuple(records)
        self.table.setRowCount(len(records))
        for row, record in enumerate(records):
            for column, text in enumerate(_texts(record)):
                item = QTableWidgetItem(text)
                item.setToolTip(tip_text(_tip(record)))
                self.table.setItem(row, column, item)
            if selected is not None and record.id == selected.id:
                self.table.selectRow(row)
        self._stack.setCurrentIndex(0 if records else 1)
        self._enable()

    def _selected(self) -> ImportRecord | None:
        rows = self.table.selectionModel().selectedRows()
        return self._records[rows[0].row()] if rows and rows[0].row() < len(self._records) else None

    def _enable(self) -> None:
        selected = self._selected()
        self.undo.setEnabled(selected is not None and selected.undoable)
        self.problems.setEnabled(selected is not None and bool(selected.errors or selected.warnings))

    def _on_problems(self) -> None:
        if (selected := self._selected()) is not None:
            self.problems_requested.emit(selected)

    def _on_undo(self) -> None:
        if (selected := self._selected()) is not None:
            self.undo_requested.emit(selected)


def _table() -> QTableWidget:
    table = QTableWidget(0, len(_TITLES))
    table.setHorizontalHeaderLabels(list(_TITLES))
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.setAccessibleName(tr("Imports"))
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    for column, width in enumerate((168, 0, 72, 88, 80, 80, 104, 80, 72)):
        if width:
            header.resizeSection(column, width)
    header.setSectionResizeMode(_FILE, QHeaderView.ResizeMode.Stretch)
    return table


def _texts(record: ImportRecord) -> tuple[str, ...]:
    counts = (record.created, record.updated, record.unchanged, record.deleted, record.failed or len(record.errors))
    return (
        local_time(record.created_at),
        record.name,
        _CHANNELS[record.channel],
        _OUTCOMES[record.status],
        *(tr("{count:,}", count=number) for number in counts),
    )


def _error(error: RowError) -> str:
    message = translated(error.message)
    return tr("Row {row:,}: {message}", row=error.row, message=message) if error.row else message


def _tip(record: ImportRecord) -> str:
    lines = [tr("SHA-256 {checksum}", checksum=record.sha256), record.created_at.isoformat()]
    lines += map(_error, record.errors[:_SHOWN])
    more = max(record.failed, len(record.errors)) - _SHOWN
    if more > 0:
        lines.append(tr("… and {more_errors}", more_errors=counted(more, "more error")))
    if record.warned:
        lines += [f"{counted(record.warned, 'warning')}:", *map(_error, record.warnings[:_SHOWN])]
    if record.warned > _SHOWN:
        lines.append("…")
    return "\n".join(lines)
