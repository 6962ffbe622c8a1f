"""Ending the process in time, whatever is still running."""

import os
import sys
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from types import TracebackType
from typing import Final, Self

WITHIN_S: Final = 4.0
"""How long work may take to notice a stop; the rest of the five seconds is for the end itself."""

LATE: Final = "fencewright: stopped before everything had ended; what was not complete is undone\n"


class Deadline:
    """Ends the process when a stop takes too long; as a context it does so until the block is left.

    What has been committed stays. What has not been is rolled back when the workspace is opened again, as after a
    crash, so the work that is cut off is undone as a whole.
    """

    def __init__(self, code: Callable[[], int] = lambda: 0, within_s: float = WITHIN_S) -> None:
        """`code` returns the exit code for a stop that took too long."""
        self._code = code
        self._within_s = within_s
        # The only queue whose `put` is safe in a signal handler that interrupts its `get`.
        self._begun: SimpleQueue[bool] = SimpleQueue()
        self._left: SimpleQueue[None] = SimpleQueue()
        self._first: list[Callable[[], None]] = []
        self._last: list[Callable[[], None]] = []
        self._has_begun = False

    def begin(self) -> None:
        """Count from now on; may be called by a signal handler, and again."""
        self._begun.put(True)

    def at_begin(self, first: Callable[[], None]) -> None:
        """Have `first` called when it begins, or now if it has begun, in another thread; it may be called twice."""
        self._first.append(first)
        if self._has_begun:
            first()

    def before_end(self, last: Callable[[], None]) -> None:
        """Have `last` called before the process is ended, in a thread of its own."""
        self._last.append(last)

    def __enter__(self) -> Self:
        Thread(target=self._watch, name="fencewright-deadline", daemon=True).start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._left.put(None)
        self._begun.put(False)

    def _watch(self) -> None:
        if not self._begun.get():
            return
        self._has_begun = True
        # In a thread of its own: the time runs whatever it waits for.
        Thread(target=self._call_first, name="fencewright-stop", daemon=True).start()
        try:
            self._left.get(timeout=self._within_s)
        except Empty:
            self._end()

    def _call_first(self) -> None:
        for first in tuple(self._first):
            first()

    def _end(self) -> None:
        try:
            for last in self._last:
                last()
            sys.stderr.write(LATE)
            sys.stderr.flush()
        finally:
            # Not `sys.exit`: that waits for the threads that have not ended.
            os._exit(self._code())


def end_within(seconds: float, code: int) -> None:
    """End the process with an exit code after so many seconds, even if a thread or a pipe keeps Python from ending.

    For a process whose work is done or undone, and that has said so.
    """

    def end() -> None:
        sleep(seconds)
        os._exit(code)

    # Begun now: while Python ends, it begins no thread.
    Thread(target=end, name="fencewright-end", daemon=True).start()
