"""Contents of the timeline: fixes over time, their distance to each geofence, and the decisions about them."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Final, Literal
from zoneinfo import ZoneInfo

import numpy as np
from msgspec import Struct, field

from app.desktop.language import counted, tr, translated
from app.desktop.model.simulation.status import Sent
from app.desktop.model.whatif.findings import Finding
from app.desktop.model.words import EventKind, capital, event_kind, event_sentence, fence_name
from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.updates import Event, Fix
from engine.domain.values import replace
from engine.geo.earth import Counts, Floats
from engine.tracking.series.curves import Curve
from engine.tracking.series.kept import KeptFixes, Stay, Withheld
from engine.tracking.series.way import Way

SHOWN_AT_FIRST = 5
"""Number of curves shown initially, which can be distinguished at a glance. The user can choose others."""

_ROUNDED_S: Final = 0.001
"""Tolerance for times of events, which are rounded to milliseconds."""

_WITHHELD_KINDS: dict[Outcome, EventKind] = {
    Outcome.ENTRY_WITHHELD: "entry",
    Outcome.EXIT_WITHHELD: "exit",
    Outcome.LEAVE_SILENTLY: "exit",
    Outcome.DWELL_WITHHELD: "dwell",
}


class Bar(Struct, frozen=True):
    """A presence in a geofence, from fix `first` to fix `last`. If it is not over, `last` is the newest fix.

    `dwelled` is the fix of the dwell event, or None before it.
    """

    fence_id: str
    first: int
    last: int
    dwelled: int | None


type MarkKind = EventKind | Literal["gained", "lost", "moved"]


class Mark(Struct, frozen=True):
    """A mark at a fix: an event, a withheld event, or a replay finding with its number.

    `event` and `finding` are None if the event was withheld.
    """

    at: int
    fence_id: str | None
    kind: MarkKind
    text: str
    event: Event | None = None
    finding: int | None = None

    @property
    def is_solid(self) -> bool:
        """Whether it is an event or finding rather than a withheld event."""
        return self.event is not None or self.finding is not None


class Timeline(Struct, frozen=True, eq=False):
    """Fixes with their measured values. `name` is the name of the user or track.

    `offsets_s` are seconds since `start_s` and never decrease. `curves` are sorted by distance, nearest first.
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
        """Time of the first fix, in seconds since 1970."""
        return float(self.way.times_s[0]) if len(self.way) else 0.0

    def curve(self, fence_id: str | None) -> Curve | None:
        """Return the curve of a geofence."""
        return next((each for each in self.curves if each.geofence.id == fence_id), None)

    def moment(self, index: int) -> datetime:
        """Return the time of a fix."""
        return datetime.fromtimestamp(float(self.way.times_s[index]), UTC)

    def nearest(self, offset_s: float) -> int:
        """Return the fix that is nearest in time. Of several fixes with the same time, the first is returned."""
        after = int(np.searchsorted(self.offsets_s, offset_s))
        if after == len(self):
            return int(np.searchsorted(self.offsets_s, self.offsets_s[-1]))
        if after == 0 or self.offsets_s[after] - offset_s <= offset_s - self.offsets_s[after - 1]:
            return after
        return int(np.searchsorted(self.offsets_s, self.offsets_s[after - 1]))


def timeline_of(name: str, device: str, way: Way, zone: ZoneInfo, curves: Sequence[Curve] = ()) -> Timeline:
    """Return the timeline of some fixes."""
    start = way.times_s[0] if len(way) else 0.0
    offsets = np.maximum.accumulate(way.times_s - start)
    return Timeline(name, device, zone, way, offsets, way.speeds_mps() * 3.6, tuple(curves))


def grown(curves: Sequence[Curve], more: Sequence[Curve], fixes: int) -> tuple[Curve, ...] | None:
    """Return the curves extended by those of later fixes, or None if other geofences have come near."""
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


# Decisions about the fixes


class Cut(Enum):
    """The reason why a part of a device's history is not in its timeline."""

    FIXES = "fixes"
    EVENTS = "events"
    CLOCK = "clock"


class Overlay(Struct, frozen=True):
    """The bars and marks of a timeline. `cuts` are the reasons why some are missing."""

    bars: tuple[Bar, ...] = ()
    marks: tuple[Mark, ...] = ()
    cuts: frozenset[Cut] = frozenset()

    def mark_of(self, event: Event) -> Mark | None:
        """Return the mark of an event."""
        return next((each for each in self.marks if each.event is not None and each.event.id == event.id), None)

    def mark_of_finding(self, number: int) -> Mark | None:
        """Return the mark of a replay finding."""
        return next((each for each in self.marks if each.finding == number), None)

    def with_findings(self, findings: Iterable[Finding], timeline: Timeline) -> "Overlay":
        """Return a copy with marks for replay findings of the device, if their fixes are shown."""
        marks = (_found(each, timeline) for each in findings if each.event.user.device_id == timeline.device)
        return replace(self, marks=(*self.marks, *(mark for mark in marks if mark is not None)))


class DeviceHistory(Struct, frozen=True):
    """The history of a device: its kept fixes with their decisions, and all or the newest of its events."""

    kept: KeptFixes
    events: tuple[Event, ...] = ()
    has_all_events: bool = True

    @property
    def cuts(self) -> frozenset[Cut]:
        """Reasons why parts are missing."""
        parts = ((Cut.FIXES, self.kept.is_cut), (Cut.EVENTS, not self.has_all_events))
        return frozenset(cut for cut, there in parts if there)


def after_last_jump(kept: KeptFixes) -> int:
    """Return the index of the first fix after the clock was last set back. Earlier fixes belong to another time."""
    back = np.flatnonzero(np.diff(kept.way.times_s) < 0)
    return int(back[-1]) + 1 if len(back) else 0


def overlay_of_kept(history: DeviceHistory, first: int) -> Overlay:
    """Return the bars and marks of kept fixes, starting at one of them."""
    overlay = _overlay(history, np.arange(len(history.kept.fixes)) - first)
    return replace(overlay, cuts=overlay.cuts | {Cut.CLOCK}) if first else overlay


def overlay_of_track(history: DeviceHistory, sent: Sequence[Sent]) -> Overlay:
    """Return the bars and marks of a track's fixes, which were sent in this order without seeking backwards."""
    return _overlay(history, matched(history.kept.fixes, sent))


def pass_begin(sent: Sequence[Sent]) -> int:
    """Return the start of the last pass through a track. Seeking backwards begins a new pass."""
    return max((at + 1 for at in range(len(sent) - 1) if sent[at + 1].index <= sent[at].index), default=0)


def matched(fixes: Sequence[Fix], sent: Sequence[Sent]) -> Counts:
    """Return the track index of each kept fix, or -1 if it was not sent from the track."""
    numbers, waiting = np.full(len(fixes), -1), 0
    for number, fix in enumerate(fixes):
        while waiting < len(sent) and sent[waiting].at < fix.at:
            waiting += 1
        if waiting < len(sent) and sent[waiting].at == fix.at:
            numbers[number] = sent[waiting].index
            waiting += 1
    return numbers


class _Shown:
    """The kept fixes that are shown, and their indexes in the timeline."""

    def __init__(self, numbers: Counts) -> None:
        """Create the mapping; `numbers` has the timeline index of each kept fix, negative if it is not shown."""
        self._numbers = numbers
        self.places = np.flatnonzero(numbers >= 0)

    def number(self, place: int) -> int:
        """Return the timeline index of a shown fix."""
        return int(self._numbers[place])

    def following(self, at: int) -> int | None:
        """Return the timeline index of a kept fix or of the next shown one, or None after the last."""
        place = int(np.searchsorted(self.places, at))
        return None if place == len(self.places) else self.number(self.places[place])


def _overlay(history: DeviceHistory, numbers: Counts) -> Overlay:
    shown = _Shown(numbers)
    if not len(shown.places):
        return Overlay(cuts=history.cuts)
    bars = (_bar(stay, shown) for stay in history.kept.stays)
    withheld = (_withheld(each, shown) for each in history.kept.withheld)
    marks = [mark for mark in (*withheld, *_events(history, shown)) if mark is not None]
    return Overlay(tuple(bar for bar in bars if bar), tuple(sorted(marks, key=lambda mark: mark.at)), history.cuts)


def _bar(stay: Stay, shown: _Shown) -> Bar | None:
    """Return the bar of a stay as far as its fixes are shown.

    If the stay ends after the shown fixes, the bar extends to the last of them.
    """
    begin = shown.following(stay.first)
    if begin is None or (stay.last is not None and stay.last < shown.places[0]):
        return None
    end = None if stay.last is None else shown.following(stay.last)
    dwelled = None if stay.dwelled is None else shown.following(stay.dwelled)
    return Bar(stay.geofence_id, begin, shown.number(shown.places[-1]) if end is None else end, dwelled)


def _withheld(each: Withheld, shown: _Shown) -> Mark | None:
    at = shown.following(each.first)
    if at is None or each.last < shown.places[0]:
        return None
    times = each.last - each.first + 1
    why = each.text.removeprefix(f"{each.outcome}: ")
    outcome_text = capital(translated(each.outcome))
    text = tr(
        "{outcome} at {geofence_name}: {reasons}",
        outcome=outcome_text,
        geofence_name=fence_name(each.geofence),
        reasons="; ".join(map(translated, why.split("; "))),
    )
    if times > 1:
        text = tr("{outcome} ({fixes} in a row)", outcome=text, fixes=counted(times, "fix", "fixes"))
    return Mark(at, each.geofence.id, _WITHHELD_KINDS[each.outcome], text)


def _found(finding: Finding, timeline: Timeline) -> Mark | None:
    offset_s = finding.event.created_at.timestamp() - timeline.start_s
    if not -_ROUNDED_S <= offset_s <= float(timeline.offsets_s[-1]) + _ROUNDED_S:
        return None
    geofence = finding.event.geofence
    fence_id = None if geofence is None else geofence.id
    return Mark(timeline.nearest(offset_s), fence_id, finding.kind.value, finding.label, finding=finding.number)


def _events(history: DeviceHistory, shown: _Shown) -> Iterable[Mark]:
    """Yield a mark for each event during the shown fixes, at the last one that is not later than the event."""
    times_s = history.kept.way.times_s[shown.places]
    order = np.argsort(times_s, kind="stable")
    fixes, times_s = shown.places[order], times_s[order]
    moments = np.array([event.created_at.timestamp() for event in history.events])
    places = np.searchsorted(times_s, moments, "right") - 1
    for event, moment, place in zip(history.events, moments, places.tolist(), strict=True):
        if place >= 0 and (times_s[place] == moment or place + 1 < len(times_s)):
            fence_id = None if event.geofence is None else event.geofence.id
            yield Mark(shown.number(fixes[place]), fence_id, event_kind(event), event_sentence(event), event)
