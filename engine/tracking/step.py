"""The effect of a fix on all presences of a user, and the verdicts of an update on other events.

All functions are pure, so that tracking and replaying give the same results.

A late fix is decided and reported when it arrives, but the updates in order continue from their own state: their
presences keep their times and dwells. Therefore a late fix, which may begin or end a presence, keeps the presences
before it as `in_order`. The next fix in order is decided on these, and reverses any different report of the late one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from datetime import datetime
from typing import Final

from msgspec import Struct

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.reasons import anonymous_verdicts, beacon_verdicts
from engine.beacons.stays import CONFIDENCE, BeaconStep, Left
from engine.domain.geofence import Geofence
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.beacon import BeaconStays, BeaconSummary
from engine.domain.tracking.decision import Outcome, Reason, Wording
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.updates import Confidence, Event, EventType, Fix, LocationUpdate, Presence, Subject, User
from engine.domain.tracking.verdicts import Topic, Verdict, because, withheld
from engine.domain.values import replace
from engine.geo.index import Entry, SpatialIndex
from engine.tracking.context import summary_of
from engine.tracking.decide import Decision, changes_nothing, decide
from engine.tracking.measure import LARGEST_M
from engine.tracking.place_state import Around, Moved, PlaceEvent
from engine.tracking.reasons.places import place_verdicts
from engine.tracking.reasons.regions import region_verdicts

type Presences = dict[str, Presence]
"""Presences of a user by geofence identifier."""

EXPLAINED_M: Final = 500.0
"""Distance in metres within which a geofence is explained, regardless of the accuracy."""

EVENTS: Final = {
    Outcome.EXIT: EventType.EXITED_GEOFENCE,
    Outcome.ENTER: EventType.ENTERED_GEOFENCE,
    Outcome.DWELL: EventType.DWELLED_IN_GEOFENCE,
}
"""Outcomes that generate an event."""

_ENDS: Final = frozenset({Outcome.END_SILENTLY, Outcome.LEAVE_SILENTLY, Outcome.EXIT})
_ORDER: Final = {
    Outcome.END_SILENTLY: 0,
    Outcome.LEAVE_SILENTLY: 0,
    Outcome.EXIT: 1,
    Outcome.ENTER: 2,
    Outcome.DWELL: 3,
}
"""Outcomes that change a presence, in the order of their events."""


class Step(Struct, frozen=True):
    """Decisions, the changes of presences in the order of their events, and the resulting presences.

    `before` are the presences on which the decisions are based. `in_order` are the presences according to the updates
    in order alone, after a late one.
    """

    decisions: list[Decision]
    changes: list[Decision]
    presences: Presences
    before: Presences
    in_order: Mapping[str, Presence] | None = None

    @property
    def fired(self) -> list[Decision]:
        """The decisions that generate an event."""
        return [decision for decision in self.changes if decision.outcome in EVENTS]


def candidates(
    index: SpatialIndex[Geofence],
    fix: Fix,
    presences: Mapping[str, Presence],
    settings: ProjectSettings,
    *,
    explain: bool = False,
) -> list[Entry[Geofence]]:
    """Return the geofences that may be relevant to a fix: those nearby, and those the user is in."""
    longitude, latitude = fix.point.longitude, fix.point.latitude
    if explain:
        near = index.near(longitude, latitude, explained_m(fix))
    elif settings.buffer_entries:
        near = index.near(longitude, latitude, min(fix.accuracy_m, LARGEST_M))
    else:
        near = index.at(longitude, latitude)
    if presences:
        known = {fence.key for fence in near}
        near += [fence for key in presences if key not in known and (fence := index.get(key)) is not None]
    return near


def explained_m(fix: Fix) -> float:
    """Return the distance within which geofences are explained."""
    return min(max(fix.accuracy_m, EXPLAINED_M), LARGEST_M)


def step(
    presences: Presences,
    subject: Subject,
    fix: Fix,
    fences: Iterable[Entry[Geofence]],
    settings: ProjectSettings,
    now: datetime,
    *,
    explain: bool = True,
    in_order: Mapping[str, Presence] | None = None,
) -> Step:
    """Decide about each geofence that is nearby or has a presence, as `decide` does.

    Without `explain`, decisions on presences that simply continue are omitted. `in_order` are the presences kept by
    late updates, whose geofences are in `fences` as well.
    """
    reported = presences
    if fix.late_after is not None:
        in_order = presences if in_order is None else in_order
        differing: Set[str] = frozenset()
    else:
        fences = list(fences)
        presences = begun(_without_late(presences, in_order, fences), fix)
        differing = frozenset() if in_order is None else presences.keys() ^ reported.keys()
        in_order = None
    decisions = []
    for fence in fences:
        key = fence.item.id
        presence = presences.get(key)
        if explain or presence is None or key in differing or not changes_nothing(presence, fix, fence, settings, now):
            decisions.append(decide(presence, subject, fix, fence, settings, now))
    changes = sorted((decision for decision in decisions if decision.outcome in _ORDER), key=_order)
    after = _after(presences, changes, fix) if changes else presences
    if differing:
        decisions = [each for decision in decisions for each in _corrected(decision, differing, reported)]
        changes = sorted((decision for decision in decisions if decision.outcome in _ORDER), key=_order)
        presences = presences | {key: Presence(key, fix.at) for key in differing if key in reported}
    return Step(decisions, changes, after, presences, in_order)


def begun(presences: Presences, fix: Fix) -> Presences:
    """Return presences as seen by a fix in order.

    A presence cannot begin after the fix, so its start is moved if time goes backwards.
    """
    moved = {key: replace(stay, entered_at=fix.at) for key, stay in presences.items() if stay.entered_at > fix.at}
    return presences | moved if moved else presences


def stay_s(presence: Presence | None, fix: Fix) -> float | None:
    """Return the duration of a presence that ends with a fix."""
    return None if presence is None else fix.lasted_s(presence.entered_at)


def _without_late(
    presences: Presences, in_order: Mapping[str, Presence] | None, fences: Iterable[Entry[Geofence]]
) -> Presences:
    """Return the presences according to the updates in order alone, in geofences that still exist."""
    if in_order is None:
        return presences
    known = presences.keys() | {fence.item.id for fence in fences}
    return {key: stay for key, stay in in_order.items() if key in known}


def _corrected(decision: Decision, differing: Set[str], reported: Presences) -> Iterator[Decision]:
    """Yield the decisions to report for an update in order after late ones reported a different state.

    A report that has become true is not repeated. A report that is not true is reversed, even if rules would withhold
    it.
    """
    key, outcome = decision.fence.item.id, decision.outcome
    if key not in differing:
        yield decision
        return
    is_inside = outcome is Outcome.ENTER if key in reported else outcome not in _ENDS
    if is_inside is (key in reported):
        known = Reason(Wording.REPORTED_LATE)
        outcome = Outcome.STAY_INSIDE if is_inside else Outcome.STAY_OUTSIDE
        yield decision._replace(outcome=outcome, reasons=(*decision.reasons, known))
        return
    yield decision.reversal(inside=is_inside)
    if outcome is Outcome.DWELL:
        yield decision


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
            after[key] = replace(after[key], dwelled=True)
    return after


class EventMaker:
    """Creates the events of an update as they are stored and published."""

    def __init__(self, make_id: Callable[[], str]) -> None:
        self._make_id = make_id

    def of_geofences(
        self,
        user: User,
        fix: Fix,
        decisions: Iterable[Decision],
        presences: Presences,
        now: datetime,
        update: LocationUpdate,
    ) -> tuple[Event, ...]:
        """Return the events of decisions on geofences, which may number thousands."""
        summary, described = user.summary, {each.id: each for each in user.geofences}

        def event(decision: Decision) -> Event:
            kind, key = EVENTS[decision.outcome], decision.fence.item.id
            leaves = kind is EventType.EXITED_GEOFENCE
            return Event(
                id=self._make_id(),
                environment=user.environment,
                type=kind,
                created_at=fix.at,
                actual_created_at=now,
                user=summary,
                geofence=described.get(key) or summary_of(decision.fence),
                point=fix.point,
                accuracy_m=fix.accuracy_m,
                confidence=decision.confidence,
                duration_s=stay_s(presences.get(key), fix) if leaves else None,
                currently_operating=decision.currently_operating,
                replayed=update.replayed,
            )

        return tuple(map(event, decisions))

    def of_place(self, user: User, fix: Fix, place_event: PlaceEvent, now: datetime, update: LocationUpdate) -> Event:
        """Return the event of a place, a region, or home or work."""
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=place_event.type,
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            confidence=place_event.confidence,
            duration_s=place_event.duration_s,
            place=place_event.place,
            region=place_event.region,
            alternate_places=place_event.alternates,
            replayed=update.replayed,
        )

    def of_beacon(
        self, user: User, fix: Fix, change: Left | BeaconSummary, now: datetime, update: LocationUpdate
    ) -> Event:
        """Return the event of a beacon that the user came near or left."""
        left = change if isinstance(change, Left) else None
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=EventType.ENTERED_BEACON if left is None else EventType.EXITED_BEACON,
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            confidence=CONFIDENCE,
            duration_s=None if left is None else left.duration_s,
            beacon=change.beacon if isinstance(change, Left) else change,
            replayed=update.replayed,
        )

    def of_fraud(self, user: User, fix: Fix, now: datetime, update: LocationUpdate) -> Event:
        """Return the event of a location that failed the fraud checks."""
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=EventType.FAILED_FRAUD,
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            confidence=Confidence.HIGH,
            fraud=user.fraud,
            replayed=update.replayed,
        )


def around_verdicts(moved: Moved, fix: Fix, settings: ProjectSettings, around: Around) -> tuple[Verdict, ...]:
    """Return the verdicts about places and regions that the settings enable."""
    if not (settings.places or settings.regions):
        return ()
    places = place_verdicts(moved, fix, settings, around) if settings.places else ()
    regions = region_verdicts(moved, fix, around) if settings.regions else ()
    return (*places, *regions)


def stay_verdicts(
    before: BeaconStays, update: LocationUpdate, step: BeaconStep, catalog: BeaconCatalog, fix: Fix
) -> tuple[Verdict, ...]:
    """Return the verdicts about beacons, or none if there are no stored and no reported ones."""
    if not catalog and not update.beacons:
        return ()
    return beacon_verdicts(before, update.beacons, step, catalog, fix)


def anonymous_update_verdicts(
    moved: Moved, update: LocationUpdate, fix: Fix, settings: ProjectSettings, around: Around, *, has_trip: bool
) -> tuple[Verdict, ...]:
    """Return the verdicts about beacons, trips, places and regions for an anonymous device."""
    trip = withheld(EventType.STARTED_TRIP, None, because(EventWording.TRIP_ANONYMOUS))
    found = (
        *((trip,) if has_trip else ()),
        *anonymous_verdicts(update.beacons),
        *around_verdicts(moved, fix, settings, around),
    )
    return complete(found, settings)


def complete(verdicts: Iterable[Verdict], settings: ProjectSettings) -> tuple[Verdict, ...]:
    """Add the verdicts that follow from the absence of others: no trip, and disabled settings."""
    found = tuple(verdicts)
    topics = {each.topic for each in found}
    left = []
    if Topic.TRIP not in topics:
        left.append(withheld(EventType.STARTED_TRIP, None, because(EventWording.TRIP_NONE)))
    if not settings.places:
        left.append(withheld(EventType.ENTERED_PLACE, None, because(EventWording.PLACES_OFF)))
    if not settings.regions:
        left.append(withheld(EventType.ENTERED_COUNTRY, None, because(EventWording.REGIONS_OFF)))
    return (*found, *left)
