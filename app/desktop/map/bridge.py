"""The one object the page and the window share."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot


class MapBridge(QObject):
    """Texts in both directions; what they mean is known to `messages` and `outbox`."""

    command = Signal(str)

    def __init__(self, receive: Callable[[str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._receive = receive

    @Slot(str)
    def post(self, text: str) -> None:
        """Called by the page."""
        self._receive(text)
