"""Why: what a kept update meant for each geofence near, put so that the interesting comes first."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Literal

from app.desktop.language import counted, filled, tr, translated
from app.desktop.model.hours.words import in_words
from app.desktop.model.users import state_text
from app.desktop.model.words import capital, local_time, metres, position
from engine.domain.tracking.decision import WANTED, Explanation, Outcome, Reason, ReasonValue, Remedy
from engine.domain.tracking.explaining import ExplainedUpdate, UpdateQuery
from engine.domain.tracking.updates import Event, EventType
from engine.domain.values.dataclass import dataclass
from engine.geo.zones import zone_at

type AroundKind = Literal["place", "region", "beacon"]
"""Things around a position besides geofences."""


class About(Enum):
    """The thing the user looked at last, which is explained."""

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


@dataclass(frozen=True, slots=True)
class Subject:
    """The update to explain; `query` is None where there is none yet, `fence_id` is the geofence it is about.

    `around` is there where it is about a place, a region or a beacon, and no geofence; `heard` says why the user came
    near a beacon, or left it.
    """

    about: About
    name: str
    query: UpdateQuery | None
    fence_id: str | None = None
    around: AroundKind | None = None
    heard: str | None = None


_WOULD_HAVE = {
    Outcome.ENTER: tr("An entry would have fired"),
    Outcome.EXIT: tr("An exit would have fired"),
    Outcome.DWELL: tr("A dwell would have fired"),
}
_OWN_VALUES = frozenset({"source", "state", "side"})
"""Values of reasons that are words of the engine, not the user's."""

_INSIDE = (Outcome.STAY_INSIDE,)
_NOTHING = (Outcome.STAY_OUTSIDE,)


def ordered(explanations: Sequence[Explanation]) -> tuple[Explanation, ...]:
    """Return what happened or was withheld first, then where the user is, then the rest by distance."""
    return tuple(sorted(explanations, key=_rank))


def _rank(explanation: Explanation) -> tuple[int, float, str]:
    outcome = explanation.outcome
    rank = 2 if outcome in _NOTHING else 1 if outcome in _INSIDE else 0
    return rank, explanation.distance_m, explanation.geofence.id


def reasons_in_order(explanation: Explanation) -> tuple[Reason, ...]:
    """Return the reasons, those that failed first."""
    return (*explanation.failed, *(reason for reason in explanation.reasons if reason.passed))


def headline(explanation: Explanation) -> str:
    """Return the decision as a sentence; of one that nothing spoke against the word alone."""
    text = explanation_text(explanation) if explanation.failed else translated(explanation.outcome)
    return f"{capital(text)}."


def explanation_text(explanation: Explanation) -> str:
    """Return the whole as a sentence without its end."""
    return f"{translated(explanation.outcome)}: {'; '.join(map(reason_text, explanation.told))}"


def reason_text(reason: Reason) -> str:
    """Return a reason as a sentence without its end."""
    return filled(reason.wording.text, {name: _value(name, value) for name, value in reason.values.items()})


_HOURS = frozenset({"hours", "local"})
"""Values that name days."""


def _value(name: str, value: ReasonValue) -> ReasonValue:
    if isinstance(value, str) and name in _HOURS:
        return in_words(value)
    return translated(value) if isinstance(value, str) and name in _OWN_VALUES else value


def _remedy_text(remedy: Remedy) -> str:
    *others, last = (filled(change.factor.text, change.values) for change in remedy.changes)
    first = ", ".join(others)
    return tr("{first} and {last}", first=first, last=last) if others else last


def remedy_lines(explanation: Explanation) -> tuple[str, ...]:
    """Return what would have made an event fire that did not: a heading and a line for each way; none where one did."""
    if not explanation.remedies:
        return ()
    return (_WOULD_HAVE[WANTED[explanation.outcome]], *(f"→ {_remedy_text(remedy)}" for remedy in explanation.remedies))


def facts_text(explanation: Explanation) -> str:
    """Return the measured values: the distance to the boundary, the share inside, the confidence."""
    share = tr("{share:.0%} of the accuracy circle inside", share=explanation.share)
    return tr(
        "{distance_text} · {share} · confidence {confidence} of 3",
        distance_text=distance_text(explanation.distance_m),
        share=share,
        confidence=explanation.confidence,
    )


def distance_text(distance_m: float) -> str:
    """Return a signed distance to a boundary in words."""
    if distance_m == 0:
        return tr("on the boundary")
    away = metres(abs(distance_m))
    return (
        tr("{away} inside the boundary", away=away) if distance_m < 0 else tr("{away} outside the boundary", away=away)
    )


def values_text(reason: Reason) -> str:
    """Return the rule's name and the values that decided, one a line: for tips."""
    return "\n".join([reason.rule.value, *(f"{name}: {value}" for name, value in reason.values.items())])


def update_text(update: ExplainedUpdate) -> str:
    """Return what is known of the update itself."""
    fix = update.fix
    zone = zone_at(fix.point.longitude, fix.point.latitude)
    parts = [
        local_time(fix.at, zone),
        position(fix.point),
        tr("accuracy {accuracy_m}", accuracy_m=metres(fix.accuracy_m)),
        state_text(fix),
    ]
    if update.ip:
        parts.append(tr("from {ip}", ip=update.ip))
    if update.replayed:
        parts.append(tr("replayed"))
    return " · ".join(parts)


def main_explanation(explanations: Sequence[Explanation], *fence_ids: str | None) -> Explanation | None:
    """Return the explanation for the first of these geofences that has one, else the first of all."""
    by_id = {explanation.geofence.id: explanation for explanation in explanations}
    for fence_id in fence_ids:
        if fence_id in by_id:
            return by_id[fence_id]
    return explanations[0] if explanations else None


def around_of(event: Event) -> AroundKind | None:
    """Return what an event is about that is no geofence."""
    if event.beacon is not None:
        return "beacon"
    return "place" if event.place else "region" if event.region else None


def heard_text(event: Event) -> str | None:
    """Return why an event of a beacon happened."""
    if event.beacon is None:
        return None
    if event.type == EventType.ENTERED_BEACON:
        return tr("the device reported hearing this beacon")
    return tr("the device did not report hearing this beacon")


def around_reasons(update: ExplainedUpdate, subject: Subject) -> dict[AroundKind, str]:
    """Return why the user is at a place and in regions, or is not, as far as the settings asked for it."""
    reasons: dict[AroundKind, str | None] = {
        "beacon": subject.heard,
        "place": update.place_reason,
        "region": update.region_reason,
    }
    return {kind: _sentences(reason) for kind, reason in reasons.items() if reason is not None}


def _sentences(text: str) -> str:
    return "; ".join(map(translated, text.split("; ")))


def summary(explanation: Explanation | None, subject: Subject, around: Mapping[AroundKind, str]) -> str:
    """Return the line for the status: ``3 rules passed, 1 failed``, or what there is to say of a place or a region."""
    if subject.around is not None and subject.around in around:
        return around[subject.around]
    if explanation is None:
        return tr("no geofence nearby")
    told = [reason for reason in explanation.reasons if not reason.is_fact]
    passed = sum(reason.passed for reason in told)
    failed = len(told) - passed
    return tr("{rules} passed, {failed} failed", rules=counted(passed, "rule"), failed=failed)
