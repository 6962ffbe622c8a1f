"""Editing of tracks: cut, join, reverse, resample, time. Each function returns a new track and keeps the given one."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import isfinite
from typing import Final

import numpy as np

from engine.domain.clock import utc_text
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.values import replace
from engine.geo.earth import Floats, wgs84
from engine.simulation.formats.fields import MAX_POSITIONS
from engine.simulation.timing import timed_points, untimed_reason

SHORTEST_INTERVAL_S: Final = 0.1
LONGEST_INTERVAL_S: Final = 86_400.0
LONGEST_GAP_S: Final = 366 * 86_400.0

_DIGITS: Final = 7
"""Number of decimals of computed degrees: about a centimetre, identical on every machine."""


def cut(track: Track, after: datetime | None = None, before: datetime | None = None) -> Track:
    """Return the positions from `after` up to `before`, both included.

    Raises `InvalidParameter` naming ``from`` if none is left or positions have no times.
    """
    reason = untimed_reason(track)
    if reason is not None:
        raise InvalidParameter("from", f"from: in {track.name}, {reason}; cut it by the numbers of its positions.")
    first, last = after or datetime.min.replace(tzinfo=UTC), before or datetime.max.replace(tzinfo=UTC)
    return _some(track, tuple(point for point in track.points if point.at is not None and first <= point.at <= last))


def part(track: Track, first: int = 1, last: int | None = None) -> Track:
    """Return the positions from number `first` to number `last`, counted from 1.

    Raises `InvalidParameter` naming ``from`` if none is left.
    """
    return _some(track, track.points[max(first, 1) - 1 : last])


def joined(track: Track, other: Track, gap_s: float | None = None) -> Track:
    """Return `track` followed by `other`, with its own times or, with `gap_s`, this long after the end of `track`.

    Raises `InvalidParameter` naming ``join`` if only one of them has times or if `other` begins too early, or naming
    ``gap``.
    """
    if track.timed != other.timed:
        untimed = other.name if track.timed else track.name
        raise InvalidParameter(
            "join", f"join: the positions of {untimed} have no times in order; give it a speed first."
        )
    after = other.points if gap_s is None or not other.timed else tuple(_shifted(track, other, gap_s))
    last, first = track.points[-1].at, after[0].at
    if last is not None and first is not None and first < last:
        begins, ends = utc_text(first, "seconds"), utc_text(last, "seconds")
        raise InvalidParameter(
            "join",
            f"join: {other.name} begins at {begins}, before {track.name} ends at {ends}; "
            "give a gap in seconds to append it.",
        )
    _check_count(len(track.points) + len(after), "join")
    return replace(track, points=track.points + after, skipped=(*track.skipped, *other.skipped))


def reversed_track(track: Track) -> Track:
    """Return the reversed track, with the same start and the same durations between positions."""
    points = tuple(reversed(track.points))
    first, last = track.points[0].at, track.points[-1].at
    if not track.timed or first is None or last is None:
        return replace(track, points=points)
    mirrored = (replace(point, at=first + (last - point.at)) for point in points if point.at is not None)
    return replace(track, points=tuple(mirrored))


def resampled(track: Track, interval_s: float, keep_gaps_s: float | None = None, *, most: int = MAX_POSITIONS) -> Track:
    """Return the track with a fix every `interval_s` from its first to its last, interpolated between positions.

    The other values of a fix are those of the position before it. A gap longer than `keep_gaps_s` is kept. Raises
    `InvalidParameter` naming ``resample`` or ``keep_gaps``.
    """
    _check_seconds(interval_s, "resample", SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S)
    if keep_gaps_s is not None:
        _check_seconds(keep_gaps_s, "keep_gaps", interval_s, LONGEST_GAP_S)
    reason = untimed_reason(track)
    if reason is not None:
        raise InvalidParameter("resample", f"resample: in {track.name}, {reason}; give it a speed first.")
    parts = list(_without_gaps(track.points, keep_gaps_s))
    total = sum(_length(points) // interval_s + 2 for points in parts)
    _check_count(total, "resample", most)
    return replace(track, points=tuple(point for points in parts for point in _sampled(points, interval_s)))


def at_speed(track: Track, speed_kmh: float, start: datetime) -> Track:
    """Return the track timed by distance at a constant speed, without recorded speeds.

    Raises `InvalidParameter` naming ``assume_speed_kmh``.
    """
    fixes = timed_points(track, now=start, assume_speed_kmh=speed_kmh, start=start)
    points = (replace(point, at=fix.at, speed_mps=None) for point, fix in zip(track.points, fixes, strict=True))
    return replace(track, points=tuple(points))


def shifted(track: Track, start: datetime) -> Track:
    """Return the track shifted to another start; raises `InvalidParameter` ``assume_speed_kmh`` if it has no times."""
    fixes = timed_points(track, now=start, start=start)
    points = (replace(point, at=fix.at) for point, fix in zip(track.points, fixes, strict=True))
    return replace(track, points=tuple(points))


def _some(track: Track, points: tuple[TrackPoint, ...]) -> Track:
    if not points:
        raise InvalidParameter("from", f"from: no position of {track.name} would be left.")
    return replace(track, points=points)


def _shifted(track: Track, other: Track, gap_s: float) -> Iterator[TrackPoint]:
    _check_seconds(gap_s, "gap", 0.0, LONGEST_GAP_S)
    end, begin = track.points[-1].at, other.points[0].at
    assert end is not None
    assert begin is not None
    for point in other.points:
        assert point.at is not None
        try:
            yield replace(point, at=end + timedelta(seconds=gap_s) + (point.at - begin))
        except OverflowError:
            raise InvalidParameter("gap", "gap: the track would end after the year 9999.") from None


def _without_gaps(points: tuple[TrackPoint, ...], gap_s: float | None) -> Iterator[list[TrackPoint]]:
    present = [points[0]]
    for one, next_ in pairwise(points):
        if gap_s is not None and _length([one, next_]) > gap_s:
            yield present
            present = []
        present.append(next_)
    yield present


def _length(points: list[TrackPoint]) -> float:
    first, last = points[0].at, points[-1].at
    return 0.0 if first is None or last is None else (last - first).total_seconds()


def _sampled(points: list[TrackPoint], interval_s: float) -> Iterator[TrackPoint]:
    first = points[0].at
    if first is None or len(points) == 1:
        yield from points
        return
    since = np.array([(point.at - first).total_seconds() for point in points if point.at is not None])
    wanted = np.arange(0.0, since[-1], interval_s)
    before = np.clip(np.searchsorted(since, wanted, side="right") - 1, 0, len(points) - 2)
    east, north = _between(points, before, _shares(since, wanted, before))
    for index, at, longitude, latitude in zip(before, wanted, east, north, strict=True):
        moment = first + timedelta(milliseconds=round(float(at) * 1000))
        yield replace(points[index], point=Point(float(longitude), float(latitude)), at=moment)
    yield points[-1]


def _shares(since: Floats, wanted: Floats, before: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """Return the fraction of the way to the next position that is covered at each wanted time."""
    span = since[before + 1] - since[before]
    shares: Floats = np.divide(wanted - since[before], span, out=np.zeros_like(wanted), where=span > 0)
    return shares


def _between(
    points: list[TrackPoint], before: np.ndarray[tuple[int], np.dtype[np.int64]], shares: Floats
) -> tuple[Floats, Floats]:
    """Return the positions on the geodesics between neighbours; exactly at a neighbour, its position is unchanged."""
    longitudes = np.array([point.point.longitude for point in points])
    latitudes = np.array([point.point.latitude for point in points])
    azimuths, _, distances = wgs84().inv(longitudes[:-1], latitudes[:-1], longitudes[1:], latitudes[1:])
    east, north, _ = wgs84().fwd(
        longitudes[before], latitudes[before], np.asarray(azimuths)[before], np.asarray(distances)[before] * shares
    )
    still = (shares == 0) | (np.asarray(distances)[before] == 0)
    return (
        np.where(still, longitudes[before], np.round(east, _DIGITS)),
        np.where(still, latitudes[before], np.round(north, _DIGITS)),
    )


def _check_seconds(value: float, param: str, least: float, most: float) -> None:
    if not (isfinite(value) and least <= value <= most):
        limits = f"from {least:g} to {most:.0f} seconds"
        raise InvalidParameter(param, f"{param}: must be {limits}, not {value:g}.")


def _check_count(count: float, param: str, most: int = MAX_POSITIONS) -> None:
    if count > most:
        raise InvalidParameter(param, f"{param}: the track would have more than {most:,} positions.")
