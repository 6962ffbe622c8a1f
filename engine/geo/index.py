"""A spatial index that can be edited while it is read.

It is a grid of grids: a shape is stored in the finest grid whose cells are at least as large as its box. It therefore
touches at most four cells, and a lookup reads one cell of each grid. The cost of a lookup does not depend on the number
of shapes elsewhere, and an edit touches only its own cells.

The initial entries are stored in arrays that are built in one pass (`packed`). Later edits are stored in dictionaries
and hide the entries they replace. An edit of very many entries is prepared separately in any thread (`prepared`), and
then takes effect at once.

One thread edits, and any thread reads. A reader copies a cell before reading it, in a single step that no edit can
interrupt. It sees each shape either before or after an edit, because new entries are added before old ones are removed,
and a lookup is repeated if entries were removed meanwhile.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import batched
from math import floor
from types import MappingProxyType
from typing import Final, Never, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.domain.ports import Progress
from engine.geo.bounds import NO_BOXES, Bounds, Boxes, box_around, distances_at_least_m, touch, turns
from engine.geo.packed import FINEST, PackedGrid, cell_ranges
from engine.geo.shapes import Shape

_AT_ONCE: Final = 1_000
"""Number of items created between two progress reports."""


class Entry[T](Struct, frozen=True, eq=False):
    """An item with the shape by which it is found."""

    key: str
    item: T
    shape: Shape
    boxes: tuple[Bounds, ...]

    @classmethod
    def of(cls, key: str, item: T, shape: Shape) -> "Entry[T]":
        """Return an entry. A shape across the antimeridian has a box on either side."""
        return cls(key, item, shape, tuple(turns(shape.bounds)))


class Loaded[T](Protocol):
    """The initial entries, numbered from 0. An entry is created when a lookup comes near it."""

    @property
    def boxes(self) -> Boxes:
        """Bounding boxes of the entries."""
        ...

    @property
    def numbers(self) -> Mapping[str, int]:
        """Numbers of the entries by key."""
        ...

    def entry(self, number: int) -> Entry[T]:
        """Return an entry. Each call may return a different but equal object."""
        ...

    def item(self, number: int) -> T:
        """Return the item of an entry without creating its shape."""
        ...


class _Grid[T]:
    """The shapes of similar size. A cell is identified by its column and row, counted from 0°, 0°."""

    def __init__(self, level: int) -> None:
        self.cells_per_degree = 2**level / 360
        self._cells: dict[tuple[int, int], dict[tuple[int, Bounds], Entry[T]]] = {}
        """Entries of each cell by their identity and box there, as several may be at the same place."""
        self._shared: set[tuple[int, int]] = set()
        """Cells whose dictionaries are shared with another grid."""

    def copy(self) -> "_Grid[T]":
        """Return a grid with the same entries. Changing one of the two grids does not affect the other."""
        copied: _Grid[T] = _Grid(0)
        copied.cells_per_degree = self.cells_per_degree
        copied._cells = self._cells.copy()
        copied._shared = set(copied._cells)
        return copied

    def cell_names(self, box: Bounds) -> Iterator[tuple[int, int]]:
        columns, rows = cell_ranges(box, self.cells_per_degree)
        for column in columns:
            for row in rows:
                yield column, row

    def add(self, box: Bounds, entry: Entry[T]) -> None:
        for name in self.cell_names(box):
            self._own(name)[id(entry), box] = entry

    def remove(self, box: Bounds, entry: Entry[T]) -> None:
        for name in self.cell_names(box):
            cell = self._own(name)
            del cell[id(entry), box]
            if not cell:
                del self._cells[name]

    def _own(self, name: tuple[int, int]) -> dict[tuple[int, Bounds], Entry[T]]:
        """Return the entries of a cell for modification."""
        if name in self._shared:
            self._shared.remove(name)
            self._cells[name] = self._cells[name].copy()
        return self._cells.setdefault(name, {})

    def in_cell(self, name: tuple[int, int]) -> list[tuple[tuple[int, Bounds], Entry[T]]]:
        cell = self._cells.get(name)
        return [] if cell is None else list(cell.items())

    def in_box(self, box: Bounds) -> Iterator[tuple[tuple[int, Bounds], Entry[T]]]:
        columns, rows = cell_ranges(box, self.cells_per_degree)
        many = len(columns) * len(rows) > len(self._cells)
        for name in list(self._cells) if many else self.cell_names(box):
            yield from self.in_cell(name)


class Edits[T]:
    """The changes since the beginning: added entries, and flags for loaded entries that are hidden or deleted.

    When created by `SpatialIndex.prepared`, they are all changes of the index plus one more edit.
    """

    def __init__(self, loaded: Loaded[T]) -> None:
        self._loaded = loaded
        self.hidden = bytearray(len(loaded.numbers))
        self.entries: dict[str, Entry[T]] = {}
        self.grids: dict[int, _Grid[T]] = {}
        self.removals = 0

    def copy(self) -> "Edits[T]":
        """Return a copy of the changes, to which others can be added."""
        copied: Edits[T] = Edits(_NothingLoaded())
        copied._loaded = self._loaded
        copied.hidden = self.hidden.copy()
        copied.entries = self.entries.copy()
        copied.grids = {level: grid.copy() for level, grid in self.grids.items()}
        return copied

    def upsert(self, entry: Entry[T]) -> None:
        """Add an entry, or replace the one with the same key."""
        before = self.entries.get(entry.key)
        self._add_boxes(entry)
        self.entries[entry.key] = entry
        self._hide(entry.key, before)

    def remove(self, key: str) -> None:
        """Remove the entry with this key."""
        self._hide(key, self.entries.pop(key, None))

    def at(self, longitude: float, latitude: float) -> list[Entry[T]]:
        """Return the added entries, once for each box that contains a position."""
        found = []
        for grid in self.grids.values():
            scale = grid.cells_per_degree
            for (_, box), entry in grid.in_cell((floor(longitude * scale), floor(latitude * scale))):
                west, south, east, north = box
                if west <= longitude <= east and south <= latitude <= north:
                    found.append(entry)
        return found

    def touching(self, area: Bounds) -> list[Entry[T]]:
        """Return the added entries, once for each box that touches an area."""
        return [
            entry for grid in list(self.grids.values()) for (_, box), entry in grid.in_box(area) if touch(box, area)
        ]

    def _add_boxes(self, entry: Entry[T]) -> None:
        for box in entry.boxes:
            level = _level(box)
            grid = self.grids.get(level)
            if grid is None:
                # Replaced as a whole, because a reader may be iterating over the grids.
                grid = _Grid(level)
                self.grids = {**self.grids, level: grid}
            grid.add(box, entry)

    def _hide(self, key: str, edited: Entry[T] | None) -> None:
        """Remove the entry `edited` and hide the loaded entry with this key."""
        self.removals += 1
        if (number := self._loaded.numbers.get(key)) is not None:
            self.hidden[number] = True
        if edited is not None:
            for box in edited.boxes:
                self.grids[_level(box)].remove(box, edited)


class SpatialIndex[T]:
    """A spatial index of items."""

    def __init__(self, entries: Iterable[Entry[T]] = (), loaded: Loaded[T] | None = None) -> None:
        self._loaded: Loaded[T] = loaded if loaded is not None else _NothingLoaded()
        self._packed = PackedGrid(self._loaded.boxes)
        self._edits: Edits[T] = Edits(self._loaded)
        self.change(entries)

    def __len__(self) -> int:
        edits = self._edits
        return edits.hidden.count(0) + len(edits.entries)

    def get(self, key: str) -> Entry[T] | None:
        """Return the entry with this key."""
        found = self._find(key)
        return self._loaded.entry(found) if isinstance(found, int) else found

    def item(self, key: str) -> T | None:
        """Return the item with this key without creating its shape."""
        found = self._find(key)
        if isinstance(found, int):
            return self._loaded.item(found)
        return None if found is None else found.item

    def is_as_loaded(self, number: int) -> bool:
        """Return whether the loaded entry with a number has been neither edited nor deleted."""
        return not self._edits.hidden[number]

    def _find(self, key: str) -> Entry[T] | int | None:
        """Return the edited entry, or the number of the loaded one."""
        edits = self._edits
        if (entry := edits.entries.get(key)) is not None:
            return entry
        number = self._loaded.numbers.get(key)
        if number is None:
            return None
        # A hidden entry may have been edited after the first lookup.
        return edits.entries.get(key) if edits.hidden[number] else number

    def items(self, report: Progress | None = None) -> list[T]:
        """Return all items in no particular order; `report` is called occasionally with their number and the total."""
        found: dict[str, T] = {}
        for part in self.parts():
            if report is not None:
                report(len(found), len(self._loaded.numbers))
            found |= part
        return list(found.values())

    def parts(self) -> Iterator[dict[str, T]]:
        """Yield all items by key, in portions. An item that is edited meanwhile may come twice."""
        item, edits = self._loaded.item, self._edits
        for some in batched(self._loaded.numbers.items(), _AT_ONCE):
            yield {key: item(number) for key, number in some if not edits.hidden[number]}
        yield {entry.key: entry.item for entry in tuple(edits.entries.values())}

    def edited(self) -> dict[str, T]:
        """Return the items that were added or edited since the beginning, by key."""
        return {entry.key: entry.item for entry in self.edited_entries()}

    def edited_entries(self) -> tuple[Entry[T], ...]:
        """Return the entries that were added or edited since the beginning."""
        return tuple(self._edits.entries.values())

    def as_loaded(self) -> NDArray[np.bool]:
        """Return for each loaded entry whether it has been neither edited nor deleted."""
        hidden: NDArray[np.bool] = np.frombuffer(bytes(self._edits.hidden), np.bool)
        return ~hidden

    def change(self, upserted: Iterable[Entry[T]], removed: Iterable[str] = ()) -> None:
        """Add or replace entries and remove others. The next lookup sees all changes."""
        for key in removed:
            self._edits.remove(key)
        for entry in upserted:
            self._edits.upsert(entry)

    def prepared(self, upserted: Iterable[Entry[T]], removed: Iterable[str]) -> Edits[T]:
        """Return the edits including a change that is not visible yet. The index must not be changed until `become`."""
        edits = self._edits.copy()
        for key in removed:
            edits.remove(key)
        for entry in upserted:
            edits.upsert(entry)
        return edits

    def become(self, prepared: Edits[T]) -> None:
        """Apply a prepared change at once."""
        self._edits = prepared

    def at(self, longitude: float, latitude: float) -> list[Entry[T]]:
        """Return the entries whose box contains a position, each once.

        The boxes are larger than the shapes, so the caller must measure exactly.
        """
        edits, removals = self._edits, -1
        while removals != edits.removals:
            removals, hidden = edits.removals, edits.hidden
            numbers = [number for number in self._packed.at(longitude, latitude) if not hidden[number]]
            found = edits.at(longitude, latitude)
        return self._entries_of(numbers, found)

    def near(self, longitude: float, latitude: float, within_m: float) -> list[Entry[T]]:
        """Return the entries whose box is within a distance of a position, each once."""
        return self._entries_of(*self._found_near(longitude, latitude, within_m))

    def nearest(
        self, longitude: float, latitude: float, within_m: float, among: NDArray[np.bool] | None = None
    ) -> Iterator[tuple[float, Entry[T]]]:
        """Yield the same entries with a lower bound of their distance in metres, in the order of these bounds.

        `among` contains for each loaded entry whether it is wanted.
        """
        numbers, found = self._found_near(longitude, latitude, within_m)
        loaded = np.unique(np.array(numbers, np.int64))
        loaded = loaded if among is None else loaded[among[loaded]]
        edited = {entry.key: entry for entry in found}
        sides = np.array([entry.shape.bounds for entry in edited.values()]).reshape(-1, 4).T
        boxes = Boxes(*(np.append(side[loaded], more) for side, more in zip(self._loaded.boxes, sides, strict=True)))
        distances, entries = distances_at_least_m(boxes, longitude, latitude), list(edited.values())
        for place in np.argsort(distances, kind="stable").tolist():
            if place >= len(loaded):
                yield float(distances[place]), entries[place - len(loaded)]
            elif (entry := self._loaded.entry(int(loaded[place]))).key not in edited:
                yield float(distances[place]), entry

    def _found_near(self, longitude: float, latitude: float, within_m: float) -> tuple[list[int], list[Entry[T]]]:
        """Return the numbers of loaded entries and the edited entries near a position. Some may come twice."""
        areas = turns(box_around(longitude, latitude, within_m))
        edits, removals = self._edits, -1
        while removals != edits.removals:
            removals, hidden = edits.removals, edits.hidden
            numbers = [number for area in areas for number in self._packed.touching(area) if not hidden[number]]
            found = [entry for area in areas for entry in edits.touching(area)]
        return numbers, found

    def _entries_of(self, numbers: list[int], edited: list[Entry[T]]) -> list[Entry[T]]:
        """Return each entry once. An edited entry takes precedence over the loaded one."""
        found = [*map(self._loaded.entry, numbers), *edited]
        return found if len(found) < 2 else list({entry.key: entry for entry in found}.values())


class _NothingLoaded:
    """The initial state of an empty index."""

    boxes = NO_BOXES
    numbers: Mapping[str, int] = MappingProxyType({})

    def entry(self, number: int) -> Never:
        raise IndexError(number)

    def item(self, number: int) -> Never:
        raise IndexError(number)


def _level(box: Bounds) -> int:
    """Return the finest grid whose cells are at least as large as the box."""
    size = max(box.east - box.west, box.north - box.south)
    level = FINEST
    while level > 0 and 360 / 2**level < size:
        level -= 1
    return level
