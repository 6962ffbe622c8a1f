"""A spatial index that is edited while it is read.

Shapely's tree is fast and cannot change. So there are two: a large one, and a small one with what was added since,
made anew on the first look after an edit. When the small one has grown, a background thread merges both.
Readers never wait: they see one published state or the next.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock, Thread

import numpy as np
import shapely

from engine.geo.shapes import BOUNDS_MARGIN, Bounds, Shape, box_around

MERGE_AT = 2_000


@dataclass(frozen=True, slots=True)
class Entry[T]:
    """An item with the shape it is found by."""

    key: str
    item: T
    shape: Shape
    boxes: tuple[Bounds, ...] = field(repr=False)

    @classmethod
    def of(cls, key: str, item: T, shape: Shape) -> "Entry[T]":
        """Return an entry; a shape across the antimeridian gets a box on either side."""
        return cls(key, item, shape, tuple(_turns(shape.bounds)))


def _turns(bounds: Bounds) -> Iterable[Bounds]:
    west, south, east, north = bounds
    m = BOUNDS_MARGIN
    for turn in (0.0, 360.0, -360.0):
        if west + turn <= 180 and east + turn >= -180:
            yield Bounds(west + turn - m, south - m, east + turn + m, north + m)


class _Layer[T]:
    """An immutable tree over the boxes of some entries."""

    def __init__(self, entries: Iterable[Entry[T]]) -> None:
        self.rows = [(entry, box) for entry in entries for box in entry.boxes]
        boxes = np.array([box for _, box in self.rows]).reshape(-1, 4)
        self._tree = shapely.STRtree(shapely.box(boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]))

    def touching(self, area: shapely.Geometry) -> list[Entry[T]]:
        rows = self.rows
        return [rows[number][0] for number in self._tree.query(area).tolist()]


@dataclass(frozen=True, slots=True)
class _State[T]:
    base: _Layer[T]
    added: _Layer[T] | None


class SpatialIndex[T]:
    """Items by where they are. Edits may come from one thread at a time, reads from any."""

    def __init__(self, entries: Iterable[Entry[T]] = ()) -> None:
        self._entries = {entry.key: entry for entry in entries}
        self._fresh: dict[str, Entry[T]] = {}
        self._lock = Lock()
        self._merger: Thread | None = None
        self._state: _State[T] | None = _State(_Layer(self._entries.values()), None)
        self._base = self._state.base

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> Entry[T] | None:
        """Return the entry with this key."""
        return self._entries.get(key)

    def entries(self) -> list[Entry[T]]:
        """Return all entries, in no order."""
        return list(self._entries.values())

    def change(self, upserted: Iterable[Entry[T]], removed: Iterable[str] = ()) -> None:
        """Add or replace entries and remove others; the next look sees all of it."""
        with self._lock:
            for key in removed:
                self._entries.pop(key, None)
                self._fresh.pop(key, None)
            for entry in upserted:
                self._entries[entry.key] = self._fresh[entry.key] = entry
            self._state = None
            if len(self._fresh) >= MERGE_AT and self._merger is None:
                self._merger = Thread(target=self._merge, name="index-merge")
                self._merger.start()

    def near(self, longitude: float, latitude: float, within_m: float = 0.0) -> list[Entry[T]]:
        """Return the entries whose box comes within a distance of a position, each once.

        The boxes are wider than the shapes; the caller measures exactly.
        """
        state = self._state or self._refreshed()
        entries = self._entries
        found: dict[str, Entry[T]] = {}
        for area in _areas(longitude, latitude, within_m):
            for layer in (state.base, state.added):
                for entry in layer.touching(area) if layer is not None else ():
                    if entries.get(entry.key) is entry:
                        found[entry.key] = entry
        return list(found.values())

    def close(self) -> None:
        """Wait for a running merge."""
        if (merger := self._merger) is not None:
            merger.join()

    def _refreshed(self) -> _State[T]:
        with self._lock:
            if self._state is None:
                added = _Layer(self._fresh.values()) if self._fresh else None
                self._state = _State(self._base, added)
            return self._state

    def _merge(self) -> None:
        with self._lock:
            merged, fresh = list(self._entries.values()), dict(self._fresh)
        base = _Layer(merged)
        with self._lock:
            # What was edited meanwhile is another object and stays in the small tree.
            self._fresh = {key: entry for key, entry in self._fresh.items() if fresh.get(key) is not entry}
            self._base, self._state, self._merger = base, None, None


def _areas(longitude: float, latitude: float, within_m: float) -> Iterable[shapely.Geometry]:
    if within_m <= 0:
        return (shapely.points(longitude, latitude),)
    return tuple(shapely.box(*bounds) for bounds in _turns(box_around(longitude, latitude, within_m)))
