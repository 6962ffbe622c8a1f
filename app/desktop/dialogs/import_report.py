"""What became of the rows of an imported table."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.desktop.model.words import count
from app.desktop.panels.widgets import GRID, label
from engine.domain.imports import ImportReport

_SHOWN = 500


def summary(report: ImportReport) -> str:
    """Return the report as a sentence."""
    text = f"{count(report.created, 'fence')} created, {report.updated:,} updated"
    return f"{text}, {count(report.failed, 'row')} not imported." if report.failed else f"{text}."


class ImportReportDialog(QDialog):
    """The rows that were not imported, and why."""

    def __init__(self, parent: QWidget, name: str, report: ImportReport) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Import of {name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 360)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(label(summary(report), "label"))
        if len(report.errors) > _SHOWN:
            layout.addWidget(label(f"The first {_SHOWN:,} of {len(report.errors):,} errors:", "muted"))
        self.table = _table(report)
        layout.addWidget(self.table)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)


def _table(report: ImportReport) -> QTableWidget:
    errors = report.errors[:_SHOWN]
    table = QTableWidget(len(errors), 3)
    table.setHorizontalHeaderLabels(["Row", "Column", "What is wrong"])
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
    for row, error in enumerate(errors):
        for column, text in enumerate((f"{error.row:,}", error.column or "", error.message)):
            item = QTableWidgetItem(text)
            item.setToolTip(text)
            table.setItem(row, column, item)
    table.resizeColumnToContents(0)
    table.resizeColumnToContents(1)
    return table
