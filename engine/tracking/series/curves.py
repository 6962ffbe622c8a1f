"""Signed distances of a series of fixes to each nearby geofence, and the times it was closed."""

from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from math import hypot
from typing import Final, Protocol

import numpy as np
from msgspec import Struct

from engine.domain.geofence import Geofence
from engine.domain.hours import HoursRule, OperatingHours
from engine.domain.ports import Progress, no_progress
from engine.geo.bounds import Bounds
from engine.geo.earth import Counts, Floats, metres_per_degree
from engine.geo.index import Entry
from engine.geo.zones import zone_at
from engine.tracking.series.way import Way

type Interval = tuple[float, float]
"""Start and end in seconds since 1970."""

_QUARTER: Final = timedelta(minutes=15)
"""Interval of possible clock changes, which happen at a quarter of an hour of UTC in all time zones."""

_LAST: Final = datetime.max.replace(tzinfo=UTC) - timedelta(days=3)
"""The last moment with a following day in every time zone."""

MOST_DAYS: Final = 400
"""Longest period in days for which closed hours are computed, as they would be too narrow to see in a longer one."""


def closed_between(
    hours: OperatingHours, rule: HoursRule, zone: tzinfo, from_s: float, to_s: float
) -> tuple[Interval, ...]:
    """Return the closed intervals between two moments, up to the last few days of the year 9999.

    The result is empty if the moments are more than `MOST_DAYS` apart.
    """
    last_s = _LAST.timestamp()
    if not 0 <= to_s - from_s <= MOST_DAYS * 86_400 or from_s >= last_s:
        return ()
    begin, end = datetime.fromtimestamp(from_s, UTC), datetime.fromtimestamp(min(to_s, last_s), UTC)
    found: list[Interval] = []
    for one, other in pairwise(sorted({begin, end, *_changes(hours, zone, begin, end)})):
        if hours.is_open(one.astimezone(zone), rule):
            continue
        since, until = one.timestamp(), other.timestamp()
        if found and found[-1][1] == since:
            since = found.pop()[0]
        found.append((since, until))
    return tuple(found)


def _changes(hours: OperatingHours, zone: tzinfo, begin: datetime, end: datetime) -> Iterator[datetime]:
    """Yield every moment in between at which a geofence may open or close."""
    # A rule may open a day that is not listed, and the geofence only after the opening minute.
    minutes = {0} | {
        minute
        for spans in hours.days
        for span in spans
        for minute in (span.opens_min, span.opens_min + 1, span.closes_min)
    }
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
    """Yield each quarter of an hour of the days on which clocks change."""
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


type Fence = Entry[Geofence]

NEAR_M: Final = 2_000.0
"""Distance in metres within which a geofence is near a series, or the accuracy of its fixes if that is larger."""

MOST: Final = 24
"""Maximum number of curves, as more cannot be distinguished."""

_SLICE: Final = 20_000
"""Number of fixes measured between two progress reports, which may cancel the work."""

_CELL_M: Final = 250.0
_MOST_CELLS: Final = 4_000
_MEASURED: Final = 4 * MOST
_FARTHEST_M: Final = 20_000.0


class Geofences(Protocol):
    """The geofences at the time of an edit."""

    def near(self, longitude: float, latitude: float, within_m: float, revision: int) -> list[Fence]:
        """Return the geofences near a position."""
        ...

    def get(self, geofence_id: str, revision: int) -> Fence | None:
        """Return a geofence, or None if it did not exist."""
        ...


class Curve(Struct, frozen=True, eq=False):
    """The signed distance of every fix to the boundary of a geofence, negative inside.

    The distance is NaN if the geofence did not exist. `geofence` is its last version. `closed` are the intervals during
    which it was closed by its hours, in seconds since 1970.
    """

    geofence: Geofence
    distances_m: Floats
    closed: tuple[Interval, ...] = ()

    @property
    def nearest_m(self) -> float:
        """Smallest of the distances in metres."""
        return float(np.nanmin(self.distances_m))


def curves_of(
    way: Way,
    fences: Geofences,
    also: Collection[str] = (),
    progress: Progress = no_progress,
    *,
    hours_rule: HoursRule,
) -> tuple[Curve, ...]:
    """Return the curves of nearby geofences and of those with the IDs in `also`, nearest first.

    `hours_rule` decides when they were closed. `progress` is called after each slice of each curve and may raise
    `Cancelled`.
    """
    if not len(way):
        return ()
    revisions = way.revisions if len(way.revisions) else np.full(len(way), _NOW)
    ids = list(dict.fromkeys([*_near(way, revisions, fences), *also]))
    slices = len(ids) * -(-len(way) // _SLICE)
    done = _Count(progress, slices)
    curves = (_curve(geofence_id, way, revisions, fences, hours_rule, done) for geofence_id in ids)
    return tuple(sorted((curve for curve in curves if curve is not None), key=lambda curve: curve.nearest_m))


_NOW: Final = 2**62
"""A revision later than every edit."""


class _Count:
    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def one(self) -> None:
        self._done += 1
        self._progress(min(self._done, self._total), self._total)


def _curve(
    geofence_id: str, way: Way, revisions: Counts, fences: Geofences, hours_rule: HoursRule, done: _Count
) -> Curve | None:
    distances, last = np.full(len(way), np.nan), None
    for start in range(0, len(way), _SLICE):
        for part in _of_one_edit(revisions, start, min(start + _SLICE, len(way))):
            fence = fences.get(geofence_id, int(revisions[part.start]))
            if fence is not None:
                last = fence
                distances[part] = fence.shape.distances_m(way.longitudes[part], way.latitudes[part])
        done.one()
    return None if last is None else Curve(last.item, distances, _closed(last, way, hours_rule))


def _of_one_edit(revisions: Counts, start: int, end: int) -> Iterable[slice]:
    """Yield the parts of a slice in which all fixes have the same revision."""
    edits = start + 1 + np.flatnonzero(np.diff(revisions[start:end]))
    return (slice(one, other) for one, other in pairwise((start, *edits.tolist(), end)))


def _closed(fence: Fence, way: Way, rule: HoursRule) -> tuple[Interval, ...]:
    hours, center = fence.item.rules.operating_hours, fence.shape.center
    if hours is None:
        return ()
    zone = zone_at(center.longitude, center.latitude)
    return closed_between(hours, rule, zone, float(way.times_s.min()), float(way.times_s.max()))


def _near(way: Way, revisions: Counts, fences: Geofences) -> list[str]:
    """Return the IDs of nearby geofences, nearest first and limited in number.

    The search uses the cells of the series, as a hundred thousand fixes are in a few thousand cells.
    """
    within_m = min(max(NEAR_M, float(way.accuracies_m.max())), _FARTHEST_M)
    firsts, cell_m = _cells(way, revisions)
    found: dict[str, float] = {}
    for first in firsts.tolist():
        longitude, latitude = float(way.longitudes[first]), float(way.latitudes[first])
        for fence in fences.near(longitude, latitude, within_m + cell_m, int(revisions[first])):
            key = fence.item.id
            found[key] = min(found.get(key, np.inf), _box_m(fence.shape.bounds, longitude, latitude))
    candidates = sorted(found, key=lambda key: found[key])[:_MEASURED]
    least = {key: _least_m(key, way, revisions, firsts, fences) for key in candidates}
    return sorted((key for key in least if least[key] <= within_m + cell_m), key=lambda key: least[key])[:MOST]


def _cells(way: Way, revisions: Counts) -> tuple[Counts, float]:
    """Return the first fix in each cell of the series, and the maximum distance of other fixes in the cell."""
    east_m, north_m = metres_per_degree(float(np.abs(way.latitudes).min()))
    size_m = _CELL_M
    while True:
        columns = np.floor(way.longitudes * (east_m / size_m)).astype(np.int64)
        rows = np.floor(way.latitudes * (north_m / size_m)).astype(np.int64)
        _, firsts = np.unique(np.column_stack((columns, rows, revisions)), axis=0, return_index=True)
        if len(firsts) <= _MOST_CELLS or size_m > 1e6:
            return np.asarray(firsts[:_MOST_CELLS]), size_m * 1.5
        size_m *= 2


def _box_m(bounds: Bounds, longitude: float, latitude: float) -> float:
    """Return the approximate distance of a position from a box, for selection only."""
    west, south, east, north = bounds
    east_m, north_m = metres_per_degree(latitude)
    turned = min((longitude, longitude + 360, longitude - 360), key=lambda each: abs(each - (west + east) / 2))
    x = max(west - turned, 0.0, turned - east) * east_m
    y = max(south - latitude, 0.0, latitude - north) * north_m
    return hypot(x, y)


def _least_m(geofence_id: str, way: Way, revisions: Counts, firsts: Counts, fences: Geofences) -> float:
    """Return the smallest distance of some of the fixes to a geofence."""
    least = np.inf
    for revision in np.unique(revisions[firsts]).tolist():
        fence = fences.get(geofence_id, revision)
        at = firsts[revisions[firsts] == revision]
        if fence is not None:
            least = min(least, float(fence.shape.distances_m(way.longitudes[at], way.latitudes[at]).min()))
    return least
