"""Measuring rings whose edges are straight in longitude and latitude.

Near a position, a degree has a fixed size in metres, and scaling the axes by it keeps straight edges straight.
Therefore planar geometry determines which point of the boundary is nearest. This is not true far away or near a pole,
where the edges are searched along the ellipsoid. The distance to the nearest point is always geodesic.

Rings are closed arrays of shape (n, 2), longitude then latitude, with continuous longitudes.
"""

from collections.abc import Sequence
from math import atan2, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from engine.geo.earth import MEAN_RADIUS_M, Counts, Floats, around, distance_m, distances_m, metres_per_degree

type Edges = tuple[Floats, Floats]
"""Starts and extents of edges, each of shape (n, 2), in degrees."""

type FewEdges = list[tuple[float, float, float, float]]
"""Starts and extents of edges as numbers, which take less time than arrays if there are at most `FEW`."""

FEW = 24

PLANE_M = 5_000.0
PLANE_LATITUDE = 85.0
"""Distance and latitude up to which planar geometry determines the nearest point of a boundary."""

_DEGREE_M = 111_700.0
_SHARE_DIGITS = 12
_MOST_PIECES = 720
_POLAR_CUTS = 3
_COARSE_STEPS = 9
_FIRST_STEPS = 5
_ZOOM_STEPS = 33
_ZOOM_ROUNDS = 6


def edges_of(ring: Floats) -> Edges:
    """Return the ring's edges without those of zero length."""
    extents = np.diff(ring, axis=0)
    kept = np.any(extents != 0, axis=1)
    return ring[:-1][kept], extents[kept]


def boundary_distance_m(edges: Edges, longitude: float, latitude: float, few: FewEdges | None = None) -> float:
    """Return the distance in metres to the nearest edge. `few` are the same edges as numbers if there are not many."""
    if abs(latitude) < PLANE_LATITUDE:
        if few is not None:
            near = _nearest_of_few(few, longitude, latitude)
            return _searched(_candidates(edges, longitude, latitude), longitude, latitude) if near is None else near
        along, planar = _nearest_in_plane(edges, longitude, latitude)
        nearest = planar.min()
        if nearest <= PLANE_M:
            close = planar <= nearest * 1.01 + 0.001
            points = edges[0][close] + along[close, None] * edges[1][close]
            return float(distances_m(longitude, latitude, points[:, 0], points[:, 1]).min())
    return _searched(_candidates(edges, longitude, latitude), longitude, latitude)


def few_edges(edges: Edges) -> FewEdges | None:
    """Return edges as numbers, or None if there are too many for it to save time."""
    if len(edges[0]) > FEW:
        return None
    return [(x, y, along_x, along_y) for (x, y), (along_x, along_y) in zip(*map(_listed, edges), strict=True)]


def _listed(positions: Floats) -> list[list[float]]:
    listed: list[list[float]] = positions.tolist()
    return listed


def _nearest_of_few(edges: FewEdges, longitude: float, latitude: float) -> float | None:
    """Return the distance to the nearest of a few edges, or None if planar geometry cannot find it."""
    scale_x, scale_y = metres_per_degree(latitude)
    found = []
    nearest = PLANE_M * PLANE_M
    for x, y, along_x, along_y in edges:
        start_x, start_y = (x - longitude) * scale_x, (y - latitude) * scale_y
        extent_x, extent_y = along_x * scale_x, along_y * scale_y
        part = -(start_x * extent_x + start_y * extent_y) / (extent_x * extent_x + extent_y * extent_y)
        # Comparisons take half as long as min() and max().
        if part <= 0.0:
            part = 0.0
        elif part >= 1.0:
            part = 1.0
        away_x, away_y = start_x + part * extent_x, start_y + part * extent_y
        square = away_x * away_x + away_y * away_y
        if square <= nearest:
            nearest = square
        found.append((square, x + part * along_x, y + part * along_y))
    if nearest == PLANE_M * PLANE_M:
        return None
    close = (sqrt(nearest) * 1.01 + 0.001) ** 2
    return min(distance_m(longitude, latitude, x, y) for square, x, y in found if square <= close)


def _nearest_in_plane(edges: Edges, longitude: float, latitude: float) -> tuple[Floats, Floats]:
    """Return the nearest point on each edge (0 to 1) and its distance in metres."""
    scale = np.array(metres_per_degree(latitude))
    starts = (edges[0] - (longitude, latitude)) * scale
    extents = edges[1] * scale
    along = np.clip(-np.sum(starts * extents, axis=1) / np.sum(extents * extents, axis=1), 0.0, 1.0)
    nearest = starts + along[:, None] * extents
    return along, np.hypot(nearest[:, 0], nearest[:, 1])


def _candidates(edges: Edges, longitude: float, latitude: float) -> Edges:
    """Return the edges that could contain the nearest point.

    An edge is left out if its closest sample, less half the distance to the next one, is farther than the best sample.
    The margin is larger than the flattening of the earth.
    """
    steps = np.linspace(0, 1, _COARSE_STEPS)
    samples = _sphere_distances_m(_points_along(edges, steps), longitude, latitude).min(axis=1)
    slack = np.hypot(edges[1][:, 0], edges[1][:, 1]) * _DEGREE_M / (2 * (_COARSE_STEPS - 1))
    kept = samples * 0.99 - slack <= samples.min() * 1.01
    return edges[0][kept], edges[1][kept]


def _points_along(edges: Edges, steps: Floats) -> Floats:
    """Return positions of shape (edges, steps, 2). `steps` may differ for each edge."""
    starts, extents = edges
    return starts[:, None, :] + np.atleast_2d(steps)[:, :, None] * extents[:, None, :]


def _sphere_distances_m(points: Floats, longitude: float, latitude: float) -> Floats:
    phi, to_phi = np.radians(latitude), np.radians(points[..., 1])
    half_lam = np.radians(points[..., 0] - longitude) / 2
    h = np.sin((to_phi - phi) / 2) ** 2 + np.cos(phi) * np.cos(to_phi) * np.sin(half_lam) ** 2
    return np.asarray(2 * MEAN_RADIUS_M * np.arcsin(np.sqrt(np.clip(h, 0, 1))))


def _searched(edges: Edges, longitude: float, latitude: float) -> float:
    """Return the geodesic distance to the nearest edge by sampling each ever more finely around its best point.

    An edge is dropped as soon as no point between two of its samples can be nearer than the best.
    """
    starts, extents = edges
    low, high = np.zeros(len(starts)), np.ones(len(starts))
    lengths_m = np.hypot(extents[:, 0], extents[:, 1]) * _DEGREE_M
    best = np.inf
    for count in (_FIRST_STEPS, *(_ZOOM_STEPS,) * _ZOOM_ROUNDS):
        steps = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, count)
        points = _points_along((starts, extents), steps).reshape(-1, 2)
        distances = distances_m(longitude, latitude, points[:, 0], points[:, 1]).reshape(len(starts), count)
        nearest_m = distances.min(axis=1)
        best = min(best, float(nearest_m.min()))
        kept = nearest_m - lengths_m * (high - low) / (count - 1) / 2 <= best
        nearest, rows = np.argmin(distances, axis=1), np.arange(len(starts))
        low = steps[rows, np.maximum(nearest - 1, 0)][kept]
        high = steps[rows, np.minimum(nearest + 1, count - 1)][kept]
        starts, extents, lengths_m = starts[kept], extents[kept], lengths_m[kept]
    return best


def line_through(rings: Sequence[Floats]) -> Floats:
    """Return a closed line through all rings, which passes between two rings once in either direction."""
    if len(rings) == 1:
        return rings[0]
    back = [ring[:1] for ring in reversed(rings[:-1])]
    return np.concatenate([*rings, *back])


def few_vertices(line: Floats) -> list[list[float]] | None:
    """Return the vertices of a line as numbers, or None if there are too many for it to save time."""
    return _listed(line) if len(line) <= FEW else None


def share_inside(
    rings: Sequence[Floats],
    line: Floats,
    longitude: float,
    latitude: float,
    radius_m: float,
    few: Sequence[Sequence[float]] | None = None,
) -> float:
    """Return the share of the circle around a position that lies inside the rings.

    If there are several, holes have the opposite direction of outer rings; `line` passes through all of them. `few` are
    its vertices as numbers if there are not many.
    """
    if radius_m <= PLANE_M and abs(latitude) < PLANE_LATITUDE and few is not None:
        area = _area_of_few(few, longitude, latitude, radius_m)
    elif radius_m <= PLANE_M and abs(latitude) < PLANE_LATITUDE:
        scale: Floats = np.array(metres_per_degree(latitude))
        area = _area_in_circle((line - (longitude, latitude)) * scale, radius_m)
    else:
        area = sum(_area_in_circle(_projected(ring, longitude, latitude, radius_m), radius_m) for ring in rings)
    share = min(1.0, abs(area) / (pi * radius_m**2))
    # The ways between rings cancel each other out but for rounding, and a share may be compared with 0 or 1.
    return share if len(rings) == 1 else round(share, _SHARE_DIGITS)


def _projected(ring: Floats, longitude: float, latitude: float, radius_m: float) -> Floats:
    """Return the ring projected by `around`, with edges cut into pieces that remain straight, shorter ones nearby.

    A parallel near a pole is an arc. Near the circle, the pieces of a long edge are therefore cut again.
    """
    dense, reach_m = ring, np.inf
    for _ in range(_POLAR_CUTS if abs(latitude) >= PLANE_LATITUDE else 1):
        starts, extents = edges_of(dense)
        lengths_m = _lengths_m(starts, extents)
        if reach_m < np.inf:
            away_m = distances_m(longitude, latitude, dense[:, 0], dense[:, 1])
            lengths_m = np.where(np.minimum(away_m[:-1], away_m[1:]) - lengths_m / 2 <= reach_m, lengths_m, 0.0)
        pieces = np.clip(np.ceil(lengths_m / (radius_m / 20)), 1, _MOST_PIECES).astype(int)
        dense, reach_m = _cut(starts, extents, pieces), radius_m
        if pieces.max() < _MOST_PIECES:
            break
    return np.column_stack(around(longitude, latitude, dense[:, 0], dense[:, 1]))


def _lengths_m(starts: Floats, extents: Floats) -> Floats:
    """Return upper bounds of the lengths of edges in metres."""
    nearest = np.minimum(np.abs(starts[:, 1]), np.abs(starts[:, 1] + extents[:, 1]))
    equator = starts[:, 1] * (starts[:, 1] + extents[:, 1]) < 0
    narrow = np.where(equator, 1.0, np.cos(np.radians(nearest)))
    return np.hypot(extents[:, 0] * narrow, extents[:, 1]) * _DEGREE_M


def _cut(starts: Floats, extents: Floats, pieces: Counts) -> Floats:
    """Return the ring of some edges, each cut into the given number of pieces."""
    edge = np.repeat(np.arange(len(starts)), pieces)
    along = (np.arange(len(edge)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[edge]
    return np.vstack([starts[edge] + along[:, None] * extents[edge], starts[-1:] + extents[-1:]])


def _area_of_few(line: Sequence[Sequence[float]], longitude: float, latitude: float, radius: float) -> float:
    """Return the same area as `_area_in_circle`, for a line of a few vertices in degrees around a position."""
    scale_x, scale_y = metres_per_degree(latitude)
    area, square = 0.0, radius * radius
    x, y = (line[0][0] - longitude) * scale_x, (line[0][1] - latitude) * scale_y
    for to_longitude, to_latitude in line[1:]:
        to_x, to_y = (to_longitude - longitude) * scale_x, (to_latitude - latitude) * scale_y
        if x * x + y * y <= square and to_x * to_x + to_y * to_y <= square:
            area += (x * to_y - y * to_x) / 2
        else:
            area += _area_of_edge(x, y, to_x, to_y, square)
        x, y = to_x, to_y
    return area


def _area_of_edge(x: float, y: float, to_x: float, to_y: float, square: float) -> float:
    """Return the signed area between the origin and an edge that is not completely inside a circle around it."""
    along_x, along_y = to_x - x, to_y - y
    a = max(along_x * along_x + along_y * along_y, 1e-18)
    b = x * along_x + y * along_y
    inner = b * b - a * (x * x + y * y - square)
    root = sqrt(inner) if inner > 0 else 0.0
    enter, leave = (-b - root) / a, (-b + root) / a
    if enter < 0.0:
        enter = 0.0
    if leave > 1.0:
        leave = 1.0
    if enter >= leave:
        return atan2(x * to_y - y * to_x, x * to_x + y * to_y) * square / 2
    first_x, first_y = x + enter * along_x, y + enter * along_y
    last_x, last_y = x + leave * along_x, y + leave * along_y
    before = atan2(x * first_y - y * first_x, x * first_x + y * first_y)
    after = atan2(last_x * to_y - last_y * to_x, last_x * to_x + last_y * to_y)
    return (first_x * last_y - first_y * last_x) / 2 + (before + after) * square / 2


def _area_in_circle(ring: Floats, radius: float) -> float:
    """Return the exact area that a ring shares with a circle around the origin, negative for a clockwise ring."""
    return float(np.sum(areas_in_circles(ring[:-1], ring[1:], radius)))


def areas_in_circles(start: Floats, end: Floats, radius: Floats | float) -> Floats:
    """Return the part of each edge in the area that its ring shares with a circle around the origin.

    It is the signed area between the edge and the origin: a triangle for the part inside the circle, and a sector for
    the part outside. Each edge may have a circle of its own.
    """
    enter, leave = _crossings(start, end, radius)
    first = start + enter[:, None] * (end - start)
    last = start + leave[:, None] * (end - start)
    triangles = _cross(first, last) / 2
    sectors = (_angle(start, first) + _angle(last, end)) * radius**2 / 2
    return triangles + sectors


def _crossings(start: Floats, end: Floats, radius: Floats | float) -> tuple[Floats, Floats]:
    """Return the range of each edge (0 to 1) that is inside the circle. It is empty if the edge is never inside."""
    along = end - start
    a = np.maximum(_dot(along, along), 1e-18)
    b = _dot(start, along)
    root = np.sqrt(np.maximum(b * b - a * (_dot(start, start) - radius**2), 0.0))
    return np.clip((-b - root) / a, 0, 1), np.clip((-b + root) / a, 0, 1)


def _dot(u: Floats, v: Floats) -> Floats:
    return u[:, 0] * v[:, 0] + u[:, 1] * v[:, 1]


def _cross(u: Floats, v: Floats) -> Floats:
    return u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]


def _angle(u: Floats, v: Floats) -> NDArray[np.float64]:
    """Return the signed angle from u to v, or 0 if either is the origin."""
    return np.arctan2(_cross(u, v), _dot(u, v))
