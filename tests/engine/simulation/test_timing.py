"""Times are the recorded ones, or follow from a stated speed, but are never guessed."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from geographiclib.geodesic import Geodesic
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.values import replace
from engine.simulation.timing import ScheduledFix, location_updates, timed_points, untimed_reason

NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
T0 = datetime(2010, 8, 5, 14, 23, 59, 123456, tzinfo=UTC)

positions = st.builds(Point, st.floats(-180, 180), st.floats(-90, 90))
moments = st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
speeds = st.floats(0.5, 1200)


def track(*points: TrackPoint) -> Track:
    return Track("walk.gpx", points)


def timed(*seconds: float) -> Track:
    return track(*(TrackPoint(Point(14.0, 45.0), T0 + timedelta(seconds=second)) for second in seconds))


def test_recorded_times_hold_in_whole_milliseconds() -> None:
    fixes = timed_points(timed(0, 1.5), now=NOW)
    assert [fix.at.isoformat(timespec="microseconds") for fix in fixes] == [
        "2010-08-05T14:23:59.123000+00:00",
        "2010-08-05T14:24:00.623000+00:00",
    ]


def test_a_start_shifts_the_whole_track_and_is_converted_to_utc() -> None:
    start = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    fixes = timed_points(timed(0, 60), now=NOW, start=start)
    assert [fix.at for fix in fixes] == [start, start + timedelta(seconds=60)]
    assert all(fix.at.tzinfo is UTC for fix in fixes)


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ((TrackPoint(Point(0, 0), T0), TrackPoint(Point(0, 1))), "1 of 2 positions has no time"),
        (
            (TrackPoint(Point(0, 0), T0), TrackPoint(Point(0, 1), T0 - timedelta(seconds=1))),
            "the time of position 2 is earlier than the previous one",
        ),
    ],
)
def test_without_usable_times_a_speed_must_be_stated(points: tuple[TrackPoint, ...], reason: str) -> None:
    with pytest.raises(InvalidParameter, match=reason) as caught:
        timed_points(track(*points), now=NOW, start=NOW)
    assert caught.value.param == "assume_speed_kmh"
    assert "walk.gpx" in caught.value.message
    assert timed_points(track(*points), now=NOW, assume_speed_kmh=36)[0].at == NOW


def test_a_usable_track_has_no_reason_against_it() -> None:
    assert untimed_reason(timed(0, 0, 1)) is None


@pytest.mark.parametrize("speed", [0, -3, float("nan"), float("inf")])
def test_a_speed_must_be_positive(speed: float) -> None:
    with pytest.raises(InvalidParameter, match="assume_speed_kmh"):
        timed_points(timed(0, 1), now=NOW, assume_speed_kmh=speed)


def test_a_track_that_would_never_end_is_refused() -> None:
    points = track(TrackPoint(Point(0, 0)), TrackPoint(Point(90, 0)))
    for speed in (1e-9, 1e-300):
        with pytest.raises(InvalidParameter):
            timed_points(points, now=NOW, assume_speed_kmh=speed)


@given(st.lists(st.builds(TrackPoint, positions, st.none() | moments), min_size=1, max_size=20), speeds)
def test_an_assumed_speed_times_by_geodesic_distance_alone(points: list[TrackPoint], speed: float) -> None:
    fixes = timed_points(track(*points), now=NOW, assume_speed_kmh=speed)
    assert fixes[0].at == NOW
    travelled = 0.0
    for before, after in pairwise(fixes):
        line = (before.point.latitude, before.point.longitude, after.point.latitude, after.point.longitude)
        travelled += Geodesic.WGS84.Inverse(*line)["s12"]
        expected = travelled / (speed / 3.6)
        assert (after.at - NOW).total_seconds() == pytest.approx(expected, abs=0.0011, rel=1e-9)
        assert after.at >= before.at
    assert [fix.point for fix in fixes] == [point.point for point in points]


@given(st.lists(moments, min_size=1).map(sorted), st.none() | moments)
def test_a_shift_keeps_the_intervals(times: list[datetime], start: datetime | None) -> None:
    fixes = timed_points(track(*(TrackPoint(Point(0, 0), at) for at in times)), now=NOW, start=start)
    assert abs(fixes[0].at - (start or times[0])) < timedelta(milliseconds=1)
    for fix, at in zip(fixes, times, strict=True):
        assert abs((fix.at - fixes[0].at) - (at - times[0])) <= timedelta(milliseconds=1)
        assert fix.at.microsecond % 1000 == 0


def test_updates_carry_one_accuracy_or_their_own() -> None:
    fixes = (ScheduledFix(NOW, Point(1, 2), 7.0), ScheduledFix(NOW, Point(3, 4), None))
    moving = location_updates(fixes, device_id="phone", accuracy_m=12.0)
    assert {(update.foreground, update.stopped) for update in moving} == {(None, None)}
    standing = location_updates(fixes, device_id="phone", accuracy_m=12.0, foreground=True, stopped=True)
    assert {(update.foreground, update.stopped) for update in standing} == {(True, True)}
    own = (replace(fixes[0], foreground=False, stopped=True), fixes[1])
    updates = location_updates(own, device_id="phone", accuracy_m=12.0, foreground=True)
    assert [(update.foreground, update.stopped) for update in updates] == [(True, True), (True, None)]
    updates = location_updates(own, device_id="phone", accuracy_m=12.0)
    assert [(update.foreground, update.stopped) for update in updates] == [(False, True), (None, None)]
    updates = location_updates(fixes, device_id="phone", accuracy_m=12.0, user_id="ana")
    assert [update.accuracy_m for update in updates] == [12.0, 12.0]
    assert {(update.device_id, update.user_id, update.at) for update in updates} == {("phone", "ana", NOW)}
    assert location_updates(fixes[:1], device_id="phone", accuracy_m=None)[0].accuracy_m == 7.0
    with pytest.raises(InvalidParameter, match="position 2"):
        location_updates(fixes, device_id="phone", accuracy_m=None)


@pytest.mark.parametrize(
    ("device", "accuracy", "param"),
    [("", 5.0, "device_id"), (" ", 5.0, "device_id"), ("a", 0.0, "accuracy"), ("a", float("nan"), "accuracy")],
)
def test_bad_devices_and_accuracies(device: str, accuracy: float, param: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        location_updates((ScheduledFix(NOW, Point(1, 2), None),), device_id=device, accuracy_m=accuracy)
    assert caught.value.param == param
