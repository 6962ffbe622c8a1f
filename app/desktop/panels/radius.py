"""A radius that can be dragged or typed."""

from __future__ import annotations

from math import log

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.desktop.panels.numbers import NumberBox
from engine.domain.geometry import MAX_RADIUS_M, MIN_RADIUS_M

_STEPS = 600
_RATIO = log(MAX_RADIUS_M / MIN_RADIUS_M)
_REST_MS = 300


class RadiusEdit(QWidget):
    """A slider and a number with its unit. `previewed` follows every movement, `committed` the end of it.

    The number takes any value: what is wrong with it is for the engine to say.
    """

    previewed = Signal(float)
    committed = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._value = 0.0
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        self.slider.setAccessibleName("Radius")
        self.number = NumberBox("m")
        self.number.setFixedWidth(112)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self.number)
        # The keyboard moves the slider without an end: the radius is taken when it rests.
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._commit)
        self.slider.valueChanged.connect(self._on_slider)
        self.slider.sliderReleased.connect(self._commit)
        self.number.valueChanged.connect(self._on_number)
        self.number.editingFinished.connect(self.settle)

    @property
    def busy(self) -> bool:
        """Whether the user is at it."""
        return self.slider.isSliderDown() or self._rest.isActive()

    def set_value(self, metres: float) -> None:
        """Show a radius."""
        self._value = metres
        self._rest.stop()
        self._show(metres)

    def settle(self) -> None:
        """Take what the user has given so far, without waiting for rest."""
        if self._rest.isActive():
            self._commit()

    def _show(self, metres: float) -> None:
        with QSignalBlocker(self.slider), QSignalBlocker(self.number):
            self.number.setValue(metres)
            self.slider.setValue(_step_of(metres))

    def _on_slider(self, step: int) -> None:
        metres = _metres_at(step)
        with QSignalBlocker(self.number):
            self.number.setValue(metres)
        self.previewed.emit(metres)
        if not self.slider.isSliderDown():
            self._rest.start()

    def _on_number(self, metres: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(_step_of(metres))
        self._rest.start()

    def _commit(self) -> None:
        self._rest.stop()
        metres = self.number.value()
        if metres != self._value:
            self._value = metres
            self.committed.emit(metres)


def _step_of(metres: float) -> int:
    within = min(max(metres, MIN_RADIUS_M), MAX_RADIUS_M)
    return round(_STEPS * log(within / MIN_RADIUS_M) / _RATIO)


def _metres_at(step: int) -> float:
    """Return the radius at a step of the slider, rounded as people would."""
    exact = MIN_RADIUS_M * (MAX_RADIUS_M / MIN_RADIUS_M) ** (step / _STEPS)
    unit = 1 if exact < 100 else 5 if exact < 500 else 10 if exact < 2000 else 50
    return float(min(max(round(exact / unit) * unit, MIN_RADIUS_M), MAX_RADIUS_M))
