"""Storage of moments, boxes and positions: milliseconds since 1970, degrees, and cells of the earth's surface.

Users near a position are found by cells without reading all users. A cell is 0.005 degrees wide and high. Cell numbers
increase eastwards along a row, then northwards from row to row, so that adjacent cells of a row form one range.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from math import cos, floor, radians
from typing import Final

from engine.domain.geometry import Circle, Geometry, Point

_METRES_PER_DEGREE = 110_000.0
"""Slightly less than the real value, so that boxes become larger."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_PER_DEGREE: Final = 200
_ROW: Final = 360 * _PER_DEGREE + 1
"""Difference between the numbers of a cell and the one north of it. The last column contains the antimeridian."""

_LAST_ROW: Final = 180 * _PER_DEGREE


def box_of(geometry: Geometry) -> tuple[float, float, float, float]:
    """Return a box that contains a geometry. It spans all longitudes if it may reach a pole or the antimeridian."""
    if isinstance(geometry, Circle):
        center, reach_m = geometry.center, geometry.radius_m
        return box_of_reach(center, reach_m)
    longitudes, latitudes = zip(*(position for part in geometry.parts for position in part.ring), strict=True)
    west, east = min(longitudes), max(longitudes)
    if east - west > 180:
        west, east = -180.0, 180.0
    return west, min(latitudes), east, max(latitudes)


def box_of_reach(center: Point, reach_m: float) -> tuple[float, float, float, float]:
    """Return a box that contains everything within a distance of a point."""
    height = reach_m / _METRES_PER_DEGREE
    south, north = center.latitude - height, center.latitude + height
    if max(abs(south), abs(north)) > 89:
        return -180.0, south, 180.0, north
    width = height / cos(radians(max(abs(south), abs(north))))
    west, east = center.longitude - width, center.longitude + width
    if west < -180 or east > 180:
        return -180.0, south, 180.0, north
    return west, south, east, north


def to_ms(moment: datetime) -> int:
    """Return a moment as milliseconds since 1970."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    """Return the moment, in UTC, of milliseconds since 1970."""
    return _EPOCH + milliseconds * _MILLISECOND


def cell_of(point: Point) -> int:
    """Return the number of the cell that contains a point."""
    row, column = floor((point.latitude + 90) * _PER_DEGREE), floor((point.longitude + 180) * _PER_DEGREE)
    if 0 <= row <= _LAST_ROW and 0 <= column < _ROW:
        return row * _ROW + column
    return _row(point.latitude) * _ROW + _column(point.longitude)


def cell_rows(box: tuple[float, float, float, float]) -> int:
    """Return the number of ranges that `cell_ranges` yields for a box."""
    _, south, _, north = box
    return _row(north) - _row(south) + 1


def cell_ranges(box: tuple[float, float, float, float]) -> Iterator[tuple[int, int]]:
    """Yield the first and last cell number of each row in a box, west, south, east, north in degrees."""
    west, south, east, north = box
    first, last = _column(west), _column(east)
    for row in range(_row(south), _row(north) + 1):
        yield row * _ROW + first, row * _ROW + last


def _row(latitude: float) -> int:
    return min(max(floor((latitude + 90) * _PER_DEGREE), 0), _LAST_ROW)


def _column(longitude: float) -> int:
    return min(max(floor((longitude + 180) * _PER_DEGREE), 0), _ROW - 1)
