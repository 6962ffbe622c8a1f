"""Numbers with a unit that can be typed, and where it makes sense left out."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox

from app.desktop.panels.fields.basic import Steady, TextLine

_NOTHING = -1.0


class NumberBox(Steady, QDoubleSpinBox):
    """A number with its unit that takes any value: what is wrong with it is for the engine to say.

    With `unset` it may hold none, shown as that text; emptying the box gets there.
    """

    def __init__(self, unit: str, *, unset: str = "", decimals: int = 2) -> None:
        super().__init__()
        self.steady()
        self._line = TextLine()
        self.setLineEdit(self._line)
        self.editingFinished.connect(self._line.rest)
        self._optional = bool(unset)
        self._given = 0.0
        """The number that was shown, typed or stepped to last, with all its decimals."""
        self.valueChanged.connect(self._remember)
        self.setRange(_NOTHING if unset else 0.0, 1e9)
        self.setDecimals(decimals)
        self.setSuffix(f" {unit}")
        self.setSpecialValueText(unset)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.lineEdit().setTextMargins(4, 0, 0, 0)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)

    @property
    def typing(self) -> bool:
        """Whether something is typed that is not taken yet."""
        return self.text() != self.spell(self.number())

    def take(self) -> None:
        """Take what is typed without waiting for the box to be left."""
        self.interpretText()
        self._line.rest()

    def spell(self, number: float | None) -> str:
        """Return a number, or none, as it would be shown."""
        return self.specialValueText() if number is None else f"{self.textFromValue(number)}{self.suffix()}"

    def number(self) -> float | None:
        """Return the number, None for none."""
        return None if self._optional and self.value() == _NOTHING else self.value()

    def set_number(self, number: float | None) -> None:
        """Show a number, or none."""
        self._given = number or 0.0
        self.setValue(_NOTHING if number is None else number)

    def set_unset(self, text: str) -> None:
        """Say what having no number means."""
        self.setSpecialValueText(text)

    def stepBy(self, steps: int) -> None:  # noqa: N802 (Qt's name)
        """Step on; from none to the first whole number, and never below nothing into none."""
        if self.number() is None:
            self.setValue(max(steps, 0) or _NOTHING)
        else:
            super().stepBy(steps)
            if self._optional and self.value() < 0:
                self.setValue(0.0)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Accept an empty text where none is possible."""
        if self._optional and self._bare(text) in ("", self.specialValueText()):
            return QValidator.State.Acceptable, text, position
        return super().validate(text, position)

    def valueFromText(self, text: str) -> float:  # noqa: N802 (Qt's name)
        """Return the number that is typed."""
        if self._optional and self._bare(text) in ("", self.specialValueText()):
            return _NOTHING
        self._given = super().valueFromText(text)
        return self._given

    def textFromValue(self, value: float) -> str:  # noqa: N802 (Qt's name)
        """Return the number without zeros that say nothing; one that is too small for its decimals is not 0."""
        small = value or self._given
        if small > 0 and round(small, self.decimals()) == 0:
            return f"{small:.12g}".replace(".", self.locale().decimalPoint())
        text = super().textFromValue(value)
        point = self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Width of the values in use, not of the largest one possible."""
        return QSize(96, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Proposed width."""
        return self.sizeHint()

    def _remember(self, value: float) -> None:
        self._given = value

    def _bare(self, text: str) -> str:
        return text.strip().removesuffix(self.suffix().strip()).strip()
