"""The only writer: a thread that commits the work of many callers together, and responds only after the commit.

Small work (a location update) is *grouped*: while one commit waits for the disk, the next batch is collected. Large
work (an import, an edit) runs *alone* in its own transaction. All work runs in one thread in the order in which it was
submitted, so it may read and change in-memory state without locks.

SQLite's write-ahead log keeps replaced and deleted data. Because deleted locations must really be erased, the log is
emptied shortly after a commit. If the work had to erase data, the log is emptied before the response.
"""

import gc
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Lock, Thread, current_thread
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from msgspec import Struct

from engine.domain.errors import FencewrightError, StorageUnavailable
from engine.domain.ports import Cancelled, Done, Stop, settle
from engine.store.database import Database, driver_of, interrupt, purge_log, stopping, storage_errors
from engine.store.statements import Row, delete_rows, insert_rows, upsert_rows

log = logging.getLogger(__name__)

MAX_BATCH = 512
PURGE_EVERY_S: Final = 1.0
"""How long the write-ahead log may hold a commit."""

_VERY_MANY: Final = 200_000
"""Number of new objects whose garbage collection takes a tenth of a second."""

type Connection = sa.Connection
"""The open transaction, for packages that pass it on without using SQL."""


class _Collecting:
    """State of the garbage collector, shared by the process; several threads may suspend it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._unwanted = 0
        self._was_wanted = False

    def suspend(self) -> None:
        with self._lock:
            if not self._unwanted:
                self._was_wanted = gc.isenabled()
                gc.disable()
            self._unwanted += 1

    def resume(self) -> None:
        with self._lock:
            self._unwanted -= 1
            if not self._unwanted and self._was_wanted:
                if gc.get_count()[0] > _VERY_MANY:
                    gc.freeze()  # otherwise the next collection of all new objects would block every thread
                gc.enable()


_COLLECTING: Final = _Collecting()


@contextmanager
def without_collecting() -> Iterator[None]:
    """Suspend garbage collection while many objects are created that are all kept.

    Collections take 30 % of the processor time of an import of 100,000 geofences (10.9 s with them, 7.7 s without;
    medians of three alternating runs). Very many new objects are also excluded from later collections.
    """
    _COLLECTING.suspend()
    try:
        yield
    finally:
        _COLLECTING.resume()


class Batch:
    """The rows to be written for a group of works. Later rows replace earlier ones with the same key."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        self._rows: dict[sa.Table, dict[object, Row]] = {}
        self._appended: dict[sa.Table, list[Row]] = {}
        self._before_commit: list[Callable[[], None]] = []

    def put(self, table: sa.Table, key: object, row: Row) -> None:
        """Insert or replace the row with this primary key."""
        self._rows.setdefault(table, {})[key] = row

    def drop(self, table: sa.Table, key: object, identity: Row) -> None:
        """Delete the row with this primary key; `identity` holds the key's columns."""
        self._rows.setdefault(table, {})[key] = _DeletedRow(identity)

    def append(self, table: sa.Table, rows: Iterable[Row]) -> None:
        """Insert rows in order."""
        self._appended.setdefault(table, []).extend(rows)

    def before_commit(self, finish: Callable[[], None]) -> None:
        """Call `finish` after all works have run and all rows have been sent."""
        self._before_commit.append(finish)

    def flush(self) -> None:
        """Send all rows to the database without committing."""
        for table, rows in self._rows.items():
            delete_rows(self.connection, table, [row for row in rows.values() if isinstance(row, _DeletedRow)])
            upsert_rows(self.connection, table, [row for row in rows.values() if not isinstance(row, _DeletedRow)])
        for table, rows_in_order in self._appended.items():
            insert_rows(self.connection, table, rows_in_order)
        for finish in self._before_commit:
            finish()


class _DeletedRow(dict[str, Any]):
    """The identity of a row to delete."""


class _Grouped(NamedTuple):
    work: Callable[[Batch], Any]
    done: Done[Any]


class _Alone(Struct, frozen=True):
    work: Callable[[sa.Connection], Any]
    then: Callable[[Any], None] | None
    forgets: bool
    long: bool
    done: Done[Any]


class _End:
    """The last task, which closes the writer."""


class Writer:
    """Runs work in its thread and commits it; see the module's docstring.

    `committed` is called with the results of each commit. `rolled_back` is called when in-memory state may be ahead of
    the database.
    """

    def __init__(
        self,
        database: Database,
        *,
        committed: Callable[[list[Any]], None] = lambda _results: None,
        rolled_back: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._connection = database.connect()
        self._runs_long = False
        # Short work is stored even while the program is stopping.
        interrupt(driver_of(self._connection), lambda: self._runs_long and self.stop.begun)
        self._queue: SimpleQueue[list[_Grouped] | _Alone | _End] = SimpleQueue()
        self._committed = committed
        self._rolled_back = rolled_back
        self._closed = False
        self._logged_at: float | None = None
        self._thread = Thread(target=self._run, name="store-writer")
        self._thread.start()

    @property
    def stop(self) -> Stop:
        """The program's stop signal, which long work in the writer's thread must check."""
        return self._database.stop

    def submit_all(self, works: Iterable[tuple[Callable[[Batch], Any], Done[Any]]]) -> None:
        """Group works with others; each `done` is called with the result of its work after the commit.

        A work must do everything that can fail before it adds rows to the batch.
        """
        self._put([_Grouped(work, done) for work, done in works])

    def run[T](
        self,
        work: Callable[[sa.Connection], T],
        then: Callable[[T], None] | None = None,
        *,
        forgets: bool = False,
        long: bool = False,
    ) -> T:
        """Run `work` in its own transaction and return its result after the commit.

        `then` is called with the result in the writer's thread between the commit and the next work. It changes
        in-memory state, which `work` does not. Work that `forgets` also leaves nothing behind in the files. Work that
        may take `long` is rolled back when the program is stopping, and raises `Stopped`.
        """
        self.check_thread()
        future: Future[Any] = Future()
        self._put(_Alone(work, then, forgets, long, settle(future)))
        result: T = future.result()
        return result

    def check_thread(self) -> None:
        """Raise `RuntimeError` in the writer's thread, which must not wait for its own work."""
        if current_thread() is self._thread:
            raise RuntimeError("work must not wait for other work of the same writer")

    def close(self) -> None:
        """Finish the submitted work and end the thread."""
        if not self._closed:
            self._closed = True
            self._queue.put(_End())
            self._thread.join()
            self._connection.close()

    def _put(self, task: list[_Grouped] | _Alone) -> None:
        if self._closed:
            raise StorageUnavailable("The workspace is closed.")
        self._queue.put(task)

    def _run(self) -> None:
        while True:
            group, other = self._gather()
            if group:
                self._commit_group(group)
            if isinstance(other, _Alone):
                self._commit_alone(other)
            elif other is not None:
                return

    def _gather(self) -> tuple[list[_Grouped], "_Alone | _End | None"]:
        """Wait for a task; return it with all tasks that arrived meanwhile, up to the first that is not grouped."""
        group: list[_Grouped] = []
        task = self._next()
        while isinstance(task, list):
            group += task
            if len(group) >= MAX_BATCH or self._queue.empty():
                return group, None
            task = self._queue.get()
        return group, task

    def _next(self) -> "list[_Grouped] | _Alone | _End":
        """Wait for a task, and empty the database's log when it is due."""
        while self._logged_at is not None:
            try:
                return self._queue.get(timeout=max(0.0, self._logged_at + PURGE_EVERY_S - time.monotonic()))
            except Empty:
                self._purge()
        return self._queue.get()

    def _note_commit(self) -> None:
        if self._logged_at is None:
            self._logged_at = time.monotonic()

    def _purge(self) -> None:
        """Empty the database's log, or schedule another attempt."""
        files = self._database.files
        is_empty = files.look() is None and purge_log(self._connection)
        self._logged_at = None if is_empty else time.monotonic()
        files.look()  # Recognises the data just written as our own.

    def _commit_group(self, group: list[_Grouped]) -> None:
        try:
            outcomes = self._try_group(group)
        except Exception as error:  # noqa: BLE001 - handed to whoever asked; the thread must go on
            self._rolled_back()
            if len(group) == 1:
                _report(group[0].done, None, error)
                return
            # One bad row must not cause the others to fail.
            for task in group:
                self._commit_group([task])
            return
        # The commit is published anyway, because in-memory state matches the open database, which may be restored.
        lost = self._database.files.look()
        self._publish([result for _, result, failure in outcomes if failure is None])
        for task, result, failure in outcomes:
            _report(task.done, None if lost else result, failure or lost)

    def _try_group(self, group: list[_Grouped]) -> list[tuple[_Grouped, Any, BaseException | None]]:
        # Objects created by a batch are kept until its commit, so collecting garbage meanwhile would find none.
        with storage_errors(), self._connection.begin():
            batch = Batch(self._connection)
            outcomes = [(task, *_attempt(task.work, batch)) for task in group]
            batch.flush()
            self._database.before_commit(self._connection)
        self._note_commit()
        return outcomes

    def _commit_alone(self, task: _Alone) -> None:
        try:
            with self._interruptible(task), storage_errors(), self._connection.begin():
                result = task.work(self._connection)
                self._database.before_commit(self._connection)
            self._note_commit()
            if task.forgets:
                self._purge()
        except BaseException as error:  # noqa: BLE001 - handed to whoever asked
            # Rejected or cancelled work has changed nothing yet, neither in the database nor in memory.
            if isinstance(error, StorageUnavailable) or not isinstance(error, FencewrightError | Cancelled):
                self._rolled_back()
            _report(task.done, None, error)
            return
        try:
            if task.then is not None:
                task.then(result)
        except Exception as error:
            log.exception("A commit could not be made visible")
            _report(task.done, None, error)
            return
        self._publish([result])
        lost = self._database.files.look()
        _report(task.done, None if lost else result, lost)

    @contextmanager
    def _interruptible(self, task: _Alone) -> Iterator[None]:
        """Allow a stop to interrupt work that may take long."""
        if not task.long:
            yield
            return
        self.stop.check()
        self._runs_long = True
        try:
            with stopping(self.stop):
                yield
        finally:
            self._runs_long = False

    def _publish(self, results: list[Any]) -> None:
        try:
            self._committed(results)
        except Exception:
            log.exception("A listener to commits failed")


def _attempt[T](work: Callable[[Batch], T], batch: Batch) -> tuple[T | None, BaseException | None]:
    try:
        return work(batch), None
    except sa.exc.DBAPIError:
        raise
    except Exception as error:  # noqa: BLE001 - handed to whoever asked
        return None, error


def _report(done: Done[Any], result: Any, error: BaseException | None) -> None:
    try:
        done(result, error)
    except Exception:
        log.exception("Telling the outcome of a write failed")
