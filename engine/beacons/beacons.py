"""The beacons of an open workspace: finding, creating, editing, deleting and importing them.

Edits take turns (`EditTurns`), so that no other edit can happen between reading and storing. An edit of few beacons is
one transaction. An edit of many is stored in portions and then published at once, so that other updates need not wait.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.csv_import import column_of, parse_rows, text_of_table
from engine.beacons.judging import Judge
from engine.domain.environment import Environment
from engine.domain.imports import WHOLE_FILE, Encoding, ImportKind, ImportReport, Key, RefusedRow, RowError
from engine.domain.metadata import exact
from engine.domain.ports import Clock, Progress, no_progress, reporting, share
from engine.domain.queries import BeaconQuery, NearbyBeacon, NearbyQuery, Page
from engine.domain.tracking.beacon import Beacon, BeaconChange, Signal
from engine.domain.values import replace
from engine.store.beacons import beacon_row, publish_beacons, remove, save
from engine.store.database import Database
from engine.store.queries import beacon_page
from engine.store.staging.records import BEACONS
from engine.store.staging.turns import EditTurns, is_large, write_in_portions
from engine.store.writer import Connection, Writer, without_collecting
from engine.tabular.plan import ImportPlan, let_go
from engine.tabular.reading import ParsedRow
from engine.tabular.refusing import given


class EditedBeacons(Struct, frozen=True):
    """Beacons that a commit has stored or deleted."""

    environment: Environment
    saved: tuple[Beacon, ...] = ()
    removed: tuple[Beacon, ...] = ()

    @property
    def ends_stays(self) -> bool:
        """Whether users may have left a beacon because of this edit, without an event."""
        return bool(self.removed) or any(not beacon.enabled for beacon in self.saved)


class Beacons:
    """Finds and changes beacons. Thread-safe, except that changes must not be made in the writer's thread."""

    def __init__(
        self,
        catalogs: Mapping[Environment, BeaconCatalog],
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        make_id: Callable[[], str],
        edited: Callable[[EditedBeacons], None],
        turns: EditTurns,
    ) -> None:
        """Create the beacons of a workspace.

        `edited` is called in the writer's thread when a change has been committed and is visible in the catalog.
        """
        self._catalogs = catalogs
        self._database = database
        self._writer = writer
        self._edited = edited
        self._turns = turns
        self._judges = {env: Judge(catalog, clocks[env], make_id) for env, catalog in catalogs.items()}

    # Queries

    def get(self, environment: Environment, beacon_id: str) -> Beacon:
        """Return a beacon. Raises `NotFound`."""
        return self._catalogs[environment].get(beacon_id)

    def get_by_key(self, environment: Environment, tag: str, external_id: str) -> Beacon:
        """Return the beacon with this tag and external ID. Raises `NotFound`."""
        return self._catalogs[environment].get_by_key(tag, external_id)

    def all(self, environment: Environment) -> tuple[Beacon, ...]:
        """Return all beacons in no particular order, from memory."""
        return self._catalogs[environment].all()

    def page(self, environment: Environment, query: BeaconQuery) -> Page[Beacon]:
        """Return beacons by update time, newest first."""
        return self._database.read(lambda connection: beacon_page(connection, environment, query))

    def nearby(self, environment: Environment, query: NearbyQuery) -> tuple[NearbyBeacon, ...]:
        """Return enabled beacons by distance, nearest first."""
        return self._catalogs[environment].nearby(query)

    # Changes

    def create(self, environment: Environment, change: BeaconChange) -> Beacon:
        """Store a new beacon. Raises `InvalidParameter`, or `Conflict` if its key or its signal is taken."""
        return self._save_one(environment, lambda: self._judges[environment].created(change))

    def upsert(self, environment: Environment, tag: str, external_id: str, change: BeaconChange) -> Beacon:
        """Change the beacon with this tag and external ID, or store a new one."""
        find, judge = self._catalogs[environment].find_by_key, self._judges[environment]
        return self._save_one(environment, lambda: judge.upserted(find(tag, external_id), tag, external_id, change))

    def update(self, environment: Environment, beacon_id: str, change: BeaconChange) -> Beacon:
        """Change a beacon. Raises `NotFound`, `InvalidParameter` or `Conflict`."""
        judge = self._judges[environment]
        return self._save_one(environment, lambda: judge.changed(self.get(environment, beacon_id), change))

    def restore(self, environment: Environment, beacon: Beacon) -> Beacon:
        """Store exactly this record again to undo a change or a deletion. Raises `Conflict`."""
        return self._save_one(environment, lambda: self._judges[environment].restored(beacon))

    def delete(self, environment: Environment, beacon_id: str) -> Beacon:
        """Delete a beacon, ending stays near it without events, and return it. Raises `NotFound`."""
        return self._delete(environment, lambda: self.get(environment, beacon_id))

    def delete_by_key(self, environment: Environment, tag: str, external_id: str) -> Beacon:
        """Delete the beacon with this tag and external ID, and return it. Raises `NotFound`."""
        return self._delete(environment, lambda: self.get_by_key(environment, tag, external_id))

    def delete_all(self, environment: Environment) -> int:
        """Delete all beacons, ending stays near them without events, and return their number."""

        return len(self._edit(lambda: EditedBeacons(environment, removed=self.all(environment))).removed)

    def import_csv(
        self,
        environment: Environment,
        data: bytes,
        *,
        encoding: Encoding | None = None,
        dry_run: bool = False,
        progress: Progress = no_progress,
    ) -> ImportReport:
        """Upsert a beacon for each row of a CSV, by default in the recognised encoding.

        Rows with errors are skipped, and all others are stored.

        A dry run stores nothing and reports the effects. Raises `InvalidParameter` if the file as a whole is not a
        table. `progress` may raise `Cancelled`, in which case nothing is stored.
        """
        progress = self._writer.stop.heeded(progress)
        with without_collecting():
            read = text_of_table(data, encoding)
            report = self._import(environment, list(parse_rows(read.text.encode())), dry_run, progress)
        notes = tuple(RowError(WHOLE_FILE, None, note) for note in read.notes)
        return replace(report, warnings=notes + report.warnings)

    def _import(
        self, environment: Environment, rows: list[ParsedRow[BeaconChange]], dry_run: bool, progress: Progress
    ) -> ImportReport:
        catalog, judge = self._catalogs[environment], self._judges[environment]
        edits = catalog.edits
        share_of_plan = progress if dry_run else share(progress, 0, 2)
        plans = [ImportPlan(rows, BeaconImport(judge, catalog), share_of_plan)]

        def decide() -> EditedBeacons:
            # Rows are judged again only if a beacon was changed in the meantime.
            if catalog.edits != edits:
                plans.append(ImportPlan(rows, BeaconImport(judge, catalog), self._writer.stop.check))
            return EditedBeacons(environment, tuple(plans[-1].records.values()))

        try:
            if not dry_run and plans[0].records:
                self._edit(decide, share(progress, 1, 2))
            return replace(plans[-1].report(dry_run=dry_run), kind=ImportKind.BEACONS)
        finally:
            let_go(rows)
            for plan in plans:
                plan.let_go()

    def _delete(self, environment: Environment, find: Callable[[], Beacon]) -> Beacon:
        return self._edit(lambda: EditedBeacons(environment, removed=(find(),))).removed[0]

    def _save_one(self, environment: Environment, decide: Callable[[], Beacon]) -> Beacon:
        # A first check before taking the turn finds most errors without making other edits wait.
        decide()
        return self._edit(lambda: EditedBeacons(environment, (decide(),))).saved[0]

    def _edit(self, decide: Callable[[], EditedBeacons], report: Progress = no_progress) -> EditedBeacons:
        """Make an edit, which is decided when its turn comes, and return it.

        `report` gets the progress of the storage. If it raises, nothing is changed. Raises `Stopped` without a change
        if the program is being stopped before the commit.
        """
        report = self._writer.stop.heeded(report)
        with self._turns.turn():
            edited = decide()
            if is_large(len(edited.saved) + len(edited.removed)):
                with without_collecting():
                    self._publish_in_portions(edited, report)
            else:
                report(1, 1)
                self._publish_at_once(edited)
            return edited

    def _publish_at_once(self, edited: EditedBeacons) -> None:
        """Make an edit in one transaction."""

        def work(connection: Connection) -> None:
            remove(connection, [beacon.id for beacon in edited.removed])
            save(connection, edited.saved)

        def then(_: None) -> None:
            self._catalogs[edited.environment].apply(edited.saved, edited.removed)
            self._edited(edited)

        self._writer.run(work, then)

    def _publish_in_portions(self, edited: EditedBeacons, report: Progress) -> None:
        """Store an edit in portions, and make it visible as a whole in one short transaction."""
        catalog, saved, removed = self._catalogs[edited.environment], edited.saved, edited.removed
        with self._turns.portions(lambda connection: BEACONS.begin(connection, edited.environment)):
            write_in_portions(self._writer, BEACONS.put_removals, (beacon.id for beacon in removed))
            rows = map(beacon_row, reporting(saved, share(report, 0, 2)))
            write_in_portions(self._writer, BEACONS.put, rows)
            prepared = catalog.prepared(saved, removed, share(report, 1, 2))
            report(1, 1)

            def then(_: None) -> None:
                catalog.become(prepared)
                self._edited(edited)

            self._writer.run(publish_beacons, then, long=True)


class BeaconImport:
    """Access to beacons for a single import plan."""

    def __init__(self, judge: Judge, catalog: BeaconCatalog) -> None:
        self._judge = judge
        self._catalog = catalog
        self._planned: dict[str, Beacon] = {}
        self._by_signal: dict[Signal, Beacon] = {}

    def key(self, change: BeaconChange) -> Key:
        """Return the key of the beacon in a row."""
        return change.tag or "", change.external_id or ""

    def find(self, key: Key) -> Beacon | None:
        """Return the stored beacon with a key."""
        return self._catalog.find_by_key(*key)

    def judged(self, change: BeaconChange, key: Key, existing: Beacon | None) -> Beacon:
        """Return the beacon that a row creates or changes."""
        beacon = self._judge.upserted(existing, *key, change, self._sender)
        before = self._planned.get(beacon.id)
        if before is not None:
            del self._by_signal[before.signal]
        self._planned[beacon.id] = beacon
        self._by_signal[beacon.signal] = beacon
        return beacon

    def differing(self, before: Beacon, record: Beacon) -> tuple[str, ...]:
        """Return the columns in which two versions of a beacon differ."""
        pairs = {
            "description": (before.description, record.description),
            "type": (before.signal, record.signal),
            "metadata": (exact(before.metadata), exact(record.metadata)),
            "geometry": (before.summary.point, record.summary.point),
            "enabled": (before.enabled, record.enabled),
        }
        return tuple(name for name, (one, other) in pairs.items() if one != other)

    def refused(self, row: int, change: BeaconChange) -> RefusedRow:
        """Return a row whose change is not valid, as far as it can be read."""
        tag, external_id, name = map(given, (change.tag, change.external_id, change.description))
        return RefusedRow(row, tag, external_id, name)

    def column(self, field: str) -> str:
        """Return the column that a field of a change is read from."""
        return column_of(field)

    def warning(self, _change: BeaconChange, _record: Beacon) -> None:
        """Return None: a beacon is imported as given, or not at all."""
        return

    def _sender(self, signal: Signal) -> Beacon | None:
        """Return the beacon that sends a signal once the rows so far are stored."""
        if (planned := self._by_signal.get(signal)) is not None:
            return planned
        stored = self._catalog.find_by_signal(signal)
        return None if stored is None or stored.id in self._planned else stored
