"""Mapping of a file's columns to the fields of a geofence."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QLineEdit, QScrollArea, QWidget

from app.desktop.language import number_text, tr
from app.desktop.model.editing.numbers import NotANumber, read_number
from app.desktop.model.importing import FIELDS, NEEDED, NUMBERS, Columns, field_name
from app.desktop.model.words import capital
from app.desktop.panels.bubble import Bubble
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import GRID, Field, button, caption, label, restyle
from engine.domain.imports import ALL_REPAIRS, NO_REPAIRS

_NOTHING = "—"
_VALUE = tr("Same value for all rows")
_RULE = tr("Rule for the external ID")
_ID = "externalId"


class FieldRow:
    """The mapping of one field: a column, one value for all rows, or nothing."""

    def __init__(self, field: str, columns: Sequence[str]) -> None:
        self.field = field
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(field_name(field))
        self.choice.addItem(_NOTHING)
        self.choice.addItem(_VALUE)
        self.choice.addItems(list(columns))
        self.value = QLineEdit()
        self.value.setAccessibleName(tr("{field_name}: value", field_name=field_name(field)))
        self._error = Bubble(self.value, self.value)
        self.choice.currentIndexChanged.connect(self._enable)
        self._enable()

    def show(self, columns: Columns) -> None:
        """Show the current or suggested mapping."""
        if self.field in columns.mapping:
            self.choice.setCurrentIndex(
                max(0, self.choice.findText(columns.mapping[self.field], Qt.MatchFlag.MatchExactly))
            )
        elif self.field in columns.fixed:
            self.choice.setCurrentText(_VALUE)
            value = columns.fixed[self.field]
            self.value.setText(number_text(value) if self.field in NUMBERS else value)

    @property
    def is_given(self) -> bool:
        """Whether a column or a value is given."""
        return self.column is not None or (self.choice.currentIndex() == 1 and bool(self.value.text()))

    @property
    def column(self) -> str | None:
        """The chosen column."""
        return self.choice.currentText() if self.choice.currentIndex() > 1 else None

    @property
    def fixed(self) -> str | None:
        """The entered value, with a number spelled as in files."""
        text = self.value.text() if self.choice.currentIndex() == 1 else ""
        if self.field in NUMBERS and text:
            return repr(read_number(text))
        return text or None

    def check(self) -> bool:
        """Show an error if the entered number is invalid, and return whether it is valid."""
        message = ""
        try:
            _ = self.fixed
        except NotANumber as error:
            message = capital(str(error))
        self._error.show_text(message)
        self.value.setAccessibleDescription(message)
        restyle(self.value, "invalid", bool(message))
        return not message

    def _enable(self, *_: object) -> None:
        self.value.setVisible(self.choice.currentIndex() == 1)


class ColumnsDialog(QDialog):
    """Asks the user for the columns; `message` explains the reason for the question."""

    decided = Signal(object)

    def __init__(self, parent: QWidget, name: str, columns: Sequence[str], shown: Columns, message: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Columns of {file_name}", file_name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(560, 640)
        self.rows = {field: FieldRow(field, columns) for field in FIELDS}
        for row in self.rows.values():
            row.show(shown)
            row.choice.currentIndexChanged.connect(self._enable)
            row.value.textChanged.connect(self._enable)
        self.rule = QLineEdit(shown.id or "")
        self.rule.setPlaceholderText("{ZONE}-{NR}")
        self.rule.setAccessibleName(_RULE)
        self.rule.textChanged.connect(self._enable)
        self.repair = QCheckBox(tr("Repair polygons that cross themselves, have holes or too many vertices"))
        self.repair.setChecked(bool(shown.repairs))
        self.accept_button = button(tr("Continue"), self.accept, "primary")
        self.cancel = button(tr("Cancel"), self.reject)
        self._arrange(message)
        self._enable()

    def accept(self) -> None:
        """Emit the mapping, or show which values are not numbers."""
        wrong = [row for row in self.rows.values() if not row.check()]
        if wrong:
            return
        super().accept()
        rule = self.rule.text().strip() or None
        rows = {field: row for field, row in self.rows.items() if rule is None or field != _ID}
        mapping = {field: row.column for field, row in rows.items() if row.column is not None}
        fixed = {field: row.fixed for field, row in rows.items() if row.fixed is not None}
        repairs = ALL_REPAIRS if self.repair.isChecked() else NO_REPAIRS
        self.decided.emit(Columns(mapping, fixed, rule, repairs))

    def _enable(self, *_: object) -> None:
        has_rule = bool(self.rule.text().strip())
        for editor in (self.rows[_ID].choice, self.rows[_ID].value):
            editor.setEnabled(not has_rule)
        given = {field for field, row in self.rows.items() if row.is_given} | ({_ID} if has_rule else set())
        self.accept_button.setEnabled(given >= NEEDED)

    def _arrange(self, message: str) -> None:
        layout = in_dialog(self)
        if message:
            layout.addWidget(label(message, "muted", wrap=True))
        inner = QWidget()
        grid = QGridLayout(inner)
        grid.setContentsMargins(0, 0, GRID, 0)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        for at, (field, row) in enumerate(self.rows.items()):
            title = field_name(field)
            grid.addWidget(caption(f"{title} *" if field in NEEDED else title, row.choice, ""), at, 0)
            grid.addWidget(row.choice, at, 1)
            grid.addWidget(row.value, at, 2)
        grid.setRowStretch(len(self.rows), 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(inner)
        layout.addWidget(scroll, 1)
        layout.addWidget(Field(_RULE, self.rule, hint=tr("Instead of one column, columns in braces.")))
        layout.addWidget(self.repair)
        layout.addLayout(in_row(STRETCH, self.accept_button, self.cancel))
