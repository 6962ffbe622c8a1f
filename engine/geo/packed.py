"""A grid of grids over many boxes, stored in arrays instead of an object per box and built in one pass.

Each box is recorded in the cells it touches in one grid (see `index`). All cells of all grids share one table of
buckets. A bucket may contain boxes of several cells. They need not be distinguished, since each box found is compared
with the position anyway.
"""

from math import floor

import numpy as np
from numpy.typing import NDArray

from engine.geo.bounds import BOUNDS_MARGIN, Bounds, Boxes

FINEST = 20
"""The finest grid has cells of 360° / 2**20, about 38 m."""

_FEW_CELLS = 4
"""Width and height of an area in cells up to which reading single cells is faster than reading all of them at once."""

_CELL_COST = 8
"""Number of boxes that can be compared sequentially in the time it takes to read one cell."""

# The steps between cells: odd numbers whose ratios to any power of two are not simple.
_COLUMN_STEP, _ROW_STEP, _LEVEL_STEP = 73_856_093, 19_349_663, 83_492_791

type Numbers = NDArray[np.int64]


class PackedGrid:
    """An immutable grid of numbered boxes."""

    def __init__(self, boxes: Boxes) -> None:
        self._owners, self._boxes = _turned(boxes)
        levels = _levels(self._boxes)
        self._grids = [(level * _LEVEL_STEP, 2**level / 360) for level in np.flatnonzero(np.bincount(levels)).tolist()]
        self._small = _FEW_CELLS / max((scale for _, scale in self._grids), default=1.0)
        box_of, cell_of = _cells(self._boxes, levels)
        size = 2 << max(4, len(box_of).bit_length())
        self._mask = size - 1
        buckets = cell_of & self._mask
        self._noted = box_of[np.argsort(buckets, kind="stable")].astype(np.int32)
        self._starts = np.zeros(size + 1, np.int32)
        np.cumsum(np.bincount(buckets, minlength=size), out=self._starts[1:])
        # Reading a single number from a memoryview takes half the time of reading it from the array.
        self._one_start, self._one_noted = memoryview(self._starts), memoryview(self._noted)
        self._one_owner = memoryview(self._owners)
        self._one_box = tuple(memoryview(side) for side in self._boxes)

    def at(self, longitude: float, latitude: float) -> list[int]:
        """Return the numbers of the boxes that contain a position. Some may come twice."""
        starts, noted, mask = self._one_start, self._one_noted, self._mask
        west, south, east, north = self._one_box
        found = []
        for first, scale in self._grids:
            cell = floor(longitude * scale) * _COLUMN_STEP + floor(latitude * scale) * _ROW_STEP + first
            bucket = cell & mask
            place, end = starts[bucket], starts[bucket + 1]
            while place < end:
                box = noted[place]
                if west[box] <= longitude <= east[box] and south[box] <= latitude <= north[box]:
                    found.append(self._one_owner[box])
                place += 1
        return found

    def touching(self, area: Bounds) -> list[int]:
        """Return the numbers of the boxes that intersect an area. Some may come twice."""
        if max(area.east - area.west, area.north - area.south) <= self._small:
            return self._in_few(area)
        ranges = [(first, *cell_ranges(area, scale)) for first, scale in self._grids]
        cells = sum(len(columns) * len(rows) for _, columns, rows in ranges)
        boxes = self._in_many(ranges) if cells * _CELL_COST < len(self._owners) else np.arange(len(self._owners))
        west, south, east, north = (side[boxes] for side in self._boxes)
        touching = (west <= area.east) & (east >= area.west) & (south <= area.north) & (north >= area.south)
        found: list[int] = np.unique(self._owners[boxes[touching]]).tolist()
        return found

    def _in_few(self, area: Bounds) -> list[int]:
        """Return the same result by reading one cell after the other."""
        starts, noted, mask = self._one_start, self._one_noted, self._mask
        west, south, east, north = self._one_box
        west_end, south_end, east_end, north_end = area
        found = []
        for first, scale in self._grids:
            rows = range(floor(south_end * scale) * _ROW_STEP, floor(north_end * scale) * _ROW_STEP + 1, _ROW_STEP)
            for column in range(floor(west_end * scale), floor(east_end * scale) + 1):
                cell = column * _COLUMN_STEP + first
                for row in rows:
                    bucket = (cell + row) & mask
                    place, end = starts[bucket], starts[bucket + 1]
                    while place < end:
                        box = noted[place]
                        place += 1
                        if (
                            west[box] <= east_end
                            and east[box] >= west_end
                            and south[box] <= north_end
                            and north[box] >= south_end
                        ):
                            found.append(self._one_owner[box])
        return found

    def _in_many(self, ranges: "list[_Range]") -> Numbers:
        """Return the boxes recorded in many cells."""
        buckets = np.concatenate([_buckets(*each, self._mask) for each in ranges])
        begin = self._starts[buckets]
        return self._noted[_spans(begin, self._starts[buckets + 1] - begin)].astype(np.int64)


type _Range = tuple[int, range, range]
"""Number of a grid's cell at 0°, 0°, and the columns and rows of some of its cells."""


def cell_ranges(area: Bounds, scale: float) -> tuple[range, range]:
    """Return the columns and rows of the cells that an area touches; `scale` is in cells per degree."""
    return (
        range(floor(area.west * scale), floor(area.east * scale) + 1),
        range(floor(area.south * scale), floor(area.north * scale) + 1),
    )


def _turned(boxes: Boxes) -> tuple[NDArray[np.int32], Boxes]:
    """Return the numbers of the boxes, and the boxes with the margin added, in every turn of the earth they are in."""
    west, south, east, north = boxes
    owners, parts = [], []
    for turn in (0.0, 360.0, -360.0):
        here = np.flatnonzero((west + turn <= 180) & (east + turn >= -180))
        owners.append(here.astype(np.int32))
        parts.append((west[here] + turn, south[here], east[here] + turn, north[here]))
    sides = (np.concatenate(side) for side in zip(*parts, strict=True))
    west, south, east, north = sides
    margin = BOUNDS_MARGIN
    return np.concatenate(owners), Boxes(west - margin, south - margin, east + margin, north + margin)


def _levels(boxes: Boxes) -> Numbers:
    """Return for each box the finest grid whose cells are at least as large."""
    sizes = np.maximum(boxes.east - boxes.west, boxes.north - boxes.south)
    return np.clip(np.floor(np.log2(360 / sizes)), 0, FINEST).astype(np.int64)


def _cells(boxes: Boxes, levels: Numbers) -> tuple[Numbers, Numbers]:
    """Return all pairs of a box and a cell that it touches."""
    scale = np.exp2(levels) / 360
    west, south, east, north = (np.floor(side * scale).astype(np.int64) for side in boxes)
    heights = north - south + 1
    counts = (east - west + 1) * heights
    box_of = np.repeat(np.arange(len(levels)), counts)
    within = _spans(np.zeros_like(counts), counts)
    columns, rows = np.divmod(within, heights[box_of])
    cells = (west[box_of] + columns) * _COLUMN_STEP + (south[box_of] + rows) * _ROW_STEP
    return box_of, cells + levels[box_of] * _LEVEL_STEP


def _buckets(first: int, columns: range, rows: range, mask: int) -> Numbers:
    across = np.arange(columns.start, columns.stop) * _COLUMN_STEP
    up = np.arange(rows.start, rows.stop) * _ROW_STEP
    cells: Numbers = ((across[:, None] + up[None, :] + first) & mask).ravel()
    return cells


def _spans(begins: NDArray[np.integer], counts: NDArray[np.integer]) -> Numbers:
    """Return begin, begin + 1, ... for each of `counts`, concatenated."""
    ends = np.cumsum(counts)
    spans: Numbers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins - (ends - counts), counts)
    return spans
