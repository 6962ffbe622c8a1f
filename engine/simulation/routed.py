"""Routed tracks: from waypoint to waypoint along roads, with the travel times of the roads."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import isfinite
from typing import Final

import numpy as np
from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, Position
from engine.domain.ports import Progress, no_progress
from engine.domain.routing import Moved, RouteOptions, Router, Stretch, is_far, position_text
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.travel import FIX_INTERVAL_S, TravelMode
from engine.geo.earth import metres_between
from engine.simulation.driving import Drive, Floats

MAX_WAYPOINTS: Final = 100
MAX_WAIT_S: Final = 7 * 86_400.0
MAX_FIXES: Final = 1_000_000
LONGEST_INTERVAL_S: Final = 3_600.0
_SHORTEST_INTERVAL_S: Final = 0.1
_DEGREE_DIGITS: Final = 7

_NEAR_M: Final = 25.0
"""Maximum distance, in metres, at which the roads to and from a waypoint count as the same crossing or street."""

_LINK_MPS: Final = 5.0


class Waypoint(Struct, frozen=True):
    """A position to go to and the wait there; without a wait it is passed. The last waypoint ends the route."""

    point: Point
    wait_s: float = 0.0


class RoutePlan(Struct, frozen=True):
    """A route through waypoints by a travel mode, with a fix every `interval_s`.

    Raises `InvalidParameter` naming ``waypoints``, ``wait_s`` or ``interval_s``.
    """

    waypoints: tuple[Waypoint, ...]
    mode: TravelMode = TravelMode.CAR
    interval_s: float = FIX_INTERVAL_S
    name: str = "route"

    def __post_init__(self) -> None:
        """Validate each value."""
        count = len(self.waypoints)
        if not 2 <= count <= MAX_WAYPOINTS:
            raise InvalidParameter("waypoints", f"waypoints: from 2 to {MAX_WAYPOINTS} are required, not {count}.")
        for item, waypoint in enumerate(self.waypoints, 1):
            if not (isfinite(waypoint.wait_s) and 0 <= waypoint.wait_s <= MAX_WAIT_S):
                limits = f"from 0 to {MAX_WAIT_S:.0f} seconds"
                raise InvalidParameter(
                    "wait_s", f"wait_s: at waypoint {item} it must be {limits}, not {waypoint.wait_s:g}."
                )
        if not (isfinite(self.interval_s) and _SHORTEST_INTERVAL_S <= self.interval_s <= LONGEST_INTERVAL_S):
            limits = f"from {_SHORTEST_INTERVAL_S:g} to {LONGEST_INTERVAL_S:.0f} seconds"
            raise InvalidParameter("interval_s", f"interval_s: must be {limits}, not {self.interval_s:g}.")


class RoutedTrack(Struct, frozen=True):
    """A track along roads with its length and duration, and the waypoints that were moved far to a road."""

    track: Track
    distance_m: float
    duration_s: float
    moved: tuple[Moved, ...] = ()


def routed_track(router: Router, plan: RoutePlan, start: datetime, progress: Progress = no_progress) -> Track:
    """Return the track of `plan` that begins at `start`; raises the same errors as `route`."""
    return route(router, plan, start, progress).track


def route(
    router: Router, plan: RoutePlan, start: datetime, progress: Progress = no_progress, *, most: int = MAX_FIXES
) -> RoutedTrack:
    """Return the track of `plan` that begins at `start`, with at most `most` fixes, and facts about it.

    `progress` receives the number of found legs and may raise `Cancelled`. Raises `InvalidParameter` naming
    ``waypoints`` if one has no road near it or cannot be reached, or ``interval_s`` if there would be more fixes, and
    `RoutingUnavailable`.
    """
    legs = list(_legs(router, plan, progress))
    parts = list(_parts(plan, legs))
    duration_s = sum(part.duration_s for part in parts)
    if duration_s / plan.interval_s > most:
        raise InvalidParameter(
            "interval_s", f"interval_s: the track would have more than {most:,} fixes; choose a longer one."
        )
    track = Track(plan.name, tuple(_fixes(parts, plan.interval_s, start)))
    return RoutedTrack(track, sum(part.distance_m for part in parts), duration_s, _moved(plan, legs))


type _Leg = tuple[Stretch, ...]


def _legs(router: Router, plan: RoutePlan, progress: Progress) -> Iterator[_Leg]:
    """Yield the routes from each waypoint to the next, each of which begins at the end of the previous one."""
    total = len(plan.waypoints) - 1
    end: Position | None = None
    for item in range(1, total + 1):
        progress(item - 1, total)
        leg = _leg(router, plan, item, plan.waypoints[item - 1].point)
        if end is not None and _metres(end, leg[0].line[0]) > _NEAR_M:
            leg = _leg_from_road(router, plan, item, end) or leg
        if end is not None and leg[0].line[0] != end:
            leg = (_link(end, leg[0].line[0]), *leg)
        end = leg[-1].line[-1]
        yield leg
    progress(total, total)


def _leg_from_road(router: Router, plan: RoutePlan, item: int, end: Position) -> _Leg | None:
    """Return the route from the end of the previous one, or None if none begins near it.

    The waypoint may be as near to a road that only leads away.
    """
    try:
        leg = _leg(router, plan, item, Point(*end))
    except InvalidParameter:
        return None
    return leg if _metres(end, leg[0].line[0]) <= _NEAR_M else None


def _link(end: Position, start: Position) -> Stretch:
    return Stretch((end, start), _metres(end, start) / _LINK_MPS)


def _metres(one: Position, other: Position) -> float:
    return metres_between(Point(*one), Point(*other))


def _leg(router: Router, plan: RoutePlan, item: int, origin: Point) -> _Leg:
    """Return the route from `origin`, the waypoint with the number `item`, to the next waypoint."""
    destination = plan.waypoints[item].point
    try:
        found = router.stretches(origin, destination, RouteOptions(mode=plan.mode))
    except InvalidParameter as error:
        which = {"origin": (item, origin), "destination": (item + 1, destination)}.get(error.param)
        message = error.message.removeprefix(f"{error.param}: ")
        if which is not None:
            message = message.replace(position_text(which[1]), position_text(which[1], which[0]), 1)
        raise InvalidParameter("waypoints", f"waypoints: {message}") from None
    if not found:
        ends = f"from {position_text(origin, item)} to {position_text(destination, item + 1)}"
        raise InvalidParameter("waypoints", f"waypoints: no route for {plan.mode} leads {ends}.")
    return found


class _Stay:
    """A wait in one place."""

    distance_m = 0.0

    def __init__(self, position: Position, duration_s: float) -> None:
        self.duration_s = duration_s
        self._position = position

    def positions(self, seconds: Floats) -> list[Position]:
        return [self._position] * len(seconds)


def _parts(plan: RoutePlan, legs: Sequence[_Leg]) -> Iterator[Drive | _Stay]:
    """Yield drives and waits; a waypoint without a wait is passed within a drive."""
    waits = [waypoint.wait_s for waypoint in plan.waypoints]
    if waits[0] > 0:
        yield _Stay(legs[0][0].line[0], waits[0])
    ahead: list[Stretch] = []
    for number, (leg, wait_s) in enumerate(zip(legs, waits[1:], strict=True), 1):
        ahead += leg
        if wait_s > 0 or number == len(legs):
            yield Drive(ahead, plan.mode)
            ahead = []
        if wait_s > 0:
            yield _Stay(leg[-1].line[-1], wait_s)


def _fixes(parts: Sequence[Drive | _Stay], interval_s: float, start: datetime) -> Iterator[TrackPoint]:
    """Yield a fix every `interval_s` from the start, and one at the end."""
    begin_s = 0.0
    for number, part in enumerate(parts, 1):
        end_s, is_last = begin_s + part.duration_s, number == len(parts)
        first = int(np.ceil(begin_s / interval_s - 1e-9))
        times = np.arange(first, max(first, int(np.ceil(end_s / interval_s - 1e-9)))) * interval_s
        if is_last:
            times = np.append(times, end_s)
        positions = part.positions(np.asarray(times - begin_s, dtype=np.float64))
        for seconds, (longitude, latitude) in zip(times.tolist(), positions, strict=True):
            point = Point(round(longitude, _DEGREE_DIGITS), round(latitude, _DEGREE_DIGITS))
            at = start + timedelta(milliseconds=round(seconds * 1_000))
            yield TrackPoint(point, at, stopped=isinstance(part, _Stay))
        begin_s = end_s


def _moved(plan: RoutePlan, legs: Sequence[_Leg]) -> tuple[Moved, ...]:
    """Return the waypoints that are far from their road."""
    roads = [legs[0][0].line[0], *(leg[-1].line[-1] for leg in legs)]
    moved: list[Moved] = []
    for item, (waypoint, road) in enumerate(zip(plan.waypoints, roads, strict=True), 1):
        metres = metres_between(waypoint.point, Point(*road))
        if is_far(metres):
            moved.append(Moved("waypoints", waypoint.point, metres, plan.mode, item))
    return tuple(moved)
