"""The fence list: grouped by tag, filtered by words."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStackedWidget, QTreeView, QVBoxLayout, QWidget

from app.desktop.model.fences import FenceBook
from app.desktop.model.words import count
from app.desktop.panels.fence_model import FENCE_ID, FenceModel
from app.desktop.panels.widgets import GRID, EmptyState, button, panel

_TYPED_MS = 120
_OPEN_AT_FIRST = 400
"""A workspace with at most so many fences starts with its groups open."""


class FenceList(QWidget):
    """The list, or what to do where it is empty. It tells what the user chose; it changes nothing itself."""

    fence_chosen = Signal(str)
    draw_requested = Signal()
    import_requested = Signal()
    note_changed = Signal(str)

    def __init__(self, book: FenceBook) -> None:
        super().__init__()
        self._book = book
        self._rest = QTimer(self, singleShot=True, interval=_TYPED_MS)
        self._searching = False
        self._showing = False
        self._closed_tags: set[str] = set()
        self.model = FenceModel(book, self)
        self.view = self._make_view()
        self.words = self._make_filter()
        draw = button("Draw a circle", self.draw_requested.emit, "primary")
        self._empty = EmptyState(
            "No geofences yet",
            "Draw one on the map, or import a table of them.",
            draw,
            button("Import CSV…", self.import_requested.emit),
            narrow=True,
        )
        self._nothing = EmptyState(
            "Nothing matches",
            "No geofence holds these words.",
            button("Clear filter", self.words.clear),
            narrow=True,
        )
        self._stack = QStackedWidget()
        for page in (self.view, self._empty, self._nothing):
            self._stack.addWidget(page)
        body, inner = panel()
        inner.setSpacing(0)
        self._above = QWidget()
        above = QVBoxLayout(self._above)
        above.setContentsMargins(GRID, GRID, GRID, 4)
        above.addWidget(self.words)
        inner.addWidget(self._above)
        inner.addWidget(self._stack)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(body)
        self._connect()
        self._refresh()
        self._open_groups()

    def _make_view(self) -> QTreeView:
        view = QTreeView()
        view.setModel(self.model)
        view.setHeaderHidden(True)
        view.setUniformRowHeights(True)
        view.setIndentation(16)
        view.setIconSize(QSize(12, 12))
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setAccessibleName("Fences")
        return view

    def _make_filter(self) -> QLineEdit:
        made = QLineEdit()
        made.setPlaceholderText("Filter")
        made.setAccessibleName("Filter the fences")
        made.setToolTip("Words of a fence: its description, tag, ID or metadata")
        made.setClearButtonEnabled(True)
        return made

    def _connect(self) -> None:
        self.words.textChanged.connect(self._rest.start)
        self._rest.timeout.connect(lambda: self.search(self.words.text()))
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.view.clicked.connect(self._on_clicked)
        self.view.collapsed.connect(lambda index: self._closed_tags.add(self._tag(index)))
        self.view.expanded.connect(lambda index: self._closed_tags.discard(self._tag(index)))
        self.model.modelReset.connect(self._on_reset)
        self.model.rowsInserted.connect(self._on_inserted)
        self.model.rowsRemoved.connect(self._refresh)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Let the user make the panel narrow."""
        return QSize(160, 120)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Wide enough for a name."""
        return QSize(232, 400)

    def filter(self, text: str) -> None:
        """Put words into the filter."""
        self.words.setText(text)
        self._rest.stop()
        self.search(text)

    def search(self, text: str) -> None:
        """Show only fences that hold every word of the text."""
        self._searching = bool(text.strip())
        self.model.search(text)
        self._refresh()

    def show_selected(self, fence_id: str | None) -> None:
        """Mark the selected fence and bring it into view."""
        index = self.model.index_of(fence_id) if fence_id else QModelIndex()
        selection = self.view.selectionModel()
        if not index.isValid():
            selection.clear()
            return
        if selection.currentIndex() != index:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Current
            # What is shown was not chosen here.
            self._showing = True
            selection.setCurrentIndex(index, flags)
            self._showing = False
        self.view.scrollTo(index)

    def _on_current(self, current: QModelIndex) -> None:
        fence_id = current.data(FENCE_ID)
        if fence_id and not self._showing:
            self.fence_chosen.emit(fence_id)

    def _on_clicked(self, index: QModelIndex) -> None:
        """A click on the fence that is current already chooses it again: the map shows it."""
        if index.data(FENCE_ID):
            self.fence_chosen.emit(index.data(FENCE_ID))
        else:
            self.view.setExpanded(index, not self.view.isExpanded(index))

    def _on_reset(self) -> None:
        self._refresh()
        self._open_groups()

    def _on_inserted(self, parent: QModelIndex) -> None:
        if not parent.isValid():
            self._open_groups()
        self._refresh()

    def _open_groups(self) -> None:
        many = len(self.model.tree) > _OPEN_AT_FIRST
        closed = set() if self._searching else set(self._closed_tags)
        for row, group in enumerate(self.model.tree.groups):
            wanted = group.tag not in closed and not (many and not self._searching)
            self.view.setExpanded(self.model.index(row, 0), wanted)
        self._closed_tags = closed

    def _tag(self, index: QModelIndex) -> str:
        return self.model.tree.groups[index.row()].tag

    def _refresh(self) -> None:
        shown, there = len(self.model.tree), len(self._book)
        page: QWidget = self.view if shown else (self._nothing if there else self._empty)
        self._stack.setCurrentWidget(page)
        self._above.setVisible(bool(there))
        self.note_changed.emit(f"{shown:,} of {there:,}" if self._searching else count(there, "fence"))
