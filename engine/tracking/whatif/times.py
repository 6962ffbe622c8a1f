"""Times at which a withheld event would have fired: shifts of the fix, and longer operating hours."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from engine.domain.hours import DAY_MIN, DAY_NAMES, HoursRule, OperatingHours, spell_time
from engine.domain.tracking.decision import Change, Factor
from engine.domain.values import replace
from engine.tracking.decide import local_time
from engine.tracking.whatif.cases import Case

MINUTE_S: Final = 60
_MOST_SHIFT_MIN: Final = 180
"""Longest shift in minutes to when a geofence is open. Farther ones, such as until Monday, are of no use."""

_MOST_LONGER_MIN: Final = 720
"""Most minutes by which hours are suggested to be longer."""

_ROUND_MIN: Final = 5
_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def duration(seconds: int) -> dict[str, str | int]:
    """Return the values of a duration: the seconds, and the text with its units."""
    parts, rest = [], seconds
    for size, unit in _UNITS:
        number, rest = divmod(rest, size)
        if number:
            parts.append(f"{number} {unit}")
    return {"seconds": seconds, "duration": " ".join(parts)}


def stayed_s(case: Case) -> float:
    """Return how long the presence of a case has lasted."""
    assert case.presence is not None
    return case.fix.lasted_s(case.presence.entered_at)


def minutes_back(case: Case) -> list[int]:
    """Return the whole minutes before a fix, within its stay, at which the geofence was open or not yet expired."""
    rules = case.fence.item.rules
    ends = (case.now - end for end in (rules.disable_after, rules.delete_after) if end is not None)
    steps = [*turns_open(case, -1), *(ceil(since / timedelta(minutes=1)) for since in ends)]
    most = _MOST_SHIFT_MIN if case.presence is None else min(_MOST_SHIFT_MIN, ceil(stayed_s(case) / MINUTE_S) - 1)
    return [step for step in steps if 0 < step <= most]


def turns_open(case: Case, sign: int) -> list[int]:
    """Return the whole minutes before (-1) or after (1) a fix from which its geofence is open, nearest first."""
    hours = case.fence.item.rules.operating_hours
    if hours is None or not case.settings.operating_hours_restriction:
        return []
    opens = [_is_open(case, hours, sign * minutes) for minutes in range(_MOST_SHIFT_MIN + 1)]
    return [minutes for minutes in range(1, len(opens)) if opens[minutes] and not opens[minutes - 1]]


def _is_open(case: Case, hours: OperatingHours, minutes: int) -> bool:
    try:
        at = case.fix.at + timedelta(minutes=minutes)
    except OverflowError:  # before the first or after the last day of the calendar
        return False
    return hours.is_open(local_time(case.fence, replace(case.fix, at=at)), case.settings.operating_hours_rule)


def longer_hours(case: Case) -> Change | None:
    """Return the hours with which the geofence is open at a fix: the nearest span, extended to full five minutes.

    The result is None if the geofence is open or no span is near.
    """
    hours = case.fence.item.rules.operating_hours
    if hours is None or not case.settings.operating_hours_restriction:
        return None
    local, rule = local_time(case.fence, case.fix), case.settings.operating_hours_rule
    if hours.is_open(local, rule):
        return None
    found = min(_longer(hours, local, rule), default=None, key=lambda each: each[0])
    return None if found is None or found[0] > _MOST_LONGER_MIN else found[1]


def _longer(hours: OperatingHours, local: datetime, rule: HoursRule) -> Iterator[tuple[int, Change]]:
    """Yield each span of a day and the day before, extended to a local time, after the minutes that are added."""
    minute, today = local.hour * 60 + local.minute, local.weekday()
    if rule is HoursRule.PLATFORM:
        yield from _longer_today(hours, minute, today)
        return
    yesterday = (today - 1) % 7
    begin = minute // _ROUND_MIN * _ROUND_MIN
    end = begin + _ROUND_MIN
    for span in hours.days[today]:
        if span.opens_min > minute:
            yield span.opens_min - minute, _with_hours(Factor.OPEN_FROM, today, begin, span.closes_min)
        elif not span.across_midnight:
            yield minute - span.closes_min, _with_hours(Factor.OPEN_UNTIL, today, span.opens_min, end)
    for span in hours.days[yesterday]:
        if end < span.opens_min:
            closed_min = span.closes_min - (0 if span.across_midnight else DAY_MIN)
            yield minute - closed_min, _with_hours(Factor.OPEN_UNTIL, yesterday, span.opens_min, end)


def _longer_today(hours: OperatingHours, minute: int, today: int) -> Iterator[tuple[int, Change]]:
    """Yield the spans of a day that do not go past midnight, extended so that a minute is strictly between."""
    begin = (minute - 1) // _ROUND_MIN * _ROUND_MIN
    end = (minute // _ROUND_MIN + 1) * _ROUND_MIN
    for span in hours.days[today]:
        if span.across_midnight:
            continue
        if span.opens_min >= minute > 0:
            yield span.opens_min - minute, _with_hours(Factor.OPEN_FROM, today, begin, span.closes_min)
        elif span.closes_min <= minute:
            yield minute - span.closes_min, _with_hours(Factor.OPEN_UNTIL, today, span.opens_min, end)


def _with_hours(factor: Factor, day: int, opens_min: int, closes_min: int) -> Change:
    values = {"day": DAY_NAMES[day], "opens": spell_time(opens_min), "closes": spell_time(closes_min)}
    return Change(factor, values)
