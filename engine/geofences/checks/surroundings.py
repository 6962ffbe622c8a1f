"""The input of checks: geofences as arrays of shapes, and their surroundings."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from math import pi
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray

from engine.domain.area import Area
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone, Point, Polygon
from engine.domain.routing import Edge
from engine.domain.settings import ProjectSettings
from engine.domain.travel import TravelMode
from engine.geo.earth import Floats, metres_per_degrees
from engine.geo.parts import point_inside, united
from engine.geofences.checks.findings import CheckOptions

_CIRCLE_VERTICES: Final = 64
_POLAR_LATITUDE: Final = 89.0
"""Latitude beyond which shapes are not checked, because a degree of longitude is too short near a pole."""

type Shapes = NDArray[Any]
"""Valid polygons of shapely, of one or several parts, or None for geofences without a valid one."""

type CheckProgress = Callable[[int], None]
"""Receives the number of geofences that a check has examined; may raise `Cancelled`."""

type RoadDistance = Callable[[Point, TravelMode], float | None]
"""Returns the distance to the nearest road in metres, or None if unknown; raises `RoutingUnavailable`."""


type EdgeOf = Callable[[Isochrone], Edge | None]
"""Returns the edge of an area that an isochrone reaches, or None; raises `RoutingUnavailable`."""


class Surroundings(Struct, frozen=True):
    """The project around geofences.

    `confidence` maps the share of an accuracy circle that is inside to a confidence.
    """

    options: CheckOptions
    settings: ProjectSettings
    now: datetime
    areas: Sequence[Area]
    areas_in_use: Sequence[Area]
    road_distance_m: RoadDistance
    confidence: Callable[[float], int]
    edge: EdgeOf = lambda _: None


class Fences:
    """Geofences sorted by tag and external ID, and arrays of their shapes, created on demand."""

    def __init__(self, geofences: Sequence[Geofence]) -> None:
        self.all = tuple(sorted(geofences, key=lambda geofence: (geofence.tag, geofence.external_id)))

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, number: int) -> Geofence:
        return self.all[number]

    @cached_property
    def circles(self) -> NDArray[np.int64]:
        """Numbers of the circles."""
        return np.array([n for n, each in enumerate(self.all) if isinstance(each.geometry, Circle)], np.int64)

    @cached_property
    def rings(self) -> NDArray[np.int64]:
        """Numbers of the polygons and isochrones."""
        return np.array([n for n, each in enumerate(self.all) if not isinstance(each.geometry, Circle)], np.int64)

    @cached_property
    def shapes(self) -> Shapes:
        """Shapes in degrees, with continuous longitudes."""
        shapes: Shapes = np.full(len(self), None, object)
        shapes[self.circles] = _circle_shapes([self[n].geometry for n in self.circles])  # type: ignore[misc]
        for number in self.rings:
            shapes[number] = _polygon_shape(self[number].geometry)  # type: ignore[arg-type]
        shapes[~shapely.is_valid(shapes)] = None
        return shapes

    @cached_property
    def parts(self) -> "Parts":
        """The parts of all shapes."""
        return Parts(self.shapes)

    @cached_property
    def centers(self) -> Floats:
        """Centres (longitude, latitude), as of a `Shape`."""
        centers = np.zeros((len(self), 2))
        centroids = shapely.get_coordinates(shapely.centroid(self.shapes))
        centers[shapely.is_geometry(self.shapes)] = centroids
        for number, geofence in enumerate(self.all):
            geometry = geofence.geometry
            if isinstance(geometry, Circle | Isochrone):
                centers[number] = geometry.center.longitude, geometry.center.latitude
            elif not geometry.is_single_ring:
                inside = point_inside(geometry)
                centers[number] = inside.x, inside.y
        return centers

    def center(self, number: int) -> Point:
        """Return the centre of a geofence."""
        return point_at(*self.centers[number])


class Parts:
    """The parts of many shapes, of which those that meet along an edge are one.

    `owners` has the number of each part's shape, in ascending order, and `counts` the number of parts of each shape.
    """

    def __init__(self, shapes: Shapes) -> None:
        self._shapes, self.owners = shapely.get_parts(shapes, return_index=True)
        self.counts = np.bincount(self.owners, minlength=len(shapes))
        self._centers = shapely.get_coordinates(shapely.centroid(self._shapes))

    @cached_property
    def metric(self) -> Shapes:
        """Parts in metres, true in size and angles, each relative to its own centroid."""
        coordinates, owners = shapely.get_coordinates(self._shapes, return_index=True)
        scale_x, scale_y = metres_per_degrees(self._centers[:, 1])
        # Relative to their centres, because larger numbers are less precise.
        about = coordinates - self._centers[owners]
        metres = about * np.column_stack([scale_x[owners], scale_y[owners]])
        return np.asarray(shapely.set_coordinates(self._shapes.copy(), metres))

    def degrees(self, part: int, x_m: float, y_m: float) -> Point:
        """Return the geographic position of a point of a metric part."""
        scale_x, scale_y = metres_per_degrees(self._centers[part : part + 1, 1])
        longitude, latitude = self._centers[part]
        return point_at(longitude + x_m / scale_x[0], latitude + y_m / scale_y[0])


def point_at(longitude: float, latitude: float) -> Point:
    """Return a point whose longitude is within ±180."""
    turned = longitude if -180 <= longitude <= 180 else (longitude + 540) % 360 - 180
    return Point(float(turned), float(latitude))


def _circle_shapes(circles: Sequence[Circle]) -> Shapes:
    centers = np.array([(each.center.longitude, each.center.latitude) for each in circles]).reshape(-1, 2)
    radii = np.array([each.radius_m for each in circles])
    angles = np.linspace(0, 2 * pi, _CIRCLE_VERTICES + 1)
    polar = np.abs(centers[:, 1]) > _POLAR_LATITUDE
    scale_x, scale_y = metres_per_degrees(np.where(polar, 0.0, centers[:, 1]))
    longitudes = centers[:, :1] + (radii / scale_x)[:, None] * np.cos(angles)
    latitudes = centers[:, 1:] + (radii / scale_y)[:, None] * np.sin(angles)
    shapes = np.full(len(circles), None, object)
    shapes[~polar] = shapely.polygons(np.stack([longitudes, latitudes], axis=-1)[~polar])
    return shapes


def _polygon_shape(polygon: Polygon) -> Any:
    shape = united(polygon)
    _, south, _, north = shape.bounds
    return shape if max(-south, north) <= _POLAR_LATITUDE else None
