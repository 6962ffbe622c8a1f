"""A small panel over the map that displays a measurement during drawing or dragging."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.over_map import OverMap
from app.desktop.panels.widgets import GRID, label, tool_button

_WIDTH = 310
_BELOW, _BESIDE = 44, 8


class Readout(OverMap):
    """A panel at the lower left of the map with a title, a text, and optionally an accuracy."""

    accuracy_changed = Signal(float)
    closed = Signal()

    def __init__(self, map_view: QWidget, title: str, *, accuracy_m: float | None = None) -> None:
        super().__init__(map_view)
        self.setFixedWidth(_WIDTH)
        self.title = label(title, "label")
        self.text = label("", wrap=True)
        self.accuracy = NumberBox("m", decimals=1) if accuracy_m is not None else None
        self.copy_button = tool_button(tr("Copy"), self.copy)
        self.close_button = tool_button(tr("Close"), self.closed.emit)
        head = in_row((self.title, 1), spacing=GRID)
        if self.accuracy is not None:
            self.accuracy.setValue(accuracy_m or 0.0)
            self.accuracy.setAccessibleName(tr("Accuracy of the fixes"))
            self.accuracy.setToolTip(tr("Accuracy of the fixes"))
            self.accuracy.setFixedWidth(88)
            self.accuracy.valueChanged.connect(self.accuracy_changed)
            head.addWidget(self.accuracy)
        head.addWidget(self.copy_button)
        head.addWidget(self.close_button)
        self._lines = in_column(head, self.text, of=self, margins=(12, 6, 6, 10), spacing=4)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self.copy_button.setIcon(icon("copy", theme))
        self.close_button.setIcon(icon("x", theme))

    def read_out(self, text: str) -> None:
        """Show the text."""
        self.text.setText(text)
        self.show()
        self.raise_()
        self.place()

    def copy(self) -> None:
        """Copy the displayed text."""
        QGuiApplication.clipboard().setText(self.text.text())

    def place(self) -> None:
        """Move the panel to the lower left of the map."""
        # The height of wrapped text is known only for a given width.
        self.ensurePolished()
        self._lines.activate()
        self.resize(_WIDTH, self._lines.totalHeightForWidth(_WIDTH))
        self.move(_BESIDE, max(self._map.height() - self.height() - _BELOW, 0))
