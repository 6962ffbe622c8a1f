"""The theme of the window and all its parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from app.desktop.map.values import Theme
from app.desktop.memory import Memory
from app.desktop.style import ThemeChoice, apply_theme, resolve
from app.desktop.window.actions.actions import Actions


class _Themed(Protocol):
    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        ...


class Appearance:
    """Applies the chosen theme to all parts: light, dark, or that of the system."""

    def __init__(self, memory: Memory, actions: Actions, parts: Iterable[_Themed]) -> None:
        self._memory, self._parts = memory, (actions, *parts)
        self._actions: dict[ThemeChoice, QAction] = {
            "light": actions.light,
            "dark": actions.dark,
            "system": actions.system,
        }
        self.theme: Theme = "light"
        for choice, action in self._actions.items():
            action.triggered.connect(lambda _=False, choice=choice: self.choose(choice))

    def choose(self, choice: ThemeChoice) -> None:
        """Use a light or dark theme, or follow the system."""
        self._memory.theme = choice
        self._actions[choice].setChecked(True)
        self.theme = resolve(choice)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, self.theme)
        for part in self._parts:
            part.set_theme(self.theme)

    def follow_system(self) -> None:
        """Apply the system's new theme, if the user has chosen to follow it."""
        if self._memory.theme == "system":
            self.choose("system")
