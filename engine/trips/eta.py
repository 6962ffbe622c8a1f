"""ETAs of trips: along roads, computed outside the writer, or estimated by the device's own speed.

A way is asked for once and followed: progress along it gives the next ETA without asking anybody, and a fix some metres
beside the road changes nothing. Another one is asked for when the device leaves the way, when the destinations change,
or after a while. The answer is used by the next location update, which may wait for it.
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
"""Roads this near to the device are all possible: its heading tells which it is on."""

OFF_WAY_M: Final = 40.0
"""Farther than this beside the way, and than the accuracy, the device has left it."""

STAYED_M: Final = 25.0
"""A device that has not moved so far since a way was asked for gets no other."""

TOO_OLD_S: Final = 600.0
"""After this long, by the times of the fixes, a way is asked for again: areas and roads may be others."""

FAILED_FOR_S: Final = 60.0
"""How long nobody is asked again where there was no way."""

AT_ONCE: Final = 8
"""How many ways are searched at the same time: one that takes long keeps no other trip waiting."""

_RECENT_S: Final = 180.0
_HEADING_M: Final = 15.0
_DETOUR: Final = 1.3
"""Ways are about so much longer than the straight line."""

_FLOOR_MPS: Final = {
    TravelMode.CAR: 8.0,
    TravelMode.TRUCK: 7.0,
    TravelMode.MOTORBIKE: 8.0,
    TravelMode.BIKE: 3.5,
    TravelMode.FOOT: 1.2,
}
"""A device that stands still goes on at some time: no estimate is slower than this."""

_CEILING_MPS: Final = {
    TravelMode.CAR: 40.0,
    TravelMode.TRUCK: 25.0,
    TravelMode.MOTORBIKE: 40.0,
    TravelMode.BIKE: 12.0,
    TravelMode.FOOT: 4.0,
}
"""Nor faster than this, however far apart two fixes of one moment are."""


class Question(Struct, frozen=True):
    """A way to be found: through `points`, the first of which is the device's."""

    points: tuple[Point, ...]
    mode: TravelMode
    heading: float | None
    at: datetime

    @property
    def ahead(self) -> tuple[Point, ...]:
        """The destinations."""
        return self.points[1:]


class Search(Struct, frozen=True):
    """A way that is being searched; `over` is settled when it was found, is known not to be, or is no longer needed.

    `moves` is how often the clock had been moved by hand when it was asked for.
    """

    moves: int
    over: Future[None] = field(default_factory=Future)

    def end(self) -> None:
        """Note that it is over."""
        with suppress(InvalidStateError):
            self.over.set_result(None)


class EtaBasis(Struct, frozen=True):
    """Where the ETAs for a fix `at` a moment come from: a route as of `routed_at`, or an estimate where that is None.

    `off_m` is how far the device is beside the route where it has left it. `has_failed` tells whether no route was
    found, rather than not computed yet.
    """

    at: datetime
    routed_at: datetime | None = None
    off_m: float | None = None
    has_failed: bool = False


class _Course(Struct):
    """The way of one trip, and where its device was lately.

    `search` is the one under way, `answered` the question that found `way`. `along_m` is how far the device has come
    along `followed`; the writer's thread alone changes these.
    """

    recent: deque[tuple[Point, datetime]] = field(default_factory=lambda: deque(maxlen=30))
    search: Search | None = None
    answered: Question | None = None
    way: Way | None = None
    followed: Way | None = None
    along_m: float = 0.0
    basis: EtaBasis | None = None

    def follow(self, way: Way, point: Point) -> Progress:
        """Return how far along a way the device is now."""
        progress = way.progress(point, self.along_m if way is self.followed else 0.0)
        self.followed, self.along_m = way, progress.along_m
        return progress


class Etas:
    """ETAs of the open trips. `of` is quick, and for the writer's thread; ways are asked for in another thread."""

    def __init__(self, router: Callable[[], Router]) -> None:
        """`router` returns the one in use."""
        self._router = router
        self._courses: dict[str, _Course] = {}
        self._lock = Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._is_closed = False

    def of(self, trip: Trip, destinations: Sequence[Point], fix: Fix, *, moves: int = 0) -> tuple[Eta, ...]:
        """Return what is left to each of the destinations ahead, in their order; asks for a way where needed.

        `moves` is how often the clock of the trip's environment was moved by hand.
        """
        with self._lock:
            course = self._courses.setdefault(trip.id, _Course())
        course.recent.append((fix.point, fix.at))
        ahead = tuple(destinations)
        answered = course.answered  # what is asked for now may be answered before this returns
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
        """Return where the last ETAs of a trip come from; for the writer's thread."""
        course = self._courses.get(trip_id)
        return None if course is None else course.basis

    def line(self, trip_id: str) -> Line | None:
        """Return the way that a trip follows; None where none is known."""
        course = self._courses.get(trip_id)
        return None if course is None or course.way is None else course.way.line

    def search(self, trip_id: str) -> Search | None:
        """Return the search for the way of a trip, while there is one."""
        course = self._courses.get(trip_id)
        return None if course is None else course.search

    def forget(self, trip_id: str) -> None:
        """Forget the way of a trip that has ended."""
        with self._lock:
            course = self._courses.pop(trip_id, None)
        _end_searches(() if course is None else (course,))

    def forget_all(self) -> None:
        """Forget all ways: there are other roads."""
        with self._lock:
            courses = tuple(self._courses.values())
            self._courses.clear()
        _end_searches(courses)

    def close(self) -> None:
        """Ask nothing more. What is being asked ends with the router, which is not waited for here."""
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
    """Let go on what waits for ways that are no longer needed."""
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
    """Return the way of a course if it still leads through these destinations."""
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
    """Return where the ETAs for a fix come from."""
    if progress is None or answered is None:
        has_failed = answered is not None and (answered.ahead, answered.mode) == (ahead, mode)
        return EtaBasis(fix.at, has_failed=has_failed)
    return EtaBasis(fix.at, answered.at, progress.off_m if is_off else None)


def _with_detour(etas: tuple[Eta, ...], progress: Progress, mode: TravelMode) -> tuple[Eta, ...]:
    """Return the ETAs from beside the way: back to it first."""
    extra_m = progress.off_m * _DETOUR
    extra_s = extra_m / _FLOOR_MPS[mode]
    return tuple(Eta(eta.distance_m + extra_m, eta.duration_s + extra_s, eta.is_routed) for eta in etas)


def _estimated(
    point: Point, ahead: tuple[Point, ...], mode: TravelMode, recent: Sequence[tuple[Point, datetime]]
) -> tuple[Eta, ...]:
    """Return ETAs by the straight line and the speed of the last fixes."""
    speed_mps = min(max(_FLOOR_MPS[mode], _speed_mps(recent)), _CEILING_MPS[mode])
    etas, metres, here = [], 0.0, point
    for destination in ahead:
        metres += metres_between(here, destination) * _DETOUR
        here = destination
        etas.append(Eta(metres, metres / speed_mps, is_routed=False))
    return tuple(etas)


def _speed_mps(recent: Sequence[tuple[Point, datetime]]) -> float:
    """Return the speed over the last minutes; 0 where it is not known."""
    if len(recent) < 2:
        return 0.0
    last = recent[-1][1]
    lately = [(point, at) for point, at in recent if 0 <= (last - at).total_seconds() <= _RECENT_S]
    seconds = (lately[-1][1] - lately[0][1]).total_seconds()
    if seconds <= 0:
        return 0.0
    return straight_metres([(point.longitude, point.latitude) for point, _ in lately]) / seconds


def _heading(recent: Sequence[tuple[Point, datetime]]) -> float | None:
    """Return in which direction the device goes, in degrees from north; None while that is not clear."""
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
