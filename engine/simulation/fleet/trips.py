"""The trips of a fleet's devices, drawn from its seed and routed along roads."""

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from math import cos, hypot, radians
from threading import Event
from typing import Final

from msgspec import Struct

from engine.domain.area import Bounds, covers
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.ports import Cancelled, Progress, no_progress
from engine.domain.routing import Router
from engine.simulation.fleet.plan import FleetPlan, Ground, Target
from engine.simulation.noise.arithmetic import Draws
from engine.simulation.routed import RoutedTrack, RoutePlan, Waypoint, route
from engine.simulation.timing import ScheduledFix

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Nominal start of the fixes of a lap; they are shifted to the lap's actual start."""

_TRIES: Final = 40
_NEARER: Final = 0.92
_LEAST_REACH_M: Final = 250.0
_AT_ONCE: Final = 4
_POLL_EVERY_S: Final = 0.2
_LEAST_S: Final = 60.0
_LEAST_SHARE: Final = 0.2
_M_PER_DEGREE: Final = 111_195.0
_FIRST_STREAM: Final = 1_000
_DIGITS: Final = 6


class Lap(Struct, frozen=True):
    """Lap of one device, repeated in a loop: its fixes from `EPOCH` on, and its destination."""

    number: int
    fixes: tuple[ScheduledFix, ...]
    duration_s: float
    target: Target
    arrival: int
    """Number of fixes of the trip to the target; the others belong to the way back."""


def laps(router: Router, plan: FleetPlan, ground: Ground, progress: Progress = no_progress) -> tuple[Lap, ...]:
    """Return the lap of each device, routed a few at a time; `progress`, called regularly, may raise `Cancelled`.

    Raises `InvalidParameter` naming ``area`` if no trips can be found; and `RoutingUnavailable`.
    """
    pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="fleet trips")
    is_over = Event()
    try:
        waiting: set[Future[Lap]] = {
            pool.submit(_lap, router, plan, ground, number, is_over) for number in range(1, plan.devices + 1)
        }
        found: list[Lap] = []
        while waiting:
            progress(len(found), plan.devices)
            ready, waiting = wait(waiting, _POLL_EVERY_S, return_when=FIRST_COMPLETED)
            found += [future.result() for future in ready]
        progress(plan.devices, plan.devices)
        return tuple(sorted(found, key=lambda lap: lap.number))
    finally:
        is_over.set()
        pool.shutdown(cancel_futures=True)


def _lap(router: Router, plan: FleetPlan, ground: Ground, number: int, is_over: Event) -> Lap:
    draws = Draws(plan.seed, _FIRST_STREAM + number)
    for tried in range(_TRIES):
        if is_over.is_set():
            raise Cancelled
        # If the roads end nearby, few places within reach have any, so nearer places are tried.
        origin, target = _ends(draws, ground, max(plan.reach_m * _NEARER**tried, _LEAST_REACH_M))
        try:
            found = route(router, _route_plan(plan, origin, target), EPOCH)
        except InvalidParameter:
            continue
        if _is_trip(found, ground):
            return _lap_of(number, found, target, plan)
    raise InvalidParameter(
        "area",
        f"area: no trip by {plan.mode} was found for device {number} after {_TRIES} tries; choose another area or "
        "other geofences, or a longer distance.",
    )


def _route_plan(plan: FleetPlan, origin: Point, target: Target) -> RoutePlan:
    there = (Waypoint(origin), Waypoint(target.point, plan.stay_s))
    back = (Waypoint(origin, plan.stay_s),) if plan.loop else ()
    return RoutePlan((*there, *back), plan.mode, plan.interval_s)


def _is_trip(found: RoutedTrack, ground: Ground) -> bool:
    """Return whether a route is a usable trip: it moves, and starts near a road; a geofence may be off the road."""
    moved = any(moved.item != 2 or not ground.targets for moved in found.moved)
    return not moved and found.distance_m > 0 and found.duration_s >= _LEAST_S


def _lap_of(number: int, found: RoutedTrack, target: Target, plan: FleetPlan) -> Lap:
    fixes = tuple(
        ScheduledFix(point.at, point.point, plan.accuracy_m, stopped=point.stopped)
        for point in found.track.points
        if point.at is not None
    )
    return Lap(number, fixes, found.duration_s, target, _arrival(fixes))


def _arrival(fixes: tuple[ScheduledFix, ...]) -> int:
    """Return the number of fixes up to the end of the first stay."""
    stays = False
    for index, fix in enumerate(fixes):
        if stays and not fix.stopped:
            return index
        stays = bool(fix.stopped)
    return len(fixes)


def _ends(draws: Draws, ground: Ground, reach_m: float) -> tuple[Point, Target]:
    """Draw the start and the destination of a device."""
    if ground.targets:
        target = ground.targets[int(draws.uniform() * len(ground.targets))]
        return _near(draws, target.point, reach_m), target
    bounds = ground.bounds[int(draws.uniform() * len(ground.bounds))]
    west, south, east, north = bounds
    origin = _wrapped(west + draws.uniform() * (east - west), south + draws.uniform() * (north - south))
    end = origin
    for _ in range(_TRIES):
        end = _near(draws, origin, reach_m)
        if covers(bounds, end.longitude, end.latitude):
            break
    return origin, Target(_clipped(bounds, end))


def _near(draws: Draws, point: Point, reach_m: float) -> Point:
    """Draw a position around another one: not next to it, and not farther than `reach_m`."""
    while True:
        east, north = 2 * draws.uniform() - 1, 2 * draws.uniform() - 1
        if _LEAST_SHARE <= hypot(east, north) <= 1:
            break
    wide = max(_M_PER_DEGREE * cos(radians(point.latitude)), 1.0)
    longitude = point.longitude + east * reach_m / wide
    return _wrapped(longitude, min(max(point.latitude + north * reach_m / _M_PER_DEGREE, -90.0), 90.0))


def _wrapped(longitude: float, latitude: float) -> Point:
    return Point(round((longitude + 180) % 360 - 180, _DIGITS), round(latitude, _DIGITS))


def _clipped(bounds: Bounds, point: Point) -> Point:
    west, south, east, north = bounds
    longitude = point.longitude + 360 if point.longitude < (west + east) / 2 - 180 else point.longitude
    clipped = min(max(longitude, west), east)
    return Point(clipped - 360 if clipped > 180 else clipped, min(max(point.latitude, south), north))
