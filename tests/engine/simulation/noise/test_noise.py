"""Noise repeats with its seed, keeps order and times, and is as large as stated."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.geo.earth import metres_between, metres_per_degree
from engine.simulation.noise.apply import noisy
from engine.simulation.noise.arithmetic import Draws
from engine.simulation.noise.model import COVERED, PRESETS, Noise, noise_named
from engine.simulation.timing import ScheduledFix

NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)

seeds = st.integers(0, 2**63 - 1)
noises = st.builds(
    Noise,
    error_m=st.floats(0.1, 500),
    correlation_s=st.floats(0, 600),
    variation=st.floats(0, 2),
    lie_share=st.floats(0, 1),
    lie_factor=st.floats(0.1, 10),
    gaps_per_hour=st.floats(0, 200),
    gap_s=st.floats(0, 600),
    outlier_share=st.floats(0, 1),
    outlier_m=st.floats(0, 5000),
    drift_m=st.floats(0, 100),
    drift_s=st.floats(0, 600),
)
fixes_of_any_kind = st.lists(
    st.tuples(
        st.floats(0, 300),
        st.builds(Point, st.floats(-180, 180), st.floats(-90, 90)),
        st.none() | st.booleans(),
    ),
    max_size=30,
).map(lambda rows: _in_order(rows))


def _in_order(rows: Sequence[tuple[float, Point, bool | None]]) -> tuple[ScheduledFix, ...]:
    at, fixes = NOW, []
    for seconds, point, stopped in rows:
        at += timedelta(seconds=seconds)
        fixes.append(ScheduledFix(at, point, None, foreground=True, stopped=stopped))
    return tuple(fixes)


def walk(count: int, seconds: float = 1.0, *, step_degrees: float = 1e-5) -> tuple[ScheduledFix, ...]:
    """Return a walk along a parallel, with a fix at this interval."""
    return tuple(
        ScheduledFix(NOW + timedelta(seconds=number * seconds), Point(13.0 + number * step_degrees, 52.0), None)
        for number in range(count)
    )


@given(fixes_of_any_kind, noises, seeds)
def test_the_same_seed_gives_the_same_fixes_in_their_order(
    fixes: tuple[ScheduledFix, ...], noise: Noise, seed: int
) -> None:
    received = noisy(fixes, noise, seed)
    assert received == noisy(fixes, noise, seed)
    assert bool(received) == bool(fixes)
    assert all(one.at <= other.at for one, other in pairwise(received))
    assert {fix.at for fix in received} <= {fix.at for fix in fixes}
    assert received[:1] == noisy(fixes[:1], noise, seed), "what comes later changes nothing before"
    assert all(fix.accuracy_m is not None and fix.accuracy_m > 0 and fix.foreground for fix in received)
    assert all(-180 <= fix.point.longitude <= 180 and -90 <= fix.point.latitude <= 90 for fix in received)
    if noise.gaps_per_hour == 0:
        assert [(fix.at, fix.stopped) for fix in received] == [(fix.at, fix.stopped) for fix in fixes]


def test_fixes_of_presets_are_these_on_every_machine() -> None:
    track = walk(2_000)
    text = "\n".join(
        f"{fix.at}{fix.point}{fix.accuracy_m}" for noise in PRESETS.values() for fix in noisy(track, noise, 7)
    )
    assert sha256(text.encode()).hexdigest()[:16] == "4e4f73a4762824d3"


def test_another_seed_gives_other_fixes() -> None:
    track = walk(50)
    assert len({noisy(track, PRESETS["city-canyon"], seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("variation", [0.0, 0.5])
def test_as_many_fixes_lie_within_the_reported_accuracy_as_stated(variation: float) -> None:
    track = walk(20_000)
    received = noisy(track, Noise(error_m=20, correlation_s=2, variation=variation), 3)
    within = [
        metres_between(one.point, other.point) <= (other.accuracy_m or 0)
        for one, other in zip(track, received, strict=True)
    ]
    assert sum(within) / len(within) == pytest.approx(COVERED, abs=0.015)
    reported = sorted(fix.accuracy_m or 0 for fix in received)
    assert reported[len(reported) // 2] == pytest.approx(20, rel=0.1), "the median is the stated error"
    assert (reported[0] == reported[-1]) == (variation == 0)


@pytest.mark.slow
def test_errors_are_centred_and_correlated_by_the_time_between_them() -> None:
    for seconds in (1.0, 15.0, 60.0):
        track = walk(20_000, seconds)
        received = noisy(track, Noise(error_m=15, correlation_s=30), 5)
        per_longitude, _ = metres_per_degree(52.0)
        errors = [(b.point.longitude - a.point.longitude) * per_longitude for a, b in zip(track, received, strict=True)]
        mean, spread = sum(errors) / len(errors), sum(error * error for error in errors) / len(errors)
        product = sum(one * other for one, other in pairwise(errors)) / len(errors)
        assert mean == pytest.approx(0, abs=2.5)
        assert spread**0.5 == pytest.approx(15 / 1.5096, rel=0.1)
        assert product / spread == pytest.approx(exp(-seconds / 30), abs=0.03)


def test_the_correlation_goes_by_time_not_by_fixes() -> None:
    crowded = noisy(walk(2_000, 0.0), Noise(error_m=15, correlation_s=30), 5)
    assert (
        len(
            {
                (round(fix.point.longitude - 13.0 - number * 1e-5, 6), fix.point.latitude)
                for number, fix in enumerate(crowded)
            }
        )
        == 1
    )


def test_lies_are_as_many_and_as_large_as_set() -> None:
    track = walk(10_000)
    honest = Noise(error_m=30, variation=0.3)
    lying = replace(honest, lie_share=0.25, lie_factor=3)
    accuracies = [
        (one.accuracy_m or 0, other.accuracy_m or 0)
        for one, other in zip(noisy(track, honest, 9), noisy(track, lying, 9), strict=True)
    ]
    lies = [(truth, lie) for truth, lie in accuracies if truth != lie]
    assert len(lies) / len(accuracies) == pytest.approx(0.25, abs=0.02)
    assert all(lie == pytest.approx(truth / 3, abs=0.08) for truth, lie in lies)
    assert [fix.point for fix in noisy(track, honest, 9)] == [fix.point for fix in noisy(track, lying, 9)]


def test_gaps_and_outliers_are_as_many_as_set() -> None:
    track = walk(36_000, 10.0)  # a hundred hours
    received = noisy(track, Noise(gaps_per_hour=12, gap_s=60), 1)
    silences = [seconds for a, b in pairwise(received) if (seconds := (b.at - a.at).total_seconds()) > 10]
    assert len(received) / len(track) == pytest.approx(300 / 360, rel=0.02), "a gap of 60 s after 300 s of fixes"
    assert sum(silences) / len(silences) == pytest.approx(70, rel=0.1), "and up to a fix before and after it"
    track = walk(10_000)
    wild = noisy(track, Noise(error_m=1, outlier_share=0.05, outlier_m=400), 1)
    far = [metres for a, b in zip(track, wild, strict=False) if (metres := metres_between(a.point, b.point)) > 100]
    assert len(far) / 10_000 == pytest.approx(0.05, abs=0.01)
    assert all(190 < metres < 620 for metres in far)
    assert max(fix.accuracy_m or 0 for fix in wild) == 1, "an outlier does not say that it is one"


def test_gaps_over_years_take_no_longer_than_their_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = 0

    def waiting(draws: Draws, mean: float, original: Callable[[Draws, float], float] = Draws.waiting) -> float:
        nonlocal drawn
        drawn += 1
        return original(draws, mean)

    monkeypatch.setattr(Draws, "waiting", waiting)
    rare = walk(4_000, 86_400.0)
    received = noisy(rare, Noise(gaps_per_hour=3_600, gap_s=3), 1)
    assert received[0].at == rare[0].at
    assert drawn < 250 * len(rare), "not a draw for each of a hundred million gaps"
    assert len(received) / len(rare) == pytest.approx(0.25, abs=0.03), "a gap of 3 s after each second of fixes"


def test_only_a_standing_device_drifts() -> None:
    noise = Noise(error_m=0.1, drift_m=30, drift_s=60)
    moving, standing = walk(3_000), walk(3_000, step_degrees=0)

    def farthest(track: tuple[ScheduledFix, ...]) -> float:
        return max(metres_between(a.point, b.point) for a, b in zip(track, noisy(track, noise, 2), strict=True))

    assert farthest(moving) < 1
    assert 40 < farthest(standing) < 200
    assert farthest(tuple(replace(fix, stopped=True) for fix in moving)) > 40, "by what the track says, where it does"


@pytest.mark.parametrize(
    ("name", "value"),
    [("error_m", 0.0), ("error_m", float("nan")), ("lie_share", 1.01), ("gap_s", -1.0), ("lie_factor", 0.0)],
)
def test_values_that_cannot_be_are_named(name: str, value: float) -> None:
    with pytest.raises(InvalidParameter) as caught:
        Noise(**{name: value})
    assert caught.value.param == name


def test_unknown_presets_and_seeds_are_named() -> None:
    assert noise_named("indoor") is PRESETS["indoor"]
    with pytest.raises(InvalidParameter, match="one of open-sky, city-canyon, indoor, poor-phone, not 'fog'"):
        noise_named("fog")
    for seed in (-1, 2**63):
        with pytest.raises(InvalidParameter, match="seed: must be a whole number"):
            noisy(walk(1), Noise(), seed)
