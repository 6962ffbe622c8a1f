"""Layouts, put together from what is in them, in its order."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from app.desktop.panels.flow import GRID

type Item = QWidget | QLayout | int | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""A part of a layout, alone or with its stretch and alignment; a number is that of empty pixels."""

type Margins = int | tuple[int, int, int, int]

STRETCH: Final = -1
"""Stands for the space that is left."""


def in_column(
    *items: Item, of: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Return a layout with items below one another, the one `of` a widget where it is given."""
    return _filled(QVBoxLayout() if of is None else QVBoxLayout(of), items, margins, spacing)


def in_row(
    *items: Item, of: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Return a layout with items beside one another."""
    return _filled(QHBoxLayout() if of is None else QHBoxLayout(of), items, margins, spacing)


def in_dialog(dialog: QWidget, *items: Item) -> QVBoxLayout:
    """Put items below one another in a dialog, with the space around them that all dialogs have."""
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
