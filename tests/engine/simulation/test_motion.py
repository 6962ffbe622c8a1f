"""Motion data of a device follows from its fixes up to then."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.geo.earth import metres_between
from engine.simulation.motion import USUAL, Motion, with_motion
from engine.simulation.timing import ScheduledFix

NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
PER_METRE = 1 / 111_195


def along(*stretches: tuple[int, float], every_s: float = 5.0) -> tuple[ScheduledFix, ...]:
    """Return fixes to the north: for each stretch a number of fixes and a speed in metres per second."""
    fixes, north_m = [ScheduledFix(NOW, Point(8.0, 0.0), None)], 0.0
    for count, speed in stretches:
        for _ in range(count):
            north_m += speed * every_s
            at = fixes[-1].at + timedelta(seconds=every_s)
            fixes.append(ScheduledFix(at, Point(8.0, north_m * PER_METRE), None))
    return tuple(fixes)


def test_a_drive_a_rest_and_a_walk() -> None:
    fixes = with_motion(along((40, 15.0), (60, 0.0), (40, 1.4)))
    drive, rest, walk = fixes[1:41], fixes[41:101], fixes[101:]
    assert not any(fix.stopped or fix.foreground for fix in drive)
    first = next(index for index, fix in enumerate(rest) if fix.stopped)
    assert (first + 1) * 5 == 140, "the last fix of the drive is at the place of the rest"
    assert all(fix.foreground and not fix.stopped for fix in rest[:first])
    assert all(fix.stopped and not fix.foreground for fix in rest[first:])
    moved_on = next(index for index, fix in enumerate(walk) if not fix.stopped)
    assert (moved_on + 1) * 7 == pytest.approx(70, abs=7)
    assert all(fix.foreground for fix in walk[moved_on:])


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(-0.001, 0.001), st.floats(-0.001, 0.001)), max_size=25),
    st.sampled_from([0.0, 179.9999, -60.0]),
    st.builds(Motion, stop_distance_m=st.floats(1, 200), stop_duration_s=st.floats(1, 300)),
)
def test_stopped_means_near_for_long_enough(
    steps: list[tuple[float, float, float]], longitude: float, motion: Motion
) -> None:
    at, fixes = NOW, []
    for seconds, east, north in steps:
        at += timedelta(milliseconds=round(seconds * 1000))
        fixes.append(ScheduledFix(at, Point((longitude + east + 180) % 360 - 180, north), None))
    for index, fix in enumerate(with_motion(fixes, motion)):
        before = [other for other in fixes[:index] if (fix.at - other.at).total_seconds() >= motion.stop_duration_s]
        since = fixes[len(before) - 1 : index + 1] if before else []
        farthest = max((metres_between(fix.point, other.point) for other in since), default=0.0)
        if abs(farthest - motion.stop_distance_m) > 0.01:  # a plane is not an ellipsoid
            assert fix.stopped == (bool(before) and farthest <= motion.stop_distance_m)
        assert not (fix.stopped and fix.foreground)


def test_a_fix_elsewhere_at_the_same_time_was_reached_at_once() -> None:
    here, there = Point(8.0, 0.0), Point(8.0, 10 * PER_METRE)
    stays, jumps = (
        with_motion([ScheduledFix(NOW, here, None), ScheduledFix(NOW, each, None)]) for each in (here, there)
    )
    assert [fix.foreground for fix in stays] == [True, True]
    assert [fix.foreground for fix in jumps] == [False, False], "faster than on foot"


def test_one_fix_and_none() -> None:
    assert with_motion(()) == ()
    (only,) = with_motion(along())
    assert (only.stopped, only.foreground) == (False, True)


@pytest.mark.parametrize("name", ["stop_distance_m", "stop_duration_s", "foreground_mps"])
def test_values_that_cannot_be_are_named(name: str) -> None:
    assert USUAL.stop_duration_s == 140
    with pytest.raises(InvalidParameter) as caught:
        Motion(**{name: 0.0})
    assert caught.value.param == name
