"""The users table with sorting and filtering. Choosing a row selects the user everywhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStackedWidget,
    QTableView,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.inspector.user_rows import UserColumn, UserRows, ago, inside_text, place_text, trip_text
from app.desktop.model.users import state_text, user_name
from app.desktop.model.words import PERSONAL, fence_name, full_time, metres
from app.desktop.panels.layouts import in_column
from app.desktop.panels.tables import fix_rows, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import EmptyState, button, panel, tip_text
from app.desktop.relay import Relay
from app.desktop.style import colors
from engine.domain.tracking.updates import User, UserSummary
from engine.geo.zones import zone_at

_TITLES: Final = (tr("User"), tr("Inside"), tr("Last fix"), tr("Accuracy"), tr("Place"), tr("Trip"))
_WIDTHS: Final = {
    UserColumn.NAME: 152,
    UserColumn.PLACE: 96,
    UserColumn.TRIP: 104,
    UserColumn.SEEN: 88,
    UserColumn.ACCURACY: 80,
}
_SPARED: Final = (UserColumn.TRIP, UserColumn.PLACE, UserColumn.ACCURACY)
"""Columns that are hidden, in this order, if there is no room for the names of geofences.

The tooltip shows their values.
"""

_NAMES: Final = 136
_ARRANGED_EVERY_MS: Final = 1_000
_AGO_EVERY_MS: Final = 1_000


class UserModel(TitledModel):
    """The users as rows for Qt. `now` returns the time of the environment's clock."""

    def __init__(self, rows: UserRows, now: Callable[[], datetime]) -> None:
        super().__init__(_TITLES)
        self._rows = rows
        self._now = now
        self._theme: Theme = "light"
        rows.arranging.connect(self.beginResetModel)
        rows.arranged.connect(self.endResetModel)
        rows.changed.connect(self._on_changed)

    def user_at(self, row: int) -> User:
        """Return the user of a row."""
        return self._rows[row]

    def set_theme(self, theme: Theme) -> None:
        """Colour the flags."""
        self._theme = theme

    def _count(self) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell for a role."""
        user, column = self._rows[index.row()], UserColumn(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _text(user, column, self._now)
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(_tip(user))
            case Qt.ItemDataRole.DecorationRole if column is UserColumn.NAME and user.personal_data:
                return icon("warning", self._theme, color=colors(self._theme).danger)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, as requested by a click on its title."""
        self._rows.sort(UserColumn(column), descending=order == Qt.SortOrder.DescendingOrder)

    def tick(self) -> None:
        """Update the column with relative times."""
        if len(self._rows):
            self._on_changed(0, len(self._rows) - 1, UserColumn.SEEN, UserColumn.SEEN)

    def _on_changed(self, first: int, last: int, left: int = UserColumn.NAME, right: int = UserColumn.TRIP) -> None:
        self.dataChanged.emit(self.index(first, left), self.index(last, right))


class UserTable(QWidget):
    """The table, or a hint if it is empty.

    Rows keep their order while users move, and are sorted again once a second.
    """

    user_chosen = Signal(object)
    note_changed = Signal(str)

    def __init__(self, rows: UserRows, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._rows = rows
        self._selected: str | None = None
        self._showing = False
        self._top: tuple[str, int] | None = None
        rows.arranging.connect(self._note_place)
        self.model = UserModel(rows, now)
        self.view = self._make_view()
        self.words = QLineEdit()
        self.words.setPlaceholderText(tr("Filter"))
        self.words.setAccessibleName(tr("Filter users"))
        self.words.setToolTip(tip_text(tr("Filter by user, device, geofence, beacon, place or trip")))
        self.words.setClearButtonEnabled(True)
        self.words.setMinimumWidth(120)
        self._stack = QStackedWidget()
        for page in (
            self.view,
            EmptyState(
                tr("No users yet"), tr("Play a track as a device, or send updates from your app to the endpoint.")
            ),
            EmptyState(
                tr("No users match"), tr("None of the users matches the filter."), button(tr("Clear"), self.words.clear)
            ),
        ):
            self._stack.addWidget(page)
        body, inner = panel()
        inner.addWidget(self._stack)
        in_column(body, of=self, margins=0)
        rows.arranged.connect(self._on_arranged)
        self._arrange_soon = Relay(self, interval_ms=_ARRANGED_EVERY_MS)
        self._arrange_soon.rung.connect(self._arrange)
        self._filter_soon = Relay(self)
        self._filter_soon.rung.connect(self._filter)
        rows.changed.connect(lambda *_: self._arrange_soon.ring())
        self.words.textChanged.connect(lambda _: self._filter_soon.ring())
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.words, context=Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self.words.clear)
        self.view.selectionModel().currentRowChanged.connect(self._on_current)
        self.view.clicked.connect(self._on_current)
        self._clock = QTimer(self, interval=_AGO_EVERY_MS)
        self._clock.timeout.connect(self._on_tick)
        self._clock.start()
        self._on_arranged()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that lets the user make the panel small."""
        return QSize(240, 96)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as many columns as fit."""
        super().resizeEvent(event)
        left = self.width() - _NAMES - sum(_WIDTHS.values())
        for column in _SPARED:
            self.view.setColumnHidden(column, left < 0)
            left += _WIDTHS[column] if left < 0 else 0

    def set_theme(self, theme: Theme) -> None:
        """Colour the flags."""
        self.model.set_theme(theme)

    def came(self) -> None:
        """Schedule an update for new users that are not listed yet."""
        self._arrange_soon.ring()

    def show_selected(self, user: UserSummary | None) -> None:
        """Mark the selected user, and scroll to the row if the selection has changed."""
        before, self._selected = self._selected, user.id if user is not None else None
        self._mark(scroll=self._selected != before)

    def _mark(self, *, scroll: bool) -> None:
        selection = self.view.selectionModel()
        row = self._rows.row(self._selected) if self._selected is not None else None
        self._showing = True
        if row is None:
            selection.clear()
        else:
            flag = QItemSelectionModel.SelectionFlag
            selection.setCurrentIndex(self.model.index(row, 0), flag.ClearAndSelect | flag.Rows | flag.Current)
        self._showing = False
        if row is not None and scroll:
            self.view.scrollTo(self.model.index(row, 0))

    def _arrange(self) -> None:
        if self._rows.stale:
            self._rows.arrange()
            self._show_state()

    def _filter(self) -> None:
        self._rows.filter(self.words.text())
        self._show_state()

    def _note_place(self) -> None:
        """Record the user in the top row before rows move, unless the table is scrolled to its start."""
        bar = self.view.verticalScrollBar()
        row = bar.value()
        self._top = (self._rows.id_at(row), row) if 0 < row < len(self._rows) else None

    def _on_arranged(self) -> None:
        self._mark(scroll=False)
        if self._top is not None:
            row = self._rows.row(self._top[0])
            self.view.verticalScrollBar().setValue(self._top[1] if row is None else row)
        self._show_state()

    def _show_state(self) -> None:
        self._stack.setCurrentIndex(0 if len(self._rows) else 2 if self.words.text().strip() else 1)
        shown, total = len(self._rows), self._rows.total
        self.note_changed.emit(
            ""
            if not total
            else tr("{shown:,}", shown=shown)
            if shown == total
            else tr("{shown:,} of {total:,}", shown=shown, total=total)
        )

    def _on_tick(self) -> None:
        if self.view.isVisible():
            self.model.tick()

    def _on_current(self, current: QModelIndex) -> None:
        if current.isValid() and not self._showing:
            user = self.model.user_at(current.row())
            self._selected = user.id
            self.user_chosen.emit(user)

    def _make_view(self) -> QTableView:
        view = table_view(self.model, tr("Users"))
        fix_rows(view, narrowest_px=48)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        view.setIconSize(QSize(12, 12))
        header = view.horizontalHeader()
        header.setSectionResizeMode(UserColumn.INSIDE, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            header.resizeSection(column, width)
        view.setSortingEnabled(True)
        view.sortByColumn(UserColumn.NAME, Qt.SortOrder.AscendingOrder)
        return view


def _text(user: User, column: UserColumn, now: Callable[[], datetime]) -> str:
    match column:
        case UserColumn.NAME:
            return user_name(user)
        case UserColumn.INSIDE:
            return inside_text(user)
        case UserColumn.PLACE:
            return place_text(user)
        case UserColumn.TRIP:
            return trip_text(user)
        case UserColumn.SEEN:
            return ago(user.updated_at, now())
        case UserColumn.ACCURACY:
            return metres(user.fix.accuracy_m)


def _tip(user: User) -> str:
    point = user.fix.point
    lines = [
        user_name(user),
        full_time(user.updated_at, zone_at(point.longitude, point.latitude)),
        state_text(user.fix),
    ]
    lines += [
        tr(
            "In {geofence_name} ({tag} / {external_id})",
            geofence_name=fence_name(fence),
            tag=fence.tag,
            external_id=fence.external_id,
        )
        for fence in user.geofences[:20]
    ]
    lines.append(tr("Accuracy {accuracy}", accuracy=metres(user.fix.accuracy_m)))
    lines += [tr("At {place_name}", place_name=place) for place in filter(None, (place_text(user),))]
    lines += [tr("Trip {trip}", trip=trip) for trip in filter(None, (trip_text(user),))]
    lines += [
        tr("Near {beacon_name}", beacon_name=beacon.description or beacon.external_id) for beacon in user.beacons[:20]
    ]
    if user.personal_data:
        lines.append(PERSONAL)
    return "\n".join(lines)
