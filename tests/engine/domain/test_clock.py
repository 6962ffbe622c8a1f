"""The test clock: frozen, moved, faster, slower, and back to real time."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.clock import EARLIEST, LATEST, MAX_SCALE, AdjustableClock, ClockChange, is_adjusted, pace_of
from engine.domain.errors import InvalidParameter
from engine.domain.ports import SystemClock
from tests.engine.fixtures import NOON, SetClock

THEN = datetime(2030, 6, 1, 8, tzinfo=UTC)


@pytest.fixture
def real() -> SetClock:
    return SetClock()


@pytest.fixture
def clock(real: SetClock) -> AdjustableClock:
    return AdjustableClock(real)


def test_it_follows_the_real_clock_until_it_is_changed(real: SetClock, clock: AdjustableClock) -> None:
    real.advance(5)
    assert clock.now() == NOON + timedelta(seconds=5)
    state = clock.state()
    assert (state.now, state.system, state.frozen, state.scale) == (clock.now(), True, False, 1)


def test_set_to_a_moment_it_goes_on_from_there(real: SetClock, clock: AdjustableClock) -> None:
    state = clock.change(ClockChange(now=THEN))
    assert (state.now, state.system, state.frozen, state.scale) == (THEN, False, False, 1)
    real.advance(90)
    assert clock.now() == THEN + timedelta(seconds=90)


def test_frozen_it_stands_still_and_thawed_it_goes_on(real: SetClock, clock: AdjustableClock) -> None:
    assert clock.change(ClockChange(now=THEN, frozen=True)).frozen
    real.advance(3_600)
    assert clock.now() == THEN
    assert clock.scale == 0
    assert not clock.change(ClockChange(frozen=False)).frozen
    real.advance(1)
    assert clock.now() == THEN + timedelta(seconds=1)


def test_freezing_alone_keeps_the_moment(real: SetClock, clock: AdjustableClock) -> None:
    clock.change(ClockChange(frozen=True))
    real.advance(60)
    assert clock.now() == NOON


def test_advanced_it_stays_frozen_or_goes_on(real: SetClock, clock: AdjustableClock) -> None:
    clock.change(ClockChange(now=THEN, frozen=True))
    assert clock.change(ClockChange(advance_s=60)).frozen
    assert clock.now() == THEN + timedelta(seconds=60)
    clock.change(ClockChange(frozen=False, advance_s=0.5))
    real.advance(1)
    assert clock.now() == THEN + timedelta(seconds=61.5)


def test_scaled_it_goes_faster_or_slower(real: SetClock, clock: AdjustableClock) -> None:
    clock.change(ClockChange(scale=60))
    real.advance(2)
    assert clock.now() == NOON + timedelta(minutes=2)
    clock.change(ClockChange(scale=0.5))
    real.advance(2)
    assert clock.now() == NOON + timedelta(minutes=2, seconds=1)


def test_a_scale_is_kept_while_frozen(real: SetClock, clock: AdjustableClock) -> None:
    clock.change(ClockChange(scale=60))
    state = clock.change(ClockChange(frozen=True))
    assert (state.frozen, state.scale) == (True, 60)
    clock.change(ClockChange(frozen=False))
    real.advance(1)
    assert clock.now() == NOON + timedelta(minutes=1)


def test_a_scale_of_nothing_freezes(real: SetClock, clock: AdjustableClock) -> None:
    assert clock.change(ClockChange(scale=0)).frozen
    real.advance(60)
    assert clock.now() == NOON


def test_the_system_takes_over_again(real: SetClock, clock: AdjustableClock) -> None:
    clock.change(ClockChange(now=THEN, frozen=True, scale=3))
    state = clock.change(ClockChange(system=True))
    assert (state.now, state.system, state.frozen, state.scale) == (NOON, True, False, 1)
    real.advance(1)
    assert clock.now() == NOON + timedelta(seconds=1)


def test_it_is_adjusted_from_its_first_change_until_the_system_takes_over(
    real: SetClock, clock: AdjustableClock
) -> None:
    adjusted = [is_adjusted(real), is_adjusted(clock)]
    for change in (ClockChange(advance_s=0), ClockChange(scale=1), ClockChange(system=True), ClockChange(frozen=True)):
        clock.change(change)
        adjusted.append(is_adjusted(clock))
    assert adjusted == [False, False, True, True, False, True]


def test_listeners_are_notified_of_each_change(clock: AdjustableClock) -> None:
    seen: list[datetime] = []
    clock.on_change(lambda: seen.append(clock.now()))
    clock.change(ClockChange(now=THEN))
    clock.change(ClockChange(advance_s=1))
    with pytest.raises(InvalidParameter):
        clock.change(ClockChange(scale=-1))
    assert seen == [THEN, THEN + timedelta(seconds=1)]


@pytest.mark.parametrize(
    ("change", "param"),
    [
        (ClockChange(), "now"),
        (ClockChange(now=EARLIEST - timedelta(milliseconds=1)), "now"),
        (ClockChange(now=LATEST + timedelta(milliseconds=1)), "now"),
        (ClockChange(advance_s=-1), "advance_s"),
        (ClockChange(advance_s=float("nan")), "advance_s"),
        (ClockChange(advance_s=float("inf")), "advance_s"),
        (ClockChange(advance_s=1e300), "advance_s"),
        (ClockChange(now=LATEST, advance_s=1), "advance_s"),
        (ClockChange(scale=-0.1), "scale"),
        (ClockChange(scale=float("nan")), "scale"),
        (ClockChange(scale=MAX_SCALE * 1.1), "scale"),
        (ClockChange(system=True, now=THEN), "system"),
        (ClockChange(system=True, frozen=False), "system"),
        (ClockChange(system=True, scale=1), "system"),
        (ClockChange(system=True, advance_s=0), "system"),
    ],
)
def test_an_impossible_change_is_refused_and_changes_nothing(
    change: ClockChange, param: str, clock: AdjustableClock
) -> None:
    clock.change(ClockChange(now=THEN, frozen=True))
    with pytest.raises(InvalidParameter) as refused:
        clock.change(change)
    assert refused.value.param == param
    assert refused.value.message.startswith(f"{param}: ")
    assert clock.now() == THEN


def test_it_stops_at_the_last_moment(real: SetClock, clock: AdjustableClock) -> None:
    clock.change(ClockChange(now=LATEST - timedelta(days=1), scale=MAX_SCALE))
    real.advance(3_600)
    assert clock.now() == LATEST
    real.advance(10_000 * 365 * 24 * 3_600 / 2)
    assert clock.now() == LATEST


@given(st.floats(0, 1e7), st.floats(0.001, 1e4), st.floats(0, 1e5), st.integers(0, 999_999))
def test_it_shows_whole_milliseconds_of_utc(advance_s: float, scale: float, real_s: float, microsecond: int) -> None:
    real = SetClock()
    clock = AdjustableClock(real)
    there = THEN.replace(microsecond=microsecond).astimezone(timezone(timedelta(hours=2)))
    for change in (ClockChange(now=there, frozen=True), ClockChange(advance_s=advance_s), ClockChange(scale=scale)):
        clock.change(change)
        assert clock.now().microsecond % 1_000 == 0
        assert clock.now().utcoffset() == timedelta(0)
    real.advance(real_s)
    passed = (clock.now() - THEN).total_seconds()
    assert clock.now().microsecond % 1_000 == 0
    assert passed == pytest.approx(
        microsecond / 1e6 + advance_s + real_s * scale, abs=0.003 + 1e-6 * scale + 1e-9 * real_s * scale
    )


@given(st.lists(st.floats(0, 100) | st.sampled_from([0.0, 1e6]), min_size=1, max_size=10))
def test_it_never_goes_back_unless_it_is_set(scales: list[float]) -> None:
    real = SetClock()
    clock = AdjustableClock(real)
    shown = clock.now()
    for scale in scales:
        clock.change(ClockChange(scale=scale))
        assert clock.now() >= shown
        real.advance(1)
        assert clock.now() >= shown
        shown = clock.now()


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)),
    st.booleans(),
    st.floats(0, 1_000),
    st.floats(0, 1e6),
)
def test_another_process_that_gets_its_pace_has_the_same_time(
    moment: datetime, frozen: bool, scale: float, later_s: float
) -> None:
    real = SetClock()

    class Machine(SystemClock):
        def now(self) -> datetime:
            return real.now()

    clock = AdjustableClock(Machine())
    assert pace_of(clock) is None
    clock.change(ClockChange(now=moment.replace(tzinfo=UTC), frozen=frozen, scale=scale))
    pace = pace_of(clock)
    real.advance(later_s)
    assert pace is not None
    assert pace.at(real.now()) == clock.now()


def test_a_clock_that_is_not_of_the_machine_stands_still_for_another_process() -> None:
    real = SetClock(THEN)
    for clock in (real, AdjustableClock(real)):
        pace = pace_of(clock)
        assert pace is not None
        assert (pace.at(NOON), pace.scale) == (THEN, 0)
