"""Pictures of imagery: its dialog, the confirmation before a server is contacted, and the layers of a WMS."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from app.desktop.dialogs.map_layers.wms_layers import WmsLayersDialog
from app.desktop.model.imagery.capabilities import WmsLayer
from app.desktop.model.imagery.sources import ImagerySource, Kind
from engine.domain.values import replace
from tests.desktop.studio import Studio

_XYZ = ImagerySource(
    "orthophotos", "Orthophotos 2025", Kind.XYZ, "https://tiles.example.com/ortho/{z}/{x}/{y}.png", "© Example Survey"
)
_WMS = replace(
    _XYZ, id="plans", name="Development plans", kind=Kind.WMS, url="https://maps.example.com/wms", layers="plans,limits"
)
_LAYERS = (
    WmsLayer("plans", "Development plans", True),
    WmsLayer("limits", "Municipal boundaries", True),
    WmsLayer("soil", "Soil map", False),
)


def imagery_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the dialog with a source of each kind. No server is contacted."""
    controller = studio.window.imagery
    controller.open()
    dialog = controller.dialog
    assert dialog is not None
    yield "imagery-empty", dialog
    for source in (_XYZ, _WMS):
        dialog.save_requested.emit(source)
        dialog.show_source(source.id)
        yield ("imagery-wms" if source is _WMS else "imagery"), dialog
    chooser = WmsLayersDialog(dialog, _LAYERS, ("plans",))
    chooser.show()
    yield "imagery-layers", chooser
    chooser.reject()
    dialog.shown_requested.emit(_XYZ.id, True)
    box = next(each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox) and each.isVisible())
    yield "imagery-question", box
    box.reject()
    for source in (_XYZ, _WMS):
        dialog.removal_requested.emit(source.id)
    dialog.close()
