"""Tests of cutting, joining, reversing, resampling and drawing tracks, and of writing and reading them."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.values import replace
from engine.geo.earth import metres_between
from engine.simulation.drawn import drawn_track
from engine.simulation.editing import at_speed, cut, joined, part, resampled, reversed_track, shifted
from engine.simulation.formats.reading import parse_track
from engine.simulation.writing.writing import TrackFormat, format_of, write_track

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
moments = st.datetimes(datetime(1971, 1, 1), datetime(2500, 1, 1), timezones=st.just(UTC))
positions = st.builds(Point, st.floats(-180, 180), st.floats(-90, 90))
switches = st.none() | st.booleans()
speeds = st.none() | st.floats(0, 1e4)
untimed_points = st.builds(
    TrackPoint, positions, st.none(), st.none() | st.floats(0.01, 1e6), switches, switches, speeds
)


@st.composite
def timed_tracks(draw: st.DrawFn) -> Track:
    points = draw(st.lists(untimed_points, min_size=1, max_size=20))
    times = sorted(draw(st.lists(moments, min_size=len(points), max_size=len(points))))
    return Track("walk.gpx", tuple(_at(point, at) for point, at in zip(points, times, strict=True)))


def _at(point: TrackPoint, at: datetime | None) -> TrackPoint:
    return replace(point, at=at)


untimed_tracks = st.builds(Track, st.just("walk.gpx"), st.lists(untimed_points, min_size=1, max_size=20).map(tuple))


def walk(*seconds: float, name: str = "walk", metres: Sequence[float] = ()) -> Track:
    """Return positions a thousandth of a degree apart, at these seconds after noon."""
    points = (
        TrackPoint(Point(14.5 + n / 1000, 46.0), NOON + timedelta(seconds=at), metres[n] if metres else None)
        for n, at in enumerate(seconds)
    )
    return Track(name, tuple(points))


def seconds_of(track: Track) -> list[float]:
    return [(point.at - NOON).total_seconds() for point in track.points if point.at is not None]


def refused(param: str) -> AbstractContextManager[object]:
    return pytest.raises(InvalidParameter, check=lambda error: error.param == param and error.message.startswith(param))


@given(timed_tracks() | untimed_tracks, st.sampled_from([TrackFormat.GPX, TrackFormat.CSV, TrackFormat.GEOJSON]))
def test_a_written_track_is_read_unchanged(track: Track, track_format: TrackFormat) -> None:
    again = parse_track(write_track(track, track_format), "walk.gpx")
    # A time that is at most a millisecond before the previous one is read as the same time.
    assert again == track


@given(timed_tracks())
def test_xcode_has_the_positions_and_the_whole_seconds(track: Track) -> None:
    again = parse_track(write_track(track, TrackFormat.XCODE), "walk.gpx")
    expected = [(p.point, p.at.replace(microsecond=0)) for p in track.points if p.at is not None]
    assert [(point.point, point.at) for point in again.points] == expected


@given(st.text(max_size=40))
def test_any_name_can_be_written(name: str) -> None:
    for track_format in TrackFormat:
        assert write_track(Track(name, walk(0, 1).points), track_format)
    assert len(parse_track(write_track(Track(name, walk(0, 1).points), TrackFormat.GPX), "a").points) == 2


def test_the_name_of_a_file_determines_its_format() -> None:
    assert [format_of(Path(f"a.{each}")) for each in ("GPX", "csv", "json", "sh")] == ["gpx", "csv", "geojson", "adb"]
    with refused("format"):
        format_of(Path("a.kml"))


def test_a_track_is_cut_by_moments_and_positions() -> None:
    track = walk(0, 10, 20, 30)
    at = [NOON + timedelta(seconds=each) for each in (10, 20)]
    assert seconds_of(cut(track, *at)) == [10, 20]
    assert seconds_of(cut(track, after=at[1])) == [20, 30]
    assert seconds_of(cut(track, before=at[0])) == [0, 10]
    assert seconds_of(part(track, 2, 3)) == [10, 20]
    assert seconds_of(part(track, 4)) == [30]
    acts: tuple[Callable[[], Track], ...] = (
        lambda: cut(track, after=NOON + timedelta(hours=1)),
        lambda: part(track, 5),
        lambda: cut(Track("a", (TrackPoint(Point(0, 0)),))),
    )
    for act in acts:
        with refused("from"):
            act()


def test_tracks_are_joined_with_a_gap() -> None:
    one, other = walk(0, 10), walk(100, 110, name="later")
    assert seconds_of(joined(one, other)) == [0, 10, 100, 110]
    assert seconds_of(joined(one, other, 5)) == [0, 10, 15, 25]
    assert seconds_of(joined(other, one, 0)) == [100, 110, 110, 120]
    untimed = Track("drawn", (TrackPoint(Point(0, 0)),))
    assert len(joined(untimed, untimed).points) == 2
    for pair in ((other, one), (one, untimed), (untimed, one)):
        with refused("join"):
            joined(*pair)
    with refused("gap"):
        joined(one, other, -1)


@given(timed_tracks())
def test_the_way_back_of_the_way_back_is_the_track(track: Track) -> None:
    back = reversed_track(track)
    assert back.timed
    assert back.points[0].at == track.points[0].at
    assert reversed_track(back) == track


def test_a_track_is_resampled_on_its_way() -> None:
    track = walk(0, 10, 20, 100, metres=(1, 2, 3, 4))
    fine = resampled(track, 4)
    assert seconds_of(fine) == [*range(0, 100, 4), 100]
    assert [point.accuracy_m for point in fine.points[:6]] == [1, 1, 1, 2, 2, 3]
    assert fine.points[1].point.longitude == pytest.approx(14.5004, abs=1e-6)
    assert [point.point for point in resampled(track, 10).points[:3]] == [point.point for point in track.points[:3]]
    assert seconds_of(resampled(track, 4, keep_gaps_s=60)) == [0, 4, 8, 12, 16, 20, 100]
    assert seconds_of(resampled(walk(0, 0, 0), 4)) == [0]
    assert seconds_of(resampled(walk(5), 4)) == [5]


@pytest.mark.parametrize(
    ("interval", "gaps", "param"), [(0, None, "resample"), (5, 1, "keep_gaps"), (float("nan"), None, "resample")]
)
def test_invalid_resampling(interval: float, gaps: float | None, param: str) -> None:
    with refused(param):
        resampled(walk(0, 10), interval, gaps)
    with refused("resample"):
        resampled(Track("drawn", (TrackPoint(Point(0, 0)),)), 1)
    with refused("resample"):
        resampled(walk(0, 1e9), 1)


@settings(max_examples=30, deadline=None)
@given(st.lists(positions, min_size=2, max_size=6), st.floats(500, 2000), st.floats(600, 86_400))
def test_a_drawn_track_has_a_fix_every_interval_at_its_speed(corners: list[Point], kmh: float, every_s: float) -> None:
    track = drawn_track(corners, kmh, every_s, NOON)
    length = sum(metres_between(a, b) for a, b in pairwise(corners))
    times = seconds_of(track)
    assert track.timed
    for found, corner in ((track.points[0].point, corners[0]), (track.points[-1].point, corners[-1])):
        # Vertices passed in the same millisecond are merged.
        assert metres_between(found, corner) <= kmh / 3.6 * 0.001 + 1e-6
    assert times[-1] == pytest.approx(length / (kmh / 3.6), abs=0.01)
    assert all(0 <= later - earlier <= every_s + 0.01 for earlier, later in pairwise(times))
    for one, following in pairwise(track.points[:50]):
        assert one.at is not None
        assert following.at is not None
        passed = (following.at - one.at).total_seconds()
        assert metres_between(one.point, following.point) <= kmh / 3.6 * (passed + 0.002) + 0.1


def test_invalid_drawing() -> None:
    with refused("points"):
        drawn_track([Point(0, 0)], 5, 1, NOON)
    with refused("assume_speed_kmh"):
        drawn_track([Point(0, 0), Point(1, 1)], 0, 1, NOON)
    with refused("interval_s"):
        drawn_track([Point(0, 0), Point(1, 1)], 5, 0, NOON)


def test_times_are_shifted_or_made() -> None:
    assert seconds_of(shifted(walk(60, 70), NOON)) == [0, 10]
    untimed = Track("drawn", tuple(TrackPoint(point.point, speed_mps=3) for point in walk(0, 0).points))
    assert [point.speed_mps for point in at_speed(untimed, 36, NOON).points] == [None, None]
    assert seconds_of(at_speed(untimed, 36, NOON))[1] == pytest.approx(7.743, abs=0.01)
