"""Matrices in which one bad pair never fails the rest, and which agree with single routes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from engine.domain.geometry import Point
from engine.domain.routing import Matrix, RouteOptions, Travel
from engine.geo.earth import metres_between
from engine.routing.answering import read_matrix
from engine.routing.asking import costings_of, matrix_request
from engine.routing.service import NO_PATH, Action, Deadline, Refused, Service

type Table = tuple[tuple[Travel | None, ...], ...]
type Cell = tuple[int, int]
"""Row and column of a cell."""

type Patch = tuple[Sequence[int], Sequence[int], Matrix]
"""Indexes of rows and columns, and the matrix of these alone."""

type Part = dict[str, Any]

MAX_SINGLE: Final = 250
"""Number of routes up to which all cells are searched as single routes, which then takes less than a second."""

_MAX_CHECKED: Final = 150
"""Number of cells of a larger matrix that are searched as single routes because two algorithms differ."""

_SAME: Final = 0.01
"""Share by which durations of the same route may differ."""

_SHORT_M: Final = 500


class MatrixMaker:
    """Requests the cells of one matrix."""

    def __init__(self, service: Service, deadline: Deadline, timed: Part) -> None:
        self._service = service
        self._deadline = deadline
        self._timed = timed

    def make(
        self,
        origins: Sequence[Point],
        destinations: Sequence[Point],
        options: RouteOptions,
        check_roads: Callable[[], None],
    ) -> Table:
        """Return a matrix. Its routes avoid the given features, strictly if such a route exists.

        `check_roads` is called if a position is unreachable, and raises if it has no road at all.
        """
        table: Table | None = None
        for costing in costings_of(options):
            found = self._cells(origins, destinations, costing)
            table = found if table is None else _filled(table, found)
            if _is_full(table):
                return table
        assert table is not None
        check_roads()
        return table

    def _cells(self, origins: Sequence[Point], destinations: Sequence[Point], costing: Part) -> Table:
        """Return the available cells. If the whole request is refused, it is split in halves, down to single pairs."""
        request = {**matrix_request(origins, destinations, costing), **self._timed}
        read = partial(read_matrix, rows=len(origins), columns=len(destinations))
        try:
            return self._service.ask(Action.MATRIX, request, self._deadline, read)
        except Refused as refused:
            if refused.code not in NO_PATH:
                raise
        if len(origins) > 1:
            half = len(origins) // 2
            return tuple(
                row for part in (origins[:half], origins[half:]) for row in self._cells(part, destinations, costing)
            )
        if len(destinations) > 1:
            half = len(destinations) // 2
            left, right = (self._cells(origins, part, costing) for part in (destinations[:half], destinations[half:]))
            return ((*left[0], *right[0]),)
        return ((None,),)


def patched(origins: Sequence[Point], destinations: Sequence[Point], patches: Iterable[Patch]) -> Matrix:
    """Return a matrix assembled from those of some of its rows and columns."""
    table: list[list[Travel | None]] = [[None] * len(destinations) for _ in origins]
    starts, ends = list(origins), list(destinations)
    for rows, columns, part in patches:
        for row, start, cells in zip(rows, part.origins, part.rows, strict=True):
            starts[row] = start
            for column, end, cell in zip(columns, part.destinations, cells, strict=True):
                ends[column] = end
                table[row][column] = table[row][column] or cell
    return Matrix(tuple(tuple(row) for row in table), tuple(starts), tuple(ends))


def doubtful_cells(table: Table, origins: Sequence[Point], destinations: Sequence[Point]) -> list[Cell]:
    """Return the cells of a matrix that should be verified as single routes: all of a small one.

    In a larger one, these are cells that are short, or shorter than the straight line. If both ends are near the same
    road, Valhalla's matrix may connect them although no route does.
    """
    found = {
        (row, column): cell.distance_m
        for row, cells in enumerate(table)
        for column, cell in enumerate(cells)
        if cell is not None and origins[row] != destinations[column]
    }
    if len(found) <= MAX_SINGLE:
        return list(found)
    return [
        (row, column)
        for (row, column), metres in found.items()
        if metres < max(_SHORT_M, metres_between(origins[row], destinations[column]))
    ]


def differing_cells(table: Table, second: Table) -> list[Cell]:
    """Return the cells in which two algorithms differ, those that have two durations first.

    Valhalla minimizes a cost that includes more than time, and its matrices stop before all routes are known. So a cell
    may be a route of nearly the same cost whose time differs by a fifth.
    """
    apart: list[Cell] = []
    missing: list[Cell] = []
    for row, (cells, others) in enumerate(zip(table, second, strict=True)):
        for column, (cell, other) in enumerate(zip(cells, others, strict=True)):
            if cell is None:
                continue
            if other is None:
                missing.append((row, column))
            elif abs(cell.duration_s - other.duration_s) > _SAME * max(cell.duration_s, other.duration_s, 60.0):
                apart.append((row, column))
    return [*apart, *missing][:_MAX_CHECKED]


def with_cells(table: Table, cells: Mapping[Cell, Travel | None]) -> Table:
    """Return a matrix with some cells replaced."""
    return tuple(
        tuple(cells.get((row, column), cell) for column, cell in enumerate(cells_of_row))
        for row, cells_of_row in enumerate(table)
    )


def _is_full(table: Table) -> bool:
    return None not in chain.from_iterable(table)


def _filled(table: Table, other: Table) -> Table:
    """Return a table with its empty cells filled from another."""
    return tuple(
        tuple(value if value is not None else fallback for value, fallback in zip(*rows, strict=True))
        for rows in zip(table, other, strict=True)
    )
