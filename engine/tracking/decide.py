"""The decision: what a fix means for one geofence, and why.

`decide` is a pure function. The value it returns carries the reasons, so that events, explanations and tests all
come from the same place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.domain.geofence import Geofence
from engine.domain.tracking import Confidence, Fix, Presence
from engine.geo.index import Entry
from engine.tracking.settings import TrackingSettings

WHOLE = 1 - 1e-9
"""A share this close to one is the whole circle: the rest is rounding."""

HALF = 0.5 - 1e-6
"""A fix on a straight boundary has half of its circle on either side, but for rounding."""


class Outcome(StrEnum):
    """What happens to the user's presence in the geofence."""

    ENTER = "enter"
    EXIT = "exit"
    STAY_INSIDE = "stay inside"
    STAY_OUTSIDE = "stay outside"
    ENTRY_WITHHELD = "entry withheld"
    EXIT_WITHHELD = "exit withheld"
    END_SILENTLY = "presence ends without an event"


class Rule(StrEnum):
    """The rules that are applied, in their order."""

    ENABLED = "enabled"
    BOUNDARY = "boundary"
    CONFIDENCE = "confidence"


@dataclass(frozen=True, slots=True)
class Reason:
    """One rule as it was applied: whether it let the event pass, and the values that made it so."""

    rule: Rule
    passed: bool
    values: Mapping[str, float | bool | str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The reason as a sentence for people."""
        return _TEXTS[self.rule, self.passed].format(**self.values)


_TEXTS = {
    (Rule.ENABLED, True): "the geofence is enabled",
    (Rule.ENABLED, False): "the geofence is disabled",
    (Rule.BOUNDARY, True): "the location crossed the boundary: it is {distance_m:.1f} m from it",
    (Rule.BOUNDARY, False): "the location is still on the same side of the boundary",
    (Rule.CONFIDENCE, True): "the confidence is {confidence}: {share:.0%} of the accuracy circle ({accuracy_m:g} m)",
    (Rule.CONFIDENCE, False): "the confidence is {confidence}, below the minimum of {minimum}",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for one geofence, with its confidence (1 to 3, on entry and exit) and its reasons.

    `distance_m` is the signed distance to the boundary, negative inside; `share` is the part of the accuracy circle
    inside. Both are known only where they were needed.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...]
    confidence: int | None = None
    distance_m: float | None = None
    share: float | None = None


_DISABLED = (Reason(Rule.ENABLED, passed=False),)
_ENABLED = Reason(Rule.ENABLED, passed=True)
_SAME_SIDE = (_ENABLED, Reason(Rule.BOUNDARY, passed=False))
_STAYED_INSIDE = Decision(Outcome.STAY_INSIDE, _SAME_SIDE)
_STAYED_OUTSIDE = Decision(Outcome.STAY_OUTSIDE, _SAME_SIDE)


def decide(presence: Presence | None, fix: Fix, fence: Entry[Geofence], settings: TrackingSettings) -> Decision:
    """Return what a fix means for a geofence that the user is in (with a presence) or not (None)."""
    if not fence.item.enabled:
        return Decision(Outcome.STAY_OUTSIDE if presence is None else Outcome.END_SILENTLY, _DISABLED)
    inside = fence.shape.contains(fix.point.longitude, fix.point.latitude)
    if inside and presence is None:
        return _crossing(fix, fence, settings, entering=True)
    if not inside and presence is not None:
        return _crossing(fix, fence, settings, entering=False)
    return _STAYED_INSIDE if inside else _STAYED_OUTSIDE


def _crossing(fix: Fix, fence: Entry[Geofence], settings: TrackingSettings, *, entering: bool) -> Decision:
    longitude, latitude = fix.point.longitude, fix.point.latitude
    share = fence.shape.share(longitude, latitude, fix.accuracy_m)
    distance_m = fence.shape.distance_m(longitude, latitude)
    confidence = confidence_of(share if entering else 1 - share)
    sufficient = confidence >= settings.minimum_confidence
    values = {
        "confidence": confidence,
        "share": share,
        "accuracy_m": fix.accuracy_m,
        "minimum": settings.minimum_confidence,
    }
    reasons = (
        _ENABLED,
        Reason(Rule.BOUNDARY, passed=True, values={"distance_m": distance_m}),
        Reason(Rule.CONFIDENCE, passed=sufficient, values=values),
    )
    return Decision(_OUTCOMES[entering, sufficient], reasons, confidence, distance_m, share)


_OUTCOMES = {
    (True, True): Outcome.ENTER,
    (True, False): Outcome.ENTRY_WITHHELD,
    (False, True): Outcome.EXIT,
    (False, False): Outcome.EXIT_WITHHELD,
}


def confidence_of(share: float) -> int:
    """Return the confidence for the share of the accuracy circle on the side the event speaks of."""
    if share >= WHOLE:
        return Confidence.HIGH
    return Confidence.MEDIUM if share >= HALF else Confidence.LOW
