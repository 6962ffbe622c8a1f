"""The courier's process from the perspective of the engine's process."""

import logging
import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from engine.delivery.courier.messages import Order, frame, frames
from engine.processes import module_command, search_path

log = logging.getLogger(__name__)


class CourierProcess:
    """Starts the process, sends it orders, and reads its reports in a thread. Thread-safe."""

    def __init__(self, database: Path, reported: Callable[[int, bytes], None], lost: Callable[[], None]) -> None:
        """Prepare a process without starting it.

        `reported` is called with each report, and `lost` if the process ends by itself. Both are called in the reader's
        thread.
        """
        self._database = database
        self._reported = reported
        self._lost = lost
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: Thread | None = None

    @property
    def pid(self) -> int | None:
        """ID of the process, or None if it is not running."""
        process = self._process
        return None if process is None else process.pid

    def start(self) -> None:
        """Start the process. Raises `OSError`."""
        # The process gets its own session, because Ctrl-C is handled here and then ends the process.
        process = subprocess.Popen(
            module_command("engine.delivery.courier.main", str(self._database.absolute())),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": search_path()},
        )
        with self._lock:
            self._process = process
        self._reader = Thread(target=self._read, args=(process,), name="fencewright-outbound", daemon=True)
        self._reader.start()

    def send(self, content: bytes) -> bool:
        """Send a frame and return whether the process could receive it."""
        with self._lock:
            process = self._process
            if process is None:
                return False
            assert process.stdin is not None
            try:
                process.stdin.write(content)
                process.stdin.flush()
            except OSError:
                return False
        return True

    def close(self, grace_s: float) -> None:
        """Ask the process to end, and kill it after a grace period."""
        is_there = self.send(frame(Order.CLOSE))
        with self._lock:
            process, reader = self._process, self._reader
        if process is None or reader is None:
            return
        if is_there:
            reader.join(grace_s)
        with self._lock:
            self._process = None
        process.kill()
        reader.join()
        _end(process)

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for kind, content in frames(process.stdout):  # type: ignore[arg-type]
            self._reported(kind, content)
        with self._lock:
            is_lost = self._process is process
            if is_lost:
                self._process = None
        if is_lost:
            _end(process)
            self._lost()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that is ending, and close its pipes."""
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # unwritten data is discarded
            if pipe is not None:
                pipe.close()
