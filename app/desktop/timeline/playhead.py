"""The playhead at the current fix. Its line, the device with its accuracy circle and the track follow it."""

from __future__ import annotations

from app.desktop.model.simulation.simulation import Simulation, position_of
from app.desktop.model.timeline.timeline import Timeline
from app.desktop.window.controllers.on_map import OnMap
from engine.domain.geometry import Point
from engine.domain.tracking.updates import User


class Playhead:
    """Moves the playhead between the fixes of the simulator's track or of a user. All moves go through this class."""

    def __init__(self, simulation: Simulation, on_map: OnMap) -> None:
        self._simulation, self._on_map = simulation, on_map
        self._user: User | None = None
        self._timeline = Timeline()
        self._at_newest = True
        self.index = 0

    def reset(self, user: User | None) -> None:
        """Start again at the newest fix of a user, or at the position of the track for None."""
        if user is not None:
            self._on_map.restore_device()  # the device may be that of the track
        self.release()
        self._user, self._timeline, self.index = user, Timeline(), 0

    def release(self) -> None:
        """Show the device of a user at its last known position."""
        if self._user is not None:
            self._on_map.restore_device()
        self._at_newest = True

    def stay_in(self, timeline: Timeline) -> None:
        """Keep the position in a timeline that has grown, but follow the newest fix if it was there."""
        self._timeline = timeline
        if self._user is None:
            self.index = min(self._simulation.shown_index, max(len(timeline) - 1, 0))
        elif not len(timeline):
            self.release()
        elif self._at_newest:
            self.index = len(timeline) - 1
        else:
            self.index = min(self.index, len(timeline) - 1)
            self._move_device()

    def follow_track(self) -> bool:
        """Move to the position of the track and return whether it has changed."""
        before, self.index = self.index, min(self._simulation.shown_index, max(len(self._timeline) - 1, 0))
        return self._user is None and before != self.index

    def scrub(self, index: int) -> None:
        """Move to the fix that the user scrubbed to and pause a playing track."""
        if self._user is None and self._simulation.playable:
            self._simulation.scrub(position_of(index))
        self._put(index)

    def show(self, index: int) -> None:
        """Move to the fix of a chosen item, such as an event, without pausing a playing track."""
        if self._user is None and self._simulation.playable:
            self._simulation.show(index)
            self.index = self._simulation.shown_index
        else:
            self._put(index)

    def _put(self, index: int) -> None:
        self.index = index
        self._at_newest = index == len(self._timeline) - 1
        if self._user is not None or not self._simulation.playable:
            self._move_device()

    def _move_device(self) -> None:
        way, index, user = self._timeline.way, self.index, self._user
        point = Point(float(way.longitudes[index]), float(way.latitudes[index]))
        device = self._simulation.device if user is None else user.device_id
        hold = user is not None and not self._at_newest
        self._on_map.move_device(device, point, float(way.accuracies_m[index]), hold=hold)
