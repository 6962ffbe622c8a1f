"""The banner over the map that indicates a sandbox."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.desktop.language import tr
from app.desktop.panels.layouts import in_row
from app.desktop.panels.widgets import GRID, button, label

TEXT = tr("Sandbox: nobody else sees these geofences.")
_TOP, _SIDE = 48, 12


class SandboxBanner(QFrame):
    """A banner at the upper edge of the map while geofences are edited in a sandbox."""

    replay_requested = Signal()
    keep_requested = Signal()
    discard_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("SandboxBanner")
        self.text = label(TEXT, "strong")
        self.edits = label("", "muted")
        self.replay = button(tr("Replay"), self.replay_requested.emit, "primary")
        self.keep = button(tr("Keep"), self.keep_requested.emit)
        self.discard = button(tr("Discard"), self.discard_requested.emit)
        in_row(
            self.text, self.edits, self.replay, self.keep, self.discard, of=self, margins=(12, 6, 6, 6), spacing=GRID
        )
        self.hide()

    def lie_over(self, widget: QWidget) -> None:
        """Place the banner over a widget, in the middle of its upper edge."""
        self.setParent(widget)
        widget.installEventFilter(self)

    def show_sandbox(self, text: str | None) -> None:
        """Describe the sandbox, or hide the banner if the text is None."""
        self.setVisible(text is not None)
        self.edits.setText(text or "")
        self.place()

    def place(self) -> None:
        """Set the size and the position within the available width."""
        over = self.parentWidget()
        if over is None:
            return
        self.adjustSize()
        width = min(self.sizeHint().width(), over.width() - 2 * _SIDE)
        self.setGeometry((over.width() - width) // 2, _TOP, width, self.sizeHint().height())
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep the banner centred when the map is resized."""
        if event.type() is QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)
