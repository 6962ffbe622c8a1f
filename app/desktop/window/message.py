"""A line over the map that says what went wrong or what was done, with what can be done about it."""

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
"""Room for the map's own buttons and lines, which stay in sight."""


class MessageLine(QFrame):
    """An error, or what is kept, stays until it is closed or another message comes; the rest goes by itself.

    Each message has a number, by which it is withdrawn when what it says or offers does not hold any more. It lies
    over the map: nothing moves below the mouse when it comes or goes.
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
        """Of the last message."""
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
        """Be shown over a widget, in the middle of its lower edge."""
        self.setParent(widget)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep the place over the widget."""
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        around = self.parentWidget()
        if around is None:
            return
        width = min(_WIDEST, around.width() - 2 * _BESIDE)
        # What the text needs depends on the width that the buttons leave it.
        height = max(self.heightForWidth(width), self.minimumSizeHint().height())
        self.setGeometry((around.width() - width) // 2, max(around.height() - height - _BELOW, 0), width, height)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icon."""
        self.close_button.setIcon(icon("x", theme))

    def say(self, text: str, offer: str = "", act: Callable[[], object] | None = None) -> None:
        """Tell what was done."""
        self._leave.start()
        self._show("info", text, offer, act)

    def keep(self, text: str, first: Offer | None = None, second: Offer | None = None) -> None:
        """Tell what happened without anybody asking for it, and what can be done."""
        self._leave.stop()
        self._show("info", text, *(first or ("", None)))
        self._offer_second(second)

    def complain(self, text: str, offer: str = "", act: Callable[[], object] | None = None) -> None:
        """Tell what went wrong, unless that follows from what stands."""
        if self._standing and self._standing in text:
            return
        self._leave.stop()
        self._show("error", text, offer, act)

    def withdraw(self, number: int) -> None:
        """Take the message with this number away, if it is still there."""
        if number == self.number:
            self.dismiss()

    def insist(self, text: str, first: Offer, second: Offer) -> None:
        """Tell what stays the matter until one of two things helps; it cannot be closed."""
        self.complain(text, *first)
        self._offer_second(second)
        self._insists = True
        self.close_button.hide()

    def stand(self, text: str, first: Offer, second: Offer) -> None:
        """Insist on what everything else that goes wrong follows from, until `settle`."""
        self.settle()
        self.insist(text, first, second)
        self._standing = text

    def settle(self) -> None:
        """Let other errors be shown again."""
        self._standing = ""

    def dismiss(self) -> None:
        """Take the message away."""
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
