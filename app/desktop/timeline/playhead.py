"""The playhead: the fix that is looked at. Its line, the device with its accuracy circle and the track are there."""

from __future__ import annotations

from app.desktop.model.simulation.simulation import Simulation, position_of
from app.desktop.model.timeline.timeline import Timeline
from app.desktop.window.controllers.on_map import OnMap
from engine.domain.geometry import Point
from engine.domain.tracking.updates import User


class Playhead:
    """Goes to fixes, of the simulator's track or of a user, for whoever asks: there is no other way to move it."""

    def __init__(self, simulation: Simulation, on_map: OnMap) -> None:
        self._simulation, self._on_map = simulation, on_map
        self._user: User | None = None
        self._timeline = Timeline()
        self._at_newest = True
        self.index = 0

    def reset(self, user: User | None) -> None:
        """Begin anew: for a user at the newest fix, for the track, which is None, where that is."""
        if user is not None:
            self._on_map.restore_device()  # it may be that of the track
        self.release()
        self._user, self._timeline, self.index = user, Timeline(), 0

    def release(self) -> None:
        """Let the device of a user stand where it was last seen."""
        if self._user is not None:
            self._on_map.restore_device()
        self._at_newest = True

    def stay_in(self, timeline: Timeline) -> None:
        """Stay where it is in a timeline that has grown; at its newest fix, go with that."""
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
        """Go where the track is, and return whether that is elsewhere."""
        before, self.index = self.index, min(self._simulation.shown_index, max(len(self._timeline) - 1, 0))
        return self._user is None and before != self.index

    def scrub(self, index: int) -> None:
        """Go to a fix because it is looked at; a track that plays is paused."""
        if self._user is None and self._simulation.playable:
            self._simulation.scrub(position_of(index))
        self._put(index)

    def show(self, index: int) -> None:
        """Go to the fix of what is looked at, such as an event; a track that plays goes on."""
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
