"""A delivery, or what the built-in receiver got, in full."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.panels.widgets import EmptyState, button, panel


class DeliveryPage(QWidget):
    """What was sent, or received, and what became of it."""

    resend_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName("Delivery")
        self.text.setTabChangesFocus(True)
        self.resend = button("Resend", self.resend_requested.emit)
        row = QHBoxLayout()
        row.addWidget(self.resend)
        row.addStretch(1)
        body, inner = panel(margins=12)
        inner.addWidget(self.text, 1)
        inner.addLayout(row)
        self._stack = QStackedWidget()
        self._stack.addWidget(
            EmptyState("No delivery selected", "Select one in the list of webhook deliveries.", narrow=True)
        )
        self._stack.addWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Narrow enough to leave room for the map."""
        return QSize(240, 120)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Wide enough for an event."""
        return QSize(304, 400)

    def show_text(self, text: str, *, can_resend: bool = False) -> None:
        """Show a text, or what to do where it is empty."""
        self._stack.setCurrentIndex(1 if text else 0)
        self.resend.setVisible(can_resend)
        if self.text.toPlainText() != text:
            self.text.setPlainText(text)
