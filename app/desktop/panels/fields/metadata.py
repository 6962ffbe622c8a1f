"""The table of a geofence's metadata: key, value and type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QTableWidgetItem,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.model.editing.metadata import KINDS, kind_of, parse_value, text_of
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.tables import EditTable
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import button
from engine.domain.errors import InvalidParameter
from engine.domain.metadata import MAX_GEOFENCE_KEYS, MetadataValue

_ROW = 30
_LEAST_ROWS, _MOST_ROWS = 2, 6


type _Row = tuple[str, str, str]


class MetadataEdit(QWidget):
    """Emits the whole dictionary when the user has changed it, or the error of an invalid value."""

    committed = Signal(object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.table = EditTable(0, 3)
        self.table.setObjectName("MetadataTable")
        self.table.setHorizontalHeaderLabels([tr("Key"), tr("Value"), tr("Kind")])
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(_ROW)
        self.table.setShowGrid(False)
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in (0, 1):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(2, 92)
        self.add = button(tr("Add key"), self.add_row)
        self.remove = button(tr("Remove key"), self.remove_row)
        in_column(self.table, in_row(self.add, self.remove, STRETCH, spacing=8), of=self, margins=0, spacing=6)
        self.table.itemChanged.connect(self._commit)
        self.table.itemSelectionChanged.connect(self._enable)
        self._enable()

    def set_value(self, metadata: Mapping[str, MetadataValue]) -> None:
        """Show metadata. Existing rows are reused, so that the keyboard focus stays in its cell."""
        if not self._has_metadata(metadata):
            self._show([(key, text_of(value), kind_of(value)) for key, value in metadata.items()])

    def state(self) -> object:
        """Return the current rows for `put_back`."""
        return [(self._text(row, 0), self._text(row, 1), self._kind(row)) for row in range(self.table.rowCount())]

    def put_back(self, state: object) -> None:
        """Restore rows returned by `state`."""
        assert isinstance(state, list)
        self._show(state)

    def _show(self, rows: Sequence[_Row]) -> None:
        with QSignalBlocker(self.table):
            while self.table.rowCount() > len(rows):
                self.table.removeRow(self.table.rowCount() - 1)
            for number, row in enumerate(rows):
                if number < self.table.rowCount():
                    self._change(number, row)
                else:
                    self._append(*row)
        self._enable()

    def _change(self, number: int, row: _Row) -> None:
        for column in (0, 1):
            if self._text(number, column) != row[column]:
                self.table.setItem(number, column, QTableWidgetItem(row[column]))
        kinds = self.table.cellWidget(number, 2)
        assert isinstance(kinds, QComboBox)
        with QSignalBlocker(kinds):
            kinds.setCurrentText(row[2])

    def add_row(self) -> None:
        """Add an empty row and edit its key."""
        with QSignalBlocker(self.table):
            self._append("", "", KINDS[0])
        row = self.table.rowCount() - 1
        self.table.setCurrentCell(row, 0)
        item = self.table.item(row, 0)
        if item is not None:
            self.table.editItem(item)
        self._enable()

    def remove_row(self) -> None:
        """Remove the current row."""
        row = self.table.currentRow()
        if row >= 0:
            self.table.removeRow(row)
            self._commit()
        self._enable()

    def _append(self, key: str, text: str, kind: str) -> None:
        row = self.table.rowCount()
        self.table.insertRow(row)
        self.table.setItem(row, 0, QTableWidgetItem(key))
        self.table.setItem(row, 1, QTableWidgetItem(text))
        kinds = ChoiceBox()
        kinds.addItems(KINDS)
        kinds.setCurrentText(kind)
        kinds.setAccessibleName(tr("Kind of value"))
        kinds.currentTextChanged.connect(self._commit)
        self.table.setCellWidget(row, 2, kinds)

    def _commit(self, *_: object) -> None:
        try:
            metadata = self._read()
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return
        self.committed.emit(metadata)

    def _read(self) -> dict[str, MetadataValue]:
        """Return the table as metadata. Rows with neither key nor value are ignored."""
        metadata: dict[str, MetadataValue] = {}
        for row in range(self.table.rowCount()):
            key, text = self._text(row, 0), self._text(row, 1)
            if not key and not text:
                continue
            if key in metadata:
                raise InvalidParameter("metadata", tr("metadata: duplicate key {key!r}.", key=key))
            metadata[key] = parse_value(key, text, self._kind(row))
        return metadata

    def _has_metadata(self, metadata: Mapping[str, MetadataValue]) -> bool:
        try:
            shown = self._read()
        except InvalidParameter:
            return False
        return [*shown.items()] == [*metadata.items()] and all(
            kind_of(shown[key]) == kind_of(value) for key, value in metadata.items()
        )

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text().strip() if item is not None else ""

    def _kind(self, row: int) -> str:
        kinds = self.table.cellWidget(row, 2)
        return kinds.currentText() if isinstance(kinds, QComboBox) else KINDS[0]

    def _enable(self) -> None:
        rows = min(max(self.table.rowCount(), _LEAST_ROWS), _MOST_ROWS)
        self.table.setFixedHeight(_ROW * (rows + 1) + 4)
        self.add.setEnabled(self.table.rowCount() < MAX_GEOFENCE_KEYS)
        self.remove.setEnabled(self.table.currentRow() >= 0)
