"""The table of all geofences: filtered, sorted, and with the chosen columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QStackedWidget, QTableView, QWidget

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.fence_table.columns import (
    AT_FIRST,
    FIXED,
    NAME,
    Column,
    column_of_key,
    columns_named,
)
from app.desktop.model.fence_table.rows import FenceRows
from app.desktop.model.fence_table.sieve import FenceSieve, Moment
from app.desktop.model.shaping.locks import ShapeLocks
from app.desktop.panels.fence_table.head import TableHead
from app.desktop.panels.fence_table.model import FenceTableModel
from app.desktop.panels.geofence.selecting import Selecting
from app.desktop.panels.layouts import in_column
from app.desktop.panels.menus import Menu
from app.desktop.panels.tables import ROW_PX, dress_table, fix_rows
from app.desktop.panels.widgets import EmptyState, button, button_text, panel
from app.desktop.relay import Relay
from engine.domain.geofence import Geofence

_SLICE_S = 0.012
_ARRANGED_EVERY_MS = 500
_TIMED_EVERY_MS = 10_000
"""Interval at which the table checks whether geofences have opened, closed or expired."""

_Flag = QItemSelectionModel.SelectionFlag


class FenceTableView(Selecting, QTableView):
    """Rows of geofences."""

    selected = Signal()
    all_wanted = Signal()
    none_wanted = Signal()


class FenceTable(QWidget):
    """The table, or a hint if it is empty. It only emits the user's choices and changes nothing itself.

    It is updated only while it is visible: `woken` requests the geofences, or those that it has missed.
    """

    fence_chosen = Signal(str)
    fences_chosen = Signal(object, object)
    zoom_requested = Signal(str)
    note_changed = Signal(str)
    columns_changed = Signal(object)
    woken = Signal()
    draw_requested = Signal()
    import_requested = Signal()

    def __init__(
        self,
        color: Callable[[str], str],
        locks: ShapeLocks,
        is_closed: Callable[[str], bool],
        now: Callable[[], datetime],
    ) -> None:
        super().__init__()
        self.rows = FenceRows(is_closed)
        self._is_closed, self._now = is_closed, now
        self._awake = False
        self._ids: tuple[str, ...] = ()
        self._shown: str | None = None
        self._top: tuple[str, int] | None = None
        self.model = FenceTableModel(self.rows, color, locks, self)
        self.head = TableHead()
        self.view = self._make_view()
        self._widths = {column.name: column.width_px for column in FIXED}
        self._stack = self._make_pages()
        self.menu = Menu(self)
        body, inner = panel()
        inner.setSpacing(0)
        inner.addWidget(self.head.choices)
        inner.addWidget(self._stack, 1)
        in_column(body, of=self, margins=0)
        self._more = QTimer(self, singleShot=True, interval=0)
        self._arrange_soon = Relay(self, interval_ms=_ARRANGED_EVERY_MS)
        self._filter_soon = Relay(self)
        self._clock = QTimer(self, interval=_TIMED_EVERY_MS)
        self._connect()
        self.show_columns(columns_named(AT_FIRST))
        self._show_state()

    def _make_view(self) -> FenceTableView:
        view = FenceTableView()
        dress_table(view, self.model, tr("Geofence table"), row_px=ROW_PX)
        view.select_several()
        fix_rows(view, narrowest_px=48)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setIconSize(QSize(12, 12))
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = view.horizontalHeader()
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        return view

    def _make_pages(self) -> QStackedWidget:
        pages = QStackedWidget()
        for page in (
            self.view,
            EmptyState(
                tr("No geofences yet"),
                tr("Draw one on the map, or import a file."),
                button(tr("Draw a circle"), self.draw_requested.emit, "primary"),
                button(tr("Import…"), self.import_requested.emit),
            ),
            EmptyState(
                tr("No geofences match"),
                tr("None of the geofences matches the filter."),
                button(tr("Clear filter"), self.head.words.clear),
            ),
            EmptyState(tr("Listing the geofences…"), ""),
        ):
            pages.addWidget(page)
        return pages

    def _connect(self) -> None:
        rows, header = self.rows, self.view.horizontalHeader()
        rows.arranging.connect(self._note_place)
        rows.arranged.connect(self._on_arranged)
        self._more.timeout.connect(self._work)
        self._arrange_soon.rung.connect(self._arrange)
        self._filter_soon.rung.connect(self._filter)
        self._clock.timeout.connect(self._on_time)
        self.head.filter_changed.connect(self._filter_soon.ring)
        self.head.columns_wanted.connect(
            lambda: self._open_columns(self.head.columns, self.head.columns.rect().bottomLeft())
        )
        header.customContextMenuRequested.connect(lambda at: self._open_columns(header, at))
        header.sectionClicked.connect(self._on_title)
        header.sectionResized.connect(self._on_resized)
        self.view.selected.connect(self._on_selected)
        self.view.all_wanted.connect(lambda: self._choose_all(rows.fences(0, len(rows) - 1)))
        self.view.none_wanted.connect(lambda: self._choose_all(()))
        self.view.doubleClicked.connect(self._on_activated)
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            go = QShortcut(QKeySequence(key), self.view, context=Qt.ShortcutContext.WidgetShortcut)
            go.activated.connect(lambda: self._on_activated(self.view.currentIndex()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Allow the panel to become small."""
        return QSize(240, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size for six geofences."""
        return QSize(640, 208)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons for a theme."""
        self.head.set_theme(theme)

    @property
    def is_awake(self) -> bool:
        """Whether the table is visible. Qt also counts a table behind another tab as visible."""
        return self._awake

    def wake(self, awake: bool) -> None:
        """Start or stop updating the table."""
        if awake == self._awake:
            return
        self._awake = awake
        if awake:
            self._clock.start()
            self.woken.emit()
            self.go_on()
            self._mark(scroll=True)
        else:
            self._clock.stop()
            self._more.stop()

    # Contents

    def go_on(self) -> None:
        """Schedule the sorting of new or changed geofences."""
        if not self._awake:
            return
        if self.rows.busy:
            self._more.start()
        elif self.rows.stale:
            self._arrange_soon.ring()
        self._show_state()

    def _work(self) -> None:
        """Do a slice of the pending work, so that the window stays responsive."""
        self.rows.work(_SLICE_S)
        if self.rows.busy:
            self._more.start()
        self._show_state()

    def _arrange(self) -> None:
        if self.rows.busy:
            self._more.start()
        elif self.rows.stale:
            self.rows.arrange()
        self._show_state()

    def _filter(self) -> None:
        sieve = FenceSieve.of(self.head.words.text(), Moment(self._now(), self._is_closed))
        self.head.show_problem(sieve.problem)
        self.rows.filter(sieve)
        self.go_on()

    def _on_time(self) -> None:
        """Update everything that depends on the current time."""
        if self.rows.by_time:
            self._filter()
        if len(self.rows):
            self.view.viewport().update()

    @property
    def filter_text(self) -> str:
        """The filter text."""
        return self.head.words.text()

    def show_filter(self, text: str) -> None:
        """Apply another filter text immediately."""
        self.head.words.setText(text)
        self._filter_soon.deliver()

    # Columns

    def show_columns(self, columns: tuple[Column, ...]) -> None:
        """Show other columns. The sort order is kept unless its column was removed."""
        sorted_by = self.rows.column
        self.model.show_columns(columns)
        header = self.view.horizontalHeader()
        header.blockSignals(True)
        for at, column in enumerate(columns):
            header.resizeSection(at, self._widths.get(column.name, column.width_px))
        header.blockSignals(False)
        names = [column.name for column in columns]
        if sorted_by.name not in names:
            self._sort(0, descending=False)
        else:
            self._show_sort()
        self._mark(scroll=False)

    def _on_title(self, section: int) -> None:
        column = self.model.columns[section]
        self._sort(section, descending=column.name == self.rows.column.name and not self.rows.descending)

    def _sort(self, section: int, *, descending: bool) -> None:
        self.rows.sort(self.model.columns[section], descending=descending)
        self._show_sort()
        self.go_on()

    def _show_sort(self) -> None:
        order = Qt.SortOrder.DescendingOrder if self.rows.descending else Qt.SortOrder.AscendingOrder
        names = [column.name for column in self.model.columns]
        self.view.horizontalHeader().setSortIndicator(names.index(self.rows.column.name), order)

    def _on_resized(self, section: int, _: int, width: int) -> None:
        if section < len(self.model.columns):
            self._widths[self.model.columns[section].name] = width

    def _open_columns(self, over: QWidget, at: QPoint) -> None:
        self._fill_menu()
        self.menu.popup(over.mapToGlobal(at))

    def _fill_menu(self) -> None:
        self.menu.clear()
        for column in FIXED:
            self._offer(self.menu, column)
        keys = self.rows.keys()
        metadata = self.menu.submenu(tr("Metadata keys"))
        metadata.setEnabled(bool(keys))
        for key in keys:
            self._offer(metadata, column_of_key(key))
        self.menu.addSeparator()
        self.menu.addAction(tr("Reset columns"), lambda: self._take_columns(columns_named(AT_FIRST)))

    def _offer(self, menu: Menu, column: Column) -> None:
        names = [each.name for each in self.model.columns]
        entry = menu.addAction(button_text(column.title))
        entry.setCheckable(True)
        entry.setChecked(column.name in names)
        entry.setEnabled(column is not NAME)
        entry.toggled.connect(lambda on, column=column: self._switch(column, on=on))

    def _switch(self, column: Column, *, on: bool) -> None:
        """Show or hide a column."""
        shown = [each for each in self.model.columns if each.name != column.name]
        if on:
            order = [each.name for each in FIXED]
            place = order.index(column.name) if column.name in order else len(order)
            at = sum(1 for each in shown if each.name in order and order.index(each.name) < place)
            shown.insert(at if column.name in order else len(shown), column)
        self._take_columns(tuple(shown))

    def _take_columns(self, columns: tuple[Column, ...]) -> None:
        self.show_columns(columns)
        self.columns_changed.emit([column.name for column in columns])

    # Selection

    def show_selected(self, fence_id: str | None, fence_ids: tuple[str, ...]) -> None:
        """Mark the selected geofences, and scroll to the one shown in the form if it has changed."""
        other, known = fence_id != self._shown, fence_ids == self._ids
        self._shown, self._ids = fence_id, fence_ids
        if self._awake and (other or not known):
            self._mark(scroll=other)

    def _mark(self, *, scroll: bool) -> None:
        selection = self.view.selectionModel()
        self.view.mark(self.model.selection_of(self._ids))
        row = self.rows.row(self._shown) if self._shown is not None else None
        if row is not None:
            selection.setCurrentIndex(self.model.index(row, max(selection.currentIndex().column(), 0)), _Flag.NoUpdate)
            if scroll:
                self.view.scrollTo(self.model.index(row, 0))

    def _on_selected(self) -> None:
        """Emit the user's selection if it has changed."""
        ids = self.model.ids_in(self.view.selectionModel().selection())
        chosen = frozenset(ids)
        # Geofences hidden by the filter stay selected until the selection changes.
        if chosen != set(self.rows.listed(self._ids)):
            self._choose((*(each for each in self._ids if each in chosen), *ids))

    def _choose(self, fence_ids: Sequence[str]) -> None:
        current = self.view.currentIndex()
        fence = self.rows.fence(current.row()) if current.isValid() else None
        # These rows are selected already.
        self._ids, self._shown = tuple(dict.fromkeys(fence_ids)), fence.id if fence is not None else None
        if len(self._ids) == 1:
            self.fence_chosen.emit(self._ids[0])
        else:
            self.fences_chosen.emit(self._ids, self._shown)

    def _choose_all(self, fences: Sequence[Geofence]) -> None:
        self._choose([fence.id for fence in fences])
        self._mark(scroll=False)

    def _on_activated(self, index: QModelIndex) -> None:
        fence = self.rows.fence(index.row()) if index.isValid() else None
        if fence is not None:
            self.zoom_requested.emit(fence.id)

    # Moving rows

    def _note_place(self) -> None:
        """Record the top row before rows move, unless it is the first one."""
        bar = self.view.verticalScrollBar()
        fence = self.rows.fence(bar.value()) if 0 < bar.value() < len(self.rows) else None
        self._top = (fence.id, bar.value()) if fence is not None else None

    def _on_arranged(self) -> None:
        self._mark(scroll=False)
        if self._top is not None:
            row = self.rows.row(self._top[0])
            self.view.verticalScrollBar().setValue(self._top[1] if row is None else row)
        self._show_state()

    def _show_state(self) -> None:
        shown, total = len(self.rows), self.rows.total
        nothing = 1 if not total else 3 if self.rows.busy else 2
        self._stack.setCurrentIndex(0 if shown else nothing)
        self.head.choices.setVisible(total > 0)
        self.head.setEnabled(total > 0)
        filtered = not self.rows.sieve.is_open
        self.note_changed.emit(
            ""
            if not total
            else tr("{shown:,} of {total:,}", shown=shown, total=total)
            if filtered
            else tr("{total:,}", total=total)
        )
