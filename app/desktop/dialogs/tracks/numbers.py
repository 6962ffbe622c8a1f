"""Input of a few numbers for an operation on a track, which validates them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from app.desktop.model.words import error_text
from app.desktop.panels.fields.numbers import NumberBox, take_all
from app.desktop.panels.layouts import in_dialog
from app.desktop.panels.widgets import Field, label
from engine.domain.errors import InvalidParameter


class NumberField(Struct, frozen=True):
    """A number to enter. If `unset` is given, the field may be left empty and then shows this text."""

    param: str
    text: str
    unit: str
    value: float | None
    unset: str = ""


class NumbersDialog(QDialog):
    """Emits the numbers by their parameters. The dialog stays open until the operation succeeds."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, title: str, text: str, fields: Sequence[NumberField], accept: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(380)
        layout = in_dialog(self, label(text, wrap=True))
        self.boxes: dict[str, NumberBox] = {}
        self.fields: dict[str, Field] = {}
        for each in fields:
            box = NumberBox(each.unit, unset=each.unset)
            box.set_number(each.value)
            self.boxes[each.param] = box
            self.fields[each.param] = Field(each.text, box)
            layout.addWidget(self.fields[each.param])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(accept)
        buttons.accepted.connect(self._choose)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)

    def refuse(self, error: Exception) -> None:
        """Show an error at its field, or at the first."""
        self.ok.setEnabled(True)
        param = error.param if isinstance(error, InvalidParameter) else ""
        field = self.fields.get(param) or next(iter(self.fields.values()))
        field.show_error(error_text(error))

    def _choose(self) -> None:
        for field in self.fields.values():
            field.show_error(None)
        if not take_all(self.boxes.values()):
            return
        self.ok.setEnabled(False)
        self.chosen.emit({param: box.number() for param, box in self.boxes.items()})
