"""Layouts that are created from their items, in order."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from app.desktop.panels.flow import GRID

type Item = QWidget | QLayout | int | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""An item of a layout, alone or with its stretch and alignment. A number stands for that many empty pixels."""

type Margins = int | tuple[int, int, int, int]

STRETCH: Final = -1
"""Placeholder for the remaining space."""


def in_column(
    *items: Item, of: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Return a layout with items below one another, and set it on the widget `of` if one is given."""
    return _filled(QVBoxLayout() if of is None else QVBoxLayout(of), items, margins, spacing)


def in_row(
    *items: Item, of: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Return a layout with items side by side."""
    return _filled(QHBoxLayout() if of is None else QHBoxLayout(of), items, margins, spacing)


def in_dialog(dialog: QWidget, *items: Item) -> QVBoxLayout:
    """Arrange items vertically in a dialog, with the margins that all dialogs share."""
    return in_column(*items, of=dialog, margins=2 * GRID, spacing=GRID)


def _filled[L: QBoxLayout](layout: L, items: tuple[Item, ...], margins: Margins | None, spacing: int | None) -> L:
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for item in items:
        match item:
            case int():
                layout.addStretch(1) if item == STRETCH else layout.addSpacing(item)
            case QWidget():
                layout.addWidget(item)
            case QLayout():
                layout.addLayout(item)
            case QLayout() as inner, stretch:
                layout.addLayout(inner, stretch)
            case QWidget() as widget, stretch:
                layout.addWidget(widget, stretch)
            case widget, stretch, alignment:
                layout.addWidget(widget, stretch, alignment)
    return layout
