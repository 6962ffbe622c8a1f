"""Mnemonics of labels, buttons and tabs, which activate their control and are underlined while Alt is held."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut, QWindow
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCalendarWidget,
    QDockWidget,
    QLabel,
    QMainWindow,
    QMenuBar,
    QStatusBar,
    QTabBar,
    QToolBar,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from app.desktop.panels.menus import mnemonic_places
from app.desktop.panels.related import buddy_of

_MARK: Final = re.compile(r"(?<!&)(?:&&)*&([^&])")
_ALT, _SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


class _Caption(Struct, frozen=True):
    """A text that can have a mnemonic: that of a label, a button or a tab."""

    widget: QLabel | QAbstractButton | QTabBar
    tab: int = -1

    @property
    def text(self) -> str:
        """The text, including the mark of its mnemonic."""
        return self.widget.tabText(self.tab) if isinstance(self.widget, QTabBar) else self.widget.text()

    def write(self, text: str) -> None:
        """Replace the text."""
        if isinstance(self.widget, QTabBar):
            self.widget.setTabText(self.tab, text)
        else:
            self.widget.setText(text)


class Letters(QObject):
    """Assigns mnemonics to the visible controls while Alt is held in the active window.

    In the main window only the panel with the focus gets them, because there are more controls than letters. The free
    letters depend on the other visible controls, so mnemonics are assigned on demand. Until then the texts have no
    marks. Permanent mnemonics, such as those of the menus, stay unchanged.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._watched: QWindow | None = None
        self._marked: list[tuple[_Caption, str, str]] = []
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusWindowChanged.connect(self._watch)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Watch the Alt key without consuming it."""
        kind = event.type()
        if kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) and isinstance(event, QKeyEvent):
            # Alt with Ctrl is AltGr on Windows, which types characters.
            alone = not event.modifiers() & ~(_ALT | _SHIFT)
            if event.key() == Qt.Key.Key_Alt and not event.isAutoRepeat():
                self._unmark()
                if kind == QEvent.Type.KeyPress and alone:
                    self._mark()
        return super().eventFilter(watched, event)

    def _watch(self, window: QWindow | None) -> None:
        """Watch the keys of the newly focused window."""
        self._unmark()
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        self._watched = window
        if window is not None:
            window.installEventFilter(self)

    def _mark(self) -> None:
        window = QApplication.activeWindow()
        if window is None or QApplication.activePopupWidget() is not None or not self._is_ours(window):
            return
        taken = set(_always_taken(window))
        captions = [each for each in _captions(_part_with_keyboard(window)) if not _has_letter(each)]
        texts = [caption.text for caption in captions]
        for caption, text, at in zip(captions, texts, mnemonic_places(texts, taken), strict=True):
            marked = text if at is None else f"{text[:at]}&{text[at:]}"
            # macOS has no mnemonics.
            if not QKeySequence.mnemonic(marked).isEmpty():
                caption.write(marked)
                self._marked.append((caption, text, marked))

    def _unmark(self) -> None:
        marked, self._marked = self._marked, []
        for caption, text, now in marked:
            # A text that was replaced in the meantime has no mark to remove.
            if isValid(caption.widget) and caption.text == now:
                caption.write(text)

    def _is_ours(self, window: QWidget) -> bool:
        at: QWidget | None = window
        while at is not None and at is not self._window:
            at = at.parentWidget()
        return at is not None


def _part_with_keyboard(window: QWidget) -> QWidget:
    """Return a dialog itself, or the panel of the main window that has the focus."""
    if not isinstance(window, QMainWindow):
        return window
    at = QApplication.focusWidget()
    while at is not None and at.parentWidget() is not window:
        at = at.parentWidget()
    is_panel = isinstance(at, QDockWidget | QToolBar | QStatusBar)
    return at if is_panel and at is not None else window.centralWidget() or window


def _captions(part: QWidget) -> Iterator[_Caption]:
    """Yield the visible captions that can have a mnemonic, in order of creation."""
    window = part.window()
    for widget in part.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not window or isinstance(widget.parent(), QCalendarWidget):
            continue
        if isinstance(widget, QTabBar):
            yield from (_Caption(widget, tab) for tab in range(widget.count()) if widget.isTabVisible(tab))
        elif isinstance(widget, QLabel | QAbstractButton) and _names_control(widget):
            yield _Caption(widget)


def _names_control(widget: QLabel | QAbstractButton) -> bool:
    """Return whether a widget names a control: a label with a visible buddy, or a button that shows text."""
    if isinstance(widget, QLabel):
        return (buddy := buddy_of(widget)) is not None and buddy.isVisible()
    icon_only = Qt.ToolButtonStyle.ToolButtonIconOnly
    is_icon = isinstance(widget, QToolButton) and widget.toolButtonStyle() == icon_only and not widget.icon().isNull()
    return bool(widget.text()) and not is_icon


def _has_letter(caption: _Caption) -> bool:
    """Return whether a caption already has a mnemonic or a shortcut."""
    has_key = isinstance(caption.widget, QAbstractButton) and not caption.widget.shortcut().isEmpty()
    return has_key or _MARK.search(caption.text) is not None


def _always_taken(window: QWidget) -> Iterator[str]:
    """Yield the letters that are permanently assigned in a window."""
    for shortcut in window.findChildren(QShortcut):
        yield from map(_letter_of, shortcut.keys())
    for action in (*window.actions(), *window.findChildren(QAction)):
        yield from map(_letter_of, action.shortcuts())
    for button in window.findChildren(QAbstractButton):
        yield _letter_of(button.shortcut())
    for menus in window.findChildren(QMenuBar):
        yield from (_letter_of(QKeySequence.mnemonic(menu.text())) for menu in menus.actions())
    for label in window.findChildren(QLabel):
        if buddy_of(label) is not None and (found := _MARK.search(label.text())) is not None:
            yield found[1].casefold()
    for bar in window.findChildren(QTabBar):
        found_in = (_MARK.search(bar.tabText(tab)) for tab in range(bar.count()))
        yield from (found[1].casefold() for found in found_in if found is not None)


def _letter_of(keys: QKeySequence) -> str:
    """Return the letter of a shortcut that is Alt and a letter, or "" for other shortcuts."""
    if keys.count() != 1 or keys[0].keyboardModifiers() != _ALT:  # type: ignore[index]
        return ""
    key = int(keys[0].key())  # type: ignore[index]
    return chr(key).casefold() if 0x20 < key < 0x7F else ""
