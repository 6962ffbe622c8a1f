"""Numbers with units that can be typed, and that can be left empty if they are optional."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QHideEvent, QShowEvent, QValidator
from PySide6.QtWidgets import QDoubleSpinBox

from app.desktop.language import tr
from app.desktop.model.editing.numbers import NotANumber, read_quantity, spell_number
from app.desktop.model.words import capital
from app.desktop.panels.bubble import Bubble
from app.desktop.panels.fields.basic import Steady, TextLine
from app.desktop.panels.widgets import Field, restyle
from engine.domain.errors import InvalidParameter

_NOTHING = -1.0
_KEPT_DECIMALS = 10
_TOWARDS_ZERO = 1.01


class NumberBox(Steady, QDoubleSpinBox):
    """A number with a unit that accepts any value and leaves the validation to the engine.

    With `unset`, the box may be empty, which is shown as that text. An invalid text stays in the box with an error, and
    the number remains the previous one. `refused` carries the message, or an empty one when the box is valid again.
    """

    refused = Signal(str)

    def __init__(self, unit: str, *, unset: str = "", decimals: int = 2) -> None:
        super().__init__()
        self.steady()
        self._line = TextLine()
        self.setLineEdit(self._line)
        self._optional = bool(unset)
        self._given = 0.0
        """The number last shown, typed or stepped to, because Qt rounds very small ones to 0."""
        self._rejected: str | None = None
        self._refusal = ""
        self._bubble: Bubble | None = None
        self.editingFinished.connect(self._finish)
        self.setRange(_NOTHING if unset else 0.0, 1e9)
        self.setDecimals(decimals)
        self.setSuffix(f" {unit}")
        self.setSpecialValueText(unset)
        self.setKeyboardTracking(False)
        self.lineEdit().setTextMargins(4, 0, 0, 0)

    @property
    def typing(self) -> bool:
        """Whether typed text has not been accepted yet."""
        return self.text() != self.spell(self.number())

    @property
    def rejected(self) -> str | None:
        """The invalid text, or None if the box has a valid number."""
        return self._rejected

    @property
    def refusal(self) -> str:
        """The message about an invalid text, without its subject, or "" if the box has a valid number."""
        return self._refusal

    def check(self, param: str) -> None:
        """Raise `InvalidParameter` naming `param` if the box holds an invalid text."""
        if self._refusal:
            raise InvalidParameter(param, f"{param}: {self._refusal}")

    def take(self) -> bool:
        """Accept the typed text without waiting for the box to be left; return whether it is a valid number."""
        self.interpretText()
        self._finish()
        return not self._refusal

    def reject(self, text: str) -> None:
        """Show an invalid text with its error."""
        self._rejected = text
        self._show_rejected()

    def spell(self, number: float | None) -> str:
        """Return a number or None as the box would show it."""
        return self.specialValueText() if number is None else f"{self.textFromValue(number)}{self.suffix()}"

    def number(self) -> float | None:
        """Return the number, or None if the box is empty."""
        return None if self._optional and self.value() == _NOTHING else self.value()

    def set_number(self, number: float | None) -> None:
        """Show a number, or None as empty."""
        self.setValue(_NOTHING if number is None else number)

    def set_unset(self, text: str) -> None:
        """Set the text for an empty number."""
        self.setSpecialValueText(text)
        self._show_rejected()

    def setValue(self, value: float) -> None:  # noqa: N802 (Qt's name)
        """Show a number in place of typed text."""
        self._given = value
        super().setValue(value)
        self._accept()

    def setDecimals(self, decimals: int) -> None:  # noqa: N802 (Qt's name)
        """Set the number of decimals shown, unless more were typed.

        Without decimals, only whole numbers can be typed.
        """
        self._shown_decimals = decimals
        super().setDecimals(_KEPT_DECIMALS)

    def stepBy(self, steps: int) -> None:  # noqa: N802 (Qt's name)
        """Step the value.

        An empty box steps up to the first whole number. Stepping never empties the box.
        """
        if not self.take():
            return
        number = self.number()
        if number is None:
            self.setValue(max(steps, 0) or _NOTHING)
            return
        self.setSingleStep(self._step(number, steps))
        super().stepBy(steps)
        if self._optional and self.value() < 0:
            self.setValue(0.0)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Allow any text to be typed. Only valid numbers are accepted."""
        try:
            self._read(text)
        except NotANumber:
            return QValidator.State.Intermediate, text, position
        return QValidator.State.Acceptable, text, position

    def fixup(self, text: str) -> str:
        """Remember an invalid text, because Qt replaces it with the previous number."""
        self._rejected = self._bare(text)
        return text

    def valueFromText(self, text: str) -> float:  # noqa: N802 (Qt's name)
        """Return the typed number."""
        self._rejected = None
        self._given = self._read(text)
        return self._given

    def textFromValue(self, value: float) -> str:  # noqa: N802 (Qt's name)
        """Return the number in the same format as the map and the lists."""
        is_tiny = not value and not round(self._given, _KEPT_DECIMALS)
        return spell_number(self._given if is_tiny else value, self._shown_decimals)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with the width of typical values rather than of the largest possible one."""
        return QSize(96, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the preferred size."""
        return self.sizeHint()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Accept the typed text, or keep it if it is invalid."""
        super().hideEvent(event)
        self._finish()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Show an invalid text again, because Qt replaces it with the previous number."""
        super().showEvent(event)
        self._show_rejected()

    def _read(self, text: str) -> float:
        bare = self._bare(text)
        # The text for an empty number may end like the unit: "Fill all gaps" is in seconds.
        if self._optional and (not bare or text.strip() == self.specialValueText()):
            return _NOTHING
        value = read_quantity(bare, self.suffix().strip(), whole=not self._shown_decimals)
        least, most = 0.0 if self._optional else self.minimum(), self.maximum()
        if value < least:
            raise NotANumber(tr("must be at least {least}.", least=spell_number(least)))
        if value > most:
            raise NotANumber(tr("must be at most {most}.", most=spell_number(most)))
        return value

    def _bare(self, text: str) -> str:
        return text.strip().removesuffix(self.suffix().strip()).strip()

    def _step(self, number: float, steps: int) -> float:
        """Return the step: a tenth of the number's power of ten, and at least the last decimal shown."""
        smallest = 10.0**-self._shown_decimals
        size = abs(number) / (_TOWARDS_ZERO if (number > 0) != (steps > 0) else 1.0)
        return max(10.0 ** (floor(log10(size)) - 1), smallest) if size else smallest

    # Invalid text

    def _finish(self) -> None:
        if self._rejected is None:
            self._accept()
            self._line.rest()
        else:
            self._show_rejected()

    def _accept(self) -> None:
        self._rejected = None
        if self._refusal:
            self._refuse("")

    def _show_rejected(self) -> None:
        if self._rejected is None:
            return
        try:
            self._read(self._rejected)
        except NotANumber as error:
            self._line.setText(f"{self._rejected}{self.suffix()}")
            self._refuse(str(error))

    def _refuse(self, message: str) -> None:
        self._refusal, message = message, capital(message)
        field = self._field()
        if field is not None:
            field.show_error(message or None)
        else:
            self._bubble = self._bubble or Bubble(self, self)
            self._bubble.show_text(message)
            self.setAccessibleDescription(message)
            restyle(self, "invalid", bool(message))
        self.refused.emit(message)

    def _field(self) -> Field | None:
        each = self.parentWidget()
        while each is not None and not isinstance(each, Field):
            each = each.parentWidget()
        return each


def take_all(boxes: Iterable[NumberBox]) -> bool:
    """Accept the texts typed in some boxes; return whether all are valid, and focus the first invalid one."""
    wrong = [box for box in [*boxes] if not box.take()]
    if wrong:
        wrong[0].setFocus()
    return not wrong
