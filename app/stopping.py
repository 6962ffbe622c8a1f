"""Termination of the process in time, regardless of work that is still running."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from types import TracebackType
from typing import Final, Self

WITHIN_S: Final = 4.0
"""How long work may take to notice a stop, in seconds. The rest of the five seconds is for the exit itself."""

LATE: Final = "fencewright: stopped before everything had ended; what was not complete is undone\n"


class Deadline:
    """Ends the process if a stop takes too long. As a context manager, it does so until the block is left.

    Committed work remains. Uncommitted work is rolled back when the workspace is opened again, as after a crash, so
    that interrupted work is undone as a whole.
    """

    def __init__(self, code: Callable[[], int] = lambda: 0, within_s: float = WITHIN_S) -> None:
        """`code` returns the exit code for a stop that took too long."""
        self._code = code
        self._within_s = within_s
        # The only queue with a `put` that is safe in a signal handler that interrupts its `get`.
        self._begun: SimpleQueue[bool] = SimpleQueue()
        self._left: SimpleQueue[None] = SimpleQueue()
        self._first: list[Callable[[], None]] = []
        self._last: list[Callable[[], None]] = []
        self._has_begun = False

    def begin(self) -> None:
        """Start the countdown. May be called by a signal handler, and repeatedly."""
        self._begun.put(True)

    def at_begin(self, first: Callable[[], None]) -> None:
        """Call `first` in another thread when the stop begins, or now if it has begun.

        `first` may be called twice.
        """
        self._first.append(first)
        if self._has_begun:
            first()

    def before_end(self, last: Callable[[], None]) -> None:
        """Call `last` in the watching thread before the process is ended."""
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
        # Called in a separate thread, so that the countdown continues while it waits. Python starts no thread while it
        # exits, when there is nothing left to stop.
        with suppress(RuntimeError):
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
            # Not `sys.exit`, which waits for the remaining threads.
            os._exit(self._code())


def end_within(seconds: float, code: int) -> None:
    """End the process with an exit code after this many seconds, even if a thread or a pipe keeps Python from exiting.

    For a process that has finished or undone its work, and has reported it.
    """

    def end() -> None:
        sleep(seconds)
        os._exit(code)

    # Started now, since Python starts no threads while it exits.
    Thread(target=end, name="fencewright-end", daemon=True).start()
