"""The choice of the fixes that may change something, for many fixes at once.

Presences continue in some geofences: those that contain the fix, and those whose exit a buffer or the confidence
withholds. In some of these, a user who is not in them may enter. A fix that is in order changes nothing if its user is
in all of the latter and in none but the former. A filter cannot know where a user is, so it returns the two sets as
numbers, and the one who decides compares each with the state of the user.

Where rounding might matter, a presence may end and a user may enter, so that the fix has to be decided.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray

from engine.backtest.fences import (
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
from engine.backtest.measuring import POLAR, SHORTEST_DEGREE_M, SLACK, Measured, measured
from engine.domain.settings import ProjectSettings
from engine.geo.bounds import boxes_around
from engine.tracking.arrival import AHEAD
from engine.tracking.decide import zone_of
from engine.tracking.measure import HALF, LARGEST_M, TOUCHING

_AHEAD_US: Final = int(AHEAD.total_seconds() * 1_000_000)

_MOST_PAIRS: Final = 2_000_000
"""Number of pairs of a fix and a geofence near it that are examined together, so that memory is bounded."""
_PIECE_PAIRS: Final = 500_000
_FIRST_PIECE: Final = 256

_NEAR_LINE: Final = 179.9
"""Longitude from which a fix may reach a geofence across the antimeridian."""
_CELL_REACH_M: Final = CELL_REACH_DEGREES * SHORTEST_DEGREE_M / SLACK
"""Accuracy up to which a fix outside the occupied cells reaches no geofence."""

_QUARTER_US: Final = 15 * 60 * 1_000_000
"""Offsets from UTC change on a quarter of an hour."""
_REGULAR_US: Final = 10 * 366 * 24 * 3_600 * 1_000_000
"""Time from which that is true everywhere, ten years after 1970."""
_MINUTE_US: Final = 60 * 1_000_000
_MONDAY_MIN: Final = 4 * 24 * 60
"""Minutes from the beginning of 1970, a Thursday, to the first Monday."""


class Selection(Struct, frozen=True):
    """The findings of a filter about each of n fixes.

    `stays` stands for the geofences whose presences certainly continue, and `enters` for those of them that a user who
    is not in them may enter. A fix with `must` is decided in any case. Its neighbours are
    `near[starts[i]:starts[i + 1]]`, numbers of versions, unless it is `wide`: its circle reaches across the
    antimeridian or a pole.
    """

    stays: Marks
    enters: Marks
    must: Flags
    wide: Flags
    starts: Numbers
    near: Numbers


class Filter:
    """Selects fixes under some versions of geofences and settings."""

    def __init__(self, versions: Versions, settings: Mapping[int, ProjectSettings]) -> None:
        self._versions = versions
        self._settings = settings
        self._reaching = any(
            each.buffer_entries or each.buffer_exits or each.minimum_confidence > 1 for each in settings.values()
        )
        """Whether geofences matter that a fix may be near."""

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
        measures = measured(found, fixes, fix, version, fully=self._reaching)
        alive = fixes.arrived_us[fix] <= found.alive_until_us[version]
        stays = alive & measures.inside & ~measures.doubtful
        enters = alive & (measures.inside | measures.doubtful)
        if self._reaching:
            stays |= alive & self._held(fixes, fix, measures)
            enters = alive & self._reached(fixes, fix, measures)
        may = np.flatnonzero(enters)
        enters[may] = self._may_enter(fixes, fix[may], version[may])
        must = wide.copy()
        must[fix[enters & ~stays]] = True
        starts = np.searchsorted(fix, np.arange(len(fixes) + 1))
        staying = self._sums(fix[stays], version[stays], len(fixes))
        entering = self._sums(fix[enters], version[enters], len(fixes))
        return Selection(staying, entering, must, wide, starts, version)

    def _boxes_near(self, fixes: Fixes) -> tuple[int, Flags, Numbers, Numbers]:
        """Return the number of fixes examined, which are wide, and pairs of a fix and a box that it may reach."""
        wide = np.zeros(len(fixes), np.bool)
        near = self._versions.occupied.near(fixes.longitude, fixes.latitude)
        if self._reaching:
            near |= fixes.accuracy_m > _CELL_REACH_M
            near |= (np.abs(fixes.latitude) >= POLAR) | (np.abs(fixes.longitude) >= _NEAR_LINE)
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
        if self._reaching:
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

    def _held(self, fixes: Fixes, fix: Numbers, found: Measured) -> Flags:
        """Return for pairs whether a presence certainly continues if the fix is outside."""
        numbers = fixes.settings[fix]
        buffered = _of_settings(self._settings, numbers, "buffer_exits")
        minimum = self._minimum_confidence(numbers)
        held: Flags = (minimum == 2) & (found.smallest > 1 - HALF)
        held |= (minimum == 3) & (found.farthest_m < fixes.accuracy_m[fix] * TOUCHING)
        held |= buffered & (found.farthest_m <= fixes.accuracy_m[fix])
        return held

    def _reached(self, fixes: Fixes, fix: Numbers, found: Measured) -> Flags:
        """Return for pairs whether the position may be near enough for an entry, and certain enough."""
        numbers = fixes.settings[fix]
        buffered = _of_settings(self._settings, numbers, "buffer_entries")
        minimum = self._minimum_confidence(numbers)
        near: Flags = found.inside | found.doubtful | (buffered & (found.nearest_m <= fixes.accuracy_m[fix]))
        near &= (minimum != 2) | (found.largest >= HALF)
        near &= (minimum != 3) | (found.farthest_m >= fixes.accuracy_m[fix] * TOUCHING)
        return near

    def _minimum_confidence(self, numbers: Codes) -> Numbers:
        """Return the least confidence of events under the settings with some numbers."""
        found = np.ones(len(numbers), np.int64)
        for number, each in self._settings.items():
            if each.minimum_confidence > 1:
                found[numbers == number] = each.minimum_confidence
        return found

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
    known_ms = newest_us[devices] // 1_000
    newest_ms = np.empty(len(fixes), np.int64)
    newest_ms[1:] = before[:-1] - devices[1:] * spread + lowest - 1
    newest_ms[firsts] = -NEVER
    return ahead | (at_ms < np.maximum(newest_ms, known_ms))


def _reaches(longitudes: Floats, latitudes: Floats, accuracies_m: Floats) -> tuple[NDArray[Any], Flags]:
    """Return the boxes around the accuracy circles, and which of them cross the antimeridian or reach a pole."""
    west, south, east, north = boxes_around(longitudes, latitudes, np.minimum(accuracies_m, LARGEST_M))
    wide = (west < -180) | (east > 180) | (south <= -POLAR) | (north >= POLAR)
    return shapely.box(west, south, east, north), wide


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
