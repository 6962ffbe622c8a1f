"""Confirmation before Test data is cleared."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QRadioButton, QWidget

from app.desktop.language import counted, tr
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import GRID, button, label
from engine.domain.queries import Counts
from engine.domain.tracking.explaining import Cleared


class ClearDialog(QDialog):
    """Emits a device ID, or None for all, and whether to delete the geofences and the beacons, too."""

    chosen = Signal(object, bool, bool)

    def __init__(self, parent: QWidget, devices: tuple[str, ...], device: str | None, counts: Counts | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Clear Test data"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(420)
        self.everything = QRadioButton(tr("All Test data{record_counts}", record_counts=_counted(counts)))
        self.one = QRadioButton(tr("One device"))
        self.device = ChoiceBox()
        self.device.addItems(devices)
        self.geofences = QCheckBox(tr("Also delete geofences"))
        self.beacons = QCheckBox(tr("Also delete beacons"))
        self.clear = button(tr("Clear"), self.accept, "danger")
        self.cancel = button(tr("Cancel"), self.reject)
        self.cancel.setDefault(True)
        (self.one if device in devices else self.everything).setChecked(True)
        if device in devices:
            self.device.setCurrentText(device or "")
        self.one.setEnabled(bool(devices))
        self.everything.toggled.connect(self._enable)
        self._arrange()
        self._enable()
        self.cancel.setFocus()

    def accept(self) -> None:
        """Emit the choice."""
        super().accept()
        device = self.device.currentText() if self.one.isChecked() else None
        is_all = device is None
        self.chosen.emit(device, self.geofences.isChecked() and is_all, self.beacons.isChecked() and is_all)

    def _enable(self, *_: object) -> None:
        self.device.setEnabled(self.one.isChecked())
        self.geofences.setEnabled(self.everything.isChecked())
        self.beacons.setEnabled(self.everything.isChecked())

    def _arrange(self) -> None:
        text = tr("Users, their stays and trips, events and kept location updates are deleted. This cannot be undone.")
        in_dialog(
            self,
            label(text, wrap=True),
            self.everything,
            in_row(self.geofences, self.beacons, STRETCH, margins=(3 * GRID, 0, 0, 0)),
            in_row(self.one, (self.device, 1)),
            in_row(STRETCH, self.clear, self.cancel, margins=(0, GRID, 0, 0)),
        )


def _counted(counts: Counts | None) -> str:
    return f": {counted(counts.users, 'user')}, {counted(counts.events, 'event')}" if counts else ""


def cleared_text(cleared: Cleared) -> str:
    """Return a sentence about the deleted records."""
    parts = [counted(cleared.users, "user"), counted(cleared.events, "event"), counted(cleared.updates, "update")]
    more = (cleared.trips, "trip"), (cleared.geofences, "geofence"), (cleared.beacons, "beacon")
    parts += [counted(number, kind) for number, kind in more if number]
    return tr("Deleted {records} from Test.", records=", ".join(parts))
