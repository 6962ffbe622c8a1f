"""The texts of a window: in its controls, menus, tables and lists."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QMenu,
    QPlainTextEdit,
    QTableView,
    QTabWidget,
    QToolButton,
    QTreeWidget,
    QWidget,
)
from shiboken6 import isValid

_MOST_ROWS = 50
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


def shown(root: QWidget) -> Iterator[tuple[str, str]]:
    """Yield the texts of a window, each with its widget, except the contents of tables and lists."""
    for widget in (root, *root.findChildren(QWidget)):
        name = type(widget).__name__
        for read in ("text", "toolTip", "placeholderText", "windowTitle", "accessibleName", "title", "suffix"):
            text = getattr(widget, read, None)
            if callable(text):
                yield name, str(text())
        yield from ((name, text) for text in _items(widget))
    for action in filter(isValid, root.findChildren(QAction)):
        yield from (("QAction", text) for text in (action.text(), action.toolTip(), action.iconText()))


def contained(root: QWidget) -> Iterator[tuple[str, str]]:
    """Yield the contents of tables, lists and long texts, limited to the first rows of a long table."""
    for view in root.findChildren(QAbstractItemView):
        model = view.model()
        if model is not None:
            yield from ((type(view).__name__, text) for text in _cells(model, QModelIndex()))
    for text in root.findChildren(QPlainTextEdit):
        yield type(text).__name__, text.toPlainText()


def _items(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(at) for at in range(widget.count()))
    elif isinstance(widget, QTabWidget):
        yield from (widget.tabText(at) for at in range(widget.count()))
    elif isinstance(widget, QTreeWidget):
        yield from (widget.headerItem().text(at) for at in range(widget.columnCount()))
    elif isinstance(widget, QTableView) and (model := widget.model()) is not None:
        yield from (str(model.headerData(at, Qt.Orientation.Horizontal)) for at in range(model.columnCount()))
    elif isinstance(widget, QToolButton) and isinstance(menu := widget.menu(), QMenu):
        menu.aboutToShow.emit()
        yield from (action.text() for action in menu.actions())


def _cells(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    for row in range(min(model.rowCount(parent), _MOST_ROWS)):
        for column in range(columns):
            index = model.index(row, column, parent)
            yield from (text for role in _ROLES if isinstance(text := model.data(index, role), str))
        yield from _cells(model, model.index(row, 0, parent))
