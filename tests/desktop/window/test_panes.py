"""The keyboard reaches everything, with F6 between panes and Tab within one, and the focus is visible."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLineEdit, QTableView, QTreeView, QWidget
from shiboken6 import delete, isValid

from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("fences", "form", "list", "panes", "selection", "status", "toolbar", "webhooks_panel")


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def pane_of(user: User) -> QWidget:
    (found,) = (each for each in user.window.panes.all() if each is focus() or each.isAncestorOf(focus()))
    return found


def press(user: User, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(focus(), key, modifiers)
    QApplication.processEvents()


def test_f6_goes_through_all_panes_and_back(user: User) -> None:
    user.select(user.given())
    window = user.window
    window.activateWindow()
    window.toolbar.search.setFocus()
    panes = window.panes.all()
    assert {window.toolbar, window.map, window.status, window.docks.fences, window.docks.fence} <= set(panes)
    seen = [pane_of(user)]
    for _ in range(len(panes)):
        press(user, Qt.Key.Key_F6)
        seen.append(pane_of(user))
    assert seen == [*panes, panes[0]]
    assert focus() is window.toolbar.search, "a pane remembers where the keyboard was in it"
    back = [pane_of(user)]
    for _ in range(len(panes)):
        press(user, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
        back.append(pane_of(user))
    assert back == [*reversed([*panes, panes[0]])]


def test_panes_outlive_controls_passed_by_f6(user: User) -> None:
    """Moving between panes does not make one part of the window the owner of another, and so deleted with it."""
    window, passing = user.window, QLineEdit()
    window.status.addWidget(passing)
    passing.show()
    window.activateWindow()
    window.toolbar.search.setFocus()
    for _ in window.panes.all():
        press(user, Qt.Key.Key_F6)
    delete(passing)
    panel = window.webhooks_panel
    assert all(map(isValid, (panel.pause, panel.edit, panel.replay, panel.delete)))
    window.model.environment_changed.emit()
    window.resize(700, 800)
    window.resize(1280, 800)


@pytest.mark.whole_window
def test_panels_that_are_closed_or_behind_others_are_left_out(user: User) -> None:
    docks = user.window.docks
    user.click(docks.title(docks.simulator).fold)
    docks.bring(docks.users)
    QApplication.processEvents()
    panes = user.window.panes.all()
    assert docks.users in panes
    assert docks.simulator not in panes
    assert docks.events not in panes


def test_every_panel_has_its_controls_in_reach_of_tab(user: User) -> None:
    """Tab moves from the first control of a panel to all others, in reading order."""
    user.select(user.given())
    form = user.window.form
    user.window.activateWindow()
    user.window.docks.bring(user.window.docks.fence)
    form.basics.description.setFocus()
    order = []
    for _ in range(12):
        order.append(focus())
        press(user, Qt.Key.Key_Tab)
    fields = [each for each in order if isinstance(each, QLineEdit) and form.isAncestorOf(each)]
    tops = [each.mapTo(form, each.rect().topLeft()) for each in fields]
    assert len(fields) >= 3
    assert [(at.y() // 8, at.x()) for at in tops] == sorted((at.y() // 8, at.x()) for at in tops)


def test_no_panel_keeps_the_keyboard(user: User) -> None:
    """Tables and trees use Tab for themselves by default. F6 must leave each of them."""
    user.given()
    user.window.activateWindow()
    for dock in user.window.findChildren(QDockWidget):
        for view in (*dock.findChildren(QTableView), *dock.findChildren(QTreeView)):
            user.window.docks.bring(dock)
            QApplication.processEvents()
            if view.isVisible() and view.isEnabled() and view.focusPolicy() & Qt.FocusPolicy.TabFocus:
                view.setFocus()
                before = pane_of(user)
                press(user, Qt.Key.Key_F6)
                assert pane_of(user) is not before, dock.windowTitle()
