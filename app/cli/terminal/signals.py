"""Ending on request: SIGINT (Ctrl-C) and SIGTERM let a command finish what it holds open."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from types import FrameType

from app.stopping import Deadline
from engine.domain.ports import Cancelled

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_LOOK_EVERY_S = 1.0


class Interrupted(KeyboardInterrupt):
    """A signal asked a command to end that does not check for it.

    A class of its own, since Python kills itself with SIGINT at its end after a plain `KeyboardInterrupt` in `exec`.
    """

    def __init__(self, exit_code: int) -> None:
        """`exit_code` is what a shell expects then."""
        super().__init__()
        self.exit_code = exit_code


class StopRequest:
    """Whether and how the user asked the command to end."""

    def __init__(self, *, succeeds: bool = False, interrupts: bool = False) -> None:
        """With `succeeds` a signal is how the command ends well, even if it has to be cut off.

        With `interrupts` it raises `Interrupted` in the main thread, for commands that check nothing.
        """
        self._interrupts = interrupts
        self.signal: signal.Signals | None = None
        self.deadline = Deadline(lambda: 0 if succeeds else self.exit_code)
        # The one primitive whose `put` may interrupt its own `get`, as a signal handler does.
        self._ends: SimpleQueue[None] = SimpleQueue()

    @property
    def exit_code(self) -> int:
        """The exit code a shell expects of a command that a signal ended."""
        return 0 if self.signal is None else 128 + self.signal

    def wait(self) -> None:
        """Wait until the command should end.

        A signal that comes while the process is suspended may be taken by another thread when it goes on, and nothing
        would interrupt this one to handle it.
        """
        while True:
            with suppress(Empty):
                return self._ends.get(timeout=_LOOK_EVERY_S)

    def end(self) -> None:
        """Let `wait` return, and stop what is at work."""
        self.deadline.begin()
        self.finish()

    def finish(self) -> None:
        """Let `wait` return, because the work is done; what comes after it has all the time that it needs."""
        self._ends.put(None)

    def check(self) -> None:
        """Raise `Cancelled` if the user asked to end."""
        if self.signal is not None:
            raise Cancelled

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Have a signal raise `Interrupted` during a block that checks nothing, such as a question."""
        before, self._interrupts = self._interrupts, True
        try:
            self.check()
            yield
        finally:
            self._interrupts = before

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """Take note of a signal; a second one ends the program as it would without us."""
        self.signal = signal.Signals(number)
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        self.end()
        if self._interrupts:
            raise Interrupted(self.exit_code)


@contextmanager
def stop_on_signals(*, succeeds: bool = False, interrupts: bool = False) -> Iterator[StopRequest]:
    """Yield the request that the signals make while the block runs, which ends in time after one.

    Raises `Interrupted` in place of a `Cancelled` that such a signal has caused and the block does not handle.
    """
    request = StopRequest(succeeds=succeeds, interrupts=interrupts)
    before = {each: signal.signal(each, request.handle) for each in _SIGNALS}
    try:
        with request.deadline:
            yield request
    except Cancelled as error:
        if request.signal is None:
            raise
        raise Interrupted(0 if succeeds else request.exit_code) from error
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
