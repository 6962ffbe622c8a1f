"""A spatial index that is edited while it is read.

A grid of grids: a shape lies in the finest grid whose cells are at least as large as its box, so it touches four cells
at most, and a position looks into one cell of each grid. Looking costs the same however many shapes there are
elsewhere, and an edit touches nothing but its own cells.

What is there at the beginning lies in arrays that are made in one go (`packed`); what was edited since lies in
dictionaries, and hides what it replaces. An edit of very many is made beside these in any thread (`prepared`), and
then takes their place at once.

One thread edits; any thread reads. A reader copies a cell before it looks at it, in one step that no edit interrupts.
It sees each shape as it was before an edit or after it: what is new is added before what is old is taken away, and a
look during which something was taken away is repeated.
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
"""So many items are made between two reports of the progress."""


class Entry[T](Struct, frozen=True, eq=False):
    """An item with the shape it is found by."""

    key: str
    item: T
    shape: Shape
    boxes: tuple[Bounds, ...]

    @classmethod
    def of(cls, key: str, item: T, shape: Shape) -> "Entry[T]":
        """Return an entry; a shape across the antimeridian gets a box on either side."""
        return cls(key, item, shape, tuple(turns(shape.bounds)))


class Loaded[T](Protocol):
    """The entries that are there at the beginning, numbered from 0; an entry is made when somebody comes near it."""

    @property
    def boxes(self) -> Boxes:
        """The box of each."""
        ...

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of each by its key."""
        ...

    def entry(self, number: int) -> Entry[T]:
        """Return one of them; a different object at another time, but equal in all it holds."""
        ...

    def item(self, number: int) -> T:
        """Return the item of one of them, without its shape."""
        ...


class _Grid[T]:
    """The shapes of about one size. A cell is named by its column and row, counted from 0°, 0°."""

    def __init__(self, level: int) -> None:
        self.cells_per_degree = 2**level / 360
        self._cells: dict[tuple[int, int], dict[tuple[int, Bounds], Entry[T]]] = {}
        """The entries of each cell by their identity and their box there: many may be at one place."""
        self._shared: set[tuple[int, int]] = set()
        """The cells whose dictionaries another grid has, too."""

    def copy(self) -> "_Grid[T]":
        """Return a grid with the same entries; what changes in one of the two does not change the other's cells."""
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
        """Return the entries of a cell, to be changed."""
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
    """The changes since the beginning: the entries that came, and which of those loaded are hidden or gone.

    Made by `SpatialIndex.prepared`, they are all of the index's changes with one edit more.
    """

    def __init__(self, loaded: Loaded[T]) -> None:
        self._loaded = loaded
        self.gone = bytearray(len(loaded.numbers))
        self.entries: dict[str, Entry[T]] = {}
        self.grids: dict[int, _Grid[T]] = {}
        self.removals = 0

    def copy(self) -> "Edits[T]":
        """Return the same changes, to which others can be added."""
        copied: Edits[T] = Edits(_NothingLoaded())
        copied._loaded = self._loaded
        copied.gone = self.gone.copy()
        copied.entries = self.entries.copy()
        copied.grids = {level: grid.copy() for level, grid in self.grids.items()}
        return copied

    def upsert(self, entry: Entry[T]) -> None:
        """Add an entry, or put it in the place of the one with its key."""
        before = self.entries.get(entry.key)
        self._add_boxes(entry)
        self.entries[entry.key] = entry
        self._hide(entry.key, before)

    def remove(self, key: str) -> None:
        """Take the entry with this key away."""
        self._hide(key, self.entries.pop(key, None))

    def at(self, longitude: float, latitude: float) -> list[Entry[T]]:
        """Return the entries that came since, each box of which holds a position."""
        found = []
        for grid in self.grids.values():
            scale = grid.cells_per_degree
            for (_, box), entry in grid.in_cell((floor(longitude * scale), floor(latitude * scale))):
                west, south, east, north = box
                if west <= longitude <= east and south <= latitude <= north:
                    found.append(entry)
        return found

    def touching(self, area: Bounds) -> list[Entry[T]]:
        """Return the entries that came since, each box of which touches an area."""
        return [
            entry for grid in list(self.grids.values()) for (_, box), entry in grid.in_box(area) if touch(box, area)
        ]

    def _add_boxes(self, entry: Entry[T]) -> None:
        for box in entry.boxes:
            level = _level(box)
            grid = self.grids.get(level)
            if grid is None:
                # Published whole, because a reader may be going through the grids.
                grid = _Grid(level)
                self.grids = {**self.grids, level: grid}
            grid.add(box, entry)

    def _hide(self, key: str, edited: Entry[T] | None) -> None:
        """Take an entry away: `edited`, and what was loaded with this key."""
        self.removals += 1
        if (number := self._loaded.numbers.get(key)) is not None:
            self.gone[number] = True
        if edited is not None:
            for box in edited.boxes:
                self.grids[_level(box)].remove(box, edited)


class SpatialIndex[T]:
    """Items by where they are."""

    def __init__(self, entries: Iterable[Entry[T]] = (), loaded: Loaded[T] | None = None) -> None:
        self._loaded: Loaded[T] = loaded if loaded is not None else _NothingLoaded()
        self._packed = PackedGrid(self._loaded.boxes)
        self._edits: Edits[T] = Edits(self._loaded)
        self.change(entries)

    def __len__(self) -> int:
        edits = self._edits
        return edits.gone.count(0) + len(edits.entries)

    def get(self, key: str) -> Entry[T] | None:
        """Return the entry with this key."""
        found = self._find(key)
        return self._loaded.entry(found) if isinstance(found, int) else found

    def item(self, key: str) -> T | None:
        """Return the item with this key, without making its shape."""
        found = self._find(key)
        if isinstance(found, int):
            return self._loaded.item(found)
        return None if found is None else found.item

    def is_as_loaded(self, number: int) -> bool:
        """Whether what was loaded with a number is neither edited nor gone."""
        return not self._edits.gone[number]

    def _find(self, key: str) -> Entry[T] | int | None:
        """Return what was edited, or the number of what was loaded."""
        edits = self._edits
        if (entry := edits.entries.get(key)) is not None:
            return entry
        number = self._loaded.numbers.get(key)
        if number is None:
            return None
        # What is hidden may have been edited after the first look.
        return edits.entries.get(key) if edits.gone[number] else number

    def items(self, report: Progress | None = None) -> list[T]:
        """Return all items, in no order; `report` is told now and then how many of how many are there."""
        found: dict[str, T] = {}
        for part in self.parts():
            if report is not None:
                report(len(found), len(self._loaded.numbers))
            found |= part
        return list(found.values())

    def parts(self) -> Iterator[dict[str, T]]:
        """Yield all items by their keys, some at a time; one that is edited meanwhile may come twice."""
        item, edits = self._loaded.item, self._edits
        for some in batched(self._loaded.numbers.items(), _AT_ONCE):
            yield {key: item(number) for key, number in some if not edits.gone[number]}
        yield {entry.key: entry.item for entry in tuple(edits.entries.values())}

    def edited(self) -> dict[str, T]:
        """Return by their keys the items that were added or edited since the beginning."""
        return {entry.key: entry.item for entry in self.edited_entries()}

    def edited_entries(self) -> tuple[Entry[T], ...]:
        """Return the entries that were added or edited since the beginning."""
        return tuple(self._edits.entries.values())

    def as_loaded(self) -> NDArray[np.bool]:
        """Return for each number whether what was loaded with it is neither edited nor gone."""
        gone: NDArray[np.bool] = np.frombuffer(bytes(self._edits.gone), np.bool)
        return ~gone

    def change(self, upserted: Iterable[Entry[T]], removed: Iterable[str] = ()) -> None:
        """Add or replace entries and remove others; the next look sees all of it."""
        for key in removed:
            self._edits.remove(key)
        for entry in upserted:
            self._edits.upsert(entry)

    def prepared(self, upserted: Iterable[Entry[T]], removed: Iterable[str]) -> Edits[T]:
        """Return this index as a change will make it. It must not be changed until then; queries do not see it yet."""
        edits = self._edits.copy()
        for key in removed:
            edits.remove(key)
        for entry in upserted:
            edits.upsert(entry)
        return edits

    def become(self, prepared: Edits[T]) -> None:
        """Make a prepared change, all of it at once."""
        self._edits = prepared

    def at(self, longitude: float, latitude: float) -> list[Entry[T]]:
        """Return the entries whose box holds a position, each once.

        The boxes are wider than the shapes; the caller measures exactly.
        """
        edits, removals = self._edits, -1
        while removals != edits.removals:
            removals, gone = edits.removals, edits.gone
            numbers = [number for number in self._packed.at(longitude, latitude) if not gone[number]]
            found = edits.at(longitude, latitude)
        return self._entries_of(numbers, found)

    def near(self, longitude: float, latitude: float, within_m: float) -> list[Entry[T]]:
        """Return the entries whose box comes within a distance of a position, each once."""
        return self._entries_of(*self._found_near(longitude, latitude, within_m))

    def nearest(
        self, longitude: float, latitude: float, within_m: float, among: NDArray[np.bool] | None = None
    ) -> Iterator[tuple[float, Entry[T]]]:
        """Yield the same entries in the order of a distance in metres that each is not nearer than; with it.

        `among` tells for each number of what was loaded whether it is wanted.
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
        """Return the numbers of what was loaded, and what was edited; some may come twice."""
        areas = turns(box_around(longitude, latitude, within_m))
        edits, removals = self._edits, -1
        while removals != edits.removals:
            removals, gone = edits.removals, edits.gone
            numbers = [number for area in areas for number in self._packed.touching(area) if not gone[number]]
            found = [entry for area in areas for entry in edits.touching(area)]
        return numbers, found

    def _entries_of(self, numbers: list[int], edited: list[Entry[T]]) -> list[Entry[T]]:
        """Return each entry once: where both are found, the edited one instead of the loaded one."""
        found = [*map(self._loaded.entry, numbers), *edited]
        return found if len(found) < 2 else list({entry.key: entry for entry in found}.values())


class _NothingLoaded:
    """The beginning of an index that is empty."""

    boxes = NO_BOXES
    numbers: Mapping[str, int] = MappingProxyType({})

    def entry(self, number: int) -> Never:
        raise IndexError(number)

    def item(self, number: int) -> Never:
        raise IndexError(number)


def _level(box: Bounds) -> int:
    """Return the finest grid whose cells are as large as the box."""
    size = max(box.east - box.west, box.north - box.south)
    level = FINEST
    while level > 0 and 360 / 2**level < size:
        level -= 1
    return level
