"""Kinds of form fields: text, check box, choice and number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox

from app.desktop.language import tr
from app.desktop.model.editing.changes import same_value
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.widgets import Field
from engine.domain.errors import InvalidParameter


class TextEntry[Record](Entry[Record]):
    """A line of text. The value is proposed when the user leaves the field or presses Enter."""

    def __init__(
        self,
        name: str,
        field: Field,
        editor: TextLine,
        spell: Callable[[Record], str],
        parse: Callable[[str, Record], object] = lambda text, _: text,
    ) -> None:
        super().__init__(name, field)
        self.editor = editor
        self._spell, self._parse = spell, parse
        self._at_rest = ""
        editor.editingFinished.connect(self.propose)

    @property
    def typed(self) -> bool:
        """Whether the text differs from the shown value."""
        return self.editor.text() != self._at_rest

    def value(self, record: Record) -> Any:
        """Return the value of the record's text."""
        return self._parse(self._spell(record), record)

    def words(self, record: Record) -> str:
        """Return the text."""
        return self._spell(record) or self.editor.placeholderText() or tr("nothing")

    def fill(self, record: Record) -> None:
        """Show the text. If the field has the focus, the cursor stays at the same end."""
        self._at_rest = self._spell(record)
        self.editor.show_text(self._at_rest)

    def settle(self) -> None:
        """Propose the typed text without waiting for the field to be left."""
        if self.typed and self.refusal is None:
            self.propose()

    def state(self) -> object:
        """Return the text."""
        return self.editor.text()

    def put_back(self, state: object) -> None:
        """Show a text that is not stored."""
        self.editor.setText(str(state))

    def propose(self) -> None:
        """Propose the typed text, or show an error if it is invalid."""
        if self.record is None:
            return
        if not (self.typed or self._sent):
            if self.refusal is not None:
                self.revert()
                self.withdrawn.emit(self.name)
            self.follow()
            return
        try:
            value = self._parse(self.editor.text(), self.record)
        except InvalidParameter as error:
            self.refuse(error_text(error))
            return
        self.give(value)

    def accept(self, value: object) -> None:
        """Record that the proposed text was stored. Text typed since then remains unsaved."""
        if self.record is not None and self._means(value, self.record):
            self._at_rest = self.editor.text()
        super().accept(value)

    def show_pending(self, record: Record, shown: Record, before: Record | None) -> None:
        """Show a pending text. Text typed since then is kept."""
        if self._means(self.value(shown), record):
            self._at_rest = self.editor.text()
        super().show_pending(record, shown, before)

    def _means(self, value: object, record: Record) -> bool:
        try:
            return same_value(self._parse(self.editor.text(), record), value)
        except InvalidParameter:
            return False


class CheckEntry[Record](Entry[Record]):
    """A check box."""

    def __init__(self, name: str, field: Field, editor: QCheckBox, read: Callable[[Record], bool]) -> None:
        super().__init__(name, field)
        self.editor = editor
        self._read = read
        editor.toggled.connect(self.give)

    def value(self, record: Record) -> Any:
        """Return whether the field is on in a record."""
        return self._read(record)

    def fill(self, record: Record) -> None:
        """Show whether the field is on in a record."""
        with QSignalBlocker(self.editor):
            self.editor.setChecked(self._read(record))

    def words(self, record: Record) -> str:
        """Return on or off."""
        return tr("on") if self._read(record) else tr("off")

    def state(self) -> object:
        """Return whether the box is checked."""
        return (self.editor.isChecked(),)

    def put_back(self, state: object) -> None:
        """Show a state that is not stored."""
        assert isinstance(state, tuple)
        with QSignalBlocker(self.editor):
            self.editor.setChecked(state[0])


class ChoiceEntry[Record](Entry[Record]):
    """A choice of a few values, one for each item in order."""

    def __init__(
        self,
        name: str,
        field: Field,
        editor: QComboBox,
        read: Callable[[Record], object],
        values: Sequence[object],
    ) -> None:
        super().__init__(name, field)
        self.editor = editor
        self._read = read
        # Not stored as item data, because Qt converts string enumerations to plain strings.
        self._values = tuple(values)
        editor.activated.connect(lambda index: self.give(self._values[index]))

    def value(self, record: Record) -> Any:
        """Return the value."""
        return self._read(record)

    def fill(self, record: Record) -> None:
        """Show the value."""
        self.editor.setCurrentIndex(self._index_of(record))

    def words(self, record: Record) -> str:
        """Return the item's text."""
        return self.editor.itemText(self._index_of(record))

    def state(self) -> object:
        """Return the index of the chosen item."""
        return (self.editor.currentIndex(),)

    def put_back(self, state: object) -> None:
        """Show a choice that is not stored."""
        assert isinstance(state, tuple)
        self.editor.setCurrentIndex(state[0])

    def _index_of(self, record: Record) -> int:
        value = self._read(record)
        return next(index for index, each in enumerate(self._values) if each is value)


class NumberEntry[Record](Entry[Record]):
    """An optional number. The value is the shown number times `factor`."""

    def __init__(
        self,
        name: str,
        field: Field,
        editor: NumberBox,
        read: Callable[[Record], float | None],
        factor: float = 1.0,
        *,
        whole: bool = False,
    ) -> None:
        super().__init__(name, field)
        self.editor = editor
        self._read, self._factor, self._whole = read, factor, whole
        editor.valueChanged.connect(lambda _: self._propose())
        editor.refused.connect(self._on_refused)
        editor.editingFinished.connect(self.follow)

    @property
    def typed(self) -> bool:
        """Whether a number is being typed."""
        return self.editor.typing

    def value(self, record: Record) -> Any:
        """Return the number."""
        return self._read(record)

    def words(self, record: Record) -> str:
        """Return the number with its unit."""
        return self.editor.spell(self._shown(record))

    def fill(self, record: Record) -> None:
        """Show the number."""
        with QSignalBlocker(self.editor):
            self.editor.set_number(self._shown(record))

    def settle(self) -> None:
        """Accept the typed number."""
        self.editor.take()

    def state(self) -> object:
        """Return the number, which may be None, and the invalid text shown in its place, if any."""
        return self.editor.number(), self.editor.rejected

    def put_back(self, state: object) -> None:
        """Show a number that is not stored."""
        assert isinstance(state, tuple)
        number, rejected = state
        with QSignalBlocker(self.editor):
            self.editor.set_number(number)
        if rejected is not None:
            self.editor.reject(rejected)

    def _on_refused(self, message: str) -> None:
        if message:
            self.refuse(message)
        else:
            self._propose()

    def _shown(self, record: Record) -> float | None:
        value = self._read(record)
        return None if value is None else value / self._factor

    def _propose(self) -> None:
        number = self.editor.number()
        self.give(None if number is None else round(number) if self._whole else number * self._factor)
