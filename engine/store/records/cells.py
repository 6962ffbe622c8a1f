"""Cells of the earth's surface, by which users near a position are found without reading all of them.

A cell has half a hundredth of a degree on each side. Its number grows eastwards along a row, then row by row to the
north, so that what lies next to each other in a row is one range of numbers.
"""

from collections.abc import Iterator
from math import floor
from typing import Final

from engine.domain.geometry import Point

_PER_DEGREE: Final = 200
_ROW: Final = 360 * _PER_DEGREE + 1
"""How far the numbers of a row and the next are apart: the last column holds the antimeridian itself."""
_LAST_ROW: Final = 180 * _PER_DEGREE


def cell_of(point: Point) -> int:
    """Return the number of the cell that a point lies in."""
    row, column = floor((point.latitude + 90) * _PER_DEGREE), floor((point.longitude + 180) * _PER_DEGREE)
    if 0 <= row <= _LAST_ROW and 0 <= column < _ROW:
        return row * _ROW + column
    return _row(point.latitude) * _ROW + _column(point.longitude)


def cell_rows(box: tuple[float, float, float, float]) -> int:
    """Return how many ranges `cell_ranges` yields for a box."""
    _, south, _, north = box
    return _row(north) - _row(south) + 1


def cell_ranges(box: tuple[float, float, float, float]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last number of the cells of each row in a box: west, south, east, north in degrees."""
    west, south, east, north = box
    first, last = _column(west), _column(east)
    for row in range(_row(south), _row(north) + 1):
        yield row * _ROW + first, row * _ROW + last


def _row(latitude: float) -> int:
    return min(max(floor((latitude + 90) * _PER_DEGREE), 0), _LAST_ROW)


def _column(longitude: float) -> int:
    return min(max(floor((longitude + 180) * _PER_DEGREE), 0), _ROW - 1)
