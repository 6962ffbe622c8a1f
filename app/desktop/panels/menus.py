"""Menus that assign a mnemonic letter to each of their entries."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from PySide6.QtGui import QAction, QHideEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget
from shiboken6 import isValid


class Menu(QMenu):
    """A menu that underlines one letter of each of its entries while it is shown.

    The free letters depend on the other entries, and an action may be in several menus. Therefore the letters are
    chosen when the menu is shown, and the texts of the actions stay unmarked.
    """

    def __init__(self, parent: QWidget | None = None, title: str = "") -> None:
        super().__init__(title, parent)
        self._marked: list[tuple[QAction, str, str]] = []

    def submenu(self, title: str) -> Menu:
        """Append a submenu."""
        made = Menu(self, title)
        self.addMenu(made)
        return made

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Mark the letters before the menu is shown."""
        self._mark()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Restore the texts."""
        super().hideEvent(event)
        self._unmark()

    def _mark(self) -> None:
        self._unmark()
        entries = [action for action in self.actions() if action.text() and not action.isSeparator()]
        texts = [action.text() for action in entries]
        for action, text, at in zip(entries, texts, mnemonic_places(texts), strict=True):
            if at is not None:
                marked = f"{text[:at]}&{text[at:]}"
                # macOS has no mnemonics.
                if not QKeySequence.mnemonic(marked).isEmpty():
                    action.setText(marked)
                    self._marked.append((action, text, marked))

    def _unmark(self) -> None:
        marked, self._marked = self._marked, []
        for action, text, now in marked:
            if isValid(action) and action.text() == now:
                action.setText(text)


def mnemonic_places(texts: Sequence[str], taken: Collection[str] = ()) -> list[int | None]:
    """Return the position of the mnemonic letter in each text, or None for a text without one.

    Letters are unique, and as few texts as possible have none. First letters are preferred, then the first letters of
    other words, then any letter. Letters that are already `taken` are never used. In a text, "&&" stands for an
    ampersand.
    """
    offered = ([letter for _, letter in _letters(text) if letter not in taken] for text in texts)
    wanted = [list(dict.fromkeys(letters)) for letters in offered]
    holder: dict[str, int] = {}

    def find(entry: int, tried: set[str]) -> bool:
        for letter in wanted[entry]:
            if letter in tried:
                continue
            tried.add(letter)
            if letter not in holder or find(holder[letter], tried):
                holder[letter] = entry
                return True
        return False

    for entry in range(len(texts)):
        # Free letters are preferred to letters that another entry would have to give up.
        free = next((letter for letter in wanted[entry] if letter not in holder), None)
        if free is not None:
            holder[free] = entry
        else:
            find(entry, set())
    chosen = {entry: letter for letter, entry in holder.items()}
    return [
        next((at for at, letter in _letters(text) if letter == chosen.get(entry)), None)
        for entry, text in enumerate(texts)
    ]


def _letters(text: str) -> Iterator[tuple[int, str]]:
    """Yield the possible letters of a text with their positions, best first."""
    places = [at for at, letter in enumerate(text) if letter.isascii() and letter.isalnum()]
    starts = [at for at in places if at == 0 or not text[at - 1].isalnum()]
    return ((at, text[at].casefold()) for at in chain(starts, places))
