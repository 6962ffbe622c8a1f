"""Sweeps: counting, completeness despite skipping, and reproducible seeds."""

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sweeps import SweepRequest, run_sweep
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.geometry import Circle, Geometry
from engine.domain.settings import DEFAULT_SETTINGS
from engine.domain.tracking.sweep import (
    SweepEvent,
    SweepParameter,
    SweepPoint,
    SweepResult,
    Tally,
    per_run,
    point_of,
    tally,
    values_between,
)
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.tracking.updates import EventType, Fix
from engine.domain.values import replace
from engine.simulation.noise.model import PRESETS
from engine.tracking.step import EVENTS, Presences, step
from engine.tracking.whatif.sweeping import detected_events
from tests.engine.fixtures import HOME, NOON
from tests.engine.tracking.histories import START, WORKSHOP, Spot, first_settings, spots
from tests.engine.tracking.measuring import moved
from tests.engine.tracking.test_decide import ANONYMOUS, STORE, fence

ENTERED, EXITED = EventType.ENTERED_GEOFENCE, EventType.EXITED_GEOFENCE


def at(second: float, kind: str = ENTERED) -> SweepEvent:
    return SweepEvent(kind, NOON + timedelta(seconds=second))


@pytest.mark.parametrize(
    ("truth", "found", "expected"),
    [
        ([], [], Tally(0, (), 0)),
        ([at(100)], [at(90)], Tally(1, (-10.0,), 0)),
        ([at(100)], [at(131)], Tally(1, (), 1)),
        ([at(100)], [at(130)], Tally(1, (30.0,), 0)),
        ([at(100)], [at(80), at(105), at(120)], Tally(1, (5.0,), 2)),
        ([at(100), at(200)], [at(190), at(110)], Tally(2, (-10.0, 10.0), 0)),
        ([at(100)], [at(100, EventType.EXITED_GEOFENCE)], Tally(1, (), 1)),
    ],
)
def test_tallies(truth: list[SweepEvent], found: list[SweepEvent], expected: Tally) -> None:
    assert tally(truth, found, 30) == expected


moments = st.lists(st.integers(0, 300).map(at), max_size=8)


@given(moments, moments, st.integers(1, 100))
def test_every_event_is_a_true_one_or_false(truth: list[SweepEvent], found: list[SweepEvent], tolerance: int) -> None:
    counted = tally(truth, found, tolerance)
    assert len(counted.delays_s) + counted.false_events == len(found)
    assert len(counted.delays_s) <= counted.expected == len(truth)
    assert all(abs(delay) <= tolerance for delay in counted.delays_s)
    assert tally(truth, truth, tolerance).false_events == len(truth) - len(set(truth))


shapes: list[Geometry] = [Circle(HOME, 100.0), Circle(HOME, 18.5), WORKSHOP]


@given(
    st.sampled_from(shapes),
    st.lists(st.tuples(spots, st.floats(1, 200)), max_size=12),
    first_settings,
    st.sampled_from([None, 60.0]),
)
def test_detected_events_are_those_of_tracking(
    geometry: Geometry, visits: list[tuple[Spot, float]], switched: dict[str, object], dwell_s: float | None
) -> None:
    geofence = replace(STORE, geometry=geometry, rules=GeofenceRules(dwell_threshold_s=dwell_s))
    settings = replace(DEFAULT_SETTINGS, **switched)  # type: ignore[arg-type]
    fixes = [
        Fix(spot.beside(geometry), accuracy_m, START + timedelta(seconds=40 * number), stopped=number % 2 == 0)
        for number, (spot, accuracy_m) in enumerate(visits)
    ]
    presences: Presences = {}
    expected = []
    for fix in fixes:
        taken = step(presences, ANONYMOUS, fix, [fence(geofence)], settings, fix.at)
        presences = taken.presences
        expected += [SweepEvent(EVENTS[decision.outcome], fix.at) for decision in taken.fired]
    assert detected_events(fixes, geofence, settings, ANONYMOUS) == expected


WAY = Track(
    "way",
    tuple(TrackPoint(moved(HOME, 90, east), NOON + timedelta(seconds=east / 2), 5.0) for east in range(-400, 401, 8)),
)
"""A track past the centre of the circle, from west to east with 2 m/s, a fix every 4 s."""


def request(parameter: SweepParameter, low: float = 0, high: float = 0, **given: object) -> SweepRequest:
    made = SweepRequest(
        parameter=parameter,
        low=low,
        high=high,
        steps=3,
        seeds=8,
        geofence=STORE,
        settings=DEFAULT_SETTINGS,
        track=WAY,
        noise=PRESETS["city-canyon"],
        now=NOON,
    )
    return replace(made, **given)  # type: ignore[arg-type]


def test_without_noise_the_stored_geofence_is_the_truth() -> None:
    result = run_sweep(request(SweepParameter.RADIUS, 100, 200, noise=None))
    assert [(each.rate, each.false_events) for each in result.points] == [(1.0, 0)] * 3
    assert [each.median_delay_s for each in result.points] == [0, -24, -52]
    assert result.best is not None
    assert result.best.value == 100


def test_the_same_seeds_give_the_same_result() -> None:
    sweep = request(SweepParameter.RADIUS, 60, 180)
    seen: list[int] = []
    result = run_sweep(sweep, on_points=lambda points: seen.append(points[0].runs))
    assert result == run_sweep(sweep)
    assert seen == list(range(1, 9))
    assert run_sweep(replace(sweep, noise=PRESETS["poor-phone"])) != result


@pytest.mark.parametrize(
    ("parameter", "low", "high", "values"),
    [
        (SweepParameter.ACCURACY, 5, 45, [5, 25, 45]),
        (SweepParameter.DWELL, 0.5, 1.5, [0.5, 1, 1.5]),
        (SweepParameter.SPEED, 5, 105, [5, 55, 105]),
        (SweepParameter.BUFFER, 0, 0, [0, 1, 2, 3]),
    ],
)
def test_every_parameter(parameter: SweepParameter, low: float, high: float, values: list[float]) -> None:
    result = run_sweep(request(parameter, low, high))
    assert [each.value for each in result.points] == values
    assert all(each.runs == 8 for each in result.points)
    assert len({(each.detected, each.false_events, each.median_delay_s) for each in result.points}) > 1


def test_more_noise_finds_less_or_later() -> None:
    first, _, last = run_sweep(request(SweepParameter.ACCURACY, 5, 300, seeds=20)).points
    assert first.rate == 1
    assert (last.rate or 0, -last.false_rate) < (first.rate or 0, -first.false_rate)


@pytest.mark.parametrize(
    ("false_events", "expected"),
    [(0, "no false events"), (40, "0.40 false events per run"), (1_234, "12.34 false events per run")],
)
def test_the_verdict_contains_the_false_events(false_events: int, expected: str) -> None:
    result = SweepResult(SweepParameter.RADIUS, (SweepPoint(250, 100, 100, 99, false_events, 0, 0),))
    assert result.verdict == f"Radius 250 m catches 99 %, with {expected}."
    rare = SweepPoint(250, 10_000, 10_000, 10_000, 1, 0, 0)
    assert per_run(rare.false_rate) == "0.01 false events per run"


def test_motion_is_derived_regardless_of_the_track() -> None:
    """A walking user has the app in the foreground, so stop detection allows entering."""
    sweep = request(
        SweepParameter.RADIUS, 100, 100, noise=None, settings=replace(DEFAULT_SETTINGS, stop_detection=True)
    )
    assert [point.detected for point in run_sweep(sweep).points] == [1, 1, 1]
    unsaid = replace(sweep, derive_motion=False)
    assert [point.detected for point in run_sweep(unsaid).points] == [0, 0, 0]
    denied = replace(WAY, points=tuple(replace(point, foreground=False, stopped=False) for point in WAY.points))
    assert [point.detected for point in run_sweep(replace(sweep, track=denied)).points] == [1, 1, 1]


def test_the_best_is_the_least_that_does_or_of_accuracy_and_speed_the_most() -> None:
    points = tuple(
        SweepPoint(value, 100, 100, found, 0, 0, 0) for value, found in ((1, 98), (2, 99), (3, 100), (4, 90))
    )
    best = {parameter: SweepResult(parameter, points).best for parameter in SweepParameter}
    assert {parameter: each and each.value for parameter, each in best.items()} == {
        SweepParameter.RADIUS: 2,
        SweepParameter.DWELL: 2,
        SweepParameter.BUFFER: 2,
        SweepParameter.ACCURACY: 3,
        SweepParameter.SPEED: 3,
    }
    nothing = SweepResult(SweepParameter.RADIUS, (point_of(1, [Tally(0, (), 0)]),))
    assert (nothing.best, nothing.points[0].rate) == (None, None)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (
            {"settings": replace(DEFAULT_SETTINGS, stop_detection=True)},
            "No value catches 99 % (entry withheld: stop detection is on and the device is neither stopped nor in the "
            "foreground).",
        ),
        (
            {"geofence": replace(STORE, rules=GeofenceRules(stop_detection=True)), "event_type": EXITED},
            "No value catches 99 % (entry withheld: stop detection is on and the device is neither "
            "stopped nor in the foreground).",
        ),
        (
            {"geofence": replace(STORE, enabled=False)},
            "The track without noise generates no such event (outside: the geofence is disabled), so there is",
        ),
        (
            {"geofence": replace(STORE, geometry=Circle(moved(HOME, 0, 5_000), 100.0))},
            "The track without noise generates no such event (the track comes no nearer to the geofence than 4900 m",
        ),
    ],
    ids=["settings", "geofence", "disabled", "elsewhere"],
)
def test_nothing_found_has_a_reason(given: dict[str, object], verdict: str) -> None:
    # At this speed the device is never considered to be in the foreground.
    result = run_sweep(request(SweepParameter.ACCURACY, 5, 45, assume_speed_kmh=40, **given))
    assert sum(point.detected + point.false_events for point in result.points) == 0
    assert result.verdict.startswith(verdict)


def test_without_noise_one_run_is_enough() -> None:
    result = run_sweep(request(SweepParameter.RADIUS, 100, 200, noise=None, seeds=10_000))
    assert [point.runs for point in result.points] == [1] * 3


def square(geofence: Geofence) -> Geofence:
    return replace(geofence, geometry=WORKSHOP)


@pytest.mark.parametrize(
    ("sweep", "param"),
    [
        (request(SweepParameter.RADIUS, 0, 100), "from"),
        (request(SweepParameter.RADIUS, 200, 100), "from"),
        (request(SweepParameter.RADIUS, math.nan, 100), "from"),
        (request(SweepParameter.RADIUS, 50, math.inf), "to"),
        (request(SweepParameter.RADIUS, 5, 100), "radius_m"),
        (request(SweepParameter.RADIUS, 50, 100, geofence=square(STORE)), "geofence"),
        (request(SweepParameter.RADIUS, 50, 100, steps=0), "steps"),
        (request(SweepParameter.RADIUS, 50, 100, seeds=0), "seeds"),
        (request(SweepParameter.DWELL, 1, 1e9), "dwell_threshold_s"),
        (request(SweepParameter.ACCURACY, 1, 1e9), "error_m"),
    ],
)
def test_invalid_requests(sweep: SweepRequest, param: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        run_sweep(sweep)
    assert refused.value.param == param


def test_the_values() -> None:
    assert values_between(50, 300, 6) == (50, 100, 150, 200, 250, 300)
    assert values_between(50, 300, 1) == (50,)
