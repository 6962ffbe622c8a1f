"""Fields with changed wheel and undo handling, where Qt's own behaviour is unexpected.

Used for all text lines, combo boxes, sliders, and number and time fields.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QComboBox, QDateTimeEdit, QLineEdit, QSlider, QWidget

ELSEWHERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Focus reasons that do not count as leaving a field."""

_Keys = QKeySequence.StandardKey


class Steady:
    """Mixin for fields that ignore the wheel unless they have the focus, to be listed as the first base class.

    Qt's own fields change their value and take the focus when the wheel passes over them.
    """

    def steady(self) -> None:
        """Take the focus on click and Tab, but not on wheel events."""
        assert isinstance(self, QWidget)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Change the value only if the field has the focus, else let the parent scroll."""
        assert isinstance(self, QWidget)
        if self.hasFocus():
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


class ChoiceBox(Steady, QComboBox):
    """A combo box. A letter selects a matching item even if it is a shortcut elsewhere in the window."""

    def __init__(self) -> None:
        super().__init__()
        self.steady()

    def event(self, event: QEvent) -> bool:
        """Reserve letter keys for selecting an item."""
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
    """A horizontal slider for a number."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.steady()


class MomentBox(Steady, QDateTimeEdit):
    """A field for a date and time."""

    def __init__(self) -> None:
        super().__init__()
        self.steady()


class TextLine(QLineEdit):
    """A line of text.

    Undo and redo apply to the line while text is being typed, and otherwise to the window. `left` is emitted when the
    focus moves to another field of the window, even if nothing was typed.
    """

    left = Signal()

    def rest(self) -> None:
        """Accept the typed text, so that undo no longer affects single letters."""
        start, length, at = self.selectionStart(), self.selectionLength(), self.cursorPosition()
        self.setText(self.text())
        if start >= 0:
            self.setSelection(start, length)
        else:
            self.setCursorPosition(at)

    def show_text(self, text: str) -> None:
        """Show another text from its beginning. If the line has the focus, the cursor position is kept."""
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
        """Ignore shortcuts that have no effect in the line, so that the window handles them."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._has_nothing_for(event)
        ):
            event.ignore()
            return False
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit `left`, unless the focus moves to another window or a menu."""
        super().focusOutEvent(event)
        if event.reason() not in ELSEWHERE:
            self.left.emit()

    def _has_nothing_for(self, event: QKeyEvent) -> bool:
        if event.matches(_Keys.Undo):
            return not self.isUndoAvailable()
        return event.matches(_Keys.Redo) and not self.isRedoAvailable()
