"""The effect of one fix on all of a user's presences: pure, so that tracking and running again are the same.

A late fix is decided and reported when it comes, but the updates in order go on from where they were: their stays keep
their times and their dwells. So a late fix, which may begin or end a stay, leaves the presences of before it as
`in_order`. The next fix in order reverses what the late one reported and continues from these.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from engine.domain.geofence import Geofence
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.updates import EventType, Fix, Presence, Subject
from engine.domain.values.dataclass import dataclass
from engine.geo.index import Entry
from engine.tracking.decide import Decision, changes_nothing, decide

type Presences = dict[str, Presence]
"""Where a user is inside, by the geofence's identifier."""

EVENTS: Final = {
    Outcome.EXIT: EventType.EXITED_GEOFENCE,
    Outcome.ENTER: EventType.ENTERED_GEOFENCE,
    Outcome.DWELL: EventType.DWELLED_IN_GEOFENCE,
}
"""The outcomes that generate an event."""

_ENDS: Final = frozenset({Outcome.END_SILENTLY, Outcome.LEAVE_SILENTLY, Outcome.EXIT})
_ORDER: Final = {
    Outcome.END_SILENTLY: 0,
    Outcome.LEAVE_SILENTLY: 0,
    Outcome.EXIT: 1,
    Outcome.ENTER: 2,
    Outcome.DWELL: 3,
}
"""The outcomes that change a presence, in the order of their events."""


@dataclass(frozen=True, slots=True)
class Step:
    """Decisions, those that change a presence in the order of their events, and the presences after them.

    `in_order` are the presences by the updates in order alone, where late ones have made a difference.
    """

    decisions: list[Decision]
    changes: list[Decision]
    presences: Presences
    in_order: Mapping[str, Presence] | None = None

    @property
    def fired(self) -> list[Decision]:
        """The decisions that generate an event."""
        return [decision for decision in self.changes if decision.outcome in EVENTS]


def step(
    presences: Presences,
    subject: Subject,
    fix: Fix,
    fences: Iterable[Entry[Geofence]],
    settings: ProjectSettings,
    now: datetime,
    *,
    told: bool = True,
    in_order: Mapping[str, Presence] | None = None,
) -> Step:
    """Decide about each geofence, near or with a presence; see `decide`.

    Where nobody is `told` of the decisions that change nothing, those on stays that merely go on are left out.
    `in_order` are the presences that late updates have left behind; `fences` has their geofences, too.
    """
    if fix.late_after is None:
        presences = begun(presences, fix, in_order)
    elif in_order is None:
        in_order = presences
    decisions = []
    for fence in fences:
        presence = presences.get(fence.item.id)
        if told or presence is None or not changes_nothing(presence, fix, fence, settings, now):
            decisions.append(decide(presence, subject, fix, fence, settings, now))
    interrupted: Presences = {}
    if fix.late_after is None and in_order is not None:
        interrupted = {key: stay for key, stay in in_order.items() if key not in presences}
        decisions += _due(decisions, interrupted, subject, fix, settings, now)
    changes = [decision for decision in decisions if decision.outcome in _ORDER]
    if changes:
        changes.sort(key=_order)
        presences = _after(presences, changes, fix, interrupted)
    if fix.late_after is None:
        in_order = _still_interrupted(interrupted, decisions, presences, subject, fix, settings, now)
    return Step(decisions, changes, presences, in_order)


def begun(presences: Presences, fix: Fix, in_order: Mapping[str, Presence] | None) -> Presences:
    """Return presences as a fix in order sees them.

    A stay that late updates began, begins with this fix. A stay began no later than it was last seen, so time that
    goes back takes its beginning along.
    """
    moved = {key: replace(stay, entered_at=fix.at) for key, stay in presences.items() if stay.entered_at > fix.at}
    if in_order is not None:
        moved |= {key: Presence(key, fix.at) for key in presences if key not in in_order}
    return presences | moved if moved else presences


def stay_s(presence: Presence | None, fix: Fix) -> float | None:
    """Return how long a stay was that ends with a fix."""
    return None if presence is None else fix.lasted_s(presence.entered_at)


def _due(
    decisions: Iterable[Decision],
    interrupted: Presences,
    subject: Subject,
    fix: Fix,
    settings: ProjectSettings,
    now: datetime,
) -> list[Decision]:
    """Return the dwells that are due where stays continue that late updates have interrupted."""
    returned = (each.fence for each in decisions if each.outcome is Outcome.ENTER and each.fence.item.id in interrupted)
    found = (decide(interrupted[fence.item.id], subject, fix, fence, settings, now) for fence in returned)
    return [decision for decision in found if decision.outcome is Outcome.DWELL]


def _still_interrupted(
    interrupted: Presences,
    decisions: Iterable[Decision],
    after: Presences,
    subject: Subject,
    fix: Fix,
    settings: ProjectSettings,
    now: datetime,
) -> Presences | None:
    """Return the presences in order where late updates still make a difference, such as before a withheld entry."""
    fences = {each.fence.item.id: each.fence for each in decisions if each.fence.item.id in interrupted}
    left = {
        key: interrupted[key]
        for key, fence in fences.items()
        if key not in after and decide(interrupted[key], subject, fix, fence, settings, now).outcome not in _ENDS
    }
    return after | left if left else None


def _order(decision: Decision) -> tuple[int, str, str]:
    geofence = decision.fence.item
    return _ORDER[decision.outcome], geofence.tag, geofence.external_id


def _after(presences: Presences, changes: Iterable[Decision], fix: Fix, interrupted: Presences) -> Presences:
    after = dict(presences)
    for decision in changes:
        key = decision.fence.item.id
        if decision.outcome in _ENDS:
            del after[key]
        elif decision.outcome is Outcome.ENTER:
            after[key] = interrupted.get(key) or Presence(key, fix.at)
        else:
            after[key] = replace(after[key], dwelled=True)
    return after
