"""Imports of geofences: validated, stored, recorded in a history, and undone.

A file is read and validated while other clients edit geofences. If geofences were changed in the meantime, the rows are
validated again when the import gets its turn. The stored geofences, the record and the previous versions become visible
together: a full disk, a power cut or a cancelled import leaves all of it or nothing.
"""

from collections.abc import Callable, Mapping

from engine.domain.edits import EditSource, editing_as
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.imports import (
    DEFAULT_OPTIONS,
    MAX_KEPT_ERRORS,
    WHOLE_FILE,
    Channel,
    Column,
    Heading,
    ImportFile,
    ImportOptions,
    ImportOutcome,
    ImportQuery,
    ImportRecord,
    ImportReport,
    ImportStatus,
    JudgedRow,
    RowAction,
    RowError,
)
from engine.domain.ports import Clock, Progress, no_progress, reporting, scaled, share
from engine.domain.queries import Page
from engine.domain.tracking.whatif import FenceEdits, RequestedEdits
from engine.domain.values import replace
from engine.geofences.catalog import Catalog
from engine.geofences.changes import Finders
from engine.geofences.geofences import Decided, Geofences, Published
from engine.geofences.imports.exporting import ALL, ExportFormat, ExportQuery, export
from engine.geofences.imports.guessing import guessed
from engine.geofences.imports.importing import GeofenceImport
from engine.geofences.imports.rows import ReadFile, read_file
from engine.geofences.imports.trying import tried
from engine.geofences.judging import Judge
from engine.store.database import Database
from engine.store.imports import (
    ImportedItem,
    KeptImport,
    add_import,
    created_by,
    digest_of,
    find_import,
    import_page,
    items_of,
    mark_undone,
)
from engine.store.writer import Connection, without_collecting
from engine.tabular.formats.opening import open_source
from engine.tabular.identifying import Numberer
from engine.tabular.kinds import kinds_of, samples_of
from engine.tabular.plan import ImportPlan, let_go

type Plan = ImportPlan[GeofenceChange, Geofence]


class Imports:
    """Imports geofences. Its methods may be called from any thread but the writer's."""

    def __init__(
        self,
        geofences: Geofences,
        catalogs: Mapping[Environment, Catalog],
        judges: Mapping[Environment, Judge],
        database: Database,
        clocks: Mapping[Environment, Clock],
        make_id: Callable[[], str],
        finders: Finders,
    ) -> None:
        self._geofences = geofences
        self._catalogs = catalogs
        self._judges = judges
        self._database = database
        self._clocks = clocks
        self._make_id = make_id
        self._finders = finders

    def preview(
        self,
        environment: Environment,
        file: ImportFile,
        options: ImportOptions = DEFAULT_OPTIONS,
        progress: Progress = no_progress,
    ) -> ImportReport:
        """Return the report of importing a file, without storing anything or recording it in the history.

        Raises `InvalidParameter` if the file as a whole cannot be used; `progress` may raise `Cancelled`.
        """
        progress = self._geofences.stop.heeded(progress)
        with without_collecting():
            read = read_file(file, options, share(progress, 0, 2))
            plan = ImportPlan(read.rows, self._importing(environment, read), share(progress, 1, 2))
        deleted = len(self._missing(environment, plan, options))
        own, find = self._created_by(environment, file.name, plan), self._catalogs[environment].find
        report = plan.report(dry_run=True)
        return replace(
            report,
            warnings=read.warnings + report.warnings,
            deleted=deleted,
            columns=read.columns,
            ignored=read.ignored,
            judged=tuple(_marked(row, own, find) for row in plan.rows),
        )

    def _created_by(self, environment: Environment, name: str, plan: Plan) -> frozenset[str]:
        """Return the geofences that kept imports of files of a name created, if the plan changes any geofence."""
        if all(row.action is not RowAction.UPDATE for row in plan.rows):
            return frozenset()
        return self._database.read(lambda connection: created_by(connection, environment, name))

    def tried(
        self, environment: Environment, requested: RequestedEdits, progress: Progress = no_progress
    ) -> FenceEdits:
        """Return the geofences as edited in a sandbox, without storing anything.

        Raises `NotFound` naming ``geofence``, or `InvalidParameter` naming the invalid field.
        """
        catalog = self._catalogs[environment]
        return tried(
            requested,
            lambda file: self.preview(environment, file, progress=progress),
            catalog.find_by_key,
            catalog.get,
            lambda: (f"{each.tag}/{each.external_id}" for part in catalog.index.parts() for each in part.values()),
        )

    def heading(
        self, file: ImportFile, options: ImportOptions = DEFAULT_OPTIONS, progress: Progress = no_progress
    ) -> Heading:
        """Return the columns of a file, its sheets, and the options with which it can probably be imported.

        Raises `InvalidParameter` if it cannot be read.
        """
        progress = self._geofences.stop.heeded(progress)
        source = open_source(
            file.data, file.name, options.layer, progress, sheet=options.sheet, encoding=options.encoding
        )
        samples, kinds = samples_of(source), kinds_of(source, [column for column in source.columns if column])
        part = options.layer or (source.sheet if len(source.sheets) > 1 else None)
        return Heading(
            source.columns,
            source.sheet,
            source.sheets,
            details=tuple(Column(column, samples[column], kinds[column].value) for column in kinds),
            guess=guessed(source, part or file.name),
            encoding=source.encoding,
        )

    def run(
        self,
        environment: Environment,
        file: ImportFile,
        options: ImportOptions = DEFAULT_OPTIONS,
        progress: Progress = no_progress,
    ) -> ImportOutcome:
        """Upsert a geofence for each row of a file, in one transaction with the import's record.

        If a row has an error, nothing is stored unless the good rows should be kept; the record states this. Raises
        `InvalidParameter` if the file as a whole cannot be used, which is recorded as well. `progress` may raise
        `Cancelled`, and then nothing is stored or recorded.
        """
        source = EditSource.SYNC if file.channel is Channel.SYNC else EditSource.IMPORT
        progress = self._geofences.stop.heeded(progress)
        with without_collecting(), editing_as(source, file.name):
            return self._run(environment, file, options, progress)

    def _run(
        self, environment: Environment, file: ImportFile, options: ImportOptions, progress: Progress
    ) -> ImportOutcome:
        try:
            read = read_file(file, options, share(progress, 0, 3))
        except InvalidParameter as error:
            self._record_unreadable(environment, file, error)
            raise
        rows = list(read.rows)
        read, plans = (
            replace(read, rows=()),
            [ImportPlan(rows, self._importing(environment, read), share(progress, 1, 3))],
        )

        def decide() -> Decided[ImportOutcome]:
            # Rows are validated again only if a geofence was changed in the meantime.
            if not plans[0].holds():
                plans.append(ImportPlan(rows, self._importing(environment, read), no_progress))
            return self._decided(environment, file, options, read, plans[-1])

        try:
            return self._geofences.edit(environment, decide, scaled(share(progress, 2, 3), len(rows)))
        finally:
            let_go(rows)
            for plan in plans:
                plan.let_go()

    def get(self, environment: Environment, import_id: str) -> ImportRecord:
        """Return an import; raises `NotFound`."""
        return self._database.read(lambda connection: _found(connection, environment, import_id)).record

    def page(self, environment: Environment, query: ImportQuery) -> Page[ImportRecord]:
        """Return imports, newest first."""
        return self._database.read(lambda connection: import_page(connection, environment, query))

    def export(
        self,
        environment: Environment,
        format: ExportFormat,
        query: ExportQuery = ALL,
        progress: Progress = no_progress,
    ) -> bytes:
        """Return a file of geofences, sorted by tag and external ID, from which an import recreates them.

        Raises `InvalidParameter` if a library for the format is missing; `progress` may raise `Cancelled`.
        """
        progress = self._geofences.stop.heeded(progress)
        there = self._geofences.all(environment, self._geofences.stop.check)
        found = [geofence for geofence in there if query.wants(geofence)]
        found.sort(key=lambda geofence: (geofence.tag, geofence.external_id))
        return export(found, format, progress)

    def undo(self, environment: Environment, import_id: str) -> ImportRecord:
        """Restore the state before an import, and return its record.

        Raises `NotFound`, or `Conflict` if the import stored nothing, was undone before, is too old, or if a later
        change affected one of its geofences.
        """

        def decide() -> Decided[ImportRecord]:
            kept, items = self._database.read(lambda connection: _kept(connection, environment, import_id))
            saved, removed = self._before(environment, kept, items)
            at = self._clocks[environment].now()

            def publish(published: Published) -> ImportRecord:
                mark_undone(published.connection, kept, at)
                return replace(kept.record, status=ImportStatus.UNDONE, undone_at=at, undoable=False)

            return Decided(publish, saved, removed, forgets=True)

        with editing_as(EditSource.IMPORT_UNDO, self.get(environment, import_id).name):
            return self._geofences.edit(environment, decide)

    def _importing(self, environment: Environment, read: ReadFile) -> GeofenceImport:
        catalog, judge = self._catalogs[environment], self._judges[environment]
        numberer = Numberer(catalog.last_number) if read.numbered else None
        return GeofenceImport(judge, catalog.find_by_key, self._finders, of_map=read.of_map, numberer=numberer)

    def _missing(self, environment: Environment, plan: Plan, options: ImportOptions) -> tuple[Geofence, ...]:
        """Return the geofences to delete because they have no row."""
        if not options.delete_missing or plan.errors:
            return ()
        wanted = plan.keys | options.kept
        if options.deletable is not None:
            find = self._catalogs[environment].find_by_key
            found = (find(*key) for key in sorted(options.deletable - wanted))
            return tuple(geofence for geofence in found if geofence is not None)
        stored = self._catalogs[environment].all()
        return tuple(geofence for geofence in stored if (geofence.tag, geofence.external_id) not in wanted)

    def _decided(
        self, environment: Environment, file: ImportFile, options: ImportOptions, read: ReadFile, plan: Plan
    ) -> Decided[ImportOutcome]:
        """Return the edit of an import, which also stores its record."""
        refused = bool(plan.errors) and not options.keep_good_rows
        changes = [] if refused else plan.changes()
        removed = self._missing(environment, plan, options)
        judged = plan.report(dry_run=False)
        report = replace(
            judged,
            deleted=len(removed),
            stored=not refused,
            ignored=read.ignored,
            warnings=read.warnings + judged.warnings,
        )
        stored = reporting(changes, self._geofences.stop.check)
        items = (
            *(ImportedItem(after.id, before, digest_of(after)) for before, after in stored),
            *(ImportedItem(geofence.id, geofence, None) for geofence in removed),
        )

        def publish(published: Published) -> ImportOutcome:
            record = self._record(environment, file, report, undoable=bool(items))
            add_import(published.connection, record, published.revision, published.import_number)
            return ImportOutcome(record, replace(report, import_id=record.id), plan.keys)

        return Decided(publish, tuple(after for _, after in changes), removed, items, forgets=bool(items))

    def _record(
        self, environment: Environment, file: ImportFile, report: ImportReport, *, undoable: bool = False
    ) -> ImportRecord:
        stored = report.stored
        return ImportRecord(
            id=self._make_id(),
            environment=environment,
            name=file.name,
            sha256=file.sha256,
            channel=file.channel,
            status=ImportStatus.IMPORTED if stored else ImportStatus.REFUSED,
            created_at=self._clocks[environment].now(),
            rows=report.rows,
            created=report.created if stored else 0,
            updated=report.updated if stored else 0,
            unchanged=report.unchanged if stored else 0,
            deleted=report.deleted if stored else 0,
            failed=report.failed,
            errors=report.errors[:MAX_KEPT_ERRORS],
            warned=len(report.warnings),
            warnings=report.warnings[:MAX_KEPT_ERRORS],
            refused=tuple(replace(row, rings=()) for row in report.refused[:MAX_KEPT_ERRORS]),
            undoable=undoable,
        )

    def _record_unreadable(self, environment: Environment, file: ImportFile, error: InvalidParameter) -> None:
        errors = (RowError(WHOLE_FILE, None, error.message),)
        report = ImportReport(0, 0, 0, errors, stored=False)
        record = self._record(environment, file, report)

        def publish(published: Published) -> None:
            add_import(published.connection, record, 0, published.import_number)

        self._geofences.edit(environment, lambda: Decided(publish))

    def _before(
        self, environment: Environment, kept: KeptImport, items: list[ImportedItem]
    ) -> tuple[tuple[Geofence, ...], tuple[Geofence, ...]]:
        """Return the geofences to store and to delete in order to undo an import."""
        catalog, judge = self._catalogs[environment], self._judges[environment]
        saved, removed = [], []
        for item in reporting(items, self._geofences.stop.check):
            now = catalog.find(item.geofence_id)
            if not _is_as_stored(item, now, kept.revision):
                raise _changed_since(item, now)
            if item.before is not None:
                saved.append(judge.restored(item.before))
            elif now is not None:
                removed.append(now)
        return tuple(saved), tuple(removed)


def _marked(
    row: JudgedRow[Geofence], own: frozenset[str], find: Callable[[str], Geofence | None]
) -> JudgedRow[Geofence]:
    """Return a row, marked if it changes a stored geofence that the file did not create.

    A row that changes what an earlier row of the file has made is not marked.
    """
    before = row.before
    if row.action is not RowAction.UPDATE or before is None or before.id in own or find(before.id) != before:
        return row
    return replace(row, overwrites=True)


def _found(connection: Connection, environment: Environment, import_id: str) -> KeptImport:
    kept = find_import(connection, environment, import_id)
    if kept is None:
        raise NotFound("id", f"No import has the _id {import_id!r}.")
    return kept


def _kept(connection: Connection, environment: Environment, import_id: str) -> tuple[KeptImport, list[ImportedItem]]:
    kept = _found(connection, environment, import_id)
    _check_undoable(kept.record)
    return kept, items_of(connection, kept)


def _check_undoable(record: ImportRecord) -> None:
    if record.status is ImportStatus.UNDONE:
        raise Conflict("import", "import: it has already been undone.")
    if record.status is ImportStatus.REFUSED:
        raise Conflict("import", "import: it changed nothing, so there is nothing to undo.")
    if not record.undoable:
        changed = record.created + record.updated + record.deleted
        reason = "it is too old to be undone" if changed else "it changed nothing, so there is nothing to undo"
        raise Conflict("import", f"import: {reason}.")


def _is_as_stored(item: ImportedItem, now: Geofence | None, revision: int) -> bool:
    """Return whether a geofence is as the import stored it: never changed since, or restored to that state."""
    if now is None or item.deleted:
        return now is None and item.deleted
    return now.revision == revision or digest_of(now) == item.stored


def _changed_since(item: ImportedItem, now: Geofence | None) -> Conflict:
    known = now or item.before
    which = "A geofence" if known is None else f"The geofence {known.tag}/{known.external_id}"
    change = "created again" if item.deleted else "deleted" if now is None else "changed"
    return Conflict("import", f"import: it cannot be undone. {which} was {change} since.")
