"""The choice of the window's language in the *View* menu."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from app.desktop.language import tr
from app.desktop.language.catalogue import SYSTEM, languages
from app.desktop.memory import Memory
from app.desktop.window.message import MessageLine


class LanguageChoice(QObject):
    """Offers the languages in a menu and stores the choice, which takes effect at the next start."""

    def __init__(self, menu: QMenu, memory: Memory, message: MessageLine) -> None:
        super().__init__(menu)
        self._memory, self._message = memory, message
        group = QActionGroup(self)
        # Each language is listed under its own name, so that its speakers recognise it.
        for code, name in ((SYSTEM, tr("Follow system")), *languages().items()):
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(code == memory.language)
            action.triggered.connect(lambda _=False, code=code: self._choose(code))
            group.addAction(action)

    def _choose(self, code: str) -> None:
        self._memory.language = code
        self._message.show_info(tr("The language changes when you start Fencewright again."))
