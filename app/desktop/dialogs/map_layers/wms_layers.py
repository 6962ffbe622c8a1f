"""Choice of the layers of a WMS, from the capabilities of the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QWidget

from app.desktop.language import tr
from app.desktop.model.imagery.capabilities import WmsLayer
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import button, label

_ROW_PX: Final = 24
_LAYER: Final = Qt.ItemDataRole.UserRole


class WmsLayersDialog(QDialog):
    """Emits the names of the chosen layers, lowest first, and their attribution."""

    chosen = Signal(str, str)

    def __init__(self, parent: QWidget, layers: Sequence[WmsLayer], names: Sequence[str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Choose layers"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(480, 420)
        self._layers = layers
        self.words = TextLine()
        self.words.setPlaceholderText(tr("Filter layers"))
        self.words.setAccessibleName(tr("Filter layers"))
        self.words.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Layers of the server"))
        for layer in layers:
            self.list.addItem(_item(layer, checked=layer.name in names))
        self.accept_button = button(tr("Choose"), self.accept, "primary")
        self.accept_button.setDefault(True)
        in_dialog(
            self,
            self.words,
            (self.list, 1),
            label(tr("Layers that the server does not offer in Web Mercator cannot be chosen."), "hint"),
            in_row(STRETCH, self.accept_button, button(tr("Cancel"), self.reject)),
        )
        self.words.textChanged.connect(self._filter)
        self.list.itemChanged.connect(lambda _: self._enable())
        self._enable()

    def accept(self) -> None:
        """Emit the choice."""
        layers = self._checked()
        attribution = "; ".join(dict.fromkeys(layer.attribution for layer in layers if layer.attribution))
        super().accept()
        self.chosen.emit(",".join(layer.name for layer in layers), attribution)

    def _checked(self) -> list[WmsLayer]:
        rows = enumerate(self._layers)
        return [layer for at, layer in rows if self.list.item(at).checkState() == Qt.CheckState.Checked]

    def _enable(self) -> None:
        self.accept_button.setEnabled(bool(self._checked()))

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        for at, layer in enumerate(self._layers):
            about = f"{layer.name} {layer.title}".casefold()
            self.list.item(at).setHidden(not all(word in about for word in words))


def _item(layer: WmsLayer, *, checked: bool) -> QListWidgetItem:
    made = QListWidgetItem(layer.title if layer.title == layer.name else f"{layer.title} ({layer.name})")
    made.setData(_LAYER, layer.name)
    made.setSizeHint(QSize(0, _ROW_PX))
    made.setCheckState(Qt.CheckState.Checked if checked and layer.in_mercator else Qt.CheckState.Unchecked)
    if not layer.in_mercator or "," in layer.name:
        made.setText(
            tr("{layer_name} – not in Web Mercator", layer_name=made.text()) if not layer.in_mercator else made.text()
        )
        made.setFlags(Qt.ItemFlag.ItemIsSelectable)
    return made
