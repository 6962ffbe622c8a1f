"""Projection to metres around a place and back to degrees: the azimuthal equidistant projection."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, Position
from engine.geo.earth import Floats, around, destinations
from engine.geo.rings import unwrap

_PIECE_M = 1_000.0
_MOST_PIECES = 5_000
LONGEST_DEGREE_M = 111_700.0


class Plane:
    """A plane that touches the earth at a place. It works at the poles and the antimeridian."""

    def __init__(self, center: Point) -> None:
        self.center = center

    def flat(self, shape: Any) -> Any:
        """Convert a shape from degrees to metres. Its edges keep their course on the ground."""
        longest_m = max(_PIECE_M, float(shapely.length(shape)) * LONGEST_DEGREE_M / _MOST_PIECES)
        return shapely.transform(shapely.segmentize(shape, longest_m / LONGEST_DEGREE_M), self._to_plane)

    def round(self, shape: Any) -> Any:
        """Convert one or several polygons from metres to degrees, without jumps at the antimeridian.

        Raises `InvalidParameter` for ``coordinates`` if a polygon surrounds a pole.
        """
        return shapely.MultiPolygon([self._round(part) for part in shapely.get_parts(shape) if not part.is_empty])

    def positions(self, points: Floats) -> list[Position]:
        """Convert points from metres to longitude and latitude within ±180 and ±90."""
        azimuths, away_m = np.degrees(np.arctan2(points[:, 0], points[:, 1])), np.hypot(points[:, 0], points[:, 1])
        found = destinations(self.center.longitude, self.center.latitude, azimuths, away_m)
        return list(zip(found[0].tolist(), found[1].tolist(), strict=True))

    def _round(self, part: Any) -> Any:
        outer = self._degrees_of(part.exterior, self.center.longitude)
        middle = float(outer[:, 0].min() + outer[:, 0].max()) / 2
        return shapely.Polygon(outer, [self._degrees_of(hole, middle) for hole in part.interiors])

    def _degrees_of(self, ring: Any, near: float) -> Floats:
        positions = shapely.get_coordinates(ring)
        azimuths = np.degrees(np.arctan2(positions[:, 0], positions[:, 1]))
        away_m = np.hypot(positions[:, 0], positions[:, 1])
        longitudes, latitudes = destinations(self.center.longitude, self.center.latitude, azimuths, away_m)
        degrees = np.asarray(unwrap(list(zip(longitudes.tolist(), latitudes.tolist(), strict=True))))
        if abs(degrees[0, 0] - degrees[-1, 0]) > 1.0:
            raise InvalidParameter("coordinates", "coordinates: the result goes around a pole, which a ring cannot.")
        middle = float(degrees[:, 0].min() + degrees[:, 0].max()) / 2
        degrees[:, 0] += 360.0 * round((near - middle) / 360.0)
        return degrees

    def _to_plane(self, positions: Floats) -> Floats:
        east, north = around(self.center.longitude, self.center.latitude, positions[:, 0], positions[:, 1])
        return np.column_stack((east, north))
