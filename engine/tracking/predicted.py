"""Predicted confidence of a geofence's entries, for fixes of one accuracy."""

from __future__ import annotations

from collections import Counter
from math import pi, sqrt
from typing import Final

import numpy as np
import shapely
from msgspec import Struct

from engine.domain.geometry import Geometry
from engine.domain.tracking.updates import Confidence
from engine.geo.earth import Floats
from engine.geo.shapes import Shape, shape_of
from engine.geo.shaping.planes import Plane
from engine.geo.shaping.sheets import center_of, sheet_of
from engine.tracking.measure import confidence_at

INSIDE: Final = 80
"""Number of positions inside for the average."""

_AT_EDGE: Final = 24
_GOLDEN: Final = pi * (3 - sqrt(5))


class Prediction(Struct, frozen=True):
    """The predicted confidence of an entry at the centre and at the edge, and its distribution inside.

    `edge` is the most frequent confidence along the boundary. `shares` are the shares of high, medium and low
    confidence for fixes that are spread evenly inside. `center` is None if the centre of the geofence is outside of it.
    """

    center: int | None
    edge: int
    shares: tuple[float, float, float]

    @property
    def average(self) -> float:
        """Average confidence inside, from 1 to 3."""
        high, medium, low = self.shares
        return high * Confidence.HIGH + medium * Confidence.MEDIUM + low * Confidence.LOW


def predicted(geometry: Geometry, accuracy_m: float) -> Prediction:
    """Return the confidence of entries by fixes of an accuracy. Raises `InvalidParameter` around a pole."""
    shape = shape_of(geometry)
    inside, edge = _positions(geometry)
    found = Counter(confidence_at(shape, *position, accuracy_m) for position in inside)
    whole = max(sum(found.values()), 1)
    at_edge = Counter(confidence_at(shape, *position, accuracy_m) for position in edge)
    shares = (found[Confidence.HIGH] / whole, found[Confidence.MEDIUM] / whole, found[Confidence.LOW] / whole)
    return Prediction(_at_center(shape, accuracy_m), at_edge.most_common(1)[0][0], shares)


def _at_center(shape: Shape, accuracy_m: float) -> int | None:
    center = shape.center.longitude, shape.center.latitude
    return confidence_at(shape, *center, accuracy_m) if shape.contains(*center) else None


def _positions(geometry: Geometry) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return positions spread evenly inside, and positions along the boundary."""
    (sheet,) = sheet_of((geometry,))
    plane = Plane(center_of(sheet))
    flat = plane.flat(sheet)
    inside = _spread(flat)
    along = np.linspace(0, flat.boundary.length, _AT_EDGE, endpoint=False)
    edge = shapely.get_coordinates(shapely.line_interpolate_point(flat.boundary, along))
    return plane.positions(inside), plane.positions(edge)


def _spread(flat: shapely.Polygon | shapely.MultiPolygon) -> Floats:
    """Return about `INSIDE` points inside a polygon, taken from a spiral of equal areas over its bounding circle.

    The spiral has more points for polygons that fill less of the circle.
    """
    around = shapely.minimum_bounding_circle(flat)
    middle, radius = around.centroid, shapely.minimum_bounding_radius(flat)
    share = max(flat.area / max(around.area, 1e-9), 0.01)
    count = min(int(INSIDE / share) + 1, 100 * INSIDE)
    numbers = np.arange(count) + 0.5
    away, turn = radius * np.sqrt(numbers / count), numbers * _GOLDEN
    points = np.column_stack((middle.x + away * np.cos(turn), middle.y + away * np.sin(turn)))
    kept = points[shapely.contains_xy(flat, points[:, 0], points[:, 1])]
    if len(kept) == 0:
        return np.asarray(shapely.get_coordinates(flat.representative_point()))
    return np.asarray(kept[:: max(1, len(kept) // INSIDE)])
