"""Choice of the repairs of shapes in a file."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.desktop.language import number_text, tr
from app.desktop.model.editing.numbers import NotANumber, read_number
from app.desktop.model.importing import REPAIR_NAMES, Columns
from app.desktop.model.words import capital
from app.desktop.panels.bubble import Bubble
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import label, restyle
from engine.domain.errors import InvalidParameter
from engine.domain.imports import Repair, check_line_width

_WIDTH_PX: Final = 64
_WIDTH: Final = "width"


class RepairChoice(QWidget):
    """A switch for each repair, and the width of the areas that lines become."""

    changed = Signal()

    def __init__(self, shown: Columns) -> None:
        super().__init__()
        self.boxes = {repair: QCheckBox(REPAIR_NAMES[repair]) for repair in Repair}
        self.line_width = QLineEdit("" if shown.line_width_m is None else number_text(f"{shown.line_width_m:g}"))
        self.line_width.setAccessibleName(tr("Width of lines in metres"))
        self.line_width.setFixedWidth(_WIDTH_PX)
        self._error = Bubble(self.line_width, self.line_width)
        for repair, box in self.boxes.items():
            box.setChecked(repair in shown.repairs)
            box.toggled.connect(self._enable)
        lines = in_row(self.boxes[Repair.LINES], self.line_width, label(tr("m")), STRETCH, margins=0)
        others = [box for repair, box in self.boxes.items() if repair is not Repair.LINES]
        in_column(*others, lines, of=self, margins=0, spacing=4)
        self._enable()

    @property
    def chosen(self) -> frozenset[Repair]:
        """The checked repairs."""
        return frozenset(repair for repair, box in self.boxes.items() if box.isChecked())

    @property
    def line_width_m(self) -> float | None:
        """The entered width, if lines are repaired; raises `NotANumber` or `InvalidParameter`."""
        text = self.line_width.text().strip() if self.boxes[Repair.LINES].isChecked() else ""
        return check_line_width(read_number(text), _WIDTH) if text else None

    def check(self) -> bool:
        """Show an error if the width is missing or invalid, and return whether it is valid."""
        message = ""
        try:
            if self.line_width_m is None and self.boxes[Repair.LINES].isChecked():
                message = tr("Enter the width of the lines.")
        except NotANumber as error:
            message = capital(str(error))
        except InvalidParameter as error:
            message = capital(error.message.removeprefix(f"{_WIDTH}: "))
        self._error.show_text(message)
        self.line_width.setAccessibleDescription(message)
        restyle(self.line_width, "invalid", bool(message))
        return not message

    def _enable(self, *_: object) -> None:
        self.line_width.setEnabled(self.boxes[Repair.LINES].isChecked())
        self.changed.emit()
