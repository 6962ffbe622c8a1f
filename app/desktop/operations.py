"""Work outside the window's thread: operations run in workers, and results are delivered in the window's thread.

Changes run one after the other in the order of their requests. Reads and long work have their own workers, so that a
slow import blocks neither an edit nor a result. The same applies to the endpoint, whose modules are loaded when it is
first started. Work that may take many minutes has its own worker for each kind.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from functools import partial
from threading import Event
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.desktop.collecting import rest
from engine.domain.errors import FencewrightError
from engine.domain.ports import Cancelled, Progress

_log = logging.getLogger(__name__)
_REPORT_EVERY_S = 0.05

SHOWN_AFTER_MS: Final = 300
"""Changes that take longer are shown and can be cancelled."""

CHANGES_GRACE_MS: Final = 1_500
"""How long changes may still take after the window was closed."""

type Failed = Callable[[Exception], None]


class Lane(Enum):
    """Kinds of work that may take many minutes. Work of one kind does not wait for work of another."""

    READING = "reading"
    BUILDING = "building"
    SYNCING = "syncing"
    REPLAYING = "replaying"
    SWEEPING = "sweeping"
    PLANNING = "planning"
    CHECKING = "checking"
    BACKTESTING = "back-testing"


class Task(QObject):
    """A long operation that reports progress and can be cancelled."""

    progressed = Signal(int, int)
    ended = Signal()

    def __init__(self, text: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.text = text
        self._cancelled = Event()
        self._reported_at = 0.0

    def cancel(self) -> None:
        """Ask the operation to stop and undo its effects."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._cancelled.is_set()

    def report(self, done: int, total: int) -> None:
        """Report progress. Called by the operation in its own thread."""
        if self._cancelled.is_set():
            raise Cancelled
        if done >= total or monotonic() - self._reported_at >= _REPORT_EVERY_S:
            self._reported_at = monotonic()
            self.progressed.emit(done, total)


class Operations(QObject):
    """Runs operations and delivers their results."""

    started = Signal(object)
    idle = Signal()
    _answered = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changes = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desktop changes")
        self._reads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desktop reads")
        self._long = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desktop work")
        self._aside = {
            lane: ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"desktop {lane.value}") for lane in Lane
        }
        self._previews = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desktop previews")
        self._sends = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desktop requests")
        self._servers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desktop endpoint")
        self._under_way = 0
        self._closed = False
        self._finishing = False
        self._tasks: dict[Task, Callable[[], None]] = {}
        self._long_changes: dict[Task, Callable[[], None]] = {}
        """Changes that may take long, each with the function to call when it ends."""
        self._answered.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    @property
    def under_way(self) -> int:
        """Number of operations whose result is pending."""
        return self._under_way

    @property
    def finishing(self) -> bool:
        """Whether it is shutting down and accepts no new operations."""
        return self._finishing

    def change[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        """Run a change, then call `done` with its result or `failed` with its error in the window's thread."""
        self._submit(self._changes, work, done, failed)

    def long_change[T](
        self, text: str, work: Callable[[Progress], T], done: Callable[[T], None], failed: Failed
    ) -> None:
        """Run a change after earlier ones. If it takes long, it is shown as `text` with its progress.

        A cancelled change must leave everything unchanged, and fails with `Cancelled`.
        """
        task = Task(text, self)
        self._long_changes[task] = _nothing
        # The timer is owned by the task and deleted with it, as nearly every change ends before it fires.
        shown = QTimer(task, singleShot=True, interval=SHOWN_AFTER_MS)
        shown.timeout.connect(lambda: self._show_change(task))
        shown.start()

        def finish(answer: T) -> None:
            done(answer)
            self._end_change(task)

        def fail(error: Exception) -> None:
            failed(error)
            self._end_change(task)

        self._submit(self._changes, lambda: work(task.report), finish, fail)

    def _show_change(self, task: Task) -> None:
        if task in self._long_changes:
            self._long_changes[task] = rest()
            self.started.emit(task)

    def _end_change(self, task: Task) -> None:
        self._long_changes.pop(task)()
        task.ended.emit()
        task.deleteLater()

    def read[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        """Run a read concurrently with changes."""
        self._submit(self._reads, work, done, failed)

    def preview[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        """Compute a preview in its own worker, because the user is moving the mouse meanwhile."""
        self._submit(self._previews, work, done, failed)

    def send[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        """Send a request to an endpoint in its own worker, because it may take long."""
        self._submit(self._sends, work, done, failed)

    def serve[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        """Start or stop an endpoint. Such operations run one after the other in their own worker."""
        self._submit(self._servers, work, done, failed)

    def long[T](self, text: str, work: Callable[[Progress], T], done: Callable[[T], None], failed: Failed) -> Task:
        """Run a long operation that is shown as `text` with its progress. If cancelled, it fails with `Cancelled`."""
        return self._follow(self._long, text, work, done, failed)

    def aside[T](
        self, lane: Lane, text: str, work: Callable[[Progress], T], done: Callable[[T], None], failed: Failed
    ) -> Task:
        """Run an operation that may take many minutes. Only operations of the same lane wait for it."""
        return self._follow(self._aside[lane], text, work, done, failed)

    def begin(self, text: str, stop: Callable[[], None] = lambda: None) -> Task:
        """Show an operation that has its own thread. The caller reports its progress and end.

        `stop` ends it and waits until it has ended. It is called in another thread when the window is closed.
        """
        task = Task(text, self)
        self._tasks[task] = stop
        self.started.emit(task)
        return task

    def end(self, task: Task) -> None:
        """Remove an operation that has ended."""
        self._tasks.pop(task, None)
        task.ended.emit()
        task.deleteLater()

    def _follow[T](
        self,
        pool: ThreadPoolExecutor,
        text: str,
        work: Callable[[Progress], T],
        done: Callable[[T], None],
        failed: Failed,
    ) -> Task:
        task = self.begin(text)

        def finish(answer: T) -> None:
            self.end(task)
            done(answer)

        def fail(error: Exception) -> None:
            self.end(task)
            # An error while the task is being cancelled is irrelevant, as its workspace may be closed already.
            failed(Cancelled() if task.cancelled else error)

        self._submit(pool, lambda: work(task.report), finish, fail)
        return task

    def retire(self, work: Callable[[], None]) -> None:
        """Run work whose result is not needed, such as ending a thread."""
        self._submit(self._long, work, lambda _: None, lambda error: _log.error("%s", error))

    def finish(self, last: Callable[[], None], done: Callable[[], None]) -> None:
        """Cancel long operations and wait for them, let changes end, run `last`, then call `done`.

        New operations are not accepted. Changes that do not end soon are cancelled, too.
        """
        for task in self._tasks:
            task.cancel()
        QTimer.singleShot(CHANGES_GRACE_MS, self, self._cancel_changes)
        stops = list(self._tasks.values())

        def work() -> None:
            for stop in stops:
                stop()
            for pool in self._aside.values():
                pool.shutdown(wait=True)
            for pool in (self._changes, self._reads, self._servers):
                pool.shutdown(wait=True)
            last()

        self._submit(self._long, work, lambda _: done(), lambda _: done())
        self._finishing = True

    def _cancel_changes(self) -> None:
        for task in self._long_changes:
            task.cancel()

    def close(self) -> None:
        """Cancel long operations, wait for all pending ones, and discard their results."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        for stop in list(self._tasks.values()):
            stop()
        others = self._sends, self._long, self._previews, self._reads, self._changes, self._servers
        for pool in (*self._aside.values(), *others):
            pool.shutdown(wait=True)

    def _submit[T](
        self, pool: ThreadPoolExecutor, work: Callable[[], T], done: Callable[[T], None], failed: Failed
    ) -> None:
        if self._closed or self._finishing:
            return
        self._under_way += 1
        pool.submit(self._run, work, done, failed)

    def _run[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        try:
            answer = work()
        except Exception as error:  # noqa: BLE001 - whatever it was, whoever asked hears of it
            if not isinstance(error, FencewrightError | Cancelled):
                _log.exception("an operation failed")
            self._deliver(partial(failed, error))
        else:
            self._deliver(lambda: done(answer))

    def _deliver(self, answer: Callable[[], None]) -> None:
        if not self._closed:
            self._answered.emit(answer)

    def _answer(self, answer: Callable[[], None]) -> None:
        self._under_way -= 1
        if not self._closed:
            answer()
        if self._under_way == 0:
            self.idle.emit()


def _nothing() -> None:
    """Do nothing, because the change was not shown."""
