"""The line above the form that says how many geofences are selected, with the edit of all of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.desktop.language import tr
from app.desktop.panels.layouts import in_row
from app.desktop.panels.widgets import GRID, OneLine, button


class SeveralBar(QFrame):
    """It is there while several are selected."""

    edit_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Several")
        self.text = OneLine()
        self.edit = button(tr("Edit all…"), self.edit_requested.emit)
        in_row((self.text, 1), self.edit, of=self, margins=(12, GRID // 2, GRID, GRID // 2), spacing=GRID)
        self.show_count(0)

    def show_count(self, count: int) -> None:
        """Say how many are selected."""
        self.setVisible(count > 1)
        self.text.show_text(tr("{count:,} geofences selected", count=count))
