"""A sweep: one parameter over a range of values, each tried with many noisy runs of a track."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from math import isfinite
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter

CAUGHT: Final = 0.99
"""The detection rate to reach."""
_CAUGHT: Final = f"{100 * CAUGHT:g} %"
MAX_STEPS: Final = 200
MAX_SEEDS: Final = 10_000
MAX_FIXES: Final = 50_000_000
"""Maximum number of decided fixes, over all values and seeds."""


class SweepParameter(StrEnum):
    """The parameter that a sweep varies."""

    RADIUS = "radius"
    ACCURACY = "accuracy"
    DWELL = "dwell"
    BUFFER = "buffer"
    SPEED = "speed"

    @property
    def unit(self) -> str:
        """The unit of the values."""
        return _UNITS[self]


_UNITS: Final = {
    SweepParameter.RADIUS: "m",
    SweepParameter.ACCURACY: "m",
    SweepParameter.DWELL: "min",
    SweepParameter.BUFFER: "",
    SweepParameter.SPEED: "km/h",
}
BUFFERS: Final = ("off", "entries", "exits", "both")
"""The values of the parameter ``buffer``, numbered from 0."""
_LARGEST: Final = (SweepParameter.ACCURACY, SweepParameter.SPEED)


class SweepEvent(Struct, frozen=True):
    """The compared part of an event of a run."""

    type: str
    at: datetime


class Tally(Struct, frozen=True):
    """The result of one run: the number of expected events, the delays of the detected ones, and the false events."""

    expected: int
    delays_s: tuple[float, ...]
    false_events: int


class SweepPoint(Struct, frozen=True):
    """Results of one value in all its runs; a negative delay is early."""

    value: float
    runs: int
    expected: int
    detected: int
    false_events: int
    median_delay_s: float | None
    late_delay_s: float | None
    """The 95th percentile of the delays of detected events."""

    @property
    def rate(self) -> float | None:
        """The share of the true events that were detected, or None if there are no true events."""
        return None if self.expected == 0 else self.detected / self.expected

    @property
    def false_rate(self) -> float:
        """Average number of false events in a run."""
        return self.false_events / self.runs


class SweepResult(Struct, frozen=True):
    """The points of a sweep in the order of their values; `reason` says why no run detected any event, else None."""

    parameter: SweepParameter
    points: tuple[SweepPoint, ...]
    reason: str | None = None

    @property
    def best(self) -> SweepPoint | None:
        """The value that catches 99 %: the smallest, or the largest for accuracy and speed; None if no value does."""
        points = reversed(self.points) if self.parameter in _LARGEST else self.points
        return next((point for point in points if point.rate is not None and point.rate >= CAUGHT), None)

    @property
    def verdict(self) -> str:
        """The result as a sentence."""
        why = "" if self.reason is None else f" ({self.reason})"
        if self.best is not None:
            name = f"{str(self.parameter).capitalize()} {self.label(self.best.value)}"
            return f"{name} catches {_CAUGHT}, with {per_run(self.best.false_rate)}."
        if any(point.expected for point in self.points):
            return f"No value catches {_CAUGHT}{why}."
        return f"The track without noise generates no such event{why}, so there is nothing to detect."

    def label(self, value: float) -> str:
        """Return a value as text, with its unit."""
        if self.parameter is SweepParameter.BUFFER:
            return BUFFERS[round(value)]
        return f"{value:g} {self.parameter.unit}"


def per_run(false_rate: float) -> str:
    """Return the average number of false events as text, such as ``0.40 false events per run``."""
    if false_rate == 0:
        return "no false events"
    return f"{max(false_rate, 0.01):.2f} false events per run"


def values_between(low: float, high: float, steps: int) -> tuple[float, ...]:
    """Return `steps` values from `low` to `high`, including both. Raises `InvalidParameter` for an invalid argument."""
    for name, value in (("from", low), ("to", high)):
        if not isfinite(value):
            raise InvalidParameter(name, f"{name}: must be a number, not {value}.")
    if not 0 < low <= high:
        raise InvalidParameter("from", f"from: must be greater than 0 and at most {high:g}, not {low:g}.")
    if not 1 <= steps <= MAX_STEPS:
        raise InvalidParameter("steps", f"steps: must be from 1 to {MAX_STEPS}, not {steps}.")
    if steps == 1:
        return (low,)
    width = (high - low) / (steps - 1)
    return tuple(round(low + width * step, 6) for step in range(steps))


def tally(truth: Sequence[SweepEvent], found: Sequence[SweepEvent], tolerance_s: float) -> Tally:
    """Compare a run with the true events.

    Each detected event is assigned to the nearest true event of its type, unless their distance in time exceeds the
    tolerance. Of the events assigned to a true event, the nearest one counts as its detection. All others are false.
    """
    delays: dict[int, float] = {}
    false_events = 0
    for event in found:
        offsets = {
            number: (event.at - true.at).total_seconds() for number, true in enumerate(truth) if true.type == event.type
        }
        number = min(offsets, key=lambda each: abs(offsets[each]), default=None)
        if number is None or abs(offsets[number]) > tolerance_s:
            false_events += 1
            continue
        if number in delays:
            false_events += 1
        if number not in delays or abs(offsets[number]) < abs(delays[number]):
            delays[number] = offsets[number]
    return Tally(len(truth), tuple(delays.values()), false_events)


def point_of(value: float, tallies: Sequence[Tally]) -> SweepPoint:
    """Return the result of a value."""
    delays = sorted(delay for each in tallies for delay in each.delays_s)
    return SweepPoint(
        value,
        len(tallies),
        sum(each.expected for each in tallies),
        len(delays),
        sum(each.false_events for each in tallies),
        _quantile(delays, 0.5),
        _quantile(delays, 0.95),
    )


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    """Return the quantile of the values for this share."""
    if not ordered:
        return None
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]
