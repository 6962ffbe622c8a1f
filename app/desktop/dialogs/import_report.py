"""The result of a table import, row by row."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QDialog, QTableView, QWidget

from app.desktop.language import counted, tr, translated
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.tables import set_widths, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import button, label, tip_text
from engine.domain.imports import ImportKind, ImportRecord, ImportReport, RefusedRow, RowError

_TITLES = (tr("Row"), tr("Tag"), tr("External ID"), tr("Description"), tr("Column"), tr("Message"))
_WIDTHS = (64, 88, 104, 128, 104, 0)
_MESSAGE = 5


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


class ProblemsModel(TitledModel):
    """The errors and then the warnings of an import, with the geofence that a refused row was meant for."""

    def __init__(self, problems: tuple[RowError, ...], refused: tuple[RefusedRow, ...]) -> None:
        super().__init__(_TITLES)
        self._problems = problems
        self._refused = {row.row: row for row in refused}

    def _count(self) -> int:
        return len(self._problems)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        text = self._text(self._problems[index.row()], index.column())
        return tip_text(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def message(self, at: int) -> str:
        """Return the message of a row of the table."""
        return translated(self._problems[at].message)

    def _text(self, problem: RowError, column: int) -> str:
        row = self._refused.get(problem.row)
        named = (row.tag, row.external_id, row.name) if row is not None else ("", "", "")
        number = tr("{row:,}", row=problem.row) if problem.row else ""
        return (number, *named, problem.column or "", translated(problem.message))[column]


class ProblemsDialog(QDialog):
    """Lists all errors and warnings of an import; the full message of the selected one is below."""

    def __init__(self, parent: QWidget, title: str, heading: str, model: ProblemsModel, left_out: int = 0) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(880, 420)
        self.model = model
        self.table: QTableView = table_view(model, tr("Errors"))
        set_widths(self.table, _WIDTHS)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.message = label("", wrap=True)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.close_button = button(tr("Close"), self.reject)
        self.buttons = in_row(STRETCH, self.close_button)
        layout = in_dialog(self, label(heading, "label"))
        if left_out:
            text = tr("{count:,} more errors and warnings were not kept.", count=left_out)
            layout.addWidget(label(text, "muted"))
        layout.addWidget(self.table, 1)
        layout.addWidget(self.message)
        layout.addLayout(self.buttons)

    def _on_row(self, index: QModelIndex, _before: QModelIndex) -> None:
        self.message.setText(self.model.message(index.row()) if index.isValid() else "")


class ImportReportDialog(ProblemsDialog):
    """Lists the rows that were not imported, with the reasons, then the warnings about others."""

    save_requested = Signal()

    def __init__(self, parent: QWidget, name: str, report: ImportReport) -> None:
        model = ProblemsModel((*report.errors, *report.warnings), report.refused)
        super().__init__(parent, tr("Import of {file_name}", file_name=name), summary(report), model)
        self.save = button(tr("Save refused rows…"), self.save_requested.emit)
        self.save.setVisible(any(error.row for error in report.errors))
        self.buttons.insertWidget(0, self.save)
        self.setTabOrder(self.save, self.close_button)


def problems_of(parent: QWidget, record: ImportRecord) -> ProblemsDialog:
    """Return the list of the errors and warnings of an import in the history."""
    kept = (*record.errors, *record.warnings)
    rows = len({error.row for error in record.errors})
    left_out = max(0, record.failed - rows) + max(0, record.warned - len(record.warnings))
    heading = tr("{rows} not imported", rows=counted(record.failed, "row"))
    warned = f", {counted(record.warned, 'warning')}" if record.warned else ""
    model = ProblemsModel(kept, record.refused)
    return ProblemsDialog(
        parent, tr("Import of {file_name}", file_name=record.name), f"{heading}{warned}.", model, left_out
    )
