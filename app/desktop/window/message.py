"""A line over the map that reports errors and completed actions, with buttons for the next steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.panels.layouts import in_row
from app.desktop.panels.widgets import GRID, button, label, restyle, tool_button

type Kind = Literal["info", "error"]
type Offer = tuple[str, Callable[[], object]]

_INFO_MS = 6_000
_WIDEST = 560
_BESIDE, _BELOW = 56, 44
"""Room for the map's own buttons and lines, which stay visible."""


class MessageLine(QFrame):
    """Shows one message at a time; errors and kept messages stay until closed or replaced, others disappear.

    Each message has a number, by which it can be withdrawn once it is outdated. The line lies over the map, so that
    nothing moves under the mouse when it appears or disappears.
    """

    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Message")
        self._act: Callable[[], object] | None = None
        self._act_second: Callable[[], object] | None = None
        self._insists = False
        self._standing = ""
        self.number = 0
        """Number of the last message."""
        self.text = label(wrap=True)
        self.button = button("", self._on_button)
        self.second = button("", self._on_second)
        self.close_button = tool_button(tr("Close"), self.dismiss)
        in_row(
            (self.text, 1), self.button, self.second, self.close_button, of=self, margins=(12, 6, 6, 6), spacing=GRID
        )
        self._leave = QTimer(self, singleShot=True, interval=_INFO_MS)
        self._leave.timeout.connect(self.dismiss)
        self.hide()

    def lie_over(self, widget: QWidget) -> None:
        """Show the messages over a widget, at the middle of its lower edge."""
        self.setParent(widget)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep the position when the widget is resized."""
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        around = self.parentWidget()
        if around is None:
            return
        width = min(_WIDEST, around.width() - 2 * _BESIDE)
        # The height of the text depends on the width that the buttons leave.
        height = max(self.heightForWidth(width), self.minimumSizeHint().height())
        self.setGeometry((around.width() - width) // 2, max(around.height() - height - _BELOW, 0), width, height)

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the icon."""
        self.close_button.setIcon(icon("x", theme))

    def show_info(self, text: str, offer: str = "", act: Callable[[], object] | None = None) -> None:
        """Report a completed action."""
        self._leave.start()
        self._show("info", text, offer, act)

    def keep(self, text: str, first: Offer | None = None, second: Offer | None = None) -> None:
        """Report an event that the user did not initiate, with the possible next steps."""
        self._leave.stop()
        self._show("info", text, *(first or ("", None)))
        self._offer_second(second)

    def complain(self, text: str, offer: str = "", act: Callable[[], object] | None = None) -> None:
        """Report an error unless it is a consequence of the standing problem."""
        if self._standing and self._standing in text:
            return
        self._leave.stop()
        self._show("error", text, offer, act)

    def withdraw(self, number: int) -> None:
        """Remove the message with this number if it is still shown."""
        if number == self.number:
            self.dismiss()

    def insist(self, text: str, first: Offer, second: Offer) -> None:
        """Report a lasting problem with two remedies; the message cannot be closed."""
        self.complain(text, *first)
        self._offer_second(second)
        self._insists = True
        self.close_button.hide()

    def stand(self, text: str, first: Offer, second: Offer) -> None:
        """Report a problem that is the cause of further errors, which are suppressed until `settle`."""
        self.settle()
        self.insist(text, first, second)
        self._standing = text

    def settle(self) -> None:
        """Allow other errors to be shown again."""
        self._standing = ""

    def dismiss(self) -> None:
        """Remove the message."""
        self._leave.stop()
        self._act = self._act_second = None
        self.hide()
        self.dismissed.emit()

    def _show(self, kind: Kind, text: str, offer: str, act: Callable[[], object] | None) -> None:
        self.number += 1
        self.text.setText(text)
        self._act, self._insists = act, False
        self.button.setText(offer)
        self.button.setVisible(bool(offer))
        self._offer_second(None)
        self.close_button.show()
        restyle(self, "kind", kind)
        self.show()
        self.raise_()

    def _offer_second(self, offer: Offer | None) -> None:
        text, self._act_second = offer or ("", None)
        self.second.setText(text)
        self.second.setVisible(offer is not None)
        self._place()

    def _on_button(self) -> None:
        self._do(self._act)

    def _on_second(self) -> None:
        self._do(self._act_second)

    def _do(self, act: Callable[[], object] | None) -> None:
        if not self._insists:
            self.dismiss()
        if act is not None:
            act()
