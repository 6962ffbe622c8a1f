"""The results of a back-test: headlines, and a table of geofences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QTableView, QWidget

from app.desktop.language import tr
from app.desktop.model.backtests.results import EVENTS, ResultRow, ResultRows
from app.desktop.model.backtests.words import headlines, notes_text
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.tables import fix_rows, set_widths, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import GRID, button, label, tip_text

if TYPE_CHECKING:
    from engine.backtest.results import BacktestReport

_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WIDTHS: Final = (0, 128, 92, 76, 120, 84, 92, 80, 104)
_NARROWEST_PX: Final = 48


class ResultModel(TitledModel):
    """A Qt model of the geofences of a report."""

    def __init__(self, rows: ResultRows) -> None:
        super().__init__(tuple(column.title for column in rows.columns))
        self._rows = rows

    def row(self, at: int) -> ResultRow:
        """Return a displayed geofence."""
        return self._rows.shown[at]

    def filter(self, text: str, *, only_idle: bool) -> None:
        """Filter the rows."""
        self.beginResetModel()
        self._rows.filter(text, only_idle=only_idle)
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column."""
        self.beginResetModel()
        self._rows.sort(column, descending=order == Qt.SortOrder.DescendingOrder)
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        column = self._rows.columns[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(self._rows.shown[index.row()])
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(column.text(self._rows.shown[index.row()]))
            case Qt.ItemDataRole.TextAlignmentRole if column.is_number:
                return _RIGHT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802
        """Return the title of a column, above its numbers."""
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return _RIGHT if self._rows.columns[section].is_number else None
        return super().headerData(section, orientation, role)

    def _count(self) -> int:
        return len(self._rows.shown)


class BacktestResultsDialog(QDialog):
    """Shows a report. It is modeless, so the map stays usable, and emits the row that the user chooses."""

    row_chosen = Signal(object)
    travels_toggled = Signal(bool)
    differences_requested = Signal()
    page_requested = Signal()
    folder_requested = Signal()

    def __init__(self, parent: QWidget, report: BacktestReport, folder: Path) -> None:
        super().__init__(parent)
        self.report, self.folder = report, folder
        self.setWindowTitle(tr("Back-test {folder_name}", folder_name=folder.name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(960 if report.comparison is not None else 760, 520)
        first, *others = headlines(report)
        self.headline, self.details = label(first, "strong", wrap=True), label("\n".join(others), wrap=True)
        self.notes = label(notes_text(report), "muted", wrap=True)
        self.notes.setVisible(bool(self.notes.text()))
        self.words = TextLine()
        self.words.setPlaceholderText(tr("Filter"))
        self.words.setAccessibleName(tr("Filter geofences"))
        self.words.setClearButtonEnabled(True)
        self.idle = QCheckBox(tr("Never fired"))
        self.travels = QCheckBox(tr("Travel on the map"))
        self.travels.setToolTip(tr("Draw how often devices went from one geofence to the next"))
        self.travels.setEnabled(bool(report.travels))
        self.differences = button(tr("Differences in What if"), self.differences_requested.emit)
        self.differences.setVisible(report.comparison is not None)
        self.model = ResultModel(ResultRows(report))
        self.table = self._make_table()
        self._arrange()
        self.words.textChanged.connect(lambda _: self._filter())
        self.idle.toggled.connect(lambda _: self._filter())
        self.travels.toggled.connect(self.travels_toggled)

    def _make_table(self) -> QTableView:
        view = table_view(self.model, tr("Geofences of the back-test"))
        view.setObjectName("BacktestResults")
        fix_rows(view, _NARROWEST_PX)
        set_widths(view, _WIDTHS[: self.model.columnCount()])
        view.setSortingEnabled(True)
        view.sortByColumn(EVENTS, Qt.SortOrder.DescendingOrder)
        view.selectionModel().currentRowChanged.connect(self._on_row)
        return view

    def _on_row(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.row_chosen.emit(self.model.row(current.row()))

    def _filter(self) -> None:
        self.model.filter(self.words.text(), only_idle=self.idle.isChecked())

    def _arrange(self) -> None:
        page = button(tr("Open report"), self.page_requested.emit, "primary")
        page.setToolTip(tr("Open the report in the web browser"))
        in_dialog(
            self,
            self.headline,
            self.details,
            self.notes,
            in_row((self.words, 1), self.idle, self.travels, spacing=2 * GRID),
            (self.table, 1),
            in_row(
                self.differences,
                STRETCH,
                button(tr("Show folder"), self.folder_requested.emit),
                page,
                button(tr("Close"), self.reject),
            ),
        )
