"""The rings of a polygon by number: their names, the one at a position, and what can be added to them.

Numbers are those of `Polygon.rings`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

import numpy as np
import shapely
from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.words import fence_name
from engine.domain.geofence import Geofence
from engine.domain.geometry import MAX_HOLES, MAX_PARTS, MAX_RING_POSITIONS, Circle, Isochrone, Point, Polygon, Ring
from engine.geo.parts import continuous


class Drawing(Enum):
    """The rings that can be drawn to change the selected geofence."""

    HOLE = "hole"
    PART = "part"


class RingPlace(Struct, frozen=True):
    """The place of a ring: the number of its part, and 0 for the outer ring or else the number of the hole."""

    part: int
    hole: int
    parts: int
    """Number of parts of the polygon."""
    holes: int
    """Number of holes of this part."""

    @property
    def name(self) -> str:
        """The name of the ring. Parts and holes are counted from 1."""
        if self.parts == 1:
            return tr("Hole {number:,}", number=self.hole) if self.hole else tr("Outer ring")
        if self.hole:
            return tr("Part {number:,}, hole {hole:,}", number=self.part + 1, hole=self.hole)
        return tr("Part {number:,}", number=self.part + 1)

    @property
    def can_be_deleted(self) -> bool:
        """Whether the geofence has another part without this ring."""
        return self.hole > 0 or self.parts > 1


def places_of(polygon: Polygon) -> tuple[RingPlace, ...]:
    """Return the places of all rings."""
    return tuple(_places([len(part.holes) for part in polygon.parts]))


def _places(holes: Sequence[int]) -> Iterator[RingPlace]:
    for part, count in enumerate(holes):
        for hole in range(count + 1):
            yield RingPlace(part, hole, len(holes), count)


def ring_at(polygon: Polygon, point: Point) -> int | None:
    """Return the number of the hole at a position, or of the outer ring of the part there, or None if there is none."""
    hole: int | None = None
    for number, (place, ring) in enumerate(zip(places_of(polygon), polygon.rings, strict=True)):
        if not _contains(ring, point):
            continue
        if place.hole:
            hole = number
        elif not any(_contains(each, point) for each in polygon.parts[place.part].holes):
            return number
    return hole


def _contains(ring: Ring, point: Point) -> bool:
    positions = np.asarray(continuous(ring))
    middle = (positions[:, 0].min() + positions[:, 0].max()) / 2
    longitude = point.longitude + 360 * np.round((middle - point.longitude) / 360)
    return bool(shapely.Polygon(positions).covers(shapely.Point(longitude, point.latitude)))


def reason_against(drawing: Drawing | None, fences: Sequence[Geofence], *, locked: bool) -> str:
    """Return why nothing can be drawn into the selected geofences, or their rings cannot be changed at all, or ""."""
    if len(fences) != 1:
        return tr("Select one geofence.")
    (fence,) = fences
    geometry = fence.geometry
    if isinstance(geometry, Circle | Isochrone):
        return tr(
            "{geofence_name} is not a polygon: use Convert to polygon first.",
            geofence_name=fence_name(fence),
        )
    if locked:
        return tr("The shape of {geofence_name} is locked.", geofence_name=fence_name(fence))
    return "" if drawing is None else _limit(drawing, geometry)


def _limit(drawing: Drawing, polygon: Polygon) -> str:
    holes = len(polygon.rings) - len(polygon.parts)
    if drawing is Drawing.HOLE and holes >= MAX_HOLES:
        return tr("A geofence may have at most {max_count:,} holes.", max_count=MAX_HOLES)
    if drawing is Drawing.PART and len(polygon.parts) >= MAX_PARTS:
        return tr("A geofence may have at most {max_count:,} parts.", max_count=MAX_PARTS)
    if polygon.position_count + 4 > MAX_RING_POSITIONS:
        return tr("A geofence may have at most {max_count:,} positions.", max_count=MAX_RING_POSITIONS)
    return ""
