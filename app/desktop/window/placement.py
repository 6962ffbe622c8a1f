"""The position of the window on the screen, including its frame."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMainWindow, QStyle, QWidget

from app.desktop.memory import Memory
from app.desktop.window.layouts import Layouts

SMALLEST = QSize(960, 600)
"""Smallest size in which everything fits. On a smaller screen the window fills the screen."""

_FIRST = QSize(1280, 800)


class Placement:
    """Restores the window's last position, or sets an initial one, and keeps the window within the screen."""

    def __init__(self, window: QMainWindow, layouts: Layouts, memory: Memory) -> None:
        self._window, self._layouts, self._memory = window, layouts, memory
        self._given: QSize | None = None

    def restore(self) -> None:
        """Move the window to its last position, or to a first one."""
        least, first = _first_size(self._window)
        self._window.setMinimumSize(least)
        self._window.resize(first)
        place = self._memory.place()
        if place is not None:
            self._window.restoreGeometry(place[0])
        self._layouts.restore()
        self._given = self._window.size()

    def save(self) -> None:
        """Save the position."""
        self._layouts.save()
        self._memory.save_place(self._window.saveGeometry(), self._window.saveState())

    def fit_once(self) -> None:
        """Fit the window to the screen when it is first activated, because its frame is unknown before."""
        given, self._given = self._given, None
        if given is not None and self._window.size() == given:
            _fit_screen(self._window)


def _first_size(window: QWidget) -> tuple[QSize, QSize]:
    """Return the minimum and the initial size of a window, both fitting the screen with the frame."""
    room = _available_size(window)
    return SMALLEST.boundedTo(room), _FIRST.boundedTo(room)


def _fit_screen(window: QWidget) -> None:
    """Resize and move a window so that all of its frame is on the screen."""
    if window.isMaximized() or window.isFullScreen():
        return
    room, screen = _available_size(window), window.screen().availableGeometry()
    window.setMinimumSize(SMALLEST.boundedTo(room))
    if window.size() != window.size().boundedTo(room):
        window.resize(window.size().boundedTo(room))
    frame = window.frameGeometry()
    left = min(max(frame.left(), screen.left()), max(screen.right() + 1 - frame.width(), screen.left()))
    top = min(max(frame.top(), screen.top()), max(screen.bottom() + 1 - frame.height(), screen.top()))
    if (left, top) != (frame.left(), frame.top()):
        window.move(left, top)


def _available_size(window: QWidget) -> QSize:
    """Return the maximum size of a window's content, estimating the frame before it is shown."""
    frame = window.frameGeometry().size() - window.size()
    if not window.isVisible():
        frame = QSize(0, window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight))
    return window.screen().availableGeometry().size() - frame
