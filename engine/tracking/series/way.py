"""A series of fixes as arrays."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import numpy as np
from msgspec import Struct, field

from engine.domain.geometry import Point
from engine.geo.earth import Counts, Floats, distances_between_m


class Timed(Protocol):
    """A position with its accuracy and time, such as a fix."""

    @property
    def at(self) -> datetime | None:
        """Time of the position."""
        ...

    @property
    def point(self) -> Point:
        """The position."""
        ...

    @property
    def accuracy_m(self) -> float:
        """Accuracy in metres."""
        ...


def _nothing() -> Floats:
    return np.empty(0)


class Way(Struct, frozen=True, eq=False):
    """Fixes in the order they arrived: seconds since 1970, degrees, metres.

    `revisions` are the edits of geofences in force at each fix. Empty means the current geofences.
    """

    times_s: Floats = field(default_factory=_nothing)
    longitudes: Floats = field(default_factory=_nothing)
    latitudes: Floats = field(default_factory=_nothing)
    accuracies_m: Floats = field(default_factory=_nothing)
    revisions: Counts = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.times_s)

    def since(self, first: int) -> "Way":
        """Return the fixes from the given index on."""
        part = slice(first, None)
        places = self.longitudes[part], self.latitudes[part]
        return Way(self.times_s[part], *places, self.accuracies_m[part], self.revisions[part])

    def joined(self, more: "Way") -> "Way":
        """Return these fixes followed by others."""
        times, revisions = np.append(self.times_s, more.times_s), np.append(self.revisions, more.revisions)
        places = np.append(self.longitudes, more.longitudes), np.append(self.latitudes, more.latitudes)
        return Way(times, *places, np.append(self.accuracies_m, more.accuracies_m), revisions)

    def speeds_mps(self) -> Floats:
        """Return the speed from the previous fix to each fix, or NaN for the first one or if no time has passed."""
        speeds = np.full(len(self), np.nan)
        if len(self) > 1:
            x, y = self.longitudes, self.latitudes
            metres = distances_between_m(x[:-1], y[:-1], x[1:], y[1:])
            seconds = np.diff(self.times_s)
            np.divide(metres, seconds, out=speeds[1:], where=seconds > 0)
        return speeds


def way_of(fixes: Sequence[Timed], revisions: Sequence[int] = ()) -> Way:
    """Return fixes as arrays. A fix without a time has that of the previous one."""
    times = np.array([np.nan if fix.at is None else fix.at.timestamp() for fix in fixes], float)
    if len(times) and np.isnan(times).any():
        last = np.maximum.accumulate(np.where(np.isnan(times), 0, np.arange(len(times))))
        times = np.nan_to_num(times[last])
    places = np.array([(fix.point.longitude, fix.point.latitude, fix.accuracy_m) for fix in fixes], float).reshape(
        -1, 3
    )
    return Way(times, places[:, 0], places[:, 1], places[:, 2], np.array(revisions, np.int64))
