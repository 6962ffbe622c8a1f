"""Operating hours as they are edited: a list of spans for each day, each two texts."""

import re
from collections.abc import Iterable

from engine.domain.hours import DAYS, OperatingHours, Span, parse_spans
from engine.domain.values import replace

PARAM = "operating_hours"
DEFAULT_SPAN = Span(9 * 60, 17 * 60)
WORKING_WEEK = OperatingHours(tuple((DEFAULT_SPAN,) if day < 5 else () for day in range(7)))
"""The first hours of a fence that is no longer always open."""

_TYPED = re.compile(r"(\d{1,2})(?:[.:](\d\d))?\s*(?:([ap])\.?(?:m\.?)?)?", re.IGNORECASE | re.ASCII)
_LAST_OPEN = 23 * 60


def parse_span(opens: str, closes: str, day: int) -> Span:
    """Return the span that two typed times spell; raises `InvalidParameter` naming ``operating_hours``."""
    return parse_spans([[_in_full(opens), _in_full(closes)]], PARAM, DAYS[day])[0]


def _in_full(typed: str) -> str:
    """Return a time as the API spells it where people write less: ``2am``, ``9``, ``9.30``."""
    match = _TYPED.fullmatch(typed.strip())
    if match is None:
        return typed
    hour, minute, half = match.groups()
    return f"{hour}:{minute or '00'}" + (f" {half}m" if half else "")


def with_spans(hours: OperatingHours, day: int, spans: Iterable[Span]) -> OperatingHours:
    """Return the hours with other spans on a day, checked and in order."""
    texts = [str(span).split("–") for span in spans]
    days = list(hours.days)
    days[day] = parse_spans(texts, PARAM, DAYS[day])
    return replace(hours, days=tuple(days))


def copied(hours: OperatingHours, day: int, others: Iterable[int]) -> OperatingHours:
    """Return the hours with a day's spans on other days too."""
    days = list(hours.days)
    for other in others:
        days[other] = hours.days[day]
    return replace(hours, days=tuple(days))


def merged_hours(before: OperatingHours, mine: OperatingHours, theirs: OperatingHours) -> OperatingHours:
    """Return what `theirs` becomes by the days that `mine` changed of `before`."""
    days = zip(before.days, mine.days, theirs.days, strict=True)
    return replace(mine, days=tuple(own if own != was else other for was, own, other in days))


def next_span(spans: tuple[Span, ...]) -> Span:
    """Return a span to begin with: working hours, or an hour that begins an hour after the last."""
    if not spans:
        return DEFAULT_SPAN
    last = spans[-1]
    if last.across_midnight or last.closes_min + 60 > _LAST_OPEN:
        # Nothing is left of the day after the last: before the first is as good.
        opens = max(0, spans[0].opens_min - 120)
        return Span(opens, opens + 60)
    return Span(last.closes_min + 60, last.closes_min + 120)


def is_never_open(hours: OperatingHours) -> bool:
    """Whether no day has a span."""
    return not any(hours.days)
