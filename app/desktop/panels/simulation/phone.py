"""The settings of the phone that carries the simulator's track and turns positions into fixes."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.desktop.language import tr, translated
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.flow import Flow
from app.desktop.panels.layouts import in_row
from app.desktop.panels.widgets import button, label, tip_text
from engine.simulation.motion import USUAL
from engine.simulation.noise.model import PRESETS, Noise
from engine.simulation.phone import EXACT, Phone

NO_NOISE = tr("No noise")
OWN_NOISE = tr("Custom noise")


def preset_title(name: str) -> str:
    """Return the title of a preset, such as ``Open sky``."""
    return translated(name.replace("-", " ").capitalize())


class PhoneRow(QWidget):
    """Controls for noise, its seed, and motion.

    The row emits the phone the user wants, and its owner shows the resulting one.
    """

    wanted = Signal(object)
    noise_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._noise: Noise | None = None
        self.noise = ChoiceBox()
        self.noise.setAccessibleName(tr("Noise"))
        self.noise.setToolTip(tr("Report fixes with the errors, gaps and accuracies of a phone"))
        self.noise.addItem(NO_NOISE, None)
        for name, preset in PRESETS.items():
            self.noise.addItem(preset_title(name), preset)
        self.seed = NumberBox("", decimals=0)
        self.seed.setAccessibleName(tr("Seed"))
        self.seed.setToolTip(tr("The same seed gives the same noise everywhere"))
        self.more = button(tr("Noise…"), self.noise_requested.emit)
        self.more.setToolTip(tr("Adjust the noise"))
        self.motion = QCheckBox(tr("Derive motion"))
        when = tr(
            "after {seconds:g} s within {metres:g} m",
            seconds=USUAL.stop_duration_s,
            metres=USUAL.stop_distance_m,
        )
        self.motion.setToolTip(
            tip_text(
                tr("Send stopped {stop_condition}, and foreground while slow and not stopped", stop_condition=when)
            )
        )
        self.setLayout(self._make_row())
        self.noise.activated.connect(self._on_chosen)
        self.seed.valueChanged.connect(self._on_changed)
        self.motion.toggled.connect(self._on_changed)
        self.show_phone(EXACT)

    def _make_row(self) -> Flow:
        seed = QWidget()
        in_row(label(tr("Seed"), "muted"), self.seed, of=seed, margins=0, spacing=6)
        row = Flow(self.noise, seed, self.more, self.motion, fill=True)
        row.setSpacing(6)
        return row

    @property
    def phone(self) -> Phone:
        """The phone that the user wants."""
        return Phone(self._noise, int(self.seed.value()), USUAL if self.motion.isChecked() else None)

    def show_phone(self, phone: Phone) -> None:
        """Show the phone that carries the track. If it has no noise, the displayed seed is kept."""
        self._noise = phone.noise
        blockers = [QSignalBlocker(each) for each in (self.noise, self.seed, self.motion)]
        index = next((at for at in range(self.noise.count()) if self.noise.itemData(at) == phone.noise), -1)
        own = self.noise.findText(OWN_NOISE)
        if index == -1 and own == -1:
            self.noise.addItem(OWN_NOISE, phone.noise)
        elif index == -1:
            self.noise.setItemData(own, phone.noise)
        self.noise.setCurrentIndex(index if index != -1 else self.noise.findText(OWN_NOISE))
        if phone.noise is not None:
            self.seed.setValue(phone.seed)
        self.motion.setChecked(phone.motion is not None)
        for blocker in blockers:
            blocker.unblock()
        self.seed.setEnabled(phone.noise is not None)

    def want_noise(self, noise: Noise) -> None:
        """Request this noise with the displayed seed."""
        self._noise = noise
        self._on_changed()

    def _on_chosen(self, index: int) -> None:
        self._noise = self.noise.itemData(index)
        self._on_changed()

    def _on_changed(self, *_: object) -> None:
        self.wanted.emit(self.phone)
