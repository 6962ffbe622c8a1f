"""The Test clock: set it, advance it, change its speed, freeze it."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QWidget

from app.desktop.language import tr
from app.desktop.model.moments import parse_moment, spell_moment
from app.desktop.model.words import error_text, local_time
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.layouts import in_dialog, in_row
from app.desktop.panels.widgets import GRID, Field, button, label
from engine.domain.clock import ClockChange, ClockState
from engine.domain.errors import InvalidParameter

_UNITS = ((tr("minutes"), 60.0), (tr("hours"), 3_600.0), (tr("days"), 86_400.0), (tr("seconds"), 1.0))


class ClockDialog(QDialog):
    """Emits changes of the clock. The dialog is modeless, so the window stays usable."""

    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Test clock"))
        self.setMinimumWidth(380)
        self._zone = ZoneInfo("UTC")
        self.shown = label("", "title")
        self.note = label("", "hint", wrap=True)
        self.now = TextLine()
        self.amount = NumberBox("")
        self.amount.setValue(10)
        self.unit = ChoiceBox()
        for text, seconds in _UNITS:
            self.unit.addItem(text, seconds)
        self.scale = NumberBox(tr("× speed"), decimals=3)
        self.frozen = QCheckBox(tr("Frozen"))
        self.back = button(tr("Reset to system time"), lambda: self.changed.emit(ClockChange(system=True)))
        self._fields = {
            "now": self._field(tr("Date and time"), [self.now], tr("Set"), self._set),
            "advance_s": self._field(tr("Advance by"), [self.amount, self.unit], tr("Advance"), self._advance),
            "scale": self._field(tr("Speed"), [self.scale], tr("Set"), self._set_scale),
        }
        in_dialog(self, self.shown, self.note, *self._fields.values(), self.frozen, self.back)
        self.now.returnPressed.connect(self._set)
        self.frozen.toggled.connect(lambda on: self.changed.emit(ClockChange(frozen=on)))

    def show_state(self, state: ClockState, zone: ZoneInfo) -> None:
        """Show the clock; fields being edited keep their input."""
        typing = self.now.hasFocus() or self.now.isModified()
        # Keep the zone that was displayed when the user began to type.
        zone = self._zone = self._zone if typing else zone
        self.shown.setText(local_time(state.now, zone))
        if not typing:
            self.now.setText(spell_moment(state.now.replace(microsecond=0), zone))
        if not (self.scale.hasFocus() or self.scale.refusal):
            self.scale.setValue(state.scale)
        with QSignalBlocker(self.frozen):
            self.frozen.setChecked(state.frozen)
        self.back.setEnabled(not state.system)
        self.now.setPlaceholderText("2026-03-29 01:30")
        self.note.setText(
            tr("Applies to Test only; Live always uses the system time. Dates are in {time_zone}.", time_zone=zone.key)
        )

    def show_error(self, param: str, message: str) -> None:
        """Show an error at a field and accept the input of the others."""
        if param != "now":
            self.now.setModified(False)
        for name, field in self._fields.items():
            field.show_error(message if name == param else None)

    def done(self, result: int) -> None:
        """Discard the input and close the dialog."""
        self.show_error("", "")
        super().done(result)

    def _set(self) -> None:
        try:
            now = parse_moment(self.now.text(), self._zone, "now")
            if now is None:
                raise InvalidParameter("now", tr("now: must be a date, such as 2026-03-29 01:30."))
        except InvalidParameter as error:
            self.show_error(error.param, error_text(error))
            return
        self.changed.emit(ClockChange(now=now))

    def _advance(self) -> None:
        if self.amount.take():
            self.changed.emit(ClockChange(advance_s=self.amount.value() * self.unit.currentData()))

    def _set_scale(self) -> None:
        if self.scale.take():
            self.changed.emit(ClockChange(scale=self.scale.value()))

    def _field(self, title: str, editors: list[QWidget], verb: str, act: Callable[[], object]) -> Field:
        made = QWidget()
        centred = ((editor, 1, Qt.AlignmentFlag.AlignVCenter) for editor in editors)
        in_row(*centred, button(verb, act), of=made, margins=0, spacing=GRID)
        return Field(title, made, editors[0])
