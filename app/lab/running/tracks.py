"""The tracks of a scenario's devices: their fixes, from files, points and routes, with optional noise."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from app.lab.files.faults import Way
from app.lab.files.models import DeviceBody, DrawnBody, NoiseBody, RouteBody, TrackBody
from app.lab.files.reading import Scenario
from app.lab.files.recorded import recorded_at, track_file
from app.lab.running.faults import Faults, fault_of
from engine.domain.clock import utc_text
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude
from engine.domain.routing import Router
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.simulation.drawn import drawn_track
from engine.simulation.motion import USUAL
from engine.simulation.noise.model import Noise, noise_named
from engine.simulation.phone import Phone
from engine.simulation.routed import RoutePlan, Waypoint, route
from engine.simulation.timing import ScheduledFix, location_updates, timed_points

MAX_FIXES: Final = 100_000
"""Maximum number of fixes of all devices of a scenario, since a run keeps the explanations of each."""


def device_updates(
    scenario: Scenario, start: datetime, router: Router, faults: Faults, left_out: list[str]
) -> list[tuple[LocationUpdate, ...]]:
    """Return the updates of each device, in the order of the file.

    Omitted parts of track files, and tracks played at other times than recorded, go to `left_out`.
    """
    found: list[tuple[LocationUpdate, ...]] = []
    for index, device in enumerate(scenario.body.devices):
        path = ("devices", index)
        faults.gather(path, lambda: found.append(_updates(scenario, device, path, start, router, left_out)))  # noqa: B023
        if sum(map(len, found)) > MAX_FIXES:
            faults.add([scenario.document.fault(path, f"all tracks together must not exceed {MAX_FIXES:,} fixes.")])
            break
    return found


def _updates(
    scenario: Scenario, device: DeviceBody, path: Way, start: datetime, router: Router, left_out: list[str]
) -> tuple[LocationUpdate, ...]:
    begin = start + (device.start or timedelta(0))
    left_out += _other_time(scenario, device, begin)
    fixes = _distorted(_fixes(scenario, device.track, (*path, "track"), begin, router, left_out), device)
    try:
        updates = location_updates(
            [replace(fix, accuracy_m=fix.accuracy_m or device.accuracy) for fix in fixes],
            device_id=device.device_id,
            user_id=device.user_id,
            accuracy_m=None,
        )
    except InvalidParameter as error:
        raise fault_of(scenario.document, path, error) from None
    return tuple(
        replace(
            update,
            ip=device.ip,
            metadata=device.metadata,
            foreground=device.foreground if update.foreground is None else update.foreground,
            stopped=device.stopped if update.stopped is None else update.stopped,
            explain=True,
        )
        for update in updates
    )


def _other_time(scenario: Scenario, device: DeviceBody, begin: datetime) -> Iterator[str]:
    """Yield a note if a recorded track is played at another time, since operating hours decide differently then."""
    recorded = recorded_at(scenario.file, device.track)
    if recorded is not None and recorded != begin:
        name = device.track.file or f"the track of {device.device_id}"
        times = f"recorded {utc_text(recorded, 'seconds')}, played at {utc_text(begin, 'seconds')}"
        yield f"{name}: {times}; operating hours may decide differently"


def _distorted(fixes: Sequence[ScheduledFix], device: DeviceBody) -> Sequence[ScheduledFix]:
    """Return the fixes as the device reports them."""
    noise, seed = (None, 0) if device.noise is None else (_noise(device.noise), device.noise.seed)
    return Phone(noise, seed, None if device.motion is None else USUAL).reports(fixes)


def _noise(body: NoiseBody) -> Noise:
    """Return the noise of a preset, or of none, with the given values replacing its own."""
    given = {
        "error_m": body.error,
        "correlation_s": _seconds(body.correlation),
        "variation": body.variation,
        "lie_share": body.lie_share,
        "lie_factor": body.lie_factor,
        "gaps_per_hour": body.gaps_per_hour,
        "gap_s": _seconds(body.gap),
        "outlier_share": body.outlier_share,
        "outlier_m": body.outlier,
        "drift_m": body.drift,
        "drift_s": _seconds(body.drift_time),
    }
    values = {name: value for name, value in given.items() if value is not None}
    return replace(Noise() if body.preset is None else noise_named(body.preset), **values)


def _seconds(duration: timedelta | None) -> float | None:
    return None if duration is None else duration.total_seconds()


def _fixes(
    scenario: Scenario, body: TrackBody, path: Way, begin: datetime, router: Router, left_out: list[str]
) -> Sequence[ScheduledFix]:
    if body.file is not None:
        return _from_file(scenario, body.file, body.speed, path, begin, left_out)
    if body.route is not None:
        return _along_roads(scenario, body.route, (*path, "route"), begin, router)
    if body.drawn is not None:
        return _drawn(scenario, body.drawn, (*path, "drawn"), begin)
    points = tuple(
        TrackPoint(
            _point(scenario, point.coordinates, (*path, "points", index)),
            begin + point.at,
            point.accuracy,
            point.foreground,
            point.stopped,
        )
        for index, point in enumerate(body.points or ())
    )
    try:
        return timed_points(Track("points", points), now=begin)
    except InvalidParameter:
        late = next(n for n in range(1, len(points)) if points[n].at < points[n - 1].at)  # type: ignore[operator]
        raise scenario.document.invalid((*path, "points", late, "at"), "is earlier than the one before.") from None


def _along_roads(
    scenario: Scenario, body: RouteBody, path: Way, begin: datetime, router: Router
) -> Sequence[ScheduledFix]:
    waypoints = tuple(
        Waypoint(
            _point(scenario, each.coordinates, (*path, "waypoints", index)),
            0.0 if each.wait is None else each.wait.total_seconds(),
        )
        for index, each in enumerate(body.waypoints)
    )
    try:
        plan = RoutePlan(waypoints, TravelMode(body.mode), _interval_s(body.interval))
        return timed_points(route(router, plan, begin, most=MAX_FIXES).track, now=begin)
    except FencewrightError as error:
        raise fault_of(scenario.document, path, error) from None


def _drawn(scenario: Scenario, body: DrawnBody, path: Way, begin: datetime) -> Sequence[ScheduledFix]:
    corners = [_point(scenario, each, (*path, "corners", index)) for index, each in enumerate(body.corners)]
    try:
        track = drawn_track(corners, body.speed, _interval_s(body.interval), begin, most=MAX_FIXES)
        return timed_points(track, now=begin)
    except InvalidParameter as error:
        raise fault_of(scenario.document, path, error) from None


def _interval_s(interval: timedelta | None) -> float:
    return 1.0 if interval is None else interval.total_seconds()


def _from_file(
    scenario: Scenario, name: str, speed: float | None, path: Way, begin: datetime, left_out: list[str]
) -> Sequence[ScheduledFix]:
    way = (*path, "file")
    file = beside(scenario.file, name)
    try:
        track = track_file(file)
        left_out += (f"{name}: {each}" for each in track.skipped)
        return timed_points(track, now=begin, assume_speed_kmh=speed, start=begin)
    except InvalidParameter as error:
        message = error.message.partition(": ")[2] if error.param == "assume_speed_kmh" else error.message
        message = message.replace("give a speed to assume (in km/h) to time", "give a speed (in km/h) to time")
        raise scenario.document.invalid(way, message) from None
    except FencewrightError as error:
        raise scenario.document.invalid(way, error.message) from None
    except OSError as error:
        raise scenario.document.invalid(way, f"{file} cannot be read: {error.strerror}.") from None


def _point(scenario: Scenario, coordinates: tuple[float, float], path: Way) -> Point:
    try:
        return Point(
            check_longitude(coordinates[0], "coordinates"),
            check_latitude(coordinates[1], "coordinates"),
        )
    except InvalidParameter as error:
        raise fault_of(scenario.document, path, error) from None


def beside(scenario: Path, name: str) -> Path:
    """Return the path of a file named in a scenario, relative to the scenario's folder."""
    return scenario.parent / name
