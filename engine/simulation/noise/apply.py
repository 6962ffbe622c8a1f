"""Fixes as a phone would have reported them, identical on every machine for the same fixes and seed."""

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from math import radians, sqrt
from typing import Final

from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.geo.earth import metres_per_degree_at
from engine.simulation.noise.arithmetic import Draws, exponential, logarithm, sine_and_cosine
from engine.simulation.noise.model import COVERED, Noise, check_seed
from engine.simulation.timing import ScheduledFix

_SIGMAS: Final = 1 / sqrt(-2 * logarithm(1 - COVERED))
"""Standard deviation of each axis for an error that is within 1 with the probability `COVERED`."""

_CONDITIONS: Final = 4.0
"""Factor by which conditions change more slowly than the error."""

_FARTHEST: Final = 3.0
"""Maximum deviation from usual conditions, in standard deviations."""

_STANDING_DEGREES: Final = 5e-6
"""Largest difference from the previous position, about half a metre, at which the device has not moved."""

_GAPS_A_FIX: Final = 100
"""Number of gaps planned one by one per fix, so that the run time depends on the number of fixes, not on years."""

_DEGREE_DIGITS: Final = 7
_LEAST_ACCURACY_M: Final = 0.1

type _Metres = tuple[float, float]
"""Metres east and north."""


class _Stream(IntEnum):
    ERROR = 1
    CONDITIONS = 2
    LIES = 3
    GAPS = 4
    OUTLIERS = 5
    DRIFT = 6


def noisy(fixes: Sequence[ScheduledFix], noise: Noise, seed: int) -> tuple[ScheduledFix, ...]:
    """Return the fixes that a phone with `noise` reports: at the same moments, except during gaps.

    The first fix is always reported. Raises `InvalidParameter` naming ``seed``.
    """
    phone = _Phone(noise, check_seed(seed))
    gaps = _Gaps(noise, seed)
    reported: list[ScheduledFix] = []
    previous: ScheduledFix | None = None
    for fix in fixes:
        passed_s = 0.0 if previous is None else max(0.0, (fix.at - previous.at).total_seconds())
        noisy_fix = phone.report(fix, passed_s, stands=_stands(previous, fix))
        if not gaps.swallow((fix.at - fixes[0].at).total_seconds()):
            reported.append(noisy_fix)
        previous = fix
    return tuple(reported)


def _stands(previous: ScheduledFix | None, fix: ScheduledFix) -> bool:
    if previous is None or fix.stopped is not None:
        return bool(fix.stopped)
    one, other = previous.point, fix.point
    return (
        abs(one.latitude - other.latitude) <= _STANDING_DEGREES
        and abs(one.longitude - other.longitude) <= _STANDING_DEGREES
    )


class _Correlated:
    """A value of mean 0 and standard deviation 1 with a fading memory: AR(1), by elapsed time."""

    def __init__(self, draws: Draws, memory_s: float) -> None:
        self._draws = draws
        self._memory_s = memory_s
        self.value = draws.normal()

    def after(self, passed_s: float) -> float:
        kept = kept_after(passed_s, self._memory_s)
        self.value = kept * self.value + sqrt(max(0.0, 1 - kept * kept)) * self._draws.normal()
        return self.value


@lru_cache(maxsize=64)
def kept_after(passed_s: float, memory_s: float) -> float:
    """Return the fraction of a value that is kept after some time: the correlation of values that far apart."""
    if passed_s <= 0:
        return 1.0
    ratio = passed_s / memory_s if memory_s > 0 else 700.0
    return exponential(-ratio) if ratio < 700 else 0.0


class _Phone:
    """State of one phone's error."""

    def __init__(self, noise: Noise, seed: int) -> None:
        self._noise = noise
        error = Draws(seed, _Stream.ERROR)
        self._east, self._north = (_Correlated(error, noise.correlation_s) for _ in range(2))
        self._conditions = _Correlated(Draws(seed, _Stream.CONDITIONS), noise.correlation_s * _CONDITIONS)
        self._drift = _Drift(noise, Draws(seed, _Stream.DRIFT))
        self._lies, self._outliers = Draws(seed, _Stream.LIES), Draws(seed, _Stream.OUTLIERS)

    def report(self, fix: ScheduledFix, passed_s: float, *, stands: bool) -> ScheduledFix:
        """Return `fix` as reported `passed_s` after the previous one."""
        within_m = self._noise.error_m * self._factor(passed_s)
        sigma_m = within_m * _SIGMAS
        parts = (
            (sigma_m * self._east.after(passed_s), sigma_m * self._north.after(passed_s)),
            self._drift.after(passed_s, stands=stands),
            self._outlier(),
        )
        offset = (sum(east for east, _ in parts), sum(north for _, north in parts))
        lies = self._lies.uniform() < self._noise.lie_share
        accuracy_m = within_m / self._noise.lie_factor if lies else within_m
        return replace(fix, point=_moved(fix.point, offset), accuracy_m=max(_LEAST_ACCURACY_M, round(accuracy_m, 1)))

    def _factor(self, passed_s: float) -> float:
        deviation = min(max(self._conditions.after(passed_s), -_FARTHEST), _FARTHEST)
        return exponential(self._noise.variation * deviation)

    def _outlier(self) -> _Metres:
        """Return the offset of an outlier, between 0.5 and 1.5 times the usual, or zero for other fixes."""
        if self._outliers.uniform() >= self._noise.outlier_share:
            return (0.0, 0.0)
        east, north = self._outliers.normal(), self._outliers.normal()
        metres = self._noise.outlier_m * (0.5 + self._outliers.uniform()) / sqrt(east * east + north * north)
        return (east * metres, north * metres)


class _Drift:
    """The drift of a standing device's position, which fades as the error does once the device moves."""

    def __init__(self, noise: Noise, draws: Draws) -> None:
        self._noise = noise
        self._draws = draws
        self._at: _Metres = (0.0, 0.0)

    def after(self, passed_s: float, *, stands: bool) -> _Metres:
        kept = kept_after(passed_s, self._noise.drift_s if stands else self._noise.correlation_s)
        new_m = sqrt(max(0.0, 1 - kept * kept)) * self._noise.drift_m if stands else 0.0
        east, north = self._at
        self._at = (kept * east + new_m * self._draws.normal(), kept * north + new_m * self._draws.normal())
        return self._at


class _Gaps:
    """The gaps without reports, in seconds since the first fix."""

    def __init__(self, noise: Noise, seed: int) -> None:
        self._draws = Draws(seed, _Stream.GAPS)
        self._noise = noise
        self._start_s = self._end_s = 0.0
        self._plan_next()

    def swallow(self, elapsed_s: float) -> bool:
        """Return whether a moment is in a gap; the moments must be in order."""
        for _ in range(_GAPS_A_FIX):
            if elapsed_s < self._end_s:
                return elapsed_s >= self._start_s
            self._plan_next()
        self._begin_at(elapsed_s)
        return elapsed_s >= self._start_s

    def _begin_at(self, elapsed_s: float) -> None:
        """Restart the plan after so long that earlier gaps have no influence on it."""
        between_gaps_s = 3_600 / self._noise.gaps_per_hour
        is_gap = self._draws.uniform() * (between_gaps_s + self._noise.gap_s) < self._noise.gap_s
        self._start_s = elapsed_s if is_gap else elapsed_s + max(0.001, self._draws.waiting(between_gaps_s))
        self._end_s = self._start_s + self._draws.waiting(self._noise.gap_s)

    def _plan_next(self) -> None:
        rate = self._noise.gaps_per_hour
        if rate <= 0 or self._noise.gap_s <= 0:
            self._start_s = self._end_s = float("inf")
            return
        # At least a millisecond, so that the first fix is reported and planning makes progress.
        self._start_s = self._end_s + max(0.001, self._draws.waiting(3_600 / rate))
        self._end_s = self._start_s + self._draws.waiting(self._noise.gap_s)


def _moved(point: Point, offset: _Metres) -> Point:
    per_longitude, per_latitude = metres_per_degree_at(*sine_and_cosine(radians(point.latitude)))
    latitude = min(max(point.latitude + offset[1] / per_latitude, -90.0), 90.0)
    # Near a pole a metre is many degrees, and an offset beyond half a turn is meaningless.
    turned = min(max(offset[0] / max(per_longitude, 1e-3), -180.0), 180.0)
    longitude = point.longitude + turned
    if not -180 <= longitude <= 180:
        longitude -= 360.0 if longitude > 0 else -360.0
    return Point(round(longitude, _DEGREE_DIGITS), round(latitude, _DEGREE_DIGITS))
