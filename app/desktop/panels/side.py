"""Panels beside the map."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.desktop.panels.layouts import in_column
from app.desktop.panels.widgets import panel

_LETTERS = 40
"""Width of the narrowest panel in letters. No page may be wider, in any language."""


def least_width(panel_: QWidget) -> int:
    """Return the minimum width of a panel."""
    return _LETTERS * panel_.fontMetrics().averageCharWidth()


class SidePanel(QWidget):
    """A panel that shows one of its pages, such as an empty page until there is content."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that leaves room for the map and fits every page."""
        return QSize(least_width(self), 120)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size wide enough for a sentence, the spans of a day, or half a UUID."""
        return QSize(304, 400)

    def _add_pages(self, *pages: QWidget) -> QStackedWidget:
        """Fill the panel with pages and return the stack that switches between them."""
        stack = QStackedWidget()
        for page in pages:
            stack.addWidget(page)
        body, inner = panel()
        inner.addWidget(stack)
        in_column(body, of=self, margins=0)
        return stack
