"""The menus of geofences: by right click and by the menu key, in the list, in the table and on the map."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu

from engine.domain.environment import Environment
from tests.desktop.window.test_selection import given_many
from tests.desktop.window.test_several import click_row
from tests.desktop.window.user import NO_KEYS, User, unmarked

pytestmark = pytest.mark.parts("fences", "form", "list", "many", "search_result", "selection", "shaping", "table")

TEST = Environment.TEST
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
RIGHT = Qt.MouseButton.RightButton


def texts(menu: QMenu) -> list[str]:
    return [unmarked(action.text()) for action in menu.actions() if not action.isSeparator()]


def pick(user: User, menu: QMenu, text: str) -> None:
    """Choose an entry, like a click on it, once the menu is open."""
    user.until(menu.isVisible)
    entry = action_of(menu, text)
    owner = next(each for each in (menu, *menu.findChildren(QMenu)) if entry in each.actions())
    entry.trigger()
    owner.close()
    menu.close()


def action_of(menu: QMenu, text: str) -> QAction:
    menus = (menu, *(action.menu() for action in menu.actions() if isinstance(action.menu(), QMenu)))
    return next(
        action
        for each in menus
        if isinstance(each, QMenu)
        for action in each.actions()
        if unmarked(action.text()) == text
    )


def right_click(view: QAbstractItemView, at: QPoint) -> None:
    QTest.mouseClick(view.viewport(), RIGHT, NO_KEYS, at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.viewport().mapToGlobal(at))
    QApplication.sendEvent(view.viewport(), event)


def selected(user: User) -> tuple[str, ...]:
    return user.window.model.selection.fence_ids


def copied() -> str:
    return QGuiApplication.clipboard().text()


def test_the_list_has_a_menu_for_one_and_for_several(user: User) -> None:
    fences = given_many(user, 4)
    view, model, menu = user.window.list.view, user.window.list.model, user.window.many.menus.menu
    right_click(view, view.visualRect(model.index_of(fences[1].id)).center())
    assert selected(user) == (fences[1].id,)
    assert texts(menu)[:2] == ["Show on map", "Edit"]
    assert "Enable" not in texts(menu)
    pick(user, menu, "Disable")
    user.until(lambda: [fence.enabled for fence in user.stored()] == [True, False, True, True])
    user.idle()
    click_row(user, fences[3], SHIFT)
    right_click(view, view.visualRect(model.index_of(fences[2].id)).center())
    assert len(selected(user)) == 3, "what is selected stays so"
    assert {"Edit 3 geofences…", "Enable", "Disable"} <= set(texts(menu))
    pick(user, menu, "Duplicate")
    user.until(lambda: len(user.stored()) == 7)
    user.idle()
    click_row(user, fences[1])
    click_row(user, fences[3], SHIFT)
    right_click(view, view.visualRect(model.index_of(fences[2].id)).center())
    pick(user, menu, "IDs")
    assert {fence.id for fence in fences[1:]} <= set(copied().splitlines())
    right_click(view, view.visualRect(model.index_of(fences[2].id)).center())
    pick(user, menu, "Delete")
    user.until(lambda: fences[1].id not in {fence.id for fence in user.stored()})
    assert fences[0] in user.stored()


def test_coordinates_are_copied_in_either_order(user: User) -> None:
    fences = given_many(user, 1)
    menu, view = user.window.many.menus.menu, user.window.list.view
    at = view.visualRect(user.window.list.model.index_of(fences[0].id)).center()
    right_click(view, at)
    pick(user, menu, "Latitude, longitude")
    assert copied() == "46.05000, 14.50000"
    right_click(view, at)
    pick(user, menu, "Longitude, latitude")
    assert copied() == "14.50000, 46.05000"
    assert user.window.message.text.text() == "Copied 14.50000, 46.05000."


def test_a_group_and_a_geofence_select_all_with_their_tag(user: User) -> None:
    given_many(user, 3)
    user.given(77, tag="de&pot", longitude=14.52)
    view, model, menu = user.window.list.view, user.window.list.model, user.window.many.menus.menu
    right_click(view, view.visualRect(model.index(1, 0)).center())
    assert texts(menu) == ["Select all with tag “store”"]
    pick(user, menu, "Select all with tag “store”")
    assert len(selected(user)) == 3
    right_click(view, view.visualRect(model.index(0, 0, model.index(0, 0))).center())
    pick(user, menu, "Select all with tag “de&&pot”")
    assert len(selected(user)) == 1


def test_the_table_has_the_menu_by_mouse_and_key(user: User) -> None:
    fences = given_many(user, 3)
    user.press(Qt.Key.Key_G, CTRL)
    table, menu = user.window.table, user.window.many.menus.menu
    user.until(lambda: len(table.rows) == 3)
    right_click(table.view, table.view.visualRect(table.model.index(1, 0)).center())
    assert selected(user) == (fences[1].id,)
    pick(user, menu, "Edit")
    assert user.window.form.basics.description.hasFocus()
    table.view.setFocus()
    keyboard = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(9, 9), table.view.mapToGlobal(QPoint(9, 9)))
    QApplication.sendEvent(table.view.viewport(), keyboard)
    pick(user, menu, "Set tag…")
    dialog = user.window.many.several.dialog
    assert dialog is not None
    dialog.reject()
    user.until(lambda: user.window.many.several.dialog is None)


def test_the_map_has_the_menu_over_a_geofence_and_its_own_elsewhere(user: User) -> None:
    fences = given_many(user, 3)
    menu = user.window.search_result.menu
    target = user.window.map.render_widget()
    assert target is not None
    QTest.mouseClick(target, RIGHT, NO_KEYS, user.hand.at((14.502, 46.05)))
    user.until(menu.isVisible)
    assert selected(user) == (fences[1].id,)
    assert texts(menu)[0] == "Show on map"
    assert "What is here?" in texts(menu)
    pick(user, menu, "Disable")
    user.until(lambda: not user.stored()[1].enabled)
    user.idle()
    QTest.mouseClick(target, RIGHT, NO_KEYS, user.hand.at((14.5, 46.053)))
    user.until(menu.isVisible)
    assert texts(menu)[0] == "What is here?"
    menu.close()
    user.hand.press(Qt.Key.Key_Menu)
    user.until(menu.isVisible)
    assert texts(menu)[0] == "Show on map"
    menu.close()
