"""All geofences in memory, ready to be found by place, by identifier and by key."""

from collections.abc import Iterable
from datetime import datetime

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.geofence import Geofence
from engine.domain.queries import NearbyGeofence, NearbyQuery, matches
from engine.geo.earth import HALF_CIRCUMFERENCE_M, distance_m
from engine.geo.index import Entry, SpatialIndex
from engine.geo.shapes import shape_of

_FIRST_LOOK_M = 2_000.0
_WIDER = 6.0


class Catalog:
    """The geofences of one environment as of the last commit. Changed by the writer's thread, read by any."""

    def __init__(self, environment: Environment, geofences: Iterable[Geofence], revision: int = 0) -> None:
        """`revision` is the number of the last edit."""
        self.environment = environment
        self.revision = revision
        entries = [_entry(geofence) for geofence in geofences]
        self.index: SpatialIndex[Geofence] = SpatialIndex(entries)
        self._ids = {(entry.item.tag, entry.item.external_id): entry.key for entry in entries}
        self._expiring = {
            entry.key: expires_at for entry in entries if (expires_at := entry.item.expires_at) is not None
        }

    def get(self, geofence_id: str) -> Geofence:
        """Return a geofence by its identifier; raises `NotFound`."""
        if (found := self.find(geofence_id)) is not None:
            return found
        raise NotFound("id", f"No geofence has the _id {geofence_id!r}.")

    def find(self, geofence_id: str) -> Geofence | None:
        """Return a geofence by its identifier, or None."""
        entry = self.index.get(geofence_id)
        return None if entry is None else entry.item

    def get_by_key(self, tag: str, external_id: str) -> Geofence:
        """Return a geofence by tag and external ID; raises `NotFound`."""
        if (found := self.find_by_key(tag, external_id)) is not None:
            return found
        raise NotFound("externalId", f"No geofence has the tag {tag!r} and the external ID {external_id!r}.")

    def find_by_key(self, tag: str, external_id: str) -> Geofence | None:
        """Return a geofence by tag and external ID, or None."""
        geofence_id = self._ids.get((tag, external_id))
        return None if geofence_id is None else self.find(geofence_id)

    def all(self) -> tuple[Geofence, ...]:
        """Return every geofence, in no order."""
        return tuple(entry.item for entry in self.index.entries())

    def next_expiry(self) -> datetime | None:
        """Return the moment after which the next geofence is disabled or deleted."""
        # Sorted out of a copy: the writer's thread may be changing it.
        return min(list(self._expiring.values()), default=None)

    def expired(self, now: datetime) -> list[Geofence]:
        """Return the geofences that are to be disabled or deleted by now."""
        keys = [key for key, moment in list(self._expiring.items()) if now > moment]
        return [geofence for key in keys if (geofence := self.find(key)) is not None]

    def apply(self, upserted: Iterable[Geofence], removed: Iterable[Geofence], revision: int) -> None:
        """Make committed changes visible; `revision` is the number of this edit."""
        upserted, removed = tuple(upserted), tuple(removed)
        for geofence in removed:
            self._ids.pop((geofence.tag, geofence.external_id), None)
            self._expiring.pop(geofence.id, None)
        for geofence in upserted:
            if geofence.expires_at is None:
                self._expiring.pop(geofence.id, None)
            else:
                self._expiring[geofence.id] = geofence.expires_at
        entries = [self._reshaped(geofence) for geofence in upserted]
        for entry in entries:
            before = self.find(entry.key)
            if before is not None and self._ids.get((before.tag, before.external_id)) == entry.key:
                del self._ids[before.tag, before.external_id]
            self._ids[entry.item.tag, entry.item.external_id] = entry.key
        self.index.change(entries, [geofence.id for geofence in removed])
        self.revision = revision

    def _reshaped(self, geofence: Geofence) -> Entry[Geofence]:
        """Return the entry of a changed geofence; a shape is made only for a new geometry."""
        before = self.index.get(geofence.id)
        if before is not None and before.item.geometry == geofence.geometry:
            return Entry(before.key, geofence, before.shape, before.boxes)
        return _entry(geofence)

    def nearby(self, query: NearbyQuery) -> tuple[NearbyGeofence, ...]:
        """Return geofences by distance to their boundary, nearest first; those around the position come first of all.

        Without a radius the look widens until there are enough.
        """
        if query.radius_m is not None:
            return tuple(self._within(query, query.radius_m)[: query.limit])
        within_m = _FIRST_LOOK_M
        while within_m < HALF_CIRCUMFERENCE_M:
            found = self._within(query, within_m)
            if len(found) >= query.limit:
                return tuple(found[: query.limit])
            within_m *= _WIDER
        return tuple(self._within(query, HALF_CIRCUMFERENCE_M)[: query.limit])

    def _within(self, query: NearbyQuery, within_m: float) -> list[NearbyGeofence]:
        longitude, latitude = query.near.longitude, query.near.latitude
        found: list[tuple[float, float, str, Geofence]] = []
        for entry in self.index.near(longitude, latitude, within_m):
            if _wanted(entry.item, query):
                away = max(0.0, entry.shape.distance_m(longitude, latitude))
                if away <= within_m:
                    center = entry.shape.center
                    to_center = distance_m(longitude, latitude, center.longitude, center.latitude)
                    found.append((away, to_center, entry.key, entry.item))
        found.sort(key=lambda row: row[:3])
        return [NearbyGeofence(geofence, away) for away, _, _, geofence in found]


def _entry(geofence: Geofence) -> Entry[Geofence]:
    return Entry.of(geofence.id, geofence, shape_of(geofence.geometry))


def _wanted(geofence: Geofence, query: NearbyQuery) -> bool:
    return (not query.tags or geofence.tag in query.tags) and matches(geofence.metadata, query.metadata)
