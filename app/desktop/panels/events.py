"""The events table: the newest on top; a choice selects the event everywhere."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStackedWidget, QTableView, QVBoxLayout, QWidget

from app.desktop.icons import dot, event_mark
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook
from app.desktop.model.words import confidence_word, duration, event_verb, is_entry, local_time, metres, zone_name
from app.desktop.panels.widgets import EmptyState, button, panel
from engine.domain.tracking import Event

type Index = QModelIndex | QPersistentModelIndex

_NO_INDEX = QModelIndex()
_TIME, _TYPE, _FENCE, _DEVICE, _CONFIDENCE = range(5)
_TITLES = ("Time", "Event", "Fence", "Device", "Confidence")
_WIDTHS = (160, 86, 160, 76, 104)
_ENTRY_COLOR, _EXIT_COLOR = "#009e73", "#d55e00"
_ROW = 28


class EventModel(QAbstractTableModel):
    """The event log as rows for Qt."""

    def __init__(self, log: EventLog, book: FenceBook, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._log = log
        self._book = book
        self._zone = ""
        log.replaced.connect(self._on_replaced)
        log.adding.connect(lambda count: self.beginInsertRows(QModelIndex(), 0, count - 1))
        log.added.connect(self._on_added)

    def event_at(self, row: int) -> Event:
        """Return the event of a row."""
        return self._log[row]

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return how many events are shown."""
        return 0 if parent.isValid() else len(self._log)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(_TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802
        """Return a column's title; that of the time names the zone."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return f"Time ({self._zone})" if section == _TIME and self._zone else _TITLES[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        event, column = self._log[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(event, column)
        if role == Qt.ItemDataRole.DecorationRole:
            return self._mark(event, column)
        return _tip(event) if role == Qt.ItemDataRole.ToolTipRole else None

    def _mark(self, event: Event, column: int) -> Any:
        if column == _TYPE:
            entry = is_entry(event)
            return event_mark(_ENTRY_COLOR if entry else _EXIT_COLOR, entry=entry)
        return dot(self._book.color(event.geofence.tag)) if column == _FENCE else None

    def _on_replaced(self) -> None:
        self.beginResetModel()
        self._name_zone()
        self.endResetModel()

    def _on_added(self, _events: tuple[Event, ...]) -> None:
        self.endInsertRows()
        self._name_zone()

    def _name_zone(self) -> None:
        if len(self._log):
            self._zone = zone_name(self._log[0].created_at)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, _TIME, _TIME)


class EventTable(QWidget):
    """The table, or what to do where it is empty."""

    event_chosen = Signal(object)
    open_track_requested = Signal()
    copy_url_requested = Signal()

    def __init__(self, log: EventLog, book: FenceBook) -> None:
        super().__init__()
        self._log = log
        self.model = EventModel(log, book, self)
        self.view = self._make_view()
        self._empty = EmptyState(
            "No events yet",
            "Play a track through the fences, or send updates from your app to the endpoint.",
            button("Open a track…", self.open_track_requested.emit, "primary"),
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
        self.model.rowsInserted.connect(self._refresh)
        self.model.modelReset.connect(self._refresh)
        self._refresh()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Let the user make the panel small."""
        return QSize(240, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Room for six events."""
        return QSize(640, 208)

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
            selection.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows | flag.Current)
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
        header.setMinimumSectionSize(56)
        for column, width in enumerate(_WIDTHS):
            header.resizeSection(column, width)
        header.setSectionResizeMode(_FENCE, QHeaderView.ResizeMode.Stretch)
        return view

    def _on_current(self, current: QModelIndex) -> None:
        if current.isValid():
            self.event_chosen.emit(self.model.event_at(current.row()))

    def _refresh(self) -> None:
        self._stack.setCurrentWidget(self.view if len(self._log) else self._empty)


def _text(event: Event, column: int) -> str:
    match column:
        case 0:
            return local_time(event.created_at)
        case 1:
            return event_verb(event)
        case 2:
            return event.geofence.description or event.geofence.external_id
        case 3:
            return event.user.device_id
        case _:
            return f"{confidence_word(event.confidence)} ({event.confidence})"


def _tip(event: Event) -> str:
    lines = [
        event.created_at.isoformat(),
        f"{event.geofence.tag} / {event.geofence.external_id}",
        f"Accuracy {metres(event.accuracy_m)}, confidence {event.confidence} of 3",
    ]
    if event.duration_s is not None:
        lines.append(f"Stayed {duration(event.duration_s)}")
    return "\n".join(lines)
