"""The geofence list as rows for Qt, with a group for each tag and its geofences below it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QItemSelection, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from app.desktop.icons import dot
from app.desktop.language import tr
from app.desktop.model.fences import BookedFence, FenceBook, FenceDelta
from app.desktop.model.selection import runs_of
from app.desktop.model.tree import FenceTree
from app.desktop.model.words import name_of
from app.desktop.panels.widgets import tip_text

type Index = QModelIndex | QPersistentModelIndex

FENCE_ID = Qt.ItemDataRole.UserRole
_NO_INDEX = QModelIndex()
_GROUP = 0
_ONE_BY_ONE = 64
"""Maximum number of changed geofences whose rows are moved one by one; for more the list is rebuilt."""

BUILT_AT_ONCE: Final = 3_000
"""Maximum number of geofences for which the list is built without a noticeable delay; a longer one uses a thread."""

type Aside = Callable[[Callable[[], FenceTree], Callable[[FenceTree], None]], None]
"""Runs the first callable in a thread and passes its result to the second one in the window's thread."""


class FenceModel(QAbstractItemModel):
    """Rows of groups and geofences for Qt.

    The index of a geofence carries the number of its group, the index of a group carries 0. Long lists are built with
    `aside` while the previous rows are still shown.
    """

    def __init__(self, book: FenceBook, parent: QObject | None = None, aside: Aside | None = None) -> None:
        super().__init__(parent)
        self._book, self._aside = book, aside
        self._built: FenceTree | None = None
        self._missed: list[FenceDelta] = []
        self._bold = QFont()
        self._bold.setBold(True)
        self.changing = False
        """Whether rows are being added, removed or moved, so that changes in a view are not the user's choice."""
        self.tree = FenceTree()
        self._unlisten = book.changed.connect(self._follow)
        self.tree.rebuild(book.named())

    def close(self) -> None:
        """Stop following the book."""
        self._unlisten()

    @property
    def is_building(self) -> bool:
        """Whether new rows are being built in a thread."""
        return self._built is not None

    def search(self, text: str) -> None:
        """Show only geofences that contain every word of the text."""
        if self.tree.search(text):
            self._rebuild()

    def fence(self, index: Index) -> BookedFence | None:
        """Return the geofence of a row, or None for a group."""
        if not index.isValid() or index.internalId() == _GROUP:
            return None
        return self.tree.groups[self.tree.row_of_number(index.internalId())].fences[index.row()]

    def index_of(self, fence_id: str) -> QModelIndex:
        """Return the index of a geofence, or an invalid index if it is not shown."""
        place = self.tree.locate(fence_id)
        if place is None:
            return QModelIndex()
        return self.createIndex(place[1], 0, self.tree.groups[place[0]].number)

    # Qt model interface

    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        """Return the index of a row."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, self.tree.groups[parent.row()].number if parent.isValid() else _GROUP)

    def parent(self, index: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        """Return the index of a geofence's group."""
        if not index.isValid() or index.internalId() == _GROUP:
            return QModelIndex()
        return self.createIndex(self.tree.row_of_number(index.internalId()), 0, _GROUP)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return the number of groups, or of geofences in a group."""
        if not parent.isValid():
            return len(self.tree.groups)
        return len(self.tree.groups[parent.row()].fences) if parent.internalId() == _GROUP else 0

    def columnCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: ARG002, N802 (Qt's name)
        """Return 1."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a row for a role."""
        if not index.isValid():
            return None
        fence = self.fence(index)
        return self._group_data(index.row(), role) if fence is None else self._fence_data(fence, role)

    def _group_data(self, row: int, role: int) -> Any:
        group = self.tree.groups[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return tr("{tag} ({count:,})", tag=group.tag, count=len(group.fences))
        if role == Qt.ItemDataRole.FontRole:
            return self._bold
        return None

    def _fence_data(self, fence: BookedFence, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return name_of(fence.description, fence.external_id)
            case Qt.ItemDataRole.DecorationRole:
                locked = self._book.locks.is_locked(fence.id)
                return dot(self._book.color(fence.tag), filled=fence.enabled, locked=locked)
            case Qt.ItemDataRole.ToolTipRole:
                state = "" if fence.enabled else tr("\nDisabled: generates no events")
                state += tr("\nLocked: cannot be dragged or reshaped") if self._book.locks.is_locked(fence.id) else ""
                return tip_text(f"{fence.description}\n{fence.tag} / {fence.external_id}{state}")
            case _ if role == FENCE_ID:
                return fence.id
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a row: geofences can be selected, groups can only have the keyboard focus."""
        fence = index.isValid() and index.internalId() != _GROUP
        return super().flags(index) if fence else Qt.ItemFlag.ItemIsEnabled

    def selection_of(self, fence_ids: Collection[str]) -> QItemSelection:
        """Return the rows of the given geofences."""
        wanted, selection = frozenset(fence_ids), QItemSelection()
        for group in self.tree.groups:
            rows = [row for row, fence in enumerate(group.fences) if fence.id in wanted]
            for first, last in runs_of(rows):
                selection.select(self.createIndex(first, 0, group.number), self.createIndex(last, 0, group.number))
        return selection

    def ids_in(self, selection: QItemSelection) -> list[str]:
        """Return the IDs of the selected geofences, from top to bottom."""
        found: list[tuple[int, int, int]] = []
        for number in range(selection.count()):
            part = selection.at(number)
            parent = part.parent()
            if parent.isValid():
                found.append((parent.row(), part.top(), part.bottom()))
        return [
            fence.id
            for group, first, last in sorted(found)
            for fence in self.tree.groups[group].fences[first : last + 1]
        ]

    # Changes

    def _follow(self, delta: FenceDelta) -> None:
        if delta.reset or len(delta.upserted) + len(delta.removed) > _ONE_BY_ONE:
            self._rebuild()
            return
        if self.is_building:
            self._missed.append(delta)
        with self._change():
            for fence_id in delta.removed:
                self._remove(fence_id)
            for fence in delta.upserted:
                self._put(fence)

    @contextmanager
    def _change(self) -> Iterator[None]:
        self.changing = True
        try:
            yield
        finally:
            self.changing = False

    def _rebuild(self) -> None:
        """Rebuild all rows and abandon a build in progress."""
        self._built, self._missed = None, []
        fences, tree = self._book.named(), self.tree.empty_copy()
        if self._aside is None or len(fences) <= BUILT_AT_ONCE:
            tree.rebuild(fences)
            self._show(tree)
            return

        def build() -> FenceTree:
            tree.rebuild(fences)
            return tree

        self._built = tree
        self._aside(build, self._take_built)

    def _take_built(self, tree: FenceTree) -> None:
        """Show the rows that were built and apply the changes made in the meantime."""
        if tree is not self._built:
            return
        missed, self._missed, self._built = self._missed, [], None
        self._show(tree)
        for delta in missed:
            self._follow(delta)

    def _show(self, tree: FenceTree) -> None:
        with self._change():
            self.beginResetModel()
            self.tree = tree
            self.endResetModel()

    def _put(self, fence: BookedFence) -> None:
        place = self.tree.locate(fence.id)
        if not self.tree.accepts(fence):
            self._remove(fence.id)
        elif place is None:
            self._insert(fence)
        elif self.tree.stays(fence):
            self.tree.replace(*place, fence)
            self._notify_changed(self.index_of(fence.id))
        else:
            self._move(fence)

    def _insert(self, fence: BookedFence) -> None:
        group = self._group_of(fence)
        row = self.tree.place_for(fence)
        self.beginInsertRows(group, row, row)
        self.tree.insert(fence)
        self.endInsertRows()
        self._notify_changed(group)

    def _move(self, fence: BookedFence) -> None:
        """Move the row of a geofence to its new position, so that views keep its selection and expansion."""
        group = self._group_of(fence)
        place = self.tree.locate(fence.id)
        assert place is not None
        old_group, row = self.index(place[0], 0), place[1]
        moves = self.beginMoveRows(old_group, row, row, group, self.tree.place_for(fence))
        self.tree.remove(*place)
        self.tree.insert(fence)
        if moves:
            self.endMoveRows()
        self._notify_changed(self.index_of(fence.id))
        if group != old_group:
            self._notify_changed(group)
            self._update_or_remove(old_group)

    def _group_of(self, fence: BookedFence) -> QModelIndex:
        """Return the index of a geofence's group, which is added if it is new."""
        row = self.tree.group_row(fence.tag)
        if not self.tree.has_group(fence.tag):
            self.beginInsertRows(QModelIndex(), row, row)
            self.tree.add_group(fence.tag)
            self.endInsertRows()
        return self.index(row, 0)

    def _remove(self, fence_id: str) -> None:
        place = self.tree.locate(fence_id)
        if place is None:
            return
        group = self.index(place[0], 0)
        self.beginRemoveRows(group, place[1], place[1])
        self.tree.remove(*place)
        self.endRemoveRows()
        self._update_or_remove(group)

    def _update_or_remove(self, group: QModelIndex) -> None:
        """Update a group that has lost a geofence, or remove it if it is empty."""
        row = group.row()
        if self.tree.groups[row].fences:
            self._notify_changed(group)
            return
        self.beginRemoveRows(QModelIndex(), row, row)
        self.tree.remove_group(row)
        self.endRemoveRows()

    def _notify_changed(self, index: QModelIndex) -> None:
        self.dataChanged.emit(index, index)
