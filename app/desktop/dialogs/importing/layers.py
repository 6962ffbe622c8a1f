"""Choice of the layer to import from a file, or of the sheet of an Excel file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.desktop.language import tr
from app.desktop.model.importing import WHOLE, Part
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import button, caption


class LayerDialog(QDialog):
    """Asks the user for one of the layers or sheets, of which the current one is chosen at first."""

    decided = Signal(object)

    def __init__(
        self, parent: QWidget, name: str, layers: Sequence[str], sheets: Sequence[str] = (), current: Part = WHOLE
    ) -> None:
        super().__init__(parent)
        self._of_sheets = bool(sheets)
        title = tr("Sheets of {file_name}", file_name=name) if sheets else tr("Layers of {file_name}", file_name=name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(400)
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("Sheet") if sheets else tr("Layer"))
        self.choice.addItems(list(sheets or layers))
        self.choice.setCurrentText(current.sheet or current.layer or self.choice.itemText(0))
        if sheets:
            text = tr("The file has {count:,} sheets. Choose the one to import.", count=len(sheets))
        else:
            text = tr("The file has {count:,} layers. Choose the one to import.", count=len(layers))
        question = caption(text, self.choice, "muted")
        question.setWordWrap(True)
        self.accept_button = button(tr("Continue"), self.accept, "primary")
        buttons = in_row(STRETCH, self.accept_button, button(tr("Cancel"), self.reject))
        in_dialog(self, question, self.choice, buttons)

    def accept(self) -> None:
        """Emit the choice."""
        super().accept()
        name = self.choice.currentText()
        self.decided.emit(Part(sheet=name) if self._of_sheets else Part(layer=name))
