"""The nearest items to a position in a spatial index."""

from bisect import insort
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geo.earth import distance_m
from engine.geo.index import Entry, SpatialIndex


class Measured[T](NamedTuple):
    """The distance to the boundary of an entry in metres, 0 inside, and the distance to its centre."""

    away_m: float
    to_center_m: float
    entry: Entry[T]

    def order(self) -> tuple[float, float, str]:
        """Return the sort key, nearest first."""
        return self.away_m, self.to_center_m, self.entry.key


def nearest[T](
    index: SpatialIndex[T],
    position: tuple[float, float],
    within_m: float,
    limit: int,
    wanted: Callable[[T], bool],
    among: NDArray[np.bool] | None = None,
) -> list[Measured[T]]:
    """Return up to `limit` entries whose item is wanted and within a distance of a (longitude, latitude).

    They are sorted by distance to the boundary, and those that contain the position by distance to the centre. `among`
    has the same meaning as in `SpatialIndex.nearest`.
    """
    longitude, latitude = position
    found: list[Measured[T]] = []
    for at_least_m, entry in index.nearest(longitude, latitude, within_m, among):
        if len(found) == limit and at_least_m > found[-1].away_m:
            break
        if wanted(entry.item):
            measured = _measured(entry, longitude, latitude)
            if measured.away_m <= within_m:
                insort(found, measured, key=Measured.order)
                del found[limit:]
    return found


def _measured[T](entry: Entry[T], longitude: float, latitude: float) -> Measured[T]:
    away_m = max(0.0, entry.shape.distance_m(longitude, latitude))
    center = entry.shape.center
    return Measured(away_m, distance_m(longitude, latitude, center.longitude, center.latitude), entry)
