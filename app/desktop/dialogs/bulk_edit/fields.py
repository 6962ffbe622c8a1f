"""Fields of the bulk edit: each shows the common value of the geofences and is applied only if it is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Signal, SignalInstance
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from app.desktop.language import tr
from app.desktop.model.editing.bulk import MIXED, Mixed
from app.desktop.model.editing.week import WORKING_WEEK
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.geofence.week import WeekEdit
from app.desktop.panels.layouts import in_column
from app.desktop.panels.widgets import Field
from engine.domain.errors import InvalidParameter
from engine.domain.hours import OperatingHours

MIXED_TEXT: Final = tr("mixed")
_TITLE_PX: Final = 200


class BulkField(QWidget):
    """A check box with the name of a field, and its editor; a user's edit checks the box.

    `show` fills the editor with a value, or with a placeholder if the values differ.
    """

    touched = Signal()

    def __init__(
        self,
        name: str,
        title: str,
        editor: QWidget,
        show: Callable[[Any | Mixed], None],
        read: Callable[[], object],
        *edited: SignalInstance,
    ) -> None:
        super().__init__()
        self.name, self._show, self._read = name, show, read
        self._shared: Any | Mixed = None
        self.check = QCheckBox(title)
        self.check.setToolTip(tr("Apply this field to all selected geofences"))
        self.field = Field("", editor, gap=False)
        editor.setAccessibleName(title)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setColumnMinimumWidth(0, _TITLE_PX)
        layout.setColumnStretch(1, 1)
        layout.addWidget(self.check, 0, 0)
        layout.addWidget(self.field, 0, 1)
        self.check.toggled.connect(self._on_checked)
        for signal in edited:
            signal.connect(self._on_edited)

    @property
    def is_touched(self) -> bool:
        """Whether the field will be applied."""
        return self.check.isChecked() and not self.isHidden()

    def show_shared(self, value: Any | Mixed) -> None:
        """Show the common value of the geofences, unless the user has filled in the field."""
        self._shared = value
        if not self.check.isChecked():
            self._fill()

    def value(self) -> object:
        """Return the value to apply; raises `InvalidParameter` if it is invalid."""
        return self._read()

    def touch(self) -> None:
        """Tick the check box of the field, so that the field is applied, and give the editor the focus."""
        self.check.setChecked(True)
        self.field.editor.setFocus()
        if isinstance(self.field.editor, QLineEdit):
            self.field.editor.selectAll()

    def _fill(self) -> None:
        with QSignalBlocker(self.field.editor):
            self._show(self._shared)
        self.field.show_error(None)

    def _on_checked(self, on: bool) -> None:
        if not on:
            self._fill()
        self.touched.emit()

    def _on_edited(self) -> None:
        self.field.show_error(None)
        if not self.check.isChecked():
            self.check.setChecked(True)
        else:
            self.touched.emit()


def text_field(
    name: str,
    title: str,
    spell: Callable[[Any], str],
    parse: Callable[[str], object],
    *,
    empty: str = "",
    line: TextLine | None = None,
    editor: QWidget | None = None,
) -> BulkField:
    """Return a text field; `empty` is the placeholder for an empty text."""
    line = line or TextLine()

    def show(value: Any | Mixed) -> None:
        line.setPlaceholderText(MIXED_TEXT if value is MIXED else empty)
        line.setText("" if value is MIXED else spell(value))
        line.setCursorPosition(0)

    made = BulkField(name, title, editor or line, show, lambda: parse(line.text()), line.textEdited)
    made.check.toggled.connect(lambda on: line.setPlaceholderText(empty) if on else None)
    return made


def choice_field(name: str, title: str, options: Sequence[tuple[str, object]]) -> BulkField:
    """Return a field with a few options."""
    box = ChoiceBox()

    def show(value: Any | Mixed) -> None:
        box.clear()
        for text, each in options:
            box.addItem(text, [each])
        box.setPlaceholderText(MIXED_TEXT)
        box.setCurrentIndex(-1 if value is MIXED else [each for _, each in options].index(value))

    def read() -> object:
        chosen = box.currentData()
        return chosen[0] if chosen else options[0][1]

    made = BulkField(name, title, box, show, read, box.activated)
    made.check.toggled.connect(lambda on: box.setCurrentIndex(max(box.currentIndex(), 0)) if on else None)
    return made


def number_field(name: str, title: str, unit: str, unset: str, factor: float) -> BulkField:
    """Return a field for a number with its unit, which may be empty if `unset` describes that case."""
    box = NumberBox(unit, unset=unset or MIXED_TEXT)

    def show(value: Any | Mixed) -> None:
        box.set_unset(MIXED_TEXT if value is MIXED else unset)
        box.set_number(None if value is MIXED or value is None else value / factor)

    def read() -> object:
        box.take()
        box.check(name)
        number = box.number()
        if number is None and not unset:
            raise InvalidParameter(name, tr("{field_name}: is required.", field_name=name))
        return None if number is None else number * factor

    made = BulkField(name, title, box, show, read, box.valueChanged, box.lineEdit().textEdited)

    def name_none() -> None:
        # A change while the user types would discard the input.
        if made.check.isChecked() and not box.typing:
            box.set_unset(unset or MIXED_TEXT)

    made.check.toggled.connect(lambda _: name_none())
    box.editingFinished.connect(name_none)
    return made


class HoursEdit(QWidget):
    """Operating hours: always open, a week, or mixed."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind = ChoiceBox()
        self.kind.setPlaceholderText(MIXED_TEXT)
        self.kind.addItems([tr("always open"), tr("these hours")])
        self.kind.setAccessibleName(tr("Operating hours"))
        self.week = WeekEdit()
        self._hours: OperatingHours | None = None
        self.problem: str | None = None
        in_column(self.kind, self.week, of=self, margins=0, spacing=8)
        self.setFocusProxy(self.kind)
        self.kind.activated.connect(self._on_kind)
        self.week.committed.connect(self._on_week)
        self.week.refused.connect(self._on_refused)

    def show_hours(self, hours: OperatingHours | Mixed | None) -> None:
        """Show hours, or that they differ."""
        self.problem = None
        if hours is MIXED:
            self.kind.setCurrentIndex(-1)
            self._hours = None
        else:
            self.kind.setCurrentIndex(0 if hours is None else 1)
            self._hours = hours
        self.week.set_value(self._hours)
        self.week.setVisible(self._hours is not None)

    def decide(self) -> None:
        """Choose "always open" if the hours are mixed, so that the user sees the value that would be applied."""
        if self.kind.currentIndex() < 0:
            self.kind.setCurrentIndex(0)

    def hours(self) -> OperatingHours | None:
        """Return the chosen hours, or None for always open."""
        self.week.settle()
        return self._hours if self.kind.currentIndex() == 1 else None

    def _on_kind(self, kind: int) -> None:
        self.problem = None
        if kind == 1 and self._hours is None:
            self._hours = WORKING_WEEK
        self.week.set_value(self._hours if kind == 1 else None)
        self.week.setVisible(kind == 1)
        self.edited.emit()

    def _on_week(self, hours: OperatingHours) -> None:
        self._hours, self.problem = hours, None
        self.edited.emit()

    def _on_refused(self, problem: str) -> None:
        self.problem = problem
        self.edited.emit()
