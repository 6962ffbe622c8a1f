"""The map as a Qt widget: methods in, signals out, and a page in between that nobody else needs to know."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QCloseEvent, QColor, QKeyEvent, QMouseEvent
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import delete, isValid

from app.desktop.language import tr
from app.desktop.map import messages
from app.desktop.map.bridge import MapBridge
from app.desktop.map.browser import MapBrowser, MapPage
from app.desktop.map.contents import MapContents
from app.desktop.map.controls import PageControls
from app.desktop.map.frames import FrameWatch, mark_color
from app.desktop.map.keys import KeyAction, KeyState, MapKey, map_key
from app.desktop.map.outbox import Outbox
from app.desktop.map.profile import MapProfile
from app.desktop.map.scheme import PAGE_URL
from app.desktop.map.values import Bounds, MapCircle, Position, RadiusLimits, Theme, Tool
from app.desktop.panels.layouts import in_column

_log = logging.getLogger(__name__)
_BACKGROUND: dict[Theme, str] = {"light": "#d9e4ea", "dark": "#10171d"}


class MapView(MapContents):
    """A map with fences, a track, devices and events, and the tools to draw and edit fences.

    The map never changes a fence by itself: what the user does leaves as a signal, and what `set_fences` and
    `update_fences` say is what is shown. Calls made before `ready` wait for it. Call `shutdown()` before the
    widget's profile goes; closing the widget or ending the application does it too.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        profile: MapProfile | None = None,
        limits: RadiusLimits | None = None,
    ) -> None:
        super().__init__(profile or MapProfile.shared(), parent)
        self._tool: Tool = "select"
        self._camera = messages.CameraMoved((10.0, 25.0), 2.0, (-180.0, -85.0, 180.0, 85.0))
        self._questions: dict[int, Callable[[tuple[float, float] | None], None]] = {}
        self._attributions: dict[int, Callable[[str], None]] = {}
        self._imagery_trouble = ""
        self._last_question = 0
        self._marks = 0
        self._reshaping = False
        self._clicks = 0
        """How often the left button was released on the page."""
        self._online = False
        self._names = True
        self._ready = False
        self._theme: Theme = "light"
        self._frames = FrameWatch(self)
        self._controls = PageControls(lambda name, **fields: self.outbox.put(name, **fields))
        self._browser = MapBrowser(self._handles_key, self._attend, self)
        in_column(self._browser, of=self, margins=0)
        self._load_page()
        self.outbox = Outbox(self._bridge.command.emit, self._profile.handler.offer_once)
        self.outbox.put("limits", limits=limits or RadiusLimits())
        self.set_theme("light")
        self._profile.handler.imagery.troubled.connect(self._note_imagery)
        self._profile.handler.imagery.rested.connect(self._load_imagery_again)
        application = QApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shutdown)

    def _load_page(self) -> None:
        self._page = MapPage(self._profile, self._browser)
        self._bridge = MapBridge(self._receive, self._page)
        channel = QWebChannel(self._page)
        channel.registerObject("bridge", self._bridge)
        self._page.setWebChannel(channel)
        self._page.loadFinished.connect(self._on_load_finished)
        self._page.renderProcessTerminated.connect(self._on_process_ended)
        self._browser.setPage(self._page)
        self._page.load(PAGE_URL)

    # Tools

    @property
    def tool(self) -> Tool:
        """The tool the mouse has."""
        return self._tool

    def select_tool(self) -> None:
        """Click selects; the selected fence's handles reshape it; dragging moves the map."""
        self._use("select")

    def start_drawing_circle(self) -> None:
        """The next two clicks are a centre and an edge; pressing and dragging draws from the centre too."""
        self._use("circle")

    def start_drawing_polygon(self) -> None:
        """The next clicks are corners, until the first one is clicked again, or a double click."""
        self._use("polygon")

    def start_drawing_track(self) -> None:
        """The next clicks are where a device goes along, until the last one is clicked again, or a double click."""
        self._use("track")

    def split_tool(self) -> None:
        """The next clicks are a line along which a fence is cut, until the last one is clicked again."""
        self._use("split")

    def measure_tool(self) -> None:
        """The next clicks are a line that is measured, until the last one is clicked again."""
        self._use("measure")

    def isochrone_tool(self) -> None:
        """A click chooses a destination; the tool stays until another one is taken."""
        self._use("isochrone")

    def beacon_tool(self) -> None:
        """A click says where a beacon is."""
        self._use("beacon")

    def waypoint_tool(self) -> None:
        """Clicks choose waypoints; the tool stays until another one is taken."""
        self._use("waypoint")

    def edit_tool(self) -> None:
        """Work as the select tool, and let dragging the selected geofence move it."""
        self._use("edit")

    def lasso_tool(self) -> None:
        """Drag around fences to select them."""
        self._use("lasso")

    def cancel(self) -> None:
        """Give up a drawing and go back to the select tool."""
        self._use("select")

    def _use(self, tool: Tool) -> None:
        self._reshaping = False
        self._controls.leave()
        self.outbox.put("tool", tool=tool)
        self._note_tool(tool)
        if tool in ("circle", "polygon", "isochrone", "beacon", "waypoint", "track", "split", "measure", "lasso"):
            self.take_keyboard()

    def _note_imagery(self, text: str) -> None:
        self._imagery_trouble = text
        self.outbox.put("imagery_note", text=text)

    def _load_imagery_again(self) -> None:
        self.outbox.put("imagery_again")

    def _note_tool(self, tool: Tool) -> None:
        if tool != self._tool:
            self._tool = tool
            self.tool_changed.emit(tool)

    # Camera

    def fit(self, bounds: Bounds, *, max_zoom: float = 17.0, animate: bool = False) -> None:
        """Show a (west, south, east, north) box as large as the map allows."""
        self.outbox.put("fit", bounds=bounds, max_zoom=max_zoom, animate=animate)

    def fit_fences(self, ids: Iterable[str] | None = None, *, animate: bool = False) -> None:
        """Show these fences, or all; nothing happens where there are none."""
        self.outbox.put("fit_fences", ids=None if ids is None else list(ids), animate=animate)

    def fit_track(self, *, animate: bool = False) -> None:
        """Show the whole track; nothing happens where there is none."""
        self.outbox.put("fit_track", animate=animate)

    def show_point(
        self, longitude: float, latitude: float, *, zoom: float | None = None, animate: bool = False
    ) -> None:
        """Put a point in the middle, at this zoom or the present one."""
        self.outbox.put("show_point", position=(longitude, latitude), zoom=zoom, animate=animate)

    def center(self) -> Position:
        """The middle of the map when it last came to rest."""
        return self._camera.center

    def zoom(self) -> float:
        """The zoom when the map last came to rest."""
        return self._camera.zoom

    def bounds(self) -> Bounds:
        """The view when the map last came to rest; not wrapped at ±180°."""
        return self._camera.bounds

    def to_widget_position(self, longitude: float, latitude: float, callback: Callable[[QPoint], None]) -> None:
        """Tell where on this widget a position is, once everything asked for before has been done."""

        def answer(located: tuple[float, float] | None) -> None:
            if located is not None:
                callback(self._pixel(*located))

        self._ask("locate", answer, position=(longitude, latitude))

    def when_settled(self, callback: Callable[[], None]) -> None:
        """Call back once everything asked for before is drawn and its picture has come out of the page."""
        self._marks += 1
        mark = mark_color(_BACKGROUND[self._theme], self._marks)

        def answer(_: tuple[float, float] | None) -> None:
            self._frames.wait(self.render_widget(), mark, callback)

        self._ask("settle", answer, mark=mark)

    # Look

    @property
    def imagery_trouble(self) -> str:
        """What is wrong with the imagery, as a sentence; "" where nothing is."""
        return self._imagery_trouble if self._imagery else ""

    def show_ground_of(self, other: MapView) -> None:
        """Show what lies below the geofences of another map, where it looks, with its heat map and nothing else."""
        self.outbox.put("ground_only")
        self.set_areas(other._areas)
        self.set_layer_shown("streets", "streets" not in other.hidden_layers)
        self.outbox.put("online_tiles", on=other._online)
        self.outbox.put("imagery", layers=other._imagery, choices=())
        self.outbox.put("heat", points=other._heat)
        self.show_point(*other.center(), zoom=other.zoom())

    def ask_attributions(self, callback: Callable[[str], None]) -> None:
        """Tell whose data is shown, as text."""
        self._last_question += 1
        self._attributions[self._last_question] = callback
        self.outbox.ask("attributions", query=self._last_question)

    def scale_page(self, factor: float) -> None:
        """Draw everything larger, as finely as the screen can: the map shows less, or needs a larger widget."""
        self._browser.setZoomFactor(factor)

    def prepare_world(self) -> None:
        """Load the finest coasts and borders before the map is zoomed in to where they are drawn."""
        self.outbox.put("world_prepare")

    def set_theme(self, theme: Theme) -> None:
        """Light or dark."""
        self._theme = theme
        if isValid(self._page):
            self._page.setBackgroundColor(QColor(_BACKGROUND[theme]))
        self.outbox.put("theme", theme=theme)

    def set_names_shown(self, on: bool) -> None:
        """Write the names of fences on the map, or not."""
        changed, self._names = on != self._names, on
        self.outbox.put("names_shown", on=on)
        if changed:
            self.names_switched.emit(on)

    def set_online_tiles(self, on: bool) -> None:
        """Lay OpenStreetMap's tiles over the built-in map, or take them away."""
        changed, self._online = on != self._online, on
        self._profile.requests.tiles_allowed = on
        self.outbox.put("online_tiles", on=on)
        if changed:
            self.online_tiles_changed.emit(on)

    # Life

    def take_keyboard(self) -> None:
        """Let the map have the keyboard."""
        self._browser.setFocus(Qt.FocusReason.OtherFocusReason)

    def is_ready(self) -> bool:
        """Whether the page takes commands."""
        return self._ready

    def render_widget(self) -> QWidget | None:
        """The widget that gets the mouse, once there is one."""
        return self._browser.focusProxy()

    def shutdown(self) -> None:
        """End the page; a second call does nothing. The widget stays, empty."""
        if not isValid(self) or not isValid(self._page):
            return
        self._ready = False
        self.outbox.close()
        self._questions.clear()
        self._attributions.clear()
        self._frames.stop()
        # The page goes now: when the widget's children go is too late if the profile is gone by then.
        delete(self._page)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """The map is the work: it asks for room."""
        return QSize(800, 600)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Smaller than this its controls lie over one another."""
        return QSize(240, 180)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """A closed map ends its page."""
        self.shutdown()
        super().closeEvent(event)

    def _on_load_finished(self, ok: bool) -> None:
        if not ok:
            self.failed.emit(tr("The map's page could not be loaded."))

    def _on_process_ended(self, status: QWebEnginePage.RenderProcessTerminationStatus, code: int) -> None:
        if status != QWebEnginePage.RenderProcessTerminationStatus.NormalTerminationStatus:
            self._ready = False
            self.failed.emit(tr("The map stopped working ({status}, {code}).", status=status.name, code=code))

    # What the page says

    def _announce(self, text: str) -> None:
        """Say what a key did, also to a screen reader."""
        self.said.emit(text)
        if text:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def _pixel(self, x: float, y: float) -> QPoint:
        scale = self._browser.zoomFactor()
        return QPoint(round(x * scale), round(y * scale))

    def _ask(self, name: str, answer: Callable[[tuple[float, float] | None], None], **fields: object) -> None:
        self._last_question += 1
        self._questions[self._last_question] = answer
        self.outbox.ask(name, query=self._last_question, **fields)

    def _receive(self, text: str) -> None:
        try:
            message = messages.decode(text)
        except messages.BadMessage as error:
            _log.warning("the map's page sent a message that is refused: %s", error)
            self.failed.emit(tr("The map sent invalid input: {error}.", error=error))
            return
        self._handle(message)

    def _handle(self, message: messages.PageMessage) -> None:
        match message:
            case "done", seq:
                self.outbox.done(seq)
            case ("ready",):
                self._ready, self._clicks = True, 0
                self.outbox.open()
                self.ready.emit()
            case "camera", camera:
                self._camera = camera
                self.camera_changed.emit()
            case "located", query, x, y:
                self._questions.pop(query)((x, y))
            case "settled", query:
                self._questions.pop(query)(None)
            case "attributed", query, text:
                self._attributions.pop(query)(text)
            case "layer_switched", "names", on:
                self.set_names_shown(on)
            case "layer_switched", layer, on:
                self._note_layer(layer, on)
            case "controls", count:
                self._controls.set_count(count)
            case "context_asked", longitude, latitude, x, y, fence_id:
                self.context_requested.emit(longitude, latitude, self._pixel(x, y), fence_id)
            case "tiles_requested", on:
                self.set_online_tiles(on)
            case "trouble", text:
                self.failed.emit(text)
            case ("reshaping_ended",):
                self._reshaping = False
            case "said", text:
                self._announce(text)
            case "drawn", shape:
                self._note_tool("select")
                (self.circle_drawn if isinstance(shape, MapCircle) else self.polygon_drawn).emit(shape)
            case name, *values:
                self._note_drawn(name, values)
                getattr(self, name).emit(*values)

    def _note_drawn(self, name: str, values: Sequence[object]) -> None:
        """Go back to the select tool with what ends a drawing."""
        caught = name == "fences_caught" and self._tool == "lasso"
        if caught or name == "track_drawn" or (name == "line_drawn" and values[-1]):
            self._note_tool("select")

    # Keys

    def _attend(self, event: QEvent) -> None:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            self._clicks += event.button() == Qt.MouseButton.LeftButton
        self._controls.attend(event)

    def _handles_key(self, event: QKeyEvent, pressed: bool) -> bool:
        """Whether a key is the map's own; if so and it is pressed, do it. Before it is, some are left to shortcuts."""
        if not self._reshaping and self._controls.handles(event, pressed):
            return True
        handles = self._selected is not None
        state = KeyState(self._tool, self._key_fence is not None, handles, self._reshaping and handles)
        key = map_key(event, state)
        if key is None:
            return False
        if pressed:
            self._do(key)
        return pressed or not key.yields

    @property
    def _key_fence(self) -> str | None:
        """The fence that a key is about: the selected one, or any of several."""
        return self._selected if self._selected is not None else next(iter(self._marked), None)

    def _do(self, key: MapKey) -> None:
        match key.action:
            case KeyAction.CANCEL:
                self.cancel()
            case KeyAction.STEP_BACK:
                self.outbox.put("drawing_step_back", clicks=self._clicks)
            case KeyAction.FINISH if self._tool in ("isochrone", "waypoint"):
                self.outbox.put("choosing_finish", clicks=self._clicks)
            case KeyAction.FINISH:
                self.outbox.put("drawing_finish", clicks=self._clicks)
            case KeyAction.MENU:
                self.context_requested.emit(*self.center(), self.rect().center(), self._key_fence)
            case KeyAction.DELETE if self._key_fence is not None:
                self.fence_delete_requested.emit(self._key_fence)
            case KeyAction.PAN:
                self.outbox.put("pan", right=key.right, down=key.down, far=key.far)
            case KeyAction.ZOOM:
                self.outbox.put("zoom", by=key.right)
            case KeyAction.CURSOR:
                self.outbox.put("cursor_move", right=key.right, down=key.down, far=key.far)
            case KeyAction.PUT:
                self.outbox.put("cursor_put")
            case _:
                self._reshape(key)

    def _reshape(self, key: MapKey) -> None:
        """Move, add or remove vertices of the selected fence; the page says if it has none to take up."""
        match key.action:
            case KeyAction.RESHAPE | KeyAction.STOP_RESHAPING as action:
                self._reshaping = action is KeyAction.RESHAPE
                self.outbox.put("reshape", on=self._reshaping)
            case KeyAction.VERTEX:
                self.outbox.put("vertex_choose", by=key.right)
            case KeyAction.NUDGE:
                self.outbox.put("vertex_move", right=key.right, down=key.down, far=key.far)
            case KeyAction.ADD_VERTEX:
                self.outbox.put("vertex_add")
            case KeyAction.REMOVE_VERTEX:
                self.outbox.put("vertex_remove")
