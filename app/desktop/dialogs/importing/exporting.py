"""Choice of the geofences to export and of the format."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QWidget

from app.desktop.language import tr
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import button, caption, label
from engine.geofences.imports.exporting import ExportFormat, ExportQuery

FORMATS = {
    ExportFormat.CSV: "CSV",
    ExportFormat.GEOJSON: "GeoJSON",
    ExportFormat.KML: "KML",
    ExportFormat.GPKG: "GeoPackage",
}
_STATES = {tr("Enabled and disabled"): None, tr("Enabled only"): True, tr("Disabled only"): False}


class ExportDialog(QDialog):
    """Emits the format and the choice of geofences."""

    chosen = Signal(object, object)

    def __init__(self, parent: QWidget, tags: Sequence[str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export geofences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(400)
        self._tags = tags
        self.format, self.tag, self.state = ChoiceBox(), ChoiceBox(), ChoiceBox()
        self.format.addItems(list(FORMATS.values()))
        self.tag.addItems([tr("All tags"), *tags])
        self.state.addItems(list(_STATES))
        form = QFormLayout()
        for name, choice in ((tr("Format"), self.format), (tr("Tag"), self.tag), (tr("State"), self.state)):
            form.addRow(caption(name, choice, ""), choice)
        self.accept_button = button(tr("Export…"), self.accept, "primary")
        in_dialog(
            self,
            form,
            label(tr("Importing the exported file again changes nothing."), "muted", wrap=True),
            in_row(STRETCH, self.accept_button, button(tr("Cancel"), self.reject)),
        )

    def accept(self) -> None:
        """Emit the choice."""
        super().accept()
        tag = self.tag.currentIndex()
        tags = frozenset({self._tags[tag - 1]}) if tag > 0 else frozenset()
        query = ExportQuery(tags=tags, enabled=_STATES[self.state.currentText()])
        self.chosen.emit(list(FORMATS)[self.format.currentIndex()], query)
