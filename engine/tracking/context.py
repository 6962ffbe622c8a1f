"""Context of a position without tracking a user, and summaries of the geofences that a user is in."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple, Protocol

import numpy as np
import shapely
from msgspec import Struct

from engine.domain.addresses.address import NO_REGIONS, Regions
from engine.domain.addresses.place import Place
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import Fix, User
from engine.domain.values import replace
from engine.geo.earth import around
from engine.geo.index import Entry
from engine.geo.shapes import extent_of
from engine.tracking.nearby_cache import REACH_M
from engine.tracking.place_state import Around, Unreadable
from engine.tracking.places import is_wanted, place_step, with_setting

FIRST_SYNC_M: Final = 250.0
MANY_PLACES: Final = 1_000
"""Number of places above which a device receives those of a smaller area."""


def place_at(around: Around, point: Point, accuracy_m: float, now: datetime, settings: ProjectSettings) -> Place | None:
    """Return the place that a user who stops there would enter, or None if there is no place or places are off."""
    if not settings.places:
        return None
    fix = Fix(point, accuracy_m, now, foreground=True, stopped=True)
    try:
        entered = place_step(None, None, around.spots(fix), fix, settings).entered
    except Unreadable:
        return None
    return None if entered is None else with_setting(entered.place, settings.chains)


def country_at(around: Around, point: Point) -> str | None:
    """Return the ISO code of the country at a position, even if regions are off, or None if it is unknown."""
    try:
        country = around.regions(point).country
    except Unreadable:
        return None
    return None if country is None else country.code


def regions_at(around: Around, point: Point, settings: ProjectSettings) -> Regions:
    """Return the regions of a user at a position, or no regions if they are off."""
    try:
        return around.regions(point) if settings.regions else NO_REGIONS
    except Unreadable:
        return NO_REGIONS


class SyncedPlace(NamedTuple):
    """A place, and the distance from its point to the farthest point of its outline, or None without an outline."""

    place: Place
    radius_m: float | None


class SyncedPlaces(Struct, frozen=True):
    """All places that generate events within `radius_m` of a position, and some beyond."""

    places: tuple[SyncedPlace, ...]
    radius_m: float


def synced_places(around: Around, point: Point, radius_m: float, settings: ProjectSettings) -> SyncedPlaces:
    """Return the places within a distance of a position, or no places if they are off.

    If there are many places, the distance is reduced. Places that cannot be read generate no events anyway.
    """
    if not settings.places:
        return SyncedPlaces((), radius_m)
    found, looked_m, look_m = SyncedPlaces((), radius_m), 0.0, FIRST_SYNC_M
    while looked_m < radius_m:
        look_m = min(look_m, radius_m)
        try:
            near = [each for each in around.within(point, look_m + REACH_M) if is_wanted(each, settings)]
        except Unreadable:
            break
        if looked_m and len(near) > MANY_PLACES:
            break
        found = SyncedPlaces(tuple(_synced(place, settings) for place in near), look_m)
        looked_m, look_m = look_m, look_m * 2
        if len(near) > MANY_PLACES:
            break
    return found


def _synced(place: Place, settings: ProjectSettings) -> SyncedPlace:
    reach_m = None if place.outline is None else reach_of_outline_m(place.outline, place.point)
    return SyncedPlace(with_setting(place, settings.chains), reach_m)


class Fences(Protocol):
    """Geofences by identifier."""

    def get(self, key: str) -> Entry[Geofence] | None:
        """Return a geofence with its shape, or None if it does not exist."""
        ...


def summary_of(fence: Entry[Geofence]) -> GeofenceSummary:
    """Return the summary of a geofence that is part of users and events."""
    given = fence.item.summary
    extent = extent_of(fence.item.geometry, fence.shape)
    return GeofenceSummary(given.id, given.tag, given.external_id, given.description, given.metadata, extent)


def summaries(fences: Fences, keys: Iterable[str]) -> tuple[GeofenceSummary, ...]:
    """Return the summaries of the geofences a user is in, sorted by tag and external ID."""
    found = [summary_of(fence) for key in keys if (fence := fences.get(key)) is not None]
    return tuple(sorted(found, key=lambda summary: (summary.tag, summary.external_id)))


def with_extents(user: User, fences: Fences) -> User:
    """Return a stored user, whose geofences come from the database, with the extents of these geofences."""
    if not user.geofences:
        return user
    known = {each.id: fences.get(each.id) for each in user.geofences}
    return replace(
        user,
        geofences=tuple(each if (fence := known[each.id]) is None else summary_of(fence) for each in user.geofences),
    )


def reach_of_outline_m(outline: bytes, point: Point) -> float:
    """Return the distance from a point to the farthest vertex of an outline."""
    positions = shapely.get_coordinates(shapely.from_wkb(outline))
    x, y = around(point.longitude, point.latitude, positions[:, 0], positions[:, 1])
    return float(np.hypot(x, y).max())
