"""Bounding boxes in degrees, of one or many shapes.

A box that crosses the antimeridian extends beyond ±180 on one side.
"""

from math import cos, radians
from typing import NamedTuple

import numpy as np

from engine.domain.geometry import Polygon, Ring
from engine.geo.earth import MEAN_RADIUS_M, Counts, Floats, metres_per_degree
from engine.geo.rings import unwrap

BOUNDS_MARGIN = 1e-10
"""Degrees by which boxes are enlarged so that rounding never excludes a position on the boundary: 10 micrometres."""

_SLACK = 1.01
_SLACK_DEGREES = 1e-9

_DEGREE_EAST_M, _DEGREE_NORTH_M = metres_per_degree(0.0)
"""Metres per degree at the equator, used as lower bounds.

A degree of latitude is shortest there. A degree of longitude is never shorter than this times the cosine of the
latitude.
"""

_LONGEST_DEGREE_M = 111_700.0
_FLATTENING_SLACK = 0.99
"""Lower bound of the ratio of distances on the ellipsoid to distances on the sphere."""

_POLAR_LATITUDE = 89.9

_ONE_TURN = (0.0,)
_TURNS = (0.0, 360.0, -360.0)


class Bounds(NamedTuple):
    """A box in degrees."""

    west: float
    south: float
    east: float
    north: float


class Boxes(NamedTuple):
    """Many boxes as arrays of equal length."""

    west: Floats
    south: Floats
    east: Floats
    north: Floats


NO_BOXES = Boxes(*(np.empty(0) for _ in Boxes._fields))


def around(boxes: Boxes) -> Bounds | None:
    """Return the box around boxes, each shifted by full turns to be near the first, or None if there are none."""
    west, south, east, north = boxes
    if not len(west):
        return None
    turn = 360 * np.round((west[0] - west) / 360)
    return Bounds(float((west + turn).min()), float(south.min()), float((east + turn).max()), float(north.max()))


def turns(bounds: Bounds) -> list[Bounds]:
    """Return a box, enlarged by the margin, in each turn of the earth in which it has a longitude within ±180."""
    west, south, east, north = bounds
    margin = BOUNDS_MARGIN
    return [
        Bounds(west + turn - margin, south - margin, east + turn + margin, north + margin)
        for turn in (_ONE_TURN if west > -180 and east < 180 else _TURNS)
        if west + turn <= 180 and east + turn >= -180
    ]


def touch(box: Bounds, area: Bounds) -> bool:
    """Return whether two boxes have a position in common."""
    return box.west <= area.east and box.east >= area.west and box.south <= area.north and box.north >= area.south


def box_around(longitude: float, latitude: float, radius_m: float) -> Bounds:
    """Return a box that contains every position within `radius_m`, with a margin of one per cent."""
    height = _SLACK * radius_m / _DEGREE_NORTH_M + _SLACK_DEGREES
    south, north = latitude - height, latitude + height
    if south <= -_POLAR_LATITUDE or north >= _POLAR_LATITUDE:
        return Bounds(longitude - 180, max(south, -90.0), longitude + 180, min(north, 90.0))
    east_m = _DEGREE_EAST_M * cos(radians(max(-south, north)))
    width = min(_SLACK * radius_m / east_m + _SLACK_DEGREES, 180.0)
    return Bounds(longitude - width, south, longitude + width, north)


def boxes_around(longitudes: Floats, latitudes: Floats, radii_m: Floats) -> Boxes:
    """Return the boxes that `box_around` returns, for many circles at once."""
    heights = _SLACK * radii_m / _DEGREE_NORTH_M + _SLACK_DEGREES
    south, north = latitudes - heights, latitudes + heights
    farthest = np.maximum(-south, north)
    polar = farthest >= _POLAR_LATITUDE
    east_m = _DEGREE_EAST_M * np.cos(np.radians(np.where(polar, 0.0, farthest)))
    widths = np.where(polar, 180.0, np.minimum(_SLACK * radii_m / east_m + _SLACK_DEGREES, 180.0))
    return Boxes(longitudes - widths, np.maximum(south, -90.0), longitudes + widths, np.minimum(north, 90.0))


def bounds_of_ring(ring: Ring) -> Bounds:
    """Return the bounding box of a ring."""
    longitudes, latitudes = zip(*ring, strict=True)
    west, east = min(longitudes), max(longitudes)
    if east - west > 180:
        # It may cross the antimeridian. In a narrower ring, no edge can take the longer way around.
        unwrapped = [longitude for longitude, _ in unwrap(ring)]
        west, east = min(unwrapped), max(unwrapped)
    return Bounds(west, min(latitudes), east, max(latitudes))


def bounds_of_polygon(polygon: Polygon) -> Bounds:
    """Return the bounding box of a polygon, whose other parts are shifted by full turns as in `turns_to_first`."""
    if not polygon.others:
        return bounds_of_ring(polygon.ring)
    boxes = Boxes(*np.array([bounds_of_ring(part.ring) for part in polygon.parts]).T)
    return Bounds(*(float(side[0]) for side in around_each(boxes, np.array([len(polygon.parts)]))))


def around_each(boxes: Boxes, counts: Counts) -> Boxes:
    """Return the boxes that `bounds_of_polygon` returns, for the concatenated boxes of many polygons' parts.

    `counts` contains the number of parts of each polygon.
    """
    starts = np.cumsum(counts) - counts
    west, east = np.minimum.reduceat(boxes.west, starts), np.maximum.reduceat(boxes.east, starts)
    # Parts that are already within half a turn cannot be nearer together.
    for wide in np.flatnonzero(east - west > 180).tolist():
        parts = slice(starts[wide], starts[wide] + counts[wide])
        turn = 360 * turns_to_first(boxes.west[parts], boxes.east[parts])
        west[wide], east[wide] = (boxes.west[parts] + turn).min(), (boxes.east[parts] + turn).max()
    south, north = np.minimum.reduceat(boxes.south, starts), np.maximum.reduceat(boxes.north, starts)
    return Boxes(west, south, east, north)


def turns_to_first(west: Floats, east: Floats) -> Floats:
    """Return the full turns by which boxes are shifted so that they are together as narrow as possible.

    The first box keeps its place.
    """
    turn = -np.floor(west / 360)
    order = np.argsort(west + 360 * turn, kind="stable")
    starts, ends = (side[order] + 360 * turn[order] for side in (west, east))
    # How far the boxes before reach, which include those that cross the meridian where the order begins.
    reached = np.maximum(np.maximum.accumulate(ends), ends.max() - 360)
    gaps = np.append(starts[1:], starts[0] + 360) - reached
    turn[order[: int(np.argmax(gaps)) + 1]] += 1
    return np.asarray(turn - turn[0])


def bounds_of_rings(positions: Floats, counts: Counts) -> Boxes:
    """Return the boxes that `bounds_of_ring` returns, for many concatenated rings.

    `positions` has the shape (n, 2), and `counts` contains the number of positions of each ring.
    """
    ends = np.cumsum(counts)
    starts = ends - counts
    longitudes, latitudes = positions[:, 0], positions[:, 1]
    west, east = np.minimum.reduceat(longitudes, starts), np.maximum.reduceat(longitudes, starts)
    for ring in np.flatnonzero(east - west > 180):
        wide = positions[starts[ring] : ends[ring]].tolist()
        west[ring], _, east[ring], _ = bounds_of_ring(tuple((longitude, latitude) for longitude, latitude in wide))
    return Boxes(west, np.minimum.reduceat(latitudes, starts), east, np.maximum.reduceat(latitudes, starts))


def distances_at_least_m(boxes: Boxes, longitude: float, latitude: float) -> Floats:
    """Return a lower bound of the distance in metres from a position to any point of each box."""
    west, south, east, north = boxes
    middle, across, up = (west + east) / 2, (east - west) / 2, (north - south) / 2
    # The farthest point from the centre is no farther than the way along a meridian and then along its parallel.
    widest = np.where((south <= 0) & (north >= 0), 0.0, np.minimum(np.abs(south), np.abs(north)))
    reach = (up + across * np.cos(np.radians(widest))) * _LONGEST_DEGREE_M
    return np.maximum(0.0, _FLATTENING_SLACK * _sphere_m(middle, south + up, longitude, latitude) - reach)


def _sphere_m(longitudes: Floats, latitudes: Floats, longitude: float, latitude: float) -> Floats:
    phi, to_phi = radians(latitude), np.radians(latitudes)
    half_lam = np.radians(longitudes - longitude) / 2
    h = np.sin((to_phi - phi) / 2) ** 2 + cos(phi) * np.cos(to_phi) * np.sin(half_lam) ** 2
    return np.asarray(2 * MEAN_RADIUS_M * np.arcsin(np.sqrt(np.clip(h, 0, 1))))
