"""Readouts over the map: lengths and areas, and the predicted confidence of a geofence's entries."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from app.desktop.language import tr
from app.desktop.map import MapView
from app.desktop.map.values import MapCircle, MapPolygon, Position, Theme
from app.desktop.model.shaping.measures import line_measures, prediction_text
from app.desktop.model.words import error_text, fence_name
from app.desktop.panels.geofence.readout import Readout
from app.desktop.shapes import geometry_of
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.newest import Newest
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geometry import Geometry
from engine.tracking.predicted import Prediction, predicted

_ACCURACY_M = 20.0
_AWAITED = {
    "circle": tr("Place the centre; the confidence follows the radius."),
    "polygon": tr("Place two vertices; the confidence follows the next one."),
}
"""Hints shown by tool until its drawing has an area."""


class MeasureController(QObject):
    """Shows the length and area of the drawn line until the readout is closed or another tool is chosen."""

    def __init__(self, map_view: MapView) -> None:
        super().__init__(map_view)
        self._map = map_view
        self.readout = Readout(map_view, tr("Measure"))
        self.readout.closed.connect(self.close)
        map_view.line_drawn.connect(self._on_line)
        map_view.tool_changed.connect(self._on_tool)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.measure.triggered.connect(lambda: self._map.measure_tool())

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the icons."""
        self.readout.set_theme(theme)

    def close(self) -> None:
        """Remove the line and the readout."""
        self.readout.hide()
        self._map.clear_measure()
        if self._map.tool == "measure":
            self._map.cancel()

    def _on_tool(self, tool: str) -> None:
        if tool == "measure":
            self.readout.read_out(tr("Click the first point, then the next ones."))
        else:
            self.readout.hide()

    def _on_line(self, tool: str, line: tuple[Position, ...], _done: bool) -> None:
        if tool == "measure":
            self.readout.read_out(line_measures(line))


class ConfidenceController(QObject):
    """Shows the predicted confidence of the drawn or dragged shape, or else of the selected geofence.

    One prediction runs at a time, outside the window's thread. Of the requests that arrive in the meantime, only the
    latest is served.
    """

    def __init__(self, model: WorkspaceModel, map_view: MapView) -> None:
        super().__init__(map_view)
        self._model, self._map = model, map_view
        self._draft: Geometry | None = None
        self._asking = Newest(model.operations.preview)
        self.readout = Readout(map_view, tr("Confidence at"), accuracy_m=_ACCURACY_M)
        self.readout.accuracy_changed.connect(lambda _: self._ask())
        map_view.drafted.connect(self._on_draft)
        map_view.tool_changed.connect(lambda _: self._ask())
        model.selection.changed.connect(self._ask)
        model.fences.changed.connect(lambda _: self._ask())

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        self._action = actions.confidence
        self._action.toggled.connect(self._on_toggled)
        self.readout.closed.connect(lambda: self._action.setChecked(False))

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the icons."""
        self.readout.set_theme(theme)

    @property
    def answered(self) -> bool:
        """Whether the readout matches the current shape."""
        return not self._asking.busy

    def _on_toggled(self, on: bool) -> None:
        self._map.watch_drafts(on)
        if on:
            self._ask()
        else:
            self._asking.forget()
            self.readout.hide()

    def _on_draft(self, shape: MapCircle | MapPolygon | None) -> None:
        self._draft = None if shape is None else geometry_of(shape)
        self._ask()

    def _ask(self) -> None:
        if not self._action.isChecked():
            return
        awaited = _AWAITED.get(self._map.tool)
        fence = None if awaited else self._model.fences.get(self._model.selection.fence_id)
        geometry = self._draft or (fence.geometry if fence is not None else None)
        accuracy = self.readout.accuracy
        assert accuracy is not None
        if geometry is None:
            self._asking.forget()
            self.readout.read_out(awaited or tr("Draw or select a geofence to see the confidence of its entries."))
        elif accuracy.value() <= 0:
            self.readout.read_out(tr("The accuracy must be greater than 0 m."))
        else:
            name = fence_name(fence) if self._draft is None and fence is not None else ""
            self._asking.ask(partial(predicted, geometry, accuracy.value()), partial(self._show, name), self._fail)

    def _show(self, name: str, prediction: Prediction) -> None:
        if self._action.isChecked():
            self.readout.read_out(f"{name}\n{prediction_text(prediction)}".strip())

    def _fail(self, error: Exception) -> None:
        if self._action.isChecked():
            self.readout.read_out(error_text(error))
