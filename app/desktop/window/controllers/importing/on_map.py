"""Preview of an import on the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from PySide6.QtCore import QObject

from app.desktop.map import MapCircle, MapFence, MapPolygon, MapView
from app.desktop.shapes import map_shape
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle
from engine.domain.imports import JudgedRow, RowAction
from engine.geo.bounds import bounds_of_polygon, box_around

MOST_SHOWN = 5_000
_COLORS = {RowAction.CREATE: "#009E73", RowAction.UPDATE: "#E69F00"}
_ERROR = "#C1121F"
_POINT_M = 50.0
"""Radius of the circle that shows the position of a refused row."""

_PREFIX = "import-"


class ImportOnMap(QObject):
    """Draws what an import would create and update, and the rows that it refuses, until it is done or cancelled."""

    def __init__(self, model: WorkspaceModel, map_view: MapView) -> None:
        super().__init__(map_view)
        self._model, self._map = model, map_view
        self._shown: tuple[str, ...] = ()
        map_view.fence_clicked.connect(self._on_clicked)

    def show(self, rows: Sequence[JudgedRow[Geofence]]) -> None:
        """Draw these rows and remove the previous ones."""
        self.clear()
        drawn = list(islice(chain.from_iterable(_fences(at, row) for at, row in enumerate(rows)), MOST_SHOWN))
        self._shown = tuple(fence.id for fence in drawn)
        self._map.update_fences(drawn)
        if drawn:
            self._map.fit_fences(self._shown, animate=True)

    def go_to(self, row: JudgedRow[Geofence]) -> None:
        """Show the position of a row."""
        if row.refused is not None and row.refused.rings:
            self._fit(tuple(chain.from_iterable(row.refused.rings)), 0.001)
            return
        fence = row.record or row.before
        if fence is None:
            return
        geometry = fence.geometry
        if isinstance(geometry, Circle):
            bounds = box_around(geometry.center.longitude, geometry.center.latitude, geometry.radius_m)
        else:
            bounds = bounds_of_polygon(geometry)
        self._map.fit(bounds, animate=True)

    def _fit(self, positions: Sequence[tuple[float, float]], margin: float) -> None:
        longitudes, latitudes = zip(*positions, strict=True)
        box = (min(longitudes) - margin, min(latitudes) - margin, max(longitudes) + margin, max(latitudes) + margin)
        self._map.fit(box, animate=True)

    def clear(self) -> None:
        """Remove the rows from the map."""
        if self._shown:
            self._map.update_fences((), self._shown)
            self._shown = ()

    def _on_clicked(self, fence_id: str) -> None:
        # The workspace contains no such geofence yet, so none can be selected.
        if fence_id.startswith(_PREFIX):
            self._model.selection.clear()


def _fences(at: int, row: JudgedRow[Geofence]) -> Iterator[MapFence]:
    """Yield what the map shows of a row: its geofence, or each ring of a refused one."""
    fence, refused = row.record, row.refused
    if fence is not None and row.action in _COLORS:
        shape = map_shape(fence.geometry)
        yield MapFence(f"{_PREFIX}{at}", fence.description, _COLORS[row.action], fence.enabled, shape, closed=True)
    for number, ring in enumerate(refused.rings if refused is not None else ()):
        shape = MapCircle(*ring[0], _POINT_M) if len(ring) == 1 else MapPolygon(_closed(ring))
        name = refused.name or refused.external_id if refused is not None else ""
        yield MapFence(f"{_PREFIX}{at}-{number}", name, _ERROR, True, shape, closed=True)


def _closed(ring: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    return ring if ring[0] == ring[-1] else (*ring, ring[0])
