"""Fields as the window has them: what Qt's own do with the wheel, and with Ctrl+Z, is not what people expect.

Every line of text, combo box, slider and box with a number or a time is made of one of these.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QComboBox, QDateTimeEdit, QLineEdit, QSlider, QWidget

ELSEWHERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Reasons to lose the keyboard that are none of leaving a field."""

_Keys = QKeySequence.StandardKey


class Steady:
    """The first base of a field. Qt's own fields turn with every wheel that passes over them, and take the keyboard."""

    def steady(self) -> None:
        """Take the keyboard for a click and for Tab, not for the wheel."""
        assert isinstance(self, QWidget)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Turn with the keyboard in it; else let what is around it scroll."""
        assert isinstance(self, QWidget)
        if self.hasFocus():
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


class ChoiceBox(Steady, QComboBox):
    """A choice among few. A letter chooses what begins with it, also where it is a tool's elsewhere in the window."""

    def __init__(self) -> None:
        super().__init__()
        self.steady()

    def event(self, event: QEvent) -> bool:
        """Keep letters for the choice."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.text().isalnum()
            and not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        ):
            event.accept()
            return True
        return super().event(event)


class Slider(Steady, QSlider):
    """A number that is dragged from left to right."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.steady()


class MomentBox(Steady, QDateTimeEdit):
    """A date and a time."""

    def __init__(self) -> None:
        super().__init__()
        self.steady()


class TextLine(QLineEdit):
    """A line of text. Undo and redo are its own while something is typed in it, and the window's otherwise.

    `left` tells that the keyboard has gone to another field of the window, also where nothing was typed.
    """

    left = Signal()

    def rest(self) -> None:
        """Take over the typed text: from here on, undo means that, and no longer single letters."""
        start, length, at = self.selectionStart(), self.selectionLength(), self.cursorPosition()
        self.setText(self.text())
        if start >= 0:
            self.setSelection(start, length)
        else:
            self.setCursorPosition(at)

    def show_text(self, text: str) -> None:
        """Show another text, from its beginning; who has the keyboard here goes on where they were."""
        if self.text() == text:
            if self.isModified():
                self.rest()
            return
        at, whole = self.cursorPosition(), bool(self.text()) and self.selectedText() == self.text()
        at_end = at == len(self.text())
        self.setText(text)
        if not self.hasFocus():
            self.setCursorPosition(0)
        elif whole:
            self.selectAll()
        elif not at_end:
            self.setCursorPosition(min(at, len(text)))

    def event(self, event: QEvent) -> bool:
        """Leave to the window what there is nothing here to do for."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._has_nothing_for(event)
        ):
            event.ignore()
            return False
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Tell that the line was left; another window in front, or a menu, is no reason."""
        super().focusOutEvent(event)
        if event.reason() not in ELSEWHERE:
            self.left.emit()

    def _has_nothing_for(self, event: QKeyEvent) -> bool:
        if event.matches(_Keys.Undo):
            return not self.isUndoAvailable()
        return event.matches(_Keys.Redo) and not self.isRedoAvailable()
