"""Choice of the layer to import from a file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.desktop.language import tr
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import button, caption


class LayerDialog(QDialog):
    """Asks the user for one of the layers."""

    decided = Signal(str)

    def __init__(self, parent: QWidget, name: str, layers: Sequence[str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Layers of {file_name}", file_name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(400)
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("Layer"))
        self.choice.addItems(list(layers))
        text = tr("The file has {count:,} layers. Choose the one to import.", count=len(layers))
        question = caption(text, self.choice, "muted")
        question.setWordWrap(True)
        self.accept_button = button(tr("Continue"), self.accept, "primary")
        buttons = in_row(STRETCH, self.accept_button, button(tr("Cancel"), self.reject))
        in_dialog(self, question, self.choice, buttons)

    def accept(self) -> None:
        """Emit the choice."""
        super().accept()
        self.decided.emit(self.choice.currentText())
