"""Taking turns for edits, and edits of very many records, which are stored in portions.

Location updates are stored between the portions, so they wait for at most one of them. No part of an edit is visible
before the whole edit is published in one short transaction (see `engine.store.staging.records`).
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import batched
from threading import Lock, get_ident
from typing import Final, Protocol

from engine.domain.errors import StorageUnavailable
from engine.domain.ports import Stopped
from engine.store.staging import records
from engine.store.writer import Connection, Writer

log = logging.getLogger(__name__)

FEW: Final = 1_000
"""Maximum number of records that are edited in one transaction."""


def is_large(count: int) -> bool:
    """Return whether an edit of `count` records is stored in portions."""
    return count > FEW


class EditTurns:
    """Allows one thread at a time to edit records of a kind, and completes the work left by an earlier edit."""

    def __init__(self, writer: Writer, tidy: Callable[[Connection], bool]) -> None:
        """Create the turns. `tidy` does the next part of the work left by edits, and returns whether there was any."""
        self._writer = writer
        self._tidy = tidy
        self._lock = Lock()
        self._holder: int | None = None
        self._left = True

    @property
    def busy(self) -> bool:
        """Whether an edit is in progress."""
        return self._lock.locked()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other thread edits these records, and make others wait while the block runs.

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
        """Complete the work left by the program that had the workspace open before.

        If the disk is full, the next edit does this. If the program is stopping, it is done when the workspace is next
        opened.
        """
        with self._lock:
            self._try(self._end)

    @contextmanager
    def portions[T](self, begin: Callable[[Connection], T]) -> Iterator[T]:
        """Begin an edit in portions within a turn. It is dropped unless it has been published when the block ends."""
        self._left = True
        try:
            yield self._writer.run(begin)
        finally:
            self._try(self._end)

    def note_left(self) -> None:
        """Record that the edit of this turn has left work to do, and do it."""
        self._left = True
        self._try(self._end)

    def clear(self, forget: Callable[[Connection], bool]) -> None:
        """Delete in portions the records that an edit made superfluous, or keep them if the disk is full."""
        self._try(partial(self._while_any, forget))

    def _try(self, end: Callable[[], None]) -> None:
        try:
            end()
        except StorageUnavailable as error:
            log.warning("An edit could not be brought to its end yet: %s", error)
        except Stopped:
            log.info("The rest of an edit is left to the next opening of the workspace")

    def _end(self) -> None:
        self._while_any(self._tidy)
        self._left = False

    def _while_any(self, work: Callable[[Connection], bool]) -> None:
        while self._writer.run(work):
            self._writer.stop.check()


class Write[T](Protocol):
    """A function that writes rows."""

    def __call__(self, connection: Connection, rows: Sequence[T]) -> None: ...


def write_in_portions[T](writer: Writer, write: Write[T], rows: Iterable[T]) -> None:
    """Write rows in several transactions, between which location updates are stored."""
    for some in batched(rows, records.AT_ONCE):
        writer.run(partial(write, rows=some))
