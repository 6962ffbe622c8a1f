"""ETAs of trips: along roads, computed outside the writer, or estimated from the device's own speed.

A route is requested once and then followed: progress along it gives the next ETA without another request, and a fix a
few metres beside the road changes nothing. Another route is requested when the device leaves the route, when the
destinations change, or after some time. The next location update uses the result, and may wait for it.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from math import atan2, degrees
from threading import Lock
from typing import Final

from msgspec import Struct, field

from engine.domain.errors import FencewrightError
from engine.domain.geometry import Point
from engine.domain.routing import Directions, Language, Line, RouteOptions, Router
from engine.domain.tracking.trips import Eta, Trip
from engine.domain.tracking.updates import Fix
from engine.domain.travel import TravelMode
from engine.domain.units import Units
from engine.geo.earth import metres_between, metres_per_degree
from engine.trips.way import Progress, Way, straight_metres

log = logging.getLogger(__name__)

SEARCH_RADIUS_M: Final = 30.0
"""Radius in metres of the roads that the device may be on. Its heading determines which one it is."""

OFF_WAY_M: Final = 40.0
"""Distance in metres from the route beyond which the device has left it, if the accuracy is better."""

STAYED_M: Final = 25.0
"""Distance in metres within which a device counts as not having moved, so that no other route is requested."""

TOO_OLD_S: Final = 600.0
"""Age by the times of the fixes after which a route is requested again, as areas and roads may have changed."""

FAILED_FOR_S: Final = 60.0
"""Time in seconds without another request after no route was found."""

AT_ONCE: Final = 8
"""Number of simultaneous route searches, so that a slow one does not delay other trips."""

_RECENT_S: Final = 180.0
_HEADING_M: Final = 15.0
_DETOUR: Final = 1.3
"""Typical ratio of the length of a route to the straight line."""

_FLOOR_MPS: Final = {
    TravelMode.CAR: 8.0,
    TravelMode.TRUCK: 7.0,
    TravelMode.MOTORBIKE: 8.0,
    TravelMode.BIKE: 3.5,
    TravelMode.FOOT: 1.2,
}
"""Minimum speed of estimates, as a device that stands still will continue at some point."""

_CEILING_MPS: Final = {
    TravelMode.CAR: 40.0,
    TravelMode.TRUCK: 25.0,
    TravelMode.MOTORBIKE: 40.0,
    TravelMode.BIKE: 12.0,
    TravelMode.FOOT: 4.0,
}
"""Maximum speed of estimates, however far apart two fixes of one moment are."""


class Question(Struct, frozen=True):
    """A route to be found through `points`, the first of which is the device's position."""

    points: tuple[Point, ...]
    mode: TravelMode
    heading: float | None
    at: datetime

    @property
    def ahead(self) -> tuple[Point, ...]:
        """The destinations."""
        return self.points[1:]


class Search(Struct, frozen=True):
    """A route search in progress.

    `over` is settled when a route was found, the search has failed, or it is no longer needed. `moves` is
    how often the clock had been moved manually when the search was requested.
    """

    moves: int
    over: Future[None] = field(default_factory=Future)

    def end(self) -> None:
        """Mark the search as ended."""
        with suppress(InvalidStateError):
            self.over.set_result(None)


class EtaBasis(Struct, frozen=True):
    """The source of the ETAs for a fix `at` a time: a route as of `routed_at`, or an estimate if that is None.

    `off_m` is the distance of the device from the route, if it has left it. `has_failed` is true if no route was found,
    and false if none has been computed yet.
    """

    at: datetime
    routed_at: datetime | None = None
    off_m: float | None = None
    has_failed: bool = False


class _Course(Struct):
    """The route of a trip and the recent positions of its device.

    `search` is the search in progress, and `answered` the question that found `way`. `along_m` is how far the device
    has come along `followed`. Both are changed in the writer's thread only.
    """

    recent: deque[tuple[Point, datetime]] = field(default_factory=lambda: deque(maxlen=30))
    search: Search | None = None
    answered: Question | None = None
    way: Way | None = None
    followed: Way | None = None
    along_m: float = 0.0
    basis: EtaBasis | None = None

    def follow(self, way: Way, point: Point) -> Progress:
        """Return the current progress of the device along a route."""
        progress = way.progress(point, self.along_m if way is self.followed else 0.0)
        self.followed, self.along_m = way, progress.along_m
        return progress


class Etas:
    """ETAs of the open trips. `of` is fast and runs in the writer's thread. Routes are requested in another thread."""

    def __init__(self, router: Callable[[], Router]) -> None:
        """Create ETAs over `router`, which returns the router in use."""
        self._router = router
        self._courses: dict[str, _Course] = {}
        self._lock = Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._is_closed = False

    def of(self, trip: Trip, destinations: Sequence[Point], fix: Fix, *, moves: int = 0) -> tuple[Eta, ...]:
        """Return the remaining distance and time to each destination ahead, and request a route if needed.

        The ETAs are in the order of the destinations. `moves` is how often the clock of the trip's environment was
        moved manually.
        """
        with self._lock:
            course = self._courses.setdefault(trip.id, _Course())
        course.recent.append((fix.point, fix.at))
        ahead = tuple(destinations)
        answered = course.answered  # a request made below may be answered before this method returns
        way = _way_through(course, ahead, trip.mode)
        progress = None if way is None else course.follow(way, fix.point)
        is_off = progress is not None and progress.off_m > max(OFF_WAY_M, fix.accuracy_m)
        if self._is_to_ask(course, ahead, trip.mode, fix, is_off=progress is None or is_off):
            self._ask(course, Question((fix.point, *ahead), trip.mode, _heading(course.recent), fix.at), Search(moves))
        course.basis = _basis(answered, ahead, trip.mode, progress, fix, is_off=is_off)
        if way is None or progress is None:
            return _estimated(fix.point, ahead, trip.mode, course.recent)
        return _with_detour(way.etas(progress), progress, trip.mode) if is_off else way.etas(progress)

    def basis(self, trip_id: str) -> EtaBasis | None:
        """Return the source of the last ETAs of a trip. Only for the writer's thread."""
        course = self._courses.get(trip_id)
        return None if course is None else course.basis

    def line(self, trip_id: str) -> Line | None:
        """Return the route that a trip follows, or None if none is known."""
        course = self._courses.get(trip_id)
        return None if course is None or course.way is None else course.way.line

    def search(self, trip_id: str) -> Search | None:
        """Return the search for the route of a trip, or None if none is in progress."""
        course = self._courses.get(trip_id)
        return None if course is None else course.search

    def forget(self, trip_id: str) -> None:
        """Drop the route of a trip that has ended."""
        with self._lock:
            course = self._courses.pop(trip_id, None)
        _end_searches(() if course is None else (course,))

    def forget_all(self) -> None:
        """Drop all routes, as the roads have changed."""
        with self._lock:
            courses = tuple(self._courses.values())
            self._courses.clear()
        _end_searches(courses)

    def close(self) -> None:
        """Stop requesting routes. Requests in progress end with the router, without being waited for here."""
        with self._lock:
            self._is_closed, pool, self._pool = True, self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
        self.forget_all()

    def _is_to_ask(
        self, course: _Course, ahead: tuple[Point, ...], mode: TravelMode, fix: Fix, *, is_off: bool
    ) -> bool:
        if course.search is not None or not ahead:
            return False
        last = course.answered
        if last is None or last.ahead != ahead or last.mode is not mode:
            return True
        age_s = abs((fix.at - last.at).total_seconds())
        has_moved = metres_between(fix.point, last.points[0]) > STAYED_M
        if course.way is None:
            return age_s > FAILED_FOR_S and has_moved
        return has_moved and (is_off or age_s > TOO_OLD_S)

    def _ask(self, course: _Course, question: Question, search: Search) -> None:
        with self._lock:
            if self._is_closed:
                return
            if self._pool is None:
                self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="fencewright-trips")
            course.search = search
            self._pool.submit(self._answer, course, question, search)

    def _answer(self, course: _Course, question: Question, search: Search) -> None:
        way = None
        if self._is_closed:
            return
        try:
            way = _find(self._router(), question)
        except FencewrightError as error:
            log.debug("A trip has no way: %s", error)
        except Exception:
            log.exception("The way of a trip could not be found")
        course.way, course.answered, course.search = way, question, None
        search.end()


def _end_searches(courses: Iterable[_Course]) -> None:
    """Release the updates that wait for routes no longer needed."""
    for course in courses:
        if (search := course.search) is not None:
            search.end()


def _find(router: Router, question: Question) -> Way | None:
    directions = Directions(
        RouteOptions(mode=question.mode),
        Language.ENGLISH,
        Units.METRIC,
        heading=question.heading,
        radius_m=SEARCH_RADIUS_M,
    )
    found = router.directions(question.points, directions)
    return Way(found[0]) if found and found[0].line else None


def _way_through(course: _Course, ahead: tuple[Point, ...], mode: TravelMode) -> Way | None:
    """Return the route of a course if it still leads through these destinations."""
    answered = course.answered
    return course.way if answered is not None and (answered.ahead, answered.mode) == (ahead, mode) else None


def _basis(
    answered: Question | None,
    ahead: tuple[Point, ...],
    mode: TravelMode,
    progress: Progress | None,
    fix: Fix,
    *,
    is_off: bool,
) -> EtaBasis:
    """Return the source of the ETAs for a fix."""
    if progress is None or answered is None:
        has_failed = answered is not None and (answered.ahead, answered.mode) == (ahead, mode)
        return EtaBasis(fix.at, has_failed=has_failed)
    return EtaBasis(fix.at, answered.at, progress.off_m if is_off else None)


def _with_detour(etas: tuple[Eta, ...], progress: Progress, mode: TravelMode) -> tuple[Eta, ...]:
    """Return the ETAs from beside the route, including the way back to it."""
    extra_m = progress.off_m * _DETOUR
    extra_s = extra_m / _FLOOR_MPS[mode]
    return tuple(Eta(eta.distance_m + extra_m, eta.duration_s + extra_s, eta.is_routed) for eta in etas)


def _estimated(
    point: Point, ahead: tuple[Point, ...], mode: TravelMode, recent: Sequence[tuple[Point, datetime]]
) -> tuple[Eta, ...]:
    """Return ETAs based on the straight line and the speed of the last fixes."""
    speed_mps = min(max(_FLOOR_MPS[mode], _speed_mps(recent)), _CEILING_MPS[mode])
    etas, metres, here = [], 0.0, point
    for destination in ahead:
        metres += metres_between(here, destination) * _DETOUR
        here = destination
        etas.append(Eta(metres, metres / speed_mps, is_routed=False))
    return tuple(etas)


def _speed_mps(recent: Sequence[tuple[Point, datetime]]) -> float:
    """Return the speed over the last minutes, or 0 if it is unknown."""
    if len(recent) < 2:
        return 0.0
    last = recent[-1][1]
    lately = [(point, at) for point, at in recent if 0 <= (last - at).total_seconds() <= _RECENT_S]
    seconds = (lately[-1][1] - lately[0][1]).total_seconds()
    if seconds <= 0:
        return 0.0
    return straight_metres([(point.longitude, point.latitude) for point, _ in lately]) / seconds


def _heading(recent: Sequence[tuple[Point, datetime]]) -> float | None:
    """Return the heading of the device in degrees from north, or None if it is unclear."""
    if len(recent) < 2:
        return None
    here = recent[-1][0]
    for point, _ in reversed(recent):
        if metres_between(point, here) >= _HEADING_M:
            east_m, north_m = metres_per_degree(here.latitude)
            east = (here.longitude - point.longitude) * east_m
            north = (here.latitude - point.latitude) * north_m
            return degrees(atan2(east, north)) % 360
    return None
