"""Contents of the map: geofences, areas, a track, devices, beacons and events.

The signals of the map are here as well. The page itself uses the names in `messages.SIGNALS`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from itertools import batched

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.map.outbox import DeviceMove, Outbox
from app.desktop.map.profile import MapProfile
from app.desktop.map.values import (
    ImageryChoice,
    MapArea,
    MapBeacon,
    MapEvent,
    MapFence,
    MapImagery,
    MapLayers,
    MapPolygon,
    MapPreview,
    MapTrack,
    Position,
    Travel,
)
from engine.domain.area import halves

_AT_ONCE = 2_000
"""Number of beacons drawn before the next command has its turn."""

_MARKED_AT_ONCE = 10_000
"""Number of geofences that are marked before the next command has its turn."""


class MapContents(QWidget):
    """The part of the map that adds and removes its contents. Its outbox is created with the page."""

    ready = Signal()
    tool_changed = Signal(str)
    circle_drawn = Signal(object)
    polygon_drawn = Signal(object)
    hole_drawn = Signal(str, object)
    part_drawn = Signal(str, object)
    ring_chosen = Signal(str, int)
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
    announced = Signal(str)
    failed = Signal(str)

    outbox: Outbox

    def __init__(self, profile: MapProfile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile = profile
        self._selected: str | None = None
        self._marked: frozenset[str] = frozenset()
        self._areas: tuple[MapArea, ...] = ()
        self._imagery: list[dict[str, object]] = []
        self._way: tuple[Position, ...] = ()
        self._heat = ""
        self._hidden: frozenset[str] = frozenset()

    @property
    def profile(self) -> MapProfile:
        """The browser profile of the page."""
        return self._profile

    @property
    def way(self) -> tuple[Position, ...]:
        """The displayed route of a trip."""
        return self._way

    @property
    def has_heat(self) -> bool:
        """Whether the heat map of positions is shown."""
        return bool(self._heat)

    # Layers

    @property
    def hidden_layers(self) -> frozenset[str]:
        """The layers that the user hid: ``streets``, ``fences``, ``beacons``, ``track``, ``events``."""
        return self._hidden

    def set_layer_shown(self, layer: str, on: bool) -> None:
        """Show or hide a layer and update its switch on the map."""
        if on == (layer in self._hidden):
            self.outbox.put("layer_shown", layer=layer, on=on)
            self._note_layer(layer, on)

    def _note_layer(self, layer: str, on: bool) -> None:
        self._hidden = self._hidden - {layer} if on else self._hidden | {layer}
        self.layer_switched.emit(layer, on)

    # Geofences

    def set_fences(self, fences: Sequence[MapFence]) -> None:
        """Show exactly these geofences; they appear together when the last of them has reached the page."""
        self.outbox.replace_fences(tuple(fences))

    def update_fences(self, upserted: Iterable[MapFence] = (), removed: Iterable[str] = ()) -> None:
        """Add or replace some geofences and remove others. This also reverts an edit on the map."""
        removed = tuple(removed)
        if self._selected in removed:
            self.select_fence(None)
        self.outbox.update_fences(tuple(upserted), removed)

    def select_fence(self, fence_id: str | None) -> None:
        """Give one geofence handles, or none. If it is out of sight, an arrow at the map's edge points to it."""
        self._selected = fence_id
        self.outbox.put("fence_select", id=fence_id)

    def select_fences(self, fence_ids: Sequence[str]) -> None:
        """Show these geofences as selected; only a single one gets handles."""
        self.select_fence(fence_ids[0] if len(fence_ids) == 1 else None)
        marked = frozenset(fence_ids) if len(fence_ids) > 1 else frozenset[str]()
        if marked != self._marked:
            # Send only the difference of a large selection.
            added, removed = marked - self._marked, self._marked - marked if marked else ()
            self._marked = marked
            if not marked:
                self.outbox.put("fences_mark", clear=True, added=(), removed=())
            for some in batched(added, _MARKED_AT_ONCE):
                self.outbox.put("fences_mark", clear=False, added=some, removed=())
            for some in batched(removed, _MARKED_AT_ONCE):
                self.outbox.put("fences_mark", clear=False, added=(), removed=some)

    def reveal_fence(self, fence_id: str) -> None:
        """Move the map to a geofence if no part of it is in sight."""
        self.outbox.put("fence_reveal", id=fence_id)

    def set_layers(self, layers: MapLayers) -> None:
        """Hide some geofences, which are then neither drawn nor hit by the mouse, except the selected one."""
        self.outbox.put(
            "fences_layers",
            hidden_tags=layers.hidden_tags,
            hidden_states=layers.hidden_states,
            state_colors=layers.state_colors,
        )

    def discard_drawing(self) -> None:
        """Remove the shape just drawn; `set_fences` and `update_fences` do so by themselves."""
        self.outbox.put("drawing_discard")

    # Areas

    def set_areas(self, areas: Sequence[MapArea]) -> None:
        """Draw the streets of exactly these areas."""
        self._areas = tuple(areas)
        addresses = self._profile.handler.offer_tiles(area.tiles for area in areas)
        shown = [{"name": area.name, "boxes": halves(area.bounds), "url": addresses[area.tiles]} for area in areas]
        self.outbox.put("areas", areas=shown)

    def set_imagery(self, shown: Sequence[MapImagery], choices: Sequence[ImageryChoice]) -> None:
        """Show exactly this imagery, the topmost first, and offer these choices in the list of layers."""
        addresses = self._profile.offer_imagery([each.tiles for each in shown])
        self._imagery = [
            {
                "url": address,
                "attribution": each.attribution,
                "min_zoom": each.min_zoom,
                "max_zoom": each.max_zoom,
                "opacity": each.opacity,
                "tile_size": each.tile_size,
            }
            for each, address in zip(shown, addresses, strict=True)
        ]
        self.outbox.put("imagery", layers=self._imagery, choices=tuple(choices))

    def set_preview(self, preview: MapPreview | None) -> None:
        """Show preview outlines around a destination, or none."""
        self.outbox.put("preview", preview=preview)

    def set_outlines(self, polygons: Sequence[MapPolygon]) -> None:
        """Show outlines of the result of an operation, or none."""
        self.outbox.put("outlines", polygons=tuple(polygons))

    def mark_ring(self, fence_id: str, ring: int | None) -> None:
        """Mark one of the rings of a geofence with handles by its number in `Polygon.rings`, or none."""
        self.outbox.put("ring_mark", id=fence_id, ring=ring)

    def set_snapping(self, on: bool, *, roads: bool) -> None:
        """Set whether drawn or dragged shapes snap to vertices and edges of nearby geofences, and to `roads`."""
        self.outbox.put("snapping", on=on, roads=roads)

    def clear_measure(self) -> None:
        """Remove the measured line."""
        self.outbox.put("measure_clear")

    def watch_drafts(self, on: bool) -> None:
        """Enable or disable reports of each shape while the user draws or drags it."""
        self.outbox.put("watch", on=on)

    # Track, devices, events

    def set_track(self, track: MapTrack | None) -> None:
        """Show a track, or none."""
        self.outbox.put("track", points=track.points if track else ())

    def show_device(self, device_id: str, longitude: float, latitude: float, accuracy_m: float) -> None:
        """Add or move a device; of several moves in quick succession the page receives only the latest."""
        self.outbox.move_device(DeviceMove(device_id, longitude, latitude, accuracy_m))

    def remove_device(self, device_id: str) -> None:
        """Remove a device from the map."""
        self.outbox.forget_device(device_id)

    def set_beacons(self, beacons: Sequence[MapBeacon]) -> None:
        """Show exactly these beacons."""
        self.outbox.put("beacons", replace=True, beacons=tuple(beacons[:_AT_ONCE]))
        self.update_beacons(beacons[_AT_ONCE:])

    def update_beacons(self, upserted: Sequence[MapBeacon] = (), removed: Sequence[str] = ()) -> None:
        """Add or replace some beacons and remove others."""
        for some in batched(upserted, _AT_ONCE):
            self.outbox.put("beacons", replace=False, beacons=some)
        if removed:
            self.outbox.put("beacons_remove", ids=list(removed))

    def hold_beacon(self, position: Position | None) -> None:
        """Add a drag handle to the beacon at this position, or remove it."""
        self.outbox.put("beacon_hold", position=position)

    def set_events(self, events: Sequence[MapEvent]) -> None:
        """Show exactly these events."""
        self.outbox.put("events", replace=True, events=tuple(events))

    def add_events(self, events: Sequence[MapEvent]) -> None:
        """Add events; one with a known ID replaces the earlier one."""
        self.outbox.put("events", replace=False, events=tuple(events))

    def select_event(self, event_id: str | None) -> None:
        """Highlight the mark of an event, or none."""
        self.outbox.put("event_select", id=event_id)

    def highlight_point(self, longitude: float, latitude: float) -> None:
        """Draw a ring around a point, such as the fix of an event."""
        self.outbox.put("highlight", position=(longitude, latitude))

    def set_pin(self, position: Position | None, label: str = "") -> None:
        """Put a labelled pin at a search result, or remove it."""
        self.outbox.put("pin", position=position, label=label)

    def set_way(self, line: Sequence[Position]) -> None:
        """Show the route of a trip up to its destination, or remove it if empty."""
        self._way = tuple(line)
        self.outbox.put("way", points=list(line))

    def set_heat(self, packed: bytes) -> None:
        """Show the heat map of positions, or none. Longitudes and latitudes alternate, as 64-bit numbers."""
        self._heat = b64encode(packed).decode()
        self.outbox.put("heat", points=self._heat)

    def set_travels(self, lines: Sequence[Travel]) -> None:
        """Show how often devices went from one place to another, as lines of different widths, or none."""
        self.outbox.put("travels", lines=list(lines))

    def clear_highlight(self) -> None:
        """Remove the ring."""
        self.outbox.put("highlight", position=None)
