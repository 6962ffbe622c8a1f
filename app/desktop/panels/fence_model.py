"""The fence list as rows for Qt: a group for each tag, and in it its fences."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from app.desktop.icons import dot
from app.desktop.model.fences import FenceBook, FenceDelta
from app.desktop.model.tree import FenceTree
from engine.domain.geofence import Geofence

type Index = QModelIndex | QPersistentModelIndex

FENCE_ID = Qt.ItemDataRole.UserRole
_NO_INDEX = QModelIndex()
_GROUP = 0
_ONE_BY_ONE = 64
"""Up to so many changed fences move their own rows; more are shown by building the list anew."""


class FenceModel(QAbstractItemModel):
    """Rows of groups and fences. An index of a fence carries the number of its group, one of a group carries 0."""

    def __init__(self, book: FenceBook, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._bold = QFont()
        self._bold.setBold(True)
        self.tree = FenceTree()
        self._unlisten = book.changed.connect(self._follow)
        self.tree.rebuild(book.all())

    def close(self) -> None:
        """Follow the book no more."""
        self._unlisten()

    def search(self, text: str) -> None:
        """Show only fences that hold every word of the text."""
        if self.tree.search(text):
            self._rebuild()

    def fence(self, index: Index) -> Geofence | None:
        """Return the fence of a row, None for a group's."""
        if not index.isValid() or index.internalId() == _GROUP:
            return None
        return self.tree.groups[self.tree.row_of_number(index.internalId())].fences[index.row()]

    def index_of(self, fence_id: str) -> QModelIndex:
        """Return where a fence is; an invalid index where it is not shown."""
        place = self.tree.locate(fence_id)
        if place is None:
            return QModelIndex()
        return self.createIndex(place[1], 0, self.tree.groups[place[0]].number)

    # What Qt asks

    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        """Return the index of a row."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, self.tree.groups[parent.row()].number if parent.isValid() else _GROUP)

    def parent(self, index: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        """Return the group of a fence."""
        if not index.isValid() or index.internalId() == _GROUP:
            return QModelIndex()
        return self.createIndex(self.tree.row_of_number(index.internalId()), 0, _GROUP)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return how many groups there are, or fences in a group."""
        if not parent.isValid():
            return len(self.tree.groups)
        return len(self.tree.groups[parent.row()].fences) if parent.internalId() == _GROUP else 0

    def columnCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: ARG002, N802 (Qt's name)
        """Return 1."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a row shows."""
        if not index.isValid():
            return None
        fence = self.fence(index)
        return self._group_data(index.row(), role) if fence is None else self._fence_data(fence, role)

    def _group_data(self, row: int, role: int) -> Any:
        group = self.tree.groups[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{group.tag} ({len(group.fences):,})"
        if role == Qt.ItemDataRole.FontRole:
            return self._bold
        return None

    def _fence_data(self, fence: Geofence, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return fence.description or fence.external_id
            case Qt.ItemDataRole.DecorationRole:
                return dot(self._book.color(fence.tag), filled=fence.enabled)
            case Qt.ItemDataRole.ToolTipRole:
                state = "" if fence.enabled else "\nDisabled: generates no events"
                return f"{fence.description}\n{fence.tag} / {fence.external_id}{state}"
            case _ if role == FENCE_ID:
                return fence.id
        return None

    # What changed

    def _follow(self, delta: FenceDelta) -> None:
        if delta.reset or len(delta.upserted) + len(delta.removed) > _ONE_BY_ONE:
            self._rebuild()
            return
        for fence_id in delta.removed:
            self._remove(fence_id)
        for fence in delta.upserted:
            self._put(fence)

    def _rebuild(self) -> None:
        self.beginResetModel()
        self.tree.rebuild(self._book.all())
        self.endResetModel()

    def _put(self, fence: Geofence) -> None:
        place = self.tree.locate(fence.id)
        if place is not None and self.tree.stays(fence):
            self.tree.replace(*place, fence)
            index = self.index_of(fence.id)
            self.dataChanged.emit(index, index)
            return
        self._remove(fence.id)
        if self.tree.accepts(fence):
            self._insert(fence)

    def _insert(self, fence: Geofence) -> None:
        if not self.tree.has_group(fence.tag):
            row = self.tree.group_row(fence.tag)
            self.beginInsertRows(QModelIndex(), row, row)
            self.tree.add_group(fence.tag)
            self.endInsertRows()
        group = self.index(self.tree.group_row(fence.tag), 0)
        row = self.tree.place_for(fence)
        self.beginInsertRows(group, row, row)
        self.tree.insert(fence)
        self.endInsertRows()
        self.dataChanged.emit(group, group)

    def _remove(self, fence_id: str) -> None:
        place = self.tree.locate(fence_id)
        if place is None:
            return
        group_row, row = place
        group = self.index(group_row, 0)
        self.beginRemoveRows(group, row, row)
        self.tree.remove(group_row, row)
        self.endRemoveRows()
        if self.tree.groups[group_row].fences:
            self.dataChanged.emit(group, group)
            return
        self.beginRemoveRows(QModelIndex(), group_row, group_row)
        self.tree.remove_group(group_row)
        self.endRemoveRows()
