"""The geofence list, grouped by tag and filtered by words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QSize, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QStackedWidget, QTreeView, QWidget

from app.desktop.language import tr
from app.desktop.model.fences import FenceBook
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.geofence.rows import FENCE_ID, Aside, FenceModel
from app.desktop.panels.geofence.selecting import Selecting
from app.desktop.panels.layouts import in_column
from app.desktop.panels.widgets import GRID, EmptyState, button, panel

type _Index = QModelIndex | QPersistentModelIndex

_TYPED_MS = 120
_Flag = QItemSelectionModel.SelectionFlag
_OPEN_AT_FIRST = 400
"""Maximum number of geofences with which the groups of a workspace are open at first."""


class FenceView(Selecting, QTreeView):
    """Rows of groups and geofences, of which only geofences can be selected.

    A group can have the keyboard focus.
    """

    selected = Signal()
    all_wanted = Signal()
    none_wanted = Signal()

    def __init__(self, model: FenceModel) -> None:
        super().__init__()
        self._fences = model
        self.setModel(model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setIconSize(QSize(12, 12))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.select_several()
        self.setAccessibleName(tr("Geofences"))

    def selectionCommand(self, index: _Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:  # noqa: N802 (Qt's name)
        """Select geofences, and keep the selection if a group or an empty area is clicked."""
        return _Flag.NoUpdate if self._fences.fence(index) is None else super().selectionCommand(index, event)

    def currentChanged(self, current: _Index, previous: _Index) -> None:  # noqa: N802 (Qt's name)
        """Scroll to the row the user moves to, but not if rows are only added or removed."""
        self.setAutoScroll(not self._fences.changing)
        super().currentChanged(current, previous)


class FenceList(QWidget):
    """The list of geofences, or a hint if it is empty.

    The list emits the user's choice and changes nothing itself. `show_selected` sets the selection, which is stored by
    ID so that added and removed rows do not affect it.
    """

    fence_chosen = Signal(str)
    fences_chosen = Signal(object, object)
    draw_requested = Signal()
    import_requested = Signal()
    note_changed = Signal(str)

    def __init__(self, book: FenceBook, aside: Aside | None = None) -> None:
        super().__init__()
        self._book = book
        self._rest = QTimer(self, singleShot=True, interval=_TYPED_MS)
        self._searching = False
        self._selected: str | None = None
        self._ids: tuple[str, ...] = ()
        self._marked = True
        """Whether the rows of the selected geofences are marked, which is uncertain after rows were added."""
        self._row_lost = False
        self._scrolled_to = 0
        self._opening = False
        self._opened: dict[str, bool] = {}
        """Whether the user left each group open (True) or closed (False), by tag."""
        self.model = FenceModel(book, self, aside)
        self.view = FenceView(self.model)
        self.words = self._make_filter()
        draw = button(tr("Draw a circle"), self.draw_requested.emit, "primary")
        self._empty = EmptyState(
            tr("No geofences yet"),
            tr("Draw one on the map, or import a file."),
            draw,
            button(tr("Import…"), self.import_requested.emit),
            narrow=True,
        )
        self._waiting = EmptyState(tr("Loading geofences…"), tr("They appear here when all are read."), narrow=True)
        self._nothing = EmptyState(
            tr("No matches"),
            tr("None of the geofences matches the filter."),
            button(tr("Clear filter"), self.words.clear),
            narrow=True,
        )
        self._stack = QStackedWidget()
        for page in (self.view, self._empty, self._waiting, self._nothing):
            self._stack.addWidget(page)
        body, inner = panel()
        inner.setSpacing(0)
        self._above = QWidget()
        in_column(self.words, of=self._above, margins=(GRID, GRID, GRID, 4))
        inner.addWidget(self._above)
        inner.addWidget(self._stack)
        in_column(body, of=self, margins=0)
        self._connect()
        self._refresh()
        self._open_groups()

    def _make_filter(self) -> TextLine:
        made = TextLine()
        made.setPlaceholderText(tr("Filter"))
        made.setAccessibleName(tr("Filter the geofences"))
        made.setToolTip(tr("Filter by description, tag, ID or metadata"))
        made.setClearButtonEnabled(True)
        return made

    def _connect(self) -> None:
        self.words.textChanged.connect(self._rest.start)
        self._rest.timeout.connect(lambda: self.search(self.words.text()))
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.view.selected.connect(self._on_selected)
        self.view.all_wanted.connect(lambda: self._choose(self.model.tree.ids()))
        self.view.none_wanted.connect(lambda: self._choose(()))
        self.view.clicked.connect(self._on_clicked)
        self.view.collapsed.connect(lambda index: self._on_opened(index, is_open=False))
        self.view.expanded.connect(lambda index: self._on_opened(index, is_open=True))
        self.model.modelAboutToBeReset.connect(self._before_reset)
        self.model.modelReset.connect(self._on_reset)
        self.model.rowsInserted.connect(self._on_inserted)
        self.model.rowsRemoved.connect(self._on_removed)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that lets the user make the panel narrow."""
        return QSize(160, 120)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size wide enough for a name."""
        return QSize(232, 400)

    def filter(self, text: str) -> None:
        """Set the text of the filter."""
        self.words.setText(text)
        self._rest.stop()
        self.search(text)

    def search(self, text: str) -> None:
        """Show only geofences that contain every word of the text."""
        self._searching = bool(text.strip())
        self.model.search(text)
        self._refresh()

    def show_selected(self, fence_id: str | None, fence_ids: tuple[str, ...]) -> None:
        """Mark the selected geofences.

        The list scrolls to the geofence in the form only if it is a different one than before.
        """
        other, self._selected = fence_id != self._selected, fence_id
        self._marked = self._marked and fence_ids == self._ids
        self._ids = fence_ids
        index = self._mark()
        if other and index.isValid():
            self._go_to(index)
            self.view.scrollTo(index)

    def _mark(self) -> QModelIndex:
        """Select the rows of the selected geofences at their current positions, without moving the keyboard focus."""
        index = self.model.index_of(self._selected) if self._selected else QModelIndex()
        selection = self.view.selectionModel()
        if len(self._ids) > 1:
            if not self._marked:
                self.view.mark(self.model.selection_of(self._ids))
        elif not index.isValid():
            selection.clearSelection()
        elif selection.selectedIndexes() != [index]:
            selection.select(index, _Flag.ClearAndSelect)
        self._marked = True
        return index

    def _go_to(self, index: QModelIndex) -> None:
        """Move the keyboard focus to a row."""
        self.view.selectionModel().setCurrentIndex(index, _Flag.NoUpdate)

    def _on_current(self) -> None:
        if self.model.changing:
            self._row_lost = True

    def _on_selected(self) -> None:
        """Emit the user's selection if it has changed."""
        ids = self.model.ids_in(self.view.selectionModel().selection())
        chosen = frozenset(ids)
        # Geofences hidden by the filter stay selected until the selection changes.
        if chosen != {each for each in self._ids if each in self.model.tree}:
            # Previously selected geofences come first.
            self._choose((*(each for each in self._ids if each in chosen), *ids))

    def _choose(self, fence_ids: Sequence[str]) -> None:
        self._marked = False
        if len(fence_ids) == 1:
            self.fence_chosen.emit(fence_ids[0])
        else:
            self.fences_chosen.emit(fence_ids, self.view.currentIndex().data(FENCE_ID))

    def _on_clicked(self, index: QModelIndex) -> None:
        """Choose a geofence again if it is clicked while selected, so that the map shows it.

        A click on a group opens or closes it.
        """
        if fence_id := index.data(FENCE_ID):
            if self._ids == (fence_id,):
                self.fence_chosen.emit(fence_id)
        else:
            self.view.setExpanded(index, not self.view.isExpanded(index))

    def _before_reset(self) -> None:
        self._scrolled_to = self.view.verticalScrollBar().value()

    def _on_reset(self) -> None:
        self._refresh()
        self._open_groups()
        self._marked = False
        index = self._mark()
        if index.isValid():
            self.view.setAutoScroll(False)
            self._go_to(index)
        self.view.doItemsLayout()
        self.view.verticalScrollBar().setValue(self._scrolled_to)

    def _on_removed(self, parent: QModelIndex, first: int) -> None:
        """Move the keyboard focus from a removed row to the one above, so that the down arrow reaches the next row."""
        if self._row_lost:
            self._row_lost = False
            self._go_to(self.model.index(first - 1, 0, parent) if first else parent)
        self._refresh()

    def _on_inserted(self, parent: QModelIndex) -> None:
        self._marked = False
        if not parent.isValid():
            self._open_groups()
        self._refresh()

    def _open_groups(self) -> None:
        """Restore the groups that the user has opened or closed.

        Other groups are open unless the list is long. A search opens all groups.
        """
        at_first = len(self.model.tree) <= _OPEN_AT_FIRST
        self._opening = True
        for row, group in enumerate(self.model.tree.groups):
            wanted = self._searching or self._opened.get(group.tag, at_first)
            self.view.setExpanded(self.model.index(row, 0), wanted)
        self._opening = False

    def _on_opened(self, index: QModelIndex, *, is_open: bool) -> None:
        if not (self._opening or self._searching):
            self._opened[self.model.tree.groups[index.row()].tag] = is_open

    def _refresh(self) -> None:
        shown, there = len(self.model.tree), len(self._book)
        waits = self._book.is_waiting or self.model.is_building
        empty = self._nothing if there else self._empty
        page: QWidget = self.view if shown else (self._waiting if waits else empty)
        self._stack.setCurrentWidget(page)
        self._above.setVisible(bool(there))
        self.note_changed.emit(
            tr("{shown:,} of {total:,}", shown=shown, total=there)
            if self._searching
            else tr("{total:,}", total=there)
            if there
            else ""
        )
