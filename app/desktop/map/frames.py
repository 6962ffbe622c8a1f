"""Detection of rendered frames. Qt does not report them, so the page paints a mark in its corner."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

_LOOK_EVERY_MS = 15
_LOOKS = 100


def mark_color(background: str, number: int) -> str:
    """Return a colour that differs from the previous one, but not visibly."""
    color = QColor(background)
    return QColor(color.red(), color.green(), color.blue() ^ (1 + number % 3)).name()


class FrameWatch(QObject):
    """Watches the last pixel of a widget until it has the colour of the mark.

    If colours are not reproduced exactly (a screen with a colour profile), it gives up after a while and answers
    anyway. The frame has long been drawn by then.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: list[tuple[str, int, Callable[[], None]]] = []
        self._widget: QWidget | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)

    def wait(self, widget: QWidget | None, mark: str, then: Callable[[], None]) -> None:
        """Call `then` when the widget shows the mark, or at once if the widget is not visible."""
        if widget is None or not widget.isVisible():
            then()
            return
        self._widget = widget
        self._waiting.append((mark, _LOOKS, then))
        self._timer.start()

    def stop(self) -> None:
        """Drop all pending calls."""
        self._waiting.clear()
        self._timer.stop()

    def _look(self) -> None:
        color = self._last_pixel()
        # A later mark implies that the earlier frames were drawn.
        seen = max((at + 1 for at, (mark, _, _) in enumerate(self._waiting) if mark == color), default=0)
        given_up = sum(looks == 0 for _, looks, _ in self._waiting)
        answered = self._waiting[: max(seen, given_up)]
        self._waiting = [(mark, looks - 1, then) for mark, looks, then in self._waiting[len(answered) :]]
        if not self._waiting:
            self._timer.stop()
        for _, _, then in answered:
            then()

    def _last_pixel(self) -> str:
        if self._widget is None:
            return ""
        corner = QRect(self._widget.width() - 1, self._widget.height() - 1, 1, 1)
        image = self._widget.grab(corner).toImage()
        return image.pixelColor(image.width() - 1, image.height() - 1).name()
