"""Synchronization of the map with the model: geofences, beacons, events, devices, the track and the selection."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer

from app.desktop.fence_reader import Portion
from app.desktop.map import MapBeacon, MapEvent, MapFence, MapTrack, MapView
from app.desktop.map_export.content import ShownDevice
from app.desktop.model.beacons import BeaconDelta, beacon_label
from app.desktop.model.fences import BookedFence, FenceDelta
from app.desktop.model.map_layers.fences import Census, FenceState
from app.desktop.model.simulation.status import SimulationState
from app.desktop.model.words import event_kind, event_sentence
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence
from engine.domain.geometry import Point
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.tracks import Track
from engine.domain.tracking.updates import Event, User
from engine.geo.bounds import Bounds

_EVENTS_SHOWN = 1_000
PORTION: Final = 1_000
"""Number of geofences that are redrawn before other work gets its turn."""


class OnMap(QObject):
    """Shows the model on the map and applies clicks on the map to the selection."""

    def __init__(self, model: WorkspaceModel, map_view: MapView) -> None:
        super().__init__(map_view)
        self._model, self._map = model, map_view
        self._devices: set[str] = set()
        self._stale: deque[str] = deque()
        self._way_of: str | None = None
        self.shown_device: tuple[str, Point, float] | None = None
        """The device shown at its playhead instead of its last known position, with that point and its accuracy."""
        self._held = self._of_track = False
        self._camera: tuple[float, float, float] | None = None
        self._instead: Sequence[MapEvent] | None = None
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._redraw_some)
        model.fences.changed.connect(self._show_fences)
        model.fences_begun.connect(self._look_at)
        model.fences_read.connect(self._stage)
        model.beacons.changed.connect(self._show_beacons)
        self.census = Census()
        self._marks = 0
        model.events.replaced.connect(self._show_events)
        model.events.added.connect(self._add_events)
        model.selection.changed.connect(self._show_selection)
        model.simulation.loaded.connect(self._show_track)
        self._shown_track: Track | None = None
        model.simulation.loaded.connect(self.restore_device)
        model.simulation.moved.connect(self._release)
        model.simulation.shown.connect(self._show_playhead)
        model.simulation_progressed.connect(self._follow_track)
        model.environment_changed.connect(self._forget_devices)
        model.users_loaded.connect(self._replace_users)
        model.users_moved.connect(self._show_users)
        map_view.fence_clicked.connect(model.selection.select_fence)
        map_view.fence_toggled.connect(model.selection.toggle_fence)
        map_view.fences_caught.connect(self._on_caught)
        map_view.event_clicked.connect(self._on_event_clicked)
        map_view.map_clicked.connect(lambda *_: model.selection.clear())

    def begin_at(self, longitude: float, latitude: float, zoom: float) -> None:
        """Set the view to show once the geofences of the next workspace are loaded, instead of all of them."""
        self._camera = longitude, latitude, zoom

    def know_track(self, track: Track) -> None:
        """Do not zoom to this track when it is loaded."""
        self._shown_track = track

    def reveal_point(self, longitude: float, latitude: float) -> None:
        """Bring a point into view if it is outside."""
        if not self._in_view(longitude, latitude):
            self._map.show_point(longitude, latitude)

    def move_device(self, device_id: str, point: Point, accuracy_m: float, *, hold: bool = False) -> None:
        """Show a device at the fix being viewed until its next update, or beyond that with `hold`."""
        if self.shown_device is not None and device_id != self.shown_device[0]:
            self.restore_device()
        self.shown_device, self._held, self._of_track = (device_id, point, accuracy_m), hold, False
        self._map.show_device(device_id, point.longitude, point.latitude, accuracy_m)

    def restore_device(self) -> None:
        """Show the moved device at its last known position again."""
        shown, self.shown_device = self.shown_device, None
        self._held = self._of_track = False
        device_id = None if shown is None else shown[0]
        user = next((user for user in self._model.users.all() if user.device_id == device_id), None)
        if user is not None:
            self._show_users((user,))
        elif device_id is not None:
            self._map.remove_device(device_id)

    def peek(self, point: Point | None) -> None:
        """Highlight a point while the mouse is over its fix, or the selection again for None."""
        if point is None:
            self._show_highlight()
        else:
            self._map.highlight_point(point.longitude, point.latitude)

    def _show_playhead(self) -> None:
        """Show the device at the playhead of the track. While the track plays, updates move the device instead."""
        simulation = self._model.simulation
        if simulation.status.state is not SimulationState.PLAYING and simulation.fixes:
            fix = simulation.fixes[simulation.shown_index]
            self.move_device(simulation.device, fix.point, simulation.accuracy_m(fix), hold=True)
            self._of_track = True

    def _release(self) -> None:
        """Allow future updates of the track to move its device."""
        self._held = self._held and not self._of_track

    def _follow_track(self) -> None:
        """Show the device with which the track was played before at its last known position again."""
        if self._of_track and self.shown_device is not None and self.shown_device[0] != self._model.simulation.device:
            self.restore_device()

    def _in_view(self, longitude: float, latitude: float) -> bool:
        west, south, east, north = self._map.bounds()
        return south <= latitude <= north and (longitude - west) % 360 <= east - west

    def _show_fences(self, delta: FenceDelta) -> None:
        if self._model.fences.is_waiting:
            # Changes made while geofences are being read are reported again when reading has ended.
            if delta.reset:
                self._begin()
        elif delta.drawn:
            self._show_staged()
        elif delta.reset:
            self._stale.clear()
            self.census.clear()
            self._map.set_fences(self._drawn(delta.upserted))
            self._show_first()
        elif len(delta.upserted) > PORTION:
            self.census.remove(delta.removed)
            self._map.update_fences(removed=delta.removed)
            self.redraw(fence.id for fence in delta.upserted)
        else:
            self.census.remove(delta.removed)
            self._map.update_fences(self._drawn(delta.upserted), delta.removed)

    def _begin(self) -> None:
        self._stale.clear()
        self.census.clear()
        self._map.outbox.begin_fences()

    def _stage(self, portion: Portion) -> None:
        """Send the page a portion of the geofences that are being read."""
        self.census.put_all(portion.kinds, portion.numbers)
        self._map.outbox.stage_fences(portion.packed)

    def _show_staged(self) -> None:
        """Show the geofences that have been read, and update those locked in the meantime."""
        fences = self._model.fences
        self._map.outbox.commit_fences()
        self._map.update_fences(self._drawn(filter(None, map(fences.get, fences.locks.kept))))

    def _drawn(self, fences: Iterable[Geofence]) -> list[MapFence]:
        """Return geofences for the map and count them in their layers."""
        drawn = [self._model.drawn(fence) for fence in fences]
        for each in drawn:
            if each.tag is not None and each.state is not None:
                self.census.put(each.id, each.tag, FenceState(each.state))
        self.census.notify()
        return drawn

    def fences_shown(self) -> list[BookedFence]:
        """Return the geofences not hidden by a layer. The geofence in the form is always included."""
        held, census = self._model.selection.fence_id, self.census
        return [fence for fence in self._model.fences.named() if fence.id == held or not census.hides(fence.id)]

    def colors_by_state(self) -> bool:
        """Return whether geofences are coloured by state."""
        return self.census.layers.by_state

    def _look_at(self, bounds: Bounds | None) -> None:
        """Zoom to the extent of geofences that are still being read, so that the base map is painted meanwhile."""
        if self._camera is not None or bounds is None:
            self._show_first()
        else:
            self._map.fit((bounds.west, bounds.south, bounds.east, bounds.north))

    def _show_first(self) -> None:
        """Show all geofences, or the view from when the workspace was last open."""
        if self._camera is None:
            self._map.fit_fences()
        else:
            (longitude, latitude, zoom), self._camera = self._camera, None
            self._map.show_point(longitude, latitude, zoom=zoom)

    def _show_beacons(self, delta: BeaconDelta) -> None:
        shown = [_map_beacon(beacon) for beacon in delta.upserted]
        if delta.reset:
            self._map.set_beacons(shown)
        else:
            self._map.update_beacons(shown, delta.removed)

    def show_instead(self, marks: Sequence[MapEvent] | None) -> None:
        """Show these marks instead of events, or the events and the chosen one again for None."""
        self._instead = marks
        self._show_events()
        if marks is None:
            self._select_event()

    @property
    def shown_instead(self) -> list[str] | None:
        """IDs of the marks shown instead of events, or None if events are shown."""
        return None if self._instead is None else [mark.id for mark in self._instead]

    def events_shown(self) -> list[MapEvent]:
        """Return the marks of events, or the marks shown instead of them."""
        if self._instead is not None:
            return list(self._instead)
        return [_map_event(event) for event in self._model.events.all()[:_EVENTS_SHOWN] if event.point]

    def devices_shown(self) -> list[ShownDevice]:
        """Return the devices at their displayed positions."""
        users = (user for user in self._model.users.all() if user.device_id in self._devices)
        shown = {user.device_id: (user.fix.point, user.fix.accuracy_m) for user in users}
        if self.shown_device is not None:
            device, point, accuracy_m = self.shown_device
            shown[device] = point, accuracy_m
        return [ShownDevice(name, at.longitude, at.latitude, around) for name, (at, around) in shown.items()]

    def select_mark(self, mark_id: str) -> None:
        """Select one of the marks shown instead of events."""
        self._map.select_event(mark_id)

    def _show_events(self) -> None:
        if self._instead is not None:
            self._map.set_events(self._instead)
            return
        newest = self._model.events.all()[:_EVENTS_SHOWN]
        self._marks = len(newest)
        self._map.set_events([_map_event(event) for event in reversed(newest) if event.point])

    def _add_events(self, events: tuple[Event, ...]) -> None:
        if self._instead is not None:
            return
        self._marks += len(events)
        if self._marks > 2 * _EVENTS_SHOWN:
            self._show_events()  # older marks are dropped
            return
        self._map.add_events([_map_event(event) for event in events if event.point])

    def _show_selection(self) -> None:
        selection = self._model.selection
        self._map.select_fences(selection.fence_ids)
        self._select_event()
        self._show_highlight()

    def _select_event(self) -> None:
        event = self._model.selection.event
        self._map.select_event(event.id if event else None)

    def _show_highlight(self) -> None:
        selection = self._model.selection
        point = selection.event.point if selection.event else None
        if point is None:
            self._map.clear_highlight()
        else:
            self._map.highlight_point(point.longitude, point.latitude)

    def redraw_track(self) -> None:
        """Draw the simulator's track again in place of a preview."""
        self._show_track()

    def _show_track(self) -> None:
        track = self._model.simulation.track
        if track is None:
            self._shown_track = None
            self._map.set_track(None)
            return
        points = tuple((each.point.longitude, each.point.latitude) for each in self._model.simulation.fixes)
        self._map.set_track(MapTrack(points))
        if track is not self._shown_track:
            self._shown_track = track
            self._map.fit_track()

    def _forget_devices(self) -> None:
        for device in self._devices:
            self._map.remove_device(device)
        self._devices.clear()
        self.restore_device()
        self._forget_way()

    def redraw(self, fence_ids: Iterable[str]) -> None:
        """Redraw geofences in their current state, in portions, as a whole country may open at nine."""
        self._stale.extend(fence_ids)
        self._redraw_some()

    def _redraw_some(self) -> None:
        portion = [self._stale.popleft() for _ in range(min(len(self._stale), PORTION))]
        fences = filter(None, map(self._model.fences.get, portion))
        self._map.outbox.gather_fences(self._drawn(fences), more=bool(self._stale))
        if self._stale:
            self._more.start()

    def _replace_users(self, users: tuple[User, ...]) -> None:
        for device in self._devices - {user.device_id for user in users}:
            self._map.remove_device(device)
            self._devices.discard(device)
            if self.shown_device is not None and self.shown_device[0] == device:
                self.shown_device, self._held = None, False
        self._forget_way()
        self._show_users(users)

    def _show_users(self, users: Iterable[User]) -> None:
        for user in users:
            self._devices.add(user.device_id)
            self._show_way(user)
            if self.shown_device is not None and user.device_id == self.shown_device[0]:
                if self._held:
                    continue
                self.shown_device = None
            fix = user.fix
            self._map.show_device(user.device_id, fix.point.longitude, fix.point.latitude, fix.accuracy_m)

    def _show_way(self, user: User) -> None:
        """Show the route of a user's current trip. With several trips, the last seen user's route is shown."""
        trip, session = user.trip, self._model.session
        destination = None if trip is None else trip.heading_for
        if trip is None or destination is None or session is None:
            if user.id == self._way_of:
                self._forget_way()
            return
        here, end = user.fix.point, destination.point
        straight = ((here.longitude, here.latitude), (end.longitude, end.latitude))
        self._map.set_way(session.engine.trips.way(trip.id) or straight)
        self._way_of = user.id

    def _forget_way(self) -> None:
        if self._way_of is not None:
            self._way_of = None
            self._map.set_way(())

    def _on_caught(self, fence_ids: tuple[str, ...], extend: bool) -> None:
        selection = self._model.selection
        selection.select_fences((*selection.fence_ids, *fence_ids) if extend else fence_ids)

    def _on_event_clicked(self, event_id: str) -> None:
        self._model.selection.select_event(self._model.events.get(event_id))


def _map_beacon(beacon: Beacon) -> MapBeacon:
    point = beacon.point
    return MapBeacon(beacon.id, point.longitude, point.latitude, beacon_label(beacon), beacon.enabled)


def _map_event(event: Event) -> MapEvent:
    assert event.point is not None
    return MapEvent(event.id, event.point.longitude, event.point.latitude, event_kind(event), event_sentence(event))
