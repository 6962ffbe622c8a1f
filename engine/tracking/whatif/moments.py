"""Moments at which a geofence opens, by the clocks on the walls where it is."""

from datetime import datetime, time, timedelta
from math import ceil
from typing import Final

from engine.domain.geofence import Geofence
from engine.domain.hours import OperatingHours
from engine.domain.tracking.updates import Fix
from engine.geo.index import Entry
from engine.tracking.decide import local_time

_DAYS: Final = 8
"""Hours repeat each week; one day more, for the one that has begun."""
_HALF_HOUR: Final = timedelta(minutes=30)


def openings_s(hours: OperatingHours, fence: Entry[Geofence], fix: Fix) -> list[int]:
    """Return in how many whole seconds after a fix a geofence may open, within eight days; in order, each once.

    Beside the openings that are written down these are the half-hours at which clocks are changed.
    """
    try:
        local = local_time(fence, fix)
        moments = [*_written(hours, local), *_changes(fix.at, local)]
        found = (ceil((moment - fix.at).total_seconds()) for moment in moments)
        return sorted({seconds for seconds in found if seconds > 0})
    except OverflowError:  # the last days that there are
        return []


def _written(hours: OperatingHours, local: datetime) -> list[datetime]:
    days = (local.date() + timedelta(days=day) for day in range(_DAYS + 1))
    return [
        datetime.combine(day, time(*divmod(span.opens_min, 60)), local.tzinfo).replace(fold=fold)
        for day in days
        for span in hours.days[day.weekday()]
        for fold in (0, 1)
    ]


def _changes(at: datetime, local: datetime) -> list[datetime]:
    """Return the half-hours of eight days before and after which clocks there do not show the same."""
    first = at.replace(minute=at.minute // 30 * 30, second=0, microsecond=0)
    halves = [first + _HALF_HOUR * number for number in range(1, 48 * _DAYS + 1)]
    zone = local.tzinfo
    millisecond = timedelta(milliseconds=1)
    return [
        half
        for half in halves
        if half.astimezone(zone).utcoffset() != (half - millisecond).astimezone(zone).utcoffset()
    ]
