"""The contents of the timeline: fixes over time, how far from each geofence, and what the rules made of them."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal
from zoneinfo import ZoneInfo

import numpy as np

from app.desktop.model.simulation import Sent
from app.desktop.model.whatif.findings import Finding
from app.desktop.model.words import EventKind, event_kind, event_sentence, fence_name
from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.updates import Event, Fix
from engine.geo.earth import Counts, Floats
from engine.tracking.series.curves import Curve
from engine.tracking.series.kept import KeptFixes, Stay, Withheld
from engine.tracking.series.way import Way

SHOWN_AT_FIRST = 5
"""So many curves are told apart at a glance; the user chooses others."""

_ROUNDED_S: Final = 0.001
"""Times of events are whole milliseconds."""

_WITHHELD_KINDS: dict[Outcome, EventKind] = {
    Outcome.ENTRY_WITHHELD: "entry",
    Outcome.EXIT_WITHHELD: "exit",
    Outcome.LEAVE_SILENTLY: "exit",
    Outcome.DWELL_WITHHELD: "dwell",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A presence in a geofence, by the numbers of fixes; `last` None while it goes on, `dwelled` None before that."""

    fence_id: str
    first: int
    last: int | None
    dwelled: int | None


type MarkKind = EventKind | Literal["gained", "lost", "moved"]


@dataclass(frozen=True, slots=True)
class Mark:
    """An event at a fix, one that was withheld, or what a replay found, by its number.

    `event` and `finding` are None where it was withheld.
    """

    at: int
    fence_id: str | None
    kind: MarkKind
    text: str
    event: Event | None = None
    finding: int | None = None

    @property
    def is_solid(self) -> bool:
        """Whether it is more than what was withheld."""
        return self.event is not None or self.finding is not None


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """Fixes with all that is known of them. `name` says whose they are.

    `offsets_s` are seconds since `start_s` that never go back. `curves` come with the nearest first.
    """

    name: str = ""
    device: str = ""
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    way: Way = field(default_factory=Way)
    offsets_s: Floats = field(default_factory=lambda: np.empty(0))
    speeds_kmh: Floats = field(default_factory=lambda: np.empty(0))
    curves: tuple[Curve, ...] = ()

    def __len__(self) -> int:
        return len(self.way)

    @property
    def start_s(self) -> float:
        """The time of the first fix, in seconds since 1970."""
        return float(self.way.times_s[0]) if len(self.way) else 0.0

    def curve(self, fence_id: str | None) -> Curve | None:
        """Return the curve of a geofence."""
        return next((each for each in self.curves if each.geofence.id == fence_id), None)

    def moment(self, index: int) -> datetime:
        """Return the time of a fix."""
        return datetime.fromtimestamp(float(self.way.times_s[index]), UTC)

    def nearest(self, offset_s: float) -> int:
        """Return the fix that is nearest in time; of those of one moment the first."""
        after = int(np.searchsorted(self.offsets_s, offset_s))
        if after == len(self):
            return int(np.searchsorted(self.offsets_s, self.offsets_s[-1]))
        if after == 0 or self.offsets_s[after] - offset_s <= offset_s - self.offsets_s[after - 1]:
            return after
        return int(np.searchsorted(self.offsets_s, self.offsets_s[after - 1]))


def timeline_of(name: str, device: str, way: Way, zone: ZoneInfo, curves: Sequence[Curve] = ()) -> Timeline:
    """Return fixes as a timeline."""
    start = way.times_s[0] if len(way) else 0.0
    offsets = np.maximum.accumulate(way.times_s - start)
    return Timeline(name, device, zone, way, offsets, way.speeds_mps() * 3.6, tuple(curves))


def grown(curves: Sequence[Curve], more: Sequence[Curve], fixes: int) -> tuple[Curve, ...] | None:
    """Return curves with those of the fixes that came after them; None where other geofences have come near."""
    ids = {each.geofence.id for each in curves}
    if any(each.geofence.id not in ids for each in more):
        return None
    rest = {each.geofence.id: each for each in more}
    unknown = np.full(fixes, np.nan)
    return tuple(_joined(each, rest.get(each.geofence.id), unknown) for each in curves)


def _joined(curve: Curve, more: Curve | None, unknown: Floats) -> Curve:
    if more is None:
        return Curve(curve.geofence, np.append(curve.distances_m, unknown), curve.closed)
    distances = np.append(curve.distances_m, more.distances_m)
    return Curve(more.geofence, distances, (*curve.closed, *more.closed))


# What the rules made of the fixes


@dataclass(frozen=True, slots=True)
class Overlay:
    """The bars and marks over the fixes of a timeline."""

    bars: tuple[Bar, ...] = ()
    marks: tuple[Mark, ...] = ()

    def mark_of(self, event: Event) -> Mark | None:
        """Return the mark of an event."""
        return next((each for each in self.marks if each.event is not None and each.event.id == event.id), None)

    def mark_of_finding(self, number: int) -> Mark | None:
        """Return the mark of what a replay found."""
        return next((each for each in self.marks if each.finding == number), None)

    def with_findings(self, findings: Iterable[Finding], timeline: Timeline) -> "Overlay":
        """Return it with marks for what a replay found of the device, where its fixes are shown."""
        marks = (_found(each, timeline) for each in findings if each.event.user.device_id == timeline.device)
        return Overlay(self.bars, (*self.marks, *(mark for mark in marks if mark is not None)))


@dataclass(frozen=True, slots=True)
class Told:
    """What the engine told of a device: its kept fixes with what they meant, and its events."""

    kept: KeptFixes
    events: tuple[Event, ...] = ()


def after_last_jump(kept: KeptFixes) -> int:
    """Return the first fix after the clock was last put back: what came before is of another time."""
    back = np.flatnonzero(np.diff(kept.way.times_s) < 0)
    return int(back[-1]) + 1 if len(back) else 0


def overlay_of_kept(told: Told, first: int) -> Overlay:
    """Return what the rules made of kept fixes, from one of them on."""
    numbers = np.arange(len(told.kept.fixes)) - first
    return _overlay(told, numbers, told.kept.fixes)


def overlay_of_track(told: Told, sent: Sequence[Sent]) -> Overlay:
    """Return what the rules made of a track's fixes, which were sent in this order without going back."""
    return _overlay(told, matched(told.kept.fixes, sent), told.kept.fixes)


def pass_begin(sent: Sequence[Sent]) -> int:
    """Return where the last pass through a track began: whoever goes back in it begins another one."""
    return max((at + 1 for at in range(len(sent) - 1) if sent[at + 1].index <= sent[at].index), default=0)


def matched(fixes: Sequence[Fix], sent: Sequence[Sent]) -> Counts:
    """Return for each kept fix which one of the track it is; -1 for those that others have sent."""
    numbers, waiting = np.full(len(fixes), -1), 0
    for number, fix in enumerate(fixes):
        while waiting < len(sent) and sent[waiting].at < fix.at:
            waiting += 1
        if waiting < len(sent) and sent[waiting].at == fix.at:
            numbers[number] = sent[waiting].index
            waiting += 1
    return numbers


def _overlay(told: Told, numbers: Counts, fixes: Sequence[Fix]) -> Overlay:
    first = int(np.argmax(numbers >= 0)) if (numbers >= 0).any() else len(numbers)
    bars = (_bar(stay, numbers, first) for stay in told.kept.stays)
    withheld = (_withheld(each, numbers, first) for each in told.kept.withheld)
    marks = [mark for mark in (*withheld, *_events(told.events, numbers, fixes)) if mark is not None]
    return Overlay(tuple(bar for bar in bars if bar), tuple(sorted(marks, key=lambda mark: mark.at)))


def _bar(stay: Stay, numbers: Counts, first: int) -> Bar | None:
    if first >= len(numbers) or (stay.last is not None and stay.last < first):
        return None
    begin = _number(numbers, max(stay.first, first))
    last = None if stay.last is None else _number(numbers, stay.last)
    dwelled = None if stay.dwelled is None else max(_number(numbers, stay.dwelled), begin)
    return Bar(stay.geofence_id, begin, last, dwelled)


def _number(numbers: Counts, at: int) -> int:
    """Return which fix it is; of one that is not shown the next that is."""
    shown = at + int(np.argmax(numbers[at:] >= 0))
    return max(int(numbers[shown]), 0)


def _withheld(each: Withheld, numbers: Counts, first: int) -> Mark | None:
    if each.last < first:
        return None
    at = _number(numbers, max(each.first, first))
    times = each.last - each.first + 1
    text = f"{each.outcome[0].upper()}{each.outcome[1:]} at {fence_name(each.geofence)}: {each.text}"
    if times > 1:
        text = f"{text} ({times:,} fixes in a row)"
    return Mark(at, each.geofence.id, _WITHHELD_KINDS[each.outcome], text)


def _found(finding: Finding, timeline: Timeline) -> Mark | None:
    offset_s = finding.event.created_at.timestamp() - timeline.start_s
    if not -_ROUNDED_S <= offset_s <= float(timeline.offsets_s[-1]) + _ROUNDED_S:
        return None
    geofence = finding.event.geofence
    fence_id = None if geofence is None else geofence.id
    return Mark(timeline.nearest(offset_s), fence_id, finding.kind.value, finding.label, finding=finding.number)


def _events(events: Iterable[Event], numbers: Counts, fixes: Sequence[Fix]) -> Iterable[Mark]:
    """Yield a mark for each event at the fix of its time, the last one that is shown."""
    shown = [(fix.at, int(number)) for fix, number in zip(fixes, numbers, strict=True) if number >= 0]
    shown.sort(key=lambda each: each[0])
    times = [at for at, _ in shown]
    for event in events:
        place = bisect_right(times, event.created_at) - 1
        if place >= 0 and (times[place] == event.created_at or place + 1 < len(times)):
            fence_id = None if event.geofence is None else event.geofence.id
            yield Mark(shown[place][1], fence_id, event_kind(event), event_sentence(event), event)
