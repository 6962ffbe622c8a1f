"""A search result, shown with a pin and a card, from which to create a geofence or an isochrone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShortcut
from PySide6.QtWidgets import QWidget

from app.desktop.language import tr
from app.desktop.map import MapView
from app.desktop.map.values import Theme
from app.desktop.model.search.addresses import found_here
from app.desktop.model.search.finder import WITHOUT_DATA
from app.desktop.model.search.outlines import bounds_of, fence_of
from app.desktop.model.search.results import Kind, SearchResult
from app.desktop.model.words import error_text, position
from app.desktop.panels.menus import Menu
from app.desktop.panels.search.card import SearchCard
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.search import SearchController
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.addresses.place import Place
from engine.domain.errors import GeocodingUnavailable, NoGeocodingData
from engine.domain.geometry import Point

_MARGIN = 8
_PIN = QSize(26, 34)
"""Size of a pin, whose tip is at the bottom centre."""


class SearchResultController(QObject):
    """Shows a search result and performs the actions of its card and of the map's context menu.

    `fence_shown` carries the ID of a geofence that was found. `destination_found` carries the point of an isochrone's
    destination and its name, which is empty if it has no name. `beacon_wanted` carries the point of a new beacon.

    `menu_of_fence` carries the menu that is about to open over a geofence, and the geofence's ID, so that listeners can
    add their actions. After that, `menu_of_place` carries the menu and the position, over a geofence or not. `given_up`
    is emitted when Escape is pressed in the middle of the window.
    """

    fence_shown = Signal(str)
    destination_found = Signal(object, str)
    beacon_wanted = Signal(object)
    menu_of_fence = Signal(object, str)
    menu_of_place = Signal(object, object)
    given_up = Signal()

    def __init__(
        self, model: WorkspaceModel, map_view: MapView, fences: FenceController, message: MessageLine, actions: Actions
    ) -> None:
        super().__init__(map_view)
        self._model, self._map, self._fences = model, map_view, fences
        self._message, self._actions = message, actions
        self.found: SearchResult | None = None
        self.card = SearchCard(map_view)
        self.card.move(_MARGIN, _MARGIN)
        self.card.fence_requested.connect(self.make_fence)
        self.card.isochrone_requested.connect(self.start_isochrone)
        self.card.copy_requested.connect(self.copy)
        self.card.closed.connect(self.dismiss)
        self.menu = Menu(map_view)
        map_view.context_requested.connect(self._on_context)
        map_view.map_clicked.connect(lambda *_: self.dismiss())
        map_view.fence_clicked.connect(lambda _: self.dismiss())
        map_view.tool_changed.connect(self._on_tool)
        map_view.camera_changed.connect(self._make_room)
        model.opened.connect(self.dismiss)
        actions.fence_here.triggered.connect(lambda: self.make_fence())
        actions.what_is_here.triggered.connect(lambda: self.ask_here(Point(*map_view.center())))
        self.dismiss()

    def follow(self, search: SearchController, centre: QWidget) -> None:
        """Connect the search and Escape, which dismisses the result or clears the selection."""
        search.chosen.connect(self.go_to)
        give_up = QShortcut(Qt.Key.Key_Escape, centre, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        give_up.activated.connect(self._give_up)
        search.chosen_here.connect(self.go_and_make_fence)
        search.cleared.connect(self.dismiss)

    def _give_up(self) -> None:
        self.given_up.emit()
        if self.found is not None:
            self.dismiss()
        else:
            self._model.selection.clear()

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the icons."""
        self.card.set_theme(theme)

    # Showing

    def go_to(self, found: SearchResult) -> None:
        """Zoom the map to the extent of a search result; if it is a geofence, select it."""
        if found.fence_id is not None and self._model.fences.get(found.fence_id) is not None:
            self.dismiss()
            self._model.selection.select_fence(found.fence_id)
            self._map.fit_fences([found.fence_id], animate=True)
            self.fence_shown.emit(found.fence_id)
            return
        self.show(found)

        def fly(place: Place | None) -> None:
            bounds = bounds_of(place.outline) if place is not None and place.outline is not None else None
            if bounds is not None:
                self._map.fit(bounds, max_zoom=found.zoom, animate=True)
            else:
                self._map.show_point(found.point.longitude, found.point.latitude, zoom=found.zoom, animate=True)

        self._with_place(found, fly)

    def show(self, found: SearchResult) -> None:
        """Show the pin and the card of a search result without moving the map."""
        self.found = found
        self._set_ready(self._model.session is not None and not found.is_large)
        self._map.set_pin((found.point.longitude, found.point.latitude), found.title)
        self.card.show_found(found)
        self._make_room()

    def _make_room(self) -> None:
        """Place the card so that it does not cover the pin: at the top left, else below the pin, else beside it."""
        found = self.found
        if found is None:
            return

        def place(pin: QPoint) -> None:
            if self.found is found:
                self.card.move(_beside(pin, self.card.size(), self._map.size()))

        self._map.to_widget_position(found.point.longitude, found.point.latitude, place)

    def dismiss(self) -> None:
        """Remove the pin and the card."""
        self._set_ready(False)
        if self.found is not None:
            self.found = None
            self._map.set_pin(None)
        self.card.hide()

    def _on_tool(self, tool: str) -> None:
        """Dismiss the card when the isochrone tool is chosen, because its panel takes the same place."""
        if tool == "isochrone":
            self.dismiss()

    # Acting

    def go_and_make_fence(self, found: SearchResult) -> None:
        """Show a search result and create a geofence from it unless it is one, focusing the map so that undo works."""
        self.go_to(found)
        self._map.setFocus()
        if found.fence_id is None:
            self.make_fence()

    def make_fence(self) -> None:
        """Create a geofence from the search result, with undo, and after a confirmation in Live."""
        found = self.found
        if found is not None and self._actions.fence_here.isEnabled():
            # Disabled until the request completes, so that a second press does not create a second geofence.
            self._set_ready(False)
            self._with_place(found, lambda place: self._create(found, place))

    def _create(self, found: SearchResult, place: Place | None) -> None:
        change = fence_of(found, place.outline if place is not None else None)

        def done() -> None:
            if self.found is found:
                self.dismiss()

        def failed(error: Exception) -> None:
            self._message.complain(error_text(error))
            again()

        def again() -> None:
            self._set_ready(self.found is not None and not self.found.is_large)

        self._fences.create_from(change, done, failed, again)

    def _set_ready(self, ready: bool) -> None:
        self._actions.fence_here.setEnabled(ready)
        self.card.fence.setEnabled(ready)

    def start_isochrone(self) -> None:
        """Choose the isochrone tool with the search result as its destination."""
        found = self.found
        if found is not None:
            self._isochrone(found.point, found.name)

    def _isochrone(self, point: Point, name: str = "") -> None:
        self._actions.isochrone.trigger()
        self.destination_found.emit(point, name)

    def copy(self) -> None:
        """Copy the coordinates, latitude first."""
        if self.found is not None:
            self._copy(self.found.point)

    def _copy(self, point: Point) -> None:
        text = position(point)
        QGuiApplication.clipboard().setText(text)
        self._message.show_info(tr("Copied {copied_text}.", copied_text=text))

    def _with_place(self, found: SearchResult, then: Callable[[Place | None], None]) -> None:
        """Call `then` with the details of a place, or with None if the result is no place or they cannot be read."""
        session, place_id = self._model.session, found.place_id
        if session is None or place_id is None:
            then(None)
            return
        engine = session.engine

        def still(place: Place | None) -> None:
            if session is self._model.session:
                then(place)

        def failed(error: Exception) -> None:
            self._model.report_error(error)
            still(None)

        self._model.operations.read(lambda: engine.geocoding.places.get(place_id), still, failed)

    # What is here

    def ask_here(self, point: Point) -> None:
        """Show the address of a position."""
        self.show(SearchResult(kind=Kind.POSITION, title=position(point), detail="", point=point))
        shown, session = self.found, self._model.session
        if session is None:
            return
        engine = session.engine

        def answered(found: SearchResult) -> None:
            if self.found is shown:
                self.show(found)

        def failed(error: Exception) -> None:
            if isinstance(error, NoGeocodingData):
                self._message.complain(WITHOUT_DATA, tr("World data…"), self._actions.world_data.trigger)
            elif isinstance(error, GeocodingUnavailable):
                self._message.complain(tr("Addresses cannot be looked up right now."))
            else:
                self._model.report_error(error)

        self._model.operations.preview(lambda: found_here(engine.geocoding.geocoder, point), answered, failed)

    def _on_context(self, longitude: float, latitude: float, at: QPoint, fence_id: str | None) -> None:
        point, menu = Point(longitude, latitude), self.menu
        menu.clear()
        if fence_id is not None:
            self.menu_of_fence.emit(menu, fence_id)
        self.menu_of_place.emit(menu, point)
        menu.addAction(tr("What is here?"), lambda: self.ask_here(point)).setEnabled(self._model.session is not None)
        menu.addSeparator()
        menu.addAction(tr("Create geofence here"), lambda: self._fence_at(point)).setEnabled(
            self._model.session is not None
        )
        isochrone = menu.addAction(tr("Isochrone from here"), lambda: self._isochrone(point))
        isochrone.setEnabled(self._actions.isochrone.isEnabled())
        menu.addAction(tr("New beacon here"), lambda: self.beacon_wanted.emit(point)).setEnabled(
            self._model.session is not None
        )
        menu.addAction(tr("Copy {coordinates}", coordinates=position(point)), lambda: self._copy(point))
        menu.popup(self._map.mapToGlobal(at))

    def _fence_at(self, point: Point) -> None:
        self._create(SearchResult(kind=Kind.POSITION, title=position(point), point=point), None)


def _beside(pin: QPoint, card: QSize, room: QSize) -> QPoint:
    """Return the position of a card that leaves the pin visible."""
    seen = QRect(pin - QPoint(_PIN.width() // 2, _PIN.height()), _PIN)
    home = QPoint(_MARGIN, _MARGIN)
    if not QRect(home, card).intersects(seen):
        return home
    below = seen.bottom() + _MARGIN
    if below + card.height() <= room.height():
        return QPoint(_MARGIN, below)
    return QPoint(min(seen.right() + _MARGIN, room.width() - card.width()), _MARGIN)
