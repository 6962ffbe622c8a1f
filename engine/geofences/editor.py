"""Creating, editing, deleting and importing geofences.

Every change is judged in the writer's thread, where no other change can come between looking and storing.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.imports import ImportReport, RowError
from engine.domain.ports import Clock, Progress, no_progress
from engine.geofences.catalog import Catalog
from engine.geofences.changes import Finders, changed, created, expired
from engine.geofences.csv_import import ParsedRow, parse_rows
from engine.store.geofences import keep_versions, remove, save
from engine.store.writer import Connection, Writer

PROGRESS_ROWS = 200


@dataclass(frozen=True, slots=True)
class Edited:
    """Which geofences a commit stored and which it deleted."""

    environment: Environment
    saved: tuple[Geofence, ...] = ()
    removed: tuple[Geofence, ...] = ()
    revision: int = 0

    @property
    def ends_presences(self) -> bool:
        """Whether users may have left a geofence by this, without an event."""
        return bool(self.removed) or any(not geofence.enabled for geofence in self.saved)


class GeofenceEditor:
    """Changes the geofences of one environment. Its methods may be called from any thread but the writer's."""

    def __init__(
        self,
        catalog: Catalog,
        writer: Writer,
        clock: Clock,
        make_id: Callable[[], str],
        edited: Callable[[Edited], None],
        finders: Finders,
    ) -> None:
        """`edited` is told in the writer's thread when a change is committed and visible in the catalog.

        `finders` find the rings of isochrones, addresses and places.
        """
        self._catalog = catalog
        self._writer = writer
        self._clock = clock
        self._make_id = make_id
        self._edited = edited
        self._finders = finders

    @property
    def _environment(self) -> Environment:
        return self._catalog.environment

    def create(self, change: GeofenceChange) -> Geofence:
        """Store a new geofence; raises `InvalidParameter`, or `Conflict` when its key is taken."""
        return self._save_one(lambda: self._created(change))

    def upsert(self, tag: str, external_id: str, change: GeofenceChange) -> Geofence:
        """Change the geofence with this key, or store a new one."""
        return self._save_one(lambda: self._upserted(self._find, tag, external_id, change))

    def update(self, geofence_id: str, change: GeofenceChange) -> Geofence:
        """Change the geofence with this identifier; raises `NotFound`."""
        return self._save_one(lambda: self._changed(self._catalog.get(geofence_id), change))

    def restore(self, geofence: Geofence) -> Geofence:
        """Store exactly this record: back after a deletion, or over what is there."""

        def restored() -> Geofence:
            self._check_free(geofence)
            return replace(geofence, updated_at=self._clock.now())

        return self._save_one(restored)

    def delete(self, geofence_id: str) -> Geofence:
        """Delete a geofence, ending the stays in it silently, and return it; raises `NotFound`."""

        def work(connection: Connection) -> Edited:
            return self._stored(connection, (), (self._catalog.get(geofence_id),))

        return self._writer.run(work, self._apply).removed[0]

    def delete_all(self) -> int:
        """Delete every geofence, ending the stays in them silently; return how many there were."""

        def work(connection: Connection) -> Edited:
            return self._stored(connection, (), self._catalog.all())

        return len(self._writer.run(work, self._apply).removed)

    def expire(self) -> None:
        """Disable and delete the geofences whose time has passed, ending the stays in them silently."""

        def work(connection: Connection) -> Edited:
            now = self._clock.now()
            after = [(geofence, expired(geofence, now)) for geofence in self._catalog.expired(now)]
            saved = tuple(kept for geofence, kept in after if kept is not None and kept is not geofence)
            removed = tuple(geofence for geofence, kept in after if kept is None)
            if not (saved or removed):
                return Edited(self._environment, revision=self._catalog.revision)
            return self._stored(connection, saved, removed)

        self._writer.run(work, self._apply)

    def import_csv(self, data: bytes, *, dry_run: bool = False, progress: Progress = no_progress) -> ImportReport:
        """Upsert a geofence for each row of a CSV; a row with an error is left out and the others are stored.

        A dry run stores nothing and reports what would happen. Raises `InvalidParameter` when the file as a whole
        is no table; `progress` may raise `Cancelled`, and then nothing is stored.
        """
        rows = parse_rows(data).rows
        prepared = self._judged(rows, progress)
        if dry_run or not prepared.geofences:
            return prepared.report(dry_run=dry_run)

        def work(connection: Connection) -> tuple[_Import, Edited]:
            # What was judged outside is judged again only if somebody changed a geofence meanwhile.
            final = prepared if prepared.holds(self._find) else self._judged(rows, no_progress)
            return final, self._stored(connection, tuple(final.geofences.values()))

        final, _ = self._writer.run(work, lambda result: self._apply(result[1]))
        return final.report(dry_run=False)

    def _save_one(self, decide: Callable[[], Geofence]) -> Geofence:
        # Once before it counts: what takes long, and most of what is wrong, is found without keeping devices waiting.
        decide()

        def work(connection: Connection) -> Edited:
            return self._stored(connection, (decide(),))

        return self._writer.run(work, self._apply).saved[0]

    def _stored(
        self, connection: Connection, saved: tuple[Geofence, ...], removed: tuple[Geofence, ...] = ()
    ) -> Edited:
        """Store an edit under the next revision, and keep what it replaces for the updates that was in force for."""
        revision = self._catalog.revision + 1
        numbered, replaced = [], list(removed)
        for geofence in saved:
            before = self._catalog.find(geofence.id)
            if before is not None and _decides_alike(before, geofence):
                numbered.append(replace(geofence, revision=before.revision))
                continue
            numbered.append(replace(geofence, revision=revision))
            if before is not None:
                replaced.append(before)
        keep_versions(connection, replaced, revision)
        save(connection, numbered)
        for geofence in removed:
            remove(connection, geofence.id)
        return Edited(self._environment, tuple(numbered), removed, revision)

    def _apply(self, edited: Edited) -> None:
        self._catalog.apply(edited.saved, edited.removed, edited.revision)
        self._edited(edited)

    def _find(self, tag: str, external_id: str) -> Geofence | None:
        return self._catalog.find_by_key(tag, external_id)

    def _created(self, change: GeofenceChange) -> Geofence:
        geofence = created(change, self._environment, self._make_id, self._clock.now(), self._finders)
        self._check_free(geofence)
        return geofence

    def _changed(self, geofence: Geofence, change: GeofenceChange) -> Geofence:
        after = changed(geofence, change, self._clock.now(), self._finders)
        self._check_free(after)
        return after

    def _upserted(
        self,
        find: Callable[[str, str], Geofence | None],
        tag: str,
        external_id: str,
        change: GeofenceChange,
    ) -> Geofence:
        existing = find(tag, external_id)
        if existing is not None:
            return self._changed(existing, change)
        for given, key, param in ((change.tag, tag, "tag"), (change.external_id, external_id, "externalId")):
            if given is not UNSET and given != key:
                raise InvalidParameter(param, f"{param}: {given!r} is not the {param} that the address names, {key!r}.")
        return self._created(replace(change, tag=tag, external_id=external_id))

    def _check_free(self, geofence: Geofence) -> None:
        holder = self._find(geofence.tag, geofence.external_id)
        if holder is not None and holder.id != geofence.id:
            raise Conflict(
                "externalId",
                f"externalId: another geofence has the tag {geofence.tag!r} and the external ID "
                f"{geofence.external_id!r}.",
            )

    def _judged(self, rows: tuple[ParsedRow, ...], progress: Progress) -> "_Import":
        """Judge each row against what is stored and the rows before it."""
        result = _Import(len(rows))
        for number, row in enumerate(rows):
            if number % PROGRESS_ROWS == 0:
                progress(number, len(rows))
            self._judge(row, result)
        progress(len(rows), len(rows))
        return result

    def _judge(self, row: ParsedRow, result: "_Import") -> None:
        change = row.change
        if change is None:
            result.errors.extend(row.errors)
            return
        tag, external_id = change.tag or "", change.external_id or ""
        stored = self._find(tag, external_id)
        try:
            geofence = self._upserted(
                lambda tag, external_id: result.geofences.get((tag, external_id), stored), tag, external_id, change
            )
        except (InvalidParameter, Conflict) as error:
            result.errors.append(RowError(row.row, error.param, error.message))
            return
        result.take(geofence, stored)


def _decides_alike(before: Geofence, after: Geofence) -> bool:
    """Whether an explanation cannot tell two versions of a geofence apart."""
    return replace(after, updated_at=before.updated_at, revision=before.revision) == before


class _Import:
    """What an import will store, and against which stored geofences that was judged."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.geofences: dict[tuple[str, str], Geofence] = {}
        self.errors: list[RowError] = []
        self._against: dict[tuple[str, str], Geofence | None] = {}
        self._created = self._updated = 0

    def take(self, geofence: Geofence, stored: Geofence | None) -> None:
        """Add a row's geofence; a later row of the same key changes what the earlier one made."""
        key = geofence.tag, geofence.external_id
        if stored is None and key not in self.geofences:
            self._created += 1
        else:
            self._updated += 1
        self.geofences[key] = geofence
        self._against[key] = stored

    def holds(self, find: Callable[[str, str], Geofence | None]) -> bool:
        """Whether what is stored is still what the rows were judged against."""
        # Not the same object: one that nobody asked for in a while is made again from what is stored.
        return all(find(*key) == stored for key, stored in self._against.items())

    def report(self, *, dry_run: bool) -> ImportReport:
        """Return the outcome."""
        return ImportReport(self.rows, self._created, self._updated, tuple(self.errors), dry_run)
