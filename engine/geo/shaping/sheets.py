"""Geometries on one sheet: degrees that continue across the antimeridian, in which geofence edges are straight.

The result of an operation is an `Area`, which can be a geofence, or several of one part each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import cos, radians
from typing import Any

import numpy as np
import shapely
from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS, Circle, Geometry, Point, Polygon, Position, Ring
from engine.geo.earth import destinations
from engine.geo.parts import check_polygon, united
from engine.geo.rings import unwrap

CIRCLE_VERTICES = 64
"""Number of vertices that represent a circle in operations with others. They omit 0.2 % of its area."""

_GRID = 1e-7
"""Precision of results in degrees: about a centimetre."""

_SMALLEST = 1e-11
"""Area in square degrees, about a tenth of a square metre. Smaller slivers result from rounding."""

_COUNTED = 1e-13
"""Area in square degrees, about ten square centimetres. Slivers that are smaller are not worth a message."""

_LONGEST_EDGE = 90.0


def ring_of(circle: Circle, vertices: int = CIRCLE_VERTICES) -> Ring:
    """Return a ring with `vertices` vertices that all lie on a circle."""
    azimuths = np.linspace(90.0, -270.0, vertices, endpoint=False)
    center = circle.center
    longitudes, latitudes = destinations(center.longitude, center.latitude, azimuths, circle.radius_m)
    ring = tuple(zip(longitudes.round(7).tolist(), latitudes.round(7).tolist(), strict=True))
    return (*ring, ring[0])


def rings_of(geometry: Geometry, vertices: int = CIRCLE_VERTICES) -> tuple[Ring, ...]:
    """Return the rings of a polygon, or for a circle a ring with `vertices` vertices."""
    return (ring_of(geometry, vertices),) if isinstance(geometry, Circle) else geometry.rings


def sheet_of(geometries: Sequence[Geometry]) -> list[Any]:
    """Return geometries as shapely geometries, all in the same turn of the earth as the first.

    Those with several parts become a MultiPolygon. Raises `InvalidParameter` for ``coordinates`` if a circle surrounds
    a pole, which no ring can represent.
    """
    sheets: list[Any] = []
    for geometry in geometries:
        sheet = _sheet(geometry)
        sheets.append(turned(sheet, sheets[0]) if sheets else sheet)
    return sheets


def _sheet(geometry: Geometry) -> Any:
    if isinstance(geometry, Polygon) and not geometry.is_single_ring:
        return united(geometry)
    ring = np.asarray(unwrap(ring_of(geometry) if isinstance(geometry, Circle) else geometry.ring))
    if tuple(ring[0]) != tuple(ring[-1]):
        raise InvalidParameter("coordinates", "coordinates: a circle around a pole cannot become a polygon.")
    return shapely.Polygon(ring)


def line_on(sheet: Any, line: Sequence[Position]) -> Any:
    """Return a line in the same turn of the earth as a sheet."""
    return turned(shapely.LineString(unwrap(line)), sheet)


def turned(shape: Any, other: Any) -> Any:
    """Return a shape shifted by full turns so that its middle is nearest to that of another."""
    if shape.is_empty:
        return shape
    (west, _, east, _), (west_of_other, _, east_of_other, _) = shape.bounds, other.bounds
    shift = 360.0 * round((west_of_other + east_of_other - west - east) / 720.0)
    return shapely.transform(shape, lambda positions: np.add(positions, (shift, 0.0))) if shift else shape


class Area(Struct, frozen=True, dict=True):
    """The result of an operation, which may have several parts and holes.

    It is `unchanged` if it is the first geometry of the operation. `slivers` is the number of parts and holes that were
    left out because they are very small.
    """

    shape: Any
    unchanged: bool = False
    slivers: int = 0

    @classmethod
    def of(cls, shape: Any, first: Any = None) -> Area:
        """Return a result after rounding, without lines and slivers. `first` is the sheet it may be the same as.

        Raises `InvalidParameter` for ``coordinates`` if it cannot be rounded, which may happen near a pole.
        """
        try:
            # Rounded individually, so that parts that touch remain separate.
            with np.errstate(all="ignore"):
                exact = [shapely.set_precision(shapely.make_valid(part), _GRID) for part in _polygons(shape)]
                unchanged = first is not None and shapely.symmetric_difference(shape, first).area <= _SMALLEST
        except shapely.errors.GEOSException as error:
            raise InvalidParameter("coordinates", "coordinates: the result has no sound outline.") from error
        kept = sorted((piece for part in exact for piece in _polygons(part)), key=_size, reverse=True)
        return cls(shapely.MultiPolygon(kept), unchanged, _sliver_count(shape))

    @cached_property
    def parts(self) -> int:
        """Number of parts."""
        return len(self.shape.geoms)

    @cached_property
    def holes(self) -> int:
        """Number of holes in all parts."""
        return sum(len(part.interiors) for part in self.shape.geoms)

    def polygon(self) -> Polygon:
        """Return the polygon with all parts and holes; raises `InvalidParameter` for ``coordinates``."""
        # Parts that are rounded one by one may overlap by a sliver.
        whole = shapely.union_all(self.shape.geoms, grid_size=_GRID) if self.parts > 1 else self.shape
        return _checked(sorted(_polygons(whole), key=_size, reverse=True))

    def polygons(self) -> tuple[Polygon, ...]:
        """Return each part with its holes, largest first; raises `InvalidParameter` for ``coordinates``."""
        return tuple(_checked((part,)) for part in self.shape.geoms)

    def cut(self) -> tuple[Polygon, ...]:
        """Return the parts cut at their holes, so that none has any; raises `InvalidParameter` for ``coordinates``."""
        pieces = [piece for part in self.shape.geoms for piece in _cut_at_holes(part)]
        return tuple(map(_checked, zip(sorted(pieces, key=_size, reverse=True))))


def _polygons(shape: Any) -> Iterator[Any]:
    for part in _flat(shape):
        if part.area > _SMALLEST:
            yield shapely.Polygon(part.exterior, [hole for hole in part.interiors if _area(hole) > _SMALLEST])


def _sliver_count(shape: Any) -> int:
    parts = list(_flat(shape))
    areas = [*(part.area for part in parts), *(_area(hole) for part in parts for hole in part.interiors)]
    return sum(_COUNTED < area <= _SMALLEST for area in areas)


def _flat(shape: Any) -> Iterator[Any]:
    """Yield the polygons of a geometry or of a collection."""
    for part in shapely.get_parts(shape):
        if shapely.get_type_id(part) in (4, 5, 6, 7):
            yield from _flat(part)
        elif shapely.get_type_id(part) == 3:
            yield part


def _size(part: Any) -> float:
    """Return a measure by which parts are compared: the area in degrees, narrowed by the latitude."""
    return float(part.area * cos(radians(part.centroid.y)))


def _area(ring: Any) -> float:
    return float(shapely.Polygon(ring).area)


def _cut_at_holes(part: Any) -> Iterable[Any]:
    """Yield pieces that together make up a polygon, which is cut along a meridian through each hole."""
    if not part.interiors:
        return (part,)
    west, south, east, north = part.bounds
    through = shapely.Polygon(part.interiors[0]).representative_point().x
    halves = (
        shapely.intersection(part, shapely.box(west - 1, south - 1, through, north + 1)),
        shapely.intersection(part, shapely.box(through, south - 1, east + 1, north + 1)),
    )
    return [
        piece
        for half in halves
        for each in _polygons(shapely.set_precision(half, _GRID))
        for piece in _cut_at_holes(each)
    ]


def _checked(parts: Sequence[Any]) -> Polygon:
    rings = [
        [_positions_of(part.exterior, ccw=True), *(_positions_of(hole, ccw=False) for hole in part.interiors)]
        for part in parts
    ]
    count, positions = sum(map(len, rings)), sum(len(ring) for part in rings for ring in part)
    if positions > MAX_RING_POSITIONS:
        most = f"at most {MAX_RING_POSITIONS - count:,} vertices"
        raise InvalidParameter(
            "coordinates",
            f"coordinates: the result has {positions - count:,} vertices; {most} are allowed. Simplify it first.",
        )
    return check_polygon(rings)


def _positions_of(ring: Any, *, ccw: bool) -> list[Position]:
    west, _, east, _ = ring.bounds
    if east - west > _LONGEST_EDGE:
        ring = shapely.segmentize(ring, _LONGEST_EDGE)  # an edge of half a turn would go the other way around
    positions = shapely.get_coordinates(ring if ring.is_ccw is ccw else ring.reverse())
    return [within(longitude, latitude) for longitude, latitude in positions.tolist()]


def within(longitude: float, latitude: float) -> tuple[float, float]:
    """Return a position with its longitude within ±180, rounded like results."""
    if not -180.0 <= longitude <= 180.0:
        longitude = (longitude + 180.0) % 360.0 - 180.0
    return round(longitude, 7), min(max(round(latitude, 7), -90.0), 90.0)


def center_of(sheet: Any) -> Point:
    """Return the centre of a polygon's bounding box."""
    west, south, east, north = sheet.bounds
    return Point(*within((west + east) / 2, (south + north) / 2))
