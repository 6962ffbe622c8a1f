"""What checks look at: geofences as arrays of shapes, and what is around them."""

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
from engine.domain.geometry import Circle, Isochrone, Point, Ring
from engine.domain.settings import ProjectSettings
from engine.domain.travel import TravelMode
from engine.geo.earth import Floats, metres_per_degrees
from engine.geo.rings import unwrap
from engine.geofences.checks.findings import CheckOptions

_CIRCLE_VERTICES: Final = 64
_POLAR_LATITUDE: Final = 89.0
"""Nearer to a pole a degree of longitude is no measure, and shapes are not looked at."""

type Shapes = NDArray[Any]
"""Valid polygons of shapely; None where there is none."""

type Tell = Callable[[int], None]
"""Told how many geofences a check has looked at; it may raise `Cancelled`."""

type RoadDistance = Callable[[Point, TravelMode], float | None]
"""Returns how far in metres the nearest road for a mode is, None where nobody knows; raises `RoutingUnavailable`."""


class Surroundings(Struct, frozen=True):
    """The project around geofences. `confidence` is that of a location of whose accuracy circle a share is inside."""

    options: CheckOptions
    settings: ProjectSettings
    now: datetime
    areas: Sequence[Area]
    areas_in_use: Sequence[Area]
    road_distance_m: RoadDistance
    confidence: Callable[[float], int]


class Fences:
    """Geofences in the order of tag and external ID, and arrays of their shapes, made when a check needs them."""

    def __init__(self, geofences: Sequence[Geofence]) -> None:
        self.all = tuple(sorted(geofences, key=lambda geofence: (geofence.tag, geofence.external_id)))

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, number: int) -> Geofence:
        return self.all[number]

    @cached_property
    def circles(self) -> NDArray[np.int64]:
        """The numbers of the circles."""
        return np.array([n for n, each in enumerate(self.all) if isinstance(each.geometry, Circle)], np.int64)

    @cached_property
    def rings(self) -> NDArray[np.int64]:
        """The numbers of polygons and isochrones."""
        return np.array([n for n, each in enumerate(self.all) if not isinstance(each.geometry, Circle)], np.int64)

    @cached_property
    def shapes(self) -> Shapes:
        """The shapes in degrees, with continuous longitudes."""
        shapes: Shapes = np.full(len(self), None, object)
        shapes[self.circles] = _circle_shapes([self[n].geometry for n in self.circles])  # type: ignore[misc]
        for number in self.rings:
            shapes[number] = _ring_shape(self[number].geometry.ring)  # type: ignore[union-attr]
        shapes[~shapely.is_valid(shapes)] = None
        return shapes

    @cached_property
    def metric(self) -> Shapes:
        """The shapes in metres: each true in size and angles, but not where it is."""
        coordinates, owners = shapely.get_coordinates(self.shapes, return_index=True)
        scale_x, scale_y = metres_per_degrees(self.centers[:, 1])
        # Each about its own origin: the larger the numbers, the less exact.
        about = coordinates - self.centers[owners]
        metres = about * np.column_stack([scale_x[owners], scale_y[owners]])
        return np.asarray(shapely.set_coordinates(self.shapes.copy(), metres))

    @cached_property
    def centers(self) -> Floats:
        """The centres (longitude, latitude): of a polygon its centroid, of an isochrone its destination."""
        centers = np.zeros((len(self), 2))
        centroids = shapely.get_coordinates(shapely.centroid(self.shapes))
        centers[shapely.is_geometry(self.shapes)] = centroids
        for number, geofence in enumerate(self.all):
            if isinstance(geofence.geometry, Circle | Isochrone):
                centers[number] = geofence.geometry.center.longitude, geofence.geometry.center.latitude
        return centers

    def center(self, number: int) -> Point:
        """Return the centre of a geofence."""
        return point_at(*self.centers[number])

    def degrees(self, number: int, x_m: float, y_m: float) -> Point:
        """Return where on the earth a place of a metric shape is."""
        scale_x, scale_y = metres_per_degrees(self.centers[number : number + 1, 1])
        longitude, latitude = self.centers[number]
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


def _ring_shape(ring: Ring) -> Any:
    positions = np.asarray(ring)
    if np.abs(positions[:, 1]).max() > _POLAR_LATITUDE:
        return None
    if np.abs(np.diff(positions[:, 0])).max() > 180:
        positions = np.asarray(unwrap(ring))
    return shapely.polygons(positions)
