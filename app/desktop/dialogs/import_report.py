"""The result of a table import, row by row."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.desktop.language import counted, tr, translated
from app.desktop.panels.layouts import in_dialog
from app.desktop.panels.widgets import label, tip_text
from engine.domain.imports import ImportKind, ImportReport

_SHOWN = 500


def summary(report: ImportReport) -> str:
    """Return a one-sentence summary of the report."""
    record = "beacon" if report.kind is ImportKind.BEACONS else "geofence"
    if not (report.stored or report.dry_run):
        return tr("nothing was imported: {rows} with errors.", rows=counted(report.failed, "row"))
    text = tr("{records} created, {updated:,} updated", records=counted(report.created, record), updated=report.updated)
    text += tr(", {unchanged:,} unchanged", unchanged=report.unchanged) if report.unchanged else ""
    failed = tr(", {rows} not imported", rows=counted(report.failed, "row")) if report.failed else ""
    warned = f", {counted(len(report.warnings), 'warning')}" if report.warnings else ""
    return f"{text}{failed}{warned}."


class ImportReportDialog(QDialog):
    """Lists the rows that were not imported, with the reasons, then the warnings about others."""

    def __init__(self, parent: QWidget, name: str, report: ImportReport) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Import of {file_name}", file_name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 360)
        layout = in_dialog(self, label(summary(report), "label"))
        problems = len(report.errors) + len(report.warnings)
        if problems > _SHOWN:
            layout.addWidget(
                label(
                    tr("The first {shown:,} of {total:,} errors and warnings:", shown=_SHOWN, total=problems), "muted"
                )
            )
        self.table = _table(report)
        layout.addWidget(self.table)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)


def _table(report: ImportReport) -> QTableWidget:
    problems = (*report.errors, *report.warnings)[:_SHOWN]
    table = QTableWidget(len(problems), 3)
    table.setAccessibleName(tr("Errors"))
    table.setTabKeyNavigation(False)
    table.setHorizontalHeaderLabels([tr("Row"), tr("Column"), tr("Message")])
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
    for row, problem in enumerate(problems):
        for column, text in enumerate(
            (tr("{row:,}", row=problem.row), problem.column or "", translated(problem.message))
        ):
            item = QTableWidgetItem(text)
            item.setToolTip(tip_text(text))
            table.setItem(row, column, item)
    table.resizeColumnToContents(0)
    table.resizeColumnToContents(1)
    return table
