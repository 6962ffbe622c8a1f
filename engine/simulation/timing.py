"""Times at which the positions of a track are reached: as recorded, or at a speed that the user states."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import isfinite

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.text import check_identifier
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.words import count
from engine.geo.earth import metres_between

_MILLISECOND = timedelta(milliseconds=1)


class ScheduledFix(Struct, frozen=True):
    """A position with the moment at which the device reports it, in UTC and whole milliseconds."""

    at: datetime
    point: Point
    accuracy_m: float | None
    foreground: bool | None = None
    stopped: bool | None = None
    speed_mps: float | None = None


def timed_points(
    track: Track, *, now: datetime, assume_speed_kmh: float | None = None, start: datetime | None = None
) -> tuple[ScheduledFix, ...]:
    """Return the fixes of `track`, each with its time.

    Without `assume_speed_kmh` the recorded times are used. If `start` is given, they are shifted as a whole so that the
    first one is `start`. With `assume_speed_kmh`, **all** recorded times and speeds are ignored: the fixes are timed by
    their geodesic distance at that speed, beginning at `start` or by default at `now` (of the engine's clock).

    Raises `InvalidParameter` naming ``assume_speed_kmh`` if no speed is given and a position has no time or the times
    run backwards, since times are not guessed.
    """
    recorded = assume_speed_kmh is None
    if assume_speed_kmh is None:
        times = _as_recorded(track, start)
    else:
        times = _by_distance(track, _check_kmh(assume_speed_kmh), start or now)
    return tuple(_fix(point, at, recorded=recorded) for at, point in zip(times, track.points, strict=True))


def location_updates(
    fixes: Sequence[ScheduledFix],
    *,
    device_id: str,
    accuracy_m: float | None,
    user_id: str | None = None,
    foreground: bool = False,
    stopped: bool = False,
) -> tuple[LocationUpdate, ...]:
    """Return the updates that the device `device_id` would send for `fixes`.

    `foreground` and `stopped`, if set, apply to all updates; otherwise each fix has its own flags. `accuracy_m` applies
    to every fix; with None, each fix has its own accuracy. Raises `InvalidParameter` naming ``device_id`` if it is
    empty, or ``accuracy`` if it is missing or not greater than 0.
    """
    check_identifier(device_id, "device_id")
    if user_id:
        check_identifier(user_id, "user_id")
    return tuple(
        LocationUpdate(
            device_id=device_id,
            user_id=user_id or None,
            point=fix.point,
            accuracy_m=_check_accuracy(accuracy_m if accuracy_m is not None else fix.accuracy_m, number),
            at=fix.at,
            foreground=foreground or fix.foreground,
            stopped=stopped or fix.stopped,
            awaits_route=True,
        )
        for number, fix in enumerate(fixes, 1)
    )


def untimed_reason(track: Track) -> str | None:
    """Return why the recorded times cannot be played, as a clause about the track, or None if they can."""
    times = [point.at for point in track.points]
    known = [at for at in times if at is not None]
    if len(known) < len(times):
        missing = len(times) - len(known)
        return f"{missing:,} of {count(len(times), 'position')} {'has' if missing == 1 else 'have'} no time"
    for number, (earlier, later) in enumerate(pairwise(known), 2):
        if later < earlier:
            return f"the time of position {number} is earlier than the previous one"
    return None


def _fix(point: TrackPoint, at: datetime, *, recorded: bool) -> ScheduledFix:
    speed = point.speed_mps if recorded else None
    return ScheduledFix(_whole_milliseconds(at), point.point, point.accuracy_m, point.foreground, point.stopped, speed)


def _as_recorded(track: Track, start: datetime | None) -> list[datetime]:
    reason = untimed_reason(track)
    if reason is not None:
        advice = "give a speed to assume (in km/h) to time every position by its distance"
        raise InvalidParameter("assume_speed_kmh", f"assume_speed_kmh: in {track.name}, {reason}; {advice}.")
    times = [point.at for point in track.points if point.at is not None]
    if start is None or not times:
        return times
    return [_add(start, at - times[0]) for at in times]


def _by_distance(track: Track, speed_kmh: float, start: datetime) -> list[datetime]:
    times = [start] if track.points else []
    travelled = 0.0
    for a, b in pairwise(point.point for point in track.points):
        travelled += metres_between(a, b)
        times.append(_add(start, _duration(travelled / (speed_kmh / 3.6))))
    return times


def _check_kmh(value: float) -> float:
    if not (isfinite(value) and value > 0):
        raise InvalidParameter("assume_speed_kmh", f"assume_speed_kmh: must be greater than 0 km/h, not {value:g}.")
    return value


def _check_accuracy(value: float | None, number: int) -> float:
    if value is None:
        raise InvalidParameter("accuracy", f"accuracy: position {number} has no accuracy; give one in metres.")
    if not (isfinite(value) and value > 0):
        raise InvalidParameter("accuracy", f"accuracy: must be greater than 0 metres, not {value:g}.")
    return value


def _duration(seconds: float) -> timedelta:
    try:
        return timedelta(seconds=seconds)
    except OverflowError:
        raise InvalidParameter("assume_speed_kmh", "assume_speed_kmh: at this speed the track never ends.") from None


def _add(start: datetime, duration: timedelta) -> datetime:
    try:
        return start + duration
    except OverflowError:
        raise InvalidParameter("start", "start: the track would end after the year 9999.") from None


def recorded_start(track: Track) -> datetime | None:
    """Return the recorded time of the first fix of a track, in UTC and whole milliseconds, or None without one."""
    first = track.points[0].at if track.points else None
    return None if first is None else _whole_milliseconds(first)


def _whole_milliseconds(at: datetime) -> datetime:
    """Return a time in UTC and whole milliseconds."""
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
