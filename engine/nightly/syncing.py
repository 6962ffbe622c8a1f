"""A single sync: fetches each file, imports changed ones, and deletes geofences without a row if configured."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.imports import Channel, ImportFile, ImportOptions, ImportOutcome
from engine.domain.nightly.runs import FIRST_ERRORS, FileOutcome, SyncedFile
from engine.domain.ports import Progress, Stopped
from engine.domain.values import replace
from engine.geofences.imports.imports import Imports
from engine.nightly.sources import Fetched, Source
from engine.store.nightly.records import KnownFile

if TYPE_CHECKING:
    from engine.outbound.client import GuardedClient

_OF_PART = 100


class Means(Struct, frozen=True):
    """Inputs of a sync of an environment."""

    environment: Environment
    imports: Imports
    client: "GuardedClient"
    private: bool
    delete_missing: bool
    force: bool
    progress: Progress


class Syncing:
    """Processes the files and holds the results, even if the sync was cancelled."""

    def __init__(self, means: Means, known: Mapping[str, KnownFile]) -> None:
        self._means = means
        self._known = known
        self._last: tuple[ImportFile, ImportOptions] | None = None
        self.files: list[SyncedFile] = []
        self.states: dict[str, KnownFile] = {}
        self.deleted = 0
        self.notes: list[str] = []

    def run(self, sources: Sequence[Source]) -> None:
        """Sync all files, recording failures and continuing with the next file. Raises `Cancelled`."""
        # Until its turn, a file keeps its previous state.
        self.states = {each.identity: self._known[each.identity] for each in sources if each.identity in self._known}
        parts = len(sources) + self._means.delete_missing
        for number, source in enumerate(sources):
            report = partial(self._report, number, parts)
            try:
                self.files.append(self._sync(source, report))
            except Stopped:
                raise
            except FencewrightError as error:
                self.files.append(SyncedFile(name=source.name, outcome=FileOutcome.FAILED, message=error.message))
        if self._means.delete_missing:
            self._delete(partial(self._report, len(sources), parts))
        self._means.progress(parts * _OF_PART, parts * _OF_PART)

    def _report(self, number: int, parts: int, done: int, total: int) -> None:
        self._means.progress(number * _OF_PART + _OF_PART * done // max(total, 1) - (done == total), parts * _OF_PART)

    def _sync(self, source: Source, report: Progress) -> SyncedFile:
        means, known = self._means, self._known.get(source.identity, KnownFile())
        # The geofences made by a file are unknown until deletion is configured.
        whole = means.force or (means.delete_missing and (known.keys is None or bool(known.stale_keys)))
        fetched = source.fetch(means.client, "" if whole else known.etag, means.private, lambda: report(0, 1))
        file = None if fetched.data is None else ImportFile(fetched.data, source.file_name, Channel.SYNC)
        if file is None or (file.sha256 == known.sha256 and not whole):
            self.states[source.identity] = replace(known, etag=fetched.etag)
            return SyncedFile(name=source.name, outcome=FileOutcome.UNCHANGED)
        options = source.options.import_options()
        outcome = means.imports.run(means.environment, file, options, report)
        self.states[source.identity] = self._state_after(known, fetched, file, outcome)
        self._last = file, options
        return _imported(source.name, outcome)

    def _state_after(self, known: KnownFile, fetched: Fetched, file: ImportFile, outcome: ImportOutcome) -> KnownFile:
        """Return the new state of a file; one with a bad row is imported again until all rows are good."""
        good = outcome.report.failed == 0
        etag, digest = (fetched.etag, file.sha256) if good else ("", "")
        if not self._means.delete_missing:
            return KnownFile(etag, digest)
        before = known.keys or frozenset()
        if not good:
            return KnownFile(etag, digest, before | outcome.keys, known.stale_keys)
        return KnownFile(etag, digest, outcome.keys, (before | known.stale_keys) - outcome.keys)

    def _delete(self, report: Progress) -> None:
        """Delete the geofences made by files but no longer in any, provided that all files and rows could be read."""
        has = frozenset[tuple[str, str]]().union(*(state.keys or () for state in self.states.values()))
        removed = frozenset[tuple[str, str]]().union(*(state.stale_keys for state in self.states.values())) - has
        bad = any(file.outcome is FileOutcome.FAILED or file.failed for file in self.files)
        if removed and bad:
            self.notes.append("Nothing was deleted, because not every file and row could be read.")
        elif removed and not has:
            self.notes.append("Nothing was deleted, because the files have no rows.")
        elif removed and self._last is not None:
            file, options = self._last
            options = replace(options, delete_missing=True, kept=has, deletable=removed)
            self.deleted = self._means.imports.run(self._means.environment, file, options, report).report.deleted
            removed = frozenset()
        if not removed:
            self.states = {identity: replace(state, stale_keys=frozenset()) for identity, state in self.states.items()}


def _imported(name: str, outcome: ImportOutcome) -> SyncedFile:
    report = outcome.report
    return SyncedFile(
        name=name,
        outcome=FileOutcome.IMPORTED,
        rows=report.rows,
        created=report.created,
        updated=report.updated,
        unchanged=report.unchanged,
        failed=report.failed,
        errors=report.errors[:FIRST_ERRORS],
        warned=len(report.warnings),
        warnings=report.warnings[:FIRST_ERRORS],
        ignored=report.ignored,
    )
