"""Panels beside the map."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.desktop.panels.layouts import in_column
from app.desktop.panels.widgets import panel

_LETTERS = 40
"""The width of the narrowest panel, in letters: no page may be wider, in any language."""


def least_width(panel_: QWidget) -> int:
    """Return how narrow a panel may become."""
    return _LETTERS * panel_.fontMetrics().averageCharWidth()


class SidePanel(QWidget):
    """A panel that shows one of its pages, such as an empty one until there is something to show."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Narrow enough to leave room for the map, and as wide as its pages are at least."""
        return QSize(least_width(self), 120)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Wide enough for a sentence, the spans of a day, or half a UUID."""
        return QSize(304, 400)

    def _add_pages(self, *pages: QWidget) -> QStackedWidget:
        """Fill the panel with pages, and return what turns them."""
        stack = QStackedWidget()
        for page in pages:
            stack.addWidget(page)
        body, inner = panel()
        inner.addWidget(stack)
        in_column(body, of=self, margins=0)
        return stack
