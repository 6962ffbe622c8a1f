"""Coverage of a set of scenarios: rules, kinds of events, checks and geofences."""

from collections.abc import Iterable
from string import Formatter
from typing import Any, Final

from app.lab.judging.exercise import Exercise
from engine.domain.tracking.decision import Rule, Wording
from engine.domain.tracking.event_wording import EventRule, EventWording
from engine.domain.tracking.fraud import FraudCheck
from engine.domain.tracking.updates import EventType

_ANY: Final = "…"
"""Placeholder for a value that differs between location updates."""


def coverage(exercise: Exercise) -> dict[str, Any]:
    """Return all rules, events, checks and geofences, with how often each was exercised."""
    rules = [_rule(rule, Wording, exercise) for rule in Rule]
    event_rules = [_rule(rule, EventWording, exercise) for rule in EventRule]
    events: list[dict[str, Any]] = [{"type": str(kind), "count": exercise.events[str(kind)]} for kind in EventType]
    checks: list[dict[str, Any]] = [
        {"check": name, "count": exercise.checks[name]} for name in (*map(str, FraudCheck), "blocked")
    ]
    geofences = [_geofence(key, exercise) for key in sorted(exercise.geofences)]
    return {
        "version": 1,
        "scenarios": exercise.scenarios,
        "fixes": exercise.fixes,
        "expectingNothing": exercise.expecting_nothing,
        "summary": {
            "rules": _covered(reason["count"] for rule in rules for reason in rule["reasons"]),
            "eventRules": _covered(reason["count"] for rule in event_rules for reason in rule["reasons"]),
            "eventTypes": _covered(each["count"] for each in events),
            "fraudChecks": _covered(each["count"] for each in checks),
            "geofences": _covered(sum(each["events"].values()) for each in geofences),
        },
        "rules": rules,
        "eventRules": event_rules,
        "eventTypes": events,
        "fraudChecks": checks,
        "geofences": geofences,
    }


def _rule(rule: Rule | EventRule, wordings: type[Wording] | type[EventWording], exercise: Exercise) -> dict[str, Any]:
    reasons = [
        {"passes": wording.passed, "text": _sentence(wording), "count": exercise.reasons[wording.name]}
        for wording in wordings
        if wording.rule is rule
    ]
    return {"rule": rule.value, "reasons": reasons}


def _sentence(wording: Wording | EventWording) -> str:
    """Return the wording of a reason with placeholders for its values."""
    return "".join(text + (_ANY if field is not None else "") for text, field, _, _ in Formatter().parse(wording.text))


def _geofence(key: str, exercise: Exercise) -> dict[str, Any]:
    use = exercise.geofences[key]
    return {
        "geofence": key,
        "description": use.description,
        "scenarios": use.scenarios,
        "judged": use.judged,
        "events": dict(sorted(use.events.items())),
    }


def _covered(counts: Iterable[int]) -> dict[str, int]:
    found = list(counts)
    return {"exercised": sum(count > 0 for count in found), "all": len(found)}
