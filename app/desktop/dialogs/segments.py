"""The editor of segments: a list of them, and the conditions of the selected one."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QListWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.model.editing.metadata import KINDS
from app.desktop.model.editing.segments import (
    COMPARISONS,
    FIELDS,
    NEW_CONDITION,
    Row,
    condition_of,
    new_segment,
    row_of,
)
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, EmptyState, Field, button, caption
from engine.domain.errors import InvalidParameter
from engine.domain.settings import MAX_CONDITIONS, MAX_SEGMENTS, Comparison, Condition, SegmentRule
from engine.domain.values import replace

_ROW = 30
_DESCRIPTION = tr(
    "A segment is a group of users whose device, metadata or other fields meet its "
    "conditions. Responses and events list the segments of their user."
)
_FIELD, _COMPARISON, _VALUE, _KIND = range(4)


class ConditionTable(QTableWidget):
    """A table of conditions: field, comparison, value and kind of value."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__(0, 4)
        self.setObjectName("ConditionTable")
        self.setHorizontalHeaderLabels([tr("Field"), tr("Comparison"), tr("Value"), tr("Kind")])
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        self.setShowGrid(False)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(_VALUE, QHeaderView.ResizeMode.Stretch)
        for column, width in ((_FIELD, 132), (_COMPARISON, 124), (_KIND, 88)):
            header.resizeSection(column, width)
        self.itemChanged.connect(lambda _: self.edited.emit())

    def show_conditions(self, conditions: tuple[Condition, ...]) -> None:
        """Show conditions, unless the table has them already: the user may be typing in it."""
        if self._has_conditions(conditions):
            return
        with QSignalBlocker(self):
            self.setRowCount(0)
            for condition in conditions:
                self._append(row_of(condition))

    def conditions(self) -> tuple[Condition, ...]:
        """Return the conditions of the rows. Raises `InvalidParameter` for ``segments`` if one is invalid."""
        return tuple(condition_of(self._row(number)) for number in range(self.rowCount()))

    def add(self) -> None:
        """Add a row."""
        with QSignalBlocker(self):
            self._append(row_of(NEW_CONDITION))
        self.setCurrentCell(self.rowCount() - 1, _FIELD)
        self.edited.emit()

    def remove(self) -> None:
        """Remove the current row, or the last one."""
        row = self.currentRow() if self.currentRow() >= 0 else self.rowCount() - 1
        if row >= 0:
            self.removeRow(row)
            self.edited.emit()

    def _has_conditions(self, conditions: tuple[Condition, ...]) -> bool:
        try:
            return self.conditions() == conditions
        except InvalidParameter:
            return False

    def _append(self, row: Row) -> None:
        number = self.rowCount()
        self.insertRow(number)
        field = ChoiceBox()
        field.setEditable(True)
        field.addItems(FIELDS)
        field.setCurrentText(row.field)
        field.setAccessibleName(tr("Field"))
        comparison = ChoiceBox()
        for text, value in COMPARISONS:
            comparison.addItem(text, value)
        comparison.setCurrentIndex(comparison.findData(row.comparison))
        comparison.setAccessibleName(tr("Comparison"))
        kind = ChoiceBox()
        kind.addItems(KINDS)
        kind.setCurrentText(row.kind)
        kind.setAccessibleName(tr("Kind of value"))
        for column, widget in ((_FIELD, field), (_COMPARISON, comparison), (_KIND, kind)):
            self.setCellWidget(number, column, widget)
        self.setItem(number, _VALUE, QTableWidgetItem(row.text))
        field.activated.connect(self._on_edited)
        line = field.lineEdit()
        assert line is not None
        line.editingFinished.connect(self._on_edited)
        comparison.activated.connect(self._on_edited)
        kind.activated.connect(self._on_edited)

    def _on_edited(self, *_: object) -> None:
        self.edited.emit()

    def _row(self, number: int) -> Row:
        item = self.item(number, _VALUE)
        comparison = self._box(number, _COMPARISON).currentData()
        return Row(
            self._box(number, _FIELD).currentText().strip(),
            Comparison(comparison),
            item.text().strip() if item is not None else "",
            self._box(number, _KIND).currentText(),
        )

    def _box(self, row: int, column: int) -> QComboBox:
        widget = self.cellWidget(row, column)
        assert isinstance(widget, QComboBox)
        return widget


class SegmentEdit(QWidget):
    """Emits all segments after a change by the user, or an error about a value."""

    committed = Signal(object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._segments: tuple[SegmentRule, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Segments"))
        self.list.setFixedWidth(150)
        self.description = TextLine()
        self.external_id = TextLine()
        self.conditions = ConditionTable()
        self.conditions.setAccessibleName(tr("Conditions"))
        self.add = button(tr("Add segment"), self._add)
        self.remove = button(tr("Remove segment"), self._remove)
        self.add_condition = button(tr("Add condition"), self.conditions.add)
        self.remove_condition = button(tr("Remove condition"), self.conditions.remove)
        self._detail = self._make_detail()
        self._empty = EmptyState(
            tr("No segments yet"), _DESCRIPTION, button(tr("Add the first segment"), self._add, "primary")
        )
        in_row(self._make_list(), (self._detail, 1), (self._empty, 1), of=self, margins=0, spacing=2 * GRID)
        self._connect()
        self._enable()

    def set_value(self, segments: tuple[SegmentRule, ...]) -> None:
        """Show segments."""
        chosen = max(self.list.currentRow(), 0)
        same = segments == self._segments and self.list.count() == len(segments)
        self._segments = segments
        if not same:
            self._fill_list(min(chosen, len(segments) - 1))
        self._show_current()

    def _fill_list(self, chosen: int) -> None:
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addItems([segment.description or segment.external_id for segment in self._segments])
            self.list.setCurrentRow(chosen)

    def _show_current(self, *_: object) -> None:
        segment = self._current()
        texts = (segment.description, segment.external_id) if segment is not None else ("", "")
        for line, text in zip((self.description, self.external_id), texts, strict=True):
            if line.text() != text and not (line.hasFocus() and line.isModified()):
                line.setText(text)
        self.conditions.show_conditions(segment.conditions if segment is not None else ())
        self._enable()

    def _current(self) -> SegmentRule | None:
        row = self.list.currentRow()
        return self._segments[row] if 0 <= row < len(self._segments) else None

    def _add(self) -> None:
        self._commit((*self._segments, new_segment(self._segments)), chosen=len(self._segments))

    def _remove(self) -> None:
        row = self.list.currentRow()
        self._commit(tuple(each for number, each in enumerate(self._segments) if number != row), chosen=row)

    def _on_edited(self) -> None:
        segment, row = self._current(), self.list.currentRow()
        if segment is None:
            return
        try:
            changed = replace(
                segment,
                description=self.description.text().strip(),
                external_id=self.external_id.text().strip(),
                conditions=self.conditions.conditions(),
            )
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return
        if changed != segment:
            self._commit((*self._segments[:row], changed, *self._segments[row + 1 :]), chosen=row)

    def _commit(self, segments: tuple[SegmentRule, ...], *, chosen: int) -> None:
        self._segments = segments
        self._fill_list(min(chosen, len(segments) - 1))
        self._show_current()
        self.committed.emit(segments)

    def _enable(self) -> None:
        segment = self._current()
        self._detail.setVisible(segment is not None)
        self._empty.setVisible(segment is None)
        self.remove.setEnabled(segment is not None)
        self.add.setEnabled(len(self._segments) < MAX_SEGMENTS)
        self.add_condition.setEnabled(self.conditions.rowCount() < MAX_CONDITIONS)
        self.remove_condition.setEnabled(self.conditions.rowCount() > 1)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._show_current)
        for line in (self.description, self.external_id):
            line.editingFinished.connect(self._on_edited)
        self.conditions.edited.connect(self._on_edited)

    def _make_list(self) -> QVBoxLayout:
        return in_column(self.list, self.add, self.remove, spacing=GRID)

    def _make_detail(self) -> QWidget:
        made = QWidget()
        in_column(
            in_row(
                Field(tr("Description"), self.description), Field(tr("External ID"), self.external_id), spacing=GRID
            ),
            caption(tr("Users who meet all of these conditions"), self.conditions),
            (self.conditions, 1),
            in_row(self.add_condition, self.remove_condition, STRETCH, spacing=GRID),
            of=made,
            margins=0,
            spacing=GRID,
        )
        return made
