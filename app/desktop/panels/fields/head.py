"""Head of a form: a description of the record, or a note that it was deleted while being edited."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.desktop.language import tr
from app.desktop.panels.layouts import in_row
from app.desktop.panels.widgets import GRID, button, label, restyle, tip_text

_HEIGHT = 28


class RecordHead(QWidget):
    """A single line of constant height, so that nothing below it moves."""

    restore_requested = Signal()
    discard_requested = Signal()

    def __init__(self, noun: str) -> None:
        super().__init__()
        self.setObjectName("RecordHead")
        self._swatch = QLabel()
        self.text = label(role="muted")
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.restore = button(tr("Restore"), self.restore_requested.emit)
        self.discard = button(tr("Discard"), self.discard_requested.emit)
        self.restore.setToolTip(tip_text(tr("Restore the {record_type} with your edits", record_type=noun)))
        self.discard.setToolTip(tr("Leave it deleted and discard your edits"))
        row = in_row(self._swatch, (self.text, 1), of=self, margins=0, spacing=6)
        for each in (self.restore, self.discard):
            each.hide()
            row.addWidget(each)
        row.setSpacing(GRID)
        self.setFixedHeight(_HEIGHT)

    def show_record(self, text: str, swatch: QPixmap | None = None) -> None:
        """Show a description of the record with its colour."""
        self._swatch.setVisible(swatch is not None)
        if swatch is not None:
            self._swatch.setPixmap(swatch)
        self._show(text, lost=False)

    def show_lost(self) -> None:
        """Show that the record was deleted, with the available actions."""
        self._show(tr("Deleted remotely"), lost=True)

    def _show(self, text: str, *, lost: bool) -> None:
        self.text.setText(text)
        restyle(self.text, "role", "error" if lost else "muted")
        self.restore.setVisible(lost)
        self.discard.setVisible(lost)
