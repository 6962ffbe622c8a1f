"""Runs of a track over one geofence, without a database.

The functions are pure and use `step`. The truth is the result of the track itself, without noise, over the stored
geofence: when the device entered, left, and had stayed long enough. Rules that compensate for a phone's errors are
disabled for it: stop detection, buffers and the minimum confidence. Rules on the users and times that may trigger the
geofence apply.
"""

from collections import Counter
from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, check_radius
from engine.domain.settings import ProjectSettings, check_dwell_threshold
from engine.domain.tracking.decision import FACTS, Outcome
from engine.domain.tracking.sweep import BUFFERS, SweepEvent, SweepParameter
from engine.domain.tracking.updates import EventType, Fix, Subject
from engine.domain.values import replace
from engine.geo.earth import distances_m
from engine.geo.index import Entry
from engine.geo.shapes import shape_of
from engine.tracking.step import EVENTS, Presences, step

type _Flags = NDArray[np.bool]

_ANYTHING_ELSE = 9
_KEPT_AWAY = {
    EventType.ENTERED_GEOFENCE: {Outcome.ENTRY_WITHHELD: 0},
    EventType.EXITED_GEOFENCE: {Outcome.EXIT_WITHHELD: 0, Outcome.LEAVE_SILENTLY: 0, Outcome.ENTRY_WITHHELD: 1},
    EventType.DWELLED_IN_GEOFENCE: {Outcome.DWELL_WITHHELD: 0, Outcome.STAY_INSIDE: 1, Outcome.ENTRY_WITHHELD: 2},
}
"""Rank of the outcomes that prevent an event: its own withholding first, then that of events that must precede it."""

_MARGIN_M = 1.0
_MARGIN = 1.01


def with_value(
    parameter: SweepParameter, value: float, geofence: Geofence, settings: ProjectSettings
) -> tuple[Geofence, ProjectSettings]:
    """Return geofence and settings with a parameter set. Either is unchanged if the parameter does not concern it.

    Raises `InvalidParameter` naming ``geofence``, or the field that cannot have the value.
    """
    match parameter:
        case SweepParameter.RADIUS:
            if not isinstance(geofence.geometry, Circle):
                raise InvalidParameter("geofence", "geofence: must be a circle, since only a circle has a radius.")
            return replace(geofence, geometry=replace(geofence.geometry, radius_m=check_radius(value))), settings
        case SweepParameter.DWELL:
            threshold_s = check_dwell_threshold(value * 60, "dwell_threshold_s")
            rules = replace(geofence.rules, dwell_threshold_s=threshold_s)
            return replace(geofence, rules=rules), replace(settings, dwell_event=True)
        case SweepParameter.BUFFER:
            buffers = BUFFERS[round(value)]
            entries, exits = buffers in ("entries", "both"), buffers in ("exits", "both")
            return geofence, replace(settings, buffer_entries=entries, buffer_exits=exits)
        case _:
            return geofence, settings


def truth_of(fixes: Sequence[Fix], geofence: Geofence, settings: ProjectSettings, subject: Subject) -> list[SweepEvent]:
    """Return the events of fixes without noise, ignoring the rules that compensate for a phone's errors."""
    return detected_events(fixes, *plain(geofence, settings), subject)


def plain(geofence: Geofence, settings: ProjectSettings) -> tuple[Geofence, ProjectSettings]:
    """Return geofence and settings without the rules that compensate for a phone's errors."""
    own = replace(geofence, rules=replace(geofence.rules, stop_detection=None))
    return own, replace(settings, stop_detection=False, buffer_entries=False, buffer_exits=False, minimum_confidence=1)


def why_nothing(
    fixes: Sequence[Fix], geofence: Geofence, settings: ProjectSettings, subject: Subject, event_type: EventType
) -> str | None:
    """Return the most frequent reason why fixes make no event of a type, or None if they make one."""
    fence = Entry.of(geofence.id, geofence, shape_of(geofence.geometry))
    presences: Presences = {}
    kept_away: Counter[tuple[int, str]] = Counter()
    nearest_m = inf
    for fix in fixes:
        taken = step(presences, subject, fix, (fence,), settings, fix.at)
        if any(EVENTS[decision.outcome] is event_type for decision in taken.fired):
            return None
        presences = taken.presences
        for explanation in (decision.explanation() for decision in taken.decisions):
            nearest_m = min(nearest_m, explanation.distance_m)
            if any(reason.rule not in FACTS for reason in explanation.failed):
                rank = _KEPT_AWAY[event_type].get(explanation.outcome, _ANYTHING_ELSE)
                kept_away[rank, explanation.text] += 1
    if kept_away:
        first = min(rank for rank, _ in kept_away)
        return max((times, text) for (rank, text), times in kept_away.items() if rank == first)[1]
    if nearest_m > 0:
        return f"the track comes no nearer to the geofence than {nearest_m:.0f} m"
    return "the device never leaves" if event_type is EventType.EXITED_GEOFENCE else None


def detected_events(
    fixes: Sequence[Fix], geofence: Geofence, settings: ProjectSettings, subject: Subject
) -> list[SweepEvent]:
    """Return the events of fixes for a user who starts outside."""
    fence = Entry.of(geofence.id, geofence, shape_of(geofence.geometry))
    far, deep = _undoubted(fixes, fence, settings)
    presences: Presences = {}
    found: list[SweepEvent] = []
    for fix, is_far, is_deep in zip(fixes, far.tolist(), deep.tolist(), strict=True):
        if is_deep if presences else is_far:
            continue  # no event is possible
        taken = step(presences, subject, fix, (fence,), settings, fix.at)
        presences = taken.presences
        found += (SweepEvent(EVENTS[decision.outcome], fix.at) for decision in taken.fired)
    return found


def _undoubted(fixes: Sequence[Fix], fence: Entry[Geofence], settings: ProjectSettings) -> tuple[_Flags, _Flags]:
    """Return which fixes are too far away for an entry, and which too far inside for an exit or a dwell."""
    rules, geometry = fence.item.rules, fence.item.geometry
    if rules.disable_after is not None or rules.delete_after is not None or not fixes:
        none = np.zeros(len(fixes), np.bool)
        return none, none
    center, radius_m = fence.shape.center, fence.shape.radius_m
    positions = np.array([(fix.point.longitude, fix.point.latitude, fix.accuracy_m) for fix in fixes])
    away = distances_m(center.longitude, center.latitude, positions[:, 0], positions[:, 1])
    far = away > radius_m * _MARGIN + positions[:, 2] + _MARGIN_M
    is_open = isinstance(geometry, Circle) and fence.item.enabled and not settings.dwell_event
    return far, (away < radius_m - _MARGIN_M) & is_open
