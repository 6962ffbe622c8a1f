"""Distances of many positions, such as a track, to the boundary of a ring.

Near a position, planar geometry determines which points of the boundary may be nearest, exactly as for a single
position (`polygons.boundary_distance_m`). Farther away, it is applied twice, the second time with the size of a degree
between the position and the point that seemed nearest. The result is accurate to a thousandth up to 50 km. At 500 km,
it is accurate to a thousandth at 50° of latitude, a hundredth at 80° and three hundredths beyond. This is sufficient
for drawing distant curves, but is never used for decisions.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geo.earth import Floats, distances_between_m, metres_per_degrees
from engine.geo.polygons import PLANE_LATITUDE, PLANE_M, Edges, boundary_distance_m

_PAIRS_AT_ONCE: Final = 200_000
"""Number of position and edge pairs processed together, chosen to fit into the caches of a processor."""

_NEAR: Final = 1.01
_FAR: Final = 1.05
"""Ratio to the nearest planar distance up to which edges are also measured along the ellipsoid."""


def boundary_distances_m(edges: Edges, longitudes: Floats, latitudes: Floats) -> Floats:
    """Return the distance in metres from each position to the nearest edge."""
    count = len(longitudes)
    size = max(1, _PAIRS_AT_ONCE // len(edges[0]))
    found = np.empty(count)
    for start in range(0, count, size):
        part = slice(start, start + size)
        found[part] = _some(edges, longitudes[part], latitudes[part])
    return found


def _some(edges: Edges, longitudes: Floats, latitudes: Floats) -> Floats:
    scale_x, scale_y = metres_per_degrees(latitudes)
    along, planar = _nearest_in_plane(edges, longitudes, latitudes, scale_x[:, None], scale_y[:, None])
    nearest = planar.min(axis=1)
    found = _geodesic(edges, longitudes, latitudes, along, planar <= nearest[:, None] * _NEAR + 0.001)
    far = nearest > PLANE_M
    if far.any():
        found[far] = _far(edges, longitudes[far], latitudes[far], along[far])
    for polar in np.flatnonzero(np.abs(latitudes) >= PLANE_LATITUDE).tolist():
        found[polar] = boundary_distance_m(edges, longitudes[polar], latitudes[polar])
    return found


def _far(edges: Edges, longitudes: Floats, latitudes: Floats, along: Floats) -> Floats:
    middle = (latitudes[:, None] + edges[0][:, 1] + along * edges[1][:, 1]) / 2
    along, planar = _nearest_in_plane(edges, longitudes, latitudes, *metres_per_degrees(middle))
    nearest = planar.min(axis=1)
    return _geodesic(edges, longitudes, latitudes, along, planar <= nearest[:, None] * _FAR)


def _nearest_in_plane(
    edges: Edges, longitudes: Floats, latitudes: Floats, scale_x: Floats, scale_y: Floats
) -> tuple[Floats, Floats]:
    """Return for each position and edge the nearest point on the edge (0 to 1), and its distance in metres."""
    start_x = (edges[0][:, 0] - longitudes[:, None]) * scale_x
    start_y = (edges[0][:, 1] - latitudes[:, None]) * scale_y
    extent_x, extent_y = edges[1][:, 0] * scale_x, edges[1][:, 1] * scale_y
    along = -(start_x * extent_x + start_y * extent_y) / (extent_x * extent_x + extent_y * extent_y)
    np.clip(along, 0.0, 1.0, out=along)
    return along, np.hypot(start_x + along * extent_x, start_y + along * extent_y)


def _geodesic(
    edges: Edges, longitudes: Floats, latitudes: Floats, along: Floats, candidates: NDArray[np.bool]
) -> Floats:
    """Return the geodesic distance to the nearest of each position's candidates. Each position has at least one."""
    position, edge = np.nonzero(candidates)
    points = edges[0][edge] + along[position, edge, None] * edges[1][edge]
    distances = distances_between_m(longitudes[position], latitudes[position], points[:, 0], points[:, 1])
    firsts = np.searchsorted(position, np.arange(len(longitudes)))
    return np.asarray(np.minimum.reduceat(distances, firsts))
