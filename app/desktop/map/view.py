"""The map as a Qt widget: methods in, signals out, and a page in between that is an implementation detail."""

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
from app.desktop.map.controls import PageControls
from app.desktop.map.frames import FrameWatch, mark_color
from app.desktop.map.keys import KeyAction, KeyState, MapKey, map_key
from app.desktop.map.outbox import Outbox
from app.desktop.map.profile import MapProfile
from app.desktop.map.scheme import PAGE_URL
from app.desktop.map.tools import MapToolbox
from app.desktop.map.values import Bounds, MapCircle, Position, RadiusLimits, Theme, Tool
from app.desktop.panels.layouts import in_column

_log = logging.getLogger(__name__)
_BACKGROUND: dict[Theme, str] = {"light": "#d9e4ea", "dark": "#10171d"}


class MapView(MapToolbox):
    """A map with geofences, a track, devices and events, and the tools to draw and edit geofences.

    The map never changes a geofence by itself. User actions are emitted as signals, and the map shows the geofences of
    `set_fences` and `update_fences`. Calls made before `ready` wait for it. Call `shutdown()` before the widget's
    profile is deleted; closing the widget or ending the application does so, too.
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
        """Number of releases of the left button on the page."""
        self._online = False
        self._names = True
        self._ready = False
        self._theme: Theme = "light"
        self._frames = FrameWatch(self)
        self._controls = PageControls(lambda name, **fields: self.outbox.put(name, **fields))
        self._load_page()
        in_column(self._browser, of=self, margins=0)
        self.outbox = Outbox(self._bridge.command.emit, self._profile.handler.offer_once)
        self.outbox.put("limits", limits=limits or RadiusLimits())
        self.set_theme("light")
        self._profile.handler.imagery.troubled.connect(self._note_imagery)
        self._profile.handler.imagery.rested.connect(self._load_imagery_again)
        application = QApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shutdown)

    def _load_page(self) -> None:
        self._browser = MapBrowser(self._handles_key, self._attend, self)
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
        """The current tool of the mouse."""
        return self._tool

    def _use(self, tool: Tool) -> None:
        self._reshaping = False
        self._controls.leave()
        self.outbox.put("tool", tool=tool)
        self._note_tool(tool)
        if tool not in ("select", "edit"):
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
        """Fit the map to these geofences, or to all; do nothing if there are none."""
        self.outbox.put("fit_fences", ids=None if ids is None else list(ids), animate=animate)

    def fit_track(self, *, animate: bool = False) -> None:
        """Fit the map to the track; do nothing without a track."""
        self.outbox.put("fit_track", animate=animate)

    def show_point(
        self, longitude: float, latitude: float, *, zoom: float | None = None, animate: bool = False
    ) -> None:
        """Centre the map on a point, at this zoom or the current one."""
        self.outbox.put("show_point", position=(longitude, latitude), zoom=zoom, animate=animate)

    def center(self) -> Position:
        """The centre of the map when it last came to rest."""
        return self._camera.center

    def zoom(self) -> float:
        """The zoom when the map last came to rest."""
        return self._camera.zoom

    def bounds(self) -> Bounds:
        """The view when the map last came to rest; not wrapped at ±180°."""
        return self._camera.bounds

    def to_widget_position(self, longitude: float, latitude: float, callback: Callable[[QPoint], None]) -> None:
        """Call back with a position's place on this widget, after all earlier commands are done."""

        def answer(located: tuple[float, float] | None) -> None:
            if located is not None:
                callback(self._pixel(*located))

        self._ask("locate", answer, position=(longitude, latitude))

    def when_settled(self, callback: Callable[[], None]) -> None:
        """Call back after all earlier commands are drawn and their frame was rendered."""
        self._marks += 1
        mark = mark_color(_BACKGROUND[self._theme], self._marks)

        def answer(_: tuple[float, float] | None) -> None:
            self._frames.wait(self.render_widget(), mark, callback)

        self._ask("settle", answer, mark=mark)

    # Appearance

    @property
    def imagery_trouble(self) -> str:
        """The error of the imagery, as a sentence, or "" if it has none."""
        return self._imagery_trouble if self._imagery else ""

    def show_ground_of(self, other: MapView) -> None:
        """Show another map's ground and heat map in the same section, without its geofences."""
        self.outbox.put("ground_only")
        self.set_areas(other._areas)
        self.set_layer_shown("streets", "streets" not in other.hidden_layers)
        self.outbox.put("online_tiles", on=other._online)
        self.outbox.put("imagery", layers=other._imagery, choices=())
        self.outbox.put("heat", points=other._heat)
        self.show_point(*other.center(), zoom=other.zoom())

    def ask_attributions(self, callback: Callable[[str], None]) -> None:
        """Call back with the attributions of the displayed data, as text."""
        self._last_question += 1
        self._attributions[self._last_question] = callback
        self.outbox.ask("attributions", query=self._last_question)

    def scale_page(self, factor: float) -> None:
        """Scale the page at full resolution: the map shows less, or needs a larger widget."""
        self._browser.setZoomFactor(factor)

    def prepare_world(self) -> None:
        """Load the most detailed coasts and borders before the zoom at which they are drawn is reached."""
        self.outbox.put("world_prepare")

    def set_theme(self, theme: Theme) -> None:
        """Use the light or the dark theme."""
        self._theme = theme
        if isValid(self._page):
            self._page.setBackgroundColor(QColor(_BACKGROUND[theme]))
        self.outbox.put("theme", theme=theme)

    def set_names_shown(self, on: bool) -> None:
        """Show or hide the names of geofences."""
        changed, self._names = on != self._names, on
        self.outbox.put("names_shown", on=on)
        if changed:
            self.names_switched.emit(on)

    def set_online_tiles(self, on: bool) -> None:
        """Show or hide OpenStreetMap's tiles over the built-in map."""
        changed, self._online = on != self._online, on
        self._profile.requests.tiles_allowed = on
        self.outbox.put("online_tiles", on=on)
        if changed:
            self.online_tiles_changed.emit(on)

    # Life cycle

    def take_keyboard(self) -> None:
        """Give the map the keyboard focus."""
        self._browser.setFocus(Qt.FocusReason.OtherFocusReason)

    def is_ready(self) -> bool:
        """Whether the page takes commands."""
        return self._ready

    def render_widget(self) -> QWidget | None:
        """The widget that receives the mouse, once it exists."""
        return self._browser.focusProxy()

    def shutdown(self) -> None:
        """Close the page and leave the widget empty; a second call does nothing."""
        if not isValid(self) or not isValid(self._page):
            return
        self._ready = False
        self.outbox.close()
        self._questions.clear()
        self._attributions.clear()
        self._frames.stop()
        # Delete the page now: with the widget's children would be too late if the profile is deleted before.
        delete(self._page)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Ask for much space, since the map is the main part of the window."""
        return QSize(800, 600)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the smallest size at which the controls do not overlap."""
        return QSize(240, 180)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Close the page with the map."""
        self.shutdown()
        super().closeEvent(event)

    def _on_load_finished(self, ok: bool) -> None:
        if not ok:
            self.failed.emit(tr("The map's page could not be loaded."))

    def _on_process_ended(self, status: QWebEnginePage.RenderProcessTerminationStatus, code: int) -> None:
        if status != QWebEnginePage.RenderProcessTerminationStatus.NormalTerminationStatus:
            self._ready = False
            self.failed.emit(tr("The map stopped working ({status}, {exit_code}).", status=status.name, exit_code=code))

    # Messages of the page

    def _announce(self, text: str) -> None:
        """Announce the effect of a key, also to a screen reader."""
        self.announced.emit(text)
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
            case "ring_drawn", fence_id, tool, ring:
                self._note_tool("select")
                (self.hole_drawn if tool == "hole" else self.part_drawn).emit(fence_id, ring)
            case name, *values:
                self._note_drawn(name, values)
                getattr(self, name).emit(*values)

    def _note_drawn(self, name: str, values: Sequence[object]) -> None:
        """Return to the select tool after a drawing has ended."""
        caught = name == "fences_caught" and self._tool == "lasso"
        if caught or name == "track_drawn" or (name == "line_drawn" and values[-1]):
            self._note_tool("select")

    # Keys

    def _attend(self, event: QEvent) -> None:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            self._clicks += event.button() == Qt.MouseButton.LeftButton
        self._controls.attend(event)

    def _handles_key(self, event: QKeyEvent, pressed: bool) -> bool:
        """Return whether a key belongs to the map and takes precedence over shortcuts; if pressed, act on it."""
        handles = self._selected is not None
        # Tab goes to the next vertex or part then, and not to the page's controls.
        steps = self._reshaping or (handles and self._tool == "edit_part")
        if not steps and self._controls.handles(event, pressed):
            return True
        state = KeyState(self._tool, self._key_fence is not None, handles, self._reshaping and handles)
        key = map_key(event, state)
        if key is None:
            return False
        if pressed:
            self._do(key)
        return pressed or not key.yields

    @property
    def _key_fence(self) -> str | None:
        """Return the geofence that a key acts on: the selected one, or any of several."""
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
        """Move, add or remove vertices of the selected geofence. The page reports if none can be edited."""
        match key.action:
            case KeyAction.RESHAPE | KeyAction.STOP_RESHAPING as action:
                self._reshaping = action is KeyAction.RESHAPE
                self.outbox.put("reshape", on=self._reshaping)
            case KeyAction.VERTEX:
                self.outbox.put("vertex_choose", by=key.right)
            case KeyAction.RING:
                self.outbox.put("ring_choose", by=key.right)
            case KeyAction.NUDGE:
                self.outbox.put("vertex_move", right=key.right, down=key.down, far=key.far)
            case KeyAction.ADD_VERTEX:
                self.outbox.put("vertex_add")
            case KeyAction.REMOVE_VERTEX:
                self.outbox.put("vertex_remove")
