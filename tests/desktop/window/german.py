"""A walk through the window in German, in a process of its own: ``test_language.py`` runs it by pytest.

Modules have their texts from when they are imported, so the language is that of a whole process.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QMenu,
    QTabWidget,
    QToolButton,
    QTreeWidget,
    QWidget,
)

from app.desktop.language.catalogue import language
from tests.desktop.window.test_accessibility import MADE, fill
from tests.desktop.window.user import User
from tests.translations import catalogue_file, read_catalogue

SAME_IN_DATA = frozenset({"Store", "store", "Depot", "phone"})
"""What the user of the tests has written."""


def english() -> frozenset[str]:
    """Every text that is another one in German."""
    assert language() == "de"
    messages = read_catalogue(catalogue_file("de"))
    return frozenset(text for text, message in messages.items() if message.translations[0] not in ("", text))


def shown(root: QWidget) -> Iterator[tuple[str, str]]:
    """Yield the texts of a window, each with what shows it."""
    for widget in (root, *root.findChildren(QWidget)):
        name = type(widget).__name__
        for read in ("text", "toolTip", "placeholderText", "windowTitle", "accessibleName", "title", "suffix"):
            text = getattr(widget, read, None)
            if callable(text):
                yield name, str(text())
        yield from ((name, text) for text in _items(widget))
    for action in root.findChildren(QAction):
        yield from (("QAction", text) for text in (action.text(), action.toolTip(), action.iconText()))


def _items(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(at) for at in range(widget.count()))
    elif isinstance(widget, QTabWidget):
        yield from (widget.tabText(at) for at in range(widget.count()))
    elif isinstance(widget, QTreeWidget):
        yield from (widget.headerItem().text(at) for at in range(widget.columnCount()))
    elif isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
        yield from (str(model.headerData(at, Qt.Orientation.Horizontal)) for at in range(model.columnCount()))
    elif isinstance(widget, QToolButton) and isinstance(menu := widget.menu(), QMenu):
        menu.aboutToShow.emit()
        yield from (action.text() for action in menu.actions())


def left_in_english(root: QWidget) -> list[tuple[str, str]]:
    """Return what is shown in English though it is translated."""
    known = english() - SAME_IN_DATA
    return sorted({(name, text) for name, text in shown(root) if text in known})


def test_the_window_is_in_german(user: User) -> None:
    fill(user)
    user.window.actions_.why.trigger()
    user.idle()
    assert len(set(shown(user.window))) > 400
    assert left_in_english(user.window) == []
    for dialog in user.window.findChildren(QDialog):
        assert left_in_english(dialog) == []


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_a_dialog_is_in_german(user: User, kind: type[QDialog]) -> None:
    user.given()
    dialog = MADE[kind](user)
    assert left_in_english(dialog) == []
    dialog.deleteLater()
