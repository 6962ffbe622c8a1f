"""The texts that a user sees in a window or a dialog, regardless of fonts and scroll positions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDockWidget,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QToolButton,
    QWidget,
)

from app.desktop.panels.widgets import OneLine

_ROWS = 12
"""Rows of a table or a list that count, since those that fit depend on the font."""

_NUMBER = re.compile(r"\d+")
_MARK = re.compile(r"(?<!&)&(?!&)")


def visible_texts(*roots: QWidget, whole: bool = True) -> list[str]:
    """Return the visible texts in windows or dialogs, sorted.

    Unless they are `whole`, they are without lists, texts of several lines, and numbers.
    """
    found = [text for root in roots for widget in _shown_in(root) for text in _texts(widget, whole=whole)]
    texts = [_MARK.sub("", text.strip()) for text in found if text.strip()]
    return sorted(texts if whole else (_NUMBER.sub("0", text) for text in texts))


def _shown_in(root: QWidget) -> Iterator[QWidget]:
    """Yield a window and the widgets in it, except those that are hidden, or in a panel behind another."""
    yield root
    behind = [dock for dock in root.findChildren(QDockWidget) if dock.visibleRegion().isEmpty()]
    for widget in root.findChildren(QWidget):
        is_behind = any(dock.isAncestorOf(widget) for dock in behind)
        if widget.window() is root.window() and widget.isVisibleTo(root) and not is_behind:
            yield widget


def _texts(widget: QWidget, *, whole: bool) -> Iterator[str]:
    match widget:
        case QToolButton() if widget.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly:
            pass
        case OneLine():
            yield widget.whole
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QLineEdit():
            yield widget.text() or widget.placeholderText()
        case QComboBox():
            yield widget.currentText()
        case QGroupBox():
            yield widget.title()
        case QMenu():
            yield from (action.text() for action in widget.actions() if action.isVisible())
        case QTabBar():
            yield from (widget.tabText(at) for at in range(widget.count()))
        case QHeaderView():
            yield from _header(widget)
        case QPlainTextEdit() | QTextEdit() if whole:
            yield from widget.toPlainText().splitlines()
        case QAbstractItemView() if whole and (model := widget.model()) is not None:
            yield from _cells(model, widget.rootIndex())


def _header(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    if model is not None and header.orientation() is Qt.Orientation.Horizontal:
        # All columns count, since a narrow table hides some of them, which depends on the font.
        yield from (str(model.headerData(at, header.orientation()) or "") for at in range(header.count()))


def _cells(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    for row in range(min(model.rowCount(parent), _ROWS)):
        for column in range(columns):
            text = model.index(row, column, parent).data()
            if isinstance(text, str):
                yield text
        yield from _cells(model, model.index(row, 0, parent))
