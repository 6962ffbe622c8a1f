"""Fields of a form: each shows one value of a record, proposes another, and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from app.desktop.panels.numbers import NumberBox
from app.desktop.panels.widgets import Field
from engine.domain.errors import InvalidParameter


class Entry[Record](QObject):
    """Stands for the field `name` of a record's change, which the API calls `param`.

    `proposed` carries a value for it; `withdrawn` tells that the user is back at the value that is stored.
    """

    proposed = Signal(str, object)
    withdrawn = Signal(str)

    def __init__(self, name: str, param: str, field: Field) -> None:
        super().__init__(field)
        self.name, self.param, self.field = name, param, field
        self.record: Record | None = None
        self.refusal: str | None = None
        """What is wrong with what is typed, while it stands there and was proposed to nobody."""

    def show_record(self, record: Record, before: Record | None) -> None:
        """Show the value of a record; `before` is its last state where the user may be at work on it."""
        self.record = record
        if before is None:
            self.allow()
        if self.refusal is None:
            self.fill(record, before)

    def fill(self, record: Record, before: Record | None) -> None:
        """Show the value of a record."""
        raise NotImplementedError

    def refuse(self, message: str) -> None:
        """Say what is wrong with what is typed; it stays until it is typed anew or taken back."""
        self.refusal = message
        self.field.show_error(message)

    def allow(self) -> None:
        """What is shown can be proposed, or is as it is stored."""
        self.refusal = None
        self.field.show_error(None)

    def accept(self) -> None:
        """What was proposed is stored."""

    def forget(self) -> None:
        """What was proposed and is not stored does not count any more."""

    def settle(self) -> None:
        """Propose what is half done: the user goes on to something else."""


class TextEntry[Record](Entry[Record]):
    """A line of text. It acts when it is left or finished with Enter, and says the same text only once."""

    def __init__(
        self,
        name: str,
        param: str,
        field: Field,
        editor: QLineEdit,
        spell: Callable[[Record], str],
        parse: Callable[[str, Record], object] = lambda text, _: text,
    ) -> None:
        super().__init__(name, param, field)
        self.editor = editor
        self._spell, self._parse = spell, parse
        self._sent: str | None = None
        editor.returnPressed.connect(self.forget)
        editor.editingFinished.connect(self.propose)

    def fill(self, record: Record, before: Record | None) -> None:
        """Show the text, unless the user is typing in it."""
        if before is None or not (self.editor.hasFocus() and self.editor.isModified()):
            self._set_text(self._spell(record))

    def accept(self) -> None:
        """The text that was proposed follows the record again."""
        if self._sent is not None and self.editor.text() == self._sent:
            self.editor.setModified(False)
        self._sent = None

    def forget(self) -> None:
        """Let the same text be proposed again."""
        self._sent = None

    def propose(self) -> None:
        """Propose what is typed, or show what is wrong with it."""
        if self.record is None:
            return
        text = self.editor.text()
        if text == self._spell(self.record):
            self.allow()
            self.withdrawn.emit(self.name)
        elif self._sent != text:
            self._send(text, self.record)

    def _send(self, text: str, record: Record) -> None:
        self._sent = text
        try:
            value = self._parse(text, record)
        except InvalidParameter as error:
            self.refuse(error.message)
            return
        self.allow()
        if value == self._parse(self._spell(record), record):
            self._set_text(self._spell(record))
            self.propose()
        else:
            self.proposed.emit(self.name, value)

    def _set_text(self, text: str) -> None:
        if self.editor.text() != text:
            self.editor.setText(text)
            self.editor.setCursorPosition(0)
        self.editor.setModified(False)


class CheckEntry[Record](Entry[Record]):
    """A check box."""

    def __init__(self, name: str, param: str, field: Field, editor: QCheckBox, read: Callable[[Record], bool]) -> None:
        super().__init__(name, param, field)
        self.editor = editor
        self._read = read
        editor.toggled.connect(self._propose)

    def fill(self, record: Record, before: Record | None) -> None:  # noqa: ARG002
        """Show whether it is on."""
        with QSignalBlocker(self.editor):
            self.editor.setChecked(self._read(record))

    def _propose(self, on: bool) -> None:
        if self.record is not None and on == self._read(self.record):
            self.withdrawn.emit(self.name)
        else:
            self.proposed.emit(self.name, on)


class ChoiceEntry[Record](Entry[Record]):
    """A choice among few values, each of which is the data of an item."""

    def __init__(
        self, name: str, param: str, field: Field, editor: QComboBox, read: Callable[[Record], object]
    ) -> None:
        super().__init__(name, param, field)
        self.editor = editor
        self._read = read
        editor.activated.connect(lambda _: self._propose(editor.currentData()))

    def fill(self, record: Record, before: Record | None) -> None:  # noqa: ARG002
        """Show the value."""
        value = self._read(record)
        index = next(i for i in range(self.editor.count()) if self.editor.itemData(i) is value)
        self.editor.setCurrentIndex(index)

    def _propose(self, value: object) -> None:
        if self.record is not None and value is self._read(self.record):
            self.field.show_error(None)
            self.withdrawn.emit(self.name)
        else:
            self.proposed.emit(self.name, value)


class NumberEntry[Record](Entry[Record]):
    """A number that may be none; what is shown times `factor` is the value."""

    def __init__(
        self,
        name: str,
        param: str,
        field: Field,
        editor: NumberBox,
        read: Callable[[Record], float | None],
        factor: float = 1.0,
        *,
        whole: bool = False,
    ) -> None:
        super().__init__(name, param, field)
        self.editor = editor
        self._read, self._factor, self._whole = read, factor, whole
        editor.valueChanged.connect(lambda _: self._propose())

    def fill(self, record: Record, before: Record | None) -> None:
        """Show the number, unless the user is typing one."""
        typing = self.editor.hasFocus() and self.editor.lineEdit().isModified()
        if before is not None and typing:
            return
        value = self._read(record)
        with QSignalBlocker(self.editor):
            self.editor.set_number(None if value is None else value / self._factor)

    def _propose(self) -> None:
        number = self.editor.number()
        value = None if number is None else round(number) if self._whole else number * self._factor
        if self.record is not None and value == self._read(self.record):
            self.field.show_error(None)
            self.withdrawn.emit(self.name)
        else:
            self.proposed.emit(self.name, value)
