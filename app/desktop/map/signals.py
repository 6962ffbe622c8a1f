"""Signals of the map: that it is ready, and what the user does on it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget


class MapSignals(QWidget):
    """The map's signals; those in `messages.SIGNALS` say what the page sends."""

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
