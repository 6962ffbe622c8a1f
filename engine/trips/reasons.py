"""Reasons why events of a trip fired at a location update, or not, based on the trip before and after it."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.trips import DEFAULT_ARRIVAL_RADIUS_M, Destination, Eta, Trip, TripChange, TripStatus
from engine.domain.tracking.updates import Event, EventType
from engine.domain.tracking.verdicts import About, EventReason, Verdict, age_s, because, fires, shown, withheld
from engine.geo.earth import metres_between
from engine.trips.eta import EtaBasis
from engine.trips.machine import MIN_ETA_CHANGE_S, Seen, Stepped, TripEvent

_APPROACHING, _ARRIVED = EventType.APPROACHING_TRIP_DESTINATION, EventType.ARRIVED_AT_TRIP_DESTINATION
_WRONG: Final = EventType.ARRIVED_AT_WRONG_TRIP_DESTINATION
_ON_THE_WAY: Final = (TripStatus.STARTED, TripStatus.APPROACHING)


class Threshold(Struct, frozen=True):
    """The ETA from which a user counts as approaching, and the source of this value."""

    seconds: float
    source: str


class TripCase(Struct, frozen=True):
    """The effect of a location update on a trip.

    `requested` is the result of the update's own trip options, `seen` the result of the position, and `ended` the
    result of options applied after that. `observation` is None if the trip had ended, or has already advanced beyond a
    late update. `fence` names the destination's geofence if there is one, and `outside_m` is the distance to it, or
    None if the user is in it.
    """

    requested: Stepped
    seen: Stepped
    ended: Stepped
    observation: Seen | None
    threshold: Threshold
    basis: EtaBasis | None = None
    fence: str | None = None
    outside_m: float | None = None

    @property
    def before(self) -> Trip:
        """The trip before the position was considered."""
        return self.requested.trip

    @property
    def status(self) -> TripStatus:
        """Status in which the position was judged. A pending trip has been started by then."""
        status = self.before.status
        return TripStatus.STARTED if status is TripStatus.PENDING else status

    @property
    def by_client(self) -> tuple[TripEvent, ...]:
        """Events caused by the trip options."""
        return (*self.requested.events, *self.ended.events)


def trip_verdicts(case: TripCase) -> tuple[Verdict, ...]:
    """Return the verdicts on all kinds of trip events: whether each fired, and why."""
    about = About(case.before.external_id, case.before.id)
    by_client = {each.type: each for each in case.by_client}
    verdicts = []
    for kind, judge in _JUDGES.items():
        fired = [each for each in case.seen.events if each.type is kind]
        if not fired and kind in by_client:
            verdicts.append(fires(kind, about, *client_reasons(kind, by_client[kind].trip)))
            continue
        if case.observation is None and case.before.status.is_open:
            verdicts.append(withheld(kind, about, because(EventWording.TRIP_LATE)))
            continue
        reasons = tuple(judge(case, fired))
        verdicts.append(Verdict(kind, bool(fired), reasons, about))
    return tuple(verdicts)


def client_reasons(kind: str, trip: Trip) -> tuple[EventReason, ...]:
    """Return why an event fired without a location update: because of a client, or because time passed."""
    if trip.status is TripStatus.EXPIRED:
        return (because(EventWording.TRIP_EXPIRED),)
    if kind == EventType.UPDATED_TRIP:
        return (because(EventWording.TRIP_EDITED),)
    return (because(EventWording.TRIP_SET, status=trip.status.value),)


def verdict_of_client(event: Event) -> Verdict | None:
    """Return the verdict on a trip event that was not caused by a location update, or None for other events."""
    if (trip := event.trip) is None:
        return None
    return fires(event.type, About(trip.external_id, trip.id), *client_reasons(event.type, trip))


def refusal_of(change: TripChange, error: InvalidParameter) -> Verdict:
    """Return why trip options did not start or change a trip."""
    values = {"trip": change.external_id or "", "message": error.message.rstrip(".")}
    about = None if change.external_id is None else About(change.external_id)
    return withheld(EventType.STARTED_TRIP, about, because(EventWording.TRIP_REFUSED, **values))


def _started(case: TripCase, fired: list[TripEvent]) -> Iterator[EventReason]:
    if fired:
        yield because(EventWording.TRIP_FIRST)
    else:
        yield _is(case.before.status)


def _approaching(case: TripCase, fired: list[TripEvent]) -> Iterator[EventReason]:
    if case.observation is None or case.status is not TripStatus.STARTED:
        yield _is(case.status)
    elif case.before.heading_for is None:
        yield because(EventWording.TRIP_NO_DESTINATION)
    elif _arrives(case):
        yield because(EventWording.TRIP_ARRIVES)
    elif not case.observation.etas:
        yield because(EventWording.TRIP_NO_ETA)
    else:
        eta, limit = case.observation.etas[0], case.threshold
        wording = EventWording.TRIP_BELOW if fired else EventWording.TRIP_ABOVE
        seconds = shown(eta.duration_s, limit.seconds)
        yield _was(case.status)
        yield from _source_of_eta(case, eta)
        yield because(wording, eta=seconds, threshold=limit.seconds, source=limit.source)


def _arrived(case: TripCase, fired: list[TripEvent]) -> Iterator[EventReason]:
    destination = case.before.heading_for
    if case.observation is None or case.status not in _ON_THE_WAY:
        yield _is(case.status)
    elif destination is None:
        yield because(EventWording.TRIP_NO_DESTINATION)
    else:
        yield _was(case.status)
        yield _there(case, destination, case.observation, is_there=bool(fired))


def _there(case: TripCase, destination: Destination, observation: Seen, *, is_there: bool) -> EventReason:
    """Return whether the user is at a destination, as a reason."""
    if case.fence is not None:
        if is_there:
            return because(EventWording.TRIP_IN_GEOFENCE, geofence=case.fence)
        if case.outside_m is not None and case.outside_m > 0:
            return because(EventWording.TRIP_OUTSIDE, geofence=case.fence, distance=round(case.outside_m, 1))
        return because(EventWording.TRIP_NOT_ENTERED, geofence=case.fence)
    distance_m = metres_between(observation.point, destination.point)
    radius_m = destination.arrival_radius_m or DEFAULT_ARRIVAL_RADIUS_M
    wording = EventWording.TRIP_WITHIN if is_there else EventWording.TRIP_BEYOND
    return because(wording, distance=shown(distance_m, radius_m), radius=radius_m)


def _at_wrong_one(case: TripCase, fired: list[TripEvent]) -> Iterator[EventReason]:
    destination = case.before.heading_for
    if case.observation is None or case.status not in _ON_THE_WAY:
        yield _is(case.status)
    elif destination is None:
        yield because(EventWording.TRIP_NO_DESTINATION)
    elif _arrives(case):
        yield because(EventWording.TRIP_ARRIVES)
    elif destination.tag is None:
        yield because(EventWording.TRIP_NO_TAG)
    elif not fired:
        yield because(EventWording.TRIP_NONE_ENTERED, tag=destination.tag)
    for each in fired:
        if (other := each.geofence) is not None:
            yield because(EventWording.TRIP_OTHER_ENTERED, geofence=f"{other.tag}/{other.external_id}")


def _updated(case: TripCase, fired: list[TripEvent]) -> Iterator[EventReason]:
    trip, sent_s = case.seen.trip, case.before.told_s
    if not trip.status.is_active:
        yield _is(trip.status)
    elif trip.eta is None:
        yield because(EventWording.TRIP_NO_ETA)
    elif not fired and (case.seen.events or case.requested.events):
        yield because(EventWording.TRIP_OTHER_EVENT)
    else:
        yield from _source_of_eta(case, trip.eta)
        yield _change(trip.eta.duration_s, sent_s, differs=bool(fired))


def _change(eta_s: float, sent_s: float | None, *, differs: bool) -> EventReason:
    if sent_s is None:
        return because(EventWording.TRIP_FIRST_ETA)
    difference_s = abs(eta_s - sent_s)
    # A difference below one minute is not rounded up to a minute.
    difference = shown(difference_s) if differs else _below(difference_s, MIN_ETA_CHANGE_S)
    wording = EventWording.TRIP_CHANGED if differs else EventWording.TRIP_UNCHANGED
    return because(wording, eta=shown(eta_s), sent=shown(sent_s), difference=difference, least=MIN_ETA_CHANGE_S)


def _below(seconds: float, limit_s: float) -> float:
    return next((short for digits in (0, 1, 3) if (short := round(seconds, digits)) < limit_s), seconds)


def _stopped(_case: TripCase, _fired: list[TripEvent]) -> Iterator[EventReason]:
    yield because(EventWording.TRIP_NOT_SET)


_JUDGES: Final = {
    EventType.STARTED_TRIP: _started,
    EventType.UPDATED_TRIP: _updated,
    _APPROACHING: _approaching,
    _ARRIVED: _arrived,
    _WRONG: _at_wrong_one,
    EventType.STOPPED_TRIP: _stopped,
}


def _source_of_eta(case: TripCase, eta: Eta) -> Iterator[EventReason]:
    """Yield the source and the age of an ETA."""
    basis = case.basis
    if basis is None or case.observation is None or not case.observation.etas:
        return
    seconds = shown(eta.duration_s, case.threshold.seconds)
    if basis.routed_at is None:
        wording = EventWording.TRIP_ESTIMATED if basis.has_failed else EventWording.TRIP_ESTIMATED_FIRST
        speed_mps = round(eta.distance_m / max(eta.duration_s, 1e-9), 1)
        yield because(wording, eta=seconds, distance=round(eta.distance_m, 1), speed=speed_mps)
        return
    age = age_s(basis.routed_at, basis.at)
    if basis.off_m is None:
        yield because(EventWording.TRIP_ROUTED, eta=seconds, age=age)
    else:
        yield because(EventWording.TRIP_DETOUR, eta=seconds, age=age, off=round(basis.off_m, 1))


def _arrives(case: TripCase) -> bool:
    return any(each.type is _ARRIVED for each in case.seen.events)


def _is(status: TripStatus) -> EventReason:
    return because(EventWording.TRIP_IS, status=status.value)


def _was(status: TripStatus) -> EventReason:
    return because(EventWording.TRIP_WAS, status=status.value)
