"""Declarations of actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self, overload

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.palette import NEEDS, WORDS
from app.desktop.language import tr
from app.desktop.panels.widgets import key_text, tip_text

type _Keys = str | QKeySequence.StandardKey | tuple[str, ...]


class Declared(Struct, frozen=True, eq=False):
    """Declaration of an action. As an attribute of `Actions` it returns the window's `QAction`."""

    text: str
    icon: str
    keys: _Keys = ""
    tip: str = ""
    check: bool = False
    local: bool = False
    """Whether the shortcut works only in the widgets that the action is added to."""
    words: str = ""
    """Additional search terms."""
    needs: str = ""
    """Text shown while the action is not available, such as "Select a geofence."."""
    in_workspace: bool = False
    """Whether the action needs an open workspace, and nothing else."""
    in_test: bool = False
    """Whether the action is available in Test only."""

    @overload
    def __get__(self, actions: None, owner: type[ActionsOfWindow]) -> Self: ...

    @overload
    def __get__(self, actions: ActionsOfWindow, owner: type[ActionsOfWindow]) -> QAction: ...

    def __get__(self, actions: ActionsOfWindow | None, owner: type[ActionsOfWindow]) -> Self | QAction:
        return self if actions is None else actions.of(self)

    def make(self, owner: QWidget) -> QAction:
        """Create the action for a window."""
        action = QAction(self.text, owner)
        keys = self.keys if isinstance(self.keys, tuple) else (self.keys,)
        action.setShortcuts([QKeySequence(key) for key in keys if key])
        action.setIconText(self.text.removesuffix("…"))
        shown = key_text(keys[0])
        tip = self.tip or self.text
        action.setToolTip(tip_text(f"{tip.removesuffix('…')} ({shown})" if shown else tip))
        action.setCheckable(self.check)
        action.setProperty(WORDS, self.words)
        action.setProperty(NEEDS, self.needs or (tr("Open a workspace.") if self.in_workspace else ""))
        if self.local:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        else:
            owner.addAction(action)
        return action


class ActionsOfWindow:
    """The actions declared by a class, created for one window."""

    def __init__(self, owner: QWidget) -> None:
        self._made = {action: action.make(owner) for action in _declared_by(type(self))}

    def of(self, declared: Declared) -> QAction:
        """Return the action of a declaration."""
        return self._made[declared]


def _declared_by(actions: type) -> Iterator[Declared]:
    """Yield the declarations of a class and its bases in the order of their definition."""
    for base in actions.__bases__:
        yield from _declared_by(base)
    yield from (each for each in vars(actions).values() if isinstance(each, Declared))
