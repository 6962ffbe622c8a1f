"""Geometries prepared for measuring: containment, distance to the boundary, and the share inside.

All types have the same interface, so that decisions never depend on the type.
"""

from functools import cached_property
from math import cos, pi, radians
from typing import Any, Protocol

import numpy as np
import shapely

from engine.domain.geofence import Extent
from engine.domain.geometry import Circle, Geometry, Isochrone, Point, Polygon
from engine.geo.bounds import BOUNDS_MARGIN, Bounds, bounds_of_polygon, box_around
from engine.geo.earth import Floats, around, distance_m, distances_m, share_of_circle
from engine.geo.many import boundary_distances_m
from engine.geo.parts import continuous, point_inside, united
from engine.geo.polygons import (
    Edges,
    FewEdges,
    boundary_distance_m,
    edges_of,
    few_edges,
    few_vertices,
    line_through,
    share_inside,
)

ON_BOUNDARY_M = 1e-6
"""Positions closer to the boundary than this are on it: a micrometre, which is less than the rounding of degrees."""

_TRUE_AREAS_M = 500_000.0
"""Distance up to which areas around a position are measured with an error of at most a hundredth."""

_SHORTEST_DEGREE_M, _LONGEST_DEGREE_M = 110_500.0, 111_700.0


class Shape(Protocol):
    """A geometry prepared for measuring. Distances are in metres and positions in degrees."""

    @property
    def bounds(self) -> Bounds:
        """Bounding box of the shape."""
        ...

    @property
    def center(self) -> Point:
        """Centre of a circle, or centroid of a ring, or a point inside the largest part of a polygon."""
        ...

    @property
    def radius_m(self) -> float:
        """Radius of a circle, or distance from a polygon's centroid to its farthest vertex."""
        ...

    def contains(self, longitude: float, latitude: float) -> bool:
        """Return whether the position is inside or on the boundary."""
        ...

    def in_hole(self, longitude: float, latitude: float) -> bool:
        """Return whether a position that is not inside is in a hole."""
        ...

    def distance_m(self, longitude: float, latitude: float) -> float:
        """Return the distance to the boundary: negative inside, positive outside, 0 on it."""
        ...

    def distances_m(self, longitudes: Floats, latitudes: Floats) -> Floats:
        """Return the signed distances of many positions.

        For a polygon, the error is up to a thousandth from 5 km, and up to a hundredth from 50 km.
        """
        ...

    def share(self, longitude: float, latitude: float, accuracy_m: float) -> float:
        """Return the share (0 to 1) of the accuracy circle's area that lies inside."""
        ...

    def distance_at_most_m(self, longitude: float, latitude: float) -> float:
        """Return an upper bound of the distance to the boundary that is quick to compute."""
        ...

    def share_at_most(self, latitude: float, accuracy_m: float) -> float:
        """Return an upper bound of the share for any position at a latitude that is quick to compute."""
        ...


class CircleShape:
    """A circle by geodesic distance on WGS84."""

    __slots__ = ("_away", "_degree_m", "_latitude", "_longitude", "center", "radius_m")

    def __init__(self, circle: Circle) -> None:
        self.center = circle.center
        self.radius_m = circle.radius_m
        self._longitude = circle.center.longitude
        self._latitude = circle.center.latitude
        nearest_to_equator = max(0.0, abs(self._latitude) - self.radius_m / _SHORTEST_DEGREE_M)
        self._degree_m = _LONGEST_DEGREE_M * cos(radians(min(nearest_to_equator, 90.0)))
        """Upper bound of the length of a degree of longitude within the circle."""
        self._away: tuple[float, float, float] | None = None
        """The last position whose distance from the centre was measured, and that distance."""

    @property
    def bounds(self) -> Bounds:
        """Bounding box of the circle, with a small margin."""
        return box_around(self._longitude, self._latitude, self.radius_m)

    def contains(self, longitude: float, latitude: float) -> bool:
        """Return whether the position is inside or on the boundary."""
        # Most positions are so far inside that an overestimated distance suffices, which is much faster.
        east_m, north_m = (
            (longitude - self._longitude) * self._degree_m,
            (latitude - self._latitude) * _LONGEST_DEGREE_M,
        )
        if east_m * east_m + north_m * north_m <= self.radius_m * self.radius_m:
            return True
        return self._away_m(longitude, latitude) <= self.radius_m + ON_BOUNDARY_M

    def in_hole(self, longitude: float, latitude: float) -> bool:  # noqa: ARG002 - of polygons
        """Return False, as a circle has no holes."""
        return False

    def distance_m(self, longitude: float, latitude: float) -> float:
        """Return the signed distance to the boundary."""
        distance = self._away_m(longitude, latitude) - self.radius_m
        return 0.0 if abs(distance) <= ON_BOUNDARY_M else distance

    def _away_m(self, longitude: float, latitude: float) -> float:
        """Return the distance from the centre, which a decision needs several times."""
        last = self._away
        if last is not None and last[0] == longitude and last[1] == latitude:
            return last[2]
        away = distance_m(self._longitude, self._latitude, longitude, latitude)
        self._away = longitude, latitude, away
        return away

    def distances_m(self, longitudes: Floats, latitudes: Floats) -> Floats:
        """Return the signed distances of many positions."""
        found = distances_m(self._longitude, self._latitude, longitudes, latitudes) - self.radius_m
        return np.where(np.abs(found) <= ON_BOUNDARY_M, 0.0, found)

    def share(self, longitude: float, latitude: float, accuracy_m: float) -> float:
        """Return the share of the accuracy circle inside the circle."""
        away = self._away_m(longitude, latitude)
        return share_of_circle(away, accuracy_m, self.radius_m)

    def distance_at_most_m(self, longitude: float, latitude: float) -> float:
        """Return the distance to the boundary, which is quick to measure for a circle."""
        return abs(self.distance_m(longitude, latitude))

    def share_at_most(self, latitude: float, accuracy_m: float) -> float:  # noqa: ARG002 - of polygons
        """Return the share if the whole circle were within the accuracy circle."""
        return min(1.0, (self.radius_m / accuracy_m) ** 2)


class PolygonShape:
    """A polygon whose edges are straight in longitude and latitude.

    Only its box is computed immediately. The rest is computed when a position first comes near, which for most of many
    polygons never happens.
    """

    def __init__(self, polygon: Polygon) -> None:
        self._given = polygon
        self.bounds = bounds_of_polygon(polygon)

    @cached_property
    def _polygon(self) -> Any:
        if self._given.is_single_ring:
            return shapely.Polygon(continuous(self._given.ring))
        return united(self._given)

    @cached_property
    def _rings(self) -> list[Floats]:
        """The rings of all parts, of which those that meet along an edge are one; holes have the other direction."""
        if self._given.is_single_ring:
            return [shapely.get_coordinates(self._polygon)]
        rings = shapely.get_rings(shapely.get_parts(shapely.orient_polygons(self._polygon)))
        return [shapely.get_coordinates(ring) for ring in rings]

    @cached_property
    def _line(self) -> Floats:
        return line_through(self._rings)

    @cached_property
    def prepared(self) -> Any:
        """The prepared polygon, created when it is first needed."""
        shapely.prepare(self._polygon)
        return self._polygon

    @cached_property
    def center(self) -> Point:
        """Centroid of a single ring, or a point inside the largest part: its centroid if that is inside."""
        point = self._polygon.centroid if self._given.is_single_ring else point_inside(self._given)
        return Point((point.x + 540) % 360 - 180, point.y + 0.0)

    @cached_property
    def radius_m(self) -> float:
        """Distance from the centre to the farthest vertex."""
        vertices = self._line
        x, y = around(self.center.longitude, self.center.latitude, vertices[:, 0], vertices[:, 1])
        return float(np.hypot(x, y).max())

    def contains(self, longitude: float, latitude: float) -> bool:
        """Return whether the position is inside or on the boundary."""
        longitude = self._near(longitude)
        if not self._in_bounds(longitude, latitude):
            return False
        if shapely.intersects_xy(self.prepared, longitude, latitude):
            return True
        return self._boundary_m(longitude, latitude) <= ON_BOUNDARY_M

    def in_hole(self, longitude: float, latitude: float) -> bool:
        """Return whether a position that is not inside is in a hole."""
        if self._given.is_single_ring:
            return False
        longitude = self._near(longitude)
        return self._in_bounds(longitude, latitude) and bool(shapely.intersects_xy(self._filled, longitude, latitude))

    @cached_property
    def _filled(self) -> Any:
        """The interior and its holes, prepared."""
        parts = shapely.get_parts(self._polygon)
        filled = shapely.union_all(shapely.polygons(shapely.get_exterior_ring(parts)))
        shapely.prepare(filled)
        return filled

    def distance_m(self, longitude: float, latitude: float) -> float:
        """Return the signed distance to the boundary."""
        longitude = self._near(longitude)
        away = self._boundary_m(longitude, latitude)
        if away <= ON_BOUNDARY_M:
            return 0.0
        return -away if shapely.intersects_xy(self.prepared, longitude, latitude) else away

    def distances_m(self, longitudes: Floats, latitudes: Floats) -> Floats:
        """Return the signed distances of many positions."""
        west, _, east, _ = self.bounds
        middle = (west + east) / 2
        near = middle + (longitudes - middle + 180.0) % 360.0 - 180.0
        # Longitudes that need no shift are kept exactly.
        near = np.where(np.abs(near - longitudes) < 1.0, longitudes, near)
        away = boundary_distances_m(self._edges, near, latitudes)
        away[away <= ON_BOUNDARY_M] = 0.0
        return np.where(shapely.intersects_xy(self.prepared, near, latitudes), -away, away) + 0.0

    def share(self, longitude: float, latitude: float, accuracy_m: float) -> float:
        """Return the share of the accuracy circle inside the polygon."""
        return share_inside(self._rings, self._line, self._near(longitude), latitude, accuracy_m, self._few_vertices)

    def distance_at_most_m(self, longitude: float, latitude: float) -> float:
        """Return the distance to a vertex."""
        # A vertex of a part may be inside another one.
        vertex = self._rings[0][0] if self._given.others else self._given.ring[0]
        return distance_m(longitude, latitude, vertex[0], vertex[1])

    def share_at_most(self, latitude: float, accuracy_m: float) -> float:
        """Return the share if the whole bounding box were within the accuracy circle."""
        if accuracy_m > _TRUE_AREAS_M:
            return 1.0
        west, south, east, north = self.bounds
        # The longest parallel that the accuracy circle reaches is the one nearest to the equator.
        nearest = max(0.0, abs(latitude) - accuracy_m / _SHORTEST_DEGREE_M)
        width_m = (east - west) * _LONGEST_DEGREE_M * cos(radians(min(nearest, 90.0)))
        height_m = (north - south) * _LONGEST_DEGREE_M
        return min(1.0, width_m * height_m / (pi * accuracy_m**2))

    def _boundary_m(self, longitude: float, latitude: float) -> float:
        return boundary_distance_m(self._edges, longitude, latitude, self._few_edges)

    @cached_property
    def _edges(self) -> Edges:
        starts, extents = zip(*map(edges_of, self._rings), strict=True)
        return np.concatenate(starts), np.concatenate(extents)

    @cached_property
    def _few_edges(self) -> FewEdges | None:
        return few_edges(self._edges)

    @cached_property
    def _few_vertices(self) -> list[list[float]] | None:
        return few_vertices(self._line)

    def _in_bounds(self, longitude: float, latitude: float) -> bool:
        west, south, east, north = self.bounds
        return (
            west - BOUNDS_MARGIN <= longitude <= east + BOUNDS_MARGIN
            and south - BOUNDS_MARGIN <= latitude <= north + BOUNDS_MARGIN
        )

    def _near(self, longitude: float) -> float:
        """Return the longitude shifted by full turns to match the unwrapped ring."""
        west, _, east, _ = self.bounds
        if west <= longitude <= east:
            return longitude
        middle = (west + east) / 2
        return min((longitude, longitude + 360, longitude - 360), key=lambda value: abs(value - middle))


class IsochroneShape(PolygonShape):
    """A polygon whose centre is the destination of the isochrone."""

    def __init__(self, isochrone: Isochrone) -> None:
        super().__init__(isochrone)
        self.center = isochrone.center


def shape_of(geometry: Geometry) -> Shape:
    """Return a geometry prepared for measuring."""
    if isinstance(geometry, Circle):
        return CircleShape(geometry)
    if isinstance(geometry, Isochrone):
        return IsochroneShape(geometry)
    return PolygonShape(geometry)


def extent_of(geometry: Geometry, shape: Shape) -> Extent:
    """Return the position and size of a geometry; `shape` is its prepared form."""
    radius = geometry.minutes if isinstance(geometry, Isochrone) else shape.radius_m
    return Extent(geometry.type, shape.center, radius)
