"""Times at which a geofence is closed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Final

from engine.domain.hours import OperatingHours

type Interval = tuple[float, float]
"""From and to, in seconds since 1970."""

_QUARTER: Final = timedelta(minutes=15)
"""Clocks are put forward and back at a quarter of an hour of UTC, wherever they are."""

_LAST: Final = datetime.max.replace(tzinfo=UTC) - timedelta(days=3)
"""Beyond this there is no next day to look at, in one zone or another."""

MOST_DAYS: Final = 400
"""Over a longer time hours are narrower than anybody could see."""


def closed_between(hours: OperatingHours, zone: tzinfo, from_s: float, to_s: float) -> tuple[Interval, ...]:
    """Return when it is closed between two moments, of those at the end of all calendars up to a few days before.

    It is nothing where they are more than `MOST_DAYS` apart.
    """
    last_s = _LAST.timestamp()
    if not 0 <= to_s - from_s <= MOST_DAYS * 86_400 or from_s >= last_s:
        return ()
    begin, end = datetime.fromtimestamp(from_s, UTC), datetime.fromtimestamp(min(to_s, last_s), UTC)
    found: list[Interval] = []
    for one, other in pairwise(sorted({begin, end, *_changes(hours, zone, begin, end)})):
        if hours.is_open(one.astimezone(zone)):
            continue
        since, until = one.timestamp(), other.timestamp()
        if found and found[-1][1] == since:
            since = found.pop()[0]
        found.append((since, until))
    return tuple(found)


def _changes(hours: OperatingHours, zone: tzinfo, begin: datetime, end: datetime) -> Iterator[datetime]:
    """Yield every moment in between at which it may open or close."""
    minutes = {minute for spans in hours.days for span in spans for minute in (span.opens_min, span.closes_min)}
    day = begin.astimezone(zone).replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0, fold=0)
    last = end.astimezone(zone).replace(tzinfo=None)
    while day <= last:
        for minute in minutes:
            for fold in (0, 1):
                local = (day + timedelta(minutes=minute)).replace(tzinfo=zone, fold=fold)
                if begin < (moment := local.astimezone(UTC)) < end:
                    yield moment
        day += timedelta(days=1)
    yield from _quarters_around_shifts(zone, begin, end)


def _quarters_around_shifts(zone: tzinfo, begin: datetime, end: datetime) -> Iterator[datetime]:
    """Yield the quarters of the days on which clocks are put forward or back."""
    day = begin
    while day < end:
        following = min(day + timedelta(days=1), end)
        if day.astimezone(zone).utcoffset() != following.astimezone(zone).utcoffset():
            moment = day.replace(minute=0, second=0, microsecond=0) + _QUARTER
            while moment < following:
                if moment > begin:
                    yield moment
                moment += _QUARTER
        day = following
