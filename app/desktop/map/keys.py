"""Keys that currently have a meaning on the map. All others belong to the window."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.desktop.map.values import Tool

_LINES: tuple[Tool, ...] = ("track", "split", "measure")
_CORNERED: tuple[Tool, ...] = ("polygon", "hole", "part", *_LINES)
_RESTING: tuple[Tool, ...] = ("select", "edit", "edit_part")
_AT_ONCE: tuple[Tool, ...] = ("circle", "beacon", "lasso")
"""Tools whose drawing needs no finishing, so that Enter does the same as Space."""

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_STEPS = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}
_RINGS = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
_ZOOMS = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}
_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class KeyAction(Enum):
    """The effect of a key on the map."""

    CANCEL = auto()
    STEP_BACK = auto()
    FINISH = auto()
    DELETE = auto()
    MENU = auto()
    NOTHING = auto()
    PAN = auto()
    ZOOM = auto()
    CURSOR = auto()
    """Moves the crosshair of keyboard drawing."""
    PUT = auto()
    """Clicks at the crosshair."""
    RESHAPE = auto()
    """Starts to edit the vertices of the selected geofence."""
    STOP_RESHAPING = auto()
    VERTEX = auto()
    """Selects the next vertex, or the previous one."""
    RING = auto()
    """Selects the first vertex of the next ring, or of the previous one."""
    NUDGE = auto()
    ADD_VERTEX = auto()
    REMOVE_VERTEX = auto()


class MapKey(Struct, frozen=True):
    """The action of a key on the map; arrows and similar keys also have a direction and a step size.

    If it `yields`, a shortcut of the window takes precedence.
    """

    action: KeyAction
    right: int = 0
    down: int = 0
    far: bool = False
    yields: bool = False


class KeyState(Struct, frozen=True):
    """The state of the map when a key is pressed."""

    tool: Tool
    selected: bool
    """Whether any geofence is selected."""
    handles: bool
    """Whether a single geofence is selected, so that it has handles."""
    reshaping: bool
    """Whether keys move the vertices of that geofence."""


def map_key(event: QKeyEvent, state: KeyState) -> MapKey | None:
    """Return the map's action for a key, or None if it has none."""
    key, held = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if key in _ARROWS:
        return _arrow(key, held, state)
    if key in _ZOOMS and not held & ~_SHIFT:
        return MapKey(KeyAction.ZOOM, right=_ZOOMS[key], yields=True)
    is_reshaping = state.reshaping and state.tool == "select"
    if key in _STEPS and not held & ~_SHIFT and (is_reshaping or (state.handles and state.tool == "edit_part")):
        return MapKey(KeyAction.VERTEX, right=-1 if held else _STEPS[key])
    if is_reshaping and not held and (found := _reshaping_key(key)) is not None:
        return found
    action = None if held else _drawing_action(key, state.tool) or _resting_action(key, state)
    return None if action is None else MapKey(action)


def _arrow(key: Qt.Key, held: Qt.KeyboardModifier, state: KeyState) -> MapKey | None:
    right, down = _ARROWS[key]
    far = bool(held & _SHIFT)
    rest = held & ~_SHIFT
    if rest == _CONTROL:
        return MapKey(KeyAction.PAN, right, down, far, yields=True)
    if rest:
        return None
    if state.tool not in _RESTING:
        return MapKey(KeyAction.CURSOR, right, down, far)
    if state.handles and (state.reshaping or state.tool != "select"):
        return MapKey(KeyAction.NUDGE, right, down, far)
    return MapKey(KeyAction.PAN, right, down, far, yields=True)


def _reshaping_key(key: Qt.Key) -> MapKey | None:
    if key in _RINGS:
        return MapKey(KeyAction.RING, right=_RINGS[key])
    action = _reshaping_action(key)
    return None if action is None else MapKey(action)


def _reshaping_action(key: Qt.Key) -> KeyAction | None:
    if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
        return KeyAction.REMOVE_VERTEX
    if key == Qt.Key.Key_Insert:
        return KeyAction.ADD_VERTEX
    return KeyAction.STOP_RESHAPING if key in (Qt.Key.Key_Escape, *_ENTER) else None


def _drawing_action(key: Qt.Key, tool: Tool) -> KeyAction | None:
    if key == Qt.Key.Key_Escape and tool != "select":
        return KeyAction.CANCEL
    if tool in _RESTING:
        return None
    if key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete) and tool in _CORNERED:
        return KeyAction.STEP_BACK
    if key == Qt.Key.Key_Space or (key in _ENTER and tool in _AT_ONCE):
        return KeyAction.PUT
    if key in _ENTER:
        return KeyAction.FINISH
    # Delete must not remove the selection while the user is drawing.
    return KeyAction.NOTHING if key == Qt.Key.Key_Delete else None


def _resting_action(key: Qt.Key, state: KeyState) -> KeyAction | None:
    if state.tool not in _RESTING:
        return None
    if key == Qt.Key.Key_Delete and state.selected:
        return KeyAction.DELETE
    if key in _ENTER and state.handles and state.tool == "select":
        return KeyAction.RESHAPE
    return KeyAction.MENU if key == Qt.Key.Key_Menu else None
