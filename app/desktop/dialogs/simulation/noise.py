"""What the noise of the simulator's phone is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.simulation.phone import preset_title
from app.desktop.panels.widgets import GRID, Field, label, tip_text
from engine.domain.errors import InvalidParameter
from engine.simulation.noise.model import PRESETS, Noise

_FIELDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "error_m": ("Error", "m", "68 % of the fixes are within it in usual conditions"),
    "correlation_s": ("Correlated for", "s", "Two errors so far apart have a correlation of 1/e"),
    "variation": (
        "Variation",
        "",
        "How much error and accuracy change with conditions: one standard deviation is a "
        "factor of e to the power of it",
    ),
    "drift_m": ("Drift while standing", "m", "Standard deviation of each axis"),
    "drift_s": ("Drifts within", "s", "How fast the drift changes"),
    "lie_share": ("Wrong accuracies", "%", "Share of the fixes that report a better accuracy than they have"),
    "lie_factor": ("Better by a factor of", "", "How much better than true a wrong accuracy is"),
    "gaps_per_hour": ("Gaps per hour", "", "How often nothing is reported"),
    "gap_s": ("Gaps last", "s", "Mean duration of a gap"),
    "outlier_share": ("Outliers", "%", "Share of the fixes that are far off without saying so"),
    "outlier_m": ("Outliers are off by", "m", "From half to one and a half times as far"),
}
_SHARES: Final = frozenset({"lie_share", "outlier_share"})
_COLUMNS: Final = 2


class NoiseDialog(QDialog):
    """Emits the noise that was chosen; it begins with the one there is, or with that of a preset."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, noise: Noise | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Noise")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        self.preset = ChoiceBox()
        self.preset.addItem("Choose a preset…")
        for name in PRESETS:
            self.preset.addItem(preset_title(name), name)
        self.boxes = {name: NumberBox(unit, decimals=3) for name, (_, unit, _tip) in _FIELDS.items()}
        self.fields = {name: Field(title, self.boxes[name]) for name, (title, _, _tip) in _FIELDS.items()}
        for name, (_, _unit, tip) in _FIELDS.items():
            self.boxes[name].setToolTip(tip_text(tip))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.preset.activated.connect(self._on_preset)
        self._arrange()
        self._show(noise or Noise())

    def accept(self) -> None:
        """Take the values, or show what is wrong with one."""
        for box in self.boxes.values():
            box.take()
        try:
            noise = Noise(**{name: self._value(name) for name in _FIELDS})
        except InvalidParameter as error:
            for name, field in self.fields.items():
                field.show_error(error_text(error) if name == error.param else None)
            return
        super().accept()
        self.chosen.emit(noise)

    def _value(self, name: str) -> float:
        shown = self.boxes[name].value()
        return shown / 100 if name in _SHARES else shown

    def _show(self, noise: Noise) -> None:
        for name, box in self.boxes.items():
            value: float = getattr(noise, name)
            box.setValue(value * 100 if name in _SHARES else value)
            self.fields[name].show_error(None)

    def _on_preset(self, index: int) -> None:
        name = self.preset.itemData(index)
        if name is not None:
            self._show(PRESETS[name])

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        head = QHBoxLayout()
        head.addWidget(label("Begin with", "label"))
        head.addWidget(self.preset, 1)
        layout.addLayout(head)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        for number, field in enumerate(self.fields.values()):
            grid.addWidget(field, number // _COLUMNS, number % _COLUMNS)
        layout.addLayout(grid)
        layout.addWidget(self.buttons)
