"""The events table, newest first. Selecting a row selects the event everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from functools import partial
from itertools import product

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QStackedWidget, QTableView, QWidget

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook
from app.desktop.model.inspector.filtering import EventSieve
from app.desktop.model.inspector.shown_events import EventRows, PinnedEvents, ShownEvents
from app.desktop.panels.events.head import EventHead
from app.desktop.panels.events.model import Column, EventModel, ZoneOf
from app.desktop.panels.layouts import in_column
from app.desktop.panels.tables import fix_rows, table_view
from app.desktop.panels.widgets import EmptyState, button, panel
from app.desktop.relay import Relay
from engine.domain.tracking.updates import Event

_FITTED = (Column.TIME, Column.TYPE, Column.DEVICE, Column.CONFIDENCE)
"""Columns sized to their contents. The remaining width is for the names."""
_SPARED = (Column.CONFIDENCE, Column.DEVICE)
"""Columns that are hidden, in this order, if there is no room for names, because truncated names are less useful.

The tooltip shows their values.
"""
_NAME_LETTERS, _MOST_LETTERS = 16, 28
_ROW = 28
_SCROLL_BAR = 12
_MOST_PINS = 4
_MARK = 16
"""Width of the mark before a device, including the gap after it."""

_ANY_DIGIT = str.maketrans("123456789", "000000000")


class EventTable(QWidget):
    """The table, or a hint if it is empty."""

    event_chosen = Signal(object)
    copy_requested = Signal(object)
    shown_changed = Signal()
    open_track_requested = Signal()
    copy_url_requested = Signal()
    connect_requested = Signal()

    def __init__(self, log: EventLog, book: FenceBook, zone_of: ZoneOf) -> None:
        super().__init__()
        self._log = log
        self._zone_of = zone_of
        self._showing = self._filtering = False
        self._selected: Event | None = None
        self.shown = ShownEvents(log)
        self.pinned = PinnedEvents(log)
        # Connected before Qt, which would select the neighbour of a removed row.
        self.shown.dropping.connect(lambda _: self._set_showing(True))
        self._widest: dict[int, tuple[int, int]] = {}
        """Width of the widest text of each column, and the width of its cell."""
        self._by_hand: dict[int, int] = {}
        self._fitting = False
        self.model = EventModel(self.shown, book, zone_of, self)
        self.shown.dropped.connect(lambda _: self._on_dropped())
        self.pinned_model = EventModel(self.pinned, book, zone_of, self)
        self.view = self._make_view(self.model, tr("Events"))
        self.pins = self._make_view(self.pinned_model, tr("Pinned events"))
        self.pins.horizontalHeader().hide()
        self.pins.setObjectName("Pins")
        self.head = EventHead()
        self._stack = self._make_pages()
        body, inner = panel()
        inner.setSpacing(0)
        self._beside_pins = QHBoxLayout()
        self._beside_pins.addWidget(self.pins)
        inner.addLayout(self._beside_pins)
        inner.addWidget(self._stack, 1)
        in_column(body, of=self, margins=0)
        for view, model in ((self.view, self.model), (self.pins, self.pinned_model)):
            view.selectionModel().currentRowChanged.connect(partial(self._on_current, model))
            view.clicked.connect(partial(self._on_current, model))
            view.customContextMenuRequested.connect(partial(self._open_menu, view, model))
            view.verticalScrollBar().rangeChanged.connect(lambda *_: self._line_up())
        self.model.rowsInserted.connect(self._on_inserted)
        self.model.modelReset.connect(self._on_reset)
        self.pinned_model.modelReset.connect(self._on_pinned)
        self.view.horizontalHeader().sectionResized.connect(self._on_resized)
        self._filter_soon = Relay(self)
        self._filter_soon.rung.connect(self._apply_filter)
        self.head.filter_changed.connect(lambda _: self._filter_soon.ring())
        self.head.pin_requested.connect(self.toggle_pin)
        self.head.copy_requested.connect(self._copy)
        self._add_keys()
        self._on_reset()
        self._on_pinned()

    def _make_pages(self) -> QStackedWidget:
        self._empty = EmptyState(
            tr("No events yet"),
            tr("Play a track through your geofences, or send updates from your app to the endpoint."),
            button(tr("Open a track…"), self.open_track_requested.emit, "primary"),
            button(tr("Connect an SDK…"), self.connect_requested.emit),
            button(tr("Copy URL"), self.copy_url_requested.emit),
        )
        self._none = EmptyState(
            tr("No events match"),
            tr("None of the events matches the filter."),
            button(tr("Clear filter"), self.head.words.clear),
        )
        pages = QStackedWidget()
        for page in (self.view, self._empty, self._none):
            pages.addWidget(page)
        return pages

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Allow the panel to become small."""
        return QSize(240, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size for six events."""
        return QSize(640, 208)

    def set_theme(self, theme: Theme) -> None:
        """Colour the flags for a theme."""
        self.model.set_theme(theme)
        self.pinned_model.set_theme(theme)
        self.head.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as many columns as fit."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Measure again when the font changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._on_reset()

    # Column widths

    def _on_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._hold(last + 1 - first)
        self._measure(range(first, last + 1))
        self._refresh()

    def _hold(self, count: int) -> None:
        """Keep the scroll position on the same events, unless the newest event is visible."""
        bar = self.view.verticalScrollBar()
        if bar.value():
            bar.setMaximum(max(bar.maximum(), bar.value() + count))
            bar.setValue(bar.value() + count)

    def _on_reset(self) -> None:
        if not self._filtering:
            self._widest.clear()
            self._measure(range(len(self.shown)))
            self._fit()
        self._refresh()

    def _measure(self, rows: Iterable[int]) -> None:
        """Record the widest text of each column, because truncated times and events are useless."""
        metrics, known = self.view.fontMetrics(), dict[str, int]()
        before = dict(self._widest)
        for row, column in product(rows, _FITTED):
            # Digits have the same width.
            text = self.model.text(row, column).translate(_ANY_DIGIT)
            width = known.get(text)
            if width is None:
                width = known[text] = metrics.horizontalAdvance(text)
            if column == Column.DEVICE and self.model.is_marked(row):
                width += _MARK
            if width > self._widest.get(column, (0, 0))[0]:
                self._widest[column] = width, self._width_of(row, column)
        if self._widest != before:
            self._fit()

    def _width_of(self, row: int, column: int) -> int:
        """Return the column width that a cell needs."""
        longest = self.view.fontMetrics().averageCharWidth() * _MOST_LETTERS
        wanted = self.view.sizeHintForIndex(self.model.index(row, column)).width()
        return wanted if column == Column.TIME else min(wanted, longest)

    def _fit(self) -> None:
        """Set the width of each column, and hide columns that leave too little room for names."""
        header, self._fitting = self.view.horizontalHeader(), True
        widths = {column: self._wanted(column) for column in _FITTED}
        room = self.width() - _SCROLL_BAR - self.view.fontMetrics().averageCharWidth() * _NAME_LETTERS
        for column in _SPARED:
            spared = sum(widths.values()) > room
            for view in (self.view, self.pins):
                view.setColumnHidden(column, spared)
            if spared:
                del widths[column]
        for column, width in widths.items():
            header.resizeSection(column, width)
            self.pins.horizontalHeader().resizeSection(column, width)
        self._fitting = False

    def _wanted(self, column: int) -> int:
        by_hand = self._by_hand.get(column)
        if by_hand is not None:
            return by_hand
        title = self.view.horizontalHeader().sectionSizeHint(column)
        return max(self._widest.get(column, (0, 0))[1], title)

    def _on_resized(self, column: int, before: int, width: int) -> None:
        """Keep a column width set by the user. A column that is hidden or shown again has no width before or after."""
        if not self._fitting and column in _FITTED and before and width:
            self._by_hand[column] = width
            self.pins.horizontalHeader().resizeSection(column, width)

    def _line_up(self) -> None:
        """Leave a margin beside the pinned events as wide as the scroll bar of the other events."""
        bar, own = self.view.verticalScrollBar(), self.pins.verticalScrollBar()
        room = bar.sizeHint().width() if bar.maximum() and not own.maximum() else 0
        self._beside_pins.setContentsMargins(0, 0, room, 0)

    # Selection

    def show_selected(self, event: Event | None) -> None:
        """Mark the selected event and scroll to it. It may be hidden by the filter."""
        self._selected = event
        self._mark(self.view, self.model, self.shown, scroll=True)
        self._mark(self.pins, self.pinned_model, self.pinned, scroll=False)
        self.head.show_event(event, pinned=event is not None and self.pinned.has(event))

    def _set_showing(self, showing: bool) -> None:
        self._showing = showing

    def _on_dropped(self) -> None:
        self._showing = False
        self._mark(self.view, self.model, self.shown, scroll=False)
        self._refresh()

    def _mark(self, view: QTableView, model: EventModel, rows: EventRows, *, scroll: bool) -> None:
        row = rows.row(self._selected.id) if self._selected else None
        selection = view.selectionModel()
        if row is None:
            selection.clear()
            return
        index = model.index(row, 0)
        if selection.currentIndex().row() != row or not selection.isRowSelected(row):
            flag = QItemSelectionModel.SelectionFlag
            # This change of the selection was not made by the user.
            self._showing = True
            selection.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows | flag.Current)
            self._showing = False
        if scroll:
            view.scrollTo(index)

    # Filter

    @property
    def is_filtered(self) -> bool:
        """Whether a filter may hide events."""
        return not self.shown.sieve.is_open

    def sieve(self) -> EventSieve:
        """Return the filter, including a text that was typed just now."""
        self._filter_soon.deliver()
        return self.shown.sieve

    def _apply_filter(self) -> None:
        zone = self._zone_of(self._log[0]) if len(self._log) else UTC
        sieve = EventSieve.of(self.head.words.text(), zone)
        self.head.show_problem(sieve.problem)
        self._filtering = True
        self.shown.show(sieve)
        self._filtering = False
        self._mark(self.view, self.model, self.shown, scroll=True)

    def toggle_pin(self) -> None:
        """Pin or unpin the selected event."""
        if self._selected is not None:
            self.pinned.toggle(self._selected)

    def _on_pinned(self) -> None:
        rows = len(self.pinned)
        self.pins.setVisible(rows > 0)
        self.pins.setFixedHeight(min(rows, _MOST_PINS) * _ROW + 2)
        self._mark(self.pins, self.pinned_model, self.pinned, scroll=False)
        selected = self._selected
        self.head.show_event(selected, pinned=selected is not None and self.pinned.has(selected))

    def _copy(self) -> None:
        if self._selected is not None:
            self.copy_requested.emit(self._selected)

    def _open_menu(self, view: QTableView, model: EventModel, at: QPoint) -> None:
        index = view.indexAt(at)
        if index.isValid():
            event = model.event_at(index.row())
            self.event_chosen.emit(event)
            self.head.menu_of(event).popup(view.viewport().mapToGlobal(at))

    def _add_keys(self) -> None:
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for view in (self.view, self.pins):
            copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), view, context=within)
            copy.activated.connect(self._copy)

    def _make_view(self, model: EventModel, name: str) -> QTableView:
        view = table_view(model, name, row_px=_ROW)
        fix_rows(view, narrowest_px=48)
        view.setIconSize(QSize(12, 12))
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.horizontalHeader().setSectionResizeMode(Column.ABOUT, QHeaderView.ResizeMode.Stretch)
        return view

    def _on_current(self, model: EventModel, current: QModelIndex, *_: QModelIndex) -> None:
        if current.isValid() and not self._showing:
            self.event_chosen.emit(model.event_at(current.row()))

    def _refresh(self) -> None:
        page = self.view if len(self.shown) else self._none if len(self._log) else self._empty
        self._stack.setCurrentWidget(page)
        self.shown_changed.emit()
