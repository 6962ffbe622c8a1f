"""Table models with column titles."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

type Index = QModelIndex | QPersistentModelIndex

NO_INDEX = QModelIndex()


class TitledModel(QAbstractTableModel):
    """A flat table model with titled columns. Subclasses define the number of rows and the content of cells."""

    def __init__(self, titles: tuple[str, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._titles = titles

    def _count(self) -> int:
        """Return the number of rows."""
        raise NotImplementedError

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return the number of rows, or 0 below a cell."""
        return 0 if parent.isValid() else self._count()

    def columnCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802
        """Return a column's title."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return self._titles[section]
