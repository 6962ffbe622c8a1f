"""The only object shared by the page and the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot


class MapBridge(QObject):
    """Passes texts in both directions; `messages` and `outbox` interpret them."""

    command = Signal(str)

    def __init__(self, receive: Callable[[str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._receive = receive

    @Slot(str)
    def post(self, text: str) -> None:
        """Receive a text from the page."""
        self._receive(text)
