"""Work that is stopped in the middle, and checks of the remains of the stopped process."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final, Self

from app.remote import RemoteWorkspace
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.ports import Progress
from engine.store.workspace import read_endpoint
from tests.app.program import TIMEOUT_S, Program, Serving

WITHIN_S: Final = 5.0
SLOWER_S: Final = 3.0
"""Tolerance for the end of a process on a busy machine, in seconds."""

_LASTING: Final = frozenset(
    {"fencewright.db", "keys.json", "settings.json", "lock", "secrets.json", "view.json", "window.json", "areas"}
)
"""Files of a closed workspace."""

_SHOWN: Final = re.compile(rb"(?:: ([\d,]+) of ([\d,]+)|\] +(\d+) %)")
"""Progress on a terminal."""

type Work = Callable[[RemoteWorkspace, Progress], object]
type Reached = Callable[[int, int], bool]
"""Whether work with this progress has reached the point at which it will be stopped."""


def descendants(pid: int) -> set[int]:
    """Return the descendants of a process."""
    found, new = set[int](), {pid}
    while new:
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", ",".join(map(str, new))], capture_output=True, text=True, check=False
        ).stdout
        new = set(map(int, listed.split())) - found
        found |= new
    return found


def is_running(pid: int) -> bool:
    """Return whether a process is still running; a zombie is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def have_ended(processes: set[int]) -> bool:
    """Return whether processes have ended, after waiting for the system to end them."""
    until = time.monotonic() + SLOWER_S
    while any(map(is_running, processes)):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def counts(workspace: Path) -> dict[Environment, int]:
    """Return the number of geofences after reopening a workspace, whose folder must not contain other files."""
    with WorkspaceSession(workspace) as session:
        found = {environment: len(session.engine.geofences.all(environment)) for environment in Environment}
    left = {path.name for path in workspace.iterdir()} - _LASTING
    assert not left, left
    return found


def count_beacons(workspace: Path) -> int:
    """Return the number of beacons after reopening a workspace."""
    with WorkspaceSession(workspace) as session:
        return len(session.engine.beacons.all(Environment.TEST))


@contextmanager
def temporary_files_of(program: Program, folder: Path) -> Iterator[Path]:
    """Redirect a program's temporary files to a folder, which must be empty after the block."""
    folder.mkdir()
    program.environment = {**program.environment, "TMPDIR": str(folder)}
    yield folder
    assert list(folder.iterdir()) == []


class RemoteWork:
    """Work that a server does for this process, which is followed to the point at which it will be stopped.

    From there the server is suspended until it is stopped. On a busy machine the work would be done before.
    """

    def __init__(self, workspace: Path, work: Work, reached: Reached) -> None:
        endpoint = read_endpoint(workspace)
        assert endpoint is not None
        self._pid = endpoint.pid
        self._remote, self._work, self._reached = RemoteWorkspace(workspace, endpoint), work, reached
        self._there = Event()
        self.answer: object = None
        self.error: Exception | None = None
        self._thread = Thread(target=self._ask)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._there.wait(TIMEOUT_S), "the work never came to its middle"
        assert self.answer is None, "the work was done before"
        assert self.error is None, self.error
        return self

    def __exit__(self, *_: object) -> None:
        let_go_on(self._pid)
        self._thread.join(TIMEOUT_S)

    def _ask(self) -> None:
        try:
            self.answer = self._work(self._remote, self._note)
        except Exception as error:  # noqa: BLE001 - it is looked at by the test
            self.error = error
        self._there.set()

    def _note(self, done: int, total: int) -> None:
        if not self._there.is_set() and self._reached(done, total):
            hold(self._pid)
            self._there.set()


def hold(pid: int) -> None:
    """Suspend a process until it is resumed."""
    os.kill(pid, signal.SIGSTOP)


def let_go_on(pid: int) -> None:
    """Resume a process that may be suspended, unless it has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def stop_server(server: Serving, number: signal.Signals) -> str:
    """Stop a server, check that it ends in time and cleanly and leaves no process, and return its messages."""
    processes = descendants(server.process.pid)
    began = time.monotonic()
    # Sent while the server is suspended, so that it handles the signal first when it resumes.
    server.process.send_signal(number)
    let_go_on(server.process.pid)
    ended = server.wait()
    took = time.monotonic() - began
    assert took <= WITHIN_S + SLOWER_S
    assert ended.code == 0
    assert "Traceback" not in ended.err
    assert have_ended(processes)
    assert not server.ready_file.exists()
    return ended.err


class OnTerminal:
    """A command that shows its progress on a terminal, which is its standard error."""

    def __init__(self, program: Program, *arguments: object) -> None:
        self._screen, theirs = os.openpty()
        self.process = program.start_with([], *arguments, stderr=theirs)
        os.close(theirs)
        self._held = self.process.pid
        self.shown = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self._screen)

    def wait_until(self, reached: Reached, *, held: int | None = None) -> None:
        """Read the output until the work reaches the point of the stop, then suspend this process.

        On a busy machine the work would be done before it is stopped. `held` is another process to suspend, if it does
        the work.
        """
        while not any(reached(*progress) for progress in self._progress()):
            assert self._read(), f"the command ended before: {self.shown!r}"
        self._held = held or self.process.pid
        hold(self._held)

    def stop(self, number: signal.Signals) -> tuple[int, str]:
        """Stop the command, check that it ends in time and leaves no process; return its exit code and last line."""
        processes = descendants(self.process.pid)
        assert self.process.poll() is None, "the command ended before"
        began = time.monotonic()
        let_go_on(self._held)
        self.process.send_signal(number)
        while self._read():
            pass
        code = self.process.wait(TIMEOUT_S)
        assert time.monotonic() - began <= WITHIN_S + SLOWER_S
        assert b"Traceback" not in self.shown
        assert have_ended(processes)
        return code, self.shown.decode().splitlines()[-1]

    def rest(self) -> str:
        """Return the complete output of a command that has ended."""
        while self._read():
            pass
        return self.shown.decode()

    def _progress(self) -> Iterator[tuple[int, int]]:
        for done, total, percent in _SHOWN.findall(self.shown):
            yield (int(percent), 100) if percent else (int(done.replace(b",", b"")), int(total.replace(b",", b"")))

    def _read(self) -> bool:
        try:
            read = os.read(self._screen, 65_536)
        except OSError:  # the other end is closed
            return False
        self.shown += read
        return bool(read)
