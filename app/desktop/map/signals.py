"""Signals of the map: that it is ready, and what the user does on it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.map import messages
from app.desktop.map.values import MapCircle


class MapSignals(QWidget):
    """The map's signals, and which of them says which message of the page."""

    ready = Signal()
    tool_changed = Signal(str)
    circle_drawn = Signal(object)
    polygon_drawn = Signal(object)
    track_drawn = Signal(object)
    line_drawn = Signal(str, object, bool)
    drafted = Signal(object)
    fence_edited = Signal(str, object)
    fence_clicked = Signal(str)
    fence_toggled = Signal(str)
    fences_caught = Signal(object, bool)
    fence_delete_requested = Signal(str)
    map_clicked = Signal(float, float)
    context_requested = Signal(float, float, QPoint, object)
    destination_chosen = Signal(float, float)
    destination_moved = Signal(str, float, float, bool)
    finish_requested = Signal()
    event_clicked = Signal(str)
    beacon_clicked = Signal(str)
    beacon_placed = Signal(float, float)
    beacon_moved = Signal(float, float)
    waypoint_chosen = Signal(float, float)
    camera_changed = Signal()
    online_tiles_changed = Signal(bool)
    layers_requested = Signal()
    imagery_requested = Signal(str, bool)
    imagery_list_requested = Signal()
    names_switched = Signal(bool)
    layer_switched = Signal(str, bool)
    said = Signal(str)
    failed = Signal(str)

    def _tell(self, message: messages.PageMessage) -> None:
        """Pass on what the user did."""
        match message:
            case messages.Drawn(shape):
                circle = isinstance(shape, MapCircle)
                (self.circle_drawn if circle else self.polygon_drawn).emit(shape)
            case messages.TrackDrawn(positions):
                self.track_drawn.emit(positions)
            case messages.LineDrawn(tool, positions, done):
                self.line_drawn.emit(tool, positions, done)
            case messages.Drafted(shape):
                self.drafted.emit(shape)
            case messages.FenceEdited(fence_id, shape):
                self.fence_edited.emit(fence_id, shape)
            case messages.FenceClicked(fence_id):
                self.fence_clicked.emit(fence_id)
            case messages.FenceToggled(fence_id):
                self.fence_toggled.emit(fence_id)
            case messages.FencesCaught(fence_ids, extend):
                self.fences_caught.emit(fence_ids, extend)
            case messages.EventClicked(event_id):
                self.event_clicked.emit(event_id)
            case messages.BeaconClicked(beacon_id):
                self.beacon_clicked.emit(beacon_id)
            case messages.BeaconPlaced((longitude, latitude)):
                self.beacon_placed.emit(longitude, latitude)
            case messages.BeaconMoved((longitude, latitude)):
                self.beacon_moved.emit(longitude, latitude)
            case messages.WaypointChosen((longitude, latitude)):
                self.waypoint_chosen.emit(longitude, latitude)
            case messages.DestinationChosen((longitude, latitude)):
                self.destination_chosen.emit(longitude, latitude)
            case messages.DestinationMoved(fence_id, (longitude, latitude), done):
                self.destination_moved.emit(fence_id, longitude, latitude, done)
            case messages.LayersRequested():
                self.layers_requested.emit()
            case messages.ImageryRequested(source_id, on):
                self.imagery_requested.emit(source_id, on)
            case messages.ImageryListRequested():
                self.imagery_list_requested.emit()
            case messages.MapClicked((longitude, latitude)):
                self.map_clicked.emit(longitude, latitude)
