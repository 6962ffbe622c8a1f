"""The end of the program, which comes in time whatever is still running."""

import os
import sys
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Final, Self

WITHIN_S: Final = 4.0
"""So long work may take to notice that it is to end; the rest of the five seconds is for the end itself."""

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
        # The one primitive whose `put` may interrupt its own `get`, as a signal handler does.
        self._begun: SimpleQueue[bool] = SimpleQueue()
        self._left: SimpleQueue[None] = SimpleQueue()
        self._last: list[Callable[[], None]] = []

    def begin(self) -> None:
        """Count from now on; may be called by a signal handler, and again."""
        self._begun.put(True)

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
        try:
            self._left.get(timeout=self._within_s)
        except Empty:
            self._end()

    def _end(self) -> None:
        try:
            for last in self._last:
                last()
            sys.stderr.write(LATE)
            sys.stderr.flush()
        finally:
            # Not `sys.exit`: that waits for the threads that have not ended.
            os._exit(self._code())
