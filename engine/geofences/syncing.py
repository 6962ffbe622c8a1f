"""The geofences of a region that a device stores, to detect by itself when one may be entered or left."""

from typing import Final

from msgspec import Struct

from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Point
from engine.domain.tracking.updates import Subject
from engine.geo.index import SpatialIndex
from engine.geofences.audience import is_for

MAX_RADIUS_M: Final = 10_000.0
MIN_RADIUS_M: Final = 100.0
"""Radius, in metres, within which a device gets all geofences, regardless of their number."""

MARGIN_M: Final = 100.0
"""Distance in metres beyond the region up to which geofences are included, because of a device's accuracy."""

ENOUGH: Final = 500
"""Number of geofences above which the region is made smaller."""

ENOUGH_POSITIONS: Final = 20_000
"""Number of outline positions above which the region is made smaller."""

_FIRST_LOOK_M: Final = 1_000.0


class SyncedFences(Struct, frozen=True):
    """All geofences within `radius_m` of a position, and some beyond."""

    geofences: tuple[Geofence, ...]
    radius_m: float


def synced_fences(index: SpatialIndex[Geofence], near: Point, subject: Subject) -> SyncedFences:
    """Return the enabled geofences around a position that apply to a subject, and the complete radius."""
    found = _within(index, near, subject, _FIRST_LOOK_M)
    return found if found.radius_m < _FIRST_LOOK_M else _within(index, near, subject, MAX_RADIUS_M)


def _within(index: SpatialIndex[Geofence], near: Point, subject: Subject, radius_m: float) -> SyncedFences:
    found: list[Geofence] = []
    positions = 0
    for at_least_m, entry in index.nearest(near.longitude, near.latitude, radius_m + MARGIN_M):
        # Later entries are at least as far away.
        if at_least_m > MIN_RADIUS_M + MARGIN_M and (len(found) >= ENOUGH or positions >= ENOUGH_POSITIONS):
            return SyncedFences(tuple(found), min(radius_m, at_least_m - MARGIN_M))
        if is_for(entry.item, subject):
            found.append(entry.item)
            geometry = entry.item.geometry
            positions += 1 if isinstance(geometry, Circle) else geometry.position_count
    return SyncedFences(tuple(found), radius_m)
