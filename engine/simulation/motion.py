"""Motion reported by a phone, derived from its fixes: whether it has stopped, and its app is in the foreground."""

from collections.abc import Sequence
from itertools import pairwise
from math import inf, isfinite
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.domain.errors import InvalidParameter
from engine.domain.values import replace
from engine.geo.earth import metres_between, metres_per_degree
from engine.simulation.timing import ScheduledFix

type Positions = NDArray[np.float64]
"""Rows of longitude and latitude."""


class Motion(Struct, frozen=True, kw_only=True):
    """The conditions for a device to have stopped and for its app to be in the foreground.

    - A device has **stopped** if it was within `stop_distance_m` of its position for `stop_duration_s`.
    - The app is **in the foreground** while the device moves at most at `foreground_mps` and has not stopped: users
      look at the phone while walking or after arriving, but not while driving or resting.
    """

    stop_distance_m: float = 70.0
    stop_duration_s: float = 140.0
    foreground_mps: float = 2.5

    def __post_init__(self) -> None:
        """Check each value; raises `InvalidParameter` naming it."""
        for name in ("stop_distance_m", "stop_duration_s", "foreground_mps"):
            value: float = getattr(self, name)
            if not (isfinite(value) and value > 0):
                raise InvalidParameter(name, f"{name}: must be greater than 0, not {value:g}.")


USUAL: Final = Motion()
"""Stops as the SDKs detect them: 70 m within 140 s."""


def with_motion(fixes: Sequence[ScheduledFix], motion: Motion = USUAL) -> tuple[ScheduledFix, ...]:
    """Return `fixes` with the states stopped and foreground, derived from the movement up to each fix."""
    stops = _stops(fixes, motion)
    speeds = _speeds(fixes)
    return tuple(
        replace(fix, stopped=stopped, foreground=not stopped and speed <= motion.foreground_mps)
        for fix, stopped, speed in zip(fixes, stops, speeds, strict=True)
    )


def _stops(fixes: Sequence[ScheduledFix], motion: Motion) -> list[bool]:
    """Return for each fix whether the device was near it for long enough, counting from its first fix."""
    seconds = [(fix.at - fixes[0].at).total_seconds() for fix in fixes]
    positions = np.array([(fix.point.longitude, fix.point.latitude) for fix in fixes], dtype=np.float64).reshape(-1, 2)
    stops, oldest = [], 0
    for index, at in enumerate(seconds):
        while oldest < index and seconds[oldest + 1] <= at - motion.stop_duration_s:
            oldest += 1
        known = at - seconds[oldest] >= motion.stop_duration_s
        stops.append(known and _all_within(positions[oldest : index + 1], motion.stop_distance_m))
    return stops


def _all_within(positions: Positions, distance_m: float) -> bool:
    """Return whether all positions are within a distance of the last one."""
    last = positions[-1]
    degrees = positions - last
    east = (degrees[:, 0] + 180) % 360 - 180
    per_longitude, per_latitude = metres_per_degree(float(last[1]))
    squares = (east * per_longitude) ** 2 + (degrees[:, 1] * per_latitude) ** 2
    return bool(squares.max() <= distance_m**2)


def _speeds(fixes: Sequence[ScheduledFix]) -> list[float]:
    """Return the speed at which each fix was reached; the first one has that of the second."""
    speeds = [_speed(one, other) for one, other in pairwise(fixes)]
    return [*speeds[:1], *speeds] if speeds else [0.0] * len(fixes)


def _speed(one: ScheduledFix, other: ScheduledFix) -> float:
    seconds = (other.at - one.at).total_seconds()
    metres = metres_between(one.point, other.point)
    if seconds <= 0:
        return inf if metres > 0 else 0.0
    return metres / seconds
