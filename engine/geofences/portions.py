"""The turns of edits of geofences, and edits of very many, which are stored in portions.

Updates of others are stored between the portions, so they wait for one of them at most. No part of an edit is
visible before all of it is published, in one short transaction (see `engine.store.staging`).
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import batched
from threading import Lock, get_ident
from typing import Protocol

from engine.domain.environment import Environment
from engine.domain.errors import StorageUnavailable
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress, reporting, share
from engine.store.geofences import forget_some_versions, former_rows, keep_former
from engine.store.imports import ImportedItem, item_rows, keep_items, next_number
from engine.store.records.geofence_rows import geofence_row
from engine.store.staging import AT_ONCE, begin_edit, stage_removals, stage_rows, tidy
from engine.store.writer import Connection, Writer

log = logging.getLogger(__name__)


class EditTurns:
    """Lets one thread at a time edit geofences, and ends what an earlier edit has left to do."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._lock = Lock()
        self._holder: int | None = None
        self._left = True

    @property
    def busy(self) -> bool:
        """Whether an edit of geofences is in progress."""
        return self._lock.locked()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other thread edits geofences, and keep others waiting while the block runs.

        Raises `StorageUnavailable` if the rest of an earlier edit cannot be stored, and `RuntimeError` within a turn.
        """
        self._writer.check_thread()
        if self._holder == get_ident():
            raise RuntimeError("an edit must not wait for its own end")
        with self._lock:
            self._holder = get_ident()
            try:
                if self._left:
                    self._end()
                yield
            finally:
                self._holder = None

    def end_earlier(self) -> None:
        """End what the program that had the workspace before has left; on a full disk the next edit does so."""
        with self._lock:
            self._try(self._end)

    @contextmanager
    def portions(self, environment: Environment, revision: int) -> Iterator["Portions"]:
        """Begin an edit in portions, in a turn; what is not published when the block ends is dropped."""
        self._left = True
        try:
            number = self._writer.run(lambda connection: _begun(connection, environment, revision))
            yield Portions(self._writer, revision, number)
        finally:
            self._try(self._end)
        self._try(lambda: self._while_any(lambda connection: forget_some_versions(connection, environment)))

    def note_left(self) -> None:
        """Note that the edit of this turn has left something to do, and do it."""
        self._left = True
        self._try(self._end)

    def _try(self, end: Callable[[], None]) -> None:
        try:
            end()
        except StorageUnavailable as error:
            log.warning("An edit of geofences could not be brought to its end yet: %s", error)

    def _end(self) -> None:
        self._while_any(tidy)
        self._left = False

    def _while_any(self, work: Callable[[Connection], bool]) -> None:
        while self._writer.run(work):
            pass


class _Write[T](Protocol):
    """Writes rows."""

    def __call__(self, connection: Connection, rows: Sequence[T]) -> None: ...


class Portions:
    """Stores the parts of an edit before it is published."""

    def __init__(self, writer: Writer, revision: int, import_number: int) -> None:
        self._writer = writer
        self._revision = revision
        self.import_number = import_number
        """The number for an import in whose course this is."""

    def stage(
        self,
        saved: Sequence[Geofence],
        removed: Sequence[Geofence],
        replaced: Sequence[Geofence],
        items: Sequence[ImportedItem],
        report: Progress,
    ) -> None:
        """Store what an edit makes of geofences, what they were, and what its import is undone by.

        `report` may raise `Cancelled`.
        """
        self._put(stage_removals, (each.id for each in removed))
        self._put(stage_rows, map(geofence_row, reporting(saved, share(report, 0, 3))))
        self._put(keep_former, former_rows((*removed, *replaced), self._revision, share(report, 1, 3)))
        self._put(keep_items, item_rows(self.import_number, items, share(report, 2, 3)))

    def _put[T](self, write: _Write[T], rows: Iterator[T]) -> None:
        for some in batched(rows, AT_ONCE):
            self._writer.run(partial(write, rows=some))


def _begun(connection: Connection, environment: Environment, revision: int) -> int:
    begin_edit(connection, environment, revision)
    return next_number(connection)
