"""The tools and the layers of the map."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from app.desktop.map import MapView
from app.desktop.memory import Memory
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.geofence.listing import FenceList
from app.desktop.window.actions.actions import Actions


class MapTools(QObject):
    """Starts the chosen tool, checks its action, and switches the layers and the online map."""

    def __init__(self, map_view: MapView, actions: Actions, memory: Memory, fences: FenceList, form: FenceForm) -> None:
        super().__init__(map_view)
        self._map, self._memory = map_view, memory
        self._tools = {
            "circle": actions.circle,
            "polygon": actions.polygon,
            "hole": actions.draw_hole,
            "part": actions.draw_part,
            "edit_part": actions.move_part,
            "isochrone": actions.isochrone,
            "beacon": actions.beacon,
            "edit": actions.move,
            "track": actions.draw_track,
            "lasso": actions.lasso,
            "measure": actions.measure,
        }
        self._select = actions.select
        actions.select.triggered.connect(lambda: map_view.select_tool())
        actions.circle.triggered.connect(lambda: map_view.start_drawing_circle())
        actions.polygon.triggered.connect(lambda: map_view.start_drawing_polygon())
        actions.move.triggered.connect(lambda: map_view.edit_tool())
        self._follow_snapping(actions)
        actions.lasso.triggered.connect(lambda: map_view.lasso_tool())
        map_view.tool_changed.connect(self._on_tool)
        actions.select.setChecked(True)
        actions.fit.triggered.connect(lambda: map_view.fit_fences())
        actions.tiles.toggled.connect(self._on_tiles)
        actions.names.setChecked(memory.fence_names)
        map_view.set_names_shown(memory.fence_names)
        actions.names.toggled.connect(self._on_names)
        map_view.names_switched.connect(actions.names.setChecked)
        map_view.online_tiles_changed.connect(actions.tiles.setChecked)
        self._layers = {
            "streets": actions.area_streets,
            "fences": actions.map_fences,
            "beacons": actions.map_beacons,
            "track": actions.map_track,
            "events": actions.map_events,
        }
        self._follow_layers()
        fences.draw_requested.connect(actions.circle.trigger)
        form.draw_circle_requested.connect(actions.circle.trigger)
        form.draw_polygon_requested.connect(actions.polygon.trigger)

    def _on_tool(self, tool: str) -> None:
        self._tools.get(tool, self._select).setChecked(True)

    def _follow_layers(self) -> None:
        for layer, action in self._layers.items():
            action.setChecked(layer not in self._map.hidden_layers)
            action.toggled.connect(partial(self._map.set_layer_shown, layer))
        self._map.layer_switched.connect(lambda layer, on: self._layers[layer].setChecked(on))

    def _follow_snapping(self, actions: Actions) -> None:
        memory = self._memory
        actions.snapping.setChecked(memory.snapping)
        actions.road_snapping.setChecked(memory.road_snapping)
        self._map.set_snapping(memory.snapping, roads=memory.road_snapping)
        for action in (actions.snapping, actions.road_snapping):
            action.toggled.connect(lambda: self._on_snapping(actions))
        # Snapping to roads implies snapping.
        actions.road_snapping.triggered.connect(lambda on: actions.snapping.setChecked(on or memory.snapping))

    def _on_snapping(self, actions: Actions) -> None:
        on, roads = actions.snapping.isChecked(), actions.road_snapping.isChecked()
        self._memory.snapping, self._memory.road_snapping = on, roads
        self._map.set_snapping(on, roads=roads)

    def _on_names(self, on: bool) -> None:
        self._memory.fence_names = on
        self._map.set_names_shown(on)

    def _on_tiles(self, on: bool) -> None:
        self._memory.online_tiles = on
        self._map.set_online_tiles(on)
