"""The beacons of an open workspace: found, created, edited, deleted and imported.

Every change is judged in the writer's thread, where no other change can come between looking and storing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.csv_import import parse_rows
from engine.beacons.importing import BeaconImport
from engine.beacons.judging import Judge
from engine.domain.environment import Environment
from engine.domain.imports import ImportKind, ImportReport
from engine.domain.ports import Clock, Progress, no_progress, reporting
from engine.domain.queries import BeaconQuery, NearbyBeacon, NearbyQuery, Page
from engine.domain.tracking.beacon import Beacon, BeaconChange
from engine.domain.values.dataclass import dataclass
from engine.store.beacons import remove, save
from engine.store.database import Database
from engine.store.queries import beacon_page
from engine.store.writer import Connection, Writer
from engine.tabular.plan import ImportPlan


@dataclass(frozen=True, slots=True)
class EditedBeacons:
    """Beacons that a commit stored, and those that it deleted."""

    environment: Environment
    saved: tuple[Beacon, ...] = ()
    removed: tuple[Beacon, ...] = ()

    @property
    def ends_stays(self) -> bool:
        """Whether users may have left a beacon by this, without an event."""
        return bool(self.removed) or any(not beacon.enabled for beacon in self.saved)


class Beacons:
    """Finds and changes beacons. Its methods may be called from any thread; what changes some, not the writer's."""

    def __init__(
        self,
        catalogs: Mapping[Environment, BeaconCatalog],
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        make_id: Callable[[], str],
        edited: Callable[[EditedBeacons], None],
    ) -> None:
        """`edited` is told in the writer's thread when a change is committed and visible in the catalog."""
        self._catalogs = catalogs
        self._database = database
        self._writer = writer
        self._edited = edited
        self._judges = {env: Judge(catalog, clocks[env], make_id) for env, catalog in catalogs.items()}

    # Found

    def get(self, environment: Environment, beacon_id: str) -> Beacon:
        """Return a beacon; raises `NotFound`."""
        return self._catalogs[environment].get(beacon_id)

    def get_by_key(self, environment: Environment, tag: str, external_id: str) -> Beacon:
        """Return the beacon with this tag and external ID; raises `NotFound`."""
        return self._catalogs[environment].get_by_key(tag, external_id)

    def all(self, environment: Environment) -> tuple[Beacon, ...]:
        """Return every beacon, in no order, from memory."""
        return self._catalogs[environment].all()

    def page(self, environment: Environment, query: BeaconQuery) -> Page[Beacon]:
        """Return beacons by update time, newest first."""
        return self._database.read(lambda connection: beacon_page(connection, environment, query))

    def nearby(self, environment: Environment, query: NearbyQuery) -> tuple[NearbyBeacon, ...]:
        """Return enabled beacons by their distance, nearest first."""
        return self._catalogs[environment].nearby(query)

    # Changed

    def create(self, environment: Environment, change: BeaconChange) -> Beacon:
        """Store a new beacon; raises `InvalidParameter`, or `Conflict` when its key or its signal is taken."""
        return self._save_one(environment, lambda: self._judges[environment].created(change))

    def upsert(self, environment: Environment, tag: str, external_id: str, change: BeaconChange) -> Beacon:
        """Change the beacon with this tag and external ID, or store a new one."""
        find, judge = self._catalogs[environment].find_by_key, self._judges[environment]
        return self._save_one(environment, lambda: judge.upserted(find(tag, external_id), tag, external_id, change))

    def update(self, environment: Environment, beacon_id: str, change: BeaconChange) -> Beacon:
        """Change a beacon; raises `NotFound`, `InvalidParameter` or `Conflict`."""
        judge = self._judges[environment]
        return self._save_one(environment, lambda: judge.changed(self.get(environment, beacon_id), change))

    def restore(self, environment: Environment, beacon: Beacon) -> Beacon:
        """Store exactly this record again, to undo a change or a deletion; raises `Conflict`."""
        return self._save_one(environment, lambda: self._judges[environment].restored(beacon))

    def delete(self, environment: Environment, beacon_id: str) -> Beacon:
        """Delete a beacon, ending the stays near it silently, and return it; raises `NotFound`."""
        return self._delete(environment, lambda: self.get(environment, beacon_id))

    def delete_by_key(self, environment: Environment, tag: str, external_id: str) -> Beacon:
        """Delete the beacon with this tag and external ID, and return it; raises `NotFound`."""
        return self._delete(environment, lambda: self.get_by_key(environment, tag, external_id))

    def delete_all(self, environment: Environment) -> int:
        """Delete every beacon, ending the stays near them silently; return how many there were."""

        def work(connection: Connection) -> EditedBeacons:
            removed = self.all(environment)
            for beacon in reporting(removed, self._writer.stop.check):
                remove(connection, beacon.id)
            return EditedBeacons(environment, removed=removed)

        return len(self._writer.run(work, self._apply, long=True).removed)

    def import_csv(
        self, environment: Environment, data: bytes, *, dry_run: bool = False, progress: Progress = no_progress
    ) -> ImportReport:
        """Upsert a beacon for each row of a CSV; a row with an error is left out and the others are stored.

        A dry run stores nothing and reports what would happen. Raises `InvalidParameter` when the file as a whole
        is no table; `progress` may raise `Cancelled`, and then nothing is stored.
        """
        rows, catalog, judge = parse_rows(data), self._catalogs[environment], self._judges[environment]
        edits = catalog.edits
        plan = ImportPlan(rows, BeaconImport(judge, catalog), self._writer.stop.heeded(progress))
        if dry_run or not plan.records:
            return replace(plan.report(dry_run=dry_run), kind=ImportKind.BEACONS)

        def work(connection: Connection) -> tuple[ImportPlan[BeaconChange, Beacon], EditedBeacons]:
            # What was judged outside is judged again only if somebody changed a beacon meanwhile.
            is_sound = catalog.edits == edits
            check = self._writer.stop.check
            final = plan if is_sound else ImportPlan(rows, BeaconImport(judge, catalog), check)
            saved = tuple(final.records.values())
            save(connection, saved)
            return final, EditedBeacons(environment, saved)

        final, _ = self._writer.run(work, lambda result: self._apply(result[1]), long=True)
        return replace(final.report(dry_run=False), kind=ImportKind.BEACONS)

    def _delete(self, environment: Environment, find: Callable[[], Beacon]) -> Beacon:
        def work(connection: Connection) -> EditedBeacons:
            beacon = find()
            remove(connection, beacon.id)
            return EditedBeacons(environment, removed=(beacon,))

        return self._writer.run(work, self._apply).removed[0]

    def _save_one(self, environment: Environment, decide: Callable[[], Beacon]) -> Beacon:
        # Once before it counts: most of what is wrong is found without keeping devices waiting.
        decide()

        def work(connection: Connection) -> EditedBeacons:
            beacon = decide()
            save(connection, [beacon])
            return EditedBeacons(environment, (beacon,))

        return self._writer.run(work, self._apply).saved[0]

    def _apply(self, edited: EditedBeacons) -> None:
        self._catalogs[edited.environment].apply(edited.saved, edited.removed)
        self._edited(edited)
