"""The head of a geofence's form: its colour and shape, or that it was deleted while it was being edited."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.desktop.icons import dot
from app.desktop.model.words import shape_text
from app.desktop.panels.widgets import GRID, button, label, restyle
from engine.domain.geofence import Geofence

_HEIGHT = 28


class FenceHead(QWidget):
    """One line, always of the same height: nothing below it moves."""

    restore_requested = Signal()
    discard_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("FenceHead")
        self._swatch = QLabel()
        self.text = label(role="muted")
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.restore = button("Restore", self.restore_requested.emit)
        self.discard = button("Discard", self.discard_requested.emit)
        self.restore.setToolTip("Restore the geofence with your edits")
        self.discard.setToolTip("Leave it deleted and discard your edits")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._swatch)
        row.addWidget(self.text, 1)
        for each in (self.restore, self.discard):
            each.hide()
            row.addWidget(each)
        row.setSpacing(GRID)
        self.setFixedHeight(_HEIGHT)

    def show_fence(self, fence: Geofence, color: str) -> None:
        """Show what the geofence is."""
        self._swatch.setPixmap(dot(color, filled=fence.enabled).pixmap(12, 12))
        self._show(shape_text(fence), lost=False)

    def show_lost(self) -> None:
        """Tell that it is no more, and what can be done about that."""
        self._show("Deleted by another client", lost=True)

    def _show(self, text: str, *, lost: bool) -> None:
        self.text.setText(text)
        restyle(self.text, "role", "error" if lost else "muted")
        self.restore.setVisible(lost)
        self.discard.setVisible(lost)
