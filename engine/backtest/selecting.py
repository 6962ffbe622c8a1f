"""The choice of the fixes that may change something, for many fixes at once.

A fix changes nothing if its user is in exactly the geofences that contain it, or in exactly those of them that the user
may enter, and if it is neither near another geofence nor out of order. A filter cannot know where a user is, so it
returns the two sets as numbers, and the one who decides compares them with the state of the user.

The filter measures as `decide` does where it is exact: a fix is inside by the same predicate. Where rounding might
differ, the fix has to be decided.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray

from engine.backtest.fences import (
    BOX_MARGIN,
    CELL_REACH_DEGREES,
    NEVER,
    WEEK_MIN,
    Flags,
    Floats,
    Marks,
    Numbers,
    Versions,
    moment_of,
)
from engine.backtest.fixes import NO_TIME, NONE, Codes, Fixes
from engine.domain.settings import ProjectSettings
from engine.geo.bounds import boxes_around
from engine.geo.earth import distances_between_m
from engine.geo.shapes import ON_BOUNDARY_M
from engine.tracking.arrival import AHEAD
from engine.tracking.decide import zone_of
from engine.tracking.measure import LARGEST_M

_AHEAD_US: Final = int(AHEAD.total_seconds() * 1_000_000)

_MOST_PAIRS: Final = 2_000_000
"""Number of pairs of a fix and a geofence near it that are examined together, so that memory is bounded."""
_PIECE_PAIRS: Final = 500_000
_FIRST_PIECE: Final = 256

_SURE_M: Final = 1e-5
"""Difference in metres between two distances that rounding cannot cause."""

_ESTIMATED: Final = 0.03
"""Largest relative error of an estimated distance to the centre of a circle."""
_ESTIMATED_M: Final = 50_000.0
_ESTIMATED_LATITUDE: Final = 75.0
"""Radius and latitude up to which distances are estimated."""

_POLAR: Final = 85.0
"""Latitude from which fixes near a polygon are always decided."""

_NEAR_LINE: Final = 179.9
"""Longitude from which a fix may reach a geofence across the antimeridian."""
_SHORTEST_DEGREE_M: Final = 110_500.0
_SLACK: Final = 1.05
_CELL_REACH_M: Final = CELL_REACH_DEGREES * _SHORTEST_DEGREE_M / _SLACK
"""Accuracy up to which a fix outside the occupied cells reaches no geofence."""
_EAST_M: Final = 111_400.0
_NORTH_M: Final = 111_100.0
"""Approximate length of a degree of longitude at the equator, and of one of latitude."""

_QUARTER_US: Final = 15 * 60 * 1_000_000
"""Offsets from UTC change on a quarter of an hour."""
_REGULAR_US: Final = 10 * 366 * 24 * 3_600 * 1_000_000
"""Time from which that is true everywhere, ten years after 1970."""
_MINUTE_US: Final = 60 * 1_000_000
_MONDAY_MIN: Final = 4 * 24 * 60
"""Minutes from the beginning of 1970, a Thursday, to the first Monday."""


class Selection(Struct, frozen=True):
    """The findings of a filter about each of n fixes.

    `inside` stands for the geofences that contain the fix, and `enterable` for those of them that its user may enter.
    A fix with `must` is decided in any case. Its neighbours are `near[starts[i]:starts[i + 1]]`, numbers of versions,
    unless it is `wide`: its circle reaches across the antimeridian or a pole.
    """

    inside: Marks
    enterable: Marks
    must: Flags
    wide: Flags
    starts: Numbers
    near: Numbers


class Filter:
    """Selects fixes under some versions of geofences and settings."""

    def __init__(self, versions: Versions, settings: Mapping[int, ProjectSettings]) -> None:
        self._versions = versions
        self._settings = settings
        self._buffered = any(each.buffer_entries for each in settings.values())

    def select(self, fixes: Fixes) -> Selection:
        """Return the findings about the first of some fixes, or about all unless many geofences are at one place."""
        found = self._versions
        count, wide, fix, box = self._boxes_near(fixes)
        if count < len(fixes):
            fixes = fixes.part(slice(0, count))
        version = found.owners[box]
        if found.has_several_boxes:
            fix, version = np.unique(np.stack([fix, version]), axis=1)
        if not found.has_all_times:
            revision = fixes.revision[fix]
            held = (found.since[version] <= revision) & (revision < found.until[version])
            fix, version = fix[held], version[held]
        inside, unsure = self._contained(fixes, fix, version)
        starts = np.searchsorted(fix, np.arange(len(fixes) + 1))
        must = wide.copy()
        must[fix[unsure]] = True
        fix_inside, version_inside = fix[inside], version[inside]
        alive = fixes.arrived_us[fix_inside] <= found.alive_until_us[version_inside]
        fix_inside, version_inside = fix_inside[alive], version_inside[alive]
        may = self._may_enter(fixes, fix_inside, version_inside)
        all_inside = self._sums(fix_inside, version_inside, len(fixes))
        enterable = all_inside if may.all() else self._sums(fix_inside[may], version_inside[may], len(fixes))
        return Selection(all_inside, enterable, must, wide, starts, version)

    def _boxes_near(self, fixes: Fixes) -> tuple[int, Flags, Numbers, Numbers]:
        """Return the number of fixes examined, which are wide, and pairs of a fix and a box that it may reach."""
        wide = np.zeros(len(fixes), np.bool)
        near = self._versions.occupied.near(fixes.longitude, fixes.latitude)
        if self._buffered:
            near |= fixes.accuracy_m > _CELL_REACH_M
            near |= (np.abs(fixes.latitude) >= _POLAR) | (np.abs(fixes.longitude) >= _NEAR_LINE)
        chosen = np.flatnonzero(near)
        done, pairs, size, found = 0, 0, _FIRST_PIECE, []
        while done < len(chosen) and pairs < _MOST_PAIRS:
            piece = chosen[done : done + size]
            fix, box = self._query(fixes, piece, wide)
            found.append((piece[fix], box))
            done, pairs = done + len(piece), pairs + len(box)
            size = min(max(_PIECE_PAIRS * len(piece) // max(len(box), 1), 1), 4 * size)
        if not found:
            return len(fixes), wide, np.empty(0, np.int64), np.empty(0, np.int64)
        count = len(fixes) if done == len(chosen) else int(chosen[done])
        fix, box = (np.concatenate(column) for column in zip(*found, strict=True))
        return count, wide[:count], fix, box

    def _query(self, fixes: Fixes, piece: Numbers, wide: Flags) -> tuple[Numbers, Numbers]:
        """Return pairs of a fix, by its place in the piece, and a box. Wide fixes are marked."""
        longitudes, latitudes = fixes.longitude[piece], fixes.latitude[piece]
        if self._buffered:
            shapes, wide[piece] = _reaches(longitudes, latitudes, fixes.accuracy_m[piece])
        else:
            shapes = shapely.points(longitudes, latitudes)
        fix, box = self._versions.tree.query(shapes)
        return fix, box

    def _sums(self, fix: Numbers, version: Numbers, count: int) -> Marks:
        """Return the sum of the marks of the versions of each fix; `fix` is in order."""
        sums = np.zeros(count, np.uint64)
        if len(fix):
            first = np.flatnonzero(np.insert(fix[1:] != fix[:-1], 0, True))
            sums[fix[first]] = np.add.reduceat(self._versions.marks[version], first)
        return sums

    def _contained(self, fixes: Fixes, fix: Numbers, version: Numbers) -> tuple[Flags, Flags]:
        """Return for pairs of a fix and a version whether the fix is inside, and whether it has to be decided.

        The latter is true if rounding may matter, and if the fix may be within its accuracy of the geofence.
        """
        inside, unsure = np.zeros(len(fix), np.bool), np.zeros(len(fix), np.bool)
        round_one = self._versions.is_circle[version]
        for chosen, measure in (
            (np.flatnonzero(round_one), self._in_circles),
            (np.flatnonzero(~round_one), self._in_polygons),
        ):
            if len(chosen):
                inside[chosen], unsure[chosen] = measure(fixes, fix[chosen], version[chosen])
        return inside, unsure

    def _in_circles(self, fixes: Fixes, fix: Numbers, version: Numbers) -> tuple[Flags, Flags]:
        longitudes, latitudes = fixes.longitude[fix], fixes.latitude[fix]
        centers, radii_m = self._versions.centers[version], self._versions.radii_m[version]
        away_m, is_estimate = _estimated_m(centers, radii_m, longitudes, latitudes)
        reach_m = np.minimum(fixes.accuracy_m[fix], LARGEST_M) if self._buffered else np.zeros(len(fix))
        far = away_m - (radii_m + reach_m)
        doubtful = ~is_estimate | (np.abs(away_m - radii_m) <= _ESTIMATED * away_m + 1)
        if self._buffered:
            doubtful |= np.abs(far) <= _ESTIMATED * away_m + 1
        exact = np.flatnonzero(doubtful)
        away_m[exact] = distances_between_m(centers[exact, 0], centers[exact, 1], longitudes[exact], latitudes[exact])
        limit_m = radii_m + ON_BOUNDARY_M
        inside = away_m <= limit_m
        unsure = np.abs(away_m - limit_m) <= _SURE_M
        if self._buffered:
            unsure |= ~inside & (away_m <= limit_m + reach_m + _SURE_M)
        return inside, unsure

    def _in_polygons(self, fixes: Fixes, fix: Numbers, version: Numbers) -> tuple[Flags, Flags]:
        latitudes = fixes.latitude[fix]
        longitudes = self._shifted(fixes.longitude[fix], version)
        outlines, outers = self._versions.outlines(version)
        inside = shapely.intersects_xy(outlines, longitudes, latitudes)
        outside = np.flatnonzero(~inside)
        unsure = np.abs(latitudes) >= _POLAR
        if self._buffered:
            points = shapely.points(longitudes[outside], latitudes[outside])
            reach = (
                fixes.accuracy_m[fix[outside]] * _SLACK / (_SHORTEST_DEGREE_M * np.cos(np.radians(latitudes[outside])))
            )
            unsure[outside] |= shapely.dwithin(outlines[outside], points, np.minimum(reach, 360.0) + BOX_MARGIN)
        else:
            unsure[outside] |= shapely.intersects_xy(outers[outside], longitudes[outside], latitudes[outside])
        return inside, unsure

    def _shifted(self, longitudes: Floats, version: Numbers) -> Floats:
        """Return longitudes shifted by full turns to match the outlines, whose longitudes are continuous."""
        west, east = self._versions.spans[version].T
        outside = (longitudes < west - 1) | (longitudes > east + 1)
        if not outside.any():
            return longitudes
        middle = (west + east) / 2
        turned = longitudes + 360 * np.round((middle - longitudes) / 360)
        return np.where(outside, turned, longitudes)

    def _may_enter(self, fixes: Fixes, fix: Numbers, version: Numbers) -> Flags:
        """Return for pairs whether a user who is not in the geofence may enter it by the rules checked here."""
        may = np.ones(len(fix), np.bool)
        if not len(fix):
            return may
        rules = self._versions.rules
        numbers = fixes.settings[fix]
        own = rules.stop_detection[version]
        wanted = np.where(own < 0, _of_settings(self._settings, numbers, "stop_detection"), own == 1)
        may &= ~wanted | fixes.stopped[fix] | fixes.foreground[fix]
        for has, known, codes, names in (
            (rules.has_users, rules.users, fixes.user, fixes.users),
            (rules.has_addresses, rules.addresses, fixes.ip, fixes.addresses),
        ):
            pairs = np.flatnonzero(has[version])
            if len(pairs):
                may[pairs] &= _known(known, version[pairs], codes[fix[pairs]], names)
        restricted = _of_settings(self._settings, numbers, "operating_hours_restriction")
        pairs = np.flatnonzero(rules.has_hours[version] & restricted)
        if len(pairs):
            may[pairs] &= self._open(fixes, fix[pairs], version[pairs])
        return may

    def _open(self, fixes: Fixes, fix: Numbers, version: Numbers) -> Flags:
        """Return for pairs whether the geofence is open at the time of the fix."""
        at_us = np.where(fixes.at_us[fix] == NO_TIME, fixes.arrived_us[fix], fixes.at_us[fix])
        found = np.ones(len(fix), np.bool)
        for number in np.unique(version).tolist():
            chosen = np.flatnonzero(version == number)
            zone = zone_of(self._versions.entries[number])
            quarters, place = np.unique(at_us[chosen] // _QUARTER_US, return_inverse=True)
            offsets = []
            for quarter in quarters.tolist():
                offset = moment_of(quarter * _QUARTER_US).astimezone(zone).utcoffset()
                assert offset is not None
                offsets.append(offset.total_seconds() * 1_000_000)
            local_us = at_us[chosen] + np.array(offsets, np.int64)[place]
            minutes = (local_us // _MINUTE_US - _MONDAY_MIN) % WEEK_MIN
            for setting in np.unique(fixes.settings[fix[chosen]]).tolist():
                same = fixes.settings[fix[chosen]] == setting
                week = self._versions.rules.week(number, self._settings[setting].operating_hours_rule)
                found[chosen[same]] = week[minutes[same]]
        return found | (at_us < _REGULAR_US)


def out_of_order(fixes: Fixes, newest_us: Numbers) -> Flags:
    """Return which fixes are late or ahead of the clock, given the newest time of each device before."""
    at_ms = np.where(fixes.at_us == NO_TIME, fixes.arrived_us, fixes.at_us) // 1_000
    ahead = fixes.at_us > fixes.arrived_us + _AHEAD_US
    if not len(fixes):
        return ahead
    devices = np.cumsum(np.insert(fixes.device[1:] != fixes.device[:-1], 0, False))
    firsts = np.flatnonzero(np.insert(fixes.device[1:] != fixes.device[:-1], 0, True))
    lowest = int(at_ms.min())
    spread = int(at_ms.max()) - lowest + 2
    # Each device has times of its own above those of the devices before, so that one pass finds the newest times.
    above = at_ms - lowest + 1 + devices * spread
    before = np.maximum.accumulate(above)
    known_ms = np.minimum(newest_us // 1_000, lowest + spread - 2)[devices]
    newest_ms = np.empty(len(fixes), np.int64)
    newest_ms[1:] = before[:-1] - devices[1:] * spread + lowest - 1
    newest_ms[firsts] = -NEVER
    return ahead | (at_ms < np.maximum(newest_ms, known_ms))


def _reaches(longitudes: Floats, latitudes: Floats, accuracies_m: Floats) -> tuple[NDArray[Any], Flags]:
    """Return the boxes around the accuracy circles, and which of them cross the antimeridian or reach a pole."""
    west, south, east, north = boxes_around(longitudes, latitudes, np.minimum(accuracies_m, LARGEST_M))
    wide = (west < -180) | (east > 180) | (south <= -_POLAR) | (north >= _POLAR)
    return shapely.box(west, south, east, north), wide


def _reach_degrees(accuracies_m: Floats, latitudes: Floats) -> Floats:
    """Return the largest distances in degrees, of longitude or latitude, of positions within the accuracy."""
    height = accuracies_m * _SLACK / _SHORTEST_DEGREE_M + BOX_MARGIN
    farthest = np.minimum(np.abs(latitudes) + height, 89.9)
    return np.asarray(np.minimum(height / np.cos(np.radians(farthest)), 360.0))


def _estimated_m(centers: Floats, radii_m: Floats, longitudes: Floats, latitudes: Floats) -> tuple[Floats, Flags]:
    """Return estimated distances to the centres of circles, and where they can be used."""
    turned = np.abs(longitudes - centers[:, 0])
    east = np.minimum(turned, 360 - turned) * np.cos(np.radians(centers[:, 1])) * _EAST_M
    north = (latitudes - centers[:, 1]) * _NORTH_M
    away_m = np.hypot(east, north)
    near = (away_m <= _ESTIMATED_M) & (np.abs(centers[:, 1]) <= _ESTIMATED_LATITUDE)
    return away_m, near & (radii_m <= _ESTIMATED_M)


def _of_settings(settings: Mapping[int, ProjectSettings], numbers: Codes, name: str) -> Flags:
    """Return a setting that is on or off, for the settings with some numbers."""
    on = [number for number, each in settings.items() if getattr(each, name)]
    if not on:
        return np.zeros(len(numbers), np.bool)
    return np.ones(len(numbers), np.bool) if len(on) == len(settings) else np.isin(numbers, on)


def _known(known: Sequence[Container[str] | None], versions: Numbers, codes: Codes, names: Sequence[str]) -> Flags:
    """Return for pairs whether the rule of the version contains the name with the code."""
    pairs, place = np.unique(np.stack([versions, codes.astype(np.int64)]), axis=1, return_inverse=True)
    found = []
    for version, code in pairs.T.tolist():
        among = known[version]
        found.append(code != NONE and among is not None and names[code] in among)
    return np.array(found, np.bool)[place.ravel()]
