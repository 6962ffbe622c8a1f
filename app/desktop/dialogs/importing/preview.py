"""Preview of an import, row by row."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QLineEdit,
    QTableView,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.model.importing import (
    ACTIONS,
    AS_NAMED,
    Columns,
    choice_text,
    details_of,
    file_notes,
    matching,
    named_of,
    overwritten_text,
    preview_summary,
)
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.tables import set_widths, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import button, label, tip_text
from engine.domain.geofence import Geofence
from engine.domain.imports import ImportReport, JudgedRow, RowAction

_TITLES = (tr("Row"), tr("Action"), tr("Tag"), tr("External ID"), tr("Description"), tr("Changes and errors"))
_WIDTHS = (56, 112, 96, 104, 168, 0)
_DETAILS = 5
_ALL = tr("All rows")


class PreviewModel(TitledModel):
    """A filtered model of a file's rows."""

    def __init__(self, rows: tuple[JudgedRow[Geofence], ...]) -> None:
        super().__init__(_TITLES)
        self._all = self._rows = rows

    def filter(self, action: RowAction | None, text: str) -> None:
        """Filter the rows."""
        self.beginResetModel()
        self._rows = matching(self._all, action, text)
        self.endResetModel()

    def row(self, at: int) -> JudgedRow[Geofence]:
        """Return a displayed row."""
        return self._rows[at]

    def _count(self) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _text(row, index.column())
            case Qt.ItemDataRole.ToolTipRole if index.column() == _DETAILS:
                return tip_text(details_of(row))
        return None


class PreviewDialog(QDialog):
    """The preview of an import. It is modeless, so the map stays usable. Emits the user's decisions."""

    import_requested = Signal(bool)
    columns_requested = Signal()
    row_chosen = Signal(object)
    save_requested = Signal()

    def __init__(self, parent: QWidget, name: str, report: ImportReport, columns: Columns = AS_NAMED) -> None:
        super().__init__(parent)
        self._report = report
        self.choice = label(choice_text(columns, report), wrap=True)
        self.overwritten = label(overwritten_text(report), "error", wrap=True)
        self.notes = label("\n".join(file_notes(report)), "muted", wrap=True)
        self.setWindowTitle(tr("Import {file_name}", file_name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(800, 440)
        self.model = PreviewModel(report.judged)
        self.view = _view(self.model)
        self.actions_ = ChoiceBox()
        self.actions_.setAccessibleName(tr("Action"))
        self.actions_.addItem(_ALL)
        self.actions_.addItems(list(ACTIONS.values()))
        self.text = QLineEdit()
        self.text.setPlaceholderText(tr("Filter rows"))
        self.text.setAccessibleName(tr("Filter rows"))
        self.text.setClearButtonEnabled(True)
        self.keep = QCheckBox(tr("Skip rows with errors and import the others"))
        self.keep.setVisible(bool(report.failed))
        self.accept_button = button(tr("Import"), self.accept, "primary")
        self.columns = button(tr("Columns and repairs…"), self._on_columns)
        self.cancel = button(tr("Cancel"), self.reject)
        self.save = button(tr("Save refused rows…"), self.save_requested.emit)
        self.save.setVisible(bool(report.failed))
        self.details = label("", wrap=True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.actions_.currentIndexChanged.connect(self._filter)
        self.text.textChanged.connect(self._filter)
        self.keep.toggled.connect(self._enable)
        self.view.selectionModel().currentRowChanged.connect(self._on_row)
        self._arrange()
        self._enable()

    def accept(self) -> None:
        """Close the preview and request the import."""
        super().accept()
        self.import_requested.emit(self.keep.isChecked())

    def _on_columns(self) -> None:
        self.reject()
        self.columns_requested.emit()

    def _on_row(self, index: QModelIndex, _before: QModelIndex) -> None:
        self.details.setText(details_of(self.model.row(index.row())) if index.isValid() else "")
        if index.isValid():
            self.row_chosen.emit(self.model.row(index.row()))

    def _filter(self, *_: object) -> None:
        chosen = self.actions_.currentIndex()
        self.model.filter(tuple(ACTIONS)[chosen - 1] if chosen > 0 else None, self.text.text())

    def _enable(self, *_: object) -> None:
        changes = self._report.created + self._report.updated
        self.accept_button.setEnabled(bool(changes) and (self.keep.isChecked() or not self._report.failed))
        self.accept_button.setText(tr("Import {count:,}", count=changes) if changes else tr("Nothing to import"))

    def _arrange(self) -> None:
        self.summary = label(preview_summary(self._report), "label")
        layout = in_dialog(self, self.summary)
        for note in (self.choice, self.overwritten, self.notes):
            if note.text():
                layout.addWidget(note)
        if self._report.ignored:
            layout.addWidget(
                label(tr("Ignored columns: {columns}", columns=", ".join(self._report.ignored)), "muted", wrap=True)
            )
        layout.addLayout(in_row(self.actions_, (self.text, 1)))
        layout.addWidget(self.view, 1)
        layout.addWidget(self.details)
        layout.addWidget(self.keep)
        layout.addLayout(in_row(self.columns, self.save, STRETCH, self.accept_button, self.cancel))


def _view(model: PreviewModel) -> QTableView:
    view = table_view(model, tr("Rows"))
    set_widths(view, _WIDTHS)
    return view


def _text(row: JudgedRow[Geofence], column: int) -> str:
    return (tr("{row:,}", row=row.row), ACTIONS[row.action], *named_of(row), details_of(row))[column]
