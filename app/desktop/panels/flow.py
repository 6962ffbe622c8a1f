"""Widgets in a row that wrap to another line if the panel is too narrow for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

GRID: Final = 8
"""Unit of distances in pixels: they are multiples of it."""


class Flow(QLayout):
    """A layout that wraps widgets into lines.

    With `fill` the widgets of a line share its width. Otherwise they have their preferred width, and `centred` places
    them in the middle of the line.
    """

    def __init__(self, *widgets: QWidget, fill: bool = False, centred: bool = False) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._fill, self._centred = fill, centred
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(GRID)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802 (Qt's name)
        """Add a widget at the end."""
        self._items.append(item)

    def count(self) -> int:
        """Return how many widgets there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 (Qt's name)
        """Return a widget's item, or None if the index is out of range."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 (Qt's name)
        """Remove a widget's item and return it, or None if the index is out of range."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 (Qt's name)
        """Return no direction: the layout takes no more space than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Return True, since the number of lines and therefore the height depend on the width."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height of all lines at a width."""
        lines = self._lines(width)
        return sum(map(_height, lines)) + self.spacing() * max(len(lines) - 1, 0)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of a single line with all widgets."""
        items = self._shown()
        width = sum(item.sizeHint().width() for item in items) + self.spacing() * max(len(items) - 1, 0)
        return QSize(width, _height(items))

    def minimumSize(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of the largest widget."""
        return QSize(max((item.minimumSize().width() for item in self._shown()), default=0), _height(self._shown()))

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 (Qt's name)
        """Place the widgets."""
        super().setGeometry(rect)
        top = rect.top()
        for line in self._lines(rect.width()):
            self._place(line, QRect(QPoint(rect.left(), top), QSize(rect.width(), _height(line))))
            top += _height(line) + self.spacing()

    def _place(self, line: Sequence[QLayoutItem], room: QRect) -> None:
        free = room.width() - self._width(line)
        left = room.left() + (max(free, 0) // 2 if self._centred else 0)
        for number, item in enumerate(line):
            more = free // (len(line) - number) if self._fill or free < 0 else 0
            free -= more
            width = item.sizeHint().width() + more
            item.setGeometry(QRect(left, room.top(), width, room.height()))
            left += width + self.spacing()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        for item in self._shown():
            if lines and self._width([*lines[-1], item]) <= width:
                lines[-1].append(item)
            else:
                lines.append([item])
        return lines

    def _width(self, line: Sequence[QLayoutItem]) -> int:
        return sum(item.sizeHint().width() for item in line) + self.spacing() * (len(line) - 1)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]


def _height(line: Sequence[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in line), default=0)
