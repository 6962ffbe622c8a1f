"""The effect of one fix on all of a user's presences: pure, so that tracking and running again are the same."""

from collections.abc import Iterable
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
    """Decisions, those that change a presence in the order of their events, and the presences after them."""

    decisions: list[Decision]
    changes: list[Decision]
    presences: Presences

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
) -> Step:
    """Decide about each geofence, near or with a presence; see `decide`.

    Where nobody is `told` of the decisions that change nothing, those on stays that merely go on are left out.
    """
    decisions = []
    for fence in fences:
        presence = presences.get(fence.item.id)
        if told or presence is None or not changes_nothing(presence, fix, fence, settings, now):
            decisions.append(decide(presence, subject, fix, fence, settings, now))
    changes = [decision for decision in decisions if decision.outcome in _ORDER]
    if not changes:
        return Step(decisions, changes, presences)
    changes.sort(key=_order)
    return Step(decisions, changes, _after(presences, changes, fix))


def stay_s(presence: Presence | None, fix: Fix) -> float | None:
    """Return how long a stay was that ends with a fix; a device whose clock was ahead may leave before it came."""
    return None if presence is None else max(0.0, (fix.at - presence.entered_at).total_seconds())


def _order(decision: Decision) -> tuple[int, str, str]:
    geofence = decision.fence.item
    return _ORDER[decision.outcome], geofence.tag, geofence.external_id


def _after(presences: Presences, changes: Iterable[Decision], fix: Fix) -> Presences:
    after = dict(presences)
    for decision in changes:
        key = decision.fence.item.id
        if decision.outcome in _ENDS:
            del after[key]
        elif decision.outcome is Outcome.ENTER:
            after[key] = Presence(key, fix.at)
        else:
            after[key] = Presence(key, after[key].entered_at, dwelled=True)
    return after
