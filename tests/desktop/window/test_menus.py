"""The menu bar lists every command by subject, and the palette lists those that are not available with their reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.desktop.dialogs.palette import NEEDS, CommandPalette
from app.desktop.window.main_window import MainWindow
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("availability", "commands", "selection", "shaping", "toolbar")

Key = Qt.Key

_MOST = 15
_ELSEWHERE = {
    "Build an area…": "Areas… has it",
    "Layers": "in Panels",
    "Geofence table": "in Panels",
    "Why?": "in Panels",
    "User": "in Panels",
    "Users": "in Panels",
    "Requests": "in Panels",
    "Webhooks": "in Panels",
}
"""Actions that are in no menu under their own name, and where they are."""


def menus_of(window: MainWindow) -> Iterator[QMenu]:
    """Yield the menus of the bar and their submenus, filled."""
    for menu in window.menus.menus():
        yield from _with_submenus(menu)


def _with_submenus(menu: QMenu) -> Iterator[QMenu]:
    menu.aboutToShow.emit()
    yield menu
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from _with_submenus(below)


def test_the_menus_are_short_and_have_every_command(user: User) -> None:
    window = user.window
    titles = [menu.title().replace("&", "") for menu in window.menus.menus()]
    assert titles == ["File", "Edit", "View", "Geofence", "Geometry", "Simulate", "Project", "Help"]
    listed: list[QAction] = []
    for menu in menus_of(window):
        entries = [action for action in menu.actions() if not action.isSeparator()]
        assert len(entries) <= _MOST, menu.title()
        listed += (action for action in entries if action.menu() is None)
    missing = {action.text() for action in window.actions_.all() if action not in listed}
    assert missing == set(_ELSEWHERE)
    assert len(set(listed)) == len(listed), "no command is listed twice"


def test_the_workspace_button_has_workspaces_only(user: User) -> None:
    menu = user.window.toolbar.workspace.menu()
    assert menu is not None
    menu.aboutToShow.emit()
    a = user.window.actions_
    own = [action for action in menu.actions() if action in set(a.all())]
    assert own == [a.new, a.open, a.copy]


def test_alt_and_a_letter_open_each_menu(user: User) -> None:
    window = user.window
    window.activateWindow()
    letters = [QKeySequence.mnemonic(menu.title()).toString()[-1:] for menu in window.menus.menus()]
    assert all(letters)
    assert len(set(letters) | {"W", "K"}) == len(letters) + 2, "the workspaces and the keys have theirs"
    for menu, letter in zip(window.menus.menus(), letters, strict=True):
        user.press(Qt.Key[f"Key_{letter}"], Qt.KeyboardModifier.AltModifier, on=window.list.view)
        user.until(menu.isVisible)
        QTest.keyClick(menu, Key.Key_Escape)
        user.until(lambda menu=menu: not menu.isVisible())  # type: ignore[misc]


def test_a_key_in_a_menu_still_works_once(user: User) -> None:
    """An action in a menu and in the window has one shortcut, and one in the map alone does not get a second place."""
    fence = user.given()
    user.select(fence)
    user.window.activateWindow()
    user.until(user.window.actions_.duplicate.isEnabled)
    user.press(Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    user.until(lambda: len(user.window.model.fences.named()) == 2)
    user.until(user.window.actions_.undo.isEnabled)
    user.press(Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    user.until(lambda: len(user.window.model.fences.named()) == 1)


def palette(user: User, text: str) -> CommandPalette:
    user.window.actions_.commands.trigger()
    made = user.window.findChildren(CommandPalette)[-1]
    made.search.setText(text)
    return made


def rows(shown: CommandPalette) -> list[str]:
    items = (shown.list.topLevelItem(row) for row in range(shown.list.topLevelItemCount()))
    return [item.text(0) for item in items if item is not None]


def test_the_palette_says_what_a_command_needs(user: User) -> None:
    shown = palette(user, "simplify")
    assert rows(shown) == ["Simplify: Select a geofence.", "Find “simplify” on the map"]
    QTest.keyClick(shown.search, Key.Key_Return)
    assert shown.isVisible(), "a command that is not available does nothing"
    shown.reject()
    user.select(user.given())
    shown = palette(user, "simplify")
    assert rows(shown) == ["Simplify"]
    shown.reject()


def test_every_command_that_is_not_available_says_why(user: User) -> None:
    for live in (False, True):
        if live:
            user.click(user.window.toolbar.environments.live)
            user.until(lambda: user.window.model.environment.live)
        silent = [each.text() for each in user.window.actions_.all() if not (each.isEnabled() or each.property(NEEDS))]
        assert silent == []
    assert user.window.actions_.clear.property(NEEDS) == "Switch to Test."
    user.click(user.window.toolbar.environments.test)
    user.until(lambda: not user.window.model.environment.live)
