"""The window owns the keyboard: the map takes only the keys that currently have a meaning on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.map import MapProfile, MapView

PLAIN = ("C", "P", "V", "Space", "Left", "Right", "Up", "F1", "Plus")
WITH_CONTROL = ("F", "K", "Z", "A")
SHORTCUTS = [
    *(QKeyCombination(Qt.Key[f"Key_{name}"]) for name in PLAIN),
    *(QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key[f"Key_{name}"]) for name in WITH_CONTROL),
]


class Window(QWidget):
    """A window around a map that records the keys that the map does not take."""

    def __init__(self, profile: MapProfile) -> None:
        super().__init__()
        self.keys: list[int] = []
        self.map = MapView(self, profile=profile)
        QVBoxLayout(self).addWidget(self.map)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        self.keys.append(event.key())


@pytest.fixture
def window(qtbot: QtBot, map_profile: MapProfile) -> Iterator[Window]:
    window = Window(map_profile)
    window.resize(400, 300)
    with qtbot.waitSignal(window.map.ready, timeout=30_000):
        window.show()
    yield window
    window.map.shutdown()
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def target(window: Window) -> QWidget:
    widget = window.map.render_widget()
    assert widget is not None
    widget.setFocus()
    return widget


@pytest.mark.parametrize("keys", SHORTCUTS, ids=[*PLAIN, *(f"Ctrl+{name}" for name in WITH_CONTROL)])
def test_a_shortcut_of_the_window_works_while_the_map_has_the_focus(
    qtbot: QtBot, window: Window, keys: QKeyCombination
) -> None:
    shortcut = QShortcut(QKeySequence(keys), window)
    with qtbot.waitSignal(shortcut.activated):
        QTest.keyClick(target(window), keys.key(), keys.keyboardModifiers())


def test_an_unhandled_key_reaches_the_window_and_not_the_page(qtbot: QtBot, window: Window) -> None:
    before = window.map.center()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_C, Qt.Key.Key_Delete, Qt.Key.Key_Escape):
        QTest.keyClick(target(window), key)
    assert window.keys == [
        Qt.Key.Key_Space,
        Qt.Key.Key_C,
        Qt.Key.Key_Delete,
        Qt.Key.Key_Escape,
    ]
    assert window.map.center() == before


def test_escape_is_the_maps_only_while_it_has_a_tool(qtbot: QtBot, window: Window) -> None:
    window.map.start_drawing_polygon()
    QTest.keyClick(target(window), Qt.Key.Key_Escape)
    assert window.keys == []
    assert window.map.tool == "select"


def test_delete_is_the_maps_only_while_a_fence_is_selected(qtbot: QtBot, window: Window) -> None:
    window.map.select_fence("a")
    with qtbot.waitSignal(window.map.fence_delete_requested):
        QTest.keyClick(target(window), Qt.Key.Key_Delete)
    assert window.keys == []
