"""Numbers with a unit that can be typed, and where it makes sense left out."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox

_NOTHING = -1.0


class NumberBox(QDoubleSpinBox):
    """A number with its unit that takes any value: what is wrong with it is for the engine to say.

    With `unset` it may hold none, shown as that text; emptying the box gets there.
    """

    def __init__(self, unit: str, *, unset: str = "", decimals: int = 2) -> None:
        super().__init__()
        self._optional = bool(unset)
        self.setRange(_NOTHING if unset else 0.0, 1e9)
        self.setDecimals(decimals)
        self.setSuffix(f" {unit}")
        self.setSpecialValueText(unset)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.lineEdit().setTextMargins(4, 0, 0, 0)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)

    def number(self) -> float | None:
        """Return the number, None for none."""
        return None if self._optional and self.value() == _NOTHING else self.value()

    def set_number(self, number: float | None) -> None:
        """Show a number, or none."""
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
        return super().valueFromText(text)

    def textFromValue(self, value: float) -> str:  # noqa: N802 (Qt's name)
        """Return the number without zeros that say nothing."""
        text = super().textFromValue(value)
        point = self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as the values in use, not as the largest one possible."""
        return QSize(96, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as it is proposed."""
        return self.sizeHint()

    def _bare(self, text: str) -> str:
        return text.strip().removesuffix(self.suffix().strip()).strip()
