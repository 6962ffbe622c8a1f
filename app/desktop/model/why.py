"""Explanations of the decisions about an update for each nearby geofence, most interesting first."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from msgspec import Struct

from app.desktop.language import counted, filled, tr, translated
from app.desktop.model.hours.words import in_words
from app.desktop.model.users import state_text
from app.desktop.model.words import capital, fence_name, kind_title, local_time, metres, position
from engine.domain.hours import HoursRule
from engine.domain.tracking.decision import (
    WANTED,
    Explanation,
    Outcome,
    Reason,
    ReasonValue,
    Remedy,
    Values,
    shown_share,
)
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.explaining import ExplainedUpdate, UpdateQuery
from engine.domain.tracking.updates import Event
from engine.domain.tracking.verdicts import EventReason, Topic, Verdict, topic_of
from engine.geo.zones import zone_at
from engine.trips.reasons import verdict_of_client

type Item = Explanation | Verdict
"""The decision about an update for a geofence, or for another event."""

type AnyReason = Reason | EventReason


class About(Enum):
    """The kind of object selected last, which is explained."""

    EVENT = "event"
    TRACK = "track"
    FIX = "fix"
    USER = "user"


NOTES = {
    About.EVENT: tr("The selected event"),
    About.TRACK: tr("The track's current fix"),
    About.FIX: tr("The fix in the timeline"),
    About.USER: tr("The user's last update"),
}


class Subject(Struct, frozen=True):
    """The update to explain; `query` is None before one exists, `fence_id` is the geofence in question.

    `event` is set if the subject is an event.
    """

    about: About
    name: str
    query: UpdateQuery | None
    fence_id: str | None = None
    event: Event | None = None

    @property
    def topic(self) -> Topic | None:
        """Topic of the event, or None if it concerns a geofence."""
        return None if self.event is None else topic_of(self.event.type)


_WOULD_HAVE = {
    Outcome.ENTER: tr("An entry would have fired"),
    Outcome.EXIT: tr("An exit would have fired"),
    Outcome.DWELL: tr("A dwell would have fired"),
}
_OWN_VALUES = frozenset({"source", "state", "side", "status", "kind", "reported", "day"})
"""Names of values that are words of the engine rather than of the user."""

_INSIDE = (Outcome.STAY_INSIDE,)
_NOTHING = (Outcome.STAY_OUTSIDE,)


def ordered(explanations: Sequence[Explanation]) -> tuple[Explanation, ...]:
    """Return explanations sorted: fired or withheld events, stays inside, then the rest by distance."""
    return tuple(sorted(explanations, key=_rank))


def listed(update: ExplainedUpdate, subject: Subject) -> tuple[Item, ...]:
    """Return the items to show for an update, most important first.

    If the subject is an event that does not concern a geofence, these are the items of its trip, beacons, places or
    regions, and of geofences only the destination of the trip. For a fix or a user, these are all decisions about
    possible events.
    """
    topic, event = subject.topic, subject.event
    explanations = ordered(update.explanations)
    if event is None:
        fired = tuple(each for each in update.verdicts if each.fired)
        return (*fired, *explanations, *(each for each in update.verdicts if not each.fired and _is_telling(each)))
    if topic is None:
        return explanations
    main = verdict_of(event, update)
    # An update before an event that a client or time caused does not explain it.
    same = (
        []
        if main is None or main not in update.verdicts
        else [each for each in update.verdicts if _is_with(each, main)]
    )
    destinations = [each for each in explanations if _is_destination(each, event)] if same else []
    return (*(() if main is None else (main,)), *same, *destinations)


def verdict_of(event: Event, update: ExplainedUpdate) -> Verdict | None:
    """Return the reason for an event that does not concern a geofence, or None if no reason was kept."""
    names = _names_of(event)
    for each in update.verdicts:
        if each.fired and each.type == event.type and each.about is not None and names & {*each.about.names}:
            return each if update.fix.at == event.created_at else verdict_of_client(event)
    are_kept = any(each.topic is Topic.TRIP for each in update.verdicts)
    return verdict_of_client(event) if are_kept else None


def is_by_update(event: Event | None, update: ExplainedUpdate) -> bool:
    """Return whether the explained update caused the event, rather than a client or time."""
    return event is None or topic_of(event.type) is not Topic.TRIP or verdict_of(event, update) in update.verdicts


def off_text(update: ExplainedUpdate) -> str:
    """Return the settings that prevent events, as sentences, or "" if there are none."""
    return " ".join(f"{capital(reason_text(each.reasons[-1]))}." for each in update.verdicts if each.is_off)


def _names_of(event: Event) -> set[str]:
    if event.trip is not None:
        return {event.trip.external_id}
    if event.beacon is not None:
        return {event.beacon.id}
    about = event.place or event.region
    return set() if about is None else {about.name}


def fired_of(event: Event) -> tuple[str, str] | None:
    """Return the type and name used to find the update that fired an event, or None if it concerns a geofence."""
    return next(((event.type, name) for name in _names_of(event)), None)


def _is_with(verdict: Verdict, main: Verdict) -> bool:
    return verdict.topic is main.topic and verdict is not main and not verdict.is_off


def _is_telling(verdict: Verdict) -> bool:
    return not (verdict.is_off or verdict.reasons[-1].wording is EventWording.TRIP_NONE)


def _is_destination(explanation: Explanation, event: Event) -> bool:
    destination = None if event.trip is None else event.trip.heading_for
    return destination is not None and destination.geofence_id == explanation.geofence.id


def _rank(explanation: Explanation) -> tuple[int, float, str]:
    outcome = explanation.outcome
    rank = 2 if outcome in _NOTHING else 1 if outcome in _INSIDE else 0
    return rank, explanation.distance_m, explanation.geofence.id


def reasons_in_order(item: Item) -> tuple[AnyReason, ...]:
    """Return the reasons, with failed ones first."""
    return (*item.failed, *(reason for reason in item.reasons if reason.passed))


def headline(item: Item) -> str:
    """Return the decision as a sentence, with reasons only if some failed."""
    text = explanation_text(item) if item.failed else outcome_text(item)
    return f"{capital(text)}."


def outcome_text(item: Item) -> str:
    """Return the decision as text."""
    if isinstance(item, Explanation):
        return translated(item.outcome)
    title = kind_title(item.type)
    return (
        tr("{event_title} fired", event_title=title)
        if item.fired
        else tr("{event_title} did not fire", event_title=title)
    )


def item_name(item: Item) -> str:
    """Return the name of the geofence, trip, beacon, place or region of a decision."""
    if isinstance(item, Explanation):
        return fence_name(item.geofence)
    name = "" if item.about is None else item.about.name
    match item.topic:
        case Topic.TRIP:
            return tr("Trip {trip_id}", trip_id=name) if name else tr("Trips")
        case Topic.BEACON:
            return tr("Beacon {beacon_name}", beacon_name=name) if name else tr("Beacons")
        case Topic.PLACE:
            return name or tr("Places")
        case _:
            return name or tr("Regions")


def explanation_text(item: Item) -> str:
    """Return the decision with its reasons as a sentence without a full stop."""
    return f"{outcome_text(item)}: {'; '.join(map(reason_text, item.relevant_reasons))}"


def reason_text(reason: AnyReason) -> str:
    """Return a reason as a sentence without a full stop."""
    return _filled(reason.wording.text, reason.values)


def _filled(template: str, values: Values) -> str:
    return filled(template, {name: _value(name, value) for name, value in values.items()})


RULES: Final[Mapping[str, str]] = {HoursRule.PLATFORM.value: tr("platform"), HoursRule.CALENDAR.value: tr("calendar")}
"""Names of the rules of operating hours."""

_HOURS = frozenset({"hours", "local"})
"""Names of values that contain days."""


def _value(name: str, value: ReasonValue) -> ReasonValue:
    if isinstance(value, str) and name in _HOURS:
        return in_words(value)
    if isinstance(value, str) and name == "rule":
        return RULES.get(value, value)
    return translated(value) if isinstance(value, str) and name in _OWN_VALUES else value


def _remedy_text(remedy: Remedy) -> str:
    *others, last = (_filled(change.factor.text, change.values) for change in remedy.changes)
    first = ", ".join(others)
    return tr("{first_items} and {last_item}", first_items=first, last_item=last) if others else last


def remedy_lines(explanation: Explanation) -> tuple[str, ...]:
    """Return a heading and a line for each way in which a missing event would have fired, if any."""
    if not explanation.remedies:
        return ()
    return (_WOULD_HAVE[WANTED[explanation.outcome]], *(f"→ {_remedy_text(remedy)}" for remedy in explanation.remedies))


def facts_text(explanation: Explanation) -> str:
    """Return the measured values: the distance, the share on the side of the outcome, the confidence."""
    part, is_inside = shown_share(explanation.outcome, explanation.share, explanation.distance_m)
    share = (
        tr("{share:.0%} of the accuracy circle is inside", share=part)
        if is_inside
        else tr("{share:.0%} of the accuracy circle is outside", share=part)
    )
    return tr(
        "{distance} · {share_of_circle} · confidence {confidence} of 3",
        distance=distance_text(explanation.distance_m),
        share_of_circle=share,
        confidence=explanation.confidence,
    )


def distance_text(distance_m: float) -> str:
    """Return a signed distance to a boundary as text."""
    if distance_m == 0:
        return tr("on the boundary")
    away = metres(abs(distance_m))
    return (
        tr("{distance} inside the boundary", distance=away)
        if distance_m < 0
        else tr("{distance} outside the boundary", distance=away)
    )


def values_text(reason: AnyReason) -> str:
    """Return the rule's name and the relevant values for a tooltip, one per line."""
    return "\n".join([reason.rule.value, *(f"{name}: {value}" for name, value in reason.values.items())])


def update_text(update: ExplainedUpdate) -> str:
    """Return a description of the update itself."""
    fix = update.fix
    zone = zone_at(fix.point.longitude, fix.point.latitude)
    parts = [
        local_time(fix.at, zone),
        position(fix.point),
        tr("accuracy {accuracy}", accuracy=metres(fix.accuracy_m)),
        state_text(fix),
    ]
    if update.ip:
        parts.append(tr("from {ip_address}", ip_address=update.ip))
    if update.replayed:
        parts.append(tr("replayed"))
    if fix.late_after is not None:
        parts.append(tr("late: earlier than {time}", time=local_time(fix.late_after, zone)))
    return " · ".join(parts)


def main_item(items: Sequence[Item], subject: Subject, *fence_ids: str | None) -> Item | None:
    """Return the item of the first listed geofence among `fence_ids`, else the first item.

    For an event that does not concern a geofence, this is always the first item, which is the event's own.
    """
    if subject.topic is None:
        by_id = {each.geofence.id: each for each in items if isinstance(each, Explanation)}
        for fence_id in fence_ids:
            if fence_id in by_id:
                return by_id[fence_id]
    return items[0] if items else None


def summary(item: Item | None, subject: Subject) -> str:
    """Return the status line: ``3 rules passed, 1 failed``, or the reason for another event."""
    if item is None:
        return tr("no geofence nearby") if subject.topic is None else tr("no reasons are kept")
    if isinstance(item, Verdict):
        return explanation_text(item)
    relevant_reasons = [reason for reason in item.reasons if not reason.is_fact]
    passed = sum(reason.passed for reason in relevant_reasons)
    failed = len(relevant_reasons) - passed
    return tr("{passed_rules} passed, {failed_count} failed", passed_rules=counted(passed, "rule"), failed_count=failed)
