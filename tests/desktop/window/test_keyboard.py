"""The window by keyboard alone: drawing, vertices, and announcements."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QToolButton

import app.desktop
from app.desktop.demo import demo_file
from app.desktop.panels.menus import Menu, mnemonic_places
from app.desktop.panels.widgets import key_text
from engine.domain.geometry import Circle
from tests.desktop.window.user import User

Key = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
BESIDE = (14.5006, 46.0504)
"""A position within the geofence at the centre."""

ALT = Qt.KeyboardModifier.AltModifier


def press(user: User, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press keys while the map has the focus."""
    map_ = user.window.map.render_widget()
    assert map_ is not None
    for key in keys:
        QTest.keyClick(map_, key, held)


def circle_of(user: User) -> Circle:
    geometry = user.only().geometry
    assert isinstance(geometry, Circle)
    return geometry


@pytest.mark.slow
def test_a_circle_is_drawn_and_moved_and_undone(user: User) -> None:
    counts = user.window.status.counts
    user.hand.settle()
    usual = counts.whole
    user.press(Key.Key_C)
    user.until(lambda: user.window.map.tool == "circle")
    press(user, Key.Key_Space)
    user.until(lambda: counts.whole == "46.05000, 14.50000")
    press(user, Key.Key_Space)
    press(user, Key.Key_Right, held=SHIFT)
    press(user, Key.Key_Space)
    user.until(lambda: len(user.stored()) == 1)
    drawn = circle_of(user)
    assert drawn.center.latitude == pytest.approx(46.05, abs=2e-5)
    user.until(lambda: user.window.model.selection.fence_id == user.only().id)
    user.hand.settle()
    user.window.map.take_keyboard()
    press(user, Key.Key_Return)
    user.until(lambda: counts.whole.startswith("Centre at 46.0500"))
    press(user, *[Key.Key_Up] * 3)
    user.until(lambda: circle_of(user).center.latitude > drawn.center.latitude)
    assert circle_of(user).radius_m == drawn.radius_m
    press(user, Key.Key_Escape)
    user.until(lambda: counts.whole not in ("", usual) and "1 geofence" in counts.whole)
    user.press(Key.Key_Z, CTRL)
    user.until(lambda: circle_of(user) == drawn)


def test_arrows_step_a_track_if_there_is_one_and_pan_otherwise(user: User) -> None:
    window = user.window
    user.hand.settle()
    window.map.take_keyboard()
    before = window.map.center()
    press(user, Key.Key_Right)
    user.until(lambda: window.map.center()[0] > before[0])
    window.tracks.open(demo_file("track.gpx"))
    user.until(lambda: window.model.simulation.track is not None)
    user.hand.settle()
    window.map.take_keyboard()
    seen = window.map.center()
    press(user, Key.Key_Right)
    user.until(lambda: window.model.simulation.status.position == 1)
    user.hand.settle()
    assert window.map.center() == seen
    press(user, Key.Key_Right, held=CTRL)
    user.until(lambda: window.map.center()[0] > seen[0])
    assert window.model.simulation.status.position == 1


def test_names_on_the_map_are_switched_in_the_view_menu(user: User) -> None:
    names = user.window.actions_.names
    assert names.isChecked()
    user.given()
    user.hand.settle()
    named = user.hand.picture()
    names.trigger()
    plain = user.hand.picture()
    assert plain != named
    names.trigger()
    assert user.hand.picture() == named


def test_layers_of_the_map_are_switched_in_the_view_menu(user: User) -> None:
    window, actions = user.window, user.window.actions_
    user.given()
    plain = user.hand.color_at(BESIDE)
    view, shown = window.menus.view, window.menus.shown
    user.press(Key.Key_V, ALT, on=window.list.view)
    user.until(view.isVisible)
    assert shown.menuAction() in view.actions()
    QTest.keyClick(view, Key.Key_Escape)
    switches = actions.area_streets, actions.map_fences, actions.map_beacons, actions.map_track, actions.map_events
    assert shown.actions() == list(switches)
    assert all(action.isChecked() for action in switches)
    shown.popup(window.mapToGlobal(QPoint(300, 100)))
    QTest.keyClick(shown, _letter(actions.map_fences.text()))
    user.until(lambda: window.map.hidden_layers == {"fences"})
    assert user.hand.color_at(BESIDE) != plain
    # Use the switch on the map with the keyboard. The menu must follow.
    user.hand.settle()
    window.map.take_keyboard()
    press(user, Key.Key_Tab, Key.Key_Space)
    user.until(lambda: window.map._controls._count > 1)
    press(user, *[Key.Key_Tab] * 3, Key.Key_Space)
    user.until(lambda: actions.map_fences.isChecked() and not window.map.hidden_layers)
    assert user.hand.color_at(BESIDE) == plain
    press(user, Key.Key_Escape)
    # Space plays the track again.
    assert window.map._controls._at == -1


LETTERS = st.text("aAbBcC &12…", min_size=1, max_size=8).map(lambda text: text.replace("&", "&&"))


@given(st.lists(LETTERS, max_size=8))
def test_letters_of_entries_are_their_own(texts: list[str]) -> None:
    places = mnemonic_places(texts)
    letters = [text[at].casefold() for text, at in zip(texts, places, strict=True) if at is not None]
    assert len(set(letters)) == len(letters)
    assert all(letter.isalnum() for letter in letters)
    for text, at in zip(texts, places, strict=True):
        if at is None:  # all its letters are taken
            assert {each.casefold() for each in text if each.isalnum()} <= set(letters)


def test_a_letter_is_given_up_for_an_entry_that_has_no_other() -> None:
    assert mnemonic_places(["Copy", "Cut", "C", "Move to…"]) == [1, 1, 0, 0]
    assert mnemonic_places(["Export", "Edit && close"]) == [0, 8]


def test_every_menu_has_letters_of_its_own(user: User) -> None:
    user.select(user.given())
    window = user.window
    menus = [menu for menu in window.findChildren(QMenu) if not isinstance(menu.parent(), QLineEdit)]
    own = [menu for menu in menus if isinstance(menu, Menu)]
    assert len(own) > 12
    seen = 0
    for menu in own:
        menu.popup(window.mapToGlobal(QPoint(300, 100)))
        entries = [action for action in menu.actions() if action.text() and not action.isSeparator()]
        letters = [QKeySequence.mnemonic(action.text()).toString() for action in entries]
        given_letters = [letter for letter in letters if letter]
        assert len(set(given_letters)) == len(given_letters)
        if len(entries) < 15:
            assert letters == given_letters, [action.text() for action in entries]
        seen += len(given_letters)
        menu.hide()
        assert not any("&" in action.text().replace("&&", "") for action in entries)
    assert seen > 80


def test_alt_and_letters_open_a_menu_and_choose(user: User) -> None:
    view, theme = user.window.menus.view, user.window.menus.theme
    user.press(Key.Key_V, ALT, on=user.window.list.view)
    user.until(view.isVisible)
    QTest.keyClick(view, _letter(theme.menuAction().text()))
    user.until(theme.isVisible)
    dark = user.window.actions_.dark
    QTest.keyClick(theme, _letter(dark.text()))
    user.until(lambda: dark.isChecked() and not view.isVisible())
    assert dark.text() == "Dark"
    user.window.actions_.light.trigger()
    opens(user, Key.Key_W, user.window.toolbar.workspace)
    opens(user, Key.Key_K, user.window.status.keys)


def _letter(text: str) -> Qt.Key:
    return Qt.Key[f"Key_{QKeySequence.mnemonic(text).toString()[-1]}"]


def opens(user: User, letter: Qt.Key, button: QToolButton | QPushButton) -> None:
    """Open the menu of a button with Alt and a letter, and close it again."""
    menu = button.menu()
    assert menu is not None
    user.press(letter, ALT, on=user.window.list.view)
    user.until(menu.isVisible)
    QTest.keyClick(menu, Key.Key_Escape)
    user.until(lambda: not menu.isVisible())


def test_texts_spell_keys_as_the_system_does() -> None:
    """Shortcuts use the system's symbols: a Mac shows ⌘T for Ctrl+T."""
    spelled = []
    for file in sorted(Path(app.desktop.__file__).parent.rglob("*.py")):
        if "actions" in file.parts:  # declared here, and formatted by Qt
            continue
        tree = ast.parse(file.read_text())
        inside = {id(part) for node in ast.walk(tree) if _is_no_text(node) for part in ast.walk(node)}
        spelled += [
            f"{file.name}:{node.lineno} {node.value}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and id(node) not in inside
            if isinstance(node.value, str) and re.search(r"\b(Ctrl|Alt|Shift)\+", node.value)
        ]
    assert spelled == []
    assert key_text("Ctrl+T") == QKeySequence("Ctrl+T").toString(QKeySequence.SequenceFormat.NativeText)


def _is_no_text(node: ast.AST) -> bool:
    """Return whether the contents of a node are not shown: a docstring, or texts from which Qt makes keys."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    called = node.func if isinstance(node, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ("key_text", "QKeySequence", "QShortcut", "mnemonic")
