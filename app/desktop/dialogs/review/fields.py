"""The fields of a geofence in two states, side by side, in the colours of these states on the map."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from app.desktop.icons import dot
from app.desktop.language import tr
from app.desktop.model.review.fields import NEW_COLOR, OLD_COLOR, FieldRow
from app.desktop.panels.tables import fix_rows, set_widths, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import tip_text

FIELD_WIDTHS = (152, 264, 0)
_NARROWEST_PX = 40


class FieldModel(TitledModel):
    """A Qt model of the fields of a geofence in two states, the current one first."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__((tr("Field"), old, new))
        self._rows: tuple[FieldRow, ...] = ()

    def show(self, rows: tuple[FieldRow, ...]) -> None:
        """Show other fields."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        text = self._rows[index.row()][index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return text
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(text)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802
        """Return the title of a column, with the colour of its shape on the map."""
        if role == Qt.ItemDataRole.DecorationRole and orientation == Qt.Orientation.Horizontal and section:
            return dot((OLD_COLOR, NEW_COLOR)[section - 1])
        return super().headerData(section, orientation, role)

    def _count(self) -> int:
        return len(self._rows)


def review_view(model: TitledModel, name: str, widths_px: tuple[int, ...]) -> QTableView:
    """Return a view of a table under review."""
    view = table_view(model, name)
    fix_rows(view, _NARROWEST_PX)
    set_widths(view, widths_px)
    return view
