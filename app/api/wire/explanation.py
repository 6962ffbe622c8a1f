"""Explanations of the events of a location update, and of updates replayed under other settings."""

from typing import Annotated, Any, NotRequired

from pydantic import Field

from app.api.wire.common.answers import Record, Time
from app.api.wire.common.encoding import Encoded, PointAnswer, encode_point, encode_time, wire_name
from app.api.wire.event import HappenedRecord, add_happened
from app.api.wire.fraud import FraudAnswer, encode_fraud
from app.api.wire.geofence import GeofenceSummaryAnswer, encode_summary
from app.api.wire.user import EventUserAnswer, encode_user_summary
from engine.domain.tracking.decision import Change, Explanation, Outcome, Reason, Rule
from engine.domain.tracking.event_wording import EventRule
from engine.domain.tracking.explaining import ExplainedUpdate, ReplayReport
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.verdicts import EventReason, Topic, Verdict, texts_about
from engine.domain.tracking.whatif import Difference, DifferenceKind

type Values = dict[str, str | bool | int | float]


class RuleAnswer(Record):
    """A rule that was applied: whether it passed, and the values that decided."""

    rule: Rule
    passed: bool
    text: Annotated[str, Field(min_length=1, description="The rule as a sentence.")]
    values: Values


class ExplanationAnswer(Record):
    """Outcome of a location update for a geofence, with its reasons."""

    geofence: GeofenceSummaryAnswer
    decision: Outcome
    rules: list[RuleAnswer]
    distance: Annotated[float, Field(description="Metres to the boundary; negative inside.")]
    share: Annotated[float, Field(ge=0, le=1, description="Share of the accuracy circle inside the geofence.")]
    confidence: Annotated[int, Field(ge=1, le=3)]
    timeZone: Annotated[str, Field(description="Time zone of the geofence, in which times are given.")]
    text: Annotated[str, Field(min_length=1, description="The explanation as a sentence.")]


class EventRuleAnswer(Record):
    """A rule that was applied to an event: whether it passed, and the values that decided."""

    rule: EventRule
    passed: bool
    fact: Annotated[bool, Field(description="Whether it only states where things are, so that nothing failed.")]
    text: Annotated[str, Field(min_length=1, description="The rule as a sentence.")]
    values: Values


class AboutAnswer(Record):
    """The trip, beacon, place or region of an event."""

    type: Topic
    name: Annotated[
        str, Field(description="A trip's externalId, a beacon as tag/externalId, or the name of a place or region.")
    ]
    id: NotRequired[Annotated[str, Field(description="The _id, or the code of a region.")]]


class EventExplanationAnswer(Record):
    """Whether an event of a trip, beacon, place or region fired, with its rules in the order of the decision."""

    type: str
    fired: bool
    about: NotRequired[AboutAnswer]
    rules: Annotated[
        list[EventRuleAnswer],
        Field(min_length=1, description="If the event did not fire, the last rule is the first condition that failed."),
    ]
    text: Annotated[str, Field(min_length=1, description="The explanation as a sentence.")]


class ChangeRecord(Record):
    """A change of one factor, with the values that were tried."""

    factor: str
    text: str
    values: Values


class RemedyRecord(Record):
    """Changes that together would have made an event fire."""

    changes: list[ChangeRecord]
    text: str


class ExplainedRecord(ExplanationAnswer):
    """An explanation of a kept update, with changes that would have made a missing event fire."""

    remedies: list[RemedyRecord]


class ReplayedRecord(HappenedRecord):
    """An event as it happened, or as it would have happened."""

    type: str
    createdAt: Time
    user: EventUserAnswer
    fraud: NotRequired[FraudAnswer]
    location: NotRequired[PointAnswer]


class DifferenceRecord(Record):
    """An event that was gained, lost or moved in the sandbox, with the decision of the sandbox."""

    before: NotRequired[ReplayedRecord]
    after: NotRequired[ReplayedRecord]
    seconds: NotRequired[float]
    explanation: NotRequired[ExplanationAnswer]


def encode_explanation(explanation: Explanation) -> ExplanationAnswer:
    """Return the outcome of a fix for one geofence; ``distance`` is in metres (negative inside), ``share`` in 0–1."""
    return {
        "geofence": encode_summary(explanation.geofence),
        "decision": explanation.outcome,
        "rules": [_encode_reason(reason) for reason in explanation.reasons],
        "distance": round(explanation.distance_m, 3),
        "share": round(explanation.share, 6),
        "confidence": explanation.confidence,
        "timeZone": explanation.zone,
        "text": explanation.text,
    }


def encode_verdict(verdict: Verdict) -> EventExplanationAnswer:
    """Return whether an event of a trip, beacon, place or region fired, and why."""
    encoded: EventExplanationAnswer = {
        "type": str(verdict.type),
        "fired": verdict.fired,
        "rules": [_encode_event_reason(reason) for reason in verdict.reasons],
        "text": verdict.text,
    }
    if (about := verdict.about) is not None:
        encoded["about"] = {"type": verdict.topic, "name": about.name}
        if about.id is not None:
            encoded["about"]["id"] = about.id
    return encoded


def _encode_event_reason(reason: EventReason) -> EventRuleAnswer:
    return {
        "rule": reason.rule,
        "passed": reason.passed,
        "fact": reason.is_fact,
        "text": reason.text,
        "values": dict(reason.values),
    }


def encode_explained(explanation: Explanation) -> ExplainedRecord:
    """Return an explanation with its remedies."""
    return {
        **encode_explanation(explanation),
        "remedies": [
            {"changes": list(map(_encode_change, each.changes)), "text": each.text} for each in explanation.remedies
        ],
    }


def _encode_change(change: Change) -> ChangeRecord:
    values = {wire_name(name): value for name, value in change.values.items()}
    return {"factor": wire_name(change.factor.field), "text": change.text, "values": values}


def _encode_reason(reason: Reason) -> RuleAnswer:
    return {
        "rule": reason.rule,
        "passed": reason.passed,
        "text": reason.text,
        "values": dict(reason.values),
    }


def encode_explained_update(explained: ExplainedUpdate) -> Encoded:
    """Return a kept update and its explanations."""
    fix = explained.fix
    update: dict[str, Any] = {
        "number": explained.number,
        "user": encode_user_summary(explained.user),
        "deviceId": explained.user.device_id,
        "location": encode_point(fix.point),
        "locationAccuracy": fix.accuracy_m,
        "foreground": fix.foreground,
        "stopped": fix.stopped,
        "updatedAt": encode_time(fix.at),
        "receivedAt": encode_time(explained.received_at),
        "timeZone": explained.zone,
        "replayed": explained.replayed,
    }
    if fix.late_after is not None:
        update["lateAfter"] = encode_time(fix.late_after)
    if explained.next_at is not None:
        update["nextAt"] = encode_time(explained.next_at)
    if explained.ip is not None:
        update["ip"] = explained.ip
    encoded: dict[str, Any] = {
        "update": update,
        "explanations": [encode_explained(each) for each in explained.explanations],
    }
    encoded["eventExplanations"] = [encode_verdict(each) for each in explained.verdicts]
    for name, topic in (("placeReason", Topic.PLACE), ("regionReason", Topic.REGION)):
        if (texts := texts_about(explained.verdicts, topic)) is not None:
            encoded[name] = texts
    return encoded


def encode_replay_report(report: ReplayReport) -> Encoded:
    """Return the events before and after, and the difference; moved events also count as added and removed."""
    differences = [_encode_difference(each) for each in report.differences]
    kinds = {
        kind.value: [one for one, each in zip(differences, report.differences, strict=True) if each.kind is kind]
        for kind in DifferenceKind
    }
    return {
        "updates": report.updates,
        "before": [_encode_replayed(event) for event in report.before],
        "after": [_encode_replayed(event) for event in report.after],
        "added": [_encode_replayed(event) for event in report.added],
        "removed": [_encode_replayed(event) for event in report.removed],
        **kinds,
    }


def _encode_difference(difference: Difference) -> DifferenceRecord:
    encoded: DifferenceRecord = {}
    if difference.before is not None:
        encoded["before"] = _encode_replayed(difference.before)
    if difference.after is not None:
        encoded["after"] = _encode_replayed(difference.after)
    if difference.moved_s is not None:
        encoded["seconds"] = difference.moved_s
    if difference.explanation is not None:
        encoded["explanation"] = encode_explanation(difference.explanation)
    return encoded


def _encode_replayed(event: ReplayedEvent) -> ReplayedRecord:
    encoded: ReplayedRecord = {
        "type": str(event.type),
        "createdAt": encode_time(event.created_at),
        "user": encode_user_summary(event.user),
    }
    if event.point is not None:
        encoded["location"] = encode_point(event.point)
    if event.fraud is not None:
        encoded["fraud"] = encode_fraud(event.fraud)
    add_happened(encoded, event)
    return encoded
