"""A line over the map that says what went wrong or what was done, with at most one thing to do about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.desktop.icons import icon
from app.desktop.map.values import Theme
from app.desktop.panels.widgets import GRID, button, label, restyle, tool_button

type Kind = Literal["info", "error"]

_INFO_MS = 6_000


class MessageLine(QFrame):
    """An error stays until it is closed or another message comes; the rest goes by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Message")
        self._act: Callable[[], object] | None = None
        self.text = label(wrap=True)
        self.button = button("", self._on_button)
        self.close_button = tool_button("Close", self.dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.setSpacing(GRID)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.button)
        layout.addWidget(self.close_button)
        self._leave = QTimer(self, singleShot=True, interval=_INFO_MS)
        self._leave.timeout.connect(self.dismiss)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Colour the icon."""
        self.close_button.setIcon(icon("x", theme))

    def say(self, text: str, offer: str = "", act: Callable[[], object] | None = None) -> None:
        """Tell what was done."""
        self._show("info", text, offer, act)
        self._leave.start()

    def complain(self, text: str, offer: str = "", act: Callable[[], object] | None = None) -> None:
        """Tell what went wrong."""
        self._show("error", text, offer, act)
        self._leave.stop()

    def dismiss(self) -> None:
        """Take the message away."""
        self._leave.stop()
        self._act = None
        self.hide()

    def _show(self, kind: Kind, text: str, offer: str, act: Callable[[], object] | None) -> None:
        self.text.setText(text)
        self._act = act
        self.button.setText(offer)
        self.button.setVisible(bool(offer))
        restyle(self, "kind", kind)
        self.show()

    def _on_button(self) -> None:
        act = self._act
        self.dismiss()
        if act is not None:
            act()
