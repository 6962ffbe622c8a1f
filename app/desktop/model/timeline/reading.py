"""Reading what the timeline shows from the engine, off the window's thread, going on from what was read before."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from app.desktop.model.simulation import Sender, Sent
from app.desktop.model.timeline.timeline import (
    Overlay,
    Timeline,
    Told,
    after_last_jump,
    grown,
    overlay_of_kept,
    overlay_of_track,
    pass_begin,
    timeline_of,
)
from app.desktop.model.users import user_name
from engine.domain.environment import Environment
from engine.domain.ports import Progress
from engine.domain.queries import EventFilter
from engine.domain.tracking.updates import Event, User
from engine.engine import Engine
from engine.geo.zones import zone_at
from engine.simulation.phone import EXACT, Phone
from engine.simulation.timing import ScheduledFix
from engine.tracking.series.curves import Curve
from engine.tracking.series.kept import KeptSeries
from engine.tracking.series.way import Way, way_of

_AT_ONCE: Final = 1_000
_MOST_EVENTS: Final = 20_000
_MILLISECOND: Final = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class PlayedTrack:
    """A track as it is played: its fixes, and the device that it is played as."""

    name: str
    fixes: Sequence[ScheduledFix]
    sender: Sender
    phone: Phone = EXACT


def timeline_of_track(
    engine: Engine, environment: Environment, track: PlayedTrack, also: Collection[str], progress: Progress
) -> Timeline:
    """Return a track over time, whether it was played or not; `progress` may raise `Cancelled`."""
    updates = track.sender.updates(track.fixes, track.phone)
    way = way_of(updates)
    curves = engine.tracking.curves(environment, way, also, progress)
    return timeline_of(track.name, track.sender.device, way, _zone(way), curves)


def _zone(way: Way) -> ZoneInfo:
    return zone_at(float(way.longitudes[0]), float(way.latitudes[0])) if len(way) else zone_at(0.0, 0.0)


@dataclass(slots=True)
class _Events:
    """The events of a device, read on from where they were read to before."""

    wanted: EventFilter
    after: int = 0
    found: list[Event] = field(default_factory=list)

    def read_on(self, engine: Engine, environment: Environment) -> tuple[Event, ...]:
        while len(self.found) < _MOST_EVENTS:
            run = engine.history.run_after(environment, self.wanted, self.after, _AT_ONCE)
            self.found += [event for _, event in run.events]
            self.after = run.reached
            if len(run.events) < _AT_ONCE:
                break
        return tuple(self.found)


class TrackReader:
    """Reads what the rules made of a track's fixes while it is played. Not for two threads at a time."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._begin = -1
        self._series: KeptSeries | None = None
        self._events: _Events | None = None

    def read(self, engine: Engine, environment: Environment, sent: Sequence[Sent]) -> Overlay:
        """Return the bars and marks of what was sent, as far as it is kept."""
        sent = sent[:]
        if not sent:
            return Overlay()
        begin = pass_begin(sent)
        if self._series is None or self._events is None or begin != self._begin:
            self._begin, at = begin, sent[begin].at
            after = engine.tracking.number_before(environment, self._device, at)
            self._series = KeptSeries(self._device, after=after)
            wanted = EventFilter(device_id=self._device, created_after=at - _MILLISECOND)
            self._events = _Events(wanted)
        kept = engine.tracking.read_on(environment, self._series)
        return overlay_of_track(Told(kept, self._events.read_on(engine, environment)), sent[begin:])


class UserReader:
    """Reads the kept updates of a user over time. Not for two threads at a time."""

    def __init__(self, user: User) -> None:
        self.user = user
        self._series = KeptSeries(user.device_id, user.id)
        self._events = _Events(EventFilter(device_id=user.device_id))
        self._curves: tuple[Curve, ...] = ()
        self._measured: tuple[int, int] = (0, 0)
        self._also: frozenset[str] = frozenset()

    def read(
        self, engine: Engine, environment: Environment, also: Collection[str], progress: Progress
    ) -> tuple[Timeline, Overlay]:
        """Return what is kept, from the last time on that the clock was put back; `progress` may raise `Cancelled`."""
        kept = engine.tracking.read_on(environment, self._series, progress)
        first = after_last_jump(kept)
        way = kept.way.since(first)
        self._measure(engine, environment, way, first, frozenset(also), progress)
        events = tuple(e for e in self._events.read_on(engine, environment) if e.user.id == self.user.id)
        timeline = timeline_of(user_name(self.user), self.user.device_id, way, _zone(way), self._curves)
        return timeline, overlay_of_kept(Told(kept, events), first)

    def _measure(
        self, engine: Engine, environment: Environment, way: Way, first: int, also: frozenset[str], progress: Progress
    ) -> None:
        """Measure what is new; all of it where another geofence has come near."""
        begun, count = self._measured
        known = self._curves if (begun, self._also) == (first, also) and count <= len(way) else ()
        more = way.since(count if known else 0)
        if known and not len(more):
            return
        ids = {each.geofence.id for each in known} | also
        curves = engine.tracking.curves(environment, more, ids, progress)
        joined = grown(known, curves, len(more)) if known else curves
        if joined is None:
            joined = engine.tracking.curves(environment, way, also, progress)
        self._curves, self._measured, self._also = joined, (first, len(way)), also

    def measure_again(self) -> None:
        """Measure all of it the next time: geofences have changed."""
        self._curves = ()
