"""Ending on request: SIGINT (Ctrl-C) and SIGTERM let a command finish what it holds open."""

import select
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from app.stopping import Deadline
from engine.domain.ports import Cancelled

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


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
        self._has_ended = False
        self._woken, self._waker = socket.socketpair()
        self._waker.setblocking(False)

    @property
    def exit_code(self) -> int:
        """The exit code a shell expects of a command that a signal ended."""
        return 0 if self.signal is None else 128 + self.signal

    def wait(self) -> None:
        """Wait until the command should end.

        A signal that comes while the process is suspended may be taken by another thread when it goes on. Nothing
        interrupts this one then, which handles it, but the byte that Python writes for each signal.
        """
        while not self._has_ended:
            select.select([self._woken], [], [])
            self._woken.recv(64)

    def end(self) -> None:
        """Let `wait` return, and stop what is at work."""
        self.deadline.begin()
        self.finish()

    def finish(self) -> None:
        """Let `wait` return, because the work is done; what comes after it has all the time that it needs."""
        self._has_ended = True
        # Full: there is enough to wake it. Closed: nothing waits any more.
        with suppress(OSError):
            self._waker.send(b"\0")

    def check(self) -> None:
        """Raise `Cancelled` if the user asked to end."""
        if self.signal is not None:
            raise Cancelled

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Handle the signals during a block."""
        before = {each: signal.signal(each, self.handle) for each in _SIGNALS}
        woken_before = signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(woken_before)
            for each, handler in before.items():
                signal.signal(each, handler)
            self._woken.close()
            self._waker.close()

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
    with request.handling():
        try:
            with request.deadline:
                yield request
        except Cancelled as error:
            if request.signal is None:
                raise
            raise Interrupted(0 if succeeds else request.exit_code) from error
