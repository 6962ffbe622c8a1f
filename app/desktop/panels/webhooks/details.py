"""Details of a delivery, or of a request to the built-in receiver."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit

from app.desktop.language import tr
from app.desktop.panels.layouts import STRETCH, in_row
from app.desktop.panels.side import SidePanel
from app.desktop.panels.widgets import EmptyState, button, panel


class DeliveryPage(SidePanel):
    """Request and response of a delivery, and its result."""

    resend_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(tr("Delivery"))
        self.text.setTabChangesFocus(True)
        self.resend = button(tr("Resend"), self.resend_requested.emit)
        row = in_row(self.resend, STRETCH)
        body, inner = panel(margins=12)
        inner.addWidget(self.text, 1)
        inner.addLayout(row)
        empty = EmptyState(tr("No delivery selected"), tr("Select one in the list of webhook deliveries."), narrow=True)
        self._stack = self._add_pages(empty, body)

    def show_text(self, text: str, *, can_resend: bool = False) -> None:
        """Show a text, or a hint if it is empty."""
        self._stack.setCurrentIndex(1 if text else 0)
        self.resend.setVisible(can_resend)
        if self.text.toPlainText() != text:
            self.text.setPlainText(text)
