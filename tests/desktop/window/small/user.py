"""A user of a small window, whose mouse on the map has the effects that the page would report."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.map.values import MapCircle, MapPolygon, MapShape, Position
from app.desktop.shapes import map_shape
from tests.desktop.map.hand import Hand, metres_between
from tests.desktop.window.small.map import SmallMap
from tests.desktop.window.small.window import SmallWindow
from tests.desktop.window.user import CENTRE, User

_BEACON_M = 8.0
"""Distance at which a click meets the mark of a beacon."""


class SmallHand(Hand):
    """Clicks on a map without a page: with the tool that is active, or on the geofence that is there."""

    def __init__(self, qtbot: QtBot, window: SmallWindow, view: SmallMap) -> None:
        super().__init__(qtbot, view)
        self._window, self._map = window, view
        self._clicked: list[Position] = []

    def click(self, place: Position | QPoint) -> None:
        """Click at a place."""
        at = self._position(place)
        match self._map.tool:
            case "circle":
                self._draw_circle(at)
            case "polygon":
                self._draw_polygon(at)
            case "isochrone":
                self._map.destination_chosen.emit(*at)
            case "beacon":
                self._map.beacon_placed.emit(*at)
            case "waypoint":
                self._map.waypoint_chosen.emit(*at)
            case "select" | "edit":
                self._choose(at)
            case tool:
                raise NotImplementedError(f"the small map has no {tool} tool")

    def move(self, place: Position | QPoint) -> None:
        """Do nothing, because only the page follows the mouse."""

    def settle(self) -> None:
        """Do nothing, because nothing is drawn."""

    def drag(self, start: Position | QPoint, end: Position | QPoint) -> None:
        """Draw a circle, or move what is selected."""
        first, last = self._position(start), self._position(end)
        selection = self._window.model.selection
        fence = self._window.model.fences.get(selection.fence_id)
        if self._map.tool == "circle":
            self._drawn(MapCircle(*first, metres_between(first, last)))
        elif selection.beacon_id is not None:
            self._map.beacon_moved.emit(*last)
        elif fence is not None and self._map.tool == "edit":
            by = last[0] - first[0], last[1] - first[1]
            self._map.fence_edited.emit(fence.id, _moved(map_shape(fence.geometry), by))
        else:
            raise NotImplementedError("the small map has no such drag")

    def press(self, key: Qt.Key) -> None:
        """Press and release a key while the map has the focus."""
        self._target().setFocus()
        QTest.keyClick(self._target(), key)

    def _position(self, place: Position | QPoint) -> Position:
        return self._map.position(place) if isinstance(place, QPoint) else place

    def _draw_circle(self, at: Position) -> None:
        self._clicked.append(at)
        if len(self._clicked) == 2:
            centre, edge = self._clicked
            self._clicked = []
            self._drawn(MapCircle(*centre, metres_between(centre, edge)))

    def _draw_polygon(self, at: Position) -> None:
        self._clicked.append(at)
        if len(self._clicked) > 3 and at == self._clicked[0]:
            ring, self._clicked = tuple(self._clicked), []
            self._drawn(MapPolygon(ring))

    def _drawn(self, shape: MapCircle | MapPolygon) -> None:
        self._map._handle(("drawn", shape))

    def _choose(self, at: Position) -> None:
        if (fence_id := self._map.fence_at(at)) is not None:
            self._map.fence_clicked.emit(fence_id)
            return
        for beacon in self._window.model.beacons.all():
            if metres_between((beacon.point.longitude, beacon.point.latitude), at) <= _BEACON_M:
                self._map.beacon_clicked.emit(beacon.id)
                return
        self._map.map_clicked.emit(*at)


def _moved(shape: MapShape, by: Position) -> MapShape:
    if isinstance(shape, MapCircle):
        return MapCircle(shape.longitude + by[0], shape.latitude + by[1], shape.radius_m)
    return MapPolygon([(longitude + by[0], latitude + by[1]) for longitude, latitude in shape.ring])


class SmallUser(User):
    """A user of a small window."""

    def __init__(self, qtbot: QtBot, window: SmallWindow) -> None:
        super().__init__(qtbot, window)
        self.small = window
        view = window.map
        assert isinstance(view, SmallMap)
        self.map = view
        self.hand = SmallHand(qtbot, window, view)

    def tool(self, action: QAction) -> None:
        """Trigger an action as soon as it is enabled. The toolbar is a part of the whole window."""
        self.until(action.isEnabled)
        action.trigger()


def small_user(qtbot: QtBot, window: SmallWindow) -> SmallUser:
    """Show a new window with a temporary workspace and Ljubljana on its map, and return its user."""
    window.resize(1280, 800)
    window.show()
    window.open_temporary()
    made = SmallUser(qtbot, window)
    made.idle()
    # After everything that may have opened another window in the meantime.
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.map.show_point(*CENTRE, zoom=15.0)
    made.map.commands.clear()
    return made
