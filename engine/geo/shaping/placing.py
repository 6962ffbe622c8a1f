"""Positioning geofences: aligning one with another, and filling a polygon with many."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import ceil, cos, pi, radians, sin, sqrt

import numpy as np
import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Circle, Geometry, Isochrone, Point, Position, Ring, check_radius
from engine.domain.values import replace
from engine.domain.words import count
from engine.geo.earth import around, destinations
from engine.geo.parts import check_polygon
from engine.geo.rings import check_ring, unwrap
from engine.geo.shaping.planes import Plane
from engine.geo.shaping.sheets import center_of, sheet_of, within

MAX_CELLS = 1_000
MIN_CELL_M = 5.0
_ROUNDS = 4
_NEAR_ENOUGH = 1e-8


class Side(Enum):
    """The edges or centres by which geofences are aligned."""

    WEST = "west edges"
    CENTER_LONGITUDE = "centres, north to south"
    EAST = "east edges"
    NORTH = "north edges"
    CENTER_LATITUDE = "centres, west to east"
    SOUTH = "south edges"


class Cell(Enum):
    """The shape of a grid's cells."""

    CIRCLE = "circles"
    HEXAGON = "hexagons"


def moved(geometry: Geometry, longitude: float, latitude: float) -> Geometry:
    """Return a geometry moved by degrees that keeps its size on the ground."""
    (sheet,) = sheet_of((geometry,))
    middle = geometry.center if isinstance(geometry, Circle) else center_of(sheet)
    to = Point(*within(middle.longitude + longitude, middle.latitude + latitude))
    if isinstance(geometry, Circle):
        return replace(geometry, center=to)

    def shifted(ring: Ring) -> list[Position]:
        corners = np.asarray(unwrap(ring))
        east, north = around(middle.longitude, middle.latitude, corners[:, 0], corners[:, 1])
        longitudes, latitudes = destinations(
            to.longitude, to.latitude, np.degrees(np.arctan2(east, north)), np.hypot(east, north)
        )
        return [within(*position) for position in zip(longitudes.tolist(), latitudes.tolist(), strict=True)]

    return check_polygon([[shifted(ring) for ring in (part.ring, *part.holes)] for part in geometry.parts])


def aligned(geometry: Geometry, reference: Geometry, side: Side) -> Geometry:
    """Return a geometry moved into line with another; raises `InvalidParameter` for an isochrone."""
    if isinstance(geometry, Isochrone):
        raise InvalidParameter("coordinates", "coordinates: an isochrone is where it is because of its destination.")
    for _ in range(_ROUNDS):
        there, here = sheet_of((reference, geometry))
        by = _of(there.bounds, side) - _of(here.bounds, side)
        if abs(by) < _NEAR_ENOUGH:
            break
        sideways = side in (Side.WEST, Side.CENTER_LONGITUDE, Side.EAST)
        geometry = moved(geometry, by if sideways else 0.0, 0.0 if sideways else by)
    return geometry


def _of(bounds: tuple[float, float, float, float], side: Side) -> float:
    west, south, east, north = bounds
    return {
        Side.WEST: west,
        Side.CENTER_LONGITUDE: (west + east) / 2,
        Side.EAST: east,
        Side.NORTH: north,
        Side.CENTER_LATITUDE: (south + north) / 2,
        Side.SOUTH: south,
    }[side]


def grid_over(geometry: Geometry, cell: Cell, radius_m: float) -> tuple[Geometry, ...]:
    """Return the circles or hexagons that touch a geometry and together cover it, starting in the south-west.

    Raises `InvalidParameter` for ``radius_m`` if there are more than `MAX_CELLS`.
    """
    if cell is Cell.CIRCLE:
        check_radius(radius_m)
    elif not radius_m >= MIN_CELL_M:
        raise InvalidParameter("radius_m", f"radius_m: must be at least {MIN_CELL_M:g} metres, not {radius_m:.12g}.")
    (sheet,) = sheet_of((geometry,))
    plane = Plane(center_of(sheet))
    flat = plane.flat(sheet)
    _check_count(flat, radius_m)
    shapely.prepare(flat)
    hexagons = [each for each in _lattice(flat.bounds, radius_m) if flat.intersects(each)]
    if len(hexagons) > MAX_CELLS:
        raise _too_many(len(hexagons))
    return tuple(_cell(plane, each, cell, radius_m) for each in hexagons)


def _cell(plane: Plane, hexagon: shapely.Polygon, cell: Cell, radius_m: float) -> Geometry:
    ring = shapely.get_coordinates(plane.round(hexagon))
    if cell is Cell.HEXAGON:
        return check_ring([within(*position) for position in ring.tolist()])
    middle = hexagon.centroid
    away = np.hypot(middle.x, middle.y)
    longitudes, latitudes = destinations(
        plane.center.longitude, plane.center.latitude, np.degrees(np.arctan2([middle.x], [middle.y])), float(away)
    )
    return Circle(Point(*within(float(longitudes[0]), float(latitudes[0]))), radius_m)


def _lattice(bounds: tuple[float, float, float, float], radius: float) -> Iterator[shapely.Polygon]:
    """Yield the hexagons of a honeycomb over a box, with a vertex at the top."""
    west, south, east, north = bounds
    width, height = sqrt(3) * radius, 1.5 * radius
    columns, rows = ceil((east - west) / width) + 1, ceil((north - south) / height) + 1
    left = (west + east) / 2 - width * (columns - 1) / 2
    low = (south + north) / 2 - height * (rows - 1) / 2
    for row in range(rows):
        for column in range(-1, columns + 1):
            yield _hexagon(left + width * (column + row % 2 / 2), low + height * row, radius)


def _hexagon(x: float, y: float, radius: float) -> shapely.Polygon:
    angles = [radians(30 + 60 * corner) for corner in range(6)]
    return shapely.Polygon([(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles])


def _check_count(flat: shapely.Polygon, radius_m: float) -> None:
    """Reject a grid that must have too many cells before creating any."""
    west, south, east, north = flat.bounds
    of_one = 1.5 * sqrt(3) * radius_m**2
    least = flat.area / of_one
    boxes = (east - west + 4 * radius_m) * (north - south + 4 * radius_m) / of_one
    if least > MAX_CELLS or boxes > 40 * MAX_CELLS:
        raise _too_many(least)


def _too_many(cells: float) -> InvalidParameter:
    many, most = count(round(cells), "geofence"), f"at most {MAX_CELLS:,} are allowed"
    return InvalidParameter("radius_m", f"radius_m: this would be {many}; {most}. Choose a larger size.")


def size_for(geometry: Geometry, cells: int) -> float:
    """Return the approximate minimum radius for a grid over a geometry with at most `cells` cells."""
    (sheet,) = sheet_of((geometry,))
    area = float(Plane(center_of(sheet)).flat(sheet).area)
    return sqrt(area / (cells * pi))
