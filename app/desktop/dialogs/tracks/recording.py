"""Choice of the device whose updates become a track."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QRadioButton, QWidget

from app.desktop.language import tr
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import in_dialog
from app.desktop.panels.widgets import Field, label


class RecordingDialog(QDialog):
    """Emits a device ID, and whether to use the request log instead of the kept updates.

    The dialog stays open until the track is loaded.
    """

    chosen = Signal(str, bool)

    def __init__(self, parent: QWidget, devices: Sequence[str], device: str | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Track from a device"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(420)
        self.device = ChoiceBox()
        self.device.setEditable(True)
        self.device.addItems(list(devices))
        if device is not None:
            self.device.setCurrentText(device)
        self.kept = QRadioButton(tr("Kept location updates, as accepted"))
        self.sent = QRadioButton(tr("Request log, as sent by the SDK"))
        self.kept.setChecked(True)
        self.field = Field(tr("Device"), self.device)
        layout = in_dialog(
            self, label(tr("Replay what a device has sent."), wrap=True), self.field, self.kept, self.sent
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("Load"))
        buttons.accepted.connect(self._choose)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)

    def refuse(self, error: Exception) -> None:
        """Show why no track was made."""
        self.ok.setEnabled(True)
        self.field.show_error(error_text(error))

    def _choose(self) -> None:
        self.field.show_error(None)
        self.ok.setEnabled(False)
        self.chosen.emit(self.device.currentText().strip(), self.sent.isChecked())
