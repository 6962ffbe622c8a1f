"""The geofences of an open workspace: found, created, edited and deleted.

Every change is judged in the writer's thread, where no other change can come between looking and storing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace

from engine.domain.clock import real_seconds
from engine.domain.edits import Author, EditSource, current_author
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Point
from engine.domain.ports import Clock, Progress, Stop, no_progress, reporting, share
from engine.domain.queries import GeofenceQuery, NearbyGeofence, NearbyQuery, Page
from engine.domain.routing import Moved
from engine.domain.tracking.updates import Subject
from engine.domain.values.dataclass import dataclass
from engine.geo.bounds import Bounds
from engine.geofences.catalog import Catalog
from engine.geofences.changes import Finders, expired, moved_by
from engine.geofences.judging import Judge
from engine.geofences.parts import GeofencePart
from engine.geofences.syncing import SyncedFences, synced_fences
from engine.store.database import Database
from engine.store.geofences import remove, save
from engine.store.history.keeping import keep_edit
from engine.store.nightly.records import forget_files
from engine.store.queries import geofence_page
from engine.store.writer import Connection, Writer


@dataclass(frozen=True, slots=True)
class Edited:
    """Geofences that a commit stored and deleted."""

    environment: Environment
    saved: tuple[Geofence, ...] = ()
    removed: tuple[Geofence, ...] = ()
    revision: int = 0
    devices_left: frozenset[str] = frozenset()
    """The devices of users who have left a geofence by this, without an event."""


type Keep = Callable[[tuple[Geofence, ...], tuple[Geofence, ...]], Edited]
"""Stores some geofences and deletes others."""


class Geofences:
    """Finds and changes geofences. Its methods may be called from any thread; what changes some, not the writer's."""

    def __init__(
        self,
        catalogs: Mapping[Environment, Catalog],
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        edited: Callable[[Edited], None],
        judges: Mapping[Environment, Judge],
        finders: Finders,
    ) -> None:
        """`edited` is told in the writer's thread when a change is committed and visible in the catalog.

        `finders` find the rings of isochrones, addresses and places.
        """
        self._catalogs = catalogs
        self._database = database
        self._writer = writer
        self._clocks = clocks
        self._edited = edited
        self._finders = finders
        self._judges = judges

    # Found

    def get(self, environment: Environment, geofence_id: str) -> Geofence:
        """Return a geofence; raises `NotFound`."""
        return self._catalogs[environment].get(geofence_id)

    def get_by_key(self, environment: Environment, tag: str, external_id: str) -> Geofence:
        """Return the geofence with this tag and external ID; raises `NotFound`."""
        return self._catalogs[environment].get_by_key(tag, external_id)

    @property
    def stop(self) -> Stop:
        """Whether the program is being stopped: what takes long with many geofences checks it."""
        return self._writer.stop

    def count(self, environment: Environment) -> int:
        """Return how many there are."""
        return len(self._catalogs[environment])

    def all(self, environment: Environment, report: Progress | None = None) -> tuple[Geofence, ...]:
        """Return every geofence, in no order, from memory; `report` is told of the progress and may end it."""
        return self._catalogs[environment].all(report)

    def parts(self, environment: Environment, most: int) -> Iterator[GeofencePart]:
        """Yield every geofence by columns, at most so many at a time; one that is edited meanwhile may come twice."""
        return self._catalogs[environment].parts(most)

    def bounds(self, environment: Environment) -> Bounds | None:
        """Return a box around all of them, None where there is none; it may be a little wider than they are."""
        return self._catalogs[environment].bounds()

    def tags(self, environment: Environment) -> frozenset[str]:
        """Return the tags in use."""
        return self._catalogs[environment].tags()

    def page(self, environment: Environment, query: GeofenceQuery) -> Page[Geofence]:
        """Return geofences by update time, newest first."""
        return self._database.read(lambda connection: geofence_page(connection, environment, query))

    def nearby(self, environment: Environment, query: NearbyQuery) -> tuple[NearbyGeofence, ...]:
        """Return geofences by distance, nearest first."""
        return self._catalogs[environment].nearby(query)

    def synced(self, environment: Environment, near: Point, subject: Subject) -> SyncedFences:
        """Return the geofences around a position that a device of a subject may meet, and within which distance."""
        return synced_fences(self._catalogs[environment].index, near, subject)

    # Changed

    def create(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Store a new geofence; raises `InvalidParameter`, or `Conflict` when its tag and external ID are taken."""
        return self._save_one(environment, lambda: self._judges[environment].created(change))

    def upsert(self, environment: Environment, tag: str, external_id: str, change: GeofenceChange) -> Geofence:
        """Change the geofence with this tag and external ID, or store a new one."""
        find, judge = self._catalogs[environment].find_by_key, self._judges[environment]
        return self._save_one(environment, lambda: judge.upserted(find, tag, external_id, change))

    def update(self, environment: Environment, geofence_id: str, change: GeofenceChange) -> Geofence:
        """Change a geofence; raises `NotFound`, `InvalidParameter` or `Conflict`."""
        judge = self._judges[environment]
        return self._save_one(environment, lambda: judge.changed(self.get(environment, geofence_id), change))

    def restore(self, environment: Environment, geofence: Geofence) -> Geofence:
        """Store exactly this record again, to undo a change or a deletion; raises `Conflict`."""
        return self._save_one(environment, lambda: self._judges[environment].restored(geofence))

    def judged_creation(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Return what `create` would store; nothing is."""
        return self._judges[environment].created(change)

    def judged_change(self, environment: Environment, geofence: Geofence, change: GeofenceChange) -> Geofence:
        """Return what a change would make of a geofence; nothing is stored."""
        return self._judges[environment].changed(geofence, change)

    def put_all(
        self,
        environment: Environment,
        saved: Sequence[Geofence],
        removed: Sequence[str],
        report: Progress = no_progress,
    ) -> None:
        """Store exactly these records and delete others, in one transaction; raises `Conflict`.

        Of those that are to be deleted some may be gone already; their tags and external IDs are free for the others.
        `report` is told of the progress up to the commit; where it raises, nothing is changed.
        """
        catalog, judge = self._catalogs[environment], self._judges[environment]
        gone, author = frozenset(removed), current_author()

        def work(connection: Connection) -> Edited:
            there = tuple(filter(None, map(catalog.find, removed)))
            restored = judge.all_restored(saved, gone, share(report, 0, 4))
            return self._stored(connection, environment, author, restored, there, share(report, 1, 4, width=3))

        self._writer.run(work, self._apply)

    def delete(self, environment: Environment, geofence_id: str) -> Geofence:
        """Delete a geofence, ending the stays in it silently, and return it; raises `NotFound`."""
        author = current_author()

        def work(connection: Connection) -> Edited:
            return self._stored(connection, environment, author, removed=(self.get(environment, geofence_id),))

        return self._writer.run(work, self._apply).removed[0]

    def delete_all(self, environment: Environment) -> int:
        """Delete every geofence, ending the stays in them silently; return how many there were."""
        author = current_author()

        def work(connection: Connection) -> Edited:
            forget_files(connection, environment)
            removed = self.all(environment, self.stop.check)
            return self._stored(connection, environment, author, removed=removed, report=self.stop.check)

        return len(self._writer.run(work, self._apply, long=True).removed)

    def edit[T](self, environment: Environment, work: Callable[[Connection, Keep], T]) -> T:
        """Run work in the writer's thread, in one transaction with the one edit that it may hand to its `Keep`.

        Raises `Stopped`, and changes nothing, when the program is being stopped before it is committed.
        """
        author = current_author()

        def run(connection: Connection) -> tuple[T, list[Edited]]:
            edits: list[Edited] = []

            def keep(saved: tuple[Geofence, ...], removed: tuple[Geofence, ...]) -> Edited:
                edits.append(self._stored(connection, environment, author, saved, removed, self.stop.check))
                return edits[-1]

            return work(connection, keep), edits

        def then(done: tuple[T, list[Edited]]) -> None:
            for edited in done[1]:
                self._apply(edited, self.stop.check)

        return self._writer.run(run, then, long=True)[0]

    def moved_by(self, change: GeofenceChange, geofence: Geofence) -> Moved | None:
        """Return how far a change, which was just stored, moved the centre of an isochrone to a road, if far."""
        return moved_by(change, geofence, self._finders)

    # Expired

    def until_expiry_s(self, scales: Mapping[Environment, float]) -> float | None:
        """Return in how many real seconds the next geofence expires, None for never; `scales` are of the clocks."""
        waits = []
        for environment, catalog in self._catalogs.items():
            if (moment := catalog.next_expiry()) is not None:
                waits.append(real_seconds(moment, self._clocks[environment].now(), scales[environment]))
        return min((wait for wait in waits if wait is not None), default=None)

    def expire(self) -> None:
        """Disable and delete the geofences whose time has passed, ending the stays in them silently."""
        for environment, catalog in self._catalogs.items():
            if catalog.expired(self._clocks[environment].now()):
                self._expire(environment)

    def _expire(self, environment: Environment) -> None:
        catalog, clock = self._catalogs[environment], self._clocks[environment]
        author = Author(EditSource.EXPIRY)

        def work(connection: Connection) -> Edited:
            now = clock.now()
            after = [(geofence, expired(geofence, now)) for geofence in catalog.expired(now)]
            saved = tuple(kept for geofence, kept in after if kept is not None and kept is not geofence)
            removed = tuple(geofence for geofence, kept in after if kept is None)
            if not (saved or removed):
                return Edited(environment, revision=catalog.revision)
            return self._stored(connection, environment, author, saved, removed)

        self._writer.run(work, self._apply)

    def _save_one(self, environment: Environment, decide: Callable[[], Geofence]) -> Geofence:
        # Once before it counts: what takes long, and most of what is wrong, is found without keeping devices waiting.
        decide()
        author = current_author()

        def work(connection: Connection) -> Edited:
            return self._stored(connection, environment, author, (decide(),))

        return self._writer.run(work, self._apply).saved[0]

    def _stored(
        self,
        connection: Connection,
        environment: Environment,
        author: Author,
        saved: tuple[Geofence, ...] = (),
        removed: tuple[Geofence, ...] = (),
        report: Progress = no_progress,
    ) -> Edited:
        """Store an edit under the next revision, and keep who made it and what it replaces."""
        catalog = self._catalogs[environment]
        revision = catalog.revision + 1
        numbered, replaced = [], list(removed)
        for geofence in reporting(saved, share(report, 0, 3)):
            before = catalog.find(geofence.id)
            if before is not None and _decides_alike(before, geofence):
                numbered.append(replace(geofence, revision=before.revision))
                continue
            numbered.append(replace(geofence, revision=revision))
            if before is not None:
                replaced.append(before)
        if replaced or any(geofence.revision == revision for geofence in numbered):
            now = self._clocks[environment].now()
            keep_edit(connection, environment, revision, replaced, now, author, share(report, 1, 3))
        # First what goes: those that are stored may take over its tags and external IDs.
        left = remove(connection, [geofence.id for geofence in removed])
        left |= save(connection, numbered, share(report, 2, 3))
        return Edited(environment, tuple(numbered), removed, revision, left)

    def _apply(self, edited: Edited, report: Progress = no_progress) -> None:
        self._catalogs[edited.environment].apply(edited.saved, edited.removed, edited.revision, report)
        self._edited(edited)


_DECIDING = tuple(each.name for each in fields(Geofence) if each.name not in ("updated_at", "revision"))


def _decides_alike(before: Geofence, after: Geofence) -> bool:
    """Whether an explanation cannot tell two versions of a geofence apart."""
    return all(getattr(before, name) == getattr(after, name) for name in _DECIDING)
