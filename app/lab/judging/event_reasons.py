"""The engine's reasons for the presence or absence of events of trips, beacons, places and regions."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from app.lab.files.words import spell_duration
from app.lab.running.recording import Happened, Sent
from engine.domain.tracking.trips import TripStatus
from engine.domain.tracking.updates import Event, EventType
from engine.domain.tracking.verdicts import Topic, Verdict, topic_of
from engine.trips.reasons import verdict_of_client

MOST: Final = 3
_AROUND: Final = 6
type _Judged = tuple[Sent, Verdict]

EVENT_OF_STATUS: Final = {
    TripStatus.STARTED: EventType.STARTED_TRIP,
    TripStatus.APPROACHING: EventType.APPROACHING_TRIP_DESTINATION,
    TripStatus.ARRIVED: EventType.ARRIVED_AT_TRIP_DESTINATION,
    TripStatus.COMPLETED: EventType.STOPPED_TRIP,
    TripStatus.CANCELED: EventType.STOPPED_TRIP,
    TripStatus.EXPIRED: EventType.STOPPED_TRIP,
}


def why_this_came(happened: Happened) -> tuple[str, ...]:
    """Return why an event occurred, or nothing if the engine has no reasons for it."""
    event, sent = happened.event, happened.sent
    if sent is None:
        made = verdict_of_client(event)
        return () if made is None else (f"{spell_duration(happened.at)}: {made.text}",)
    names = _names_of(event)
    return tuple(
        _line(sent, verdict)
        for verdict in sent.verdicts
        if verdict.fired and verdict.type == event.type and names & _names(verdict)
    )


def why_that_did_not(
    sent_updates: Sequence[Sent], kind: str, name: str | None, at: timedelta | None
) -> tuple[str, ...]:
    """Return the engine's reasons for the absence of an event, optionally of the subject with this name.

    The reasons are from around `at` if a time is given, else the ones that came closest to the event.
    """
    topic = topic_of(kind)
    judged = [(sent, verdict) for sent in sent_updates for verdict in sent.verdicts if _may_be(verdict, topic, name)]
    if not judged:
        return _silence(topic, name)
    if at is not None:
        times = sorted({sent.at for sent, _ in judged}, key=lambda each: abs(each - at))[:_AROUND]
        judged = [each for each in judged if each[0].at in times]
    ranked = sorted(judged, key=lambda each: _rank(each, kind, name, at))
    best = _rank(ranked[0], kind, name, at)[0]
    telling = [each for each in ranked if _rank(each, kind, name, at)[0] == best][:MOST]
    return tuple(dict.fromkeys(_line(*each) for each in sorted(telling, key=lambda each: each[0].at)))


def _may_be(verdict: Verdict, topic: Topic | None, name: str | None) -> bool:
    is_about = name is None or verdict.about is None or name in verdict.about.names
    return verdict.topic is topic and is_about


def _rank(judged: _Judged, kind: str, name: str | None, at: timedelta | None) -> tuple[int, float, float]:
    """Return the sort key of a verdict: same event, same subject, a failed rule, then closest in time or to passing."""
    sent, verdict = judged
    is_other_subject = name is not None and verdict.about is None
    is_fact = not verdict.fired and all(reason.is_fact for reason in verdict.failed)
    first = 4 * (verdict.type != kind) + 2 * is_other_subject + is_fact
    if at is not None:
        return first, abs((sent.at - at).total_seconds()), 0.0
    return first, _lacking(verdict), -sent.at.total_seconds()


def _lacking(verdict: Verdict) -> float:
    """Return by how much a value missed: the seconds to a threshold, or the metres to a place."""
    for reason in verdict.failed:
        for name in ("eta", "distance", "accuracy"):
            value = reason.values.get(name)
            if isinstance(value, int | float):
                return float(value)
    return 0.0


def _silence(topic: Topic | None, name: str | None) -> tuple[str, ...]:
    if topic is Topic.BEACON:
        return (f"no location update reported {name or 'a beacon'}",)
    if topic is Topic.TRIP and name is not None:
        return (f"no location update belonged to the trip {name}",)
    return ()


def _line(sent: Sent, verdict: Verdict) -> str:
    return f"{spell_duration(sent.at)}: {verdict.text}"


def _names(verdict: Verdict) -> set[str]:
    return set() if verdict.about is None else set(verdict.about.names)


def _names_of(event: Event) -> set[str]:
    """Return every name of the subject of an event."""
    if event.trip is not None:
        return {event.trip.external_id, event.trip.id}
    if event.beacon is not None:
        return {f"{event.beacon.tag}/{event.beacon.external_id}", event.beacon.id}
    if event.place is not None:
        return {event.place.name, event.place.id}
    return set() if event.region is None else {event.region.name, event.region.code}
