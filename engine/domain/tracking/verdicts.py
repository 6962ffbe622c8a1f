"""The effect of a location update on events of trips, beacons, places and regions: fired or not, and the rules."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.domain.tracking.decision import NO_VALUES, ReasonValue, Values
from engine.domain.tracking.event_wording import CONTEXT, FACTS, OFF, EventRule, EventWording


class Topic(StrEnum):
    """Subject of events."""

    TRIP = "trip"
    BEACON = "beacon"
    PLACE = "place"
    REGION = "region"


_BY_WORD: Final = (
    ("trip", Topic.TRIP),
    ("beacon", Topic.BEACON),
    ("place", Topic.PLACE),
    ("region", Topic.REGION),
)


def topic_of(kind: str) -> Topic | None:
    """Return the topic of an event type, or None for geofences, fraud checks and conversions."""
    if not kind.startswith("user."):
        return None
    return next((topic for word, topic in _BY_WORD if word in kind), None)


class EventReason(Struct, frozen=True):
    """A rule as it was applied: whether it let the event pass, and the values that decided."""

    wording: EventWording
    values: Values = NO_VALUES

    @property
    def rule(self) -> EventRule:
        """The rule that was applied."""
        return self.wording.rule

    @property
    def passed(self) -> bool:
        """Whether the rule let the event pass."""
        return self.wording.passed

    @property
    def is_fact(self) -> bool:
        """Whether the reason only states a fact and no condition failed."""
        return self.wording in FACTS

    @property
    def text(self) -> str:
        """The reason as a sentence."""
        return self.wording.text.format(**self.values)


def because(wording: EventWording, **values: ReasonValue) -> EventReason:
    """Return a reason with its values."""
    return EventReason(wording, values or NO_VALUES)


class About(Struct, frozen=True):
    """The trip, beacon, place or region of an event.

    `name` is a trip's external ID, ``tag/externalId`` of a beacon, or a name. `id` is a region's code.
    """

    name: str
    id: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names by which it can be referred to."""
        return (self.name,) if self.id is None else (self.name, self.id)


class Verdict(Struct, frozen=True):
    """Decision whether a location update fired an event, and the rules in the order in which they were applied.

    If the event did not fire, the last reason is the first condition that failed.
    """

    type: str
    fired: bool
    reasons: tuple[EventReason, ...]
    about: About | None = None

    @property
    def topic(self) -> Topic:
        """The topic of the event."""
        topic = topic_of(self.type)
        assert topic is not None
        return topic

    @property
    def is_off(self) -> bool:
        """Whether a setting disables all events of this topic."""
        return self.reasons[-1].wording in OFF

    @property
    def failed(self) -> tuple[EventReason, ...]:
        """The condition that withheld the event."""
        return tuple(reason for reason in self.reasons if not reason.passed)

    @property
    def relevant_reasons(self) -> tuple[EventReason, ...]:
        """The reasons to mention: the failed one and the context of its figures, or all if the event fired."""
        if self.fired:
            return self.reasons
        return (*self.failed, *(reason for reason in self.reasons if reason.passed and reason.wording in CONTEXT))

    @property
    def outcome(self) -> str:
        """Whether the event fired, in words."""
        return FIRED if self.fired else NOT_FIRED

    @property
    def text(self) -> str:
        """The verdict as a sentence."""
        return f"{self.type} {self.outcome}: {'; '.join(reason.text for reason in self.relevant_reasons)}"


FIRED: Final = "fired"
NOT_FIRED: Final = "did not fire"


def fires(kind: str, about: About | None, *reasons: EventReason) -> Verdict:
    """Return the verdict on an event that fired."""
    return Verdict(kind, True, reasons, about)


def withheld(kind: str, about: About | None, *reasons: EventReason) -> Verdict:
    """Return the verdict on an event that did not fire; the last reason is the cause."""
    return Verdict(kind, False, reasons, about)


def texts_about(verdicts: Iterable[Verdict], topic: Topic) -> str | None:
    """Return the verdicts on places or regions as one sentence, or None if they are off."""
    texts = [each.text for each in verdicts if each.topic is topic and not each.is_off]
    return "; ".join(texts) or None


def shown(value: float, limit: float | None = None) -> float:
    """Return seconds or metres with as few digits as possible, without crossing a limit."""
    for digits in (0, 1, 3):
        short = round(value, digits)
        if limit is None or (short > limit) == (value > limit):
            return short
    return value


def age_s(since: datetime, at: datetime) -> float:
    """Return the age at a moment in whole seconds, or 0 if the clock was set back."""
    return max(0.0, round((at - since).total_seconds()))
