"""Keyboard focus of the switches in the corner of the map's page."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent

_MAP = -1
_PRESS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_ELSEWHERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class _Put(Protocol):
    """Sends a command to the page."""

    def __call__(self, name: str, **fields: object) -> None: ...


class PageControls:
    """Moves the keyboard focus from the map to its switches, from one to the next, and out of the map.

    The page receives no keys, so that the window handles them as it does everywhere else. The page reports the number
    of visible switches and is sent the focused one.
    """

    def __init__(self, put: _Put) -> None:
        self._put = put
        self._count = 0
        self._at = _MAP

    def set_count(self, count: int) -> None:
        """Set the number of visible switches; a collapsed list has one."""
        self._count = count
        if self._at >= count:
            self._go(count - 1)

    def leave(self) -> None:
        """Return the keyboard focus to the map."""
        if self._at != _MAP:
            self._go(_MAP)

    def attend(self, event: QEvent) -> None:
        """Follow changes of the keyboard focus, and use of the mouse."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self.leave()
        elif isinstance(event, QFocusEvent) and event.reason() not in _ELSEWHERE:
            comes_back = event.gotFocus() and event.reason() == Qt.FocusReason.BacktabFocusReason
            if comes_back and self._count:
                self._go(self._count - 1)
            else:
                self.leave()

    def handles(self, event: QKeyEvent, pressed: bool) -> bool:
        """Handle a key if it belongs to the switches, and return whether it does."""
        key, held = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) and not held & ~_SHIFT:
            return self._tab(-1 if held or key == Qt.Key.Key_Backtab else 1, pressed)
        if self._at == _MAP or held:
            return False
        if key in _PRESS:
            self._do(pressed, "control_press", at=self._at)
        elif key in _STEPS:
            to = max(0, min(self._count - 1, self._at + _STEPS[key]))
            self._go(to if pressed else self._at)
        elif key == Qt.Key.Key_Escape:
            self._do(pressed, "controls_close")
            if pressed:
                self._at = _MAP
        else:
            return False
        return True

    def _tab(self, step: int, pressed: bool) -> bool:
        """Move the focus by one step and return whether it stays within the map."""
        to = self._at + step
        stays = _MAP <= to < self._count
        if pressed:
            self._go(to if stays else _MAP)
        return stays

    def _go(self, to: int) -> None:
        if to != self._at:
            self._at = to
            self._put("control_focus", at=None if to == _MAP else to)

    def _do(self, pressed: bool, name: str, **fields: object) -> None:
        if pressed:
            self._put(name, **fields)
