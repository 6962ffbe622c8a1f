"""The fence list as rows for Qt: a group for each tag, and in it its fences."""

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
"""Up to so many changed fences move their own rows; more are shown by building the list anew."""

BUILT_AT_ONCE: Final = 3_000
"""A list of so many is built before anybody could notice; a longer one in a thread."""

type Aside = Callable[[Callable[[], FenceTree], Callable[[FenceTree], None]], None]
"""Runs work in a thread and hands its answer to what comes second, in the window's thread."""


class FenceModel(QAbstractItemModel):
    """Rows of groups and fences. An index of a fence carries the number of its group, one of a group carries 0.

    Many rows are built `aside`, while those before them are shown.
    """

    def __init__(self, book: FenceBook, parent: QObject | None = None, aside: Aside | None = None) -> None:
        super().__init__(parent)
        self._book, self._aside = book, aside
        self._built: FenceTree | None = None
        self._missed: list[FenceDelta] = []
        self._bold = QFont()
        self._bold.setBold(True)
        self.changing = False
        """Whether rows come, go or move just now: what a view makes of that was chosen by nobody."""
        self.tree = FenceTree()
        self._unlisten = book.changed.connect(self._follow)
        self.tree.rebuild(book.named())

    def close(self) -> None:
        """Follow the book no more."""
        self._unlisten()

    @property
    def is_building(self) -> bool:
        """Whether other rows are being built aside."""
        return self._built is not None

    def search(self, text: str) -> None:
        """Show only fences that hold every word of the text."""
        if self.tree.search(text):
            self._rebuild()

    def fence(self, index: Index) -> BookedFence | None:
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
            return tr("{tag} ({geofences:,})", tag=group.tag, geofences=len(group.fences))
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
        """Let fences be selected; a group only takes the keyboard."""
        fence = index.isValid() and index.internalId() != _GROUP
        return super().flags(index) if fence else Qt.ItemFlag.ItemIsEnabled

    def selection_of(self, fence_ids: Collection[str]) -> QItemSelection:
        """Return the rows of some fences."""
        wanted, selection = frozenset(fence_ids), QItemSelection()
        for group in self.tree.groups:
            rows = [row for row, fence in enumerate(group.fences) if fence.id in wanted]
            for first, last in runs_of(rows):
                selection.select(self.createIndex(first, 0, group.number), self.createIndex(last, 0, group.number))
        return selection

    def ids_in(self, selection: QItemSelection) -> list[str]:
        """Return the IDs of the selected fences, from the top."""
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

    # What changed

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
        """Build all rows anew; what was being built is needless then."""
        self._built, self._missed = None, []
        fences, tree = self._book.named(), self.tree.anew()
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
        """Show what was built, with what has changed meanwhile."""
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
            self._tell(self.index_of(fence.id))
        else:
            self._move(fence)

    def _insert(self, fence: BookedFence) -> None:
        group = self._group_of(fence)
        row = self.tree.place_for(fence)
        self.beginInsertRows(group, row, row)
        self.tree.insert(fence)
        self.endInsertRows()
        self._tell(group)

    def _move(self, fence: BookedFence) -> None:
        """Give a fence its new place. Its row moves: what a view has selected and opened goes with it."""
        group = self._group_of(fence)
        place = self.tree.locate(fence.id)
        assert place is not None
        old_group, row = self.index(place[0], 0), place[1]
        moves = self.beginMoveRows(old_group, row, row, group, self.tree.place_for(fence))
        self.tree.remove(*place)
        self.tree.insert(fence)
        if moves:
            self.endMoveRows()
        self._tell(self.index_of(fence.id))
        if group != old_group:
            self._tell(group)
            self._tell_or_remove(old_group)

    def _group_of(self, fence: BookedFence) -> QModelIndex:
        """Return the index of the group that a fence belongs to; a new one is added."""
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
        self._tell_or_remove(group)

    def _tell_or_remove(self, group: QModelIndex) -> None:
        """Show that a group has lost a fence; one that has lost its last goes too."""
        row = group.row()
        if self.tree.groups[row].fences:
            self._tell(group)
            return
        self.beginRemoveRows(QModelIndex(), row, row)
        self.tree.remove_group(row)
        self.endRemoveRows()

    def _tell(self, index: QModelIndex) -> None:
        self.dataChanged.emit(index, index)
