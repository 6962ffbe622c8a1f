"""Simplifying and resizing shapes, and converting between circles and polygons."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np
import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Circle, Geometry, Point, Polygon, check_radius
from engine.geo.earth import distances_m, metres_per_degree
from engine.geo.rings import check_ring
from engine.geo.shaping.planes import Plane
from engine.geo.shaping.sheets import Area, center_of, ring_of, rings_of, sheet_of, turned, within

MIN_CIRCLE_VERTICES, MAX_CIRCLE_VERTICES = 4, 256
MAX_BUFFER_M = 50_000.0
_ROUND = 8
"""Number of vertices of a quarter circle around a vertex of a grown shape."""

_TRUE_M = 0.05
"""Vertices that change a grown outline by less than this many metres are removed."""


class Fit(Enum):
    """The criterion for a circle that replaces a polygon."""

    AREA = "the same area"
    ALL = "all of it"


def simplified_by(geometry: Geometry, tolerance_m: float) -> Polygon:
    """Return a polygon with fewer vertices, whose outline deviates by at most about the tolerance."""
    if isinstance(geometry, Circle):
        raise InvalidParameter("coordinates", "coordinates: a circle has no vertices to leave out.")
    if not tolerance_m >= 0:
        raise InvalidParameter("tolerance", f"tolerance: must be 0 or more metres, not {tolerance_m:.12g}.")
    (sheet,) = sheet_of((geometry,))
    middle = center_of(sheet).latitude
    east_m, north_m = metres_per_degree(max(-89.0, min(89.0, middle)))
    scale = np.array((east_m, north_m))
    # Scaling the axes keeps the edges straight in degrees.
    flat = shapely.transform(sheet, lambda positions: positions * scale)
    simpler = shapely.simplify(flat, tolerance_m, preserve_topology=True)
    area = Area.of(shapely.transform(simpler, lambda positions: positions / scale))
    if area.parts == 0:
        raise InvalidParameter("coordinates", "coordinates: nothing is left. Choose a smaller tolerance.")
    return area.polygon()


def buffered(geometry: Geometry, by_m: float) -> Circle | Area:
    """Return a geometry that is enlarged or reduced by a distance on all sides. A circle remains a circle.

    Raises `InvalidParameter` if nothing remains, or if a circle exceeds its limits.
    """
    if isinstance(geometry, Circle):
        return Circle(geometry.center, check_radius(geometry.radius_m + by_m))
    if not abs(by_m) <= MAX_BUFFER_M:
        raise InvalidParameter(
            "radius_m", f"radius_m: must be between -{MAX_BUFFER_M:.0f} and {MAX_BUFFER_M:.0f} metres."
        )
    (sheet,) = sheet_of((geometry,))
    # Each part in a plane of its own: far from its middle, distances in a plane are wrong.
    grown = [_grown(part, by_m) for part in shapely.get_parts(sheet)]
    area = Area.of(shapely.union_all(grown) if len(grown) > 1 else grown[0])
    if area.parts == 0:
        raise InvalidParameter("coordinates", "coordinates: nothing is left: the geofence is narrower than that.")
    return area


def _grown(part: Any, by_m: float) -> Any:
    plane = Plane(center_of(part))
    grown = shapely.buffer(plane.flat(part), by_m, quad_segs=_ROUND)
    return turned(plane.round(shapely.simplify(grown, _TRUE_M)), part)


def circle_of(geometry: Geometry, fit: Fit) -> Circle:
    """Return the circle that replaces a polygon; raises `InvalidParameter` for ``radius_m`` beyond the limits."""
    (sheet,) = sheet_of((geometry,))
    plane = Plane(center_of(sheet))
    flat = plane.flat(sheet)
    if fit is Fit.AREA:
        middle, radius_m = flat.centroid, float(np.sqrt(flat.area / np.pi))
    else:
        around = shapely.minimum_bounding_circle(flat)
        middle, radius_m = around.centroid, 0.0
    degrees = shapely.get_coordinates(plane.round(shapely.buffer(middle, 1.0, quad_segs=1)).centroid)[0]
    longitude, latitude = within(*degrees.tolist())
    if fit is Fit.ALL:
        # The farthest point of an edge is one of its ends, or very near to it.
        corners = np.concatenate([np.asarray(ring) for ring in rings_of(geometry)])
        radius_m = float(distances_m(longitude, latitude, corners[:, 0], corners[:, 1]).max())
    return Circle(Point(longitude, latitude), round(check_radius(radius_m), 2))


def polygon_of(circle: Circle, vertices: int) -> Polygon:
    """Return a polygon with `vertices` vertices that all lie on a circle."""
    count = min(max(vertices, MIN_CIRCLE_VERTICES), MAX_CIRCLE_VERTICES)
    sheet_of((circle,))
    return check_ring(ring_of(circle, count))
