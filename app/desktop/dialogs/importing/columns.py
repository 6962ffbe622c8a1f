"""Mapping of a file's columns to the fields of a geofence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QScrollArea, QWidget

from app.desktop.dialogs.importing.encodings import EncodingChoice
from app.desktop.dialogs.importing.metadata import MetadataChoice
from app.desktop.dialogs.importing.repairs import RepairChoice
from app.desktop.language import number_text, tr
from app.desktop.model.editing.numbers import NotANumber, read_number
from app.desktop.model.importing import FIELDS, MADE_NAMES, NEEDED, NUMBERS, Columns, field_name, samples_text
from app.desktop.model.words import capital
from app.desktop.panels.bubble import Bubble
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import GRID, OneLine, button, caption, label, restyle
from engine.domain.imports import NOTHING, Column, Encoding
from engine.geofences.imports.rows import FORMAT

_NOTHING = "—"
_VALUE = tr("Same value for all rows")
_RULE = tr("Rule for the external ID")
_ID = "externalId"


class FieldRow:
    """The mapping of one field: a column, one value for all rows, or nothing."""

    def __init__(self, field: str, columns: Sequence[str], samples: Mapping[str, str] = NOTHING) -> None:
        self.field = field
        self._samples = samples
        self.sample = OneLine()
        restyle(self.sample, "role", "muted")
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(field_name(field))
        self.choice.addItem(_NOTHING)
        self.choice.addItem(_VALUE)
        self.choice.addItems(list(columns))
        self.value = QLineEdit()
        self.value.setAccessibleName(tr("{field_name}: value", field_name=field_name(field)))
        self._error = Bubble(self.value, self.value)
        self.choice.currentIndexChanged.connect(self._on_choice)
        self._on_choice()

    def show(self, columns: Columns) -> None:
        """Show the current or suggested mapping."""
        if self.field in columns.mapping:
            self.choice.setCurrentIndex(
                max(0, self.choice.findText(columns.mapping[self.field], Qt.MatchFlag.MatchExactly))
            )
        elif self.field in columns.fixed:
            self.choice.setCurrentText(_VALUE)
        value = columns.fixed.get(self.field, "")
        self.value.setText(number_text(value) if value and self.field in NUMBERS else value)

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
        """The entered value for all rows, or for those without one, with a number spelled as in files."""
        text = self.value.text() if self.choice.currentIndex() > 0 else ""
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

    def _on_choice(self, *_: object) -> None:
        self.value.setVisible(self.choice.currentIndex() > 0)
        self.value.setPlaceholderText(tr("If a row has none") if self.column is not None else "")
        self.sample.show_text(self._samples.get(self.column or "", ""))
        self.sample.setVisible(self.column is not None)


class IdRow(FieldRow):
    """The column of the external ID, or the way it is made of others."""

    def __init__(self, field: str, columns: Sequence[str], samples: Mapping[str, str] = NOTHING) -> None:
        super().__init__(field, columns, samples)
        self._made: str | None = None
        self.choice.insertItems(2, list(MADE_NAMES.values()))

    def show(self, columns: Columns) -> None:
        """Show the current or suggested external ID."""
        if columns.id is not None and columns.id in MADE_NAMES:
            self.choice.setCurrentText(MADE_NAMES[columns.id])
        else:
            super().show(columns)

    @property
    def made(self) -> str | None:
        """The way in which the external ID is made, unless by a rule."""
        at = self.choice.currentIndex() - 2
        return tuple(MADE_NAMES)[at] if 0 <= at < len(MADE_NAMES) else None

    @property
    def is_given(self) -> bool:
        """Whether a column, a value or a way is given."""
        return self.made is not None or super().is_given

    @property
    def column(self) -> str | None:
        """The chosen column."""
        return self.choice.currentText() if self.choice.currentIndex() > 1 + len(MADE_NAMES) else None

    @property
    def fixed(self) -> str | None:
        """The entered value for all rows."""
        return None if self.made is not None else super().fixed

    def _on_choice(self, *_: object) -> None:
        super()._on_choice()
        self.value.setVisible(self.choice.currentIndex() == 1)


class ColumnsDialog(QDialog):
    """Asks the user for the columns; `message` explains the reason for the question."""

    decided = Signal(object)

    encoding_chosen = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        name: str,
        columns: Sequence[str],
        shown: Columns,
        message: str = "",
        *,
        encoding: EncodingChoice | None = None,
        details: Sequence[Column] = (),
    ) -> None:
        super().__init__(parent)
        self.encoding = encoding or EncodingChoice(None, None)
        self.encoding.chosen.connect(self._on_encoding)
        self.setWindowTitle(tr("Columns of {file_name}", file_name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(800, 720)
        self._columns, self._shown = tuple(columns), shown
        samples = {column.name: samples_text(column) for column in details}
        self.rows = {field: (IdRow if field == _ID else FieldRow)(field, columns, samples) for field in FIELDS}
        for row in self.rows.values():
            row.show(shown)
            row.choice.currentIndexChanged.connect(self._enable)
            row.value.textChanged.connect(self._enable)
        self.rule = QLineEdit("" if shown.id in MADE_NAMES else shown.id or "")
        self.rule.setPlaceholderText(tr("{example}: columns in braces, instead of one column", example="{ZONE}-{NR}"))
        self.rule.setAccessibleName(_RULE)
        self.rule.textChanged.connect(self._enable)
        self.metadata = MetadataChoice(details or tuple(map(Column, filter(None, columns))), shown.metadata)
        self.metadata.changed.connect(self._enable)
        self.repairs = RepairChoice(shown)
        self.accept_button = button(tr("Continue"), self.accept, "primary")
        self.cancel = button(tr("Cancel"), self.reject)
        self._arrange(message)
        self._enable()

    def accept(self) -> None:
        """Emit the mapping, or show which values are not numbers."""
        wrong = [row for row in self.rows.values() if not row.check()]
        if wrong or not self.repairs.check():
            return
        super().accept()
        id_row, rule = self.rows[_ID], self.rule.text().strip() or None
        made = rule or (id_row.made if isinstance(id_row, IdRow) else None)
        rows = {field: row for field, row in self.rows.items() if made is None or field != _ID}
        mapping = {field: row.column or "" for field, row in rows.items() if row.column or self._is_hidden(row)}
        fixed = {field: row.fixed for field, row in rows.items() if row.fixed is not None}
        repairs = self.repairs.chosen, self.repairs.line_width_m
        self.decided.emit(Columns(self._others() | mapping, fixed, made, *repairs, self.metadata.chosen))

    def _others(self) -> dict[str, str]:
        """Return the columns of fields that the dialog does not show, such as single keys of the metadata."""
        return {field: column for field, column in self._shown.mapping.items() if field not in self.rows}

    def _is_hidden(self, row: FieldRow) -> bool:
        """Return whether a field has no column although one has its name."""
        return row.choice.currentIndex() == 0 and row.field in FORMAT.named(self._columns)

    def _on_encoding(self, encoding: Encoding | None) -> None:
        self.done(QDialog.DialogCode.Accepted)
        self.encoding_chosen.emit(encoding)

    def _enable(self, *_: object) -> None:
        has_rule = bool(self.rule.text().strip())
        for editor in (self.rows[_ID].choice, self.rows[_ID].value):
            editor.setEnabled(not has_rule)
        given = {field for field, row in self.rows.items() if row.is_given} | ({_ID} if has_rule else set())
        used = {*self._others().values(), *(row.column for row in self.rows.values() if row.column)}
        self.metadata.show_used(used)
        self.accept_button.setEnabled(given >= NEEDED and self.metadata.is_valid)

    def _arrange(self, message: str) -> None:
        layout = in_dialog(self)
        if message:
            layout.addWidget(label(message, "muted", wrap=True))
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(self._fields())
        layout.addWidget(scroll, 3)
        layout.addWidget(label(tr("Other columns as metadata"), "label"))
        layout.addWidget(self.metadata, 2)
        layout.addWidget(label(tr("Repairs of shapes"), "label"))
        layout.addWidget(self.repairs)
        layout.addLayout(in_row(STRETCH, self.accept_button, self.cancel))

    def _fields(self) -> QWidget:
        inner = QWidget()
        grid = QGridLayout(inner)
        grid.setContentsMargins(0, 0, GRID, 0)
        for column, stretch in ((1, 2), (2, 3)):
            grid.setColumnStretch(column, stretch)
        for row in self.rows.values():
            at, title = grid.rowCount(), field_name(row.field)
            grid.addWidget(caption(f"{title} *" if row.field in NEEDED else title, row.choice, ""), at, 0)
            grid.addWidget(row.choice, at, 1)
            grid.addLayout(in_row((row.sample, 3), (row.value, 2), margins=0), at, 2)
            if row.field == _ID:
                grid.addWidget(caption(_RULE, self.rule, ""), at + 1, 0)
                grid.addWidget(self.rule, at + 1, 1, 1, 2)
        grid.setRowStretch(grid.rowCount(), 1)
        return inner
