"""Keys that mean something on the map just now. All others are the window's."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.desktop.map.values import Tool

_LINES: tuple[Tool, ...] = ("track", "split", "measure")
_CORNERED: tuple[Tool, ...] = ("polygon", *_LINES)


class KeyAction(Enum):
    """The effect of a key on the map."""

    CANCEL = auto()
    STEP_BACK = auto()
    FINISH = auto()
    DELETE = auto()
    MENU = auto()
    NOTHING = auto()


def key_action(event: QKeyEvent, tool: Tool, *, selected: bool) -> KeyAction | None:
    """The map's own meaning of a key, or None."""
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return None
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Escape and tool != "select":
        return KeyAction.CANCEL
    if key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete) and tool in _CORNERED:
        return KeyAction.STEP_BACK
    if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and tool in (*_CORNERED, "isochrone", "waypoint"):
        return KeyAction.FINISH
    if key == Qt.Key.Key_Delete and selected and tool in ("select", "edit"):
        return KeyAction.DELETE
    if key == Qt.Key.Key_Menu and tool in ("select", "edit"):
        return KeyAction.MENU
    if key == Qt.Key.Key_Delete and tool not in ("select", "edit"):
        return KeyAction.NOTHING  # whoever is drawing does not mean what is selected
    return None
