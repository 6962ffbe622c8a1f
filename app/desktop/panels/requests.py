"""The table of requests that arrived at the endpoint, newest first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QHeaderView,
    QLineEdit,
    QStackedWidget,
    QTableView,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.requests.book import RequestBook
from app.desktop.model.requests.texts import (
    duration_text,
    event_name,
    events_text,
    status_text,
    who_text,
)
from app.desktop.model.words import exact_time, full_time
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.tables import fix_rows, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import EmptyState, button, panel, tip_text, tool_button
from app.desktop.style import colors
from app.exchanges import Exchange, RequestSummary

type ZoneOf = Callable[[RequestSummary], ZoneInfo]

_TIME, _METHOD, _PATH, _STATUS, _DURATION, _WHO, _EVENTS = range(7)
_TITLES = (tr("Time"), tr("Method"), tr("Path"), tr("Status"), tr("Duration"), tr("Device · user"), tr("Events"))
_SAMPLES = {_TIME: "00:00:00.000 UTC+00", _METHOD: "OPTIONS", _STATUS: tr("Status"), _DURATION: "0000.0 ms"}
_WIDTHS = {_WHO: 120, _EVENTS: 140}
_ROW = 26
_SPARED = (_DURATION, _WHO, _EVENTS)
"""Columns that are hidden, in this order, if there is no room for the path. The tooltip shows their values."""
_LEAST_PATH = 150
_SCROLL_BAR = 12


class RequestModel(TitledModel):
    """Requests as rows for Qt. Only visible rows are read."""

    def __init__(self, book: RequestBook, zone_of: ZoneOf, parent: QObject | None = None) -> None:
        super().__init__(_TITLES, parent)
        self._book = book
        self._zone_of = zone_of
        self._theme: Theme = "light"
        book.replaced.connect(self._on_replaced)
        book.adding.connect(lambda count: self.beginInsertRows(QModelIndex(), 0, count - 1))
        book.added.connect(self.endInsertRows)
        book.removing.connect(lambda first, last: self.beginRemoveRows(QModelIndex(), first, last))
        book.removed.connect(self.endRemoveRows)

    def _count(self) -> int:
        return len(self._book)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell for a role."""
        if role not in _ROLES:
            return None
        summary, column = self._book.summary(self._book[index.row()]), index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _text(summary, column, self._zone_of)
            case Qt.ItemDataRole.DecorationRole:
                return self._mark(summary, column)
            case Qt.ItemDataRole.ForegroundRole:
                return self._color(summary, column)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _aligned(column)
        return tip_text(_tip(summary, self._zone_of(summary)))

    def set_theme(self, theme: Theme) -> None:
        """Colour the marks."""
        self._theme = theme

    def _mark(self, summary: RequestSummary, column: int) -> Any:
        if column != _PATH or not summary.near_misses:
            return None
        return icon("warning", self._theme, color=colors(self._theme).live)

    def _color(self, summary: RequestSummary, column: int) -> QColor | None:
        if column != _STATUS or 0 < summary.status < 400:
            return None
        return QColor(colors(self._theme).danger)

    def _on_replaced(self) -> None:
        self.beginResetModel()
        self.endResetModel()


_ROLES = frozenset(
    {
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.DecorationRole,
        Qt.ItemDataRole.ForegroundRole,
        Qt.ItemDataRole.TextAlignmentRole,
        Qt.ItemDataRole.ToolTipRole,
    }
)


class RequestsPanel(QWidget):
    """The table and the details of requests, whose user actions are handled by a controller."""

    filter_changed = Signal(str)
    request_chosen = Signal(object)
    pause_toggled = Signal(bool)
    clear_requested = Signal()
    copy_requested = Signal(bool)
    copy_url_requested = Signal()

    def __init__(self, book: RequestBook, zone_of: ZoneOf) -> None:
        super().__init__()
        self._book = book
        self._chosen: int | None = None
        self.model = RequestModel(book, zone_of, self)
        self._make_head()
        self.view = self._make_view()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(
            EmptyState(
                tr("No requests yet"),
                tr("Point your app or SDK at the endpoint. Requests appear here with the events that they generate."),
                button(tr("Copy URL"), self.copy_url_requested.emit),
            )
        )
        self._stack.addWidget(EmptyState(tr("No requests match"), tr("None of the requests matches the filter.")))
        body, inner = panel()
        inner.addWidget(self._stack)
        in_column(body, of=self, margins=0)
        self._connect()
        self.refresh()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that lets the user make the panel small."""
        return QSize(240, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with room for a few requests."""
        return QSize(640, 208)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as many columns as fit."""
        super().resizeEvent(event)
        header = self.view.horizontalHeader()
        widths = {column: header.sectionSize(column) or self._widths[column] for column in self._widths}
        room = self.width() - _SCROLL_BAR - _LEAST_PATH
        for column in _SPARED:
            spared = sum(widths.values()) > room
            self.view.setColumnHidden(column, spared)
            if spared:
                del widths[column]

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self.model.set_theme(theme)
        self.pause.setIcon(icon("pause", theme))
        self.clear.setIcon(icon("trash", theme))

    # Display

    def refresh(self) -> None:
        """Show the table, or a hint if it is empty."""
        self._stack.setCurrentIndex(0 if len(self._book) else 2 if self.words.text().strip() else 1)

    def choose(self, number: int) -> bool:
        """Choose a request as if it were clicked, and return whether it is shown."""
        row = self._book.row(number)
        if row is None:
            return False
        index = self.model.index(row, _TIME)
        flag = QItemSelectionModel.SelectionFlag
        self.view.selectionModel().setCurrentIndex(index, flag.ClearAndSelect | flag.Rows | flag.Current)
        self.view.scrollTo(index)
        return True

    def keep_chosen(self) -> None:
        """Mark the chosen request again after rows were replaced, if it is still there."""
        selection = self.view.selectionModel()
        row = self._book.row(self._chosen)
        if row is None or selection.currentIndex().row() == row:
            return
        flag = QItemSelectionModel.SelectionFlag
        index = self.model.index(row, _TIME)
        selection.blockSignals(True)
        selection.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows | flag.Current)
        selection.blockSignals(False)
        self.view.viewport().update()

    def _on_current(self, current: QModelIndex, *_: object) -> None:
        if not current.isValid():
            return
        exchange: Exchange = self._book[current.row()]
        self._chosen = exchange.number
        self.request_chosen.emit(exchange)

    def set_available(self, available: bool) -> None:
        """Enable the actions on the log only while there is one."""
        self.pause.setEnabled(available)
        self.clear.setEnabled(available)

    # Construction

    def _make_head(self) -> None:
        self.words = QLineEdit()
        self.words.setPlaceholderText(tr("Filter"))
        self.words.setClearButtonEnabled(True)
        self.words.setAccessibleName(tr("Filter requests"))
        self.words.setToolTip(
            tip_text(tr("Filter by path, device, user, event, near miss, method or status (4xx); ! finds near misses"))
        )
        self.pause = tool_button(tr("Pause: show no new requests for now"), name="PauseRequests")
        self.pause.setCheckable(True)
        self.clear = tool_button(tr("Clear the request log"), self.clear_requested.emit, "ClearRequests")
        self.head = QWidget()
        self.words.setMinimumWidth(120)
        in_row((self.words, 1), self.pause, self.clear, of=self.head, margins=0, spacing=4)

    def _make_view(self) -> QTableView:
        view = table_view(self.model, tr("Requests"), row_px=_ROW)
        fix_rows(view, narrowest_px=40)
        view.setIconSize(QSize(14, 14))
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = view.horizontalHeader()
        header.setSectionResizeMode(_PATH, QHeaderView.ResizeMode.Stretch)
        # Widths are measured from samples, as measuring the content would read thousands of rows.
        metrics = view.fontMetrics()
        sampled = {column: metrics.horizontalAdvance(sample) + 22 for column, sample in _SAMPLES.items()}
        self._widths = sampled | _WIDTHS
        for column, width in self._widths.items():
            header.resizeSection(column, width)
        return view

    def _connect(self) -> None:
        self.words.textChanged.connect(self.filter_changed)
        self.pause.toggled.connect(self.pause_toggled)
        self.view.selectionModel().currentRowChanged.connect(self._on_current)
        self.view.clicked.connect(self._on_current)
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.view, context=within)
        copy.activated.connect(lambda: self.copy_requested.emit(False))
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.words, context=Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self.words.clear)


def _text(summary: RequestSummary, column: int, zone_of: ZoneOf) -> str:
    match column:
        case 0:
            return exact_time(summary.at, zone_of(summary))
        case 1:
            return summary.method
        case 2:
            return summary.path
        case 3:
            return status_text(summary)
        case 4:
            return duration_text(summary.duration_s)
        case 5:
            return who_text(summary)
        case _:
            return events_text(summary)


def _aligned(column: int) -> Any:
    side = Qt.AlignmentFlag.AlignRight if column == _DURATION else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _tip(summary: RequestSummary, zone: ZoneInfo) -> str:
    lines = [f"{summary.method} {summary.path}", full_time(summary.at, zone)]
    lines += [tr("Injected fault: {faults}", faults=", ".join(summary.faults))] * bool(summary.faults)
    lines += [each.message for each in summary.near_misses]
    lines += [event_name(event) for event in summary.events]
    return "\n".join(lines)
