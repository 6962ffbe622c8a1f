"""Sweeps for the command line and the window: a track, its noisy variants by seed, and the resulting events."""

from collections.abc import Callable, Sequence
from datetime import datetime
from io import StringIO
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress, no_progress
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.sweep import (
    BUFFERS,
    MAX_FIXES,
    MAX_SEEDS,
    SweepEvent,
    SweepParameter,
    SweepPoint,
    SweepResult,
    Tally,
    point_of,
    tally,
    values_between,
)
from engine.domain.tracking.tracks import Track
from engine.domain.tracking.updates import EventType, Fix, Subject
from engine.domain.values import replace
from engine.simulation.motion import USUAL
from engine.simulation.noise.model import Noise
from engine.simulation.phone import Phone
from engine.simulation.timing import ScheduledFix, timed_points
from engine.tabular.spreadsheet import write_rows
from engine.tracking.whatif.sweeping import detected_events, plain, truth_of, why_nothing, with_value

DEFAULT_ACCURACY_M = 10.0
DEFAULT_TOLERANCE_S = 300.0
ANONYMOUS = Subject()


class SweepRequest(Struct, frozen=True, kw_only=True):
    """A sweep: the parameter to vary, the geofence and settings, the track, the noise and the seeds.

    `event_type` is the type of the events that count. `accuracy_m` applies if neither the track nor the noise has an
    accuracy. `tolerance_s` is the maximum time between an event and the true one that it counts as.
    """

    parameter: SweepParameter
    low: float = 0.0
    high: float = 0.0
    steps: int = 11
    seeds: int = 100
    geofence: Geofence
    settings: ProjectSettings
    subject: Subject = ANONYMOUS
    event_type: EventType | None = None
    track: Track
    noise: Noise | None = None
    now: datetime
    assume_speed_kmh: float | None = None
    accuracy_m: float = DEFAULT_ACCURACY_M
    tolerance_s: float = DEFAULT_TOLERANCE_S
    derive_motion: bool = True

    @property
    def counted(self) -> EventType:
        """The type of the events that count: by default entries, or dwells if their threshold is varied."""
        if self.event_type is not None:
            return self.event_type
        is_dwell = self.parameter is SweepParameter.DWELL
        return EventType.DWELLED_IN_GEOFENCE if is_dwell else EventType.ENTERED_GEOFENCE

    @property
    def runs(self) -> int:
        """Number of runs for each value. Without noise, a single run is enough."""
        return self.seeds if self.noise is not None else min(self.seeds, 1)

    @property
    def values(self) -> tuple[float, ...]:
        """The values to try."""
        if self.parameter is SweepParameter.BUFFER:
            return tuple(map(float, range(len(BUFFERS))))
        return values_between(self.low, self.high, self.steps)


def run_sweep(
    request: SweepRequest,
    progress: Progress = no_progress,
    on_points: Callable[[Sequence[SweepPoint]], None] = lambda _: None,
) -> SweepResult:
    """Try every value with every seed. `on_points` receives all values after each seed.

    `progress` may raise to cancel. Raises `InvalidParameter` naming an invalid parameter.
    """
    values = request.values
    _check(request, len(values))
    runs = [_Run(request, value) for value in values]
    tallies: list[list[Tally]] = [[] for _ in runs]
    # Seed by seed, so that intermediate results are equally reliable at all values.
    seeds = request.runs
    for seed in range(seeds):
        fixes_by_noise: dict[object, tuple[Fix, ...]] = {}
        for number, run in enumerate(runs):
            progress(seed * len(runs) + number, seeds * len(runs))
            if run.noise_key not in fixes_by_noise:
                fixes_by_noise[run.noise_key] = run.reported_fixes(seed)
            tallies[number].append(run.tally(fixes_by_noise[run.noise_key]))
        on_points([point_of(value, found) for value, found in zip(values, tallies, strict=True)])
    progress(seeds * len(runs), seeds * len(runs))
    points = tuple(point_of(value, found) for value, found in zip(values, tallies, strict=True))
    has_any = any(point.detected or point.false_events for point in points)
    return SweepResult(request.parameter, points, None if has_any else runs[len(runs) // 2].why_nothing())


def _check(request: SweepRequest, values: int) -> None:
    if not 1 <= request.seeds <= MAX_SEEDS:
        raise InvalidParameter("seeds", f"seeds: must be from 1 to {MAX_SEEDS:,}, not {request.seeds}.")
    if not request.tolerance_s > 0:
        raise InvalidParameter("tolerance", "tolerance: must be greater than 0 seconds.")
    fixes = len(request.track.points) * values * request.runs
    if fixes > MAX_FIXES:
        text = f"at most {MAX_FIXES:,} fixes are allowed, not {fixes:,}. Take fewer seeds or steps."
        raise InvalidParameter("seeds", f"seeds: {text}")


class _Run:
    """A single value: its geofence and settings, its exact fixes, and its true events."""

    def __init__(self, request: SweepRequest, value: float) -> None:
        self._request = request
        self._value = value
        self._geofence, self._settings = with_value(request.parameter, value, request.geofence, request.settings)
        self._exact = self._phone(None, 0).reports(
            timed_points(request.track, now=request.now, assume_speed_kmh=self._speed_kmh())
        )
        self._truth = self._true()

    @property
    def noise_key(self) -> object:
        """Key of runs that receive the same fixes from a seed."""
        own = self._request.parameter in (SweepParameter.ACCURACY, SweepParameter.SPEED)
        return self._value if own else None

    def reported_fixes(self, seed: int) -> tuple[Fix, ...]:
        """Return the fixes that the phone reports with a seed."""
        noise, accuracy_m = self._request.noise, self._request.accuracy_m
        if self._request.parameter is SweepParameter.ACCURACY:
            noise, accuracy_m = None if noise is None else replace(noise, error_m=self._value), self._value
        reported = Phone(noise, seed).reports(self._exact)
        fixed = noise is None and self._request.parameter is SweepParameter.ACCURACY
        return tuple(_fix(each, accuracy_m, fixed=fixed) for each in reported)

    def tally(self, fixes: Sequence[Fix]) -> Tally:
        """Return the comparison of a run with the truth."""
        found = detected_events(fixes, self._geofence, self._settings, self._request.subject)
        return tally(self._truth, self._counted(found), self._request.tolerance_s)

    def why_nothing(self) -> str | None:
        """Return why no run found anything. If the truth itself has no event, the reason is by its rules."""
        about = self._request.subject, self._request.counted
        exact = [_fix(each, self._request.accuracy_m) for each in self._exact]
        if not self._truth:
            return why_nothing(exact, *plain(self._geofence, self._settings), *about)
        own = self._geofence, self._settings
        return why_nothing(exact, *own, *about) or why_nothing(self.reported_fixes(0), *own, *about)

    def _counted(self, found: Sequence[SweepEvent]) -> list[SweepEvent]:
        return [each for each in found if each.type == self._request.counted]

    def _true(self) -> list[SweepEvent]:
        geofence, settings = self._request.geofence, self._request.settings
        if self._request.parameter is SweepParameter.DWELL:
            geofence, settings = self._geofence, self._settings
        exact = [_fix(each, self._request.accuracy_m) for each in self._exact]
        return self._counted(truth_of(exact, geofence, settings, self._request.subject))

    def _speed_kmh(self) -> float | None:
        return self._value if self._request.parameter is SweepParameter.SPEED else self._request.assume_speed_kmh

    def _phone(self, noise: Noise | None, seed: int) -> Phone:
        return Phone(noise, seed, USUAL if self._request.derive_motion else None)


def _fix(reported: ScheduledFix, accuracy_m: float, *, fixed: bool = False) -> Fix:
    """Return the fix that the engine would accept, with the given accuracy if it has none or if it is fixed."""
    own = accuracy_m if fixed or reported.accuracy_m is None else reported.accuracy_m
    return Fix(reported.point, own, reported.at, bool(reported.foreground), bool(reported.stopped))


_COLUMNS: Final = (
    *("value", "label", "runs", "expected", "detected", "rate", "false_events", "median_delay_s", "late_delay_s"),
)


def table_text(result: SweepResult) -> str:
    """Return the points of a sweep as CSV, with a row for each value."""
    text = StringIO()
    write_rows(text, [_COLUMNS, *(_row(result, point) for point in result.points)], line_end="\n")
    return text.getvalue()


def _row(result: SweepResult, point: SweepPoint) -> Sequence[object]:
    label = result.label(point.value)
    counts = point.runs, point.expected, point.detected
    rate = "" if point.rate is None else f"{point.rate:.6g}"
    return f"{point.value:g}", label, *counts, rate, point.false_events, point.median_delay_s, point.late_delay_s
