"""The route that a trip follows, and how much of it is left from the device's position."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import hypot, sqrt
from typing import Final

import numpy as np
from msgspec import Struct

from engine.domain.geometry import Point, Position
from engine.domain.routing import Line, Route
from engine.domain.tracking.trips import Eta
from engine.geo.earth import metres_per_degree

_BEHIND_M: Final = 100.0
_AHEAD_M: Final = 500.0
"""Range in metres around the last progress that is searched first, as a route may cross or repeat itself."""

_BESIDE_M: Final = 25.0
"""Distance in metres within which a stretch near the last progress is preferred to other stretches.

It is also preferred if no other stretch is nearer by more than this.
"""


class Progress(Struct, frozen=True):
    """A position relative to a route: `along_m` from its start, `off_m` beside it."""

    along_m: float
    off_m: float


class Way:
    """A route through one or more destinations, with its lengths and times."""

    def __init__(self, route: Route) -> None:
        self.line: Line = route.line
        self._scale = metres_per_degree(route.line[0][1])
        positions = np.asarray(route.line, dtype=np.float64) * self._scale
        if len(positions) == 1:
            positions = np.repeat(positions, 2, axis=0)
        self._starts, self._steps = positions[:-1], np.diff(positions, axis=0)
        self._squares = np.maximum((self._steps**2).sum(axis=1), 1e-12)
        self._lengths = np.sqrt(self._squares)
        self._along = np.concatenate(([0.0], np.cumsum(self._lengths)))
        self.length_m = float(self._along[-1])
        self._ends, knots = _timetable(route)
        self._knots_m, self._knots_s = (np.asarray(each, dtype=np.float64) for each in zip(*knots, strict=True))
        # The router's lengths are rounded and differ from those of the line. Scaling makes both end together.
        self._stretch = float(self.length_m / self._knots_m[-1]) if self._knots_m[-1] > 0 else 1.0

    def progress(self, point: Point, last_along_m: float = 0.0) -> Progress:
        """Return the progress at a position, near the last progress if possible, otherwise anywhere on the route."""
        last_along_m = min(max(last_along_m, 0.0), self.length_m)
        first = max(0, int(np.searchsorted(self._along, last_along_m - _BEHIND_M)) - 1)
        last = min(int(np.searchsorted(self._along, last_along_m + _AHEAD_M)) + 1, len(self._starts))
        nearby = self._nearest(point, slice(first, last))
        is_beyond = last < len(self._starts) and nearby.along_m >= self._along[last] - 1.0
        if nearby.off_m <= _BESIDE_M and not is_beyond:
            return nearby
        anywhere = self._nearest(point, slice(None))
        return anywhere if is_beyond or anywhere.off_m < nearby.off_m - _BESIDE_M else nearby

    def etas(self, at: Progress) -> tuple[Eta, ...]:
        """Return the remaining distance and time to each destination in order, 0 for those already passed."""
        done_m = at.along_m / self._stretch if self._stretch else 0.0
        done_s = float(np.interp(done_m, self._knots_m, self._knots_s))
        return tuple(
            Eta(max(0.0, end_m - done_m), max(0.0, end_s - done_s), is_routed=True) for end_m, end_s in self._ends
        )

    def _nearest(self, point: Point, part: slice) -> Progress:
        """Return the progress at the nearest point on a part of the route."""
        here = np.asarray((point.longitude * self._scale[0], point.latitude * self._scale[1]))
        starts, steps = self._starts[part], self._steps[part]
        shares = np.clip(((here - starts) * steps).sum(axis=1) / self._squares[part], 0.0, 1.0)
        away = starts + steps * shares[:, None] - here
        squares = (away**2).sum(axis=1)
        best = int(squares.argmin())
        along_m = self._along[:-1][part][best] + shares[best] * self._lengths[part][best]
        return Progress(float(along_m), sqrt(float(squares[best])))


def _timetable(route: Route) -> tuple[tuple[tuple[float, float], ...], Sequence[tuple[float, float]]]:
    """Return metres and seconds from the start at the end of each leg, and at the end of each step."""
    lengths = list(accumulate(leg.travel.distance_m for leg in route.legs))
    times = list(accumulate(leg.travel.duration_s for leg in route.legs))
    knots = [(0.0, 0.0)]
    for leg in route.legs:
        for step in leg.steps:
            metres, seconds = knots[-1]
            knots.append((metres + step.travel.distance_m, seconds + step.travel.duration_s))
    if len(knots) == 1 or knots[-1][0] == 0:
        knots = [(0.0, 0.0), *zip(lengths, times, strict=True)]
    return tuple(zip(lengths, times, strict=True)), _scaled(knots, times[-1])


def _scaled(knots: Sequence[tuple[float, float]], total_s: float) -> Sequence[tuple[float, float]]:
    """Return the knots with times scaled to the route's total, since steps omit the time for crossings."""
    last_s = knots[-1][1]
    share = total_s / last_s if last_s > 0 else 1.0
    return [(metres, seconds * share) for metres, seconds in knots]


def straight_metres(positions: Sequence[Position]) -> float:
    """Return the length of a line of nearby positions."""
    if len(positions) < 2:
        return 0.0
    east_m, north_m = metres_per_degree(positions[0][1])
    return sum(hypot((b[0] - a[0]) * east_m, (b[1] - a[1]) * north_m) for a, b in pairwise(positions))
