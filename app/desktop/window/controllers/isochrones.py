"""Isochrones in the window: trying them out on the map, creating and moving them, and changing their time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.desktop.language import tr
from app.desktop.map import MapBand, MapPreview, MapView
from app.desktop.map.values import Bounds
from app.desktop.model.fences import FenceDelta
from app.desktop.model.isochrones import Band, Reached, Trial, edge_text, reach
from app.desktop.model.words import capital, error_text
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.geofence.isochrone import IsochronePanel
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Isochrone, Point
from engine.domain.routing import check_minutes
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geo.bounds import bounds_of_ring

_MARGIN = 8


class IsochroneController(QObject):
    """Shows the isochrone of a destination, mode and time while the user is choosing them.

    Only one request to the router is in progress at a time. Of the requests made in the meantime, only the newest is
    sent.
    """

    def __init__(self, model: WorkspaceModel, map_view: MapView, form: FenceForm, fences: FenceController) -> None:
        super().__init__(map_view)
        self._model, self._map, self._form, self._fences = model, map_view, form, fences
        self._trial: Trial | None = None
        self._asking = False
        self._to_fit = False
        self.panel = IsochronePanel(map_view)
        self.panel.move(_MARGIN, _MARGIN)
        self.panel.hide()
        self.panel.changed.connect(self._on_panel)
        self.panel.create_requested.connect(self.create)
        self.panel.cancel_requested.connect(map_view.cancel)
        map_view.tool_changed.connect(self._on_tool)
        map_view.destination_chosen.connect(self._on_chosen)
        map_view.destination_moved.connect(self._on_moved)
        map_view.finish_requested.connect(self.create)
        form.travel_previewed.connect(self._on_form)
        form.edge_wanted.connect(self._on_edge_wanted)
        fences.refused.connect(lambda _: self._end_of_fence())
        model.fences.changed.connect(self._on_fences)
        model.selection.changed.connect(self._end_of_fence)
        model.environment_changed.connect(self._give_up)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.isochrone.triggered.connect(lambda: self._map.isochrone_tool())

    def start_at(self, center: Point, name: str) -> None:
        """Preview an isochrone at a destination not chosen with the mouse, and zoom to its whole area."""
        self.panel.show_center(center, name)
        self._to_fit = True
        self._try(self.panel.proposal)

    @property
    def answered(self) -> bool:
        """Whether the displayed isochrone corresponds to the latest request."""
        return not self._asking

    def create(self) -> None:
        """Create a geofence from the preview."""
        trial = self.panel.trial
        if trial is not None and self.panel.create_button.isEnabled():
            self.panel.set_ready(ready=False)
            self._fences.create_from(trial.change, self._map.cancel, self._on_refused, self._on_not_now)

    def _give_up(self) -> None:
        if self.panel.isVisible():
            self._map.cancel()

    # Preview

    def _on_tool(self, tool: str) -> None:
        chosen = tool == "isochrone"
        if not chosen and not self.panel.isVisible():
            return
        self._to_fit = False
        self.panel.show_center(None)
        self.panel.setVisible(chosen)
        self.panel.raise_()
        self._try(None)

    def _on_chosen(self, longitude: float, latitude: float) -> None:
        self._to_fit = False
        self.panel.show_center(Point(longitude, latitude))
        self._try(self.panel.proposal)

    def _on_panel(self) -> None:
        self._try(self.panel.trial)

    def _on_moved(self, fence_id: str, longitude: float, latitude: float, done: bool) -> None:
        shown = self._isochrone(fence_id)
        if shown is None:
            return
        center = Point(longitude, latitude)
        self._try(Trial(center, shown.minutes, shown.mode, fence_id=fence_id))
        if done:
            self._fences.change_shape(fence_id, GeofenceChange(coordinates=(longitude, latitude)))

    def _on_form(self, fence_id: str, minutes: float, mode: str) -> None:
        shown = self._isochrone(fence_id)
        if shown is None:
            return
        trial = Trial(shown.center, minutes, TravelMode(mode), fence_id=fence_id)
        stored = (shown.minutes, shown.mode) == (trial.minutes, trial.mode)
        self._try(None if stored else trial)

    def _isochrone(self, fence_id: str) -> Isochrone | None:
        fence = self._model.fences.get(fence_id)
        return fence.geometry if fence is not None and isinstance(fence.geometry, Isochrone) else None

    def _on_fences(self, delta: FenceDelta) -> None:
        """Remove the preview of a geofence once its shape has been stored."""
        trial = self._trial
        if trial is None or trial.fence_id is None:
            return
        if delta.reset or any(fence.id == trial.fence_id for fence in delta.upserted):
            self._try(None)

    def _end_of_fence(self) -> None:
        if self._trial is not None and self._trial.fence_id is not None:
            self._try(None)

    def _on_not_now(self) -> None:
        self.panel.set_ready(ready=True)

    def _on_refused(self, error: Exception) -> None:
        self.panel.set_ready(ready=True)
        self._show_error(error)

    # Stored isochrones

    def _on_edge_wanted(self, fence: Geofence) -> None:
        session = self._model.session
        if session is None:
            return
        edge_of = session.engine.geofences.edge_of
        self._model.operations.preview(
            lambda: edge_of(fence), lambda edge: self._form.show_edge(fence.id, edge_text(edge)), lambda _: None
        )

    # Requests and results

    def _try(self, trial: Trial | None) -> None:
        self._trial = trial
        if trial is None:
            self._map.set_preview(None)
        elif not self._asking:
            self._ask(trial)

    def _ask(self, trial: Trial) -> None:
        session = self._model.session
        if session is None:
            return
        engine = session.engine
        self._asking = True

        def work() -> Reached:
            check_minutes(trial.minutes, "size")
            return reach(trial, engine.routing)

        self._model.operations.preview(
            work, lambda found: self._answer(trial, found), lambda error: self._answer(trial, error)
        )

    def _answer(self, trial: Trial, answer: Reached | Exception) -> None:
        self._asking = False
        newest = self._trial
        if newest is None:
            return
        if newest == trial and isinstance(answer, Reached) and answer.instead is not None:
            self._trial = newest = trial = answer.instead
            self.panel.adopt(trial)
        # Intermediate results are shown while the user continues to adjust the time.
        if replace(newest, minutes=0, center=trial.center) == replace(trial, minutes=0):
            self._show(trial, answer)
        if newest != trial:
            self._ask(newest)

    def _show(self, trial: Trial, answer: Reached | Exception) -> None:
        position = (trial.center.longitude, trial.center.latitude)
        error = answer if isinstance(answer, Exception) else None
        if isinstance(answer, Exception):
            self._map.set_preview(MapPreview(position, note=_without_name(answer)))
        else:
            bands = tuple(
                MapBand(tr("{minutes:g} min", minutes=band.minutes), tuple(band.ring)) for band in answer.bands
            )
            self._map.set_preview(MapPreview(position, bands, answer.note))
            if self._to_fit:
                self._to_fit = False
                self._map.fit(_bounds(answer.bands), animate=True)
        edge = edge_text(answer.edge) if isinstance(answer, Reached) else ""
        if trial.fence_id is None:
            self.panel.set_ready(ready=error is None)
            self._show_error(error)
            self.panel.show_edge(edge)
        else:
            self._form.show_edge(trial.fence_id, edge)

    def _show_error(self, error: Exception | None) -> None:
        param = error.param if isinstance(error, InvalidParameter | Conflict) else ""
        self.panel.show_error(param, error_text(error) if error is not None else "")


def _bounds(bands: Sequence[Band]) -> Bounds:
    each = [bounds_of_ring(band.ring) for band in bands]
    wests, souths, easts, norths = zip(*each, strict=True)
    return min(wests), min(souths), max(easts), max(norths)


def _without_name(error: Exception) -> str:
    """Return the text of an error without the name of its parameter, which its place on the map makes clear."""
    text = str(error)
    if isinstance(error, InvalidParameter):
        text = text.removeprefix(f"{error.param}: ")
    return capital(text)
