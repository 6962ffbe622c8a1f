"""A spatial index that is edited while it is read.

A grid of grids: a shape lies in the finest grid whose cells are at least as large as its box, so it touches four cells
at most, and a position looks into one cell of each grid. Looking costs the same however many shapes there are
elsewhere, and an edit touches nothing but its own cells.

One thread edits; any thread reads. A cell is an immutable tuple that is replaced whole, so a reader sees each shape
as it was before an edit or after it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import floor

from engine.geo.shapes import BOUNDS_MARGIN, Bounds, Shape, box_around

_FINEST = 20
"""The finest grid has cells of 360° / 2**20: some 38 m."""


@dataclass(frozen=True, slots=True, eq=False)
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


def _turns(bounds: Bounds) -> Iterator[Bounds]:
    west, south, east, north = bounds
    margin = BOUNDS_MARGIN
    for turn in (0.0, 360.0, -360.0):
        if west + turn <= 180 and east + turn >= -180:
            yield Bounds(west + turn - margin, south - margin, east + turn + margin, north + margin)


class _Grid[T]:
    """The shapes of about one size. A cell is named by its column and row, counted from 0°, 0°."""

    def __init__(self, level: int) -> None:
        self.cells_per_degree = 2**level / 360
        self.cells: dict[tuple[int, int], tuple[tuple[Bounds, Entry[T]], ...]] = {}

    def cell_names(self, box: Bounds) -> Iterator[tuple[int, int]]:
        scale = self.cells_per_degree
        rows = range(floor(box.south * scale), floor(box.north * scale) + 1)
        for column in range(floor(box.west * scale), floor(box.east * scale) + 1):
            for row in rows:
                yield column, row

    def add(self, box: Bounds, entry: Entry[T]) -> None:
        for name in self.cell_names(box):
            self.cells[name] = (*self.cells.get(name, ()), (box, entry))

    def remove(self, box: Bounds, entry: Entry[T]) -> None:
        for name in self.cell_names(box):
            if left := tuple(pair for pair in self.cells.get(name, ()) if pair[1] is not entry):
                self.cells[name] = left
            else:
                self.cells.pop(name, None)

    def in_box(self, box: Bounds) -> Iterator[tuple[Bounds, Entry[T]]]:
        scale = self.cells_per_degree
        wanted = ((box.east - box.west) * scale + 2) * ((box.north - box.south) * scale + 2)
        if wanted > len(self.cells):
            for cell in list(self.cells.values()):
                yield from cell
        else:
            for name in self.cell_names(box):
                yield from self.cells.get(name, ())


class SpatialIndex[T]:
    """Items by where they are."""

    def __init__(self, entries: Iterable[Entry[T]] = ()) -> None:
        self._entries: dict[str, Entry[T]] = {}
        self._grids: dict[int, _Grid[T]] = {}
        self.change(entries)

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
        for key in removed:
            if (before := self._entries.pop(key, None)) is not None:
                self._remove_boxes(before)
        for entry in upserted:
            before = self._entries.get(entry.key)
            # Added before the old one is removed: a reader finds at least one of them.
            self._add_boxes(entry)
            self._entries[entry.key] = entry
            if before is not None:
                self._remove_boxes(before)

    def at(self, longitude: float, latitude: float) -> list[Entry[T]]:
        """Return the entries whose box holds a position, each once.

        The boxes are wider than the shapes; the caller measures exactly.
        """
        found = []
        for grid in self._grids.values():
            scale = grid.cells_per_degree
            for box, entry in grid.cells.get((floor(longitude * scale), floor(latitude * scale)), ()):
                west, south, east, north = box
                if west <= longitude <= east and south <= latitude <= north:
                    found.append(entry)
        # Twice only where both boxes of one shape meet, on the antimeridian.
        return found if len(found) < 2 else list(dict.fromkeys(found))

    def near(self, longitude: float, latitude: float, within_m: float) -> list[Entry[T]]:
        """Return the entries whose box comes within a distance of a position, each once."""
        found: dict[str, Entry[T]] = {}
        for area in _turns(box_around(longitude, latitude, within_m)):
            for grid in list(self._grids.values()):
                for box, entry in grid.in_box(area):
                    if touch(box, area):
                        found[entry.key] = entry
        return list(found.values())

    def _add_boxes(self, entry: Entry[T]) -> None:
        for box in entry.boxes:
            level = _level(box)
            grid = self._grids.get(level)
            if grid is None:
                # Published whole, because a reader may be going through the grids.
                grid = _Grid(level)
                self._grids = {**self._grids, level: grid}
            grid.add(box, entry)

    def _remove_boxes(self, entry: Entry[T]) -> None:
        for box in entry.boxes:
            self._grids[_level(box)].remove(box, entry)


def _level(box: Bounds) -> int:
    """Return the finest grid whose cells are as large as the box."""
    size = max(box.east - box.west, box.north - box.south)
    level = _FINEST
    while level > 0 and 360 / 2**level < size:
        level -= 1
    return level


def touch(box: Bounds, area: Bounds) -> bool:
    """Whether two boxes share a position."""
    return box.west <= area.east and box.east >= area.west and box.south <= area.north and box.north >= area.south
