"""The search box between the user, the geofences and the geocoder."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QIcon
from PySide6.QtWidgets import QWidget

from app.desktop.icons import dot, icon
from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.map.values import Theme
from app.desktop.memory import Memory
from app.desktop.model.fences import BookedFence
from app.desktop.model.search.addresses import find_addresses, with_category
from app.desktop.model.search.fences import FenceFinder
from app.desktop.model.search.finder import Search
from app.desktop.model.search.recent import decode_recent, encode_recent, with_newest
from app.desktop.model.search.results import Group, Kind, Question, SearchResult, measured
from app.desktop.panels.search.popup import SearchPopup
from app.desktop.panels.search.rows import Command, Head, Hit, Row
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.newest import Newest
from app.desktop.window.toolbar import SearchBox
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.addresses.place import PlaceFinder
from engine.domain.errors import GeocodingUnavailable, NoGeocodingData
from engine.domain.geometry import Point
from engine.domain.values import replace

_NEAR_FROM_ZOOM = 4.0
"""Zoom from which results are ranked by distance to the map centre; farther out, the centre means little."""

_ICONS = {
    Kind.POSITION: "crosshair-simple",
    Kind.HOUSE: "house-line",
    Kind.STREET: "path",
    Kind.LOCALITY: "buildings",
    Kind.POSTAL_CODE: "envelope-simple",
    Kind.COUNTY: "map-trifold",
    Kind.STATE: "map-trifold",
    Kind.COUNTRY: "flag",
    Kind.PLACE: "storefront",
    Kind.FENCE: "circle-dashed",
}


class SearchController(QObject):
    """Searches while the user types, shows the results and emits the chosen one.

    Coordinates appear immediately, geofences and addresses as they are found. `chosen` carries the result to go to,
    `chosen_here` the result at which to create a geofence, and `all_fences` the search words for listing every matching
    geofence.
    """

    chosen = Signal(object)
    chosen_here = Signal(object)
    all_fences = Signal(str)
    cleared = Signal()

    def __init__(
        self, window: QWidget, model: WorkspaceModel, map_view: MapView, box: SearchBox, memory: Memory
    ) -> None:
        super().__init__(window)
        self._model, self._map, self.box, self._memory = model, map_view, box, memory
        self._theme: Theme = "light"
        self._finder = FenceFinder()
        self._listed: tuple[BookedFence, ...] = ()
        self._fences, self._addresses = Newest(model.operations.read), Newest(model.operations.preview)
        self._enter: Callable[[SearchResult], object] | None = None
        self._open = False
        self.recent = decode_recent(memory.searches)
        self.search: Search | None = None
        self._shown: Search | None = None
        self.popup = SearchPopup(window, box, self._picture)
        self.popup.row_chosen.connect(self._on_row)
        self.popup.current_changed.connect(self._announce)
        self.popup.dismissed.connect(self.close)
        self._connect()

    def _connect(self) -> None:
        box = self.box
        box.edited.connect(self._on_edited)
        box.typed.connect(self._ask)
        box.entered.connect(lambda: self._on_enter(self._go))
        box.entered_here.connect(lambda: self._on_enter(self._go_here))
        box.stepped.connect(self._on_step)
        box.paged.connect(self.popup.page)
        box.dismissed.connect(self._on_dismissed)
        box.focused.connect(self.open)
        box.left.connect(self.close)
        self._model.fences.changed.connect(lambda _: self._forget_fences())
        self._model.opened.connect(self._refresh)
        self._model.environment_changed.connect(self._refresh)
        self._model.areas_changed.connect(self._refresh)
        self._map.camera_changed.connect(self._follow_map)

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the results."""
        self._theme = theme
        self.popup.set_theme(theme)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.find.triggered.connect(self.start)
        actions.clear_searches.triggered.connect(lambda: self.clear_recent())

    def start(self) -> None:
        """Focus the search box and select its text, so that typing replaces it."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def start_with(self, text: str) -> None:
        """Search for a text that was typed elsewhere."""
        self.box.window().activateWindow()
        self.box.setText(text)
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.open()

    @property
    def answered(self) -> bool:
        """Whether everything that was typed has been answered."""
        return self.search is not None and self.search.complete and self.search.question.text == self._text

    @property
    def _text(self) -> str:
        return " ".join(self.box.text().split())

    def open(self) -> None:
        """Show the results, or the recent searches if the box is empty."""
        self._open = True
        if not self._text:
            self._show_recent()
        elif self.search is not None and self.search.question.text == self._text:
            self._show(more=False)
            self._follow_map()
        else:
            self.box.flush()
            self._ask(self._text)

    def close(self) -> None:
        """Hide the results and drop a pending Enter."""
        self._open = False
        self._enter = None
        self.popup.hide()

    def clear_recent(self) -> None:
        """Clear the recent searches."""
        self.recent = ()
        self._memory.searches = ""
        if self.popup.isVisible() and not self._text:
            self._show_recent()

    def remember(self, found: SearchResult) -> None:
        """Move the chosen result to the top of the recent searches."""
        self.recent = with_newest(self.recent, found)
        self._memory.searches = encode_recent(self.recent)

    # Searching

    def _on_edited(self) -> None:
        """Drop a pending Enter; the old results stay visible for a moment, but can no longer be chosen with Enter."""
        self._enter = None
        self._open = self.box.hasFocus()
        if not self._text:
            self._forget()
            self.cleared.emit()
            if self._open:
                self._show_recent()

    def _forget(self) -> None:
        self.search = None
        self._fences.forget()
        self._addresses.forget()

    def _forget_fences(self) -> None:
        """Search the current geofences again."""
        self._listed = ()
        search = self.search
        if search is not None and self._open and search.question.text == self._text:
            self._ask_fences(search)
        else:
            self._refresh()

    def _refresh(self) -> None:
        """Repeat the search, showing the old results until the new ones arrive."""
        self._forget()
        if self._open and self._text:
            self._ask(self._text)

    def _follow_map(self) -> None:
        """Sort and measure the results from the current map centre."""
        if self._open and not self._text:
            self._show_recent()
        elif self.search is not None and self.search.question.near != self._near():
            self._refresh()

    def _ask(self, _: str) -> None:
        text = self._text
        if not text or (self.search is not None and self.search.question.text == text):
            return
        search = self.search = Search.of(Question(text, self._near()))
        self._ask_fences(search)
        self._ask_addresses(search)
        if search.position.found or search.hint:
            self._on_answer(search)

    def _ask_fences(self, search: Search) -> None:
        fences = self._listed = self._listed or self._model.fences.named()
        question = search.question

        def found(group: Group) -> None:
            search.fences = group
            self._on_answer(search)

        def failed(error: Exception) -> None:
            search.fences = Group("", ())
            self._model.report_error(error)
            self._on_answer(search)

        self._fences.ask(lambda: self._finder.find(fences, question), found, failed)

    def _ask_addresses(self, search: Search) -> None:
        session = self._model.session
        if session is None or search.position.found or search.hint:
            # Coordinates are never looked up as an address, though some look like one.
            search.addresses = ()
            return
        engine, question = session.engine, search.question

        def work() -> tuple[tuple[Group, ...], tuple[str, ...]]:
            found = find_addresses(engine.geocoding.geocoder, question)
            areas = tuple(area.name for area in engine.areas.in_use())
            return tuple(_with_categories(group, engine.geocoding.places) for group in found), areas

        def found(answer: tuple[tuple[Group, ...], tuple[str, ...]]) -> None:
            search.addresses, search.areas = answer
            self._on_answer(search)

        def failed(error: Exception) -> None:
            search.addresses, search.unavailable = (), True
            search.without_data = isinstance(error, NoGeocodingData)
            if not isinstance(error, GeocodingUnavailable):
                self._model.report_error(error)
            self._on_answer(search)

        self._addresses.ask(work, found, failed)

    def _near(self) -> Point | None:
        return Point(*self._map.center()) if self._map.zoom() >= _NEAR_FROM_ZOOM else None

    def _on_answer(self, search: Search) -> None:
        if search is not self.search:
            return
        if self._open:
            self._show(more=True)
        enter, first = self._enter, search.first
        if enter is not None and first is not None and not search.early:
            self._enter = None
            enter(first)
        elif search.complete:
            self._enter = None

    # Showing

    def _show(self, *, more: bool) -> None:
        search = self.search
        if search is None or (self.popup.isVisible() and not search.groups and not search.complete and not search.hint):
            # Keep the old results until then: an empty list between two keystrokes would only flicker.
            return
        again = self._is_shown(search)
        if again and self._shown is not search and self.popup.isVisible() and not search.complete:
            # The same search is running again, so the old results are still valid until it completes.
            return
        more = more and again
        self._shown = search
        rows: list[Row] = []
        for group in search.groups:
            rows += [Head(group.title), *(Hit(found, search.question.text) for found in group.found)]
            if group.more:
                rows.append(
                    Command(
                        tr("List all {geofences}", geofences=counted(len(group.found) + group.more, "geofence")),
                        self._list_all,
                    )
                )
        self.popup.show_rows(rows, search.note, more=more)

    def _show_recent(self) -> None:
        self._shown = None
        near = self._near()
        shown = [
            measured(each, near)
            for each in self.recent
            if each.fence_id is None or self._model.fences.get(each.fence_id)
        ]
        rows: list[Row] = [Head(tr("Recent searches")), *(Hit(found, "") for found in shown)]
        if not shown:
            self.popup.hide()
            return
        rows.append(Command(tr("Clear recent searches"), self.clear_recent))
        self.popup.show_rows(rows)

    def _picture(self, found: SearchResult) -> QIcon:
        fence = self._model.fences.get(found.fence_id)
        if fence is not None:
            return dot(self._model.fences.color(fence.tag), filled=fence.enabled)
        return icon(_ICONS[found.kind], self._theme)

    def _announce(self) -> None:
        """Announce the current row to screen readers while the focus is in the search box."""
        row = self.popup.current if self.popup.isVisible() else None
        text = row.found.words if isinstance(row, Hit) else row.text if row is not None else ""
        self.box.setAccessibleDescription(text or tr("Address, place, geofence, or latitude, longitude"))
        QAccessible.updateAccessibility(QAccessibleEvent(self.box, QAccessible.Event.DescriptionChanged))

    # Choosing

    def _on_step(self, by: int) -> None:
        if self.popup.isVisible():
            self.popup.step(by)
        else:
            self.open()

    def _on_enter(self, act: Callable[[SearchResult], object]) -> None:
        """Apply `act` to the current result, or to the first one as soon as it is found."""
        self.box.flush()
        if self._text and (self.search is None or self.search.question.text != self._text):
            self._ask(self._text)
        search = self.search if self._text else None
        row = self.popup.current if self.popup.isVisible() and self._is_shown(search) else None
        if isinstance(row, Command):
            row.act()
        elif isinstance(row, Hit) and not self._is_early():
            act(row.found)
        elif search is not None and search.first is not None and not self._is_early():
            act(search.first)
        elif search is not None and not search.complete:
            self._enter = act

    def _is_early(self) -> bool:
        """Return whether a better result may still arrive and the user has not moved to another row."""
        search = self._shown if self._is_shown(self.search) and self.popup.isVisible() else self.search
        return search is not None and bool(self._text) and search.early and not self.popup.moved

    def _is_shown(self, search: Search | None) -> bool:
        """Return whether the visible results are for the text of `search`, possibly from an earlier search."""
        shown = self._shown
        return shown is search or (shown is not None and search is not None and _text(shown) == _text(search))

    def _on_row(self, row: Row) -> None:
        if isinstance(row, Hit):
            self._go(row.found)
        elif isinstance(row, Command):
            row.act()

    def _go(self, found: SearchResult) -> None:
        self._end(found)
        self.chosen.emit(found)

    def _go_here(self, found: SearchResult) -> None:
        self._end(found)
        self.chosen_here.emit(found)

    def _end(self, found: SearchResult) -> None:
        self.remember(found)
        self.close()
        self.box.selectAll()

    def _list_all(self) -> None:
        text = self._text
        self.close()
        self.all_fences.emit(text)

    def _on_dismissed(self) -> None:
        """Close the list; if it is closed, clear the text; if that is empty, focus the map."""
        if self.popup.isVisible():
            self.close()
        elif self.box.text():
            self.box.clear()
            self.close()
        else:
            self._map.setFocus()


def _text(search: Search) -> str:
    return search.question.text


def _with_categories(group: Group, places: PlaceFinder) -> Group:
    return replace(group, found=tuple(_with_category(each, places) for each in group.found))


def _with_category(found: SearchResult, places: PlaceFinder) -> SearchResult:
    place = places.get(found.place_id) if found.place_id is not None else None
    return with_category(found, place.categories) if place is not None else found
