"""A text editor for a record in a choice of formats, with errors underlined."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontDatabase, QKeyEvent, QKeySequence, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.shaping.faults import Fault
from app.desktop.model.shaping.texts import Format
from app.desktop.panels.fields.basic import ELSEWHERE, ChoiceBox
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.widgets import GRID, button, key_text, label, restyle, tip_text
from app.desktop.style import colors

_READ_AFTER_MS = 150
_APPLY_AFTER_MS = 1_500
_HEIGHT = 200
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_Keys = QKeySequence.StandardKey


class TextEdit(QPlainTextEdit):
    """A text editor with a fixed-width font.

    Ctrl+Enter applies the text and Escape reverts it. The editor handles undo as long as it has something to undo.
    """

    applied = Signal()
    reverted = Signal()
    left = Signal()

    def __init__(self, name: str, height: int) -> None:
        super().__init__()
        self.setObjectName("Text")
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setTabChangesFocus(True)
        self.setFixedHeight(height)
        self.setAccessibleName(name)

    def event(self, event: QEvent) -> bool:
        """Handle Ctrl+Enter before the window, and leave undo to the window if there is nothing to undo here."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if _is_apply(event):
                event.accept()
                return True
            document = self.document()
            if (event.matches(_Keys.Undo) and not document.isUndoAvailable()) or (
                event.matches(_Keys.Redo) and not document.isRedoAvailable()
            ):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply, revert or edit the text."""
        if _is_apply(event):
            self.applied.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.reverted.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit `left` when the editor loses the focus, except to a menu or another window."""
        super().focusOutEvent(event)
        if event.reason() not in ELSEWHERE:
            self.left.emit()

    def settle(self) -> None:
        """Accept the text by clearing the undo history."""
        self.document().clearUndoRedoStacks()


class TextPane(QWidget):
    """A pane that shows all or part of a record as text and emits the user's input.

    `typed` is emitted shortly after the last key and requests that the text is read. `apply_requested` is emitted
    after Ctrl+Enter, a click on the button, or a pause. `wanted` requests the stored text, and `let_go` is emitted when
    the user leaves the editor.
    """

    typed = Signal()
    apply_requested = Signal(bool)
    wanted = Signal()
    let_go = Signal()

    def __init__(self, name: str, formats: Sequence[str] = (), height: int = _HEIGHT) -> None:
        super().__init__()
        self.dirty = False
        """Whether the text has changes that are not applied."""
        self.stale = True
        """Whether the stored value differs from the displayed text."""
        self.formats = ChoiceBox()
        self.formats.setAccessibleName(tr("Format"))
        self.formats.addItems(formats)
        self.formats.setVisible(bool(formats))
        self.edit = TextEdit(name, height)
        self.apply = button(tr("Apply"), lambda: self.apply_requested.emit(True))
        self.apply.setToolTip(tip_text(tr("Apply the text ({shortcut})", shortcut=key_text("Ctrl+Enter"))))
        self.status = label(role="hint", wrap=True)
        self.status.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._fault: Fault | None = None
        self._danger = QColor(colors("light").danger)
        self._read = QTimer(self, singleShot=True, interval=_READ_AFTER_MS)
        self._read.timeout.connect(self.typed)
        self._pause = QTimer(self, singleShot=True, interval=_APPLY_AFTER_MS)
        self._pause.timeout.connect(lambda: self.apply_requested.emit(False))
        self.edit.textChanged.connect(self._on_text)
        self.edit.applied.connect(lambda: self.apply_requested.emit(True))
        self.edit.reverted.connect(self.revert)
        self.edit.left.connect(self.let_go)
        self.formats.activated.connect(lambda _: self.revert())
        self._arrange()

    @property
    def text(self) -> str:
        """The displayed text."""
        return self.edit.toPlainText()

    def set_theme(self, theme: Theme) -> None:
        """Colour errors for a theme."""
        self._danger = QColor(colors(theme).danger)
        self._underline()

    def show_text(self, text: str, status: str = "") -> None:
        """Show the stored text and discard the user's input."""
        self._rest()
        self.stale = False
        if text != self.text:
            at = self.edit.textCursor().position()
            with QSignalBlocker(self.edit):
                self.edit.setPlainText(text)
            if self.edit.hasFocus():
                cursor = self.edit.textCursor()
                cursor.setPosition(min(at, len(text)))
                self.edit.setTextCursor(cursor)
        self.edit.settle()
        self.show_status(status)

    def accept(self, status: str) -> None:
        """Accept the text as stored, without reformatting it while the user is typing."""
        self._rest()
        self.edit.settle()
        self.show_status(status)

    def show_status(self, status: str, fault: Fault | None = None) -> None:
        """Show the status of the text, or its error with the position."""
        self._fault = fault
        prefix = f"{fault.position_in(self.text)}: " if fault is not None and fault.end else ""
        self.status.setText(f"{prefix}{fault.message}" if fault is not None else status)
        restyle(self.status, "role", "error" if fault is not None else "hint")
        restyle(self.edit, "invalid", fault is not None)
        self.edit.setAccessibleDescription(self.status.text())
        self.apply.setEnabled(self.dirty and fault is None)
        self._underline()

    def wait(self) -> None:
        """Apply the text after a pause in typing."""
        self._pause.start()

    def revert(self) -> None:
        """Revert to the stored text."""
        self._rest()
        self.wanted.emit()

    def _rest(self) -> None:
        self.dirty = False
        self._read.stop()
        self._pause.stop()

    def _on_text(self) -> None:
        self.dirty = True
        self._pause.stop()
        self._read.start()
        self.apply.setEnabled(True)

    def _underline(self) -> None:
        fault = self._fault
        if fault is None or not fault.end:
            self.edit.setExtraSelections([])
            return
        mark = QTextEdit.ExtraSelection()
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        look.setUnderlineColor(self._danger)
        look.setForeground(self._danger)
        cursor = self.edit.textCursor()
        length = len(self.text)
        cursor.setPosition(min(fault.begin, length))
        cursor.setPosition(min(fault.end, length), QTextCursor.MoveMode.KeepAnchor)
        mark.cursor, mark.format = cursor, look
        self.edit.setExtraSelections([mark])

    def _arrange(self) -> None:
        head = in_row((self.formats, 1), spacing=GRID)
        head.addStretch(0)
        head.addWidget(self.apply)
        in_column(head, self.edit, self.status, of=self, margins=0, spacing=6)
        self.show_status("")


class ShapeText(TextPane):
    """A geofence in a choice of formats."""

    def __init__(self) -> None:
        super().__init__(tr("Geofence as text"), [each.value for each in Format])

    @property
    def format(self) -> Format:
        """The chosen format."""
        return list(Format)[self.formats.currentIndex()]


def _is_apply(event: QKeyEvent) -> bool:
    return event.key() in _ENTER and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
