"""A sweep as JSON."""

from typing import Any

from app.api.wire.common.encoding import Encoded
from engine.domain.tracking.sweep import CAUGHT, SweepPoint, SweepResult


def encode_sweep(result: SweepResult) -> Encoded:
    """Return a sweep; delays are in seconds and negative for early events."""
    best = result.best
    encoded: dict[str, Any] = {
        "parameter": result.parameter.value,
        "unit": result.parameter.unit,
        "points": [_point(result, point) for point in result.points],
        "wanted": CAUGHT,
    }
    if best is not None:
        encoded["best"] = best.value
        encoded["bestFalseEventsPerRun"] = round(best.false_rate, 6)
    if result.reason is not None:
        encoded["reason"] = result.reason
    return encoded


def _point(result: SweepResult, point: SweepPoint) -> Encoded:
    return {
        "value": point.value,
        "label": result.label(point.value),
        "runs": point.runs,
        "expected": point.expected,
        "detected": point.detected,
        "rate": None if point.rate is None else round(point.rate, 6),
        "falseEvents": point.false_events,
        "medianDelay": point.median_delay_s,
        "lateDelay": point.late_delay_s,
    }
