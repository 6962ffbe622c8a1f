"""Operating hours in their editor: a list of spans for each day, each with two texts."""

import re
from collections.abc import Iterable

from engine.domain.hours import DAYS, EVERY_DAY, OperatingHours, Span, parse_spans

PARAM = "operating_hours"
DEFAULT_SPAN = Span(9 * 60, 17 * 60)
WORKING_WEEK = OperatingHours(tuple((DEFAULT_SPAN,) if day < 5 else () for day in range(7)))
"""The initial hours of a geofence that is no longer always open."""

_TYPED = re.compile(r"(\d{1,2})(?:[.:](\d\d))?\s*(?:([ap])\.?(?:m\.?)?)?", re.IGNORECASE | re.ASCII)
_LAST_OPEN = 23 * 60


def parse_span(opens: str, closes: str, day: int) -> Span:
    """Return the span of two typed times. Raises `InvalidParameter` for ``operating_hours`` if it is invalid."""
    return parse_spans([[_in_full(opens), _in_full(closes)]], PARAM, DAYS[day])[0]


def _in_full(typed: str) -> str:
    """Return a time in the API's notation from a shorter one: ``2am``, ``9``, ``9.30``."""
    match = _TYPED.fullmatch(typed.strip())
    if match is None:
        return typed
    hour, minute, half = match.groups()
    return f"{hour}:{minute or '00'}" + (f" {half}m" if half else "")


def with_spans(hours: OperatingHours, day: int, spans: Iterable[Span]) -> OperatingHours:
    """Return the hours with other spans on a day, validated and sorted."""
    texts = [str(span).split("–") for span in spans]
    days = list(hours.days)
    days[day] = parse_spans(texts, PARAM, DAYS[day])
    return OperatingHours(tuple(days))


def copied(hours: OperatingHours, day: int, others: Iterable[int]) -> OperatingHours:
    """Return the hours with a day's spans copied to other days."""
    days = list(hours.days)
    for other in others:
        days[other] = hours.days[day]
    return OperatingHours(tuple(days))


def merged_hours(before: OperatingHours, edited: OperatingHours, theirs: OperatingHours) -> OperatingHours:
    """Return `theirs` with the days that `edited` changed, listed or removed compared to `before`."""
    chosen = [edited if _day(edited, day) != _day(before, day) else theirs for day in EVERY_DAY]
    return OperatingHours(
        tuple(hours.days[day] for day, hours in enumerate(chosen)),
        tuple(day for day, hours in enumerate(chosen) if day in hours.listed),
    )


def _day(hours: OperatingHours, day: int) -> tuple[tuple[Span, ...], bool]:
    return hours.days[day], day in hours.listed


def next_span(spans: tuple[Span, ...]) -> Span:
    """Return the initial value of a new span: working hours, or an hour that begins one hour after the last span."""
    if not spans:
        return DEFAULT_SPAN
    last = spans[-1]
    if last.across_midnight or last.closes_min + 60 > _LAST_OPEN:
        # The day has no time left after the last span, so use the time before the first.
        opens = max(0, spans[0].opens_min - 120)
        return Span(opens, opens + 60)
    return Span(last.closes_min + 60, last.closes_min + 120)
