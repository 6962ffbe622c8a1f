"""The switches in the corner of the map: by keyboard, named for screen readers, and in sync with the window."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.map import ImageryChoice, MapView
from tests.desktop.map.hand import Hand
from tests.desktop.map.test_keyboard import Key, Keyboard

FOCUSED = """(() => {
  const at = document.activeElement;
  const ring = at === document.body ? "" : getComputedStyle(at).outlineStyle;
  return JSON.stringify([at.tagName, (at.closest("label") ?? at).textContent, Boolean(at.checked), ring]);
})()"""


class Switches:
    """The switches on the page."""

    def __init__(self, qtbot: QtBot, view: MapView) -> None:
        self._qtbot, self._view = qtbot, view

    def ask(self, script: str) -> str:
        answers: list[str] = []
        self._view._page.runJavaScript(script, 0, answers.append)
        self._qtbot.waitUntil(lambda: bool(answers))
        return answers[0]

    def until_at(self, tag: str, text: str, checked: bool | None = None) -> None:
        """Wait until an element in the page has the keyboard focus, with a ring around it."""

        def there() -> bool:
            found = json.loads(self.ask(FOCUSED))
            is_match = found[0] == tag and found[1] == text and (checked is None or found[2] == checked)
            return is_match and (tag == "BODY" or found[3] == "solid")

        self._qtbot.waitUntil(there)

    def until_left(self) -> None:
        """Wait until none of them has the keyboard focus."""
        self._qtbot.waitUntil(lambda: json.loads(self.ask(FOCUSED))[0] in ("BODY", "DIV"))

    def until_open(self, on: bool) -> None:
        """Wait until the window knows that the list is open, or closed."""
        self._qtbot.waitUntil(lambda: (self._view._controls._count > 1) == on)


@pytest.fixture
def keyboard(qtbot: QtBot, map_view: MapView, hand: Hand) -> Keyboard:
    hand.settle()
    map_view.take_keyboard()
    return Keyboard(qtbot, map_view, hand)


@pytest.fixture
def switches(qtbot: QtBot, map_view: MapView) -> Switches:
    return Switches(qtbot, map_view)


def test_tab_comes_to_the_switches_and_space_turns_them(
    qtbot: QtBot, map_view: MapView, keyboard: Keyboard, switches: Switches
) -> None:
    switched: list[tuple[str, bool]] = []
    map_view.layer_switched.connect(lambda layer, on: switched.append((layer, on)))
    keyboard.press(Key.Key_Tab)
    switches.until_at("SUMMARY", "Layers")
    keyboard.press(Key.Key_Space)
    switches.until_open(True)
    for name in ("Street map (online)", "Area streets", "Geofences"):
        keyboard.press(Key.Key_Tab)
        switches.until_at("INPUT", name)
    keyboard.press(Key.Key_Down)
    switches.until_at("INPUT", "Geofence names", True)
    keyboard.press(Key.Key_Down, Key.Key_Space)
    switches.until_at("INPUT", "Beacons", False)
    qtbot.waitUntil(lambda: switched == [("beacons", False)])
    keyboard.press(Key.Key_Return)
    switches.until_at("INPUT", "Beacons", True)
    qtbot.waitUntil(lambda: switched == [("beacons", False), ("beacons", True)])
    keyboard.press(Key.Key_Backtab)
    switches.until_at("INPUT", "Geofence names")
    keyboard.press(Key.Key_Escape)
    switches.until_open(False)
    switches.until_left()
    # Keys control the map again.
    before = map_view.center()
    keyboard.press(Key.Key_Down)
    qtbot.waitUntil(lambda: map_view.center()[1] < before[1])


def test_tab_leaves_the_last_switch_and_comes_back_to_it(
    map_view: MapView, keyboard: Keyboard, switches: Switches
) -> None:
    page = map_view.render_widget()
    assert page is not None
    keyboard.press(Key.Key_Tab)
    switches.until_at("SUMMARY", "Layers")
    # No other widget takes the keyboard focus here, so it stays with the map, but the page knows that it should leave.
    assert not map_view._controls.handles(_tab(), False)
    keyboard.press(Key.Key_Tab)
    switches.until_left()
    QApplication.sendEvent(page, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.BacktabFocusReason))
    switches.until_at("SUMMARY", "Layers")
    keyboard.press(Key.Key_Backtab)
    switches.until_left()


def test_a_tool_and_the_mouse_take_the_keyboard_back(
    qtbot: QtBot, map_view: MapView, hand: Hand, keyboard: Keyboard, switches: Switches
) -> None:
    keyboard.press(Key.Key_Tab)
    switches.until_at("SUMMARY", "Layers")
    map_view.start_drawing_circle()
    switches.until_left()
    with qtbot.waitSignal(map_view.circle_drawn):
        keyboard.press(Key.Key_Space, Key.Key_Space)
        keyboard.press(Key.Key_Right, held=Qt.KeyboardModifier.ShiftModifier)
        keyboard.press(Key.Key_Space)
    keyboard.press(Key.Key_Tab)
    switches.until_at("SUMMARY", "Layers")
    hand.click((14.501, 46.0505))
    switches.until_left()


def test_imagery_keeps_the_keyboard_when_it_is_turned_on(
    qtbot: QtBot, map_view: MapView, keyboard: Keyboard, switches: Switches
) -> None:
    wanted: list[tuple[str, bool]] = []
    map_view.imagery_requested.connect(lambda source, on: wanted.append((source, on)))
    map_view.set_imagery((), [ImageryChoice("a", "Fields", False)])
    keyboard.press(Key.Key_Tab, Key.Key_Return)
    switches.until_open(True)
    keyboard.press(Key.Key_Tab, Key.Key_Tab)
    switches.until_at("INPUT", "Fields", False)
    keyboard.press(Key.Key_Space)
    qtbot.waitUntil(lambda: wanted == [("a", True)])
    map_view.set_imagery((), [ImageryChoice("a", "Fields", True)])
    switches.until_at("INPUT", "Fields", True)
    requested: list[bool] = []
    map_view.layers_requested.connect(lambda: requested.append(True))
    for _ in range(8):
        keyboard.press(Key.Key_Down)
    switches.until_at("BUTTON", "Geofences by tag and state…")
    keyboard.press(Key.Key_Space)
    qtbot.waitUntil(lambda: requested == [True])


def test_switches_follow_the_window(qtbot: QtBot, map_view: MapView, keyboard: Keyboard, switches: Switches) -> None:
    map_view.set_layer_shown("track", False)
    map_view.set_names_shown(False)
    assert map_view.hidden_layers == {"track"}
    checked = "JSON.stringify([...document.querySelectorAll('.fw-layers input')].map((each) => each.checked))"
    qtbot.waitUntil(lambda: json.loads(switches.ask(checked)) == [False, True, True, False, True, False, True])
    map_view.set_layer_shown("track", True)
    qtbot.waitUntil(lambda: json.loads(switches.ask(checked)) == [False, True, True, False, True, True, True])


def _tab() -> QKeyEvent:
    return QKeyEvent(QEvent.Type.ShortcutOverride, Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
