"""The current and the proposed state of a geofence on the map."""

from __future__ import annotations

from collections.abc import Container

from PySide6.QtCore import QObject

from app.desktop.map import MapView
from app.desktop.model.review.fields import NEW_COLOR, OLD_COLOR
from app.desktop.shapes import map_fence
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence
from engine.domain.values import replace


class ReviewShapes(QObject):
    """Draws the two states of a geofence under review on the map; `name` keeps the shapes of several reviews apart.

    A geofence that is already on the map is recoloured instead of drawn a second time, because the selected geofence is
    drawn above all others.
    """

    def __init__(self, model: WorkspaceModel, map_view: MapView, name: str) -> None:
        super().__init__(model)
        self._model, self._map = model, map_view
        self._old, self._new = f"{name}-old", f"{name}-new"
        self._coloured: str | None = None
        self._drawn = False
        map_view.fence_clicked.connect(self._on_clicked)

    def show(self, now: Geofence | None, then: Geofence | None, *, fit: bool = True) -> None:
        """Draw the current and the proposed state of a geofence; with `fit`, zoom the map to them."""
        drawn = {}
        if now is not None:
            there = self._model.fences.get(now.id) is not None
            name = now.id if there else self._old
            # Two labels at the same place would be unreadable.
            old = replace(self._model.drawn(now), color=OLD_COLOR) if there else map_fence(now, OLD_COLOR)
            drawn[name] = replace(old, id=name, label=old.label if then is None else "")
        if then is not None:
            drawn[self._new] = replace(map_fence(then, NEW_COLOR), id=self._new)
        self._uncolour(drawn)
        self._map.update_fences(list(drawn.values()), [name for name in (self._old, self._new) if name not in drawn])
        if fit:
            self._map.fit_fences(list(drawn), animate=True)
        self._coloured = next((name for name in drawn if name not in (self._old, self._new)), None)
        self._drawn = True

    def clear(self) -> None:
        """Remove the shapes from the map."""
        if self._drawn:
            self._uncolour(())
            self._map.update_fences((), (self._old, self._new))
            self._drawn = False

    def _uncolour(self, wanted: Container[str]) -> None:
        """Restore the usual colour of the recoloured geofence unless it is in `wanted`."""
        fence = None if self._coloured is None else self._model.fences.get(self._coloured)
        if fence is not None and fence.id not in wanted:
            self._map.update_fences([self._model.drawn(fence)])
        self._coloured = None

    def _on_clicked(self, fence_id: str) -> None:
        # These shapes are only a preview.
        if fence_id in (self._old, self._new):
            self._model.selection.clear()
