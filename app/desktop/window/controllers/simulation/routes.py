"""Routed tracks: the waypoints, the route through them, and the resulting track."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desktop.language import counted, tr
from app.desktop.map import MapTrack, MapView
from app.desktop.model.words import capital, duration, error_text
from app.desktop.panels.simulation.route import RoutePanel
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.controllers.tracks import TrackController
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.ports import Cancelled
from engine.simulation.routed import RoutedTrack, RoutePlan, route

_MARGIN = 8
_KM_FROM_M = 1_000


class RouteController(QObject):
    """Shows the route through the waypoints while the user places them, with one request to the router at a time."""

    def __init__(self, model: WorkspaceModel, map_view: MapView, on_map: OnMap, tracks: TrackController) -> None:
        super().__init__(map_view)
        self._model, self._map, self._on_map, self._tracks = model, map_view, on_map, tracks
        self._wanted: RoutePlan | None = None
        self._asking = False
        self._found: tuple[RoutePlan, RoutedTrack] | None = None
        self.panel = RoutePanel(map_view)
        self.panel.move(_MARGIN, _MARGIN)
        self.panel.hide()
        self.panel.changed.connect(self._try)
        self.panel.finish_requested.connect(self.finish)
        self.panel.cancel_requested.connect(map_view.cancel)
        map_view.tool_changed.connect(self._on_tool)
        map_view.waypoint_chosen.connect(lambda longitude, latitude: self.panel.add(Point(longitude, latitude)))
        map_view.finish_requested.connect(self.finish)
        model.environment_changed.connect(self._give_up)

    def start(self) -> None:
        """Let the user choose waypoints."""
        if self._model.session is not None:
            self._map.waypoint_tool()

    @property
    def answered(self) -> bool:
        """Whether the route shown matches the latest waypoints."""
        return not self._asking

    def finish(self) -> None:
        """Load the route as the simulator's track."""
        if self.panel.isVisible() and self.panel.finish_button.isEnabled() and self._found is not None:
            track = self._found[1].track
            self._map.cancel()
            self._tracks.load(track)

    def _give_up(self) -> None:
        if self.panel.isVisible():
            self._map.cancel()

    def _on_tool(self, tool: str) -> None:
        chosen = tool == "waypoint"
        if not chosen and not self.panel.isVisible():
            return
        self.panel.clear()
        if not chosen:
            self._on_map.redraw_track()
        self._found = self._wanted = None
        self.panel.setVisible(chosen)
        self.panel.adjustSize()
        self.panel.raise_()

    def _try(self) -> None:
        """Request the route that the panel describes."""
        self.panel.set_ready(ready=False)
        try:
            self._wanted = self.panel.plan()
        except InvalidParameter as error:
            self._wanted = None
            self._show_error(error)
            return
        points = tuple((point.longitude, point.latitude) for point in self.panel.points)
        self._map.set_track(MapTrack(points) if points else None)
        if self._wanted is not None and not self._asking:
            self._ask(self._wanted)

    def _ask(self, plan: RoutePlan) -> None:
        session = self._model.session
        if session is None:
            return
        engine, now = session.engine, self._model.now()
        self._asking = True

        def still_wanted(_done: int, _total: int) -> None:
            if self._wanted is not plan:
                raise Cancelled

        self._model.operations.preview(
            lambda: route(engine.routing, plan, now, still_wanted),
            lambda found: self._answer(plan, found),
            lambda error: self._answer(plan, error),
        )

    def _answer(self, plan: RoutePlan, answer: RoutedTrack | Exception) -> None:
        self._asking = False
        if self._wanted is not plan:
            if self._wanted is not None:
                self._ask(self._wanted)
            return
        if isinstance(answer, Exception):
            self._show_error(answer)
        else:
            self._show(plan, answer)

    def _show(self, plan: RoutePlan, found: RoutedTrack) -> None:
        self._found = (plan, found)
        self._map.set_track(MapTrack(tuple((each.point.longitude, each.point.latitude) for each in found.track.points)))
        far = "".join(f"\n{capital(moved.text.removeprefix('waypoints: '))}" for moved in found.moved[:3])
        length = tr(
            "{kilometres:,.1f} km · {duration}",
            kilometres=found.distance_m / _KM_FROM_M,
            duration=duration(found.duration_s),
        )
        self.panel.show_note(f"{length} · {counted(len(found.track.points), 'fix', 'fixes')}{far}")
        self.panel.set_ready(ready=True)

    def _show_error(self, error: Exception) -> None:
        self.panel.show_error(error_text(error))
