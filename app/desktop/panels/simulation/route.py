"""The small panel over the map for routing a track along roads."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.desktop.language import tr, translated
from app.desktop.model.editing.numbers import NotANumber, read_quantity, spell_number
from app.desktop.model.shaping.positions import Order, read_point, spell
from app.desktop.model.words import capital
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.widgets import GRID, Field, PageSwitch, button, label, restyle, tip_text
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.travel import TravelMode
from engine.simulation.routed import MAX_WAIT_S, MAX_WAYPOINTS, RoutePlan, Waypoint

_MODES = tuple(TravelMode)
_WIDTH = 392
_ROWS_PX = 136
_HINT = tr("Click waypoints on the map in order, or type them as latitude, longitude. Enter finishes, Esc cancels.")
_POSITION, _WAIT = range(2)


class RoutePanel(QFrame):
    """A panel with the waypoints and their waits, the travel mode, and the interval between updates."""

    changed = Signal()
    finish_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("IsochronePanel")
        self.setFixedWidth(_WIDTH)
        self._points: list[Point] = []
        self.modes = PageSwitch(tuple(translated(mode.value.capitalize()) for mode in _MODES))
        self.modes.spread()
        self._mode = TravelMode.CAR
        self.table = _table()
        self.typed = TextLine()
        self.typed.setAccessibleName(tr("Add a waypoint"))
        self.typed.setPlaceholderText("47.141, 9.5215")
        self.add_button = button(tr("Add"), self._on_typed)
        self.remove_button = button(tr("Remove"), self._on_remove)
        self.remove_button.setToolTip(tr("Remove the selected waypoint"))
        self.interval = NumberBox("s")
        self.interval.setAccessibleName(tr("Fix interval"))
        self.interval.setValue(1.0)
        self.interval.setToolTip(tr("Seconds between fixes"))
        self.waypoint_field = Field("", self._typing(), self.typed)
        self.note = label("", "muted", wrap=True)
        self.finish_button = button(tr("Use as track"), self.finish_requested.emit, "primary")
        self.cancel_button = button(tr("Cancel"), self.cancel_requested.emit)
        self._arrange()
        self.modes.chosen.connect(self._on_mode)
        self.interval.valueChanged.connect(lambda _: self.changed.emit())
        self.typed.returnPressed.connect(self._on_typed)
        self.table.cellChanged.connect(self._on_cell)
        self.table.itemSelectionChanged.connect(self._enable)
        self.clear()

    @property
    def points(self) -> Sequence[Point]:
        """The waypoints, in order."""
        return self._points

    def plan(self) -> RoutePlan | None:
        """Return the planned route, or None while there are too few waypoints.

        Raises `InvalidParameter` naming ``wait_s`` or ``interval_s``.
        """
        if len(self._points) < 2:
            return None
        self.interval.check("interval_s")
        waypoints = tuple(Waypoint(point, self._wait_of(row)) for row, point in enumerate(self._points))
        return RoutePlan(
            waypoints, self._mode, self.interval.value(), tr("Route by {travel_mode}", travel_mode=self._mode)
        )

    def clear(self) -> None:
        """Start a new route, keeping the mode and the interval."""
        self._points.clear()
        self.table.setRowCount(0)
        self.typed.clear()
        self.waypoint_field.show_error(None)
        self.show_note(_HINT)
        self.set_ready(ready=False)
        self._enable()

    def add(self, point: Point) -> None:
        """Append a waypoint."""
        if len(self._points) >= MAX_WAYPOINTS:
            self.show_error(f"A route can have at most {MAX_WAYPOINTS} waypoints.")
            return
        self._points.append(point)
        row = self.table.rowCount()
        with QSignalBlocker(self.table):
            self.table.insertRow(row)
            self.table.setItem(row, _POSITION, QTableWidgetItem(_spelled(point)))
            self.table.setItem(row, _WAIT, QTableWidgetItem("0"))
        self.table.scrollToBottom()
        self._enable()
        self.changed.emit()

    def set_ready(self, *, ready: bool) -> None:
        """Enable or disable the button that uses the route."""
        self.finish_button.setEnabled(ready)

    def show_note(self, text: str) -> None:
        """Show the length of the route, or a hint."""
        self._show_text(text, "muted")

    def show_error(self, message: str) -> None:
        """Show an error in the route."""
        self._show_text(message, "error")

    def _show_text(self, text: str, role: str) -> None:
        restyle(self.note, "role", role)
        self.note.setText(text)
        self.adjustSize()

    def _wait_of(self, row: int) -> float:
        item = self.table.item(row, _WAIT)
        text = item.text().strip() if item is not None else ""
        try:
            return read_quantity(text or "0", "s")
        except NotANumber as error:
            which = tr("the wait at waypoint {number}", number=row + 1)
            raise InvalidParameter("wait_s", f"wait_s: {which} {error}") from None

    def _on_cell(self, row: int, column: int) -> None:
        """Accept text typed into the table, or restore the cell if its position is invalid."""
        item = self.table.item(row, column)
        if item is not None and column == _POSITION:
            try:
                self._points[row] = read_point(item.text(), "waypoints")
            except InvalidParameter as error:
                self.waypoint_field.show_error(_without_name(error))
            with QSignalBlocker(self.table):
                item.setText(_spelled(self._points[row]))
        elif item is not None:
            with QSignalBlocker(self.table), suppress(InvalidParameter):
                item.setText(spell_number(self._wait_of(row)))
        self.changed.emit()

    def _on_typed(self) -> None:
        if not self.typed.text().strip():
            self.finish_requested.emit()
            return
        try:
            point = read_point(self.typed.text(), "waypoints")
        except InvalidParameter as error:
            self.waypoint_field.show_error(_without_name(error))
            return
        self.typed.clear()
        self.waypoint_field.show_error(None)
        self.add(point)

    def _on_remove(self) -> None:
        row = self.table.currentRow()
        if 0 <= row < len(self._points):
            del self._points[row]
            self.table.removeRow(row)
            self._enable()
            self.changed.emit()

    def _on_mode(self, number: int) -> None:
        self._mode = _MODES[number]
        self.changed.emit()

    def _enable(self) -> None:
        self.remove_button.setEnabled(bool(self.table.selectedItems()))

    def _typing(self) -> QWidget:
        made = QWidget()
        in_row((self.typed, 1), self.add_button, self.remove_button, of=made, margins=0, spacing=GRID)
        return made

    def _arrange(self) -> None:
        in_column(
            self.modes,
            self.table,
            self.waypoint_field,
            self.note,
            in_row(
                label(tr("Fix interval"), "muted"),
                (self.interval, 1),
                self.finish_button,
                self.cancel_button,
                spacing=GRID,
            ),
            of=self,
            margins=12,
            spacing=GRID,
        )


def _spelled(point: Point) -> str:
    return spell((point.longitude, point.latitude), Order.LATITUDE_FIRST)


def _without_name(error: InvalidParameter) -> str:
    return capital(error.message.removeprefix(f"{error.param}: "))


def _table() -> QTableWidget:
    made = QTableWidget(0, 2)
    made.setAccessibleName(tr("Waypoints"))
    made.setHorizontalHeaderLabels([tr("Waypoint"), tr("Wait (s)")])
    made.horizontalHeader().setSectionResizeMode(_POSITION, QHeaderView.ResizeMode.Stretch)
    made.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    made.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    made.setFixedHeight(_ROWS_PX)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    tip = tr("Double-click to change the position or the wait (up to {seconds:.0f} s)", seconds=MAX_WAIT_S)
    made.setToolTip(tip_text(tip))
    return made
