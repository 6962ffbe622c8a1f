"""The line above the form that says how many geofences are selected."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.desktop.panels.widgets import GRID, OneLine


class SeveralBar(QFrame):
    """It is there while several are selected."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Several")
        self.text = OneLine()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, GRID // 2, GRID, GRID // 2)
        self._row.setSpacing(GRID)
        self._row.addWidget(self.text, 1)
        self.show_count(0)

    def show_count(self, count: int) -> None:
        """Say how many are selected."""
        self.setVisible(count > 1)
        self.text.show_text(f"{count:,} geofences selected")
