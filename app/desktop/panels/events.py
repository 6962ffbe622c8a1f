"""The events table: the newest on top; a choice selects the event everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStackedWidget, QTableView, QVBoxLayout, QWidget

from app.desktop.icons import dot, event_mark, icon
from app.desktop.map.values import Theme
from app.desktop.model.beacons import beacon_tip
from app.desktop.model.editing.metadata import text_of
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook
from app.desktop.model.words import (
    PERSONAL,
    confidence_word,
    duration,
    event_about,
    event_kind,
    event_sentence,
    event_thing,
    event_verb,
    full_time,
    is_flagged,
    metres,
    short_time,
)
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import EmptyState, button, panel, tip_text
from app.desktop.style import colors
from engine.domain.tracking.updates import Event

type ZoneOf = Callable[[Event], ZoneInfo]

_TIME, _TYPE, _ABOUT, _DEVICE, _CONFIDENCE = range(5)
_TITLES = ("Time", "Event", "Where", "Device", "Confidence")
_FITTED = (_TIME, _TYPE, _DEVICE, _CONFIDENCE)
"""As wide as what is in them; what is left is for the names."""
_SPARED = (_CONFIDENCE, _DEVICE)
"""Where there is no room for a name these are left to the tip, in this order: a name that is cut off says less."""
_NAME_LETTERS, _MOST_LETTERS = 16, 28
_ROW = 28
_SCROLL_BAR = 12
_MARK = 16
"""The room of the mark before a device, with the gap behind it."""

_ANY_DIGIT = str.maketrans("123456789", "000000000")


class EventModel(TitledModel):
    """The event log as rows for Qt."""

    def __init__(self, log: EventLog, book: FenceBook, zone_of: ZoneOf, parent: QObject | None = None) -> None:
        super().__init__(_TITLES, parent)
        self._log = log
        self._book = book
        self._zone_of = zone_of
        self._theme: Theme = "light"
        log.replaced.connect(self._on_replaced)
        log.adding.connect(lambda count: self.beginInsertRows(QModelIndex(), 0, count - 1))
        log.added.connect(self._on_added)

    def event_at(self, row: int) -> Event:
        """Return the event of a row."""
        return self._log[row]

    def _count(self) -> int:
        return len(self._log)

    def text(self, row: int, column: int) -> str:
        """Return what is written in a cell."""
        event = self._log[row]
        return short_time(event.created_at, self._zone_of(event)) if column == _TIME else _text(event, column)

    def is_marked(self, row: int) -> bool:
        """Whether the device of a row has a mark."""
        return is_flagged(self._log[row].user)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        event, column = self._log[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(index.row(), column)
            case Qt.ItemDataRole.DecorationRole:
                return self._mark(event, column)
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(_tip(event, self._zone_of(event)))
        return None

    def set_theme(self, theme: Theme) -> None:
        """Colour the flags."""
        self._theme = theme

    def _mark(self, event: Event, column: int) -> Any:
        if column == _TYPE:
            return event_mark(event_kind(event))
        if column == _ABOUT and event.geofence is not None:
            return dot(self._book.color(event.geofence.tag))
        if column == _DEVICE and is_flagged(event.user):
            return icon("warning", self._theme, color=colors(self._theme).danger)
        return None

    def _on_replaced(self) -> None:
        self.beginResetModel()
        self.endResetModel()

    def _on_added(self, _events: tuple[Event, ...]) -> None:
        self.endInsertRows()


class EventTable(QWidget):
    """The table, or what to do where it is empty."""

    event_chosen = Signal(object)
    open_track_requested = Signal()
    copy_url_requested = Signal()
    connect_requested = Signal()

    def __init__(self, log: EventLog, book: FenceBook, zone_of: ZoneOf) -> None:
        super().__init__()
        self._log = log
        self._showing = False
        self._widest: dict[int, tuple[int, int]] = {}
        """Of each column, the widest text and the width of its cell."""
        self._by_hand: dict[int, int] = {}
        self._fitting = False
        self.model = EventModel(log, book, zone_of, self)
        self.view = self._make_view()
        self._empty = EmptyState(
            "No events yet",
            "Play a track through your geofences, or send updates from your app to the endpoint.",
            button("Open a track…", self.open_track_requested.emit, "primary"),
            button("Connect an SDK…", self.connect_requested.emit),
            button("Copy endpoint URL", self.copy_url_requested.emit),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        body, inner = panel()
        inner.addWidget(self._stack)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(body)
        self.view.selectionModel().currentRowChanged.connect(self._on_current)
        self.view.clicked.connect(self._on_current)
        self.model.rowsInserted.connect(self._on_inserted)
        self.model.modelReset.connect(self._on_reset)
        self.view.horizontalHeader().sectionResized.connect(self._on_resized)
        self._on_reset()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Let the user make the panel small."""
        return QSize(240, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Room for six events."""
        return QSize(640, 208)

    def set_theme(self, theme: Theme) -> None:
        """Colour the flags."""
        self.model.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as many columns as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Measure anew in other letters."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._on_reset()

    # How wide its columns are

    def _on_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._measure(range(first, last + 1))
        self._refresh()

    def _on_reset(self) -> None:
        self._widest.clear()
        self._measure(range(len(self._log)))
        self._fit()
        self._refresh()

    def _measure(self, rows: Iterable[int]) -> None:
        """Note the widest text of each column: a time without its zone, or half an event, is none."""
        metrics, known = self.view.fontMetrics(), dict[str, int]()
        before = dict(self._widest)
        for row, column in product(rows, _FITTED):
            # Digits are all as wide as one another.
            text = self.model.text(row, column).translate(_ANY_DIGIT)
            width = known.get(text)
            if width is None:
                width = known[text] = metrics.horizontalAdvance(text)
            if column == _DEVICE and self.model.is_marked(row):
                width += _MARK
            if width > self._widest.get(column, (0, 0))[0]:
                self._widest[column] = width, self._width_of(row, column)
        if self._widest != before:
            self._fit()

    def _width_of(self, row: int, column: int) -> int:
        """Return how wide a column has to be for a cell."""
        longest = self.view.fontMetrics().averageCharWidth() * _MOST_LETTERS
        wanted = self.view.sizeHintForIndex(self.model.index(row, column)).width()
        return wanted if column == _TIME else min(wanted, longest)

    def _fit(self) -> None:
        """Give each column its width; hide what would leave no room for a name."""
        header, self._fitting = self.view.horizontalHeader(), True
        widths = {column: self._wanted(column) for column in _FITTED}
        room = self.width() - _SCROLL_BAR - self.view.fontMetrics().averageCharWidth() * _NAME_LETTERS
        for column in _SPARED:
            spared = sum(widths.values()) > room
            self.view.setColumnHidden(column, spared)
            if spared:
                del widths[column]
        for column, width in widths.items():
            header.resizeSection(column, width)
        self._fitting = False

    def _wanted(self, column: int) -> int:
        by_hand = self._by_hand.get(column)
        if by_hand is not None:
            return by_hand
        title = self.view.horizontalHeader().sectionSizeHint(column)
        return max(self._widest.get(column, (0, 0))[1], title)

    def _on_resized(self, column: int, _before: int, width: int) -> None:
        """Leave a column as wide as the user has made it."""
        if not self._fitting and column in _FITTED:
            self._by_hand[column] = width

    # What is chosen

    def show_selected(self, event: Event | None) -> None:
        """Mark the selected event and bring it into view."""
        row = self._log.row(event.id) if event else None
        selection = self.view.selectionModel()
        if row is None:
            selection.clear()
            return
        index = self.model.index(row, 0)
        if selection.currentIndex().row() != row or not selection.isRowSelected(row):
            flag = QItemSelectionModel.SelectionFlag
            # What is shown was not chosen here.
            self._showing = True
            selection.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows | flag.Current)
            self._showing = False
        self.view.scrollTo(index)

    def _make_view(self) -> QTableView:
        view = QTableView()
        view.setModel(self.model)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setShowGrid(False)
        view.setIconSize(QSize(12, 12))
        view.setWordWrap(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(_ROW)
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.setAccessibleName("Events")
        header = view.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(48)
        header.setSectionResizeMode(_ABOUT, QHeaderView.ResizeMode.Stretch)
        return view

    def _on_current(self, current: QModelIndex) -> None:
        if current.isValid() and not self._showing:
            self.event_chosen.emit(self.model.event_at(current.row()))

    def _refresh(self) -> None:
        self._stack.setCurrentWidget(self.view if len(self._log) else self._empty)


def _text(event: Event, column: int) -> str:
    match column:
        case 1:
            return " ".join(filter(None, (event_verb(event), event_thing(event)))) + _hours(event)
        case 2:
            return event_about(event)
        case 3:
            return event.user.device_id or event.user.user_id or ""
        case _:
            return "" if event.confidence is None else f"{confidence_word(event.confidence)} ({event.confidence})"


def _hours(event: Event) -> str:
    if event.currently_operating is None:
        return ""
    return " · open" if event.currently_operating else " · closed"


def _tip(event: Event, zone: ZoneInfo) -> str:
    lines = [event_sentence(event), full_time(event.created_at, zone)]
    if event.actual_created_at != event.created_at:
        lines.append(f"Received at {full_time(event.actual_created_at, zone)}")
    if event.geofence is not None:
        lines.append(f"{event.geofence.tag} / {event.geofence.external_id}")
    if event.beacon is not None:
        lines.append(beacon_tip(event.beacon))
    if event.place is not None:
        lines.append(", ".join(event.place.categories))
    lines += _measured(event)
    if event.user.user_id:
        lines.append(f"User {event.user.user_id}")
    if is_flagged(event.user):
        lines.append(PERSONAL)
    lines += [f"{key}: {text_of(value)}" for key, value in event.metadata.items()]
    return "\n".join(lines)


def _measured(event: Event) -> list[str]:
    lines = []
    if event.accuracy_m is not None:
        confidence = f", confidence {event.confidence} of 3" if event.confidence is not None else ""
        lines.append(f"Accuracy {metres(event.accuracy_m)}{confidence}")
    if event.duration_s is not None:
        lines.append(f"Stayed {duration(event.duration_s)}")
    if event.currently_operating is not None:
        lines.append(f"{'During' if event.currently_operating else 'Outside'} operating hours")
    if event.fraud is not None and event.fraud.failed:
        lines.append(f"Failed: {', '.join(sorted(check.value for check in event.fraud.failed))}")
    if event.verification is not None:
        lines.append(event.verification.name.capitalize())
    if event.replayed:
        lines.append("Replayed")
    return lines
