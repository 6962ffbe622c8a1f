"""Geofences as rows and columns for Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QItemSelection, QObject, Qt

from app.desktop.icons import dot
from app.desktop.language import tr
from app.desktop.model.fence_table.columns import AT_FIRST, NAME, Column, columns_named
from app.desktop.model.fence_table.rows import FenceRows
from app.desktop.model.shaping.locks import ShapeLocks
from app.desktop.panels.titled import NO_INDEX, Index
from app.desktop.panels.widgets import tip_text

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FenceTableModel(QAbstractTableModel):
    """The filtered rows in the chosen columns; `color` returns the colour of a tag."""

    def __init__(
        self, rows: FenceRows, color: Callable[[str], str], locks: ShapeLocks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._rows, self._color, self._locks = rows, color, locks
        locks.changed.connect(self._notify_all_changed)
        self.columns = columns_named(AT_FIRST)
        rows.arranging.connect(self.beginResetModel)
        rows.arranged.connect(self.endResetModel)
        rows.changed.connect(self.notify_rows_changed)

    def show_columns(self, columns: tuple[Column, ...]) -> None:
        """Show other columns."""
        self.beginResetModel()
        self.columns = columns
        self.endResetModel()

    def notify_rows_changed(self, first: int, last: int) -> None:
        """Notify views that rows have changed."""
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))

    def _notify_all_changed(self) -> None:
        if len(self._rows):
            self.notify_rows_changed(0, len(self._rows) - 1)

    def selection_of(self, fence_ids: Iterable[str]) -> QItemSelection:
        """Return the rows of some geofences."""
        selection, right, index = QItemSelection(), len(self.columns) - 1, self.createIndex
        for first, last in self._rows.runs(fence_ids):
            selection.select(index(first, 0), index(last, right))
        return selection

    def ids_in(self, selection: QItemSelection) -> list[str]:
        """Return the IDs of the selected geofences, from top to bottom."""
        parts = (selection.at(number) for number in range(selection.count()))
        runs = sorted((part.top(), part.bottom()) for part in parts)
        return [fence.id for run in runs for fence in self._rows.fences(*run)]

    # Interface for Qt

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return the number of listed geofences."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return the number of shown columns."""
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802
        """Return a column's title."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and self.columns[section].numeric:
            return _RIGHT
        return self.columns[section].title if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        column = self.columns[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._rows.text(index.row(), column)
            case Qt.ItemDataRole.ToolTipRole:
                locked = column is NAME and self._is_locked(index.row())
                text = self._rows.text(index.row(), column)
                return tip_text(
                    tr("{geofence_name}\nLocked: cannot be dragged or reshaped", geofence_name=text) if locked else text
                )
            case Qt.ItemDataRole.TextAlignmentRole if column.numeric:
                return _RIGHT
            case Qt.ItemDataRole.DecorationRole if column is NAME:
                fence = self._rows.fence(index.row())
                if fence is not None:
                    return dot(self._color(fence.tag), filled=fence.enabled, locked=self._locks.is_locked(fence.id))
        return None

    def _is_locked(self, row: int) -> bool:
        fence = self._rows.fence(row)
        return fence is not None and self._locks.is_locked(fence.id)
