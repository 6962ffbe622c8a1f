"""The geofences of an open workspace: finding, creating, editing and deleting them.

Edits take turns (`EditTurns`), so no other edit can come between reading and storing. A small edit is one transaction.
A large one is stored in portions and then published at once, so that updates of other clients need not wait.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from engine.domain.clock import real_seconds
from engine.domain.edits import Author, EditSource, current_author, editing_as
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Isochrone, Point
from engine.domain.ports import Clock, Progress, Stop, no_progress, reporting, share
from engine.domain.queries import GeofenceQuery, NearbyGeofence, NearbyQuery, Page
from engine.domain.routing import Edge, Moved
from engine.domain.tracking.updates import Subject
from engine.domain.values import replace
from engine.geo.bounds import Bounds
from engine.geofences.catalog import Catalog
from engine.geofences.changes import Finders, expired, moved_by
from engine.geofences.judging import Judge, Restored
from engine.geofences.parts import GeofencePart
from engine.geofences.portions import Portions, begin
from engine.geofences.syncing import SyncedFences, synced_fences
from engine.store.database import Database
from engine.store.geofences import forget_some_versions, keep_edit, remove, save
from engine.store.imports import ImportedItem, item_rows, keep_items, next_number
from engine.store.nightly.records import forget_files
from engine.store.queries import geofence_page
from engine.store.staging.geofences import publish_geofences
from engine.store.staging.turns import EditTurns, is_large
from engine.store.writer import Connection, Writer, without_collecting


class Edited(Struct, frozen=True):
    """Geofences that a commit stored and deleted."""

    environment: Environment
    saved: tuple[Geofence, ...] = ()
    removed: tuple[Geofence, ...] = ()
    revision: int = 0
    devices_left: frozenset[str] = frozenset()
    """Devices of users who left a geofence through this edit, without an event."""


class Published(Struct, frozen=True):
    """An edit at the moment of its publication, with its transaction, its number and the number of an import.

    `saved` are the geofences as stored.
    """

    connection: Connection
    revision: int
    import_number: int
    saved: tuple[Geofence, ...] = ()


class Decided[T](Struct, frozen=True):
    """A decided edit: the geofences to store and to delete, and the function to call when it is published.

    `items` are the records for undoing an import. `forgets` is true if the edit makes such records obsolete.
    """

    publish: Callable[[Published], T]
    saved: tuple[Geofence, ...] = ()
    removed: tuple[Geofence, ...] = ()
    items: tuple[ImportedItem, ...] = ()
    forgets: bool = False


_LATER_S: Final = 0.1
"""Minimum delay in seconds before expired geofences are processed while another edit is in progress."""


class Geofences:
    """Finds and changes geofences.

    The methods that change geofences may be called from any thread but the writer's, all others from any thread.
    """

    def __init__(
        self,
        catalogs: Mapping[Environment, Catalog],
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        edited: Callable[[Edited], None],
        judges: Mapping[Environment, Judge],
        finders: Finders,
        turns: EditTurns,
    ) -> None:
        """Create the service. `edited` is called in the writer's thread when a change is committed and in the catalog.

        `finders` find the rings of isochrones, addresses and places.
        """
        self._catalogs = catalogs
        self._database = database
        self._writer = writer
        self._clocks = clocks
        self._edited = edited
        self._finders = finders
        self._judges = judges
        self._turns = turns

    # Reading

    def get(self, environment: Environment, geofence_id: str) -> Geofence:
        """Return a geofence; raises `NotFound`."""
        return self._catalogs[environment].get(geofence_id)

    def get_by_key(self, environment: Environment, tag: str, external_id: str) -> Geofence:
        """Return the geofence with this tag and external ID; raises `NotFound`."""
        return self._catalogs[environment].get_by_key(tag, external_id)

    @property
    def stop(self) -> Stop:
        """Whether the program is stopping; long operations on many geofences check it."""
        return self._writer.stop

    def count(self, environment: Environment) -> int:
        """Return the number of geofences."""
        return len(self._catalogs[environment])

    def all(self, environment: Environment, report: Progress | None = None) -> tuple[Geofence, ...]:
        """Return every geofence from memory, in no particular order; `report` receives the progress and may abort."""
        return self._catalogs[environment].all(report)

    def parts(self, environment: Environment, most: int) -> Iterator[GeofencePart]:
        """Yield every geofence by columns, at most `most` at a time; one edited in the meantime may appear twice."""
        return self._catalogs[environment].parts(most)

    def bounds(self, environment: Environment) -> Bounds | None:
        """Return a box around all geofences, which may be slightly larger than necessary, or None if there are none."""
        return self._catalogs[environment].bounds()

    def tags(self, environment: Environment) -> frozenset[str]:
        """Return the tags in use."""
        return self._catalogs[environment].tags()

    def page(self, environment: Environment, query: GeofenceQuery) -> Page[Geofence]:
        """Return geofences by update time, newest first."""
        return self._database.read_at_once(lambda connection: geofence_page(connection, environment, query))

    def nearby(self, environment: Environment, query: NearbyQuery) -> tuple[NearbyGeofence, ...]:
        """Return geofences by distance, nearest first."""
        return self._catalogs[environment].nearby(query)

    def synced(self, environment: Environment, near: Point, subject: Subject) -> SyncedFences:
        """Return the geofences near a position that apply to a device's subject, and the distance covered."""
        return synced_fences(self._catalogs[environment].index, near, subject)

    # Editing

    def create(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Store a new geofence; raises `InvalidParameter`, or `Conflict` if its tag and external ID are taken."""
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

    def restore_all(
        self, environment: Environment, geofences: Sequence[Geofence], report: Progress = no_progress
    ) -> Restored:
        """Store deleted geofences again in one transaction; return them, and those that conflict with others.

        Of several with the same tag and external ID, the first is restored. `report` receives the progress up to the
        commit; if it raises, nothing is changed.
        """

        def decide() -> Decided[Restored]:
            restored, refused = self._judges[environment].restorable(geofences, share(report, 0, 4))
            return Decided(lambda _: (restored, refused), restored)

        return self.edit(environment, decide, share(report, 1, 4, width=3))

    def judged_creation(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Return the geofence that `create` would store, without storing it."""
        return self._judges[environment].created(change)

    def judged_change(self, environment: Environment, geofence: Geofence, change: GeofenceChange) -> Geofence:
        """Return the geofence as a change would make it, without storing it."""
        return self._judges[environment].changed(geofence, change)

    def put_all(
        self,
        environment: Environment,
        saved: Sequence[Geofence],
        removed: Sequence[str],
        report: Progress = no_progress,
    ) -> None:
        """Store exactly these records and delete others, in one transaction; raises `Conflict`.

        Some of the deleted ones may no longer exist; their tags and external IDs are free for the others. `report`
        receives the progress up to the commit; if it raises, nothing is changed.
        """
        catalog, judge = self._catalogs[environment], self._judges[environment]

        def decide() -> Decided[None]:
            there = tuple(filter(None, map(catalog.find, removed)))
            restored = judge.all_restored(saved, frozenset(removed), share(report, 0, 4))
            return Decided(_nothing_more, restored, there)

        self.edit(environment, decide, share(report, 1, 4, width=3))

    def delete(self, environment: Environment, geofence_id: str) -> Geofence:
        """Delete a geofence, ending the stays in it without events, and return it; raises `NotFound`."""

        def decide() -> Decided[Geofence]:
            removed = self.get(environment, geofence_id)
            return Decided(lambda _: removed, removed=(removed,))

        return self.edit(environment, decide)

    def delete_all(self, environment: Environment) -> int:
        """Delete every geofence, ending the stays in them without events; return their number."""

        def decide() -> Decided[int]:
            removed = self.all(environment, self.stop.check)

            def publish(published: Published) -> int:
                forget_files(published.connection, environment)
                return len(removed)

            return Decided(publish, removed=removed)

        return self.edit(environment, decide)

    def edit[T](self, environment: Environment, decide: Callable[[], Decided[T]], report: Progress = no_progress) -> T:
        """Decide on an edit while no other can precede it, store it, and return the result of its `publish`.

        `report` receives the progress of storing; if it raises, nothing is changed. Raises `Stopped`, and changes
        nothing, if the program is stopping before the commit.
        """
        report = self.stop.heeded(report)
        with self._turns.turn():
            decided = decide()
            if is_large(len(decided.saved) + len(decided.removed)):
                with without_collecting():
                    result = self._publish_in_portions(environment, decided, report)
            else:
                result = self._publish_at_once(environment, decided, report)
            if decided.forgets:
                self._turns.note_left()
            return result

    def moved_by(self, change: GeofenceChange, geofence: Geofence) -> Moved | None:
        """Return how far a change that was just stored moved an isochrone's centre to a road, or None if not far."""
        return moved_by(change, geofence, self._finders)

    def edge_of(self, geofence: Geofence) -> Edge | None:
        """Return the edge of the area that an isochrone reaches; None for other shapes, or if it reaches none."""
        geometry = geofence.geometry
        return self._finders.edge(geometry) if isinstance(geometry, Isochrone) else None

    # Expiry

    def until_expiry_s(self, scales: Mapping[Environment, float]) -> float | None:
        """Return the real seconds to the next expiry, or None without any; `scales` are the speeds of the clocks."""
        waits = []
        for environment, catalog in self._catalogs.items():
            if (moment := catalog.next_expiry()) is not None:
                waits.append(real_seconds(moment, self._clocks[environment].now(), scales[environment]))
        wait_s = min((wait for wait in waits if wait is not None), default=None)
        return wait_s if wait_s is None or not self._turns.busy else max(wait_s, _LATER_S)

    def expire(self, *, patiently: bool = True) -> None:
        """Disable and delete the expired geofences, ending the stays in them without events.

        While another edit is in progress, this waits for its end or, if not `patiently`, leaves the work to a later
        call.
        """
        if self._turns.busy and not patiently:
            return
        for environment, catalog in self._catalogs.items():
            if catalog.expired(self._clocks[environment].now()):
                self._expire(environment)

    def _expire(self, environment: Environment) -> None:
        catalog, clock = self._catalogs[environment], self._clocks[environment]

        def decide() -> Decided[None]:
            now = clock.now()
            after = [(geofence, expired(geofence, now)) for geofence in catalog.expired(now)]
            saved = tuple(kept for geofence, kept in after if kept is not None and kept is not geofence)
            return Decided(_nothing_more, saved, tuple(geofence for geofence, kept in after if kept is None))

        with editing_as(EditSource.EXPIRY):
            self.edit(environment, decide)

    def _save_one(self, environment: Environment, change: Callable[[], Geofence]) -> Geofence:
        # Evaluated once before the edit, to do slow work and find most errors without blocking others.
        change()
        return self.edit(environment, lambda: Decided(lambda published: published.saved[0], (change(),)))

    def _publish_at_once[T](self, environment: Environment, decided: Decided[T], report: Progress) -> T:
        """Store and publish an edit in one transaction."""
        author, revision = current_author(), self._catalogs[environment].revision

        def work(connection: Connection) -> tuple[T, Edited | None]:
            if not (decided.saved or decided.removed):
                report(1, 1)
                return decided.publish(Published(connection, revision, next_number(connection))), None
            edited = self._stored(connection, environment, author, decided, report)
            report(1, 1)
            number = next_number(connection)
            keep_items(connection, tuple(item_rows(number, decided.items)))
            return decided.publish(Published(connection, edited.revision, number, edited.saved)), edited

        def then(done: tuple[T, Edited | None]) -> None:
            if (edited := done[1]) is not None:
                self._catalogs[environment].apply(edited.saved, edited.removed, edited.revision)
                self._edited(edited)

        return self._writer.run(work, then)[0]

    def _publish_in_portions[T](self, environment: Environment, decided: Decided[T], report: Progress) -> T:
        """Store an edit in portions and publish it in one short transaction."""
        catalog, author, removed = self._catalogs[environment], current_author(), decided.removed
        revision = catalog.revision + 1
        saved, replaced = self._numbered(environment, decided.saved, revision, share(report, 0, 6))
        with self._turns.portions(lambda connection: begin(connection, environment, revision)) as import_number:
            portions = Portions(self._writer, revision, import_number)
            portions.stage(saved, removed, replaced, decided.items, share(report, 1, 6, width=3))
            prepared = catalog.prepared(saved, removed, replaced, revision, share(report, 4, 6, width=2))
            report(1, 1)

            def work(connection: Connection) -> tuple[T, Edited]:
                left = publish_geofences(connection)
                keep_edit(connection, environment, revision, (), self._clocks[environment].now(), author)
                result = decided.publish(Published(connection, revision, portions.import_number, saved))
                return result, Edited(environment, saved, removed, revision, left)

            def then(done: tuple[T, Edited]) -> None:
                catalog.become(prepared)
                self._edited(done[1])

            result = self._writer.run(work, then, long=True)[0]
        self._turns.clear(lambda connection: forget_some_versions(connection, environment))
        return result

    def _stored(
        self, connection: Connection, environment: Environment, author: Author, decided: Decided[Any], report: Progress
    ) -> Edited:
        """Store an edit under the next revision, and record its author and the replaced geofences."""
        revision, removed = self._catalogs[environment].revision + 1, decided.removed
        numbered, replaced = self._numbered(environment, decided.saved, revision, share(report, 0, 3))
        if replaced or removed or any(geofence.revision == revision for geofence in numbered):
            now = self._clocks[environment].now()
            keep_edit(connection, environment, revision, (*removed, *replaced), now, author, share(report, 1, 3))
        # Deletions first, because stored geofences may reuse their tags and external IDs.
        left = remove(connection, [geofence.id for geofence in removed])
        left |= save(connection, numbered, share(report, 2, 3))
        return Edited(environment, numbered, removed, revision, left)

    def _numbered(
        self, environment: Environment, saved: Sequence[Geofence], revision: int, report: Progress
    ) -> tuple[tuple[Geofence, ...], list[Geofence]]:
        """Return geofences with the revision of their last relevant change, and the geofences they replace."""
        catalog, numbered, replaced = self._catalogs[environment], list[Geofence](), list[Geofence]()
        for geofence in reporting(saved, report):
            before = catalog.find(geofence.id)
            if before is not None and _decides_alike(before, geofence):
                numbered.append(replace(geofence, revision=before.revision))
                continue
            numbered.append(replace(geofence, revision=revision))
            if before is not None:
                replaced.append(before)
        return tuple(numbered), replaced


def _nothing_more(_published: Published) -> None:
    """Do nothing when an edit is published."""


_DECIDING = tuple(name for name in Geofence.__struct_fields__ if name not in ("updated_at", "revision"))


def _decides_alike(before: Geofence, after: Geofence) -> bool:
    """Return whether two versions of a geofence are the same for explanations."""
    return all(getattr(before, name) == getattr(after, name) for name in _DECIDING)
