"""A small panel over the map."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QWidget


class OverMap(QFrame):
    """A panel that keeps its position over the map when the map is resized. It is hidden at first."""

    def __init__(self, map_view: QWidget) -> None:
        super().__init__(map_view)
        self._map = map_view
        self.setObjectName("Readout")
        map_view.installEventFilter(self)
        self.hide()

    def place(self) -> None:
        """Set the size and the position of the panel."""
        raise NotImplementedError

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep the position over the map."""
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Adopt the size from the style sheet."""
        super().showEvent(event)
        self.place()
