"""ETAs of trips: along roads, computed outside the writer, or estimated by the device's own speed.

A way is asked for once and followed: progress along it gives the next ETA without asking anybody, and a fix some metres
beside the road changes nothing. Another one is asked for when the device leaves the way, when the destinations change,
or after a while. The answer is used by the next location update.
"""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import field
from datetime import datetime
from math import atan2, degrees
from threading import Lock
from typing import Final

from engine.domain.errors import FencewrightError
from engine.domain.geometry import Point
from engine.domain.routing import Directions, Language, Line, RouteOptions, Router
from engine.domain.tracking.trips import Eta, Trip
from engine.domain.tracking.updates import Fix
from engine.domain.travel import TravelMode
from engine.domain.units import Units
from engine.domain.values.dataclass import dataclass
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


@dataclass(frozen=True, slots=True)
class Question:
    """A way to be found: through `points`, the first of which is the device's."""

    points: tuple[Point, ...]
    mode: TravelMode
    heading: float | None
    at: datetime

    @property
    def ahead(self) -> tuple[Point, ...]:
        """The destinations."""
        return self.points[1:]


@dataclass(frozen=True, slots=True)
class EtaBasis:
    """Where the ETAs for a fix `at` a moment come from: a route as of `routed_at`, or an estimate where that is None.

    `off_m` is how far the device is beside the route where it has left it. `has_failed` tells whether no route was
    found, rather than not computed yet.
    """

    at: datetime
    routed_at: datetime | None = None
    off_m: float | None = None
    has_failed: bool = False


@dataclass(slots=True)
class _Course:
    """The way of one trip, and where its device was lately.

    `asked` is the question under way, `answered` the one that found `way`. `along_m` is how far the device has come
    along `followed`; the writer's thread alone changes these.
    """

    recent: deque[tuple[Point, datetime]] = field(default_factory=lambda: deque(maxlen=30))
    asked: Question | None = None
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
        self._last: Future[None] | None = None
        self._is_closed = False

    def of(self, trip: Trip, destinations: Sequence[Point], fix: Fix) -> tuple[Eta, ...]:
        """Return what is left to each of the destinations ahead, in their order; asks for a way where needed."""
        with self._lock:
            course = self._courses.setdefault(trip.id, _Course())
        course.recent.append((fix.point, fix.at))
        ahead = tuple(destinations)
        answered = course.answered  # what is asked for now may be answered before this returns
        way = _way_through(course, ahead, trip.mode)
        progress = None if way is None else course.follow(way, fix.point)
        is_off = progress is not None and progress.off_m > max(OFF_WAY_M, fix.accuracy_m)
        if self._is_to_ask(course, ahead, trip.mode, fix, is_off=progress is None or is_off):
            self._ask(course, Question((fix.point, *ahead), trip.mode, _heading(course.recent), fix.at))
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

    def settle(self, timeout_s: float | None = None) -> bool:
        """Wait until every way that was asked for is found, or is known not to be; return whether that is so."""
        with self._lock:
            last = self._last
        return last is None or not wait((last,), timeout_s).not_done  # one thread answers all, in their order

    def forget(self, trip_id: str) -> None:
        """Forget the way of a trip that has ended."""
        with self._lock:
            self._courses.pop(trip_id, None)

    def forget_all(self) -> None:
        """Forget all ways: there are other roads."""
        with self._lock:
            self._courses.clear()

    def close(self) -> None:
        """Ask nothing more. What is being asked ends with the router, which is not waited for here."""
        with self._lock:
            self._is_closed, pool, self._pool = True, self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _is_to_ask(
        self, course: _Course, ahead: tuple[Point, ...], mode: TravelMode, fix: Fix, *, is_off: bool
    ) -> bool:
        if course.asked is not None or not ahead:
            return False
        last = course.answered
        if last is None or last.ahead != ahead or last.mode is not mode:
            return True
        age_s = abs((fix.at - last.at).total_seconds())
        has_moved = metres_between(fix.point, last.points[0]) > STAYED_M
        if course.way is None:
            return age_s > FAILED_FOR_S and has_moved
        return has_moved and (is_off or age_s > TOO_OLD_S)

    def _ask(self, course: _Course, question: Question) -> None:
        with self._lock:
            if self._is_closed:
                return
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, thread_name_prefix="fencewright-trips")
            course.asked = question
            self._last = self._pool.submit(self._answer, course, question)

    def _answer(self, course: _Course, question: Question) -> None:
        way = None
        if self._is_closed:
            return
        try:
            way = _find(self._router(), question)
        except FencewrightError as error:
            log.debug("A trip has no way: %s", error)
        except Exception:
            log.exception("The way of a trip could not be found")
        course.way, course.answered, course.asked = way, question, None


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
