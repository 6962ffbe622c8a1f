"""How explanations are spelled, and what else the command line and the endpoint say about the engine's inner life."""

from collections.abc import Mapping

from app.api.decoding import validate
from app.api.encoding import (
    Encoded,
    encode_fraud,
    encode_happened,
    encode_point,
    encode_summary,
    encode_time,
    encode_user_summary,
)
from app.api.requests import ClockBody
from engine.domain.clock import ClockChange, ClockState
from engine.domain.decision import Explanation, Reason
from engine.domain.explaining import Cleared, ExplainedUpdate, ReplayedEvent, ReplayReport


def encode_explanation(explanation: Explanation) -> Encoded:
    """Return what a fix meant for one geofence; ``distance`` is in metres, negative inside, ``share`` in 0–1."""
    return {
        "geofence": encode_summary(explanation.geofence),
        "decision": explanation.outcome.value,
        "rules": [_encode_reason(reason) for reason in explanation.reasons],
        "distance": round(explanation.distance_m, 3),
        "share": round(explanation.share, 6),
        "confidence": explanation.confidence,
        "text": explanation.text,
    }


def _encode_reason(reason: Reason) -> Encoded:
    return {
        "rule": reason.rule.value,
        "passed": reason.passed,
        "text": reason.text,
        "values": dict(reason.values),
    }


def encode_explained_update(explained: ExplainedUpdate) -> Encoded:
    """Return a kept update and its explanations."""
    fix = explained.fix
    update: Encoded = {
        "number": explained.number,
        "user": encode_user_summary(explained.user),
        "deviceId": explained.user.device_id,
        "location": encode_point(fix.point),
        "locationAccuracy": fix.accuracy_m,
        "foreground": fix.foreground,
        "stopped": fix.stopped,
        "updatedAt": encode_time(fix.at),
        "receivedAt": encode_time(explained.received_at),
        "replayed": explained.replayed,
    }
    if explained.ip is not None:
        update["ip"] = explained.ip
    encoded: Encoded = {"update": update, "explanations": [encode_explanation(each) for each in explained.explanations]}
    if explained.place_reason is not None:
        encoded["placeReason"] = explained.place_reason
    if explained.region_reason is not None:
        encoded["regionReason"] = explained.region_reason
    return encoded


def encode_replay_report(report: ReplayReport) -> Encoded:
    """Return the events before and after, and the difference."""
    return {
        "updates": report.updates,
        "before": [_encode_replayed(event) for event in report.before],
        "after": [_encode_replayed(event) for event in report.after],
        "added": [_encode_replayed(event) for event in report.added],
        "removed": [_encode_replayed(event) for event in report.removed],
    }


def _encode_replayed(event: ReplayedEvent) -> Encoded:
    encoded: Encoded = {
        "type": str(event.type),
        "createdAt": encode_time(event.created_at),
        "user": encode_user_summary(event.user),
    }
    if event.fraud is not None:
        encoded["fraud"] = encode_fraud(event.fraud)
    return encoded | encode_happened(event)


def encode_cleared(cleared: Cleared) -> Encoded:
    """Return how many records were removed."""
    return {
        "users": cleared.users,
        "events": cleared.events,
        "updates": cleared.updates,
        "geofences": cleared.geofences,
    }


def encode_clock(state: ClockState) -> Encoded:
    """Return what a clock shows and how it goes."""
    return {"now": encode_time(state.now), "system": state.system, "frozen": state.frozen, "scale": state.scale}


def decode_clock_change(mapping: Mapping[str, object]) -> ClockChange:
    """Return the change that a JSON object asks for; raises `InvalidParameter`."""
    return clock_change(validate(ClockBody, dict(mapping), strict=True))


def clock_change(body: ClockBody) -> ClockChange:
    """Return the engine's value for a body."""
    return ClockChange(
        now=body.now,
        frozen=body.frozen,
        advance_s=body.advance_seconds,
        scale=body.scale,
        system=bool(body.system),
    )
