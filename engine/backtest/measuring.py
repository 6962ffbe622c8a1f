"""Measurements of many pairs of a fix and a geofence, with bounds where they are not exact.

They serve to find the fixes that change nothing. `engine.tracking.measure` measures those that are decided.
"""

from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray

from engine.backtest.fences import BOX_MARGIN, Flags, Floats, Numbers, Versions
from engine.backtest.fixes import Fixes
from engine.geo.earth import distances_between_m, metres_per_degrees, share_of_circle
from engine.geo.polygons import PLANE_M, areas_in_circles
from engine.geo.shapes import ON_BOUNDARY_M
from engine.tracking.measure import LARGEST_M, SMALLEST_M

POLAR: Final = 85.0
"""Latitude from which nothing is certain about a fix near a polygon."""

SHORTEST_DEGREE_M: Final = 110_500.0
_LONGEST_DEGREE_M: Final = 111_800.0
SLACK: Final = 1.05

_SURE_M: Final = 1e-5
"""Difference in metres between two distances that rounding cannot cause."""
_SURE_SHARE: Final = 1e-7

_ESTIMATED: Final = 0.03
"""Largest relative error of an estimated distance to the centre of a circle."""
_ESTIMATED_M: Final = 50_000.0
_ESTIMATED_LATITUDE: Final = 75.0
"""Radius and latitude up to which distances are estimated."""
_EAST_M: Final = 111_400.0
_NORTH_M: Final = 111_100.0
"""Approximate length of a degree of longitude at the equator, and of one of latitude."""

_PLANAR: Final = 0.01
_PLANAR_M: Final = 0.002
"""Largest relative and absolute error of a distance in a plane."""
_MOST_VERTICES: Final = 100
"""Number of vertices up to which polygons are measured here."""


class Measured(Struct, frozen=True):
    """Bounds of the measurements of pairs of a fix and a geofence.

    `inside` is exact except where it is `doubtful`. `nearest_m` and `farthest_m` are bounds of the distance to the
    boundary on either side, `smallest` and `largest` of the share of the accuracy circle that is inside.
    """

    inside: Flags
    doubtful: Flags
    nearest_m: Floats
    farthest_m: Floats
    smallest: Floats
    largest: Floats

    @classmethod
    def unknown(cls, count: int) -> "Measured":
        """Return measurements of which nothing is known."""
        return cls(
            np.zeros(count, np.bool),
            np.ones(count, np.bool),
            np.zeros(count),
            np.full(count, np.inf),
            np.zeros(count),
            np.ones(count),
        )

    def put(self, chosen: Numbers | Flags, other: "Measured") -> None:
        """Set the measurements of some pairs."""
        for name in self.__struct_fields__:
            getattr(self, name)[chosen] = getattr(other, name)


def measured(versions: Versions, fixes: Fixes, fix: Numbers, version: Numbers, *, fully: bool) -> Measured:
    """Return the measurements of pairs, of the distance and the share only if `fully`."""
    found = Measured.unknown(len(fix))
    round_one = versions.is_circle[version]
    for chosen, measure in ((np.flatnonzero(round_one), _circles), (np.flatnonzero(~round_one), _polygons)):
        if len(chosen):
            found.put(chosen, measure(versions, fixes, fix[chosen], version[chosen], fully))
    return found


def _circles(versions: Versions, fixes: Fixes, fix: Numbers, version: Numbers, fully: bool) -> Measured:
    longitudes, latitudes = fixes.longitude[fix], fixes.latitude[fix]
    centers, radii_m = versions.centers[version], versions.radii_m[version]
    away_m, is_estimate = _estimated_m(centers, radii_m, longitudes, latitudes)
    reach_m = _reach_m(fixes, fix) if fully else np.zeros(len(fix))
    error_m = _ESTIMATED * away_m + 1
    exact = np.flatnonzero(~is_estimate | (np.abs(away_m - radii_m) <= reach_m + error_m))
    away_m[exact] = distances_between_m(centers[exact, 0], centers[exact, 1], longitudes[exact], latitudes[exact])
    error_m[exact] = _SURE_M
    limit_m = radii_m + ON_BOUNDARY_M
    inside = away_m <= limit_m
    boundary_m = np.abs(away_m - radii_m)
    share = inside.astype(np.float64)
    if fully:
        touched = exact[boundary_m[exact] <= reach_m[exact] + _SURE_M]
        pairs = zip(away_m[touched].tolist(), reach_m[touched].tolist(), radii_m[touched].tolist(), strict=True)
        share[touched] = [share_of_circle(*pair) for pair in pairs]
    return Measured(
        inside,
        np.abs(away_m - limit_m) <= _SURE_M,
        np.maximum(boundary_m - error_m, 0),
        boundary_m + error_m,
        share - _SURE_SHARE,
        share + _SURE_SHARE,
    )


def _polygons(versions: Versions, fixes: Fixes, fix: Numbers, version: Numbers, fully: bool) -> Measured:
    latitudes = fixes.latitude[fix]
    longitudes = _shifted(versions, fixes.longitude[fix], version)
    outlines, outers = versions.outlines(version)
    found = Measured.unknown(len(fix))
    found.inside[:] = shapely.intersects_xy(outlines, longitudes, latitudes)
    outside = np.flatnonzero(~found.inside)
    found.doubtful[:] = np.abs(latitudes) >= POLAR
    found.doubtful[outside] |= shapely.intersects_xy(outers[outside], longitudes[outside], latitudes[outside])
    if not fully:
        return found
    reach_m = _reach_m(fixes, fix)
    simple = (versions.vertices[version] <= _MOST_VERTICES) & (reach_m <= PLANE_M)
    chosen = np.flatnonzero(simple & (np.abs(latitudes) < POLAR))
    if len(chosen):
        found.nearest_m[chosen], found.farthest_m[chosen], share = _in_plane(
            outlines[chosen], longitudes[chosen], latitudes[chosen], reach_m[chosen], found.inside[chosen]
        )
        found.smallest[chosen], found.largest[chosen] = share - _SURE_SHARE, share + _SURE_SHARE
    rest = np.flatnonzero(~found.inside & ~simple & (np.abs(latitudes) < POLAR))
    if len(rest):
        found.nearest_m[rest], found.farthest_m[rest] = _around(
            outlines[rest], longitudes[rest], latitudes[rest], fixes.accuracy_m[fix[rest]]
        )
    return found


def _in_plane(
    outlines: NDArray[Any], longitudes: Floats, latitudes: Floats, reach_m: Floats, inside: Flags
) -> tuple[Floats, Floats, Floats]:
    """Return bounds of the distances to the rings of polygons, and the shares of circles inside."""
    points, owner = shapely.get_coordinates(outlines, return_index=True)
    scale = np.column_stack(metres_per_degrees(latitudes))
    points = (points - np.column_stack([longitudes, latitudes])[owner]) * scale[owner]
    edges = np.flatnonzero(owner[1:] == owner[:-1])
    owner, start, end = owner[edges], points[edges], points[edges + 1]
    along = end - start
    part = -(start * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-18)
    nearest = start + np.clip(part, 0, 1)[:, None] * along
    first = np.flatnonzero(np.insert(owner[1:] != owner[:-1], 0, True))
    away_m = np.minimum.reduceat(np.hypot(nearest[:, 0], nearest[:, 1]), first)
    error_m = _PLANAR * away_m + _PLANAR_M
    share = inside.astype(np.float64)
    touched = np.flatnonzero(away_m - error_m <= reach_m)
    if len(touched):
        chosen = np.flatnonzero(np.isin(owner, touched))
        areas = areas_in_circles(start[chosen], end[chosen], reach_m[owner[chosen]])
        first = np.flatnonzero(np.insert(owner[chosen][1:] != owner[chosen][:-1], 0, True))
        share[touched] = np.minimum(np.abs(np.add.reduceat(areas, first)) / (np.pi * reach_m[touched] ** 2), 1)
    known = away_m <= PLANE_M
    return (
        np.where(known, np.maximum(away_m - error_m, 0), PLANE_M / 2),
        np.where(known, away_m + error_m, np.inf),
        share,
    )


def _around(
    outlines: NDArray[Any], longitudes: Floats, latitudes: Floats, accuracies_m: Floats
) -> tuple[Floats, Floats]:
    """Return bounds of the distances to polygons from positions outside them, which are certain but not close."""
    points = shapely.points(longitudes, latitudes)
    degree_m = SHORTEST_DEGREE_M * np.cos(np.radians(latitudes))
    reach = np.minimum(accuracies_m * SLACK / degree_m, 360.0) + BOX_MARGIN
    beyond = ~shapely.dwithin(outlines, points, reach)
    within = shapely.dwithin(outlines, points, np.minimum(accuracies_m / _LONGEST_DEGREE_M / SLACK, 360.0))
    return np.where(beyond, np.nextafter(accuracies_m, np.inf), 0.0), np.where(within, accuracies_m, np.inf)


def _reach_m(fixes: Fixes, fix: Numbers) -> Floats:
    """Return the radii of the accuracy circles."""
    return np.clip(fixes.accuracy_m[fix], SMALLEST_M, LARGEST_M)


def _shifted(versions: Versions, longitudes: Floats, version: Numbers) -> Floats:
    """Return longitudes shifted by full turns to match the outlines, whose longitudes are continuous."""
    west, east = versions.spans[version].T
    outside = (longitudes < west - 1) | (longitudes > east + 1)
    if not outside.any():
        return longitudes
    middle = (west + east) / 2
    turned = longitudes + 360 * np.round((middle - longitudes) / 360)
    return np.where(outside, turned, longitudes)


def _estimated_m(centers: Floats, radii_m: Floats, longitudes: Floats, latitudes: Floats) -> tuple[Floats, Flags]:
    """Return estimated distances to the centres of circles, and where they can be used."""
    turned = np.abs(longitudes - centers[:, 0])
    east = np.minimum(turned, 360 - turned) * np.cos(np.radians(centers[:, 1])) * _EAST_M
    north = (latitudes - centers[:, 1]) * _NORTH_M
    away_m = np.hypot(east, north)
    near = (away_m <= _ESTIMATED_M) & (np.abs(centers[:, 1]) <= _ESTIMATED_LATITUDE)
    return away_m, near & (radii_m <= _ESTIMATED_M)
