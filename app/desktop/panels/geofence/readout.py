"""A small panel over the map that reads something out while the mouse draws or drags."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.icons import icon
from app.desktop.map.values import Theme
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.widgets import GRID, label, tool_button

_WIDTH = 310
_BELOW, _BESIDE = 44, 8


class Readout(QFrame):
    """A title, what is read out, and perhaps an accuracy to choose. It lies at the lower left of the map."""

    accuracy_changed = Signal(float)
    closed = Signal()

    def __init__(self, map_view: QWidget, title: str, *, accuracy_m: float | None = None) -> None:
        super().__init__(map_view)
        self._map = map_view
        self.setObjectName("Readout")
        self.setFixedWidth(_WIDTH)
        self.title = label(title, "label")
        self.text = label("", wrap=True)
        self.accuracy = NumberBox("m", decimals=1) if accuracy_m is not None else None
        self.copy_button = tool_button("Copy", self.copy)
        self.close_button = tool_button("Close", self.closed.emit)
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self.title, 1)
        if self.accuracy is not None:
            self.accuracy.setValue(accuracy_m or 0.0)
            self.accuracy.setAccessibleName("Accuracy of the fixes")
            self.accuracy.setToolTip("Accuracy of the fixes")
            self.accuracy.setFixedWidth(88)
            self.accuracy.valueChanged.connect(self.accuracy_changed)
            head.addWidget(self.accuracy)
        head.addWidget(self.copy_button)
        head.addWidget(self.close_button)
        self._lines = layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 10)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.text)
        map_view.installEventFilter(self)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self.copy_button.setIcon(icon("copy", theme))
        self.close_button.setIcon(icon("x", theme))

    def read_out(self, text: str) -> None:
        """Show a text."""
        self.text.setText(text)
        self.show()
        self.raise_()
        self._place()

    def copy(self) -> None:
        """Copy what is read out."""
        QGuiApplication.clipboard().setText(self.text.text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep the place over the map."""
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the size that the style sheet makes right."""
        super().showEvent(event)
        self._place()

    def _place(self) -> None:
        # A wrapped text says how high it is only for a width.
        self.ensurePolished()
        self._lines.activate()
        self.resize(_WIDTH, self._lines.totalHeightForWidth(_WIDTH))
        self.move(_BESIDE, max(self._map.height() - self.height() - _BELOW, 0))
