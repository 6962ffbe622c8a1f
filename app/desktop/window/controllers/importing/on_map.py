"""Preview of an import on the map."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from PySide6.QtCore import QObject

from app.desktop.map import MapFence, MapView
from app.desktop.shapes import map_shape
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle
from engine.domain.imports import JudgedRow, RowAction
from engine.geo.bounds import bounds_of_polygon, box_around

MOST_SHOWN = 5_000
_COLORS = {RowAction.CREATE: "#009E73", RowAction.UPDATE: "#E69F00"}
_PREFIX = "import-"


class ImportOnMap(QObject):
    """Draws the geofences that an import would create and update, until the import is done or cancelled."""

    def __init__(self, model: WorkspaceModel, map_view: MapView) -> None:
        super().__init__(map_view)
        self._model, self._map = model, map_view
        self._shown: tuple[str, ...] = ()
        map_view.fence_clicked.connect(self._on_clicked)

    def show(self, rows: Sequence[JudgedRow[Geofence]]) -> None:
        """Draw these rows and remove the previous ones."""
        self.clear()
        wanted = ((at, row) for at, row in enumerate(rows) if row.action in _COLORS and row.record is not None)
        drawn = [_fence(at, row) for at, row in islice(wanted, MOST_SHOWN)]
        self._shown = tuple(fence.id for fence in drawn)
        self._map.update_fences(drawn)
        if drawn:
            self._map.fit_fences(self._shown, animate=True)

    def go_to(self, row: JudgedRow[Geofence]) -> None:
        """Show the position of a row."""
        fence = row.record or row.before
        if fence is None:
            return
        geometry = fence.geometry
        if isinstance(geometry, Circle):
            bounds = box_around(geometry.center.longitude, geometry.center.latitude, geometry.radius_m)
        else:
            bounds = bounds_of_polygon(geometry)
        self._map.fit(bounds, animate=True)

    def clear(self) -> None:
        """Remove the rows from the map."""
        if self._shown:
            self._map.update_fences((), self._shown)
            self._shown = ()

    def _on_clicked(self, fence_id: str) -> None:
        # The workspace contains no such geofence yet, so none can be selected.
        if fence_id.startswith(_PREFIX):
            self._model.selection.clear()


def _fence(at: int, row: JudgedRow[Geofence]) -> MapFence:
    fence = row.record
    assert fence is not None
    return MapFence(
        f"{_PREFIX}{at}", fence.description, _COLORS[row.action], fence.enabled, map_shape(fence.geometry), closed=True
    )
