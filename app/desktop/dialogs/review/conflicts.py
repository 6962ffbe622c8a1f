"""The geofences that could not be restored, with the reasons."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.desktop.dialogs.review.fields import review_view
from app.desktop.language import tr
from app.desktop.model.words import error_text, fence_name
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import button, label, tip_text
from engine.geofences.judging import Conflicts

_TITLES: Final = (tr("Geofence"), tr("Tag"), tr("External ID"), tr("Reason"))
_WIDTHS: Final = (144, 96, 112, 0)


class ConflictModel(TitledModel):
    """A model of geofences that were not restored."""

    def __init__(self, refused: Conflicts) -> None:
        super().__init__(_TITLES)
        self._refused = refused

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        fence, error = self._refused[index.row()]
        text = (fence_name(fence), fence.tag, fence.external_id, error_text(error))[index.column()]
        return tip_text(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def _count(self) -> int:
        return len(self._refused)


class ConflictsDialog(QDialog):
    """Lists the geofences that could not be restored."""

    def __init__(self, parent: QWidget, text: str, refused: Conflicts) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Not restored"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(800, 320)
        self.model = ConflictModel(refused)
        self.view = review_view(self.model, tr("Not restored"), _WIDTHS)
        in_dialog(
            self, label(text, "label", wrap=True), (self.view, 1), in_row(STRETCH, button(tr("Close"), self.reject))
        )
