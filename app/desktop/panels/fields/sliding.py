"""A number with its unit that the user can drag or type."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.desktop.panels.fields.basic import Slider
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.layouts import in_row

_REST_MS = 300


_MOVES = frozenset((Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down))


class _Slider(Slider):
    """A slider that keeps its arrow keys even if the window uses them as shortcuts."""

    def event(self, event: QEvent) -> bool:
        """Claim the arrow keys before the window handles its shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _MOVES:
            event.accept()
            return True
        return super().event(event)


class SlidingNumber(QWidget):
    """A slider combined with a number field.

    `previewed` is emitted on every movement, `committed` at the end of a movement that changed the number, and `rested`
    at the end of every movement.

    Any value is accepted, since the engine validates the number.
    """

    previewed = Signal(float)
    committed = Signal(float)
    rested = Signal()

    def __init__(self, name: str, unit: str, first_step: int, last_step: int) -> None:
        super().__init__()
        self._value = 0.0
        self.slider = _Slider()
        self.slider.setRange(first_step, last_step)
        self.slider.setAccessibleName(name)
        self.number = NumberBox(unit)
        self.number.setAccessibleName(name)
        self.number.setFixedWidth(112)
        in_row((self.slider, 1), self.number, of=self, margins=0, spacing=8)
        # Moving the slider with the keyboard has no release event, so the number is committed after a pause.
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._commit)
        self.slider.valueChanged.connect(self._on_slider)
        self.slider.sliderReleased.connect(self._commit)
        self.number.valueChanged.connect(self._on_number)
        self.number.editingFinished.connect(self.settle)

    @property
    def busy(self) -> bool:
        """Whether the user is changing the number."""
        return self.slider.isSliderDown() or self._rest.isActive() or self.number.typing

    @property
    def shown(self) -> float:
        """The displayed number."""
        return self.number.value()

    def set_value(self, value: float) -> None:
        """Show a number."""
        self._value = value
        self._rest.stop()
        with QSignalBlocker(self.slider), QSignalBlocker(self.number):
            self.number.setValue(value)
            self.slider.setValue(self.step_of(value))

    def settle(self) -> None:
        """Commit the user's input without waiting for the pause."""
        self.number.take()
        if self._rest.isActive():
            self._commit()
        else:
            self.rested.emit()

    def step_of(self, value: float) -> int:
        """Return the slider's step for a number."""
        return round(value)

    def value_at(self, step: int) -> float:
        """Return the number at a step of the slider."""
        return float(step)

    def _on_slider(self, step: int) -> None:
        value = self.value_at(step)
        with QSignalBlocker(self.number):
            self.number.setValue(value)
        self.previewed.emit(value)
        if not self.slider.isSliderDown():
            self._rest.start()

    def _on_number(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self.step_of(value))
        self._rest.start()

    def _commit(self) -> None:
        self._rest.stop()
        value = self.number.value()
        if value != self._value:
            self._value = value
            self.committed.emit(value)
        self.rested.emit()
