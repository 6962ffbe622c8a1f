"""A walk through the window in German, in a process of its own: ``test_language.py`` runs it by pytest.

Modules have their texts from when they are imported, so the language is that of a whole process.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QMenu,
    QTableView,
    QTabWidget,
    QToolButton,
    QTreeWidget,
    QWidget,
)
from shiboken6 import isValid

from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.dialogs.send_request import SendDialog
from app.desktop.dialogs.tracks.numbers import NumbersDialog
from app.desktop.language.catalogue import language, translate_qt
from app.desktop.map_export.dialog import MapExportDialog
from tests.desktop.window.test_accessibility import MADE, fill
from tests.desktop.window.test_letters import check_letters, check_panels
from tests.desktop.window.test_widths import check_docks, check_form
from tests.desktop.window.user import User
from tests.translations import catalogue_file, read_catalogue

GIVEN = {
    ColumnsDialog: {"Kind"},
    MapExportDialog: {"Map"},
    NumbersDialog: {"Title", "Text", "Start after", "Join"},
    SendDialog: {"No key"},
}
"""What the tests themselves say to dialogs that they make."""

WIRE = frozenset({"foreground", "stopped", "enabled"})
"""Fields that are called what the API calls them."""

OF_PLOTS = frozenset({"Export", "Mouse Mode", "View All"})
"""Actions of pyqtgraph's own menus, which are switched off."""


@cache
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
    for action in filter(isValid, root.findChildren(QAction)):
        yield from (("QAction", text) for text in (action.text(), action.toolTip(), action.iconText()))


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


def left_in_english(root: QWidget) -> str:
    """Return what is shown in English though it is translated, a line each."""
    known = english() - WIRE - GIVEN.get(type(root), set())
    told = set(shown(root)) - {("QAction", text) for text in OF_PLOTS} - {("MapBrowser", "Map")}
    return "\n".join(sorted(f"{name}: {text}" for name, text in told if text in known))


@pytest.fixture(autouse=True, scope="module")
def _qt_is_german(qapp: QApplication) -> None:
    translate_qt(qapp)


def test_the_window_is_in_german(user: User) -> None:
    fill(user)
    user.window.actions_.why.trigger()
    user.idle()
    assert len(set(shown(user.window))) > 400
    assert left_in_english(user.window) == ""
    for dialog in user.window.findChildren(QDialog):
        assert left_in_english(dialog) == ""


def test_dialogs_are_in_german(user: User) -> None:
    """One after the other in the same window: to make that as new takes longer than to look at a dialog."""
    user.given()
    for kind, make in MADE.items():
        dialog = make(user)
        assert left_in_english(dialog) == "", kind
        check_letters(dialog)


def test_tools_have_their_names_in_a_window_of_the_usual_size(user: User) -> None:
    user.window.resize(1280, 800)
    circle = user.window.toolbar.widgetForAction(user.window.actions_.circle)
    assert isinstance(circle, QToolButton)
    user.until(lambda: circle.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


def test_no_page_is_wider_than_its_panel_in_german(user: User) -> None:
    user.window.resize(1280, 800)
    user.window.docks.arrange()
    assert "\n".join((*check_form(user), *check_docks(user))) == ""


def test_a_command_is_found_by_words_of_both_languages(user: User) -> None:
    palette = CommandPalette(user.window, user.window.actions_.all(), lambda _: None)
    for words in ("luftbild", "satellite", "kacheln tiles"):
        QTest.keyClicks(palette.search, words)
        found = palette.list.topLevelItem(0)
        assert found is not None
        assert found.text(0) == user.window.actions_.imagery.iconText()
        palette.search.clear()
    palette.deleteLater()


def test_panels_have_letters_in_german(user: User) -> None:
    fill(user)
    check_panels(user)
