"""The bar above the form with the number of selected geofences and a button to edit them all."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.desktop.language import tr
from app.desktop.panels.layouts import in_row
from app.desktop.panels.widgets import GRID, OneLine, button


class SeveralBar(QFrame):
    """A bar that is visible while several geofences are selected."""

    edit_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Several")
        self.text = OneLine()
        self.edit = button(tr("Edit all…"), self.edit_requested.emit)
        in_row((self.text, 1), self.edit, of=self, margins=(12, GRID // 2, GRID, GRID // 2), spacing=GRID)
        self.show_count(0)

    def show_count(self, count: int) -> None:
        """Show how many geofences are selected."""
        self.setVisible(count > 1)
        self.text.show_text(tr("{count:,} geofences selected", count=count))
