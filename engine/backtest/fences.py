"""The geofences of a back-test, in the versions that were in force over time, prepared for many fixes at once."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray

from engine.backtest.rows import NOW
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle
from engine.domain.hours import HoursRule, OperatingHours
from engine.domain.tracking.explaining import GeofenceVersion
from engine.geo.bounds import box_around, turns
from engine.geo.index import Entry
from engine.geo.shapes import CircleShape, PolygonShape, shape_of

type Numbers = NDArray[np.int64]
type Marks = NDArray[np.uint64]
type Flags = NDArray[np.bool]
type Floats = NDArray[np.float64]

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NEVER: Final = 2**63 - 1
"""A time in microseconds after all others."""

BOX_MARGIN: Final = 1e-9
"""Degrees by which boxes are larger, so that rounding never excludes a fix on a boundary."""

_OUTER_DEGREES: Final = 1e-8
"""Degrees by which outlines are larger to find the fixes that are certainly outside: about a millimetre."""

CELL_REACH_DEGREES: Final = 0.001
"""Degrees of latitude around a box whose cells count as occupied: 110 m."""
_FINEST_CELL: Final = 0.005
_MOST_CELLS: Final = 4_000_000
_ROWS: Final = 2**32
_MICROSECOND: Final = timedelta(microseconds=1)
_SEED: Final = 7
WEEK_MIN: Final = 7 * 24 * 60
_MONDAY: Final = datetime(2024, 1, 1, tzinfo=UTC)


class FenceSet(Struct, frozen=True, kw_only=True):
    """A set of geofences with its name for display.

    With `versions`, a row is decided with the geofences at its own revision. `edited` has the moments of edits, in the
    order of time, with the revision after each; rows of files get their revision from it.
    """

    name: str
    geofences: tuple[Geofence, ...] = ()
    versions: tuple[GeofenceVersion, ...] = ()
    edited: tuple[tuple[datetime, int], ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the geofences were different at different times."""
        return bool(self.versions)


class Versions:
    """Versions of geofences by number, with what a filter needs in arrays."""

    def __init__(self, fences: FenceSet) -> None:
        states = list(_states(fences))
        self.entries = [Entry.of(each.id, each, shape_of(each.geometry)) for each, _, _ in states]
        self.since: Numbers = np.array([since for _, since, _ in states], np.int64)
        self.until: Numbers = np.array([until for _, _, until in states], np.int64)
        self._of_fence: dict[str, list[tuple[int, int, int]]] = {}
        for number, (geofence, since, until) in enumerate(states):
            self._of_fence.setdefault(geofence.id, []).append((number, since, until))
        self.has_all_times = bool((self.since == -NEVER).all())
        """Whether all versions are in force at every time."""
        self.marks: Marks = np.random.default_rng(_SEED).integers(1, 2**63, len(states), np.uint64)
        """A random number of each version. The sum of those of a set stands for the set."""
        self.alive_until_us: Numbers = np.array([_alive_until_us(entry.item) for entry in self.entries], np.int64)
        self.is_circle: Flags = np.array([isinstance(each.shape, CircleShape) for each in self.entries], np.bool)
        centers = [
            (each.shape.center.longitude, each.shape.center.latitude) if circle else (0.0, 0.0)
            for each, circle in zip(self.entries, self.is_circle.tolist(), strict=True)
        ]
        self.centers = np.array(centers, np.float64).reshape(-1, 2)
        self.radii_m = np.array(
            [
                each.shape.radius_m if circle else 0.0
                for each, circle in zip(self.entries, self.is_circle.tolist(), strict=True)
            ],
            np.float64,
        )
        self.vertices: Numbers = np.array([_vertices_of(each.item) for each in self.entries], np.int64)
        """Number of vertices of polygons of a single ring, a high one for others."""
        self.spans = np.array([each.shape.bounds[::2] for each in self.entries], np.float64).reshape(-1, 2)
        """Western and eastern limits of the outlines, which may be beyond ±180."""
        self.rules = Rules([each.item for each in self.entries])
        self._outlines: NDArray[Any] = np.full(len(states), None, object)
        self._outers: NDArray[Any] = np.full(len(states), None, object)
        boxes = [(number, box) for number, entry in enumerate(self.entries) for box in entry.boxes if _matters(entry)]
        self.owners: Numbers = np.array([number for number, _ in boxes], np.int64)
        self.sides = np.array([box for _, box in boxes], np.float64).reshape(-1, 4)
        self.has_several_boxes = len(np.unique(self.owners)) < len(self.owners)
        west, south, east, north = self.sides.T
        self.occupied = OccupiedCells(west, south, east, north)
        self.tree = shapely.STRtree(
            shapely.box(west - BOX_MARGIN, south - BOX_MARGIN, east + BOX_MARGIN, north + BOX_MARGIN)
        )

    def number_of(self, geofence_id: str, revision: int) -> int | None:
        """Return the number of the version of a geofence at a revision, or None if it did not exist."""
        for number, since, until in self._of_fence.get(geofence_id, ()):
            if since <= revision < until:
                return number
        return None

    def any_number_of(self, geofence_id: str) -> int | None:
        """Return the number of the first version of a geofence, or None if it never existed."""
        return next((number for number, _, _ in self._of_fence.get(geofence_id, ())), None)

    def near(self, longitude: float, latitude: float, within_m: float, revision: int) -> list[int]:
        """Return the numbers of the versions near a position at a revision, each once."""
        boxes = [shapely.box(*box) for box in turns(box_around(longitude, latitude, within_m))]
        found = np.unique(self.owners[self.tree.query(np.array(boxes, object))[1]])
        known: list[int] = found[(self.since[found] <= revision) & (revision < self.until[found])].tolist()
        return known

    def outlines(self, numbers: Numbers) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the prepared polygons of versions, and slightly larger ones."""
        for number in np.unique(numbers).tolist():
            if self._outlines[number] is None:
                shape = self.entries[number].shape
                assert isinstance(shape, PolygonShape)
                self._outlines[number] = shape.prepared
                self._outers[number] = outer = shapely.buffer(shape.prepared, _OUTER_DEGREES, quad_segs=1)
                shapely.prepare(outer)
        return self._outlines[numbers], self._outers[numbers]


class OccupiedCells:
    """The cells of a grid that boxes touch, to find the fixes far from all of them quickly.

    The cells are as large as needed for their number to stay small.
    """

    def __init__(self, west: Floats, south: Floats, east: Floats, north: Floats) -> None:
        margin = CELL_REACH_DEGREES
        farthest = np.minimum(np.maximum(np.abs(south), np.abs(north)) + margin, 86.0)
        across = margin / np.cos(np.radians(farthest))
        sides = west - across, south - margin, east + across, north + margin
        self._size = _FINEST_CELL
        while (total := self._count(sides)) > _MOST_CELLS:
            self._size *= max(2.0, (total / _MOST_CELLS) ** 0.5)
        self._cells = np.unique(self._covered(sides))

    def near(self, longitudes: Floats, latitudes: Floats) -> Flags:
        """Return which positions may be in a box, or within `CELL_REACH_DEGREES` of latitude of one."""
        if not len(self._cells):
            return np.zeros(len(longitudes), np.bool)
        cells = self._named(np.floor(longitudes / self._size), np.floor(latitudes / self._size))
        places = np.searchsorted(self._cells, cells)
        places[places == len(self._cells)] = 0
        return np.asarray(self._cells[places] == cells)

    def _named(self, columns: Floats, rows: Floats) -> Numbers:
        return columns.astype(np.int64) * _ROWS + rows.astype(np.int64)

    def _ranges(self, sides: Sequence[Floats]) -> tuple[Floats, Floats, Floats, Floats]:
        first, low, last, high = (np.floor(side / self._size) for side in sides)
        return first, low, last - first + 1, high - low + 1

    def _count(self, sides: Sequence[Floats]) -> float:
        _, _, columns, rows = self._ranges(sides)
        return float((columns * rows).sum())

    def _covered(self, sides: Sequence[Floats]) -> Numbers:
        """Return the cells of all boxes, some several times."""
        first, low, columns, rows = self._ranges(sides)
        counts = (columns * rows).astype(np.int64)
        box = np.repeat(np.arange(len(counts)), counts)
        within = np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self._named(
            first[box] + within // rows[box].astype(np.int64), low[box] + within % rows[box].astype(np.int64)
        )


class Rules:
    """The rules of versions that may keep a user from entering."""

    def __init__(self, geofences: Sequence[Geofence]) -> None:
        rules = [each.rules for each in geofences]
        self.users = [frozenset(each.user_ids) for each in rules]
        self.has_users: Flags = np.array([bool(each) for each in self.users], np.bool)
        self.addresses = [each.ip for each in rules]
        self.has_addresses: Flags = np.array([each is not None for each in self.addresses], np.bool)
        self.hours = [each.operating_hours for each in rules]
        self.has_hours: Flags = np.array([each is not None for each in self.hours], np.bool)
        own = [-1 if each.stop_detection is None else int(each.stop_detection) for each in rules]
        self.stop_detection: NDArray[np.int8] = np.array(own, np.int8)
        """1 and 0 for the geofence's own stop detection, -1 for that of the project."""
        self._weeks: dict[tuple[OperatingHours, HoursRule], Flags] = {}

    def week(self, number: int, rule: HoursRule) -> Flags:
        """Return whether a version is open in each minute of the week, which begins on Monday."""
        hours = self.hours[number]
        assert hours is not None
        found = self._weeks.get((hours, rule))
        if found is None:
            minutes = (_MONDAY + timedelta(minutes=minute) for minute in range(WEEK_MIN))
            found = self._weeks[hours, rule] = np.array([hours.is_open(minute, rule) for minute in minutes], np.bool)
        return found


def revisions_at(fences: FenceSet, arrived_us: Numbers) -> Numbers:
    """Return the revision of the geofences at each time."""
    if not fences.changes:
        return np.full(len(arrived_us), NOW, np.int64)
    moments = np.array([microseconds(at) for at, _ in fences.edited], np.int64)
    revisions = np.array([0, *(revision for _, revision in fences.edited)], np.int64)
    return revisions[np.searchsorted(moments, arrived_us, side="right")]


def microseconds(moment: datetime) -> int:
    """Return a time in microseconds since 1970."""
    return (moment - EPOCH) // _MICROSECOND


def moment_of(time_us: int) -> datetime:
    """Return the time of microseconds since 1970."""
    return EPOCH + timedelta(microseconds=time_us)


def _states(fences: FenceSet) -> Iterator[tuple[Geofence, int, int]]:
    """Yield geofences with the revisions since which and until which they were in force."""
    if not fences.changes:
        for geofence in fences.geofences:
            yield geofence, -NEVER, NEVER
        return
    yield from _ordered(fences.versions)


def _ordered(versions: Iterable[GeofenceVersion]) -> Iterator[tuple[Geofence, int, int]]:
    of_fence: dict[str, list[GeofenceVersion]] = {}
    for version in versions:
        of_fence.setdefault(version.geofence.id, []).append(version)
    for states in of_fence.values():
        states.sort(key=lambda each: each.geofence.revision)
        for state, following in pairwise([*states, None]):
            assert state is not None
            end = NEVER if state.until is None else state.until
            if following is not None:
                end = min(end, following.geofence.revision)
            yield state.geofence, state.geofence.revision, end


def _vertices_of(geofence: Geofence) -> int:
    geometry = geofence.geometry
    if isinstance(geometry, Circle):
        return 0
    return len(geometry.ring) if geometry.is_single_ring else sys.maxsize


def _matters(entry: Entry[Geofence]) -> bool:
    """Return whether a user can enter a geofence at some time."""
    return entry.item.enabled


def _alive_until_us(geofence: Geofence) -> int:
    """Return the last moment at which a geofence is in force."""
    if not geofence.enabled:
        return -NEVER
    ends = (geofence.rules.disable_after, geofence.rules.delete_after)
    return min((microseconds(each) for each in ends if each is not None), default=NEVER)
