"""Reading timeline data from the engine outside the window's thread. Each read continues after the previous one."""

from collections import deque
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from app.desktop.model.simulation.sender import Sender
from app.desktop.model.simulation.status import Sent
from app.desktop.model.timeline.timeline import (
    DeviceHistory,
    Overlay,
    Timeline,
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
from engine.domain.values import replace
from engine.engine import Engine
from engine.geo.zones import zone_at
from engine.simulation.phone import EXACT, Phone
from engine.simulation.timing import ScheduledFix
from engine.tracking.series.curves import Curve
from engine.tracking.series.kept import MOST_FIXES, KeptFixes, KeptSeries
from engine.tracking.series.way import Way, way_of

_AT_ONCE: Final = 1_000
MOST_EVENTS: Final = 20_000
"""Maximum number of events; more marks could not be distinguished."""

_MILLISECOND: Final = timedelta(milliseconds=1)


class PlayedTrack(Struct, frozen=True):
    """A track as it is played: its fixes and the device it is played as."""

    name: str
    fixes: Sequence[ScheduledFix]
    sender: Sender
    phone: Phone = EXACT


def timeline_of_track(
    engine: Engine, environment: Environment, track: PlayedTrack, also: Collection[str], progress: Progress
) -> Timeline:
    """Return the timeline of a track, whether it has been played or not; `progress` may raise `Cancelled`."""
    updates = track.sender.updates(track.fixes, track.phone)
    way = way_of(updates)
    curves = engine.tracking.curves(environment, way, also, progress)
    return timeline_of(track.name, track.sender.device, way, _zone(way), curves)


def _zone(way: Way) -> ZoneInfo:
    return zone_at(float(way.longitudes[0]), float(way.latitudes[0])) if len(way) else zone_at(0.0, 0.0)


class _Events:
    """The newest events of a device. Each read continues where the last one ended."""

    def __init__(self, wanted: EventFilter, most: int) -> None:
        self._wanted, self._after = wanted, 0
        self._found: deque[Event] = deque(maxlen=most)
        self._begun = False
        self.are_all = True

    def device_history(self, engine: Engine, environment: Environment, kept: KeptFixes) -> DeviceHistory:
        """Return the kept fixes with the events that are known so far."""
        if not self._begun:
            self._begin(engine, environment)
        while True:
            run = engine.history.run_after(environment, self._wanted, self._after, _AT_ONCE)
            self.are_all = self.are_all and len(self._found) + len(run.events) <= (self._found.maxlen or 0)
            self._found.extend(event for _, event in run.events)
            self._after = run.reached
            if len(run.events) < _AT_ONCE:
                return DeviceHistory(kept, tuple(self._found), self.are_all)

    def _begin(self, engine: Engine, environment: Environment) -> None:
        begin = engine.history.number_before_newest(environment, self._wanted, self._found.maxlen or 0)
        if begin is not None:
            self._after, self.are_all = begin, False
        self._begun = True


class Most(Struct, frozen=True):
    """Maximum numbers of fixes and events to read of a device. The newest ones are read."""

    fixes: int = MOST_FIXES
    events: int = MOST_EVENTS


MOST: Final = Most()


class TrackReader:
    """Reads the decisions about a track's fixes while it is played. Not thread-safe."""

    def __init__(self, device: str, most: Most = MOST) -> None:
        self._device, self._most = device, most
        self._begin = -1
        self._series: KeptSeries | None = None
        self._events: _Events | None = None

    def read(self, engine: Engine, environment: Environment, sent: Sequence[Sent]) -> Overlay:
        """Return the bars and marks of the sent fixes, as far as they are kept."""
        sent = sent[:]
        if not sent:
            return Overlay()
        begin = pass_begin(sent)
        if self._series is None or self._events is None or begin != self._begin:
            self._begin, at = begin, sent[begin].at
            after = engine.tracking.number_before(environment, self._device, at)
            self._series = KeptSeries(self._device, after=after, most=self._most.fixes)
            wanted = EventFilter(device_id=self._device, created_after=at - _MILLISECOND)
            self._events = _Events(wanted, self._most.events)
        kept = engine.tracking.read_on(environment, self._series)
        return overlay_of_track(self._events.device_history(engine, environment, kept), sent[begin:])


class _Measured(Struct, frozen=True):
    """The range of measured fixes, counted from the first one ever read, the extra geofences, and the edit count."""

    first: int
    count: int
    also: frozenset[str]
    edits: int


class UserReader:
    """Reads the kept updates of a user over time. Not thread-safe."""

    def __init__(self, user: User, most: Most = MOST) -> None:
        self.user = user
        self._series = KeptSeries(user.device_id, user.id, most=most.fixes)
        self._events = _Events(EventFilter(device_id=user.device_id, user=user.id), most.events)
        self._curves: tuple[Curve, ...] = ()
        self._measured: _Measured | None = None
        self._edits = 0

    def read(
        self, engine: Engine, environment: Environment, also: Collection[str], progress: Progress
    ) -> tuple[Timeline, Overlay]:
        """Return the timeline of the kept fixes since the clock was last set back; `progress` may raise `Cancelled`."""
        kept = engine.tracking.read_on(environment, self._series, progress)
        first = after_last_jump(kept)
        way = kept.way.since(first)
        # Later edits are taken into account by the next read.
        wanted = _Measured(kept.dropped + first, len(way), frozenset(also), self._edits)
        self._measure(engine, environment, way, wanted, progress)
        history = self._events.device_history(engine, environment, kept)
        timeline = timeline_of(user_name(self.user), self.user.device_id, way, _zone(way), self._curves)
        return timeline, overlay_of_kept(history, first)

    def _measure(
        self, engine: Engine, environment: Environment, way: Way, wanted: _Measured, progress: Progress
    ) -> None:
        """Measure the new fixes, or all fixes if another geofence has come near."""
        known = self._measured
        if known == wanted:
            return
        joined = None
        if known is not None and self._curves and known == replace(wanted, count=known.count):
            more = way.since(known.count)
            ids = {each.geofence.id for each in self._curves} | wanted.also
            joined = grown(self._curves, engine.tracking.curves(environment, more, ids, progress), len(more))
        if joined is None:
            joined = engine.tracking.curves(environment, way, wanted.also, progress)
        self._curves, self._measured = joined, wanted

    def measure_again(self) -> None:
        """Measure all fixes on the next read because geofences have changed. Can be called during a read."""
        self._edits += 1
