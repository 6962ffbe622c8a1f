"""All geofences in memory, indexed by position, identifier, key and expiry."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from heapq import heapify, heappop, heappush
from itertools import batched, chain
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.geofence import Geofence
from engine.domain.metadata import matches
from engine.domain.ports import Progress, no_progress, reporting
from engine.domain.queries import NearbyGeofence, NearbyQuery
from engine.geo.bounds import Bounds, Boxes, around
from engine.geo.earth import HALF_CIRCUMFERENCE_M
from engine.geo.index import Edits, Entry, SpatialIndex
from engine.geo.nearest import nearest
from engine.geo.shapes import shape_of
from engine.geofences.audience import is_for
from engine.geofences.packed_store import PackedStore, load_packed_stores
from engine.geofences.parts import GeofencePart, part_of
from engine.store.database import keeping_few_pages
from engine.store.records.cells import from_ms
from engine.store.updates import last_revision
from engine.store.writer import Connection

_FIRST_LOOKS_M = (2_000.0, 12_000.0)
_PART: Final = 10_000
_NUMBER: Final = re.compile(r"[1-9]\d{0,17}", re.ASCII)
_SLACK = 1_000
"""Number of outdated heap entries allowed beyond the number of current ones."""


class Expiries:
    """Expiry times by key, with fast access to the earliest. Changed by the writer's thread, read by any."""

    def __init__(self, moments: Iterable[tuple[str, datetime]] = ()) -> None:
        self._moments = dict(moments)
        self._heap: list[tuple[datetime, str]] = []
        self._rebuild()

    def copy(self) -> "Expiries":
        """Return an independent copy."""
        return Expiries(self._moments.items())

    def next(self) -> datetime | None:
        """Return the earliest expiry, or None."""
        # Outdated entries are never left at the top.
        return next((moment for moment, _ in self._heap[:1]), None)

    def before(self, now: datetime) -> list[str]:
        """Return the keys whose expiry is strictly before `now`."""
        heap, found, places = list(self._heap), [], [0]
        while places:
            place = places.pop()
            if place < len(heap) and heap[place][0] < now:
                found.append(heap[place])
                places += (2 * place + 1, 2 * place + 2)
        return list({key: None for moment, key in found if self._moments.get(key) == moment})

    def change(self, moments: Iterable[tuple[str, datetime | None]]) -> None:
        """Set expiry times; None is for keys that no longer expire."""
        for key, moment in moments:
            if moment is None:
                self._moments.pop(key, None)
            elif self._moments.get(key) != moment:
                self._moments[key] = moment
                heappush(self._heap, (moment, key))
        if len(self._heap) > 2 * len(self._moments) + _SLACK:
            self._rebuild()
        while self._heap and self._moments.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)

    def _rebuild(self) -> None:
        heap = [(moment, key) for key, moment in self._moments.items()]
        heapify(heap)
        self._heap = heap


class Prepared(Struct, frozen=True):
    """The contents of a catalog after an edit that is not visible yet."""

    edits: Edits[Geofence]
    edited_ids: dict[tuple[str, str], str]
    expiries: Expiries
    revision: int


class Catalog:
    """The geofences of one environment as of the last commit. Changed by the writer's thread, read by any."""

    def __init__(self, environment: Environment, packed: PackedStore | None = None, revision: int = 0) -> None:
        """Create a catalog with the geofences in `packed`; `revision` is the number of the last known edit."""
        self.environment = environment
        self._packed = PackedStore() if packed is None else packed
        self.revision = max(revision, self._packed.revision)
        self.index: SpatialIndex[Geofence] = SpatialIndex(loaded=self._packed)
        self._edited_ids: dict[tuple[str, str], str] = {}
        self._expiries = Expiries((key, from_ms(moment)) for key, moment in self._packed.expiring)

    def get(self, geofence_id: str) -> Geofence:
        """Return a geofence by its identifier; raises `NotFound`."""
        if (found := self.find(geofence_id)) is not None:
            return found
        raise NotFound("id", f"No geofence has the _id {geofence_id!r}.")

    def find(self, geofence_id: str) -> Geofence | None:
        """Return a geofence by its identifier, or None."""
        return self.index.item(geofence_id)

    def get_by_key(self, tag: str, external_id: str) -> Geofence:
        """Return a geofence by tag and external ID; raises `NotFound`."""
        if (found := self.find_by_key(tag, external_id)) is not None:
            return found
        raise NotFound("external_id", f"No geofence has the tag {tag!r} and the external ID {external_id!r}.")

    def find_by_key(self, tag: str, external_id: str) -> Geofence | None:
        """Return a geofence by tag and external ID, or None."""
        geofence_id = self._edited_ids.get((tag, external_id))
        if geofence_id is None:
            number = self._packed.number_of_key(tag, external_id)
            if number is None:
                return None
            geofence_id = self._packed.item(number).id
        found = self.find(geofence_id)
        # Its key may have changed since, or it may have been deleted.
        return found if found is not None and (found.tag, found.external_id) == (tag, external_id) else None

    def holder_of_key(self, tag: str, external_id: str) -> str | None:
        """Return the identifier of the geofence with this tag and external ID, reading no unchanged geofence."""
        number = self._packed.number_of_key(tag, external_id)
        if number is not None and self.index.is_as_loaded(number):
            return self._packed.ids[number]
        found = self.find_by_key(tag, external_id)
        return None if found is None else found.id

    def __len__(self) -> int:
        return len(self.index)

    def all(self, report: Progress | None = None) -> tuple[Geofence, ...]:
        """Return every geofence, in no particular order; `report` receives the progress and may abort by raising."""
        return tuple(self.index.items(report))

    def parts(self, most: int) -> Iterator[GeofencePart]:
        """Yield every geofence, at most `most` at a time; one that is edited in the meantime may appear twice."""
        is_as_loaded = self.index.is_as_loaded
        for begin in range(0, len(self._packed.ids), most):
            numbers = range(len(self._packed.ids))[begin : begin + most]
            there = [number for number in numbers if is_as_loaded(number)]
            yield self._packed.part(numbers if len(there) == len(numbers) else there)
        for some in batched(self.index.edited().values(), most):
            yield part_of(some)

    def tags(self) -> frozenset[str]:
        """Return the tags in use."""
        return self._packed.tags_of(self.index.as_loaded()) | {each.tag for each in self.index.edited().values()}

    def last_number(self, tag: str) -> int:
        """Return the highest external ID of a tag that is a whole number, or 0."""
        columns = (part.columns for part in self.parts(_PART))
        keys = chain.from_iterable(zip(each.tags, each.external_ids, strict=True) for each in columns)
        return max((int(own) for of, own in keys if of == tag and _NUMBER.fullmatch(own)), default=0)

    def bounds(self) -> Bounds | None:
        """Return a box around all geofences, which may be slightly larger than necessary, or None if there are none."""
        edited = [entry.shape.bounds for entry in self.index.edited_entries()]
        sides = np.array(edited).reshape(-1, len(Boxes._fields)).T
        loaded = self._packed.boxes_of(self.index.as_loaded())
        return around(Boxes(*map(np.append, loaded, sides)))

    def next_expiry(self) -> datetime | None:
        """Return the time after which the next geofence is disabled or deleted, or None."""
        return self._expiries.next()

    def expired(self, now: datetime) -> list[Geofence]:
        """Return the geofences due to be disabled or deleted."""
        found = map(self.find, self._expiries.before(now))
        return [geofence for geofence in found if geofence is not None]

    def apply(self, upserted: Iterable[Geofence], removed: Iterable[Geofence], revision: int) -> None:
        """Make committed changes visible; `revision` is the number of the edit."""
        upserted, removed = tuple(upserted), tuple(removed)
        before = {geofence.id: self.index.get(geofence.id) for geofence in upserted}
        self.index.change(
            [_reshaped(geofence, before[geofence.id]) for geofence in upserted], [geofence.id for geofence in removed]
        )
        replaced = [entry.item for entry in before.values() if entry is not None]
        _note_keys(self._edited_ids, upserted, (*removed, *replaced))
        _note_expiries(self._expiries, upserted, removed)
        self.revision = revision

    def prepared(
        self,
        upserted: Sequence[Geofence],
        removed: Sequence[Geofence],
        replaced: Sequence[Geofence],
        revision: int,
        report: Progress = no_progress,
    ) -> Prepared:
        """Return the future state of the catalog after a large edit, from any thread; `become` makes it visible.

        `replaced` are the current versions of the `upserted`. No other edit may be made in between.
        """
        entries = (_reshaped(each, self.index.get(each.id)) for each in reporting(upserted, report))
        edits = self.index.prepared(entries, [geofence.id for geofence in removed])
        ids, expiries = self._edited_ids.copy(), self._expiries.copy()
        _note_keys(ids, upserted, (*removed, *replaced))
        _note_expiries(expiries, upserted, removed)
        return Prepared(edits, ids, expiries, revision)

    def become(self, prepared: Prepared) -> None:
        """Make a prepared edit visible all at once, after its commit."""
        self.index.become(prepared.edits)
        self._edited_ids, self._expiries = prepared.edited_ids, prepared.expiries
        self.revision = prepared.revision

    def nearby(self, query: NearbyQuery) -> tuple[NearbyGeofence, ...]:
        """Return geofences by distance to their boundary, nearest first; containing geofences precede all others.

        The search radius widens until there are enough.
        """
        for within_m in _FIRST_LOOKS_M:
            if query.radius_m is not None and query.radius_m <= within_m:
                break
            found = self._nearest(query, within_m)
            if len(found) == query.limit:
                return found
        if query.radius_m is not None:
            return self._nearest(query, query.radius_m)
        return self._nearest(query, HALF_CIRCUMFERENCE_M, self._packed.among(query.tags, query.metadata))

    def _nearest(
        self, query: NearbyQuery, within_m: float, among: NDArray[np.bool] | None = None
    ) -> tuple[NearbyGeofence, ...]:
        position = query.near.longitude, query.near.latitude
        found = nearest(self.index, position, within_m, query.limit, lambda item: _wanted(item, query), among)
        return tuple(NearbyGeofence(each.entry.item, each.away_m) for each in found)


def _reshaped(geofence: Geofence, before: Entry[Geofence] | None) -> Entry[Geofence]:
    """Return the entry of a changed geofence, with a new shape only if the geometry changed."""
    if before is not None and before.item.geometry == geofence.geometry:
        return Entry(geofence.id, geofence, before.shape, before.boxes)
    return Entry.of(geofence.id, geofence, shape_of(geofence.geometry))


def _note_keys(ids: dict[tuple[str, str], str], upserted: Iterable[Geofence], former: Iterable[Geofence]) -> None:
    for geofence in former:
        ids.pop((geofence.tag, geofence.external_id), None)
    for geofence in upserted:
        ids[geofence.tag, geofence.external_id] = geofence.id


def _note_expiries(expiries: Expiries, upserted: Iterable[Geofence], removed: Iterable[Geofence]) -> None:
    expiries.change((geofence.id, None) for geofence in removed)
    expiries.change((geofence.id, geofence.expires_at) for geofence in upserted)


def load_catalogs(connection: Connection) -> dict[Environment, Catalog]:
    """Return the stored geofences."""
    with keeping_few_pages(connection):
        stores = load_packed_stores(connection)
        return {env: Catalog(env, packed, last_revision(connection, env)) for env, packed in stores.items()}


def _wanted(geofence: Geofence, query: NearbyQuery) -> bool:
    if query.subject is not None and not is_for(geofence, query.subject):
        return False
    return (not query.tags or geofence.tag in query.tags) and matches(geofence.metadata, query.metadata)
