"""Stop requests: SIGINT (Ctrl-C) and SIGTERM let a command close its resources before it ends."""

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
    """Raised if a signal stops a command that does not check for stop requests.

    It is a class of its own because Python kills itself with SIGINT at its end after a plain `KeyboardInterrupt` in
    `exec`.
    """

    def __init__(self, exit_code: int) -> None:
        """Store the exit code that a shell expects after the signal."""
        super().__init__()
        self.exit_code = exit_code


class StopRequest:
    """The state of the user's request to stop the command."""

    def __init__(self, *, succeeds: bool = False, interrupts: bool = False) -> None:
        """Create a request; with `succeeds`, a signal ends the command successfully, even if it has to be cut off.

        With `interrupts`, a signal raises `Interrupted` in the main thread, for commands that do not check for it.
        """
        self._interrupts = interrupts
        self.signal: signal.Signals | None = None
        self.deadline = Deadline(lambda: 0 if succeeds else self.exit_code)
        self._has_ended = False
        self._woken, self._waker = socket.socketpair()
        self._waker.setblocking(False)

    @property
    def exit_code(self) -> int:
        """The exit code that a shell expects of a command ended by a signal."""
        return 0 if self.signal is None else 128 + self.signal

    def wait(self) -> None:
        """Wait until the command should end.

        If a signal arrives while the process is suspended, another thread may receive it when the process resumes. In
        that case only the byte that Python writes for each signal wakes this thread, which then handles the signal.
        """
        while not self._has_ended:
            select.select([self._woken], [], [])
            self._woken.recv(64)

    def end(self) -> None:
        """Make `wait` return and start the deadline by which ongoing work must stop."""
        self.deadline.begin()
        self.finish()

    def finish(self) -> None:
        """Make `wait` return because the work is done, without a deadline for the rest of the command."""
        self._has_ended = True
        # A full buffer already wakes `wait`, and after a close there is no waiter.
        with suppress(OSError):
            self._waker.send(b"\0")

    def check(self) -> None:
        """Raise `Cancelled` if the user requested a stop."""
        if self.signal is not None:
            raise Cancelled

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Handle signals during a block."""
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
        """Raise `Interrupted` on a signal during a block that does not check for it, such as a question."""
        before, self._interrupts = self._interrupts, True
        try:
            self.check()
            yield
        finally:
            self._interrupts = before

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """Record a signal; a second one has its default effect and ends the program."""
        self.signal = signal.Signals(number)
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        self.end()
        if self._interrupts:
            raise Interrupted(self.exit_code)


@contextmanager
def stop_on_signals(*, succeeds: bool = False, interrupts: bool = False) -> Iterator[StopRequest]:
    """Yield the stop request that signals set during the block, which must end before a deadline after a signal.

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
