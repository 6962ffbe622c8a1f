"""Noise parameters of the simulated phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QWidget

from app.desktop.language import tr
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.numbers import NumberBox, take_all
from app.desktop.panels.layouts import in_dialog, in_row
from app.desktop.panels.simulation.phone import preset_title
from app.desktop.panels.widgets import GRID, Field, caption, tip_text
from engine.domain.errors import InvalidParameter
from engine.simulation.noise.model import PRESETS, Noise

_FIELDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "error_m": (tr("Error"), "m", tr("In normal conditions, 68 % of fixes are within this distance")),
    "correlation_s": (tr("Correlation time"), "s", tr("Time after which the correlation of two errors falls to 1/e")),
    "variation": (
        tr("Variation"),
        "",
        tr("How much error and accuracy vary with conditions: the standard deviation of their logarithm"),
    ),
    "drift_m": (tr("Drift while standing"), "m", tr("Standard deviation per axis")),
    "drift_s": (tr("Drift time"), "s", tr("Time over which the drift changes")),
    "lie_share": (tr("Overstated accuracies"), "%", tr("Share of fixes that report a better accuracy than they have")),
    "lie_factor": (
        tr("Overstated by a factor of"),
        "",
        tr("How much better the reported accuracy is than the true one"),
    ),
    "gaps_per_hour": (tr("Gaps per hour"), "", tr("How often the device stops reporting")),
    "gap_s": (tr("Gap duration"), "s", tr("Mean duration of a gap")),
    "outlier_share": (tr("Outliers"), "%", tr("Share of fixes that are far off despite a good accuracy")),
    "outlier_m": (tr("Outlier distance"), "m", tr("Outliers are 0.5 to 1.5 times as far off")),
}
_SHARES: Final = frozenset({"lie_share", "outlier_share"})
_COLUMNS: Final = 2


class NoiseDialog(QDialog):
    """Emits the chosen noise. It starts from the current noise or from a preset."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, noise: Noise | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Noise"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        self.preset = ChoiceBox()
        self.preset.addItem(tr("Choose a preset…"))
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
        """Emit the values, or show which one is invalid."""
        if not take_all(self.boxes.values()):
            return
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
        layout = in_dialog(self, in_row(caption(tr("Start with"), self.preset), (self.preset, 1)))
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        for number, field in enumerate(self.fields.values()):
            grid.addWidget(field, number // _COLUMNS, number % _COLUMNS)
        layout.addLayout(grid)
        layout.addWidget(self.buttons)
