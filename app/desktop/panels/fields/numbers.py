"""Numbers with a unit that can be typed, and where it makes sense left out."""

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
    """A number with its unit that takes any value: what is wrong with it is for the engine to say.

    With `unset` it may hold none, shown as that text; emptying the box gets there. A text that is no number stays in
    the box, with what is wrong beside it; the number remains the one before. `refused` carries the message, and an
    empty one when the box has a number again.
    """

    refused = Signal(str)

    def __init__(self, unit: str, *, unset: str = "", decimals: int = 2) -> None:
        super().__init__()
        self.steady()
        self._line = TextLine()
        self.setLineEdit(self._line)
        self._optional = bool(unset)
        self._given = 0.0
        """The number that was shown, typed or stepped to last: Qt takes very small ones for 0."""
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
        """Whether something is typed that is not taken yet."""
        return self.text() != self.spell(self.number())

    @property
    def rejected(self) -> str | None:
        """The text that is no number, None where there is a number."""
        return self._rejected

    @property
    def refusal(self) -> str:
        """The message about a text that is no number, without its subject; empty where there is a number."""
        return self._refusal

    def check(self, param: str) -> None:
        """Raise `InvalidParameter` naming `param` while the box holds a text that is no number."""
        if self._refusal:
            raise InvalidParameter(param, f"{param}: {self._refusal}")

    def take(self) -> bool:
        """Take what is typed without waiting for the box to be left; return whether it is a number."""
        self.interpretText()
        self._finish()
        return not self._refusal

    def reject(self, text: str) -> None:
        """Show a text that is no number, with what is wrong with it."""
        self._rejected = text
        self._show_rejected()

    def spell(self, number: float | None) -> str:
        """Return a number, or none, as it would be shown."""
        return self.specialValueText() if number is None else f"{self.textFromValue(number)}{self.suffix()}"

    def number(self) -> float | None:
        """Return the number, None for none."""
        return None if self._optional and self.value() == _NOTHING else self.value()

    def set_number(self, number: float | None) -> None:
        """Show a number, or none."""
        self.setValue(_NOTHING if number is None else number)

    def set_unset(self, text: str) -> None:
        """Say what having no number means."""
        self.setSpecialValueText(text)
        self._show_rejected()

    def setValue(self, value: float) -> None:  # noqa: N802 (Qt's name)
        """Show a number in the place of what was typed."""
        self._given = value
        super().setValue(value)
        self._accept()

    def setDecimals(self, decimals: int) -> None:  # noqa: N802 (Qt's name)
        """Round what is shown, unless it was typed with more; with no decimals only whole numbers can be typed."""
        self._shown_decimals = decimals
        super().setDecimals(_KEPT_DECIMALS)

    def stepBy(self, steps: int) -> None:  # noqa: N802 (Qt's name)
        """Step on; from none to the first whole number, and never below nothing into none."""
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
        """Let everything be typed; only numbers are taken."""
        try:
            self._read(text)
        except NotANumber:
            return QValidator.State.Intermediate, text, position
        return QValidator.State.Acceptable, text, position

    def fixup(self, text: str) -> str:
        """Remember a text that is no number: Qt shows the number before in its place."""
        self._rejected = self._bare(text)
        return text

    def valueFromText(self, text: str) -> float:  # noqa: N802 (Qt's name)
        """Return the number that is typed."""
        self._rejected = None
        self._given = self._read(text)
        return self._given

    def textFromValue(self, value: float) -> str:  # noqa: N802 (Qt's name)
        """Return the number in the way in which the map and the lists show it."""
        is_tiny = not value and not round(self._given, _KEPT_DECIMALS)
        return spell_number(self._given if is_tiny else value, self._shown_decimals)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Width of the values in use, not of the largest one possible."""
        return QSize(96, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Proposed width."""
        return self.sizeHint()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Take what is typed, or keep it where it is no number."""
        super().hideEvent(event)
        self._finish()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Go on showing a text that is no number: Qt shows the number before in its place."""
        super().showEvent(event)
        self._show_rejected()

    def _read(self, text: str) -> float:
        bare = self._bare(text)
        # The text for no number may end as the unit does: "Fill all gaps" is in seconds.
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
        """Return a tenth of the number's power of ten, and at least the last decimal that is shown."""
        smallest = 10.0**-self._shown_decimals
        size = abs(number) / (_TOWARDS_ZERO if (number > 0) != (steps > 0) else 1.0)
        return max(10.0 ** (floor(log10(size)) - 1), smallest) if size else smallest

    # A text that is no number

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
            self._bubble.say(message)
            self.setAccessibleDescription(message)
            restyle(self, "invalid", bool(message))
        self.refused.emit(message)

    def _field(self) -> Field | None:
        each = self.parentWidget()
        while each is not None and not isinstance(each, Field):
            each = each.parentWidget()
        return each


def take_all(boxes: Iterable[NumberBox]) -> bool:
    """Take what is typed in some boxes; return whether all are numbers, with the keyboard in the first that is not."""
    wrong = [box for box in [*boxes] if not box.take()]
    if wrong:
        wrong[0].setFocus()
    return not wrong
