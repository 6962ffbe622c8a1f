"""The courier's process, as the engine's sees it."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Final

from engine.delivery.courier.messages import Order, frame, frames

log = logging.getLogger(__name__)

_PACKAGES: Final = Path(__file__).parents[3]


class CourierProcess:
    """Starts the process, sends it orders, and reads its reports in a thread. May be used from any thread."""

    def __init__(self, database: Path, reported: Callable[[int, bytes], None], lost: Callable[[], None]) -> None:
        """`reported` takes a report; `lost` learns that the process ended by itself. Both in a thread of this."""
        self._database = database
        self._reported = reported
        self._lost = lost
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: Thread | None = None

    @property
    def pid(self) -> int | None:
        """The identifier of the process; None while there is none."""
        process = self._process
        return None if process is None else process.pid

    def start(self) -> None:
        """Start the process; raises `OSError`."""
        path = os.pathsep.join(filter(None, [str(_PACKAGES), os.environ.get("PYTHONPATH")]))
        # In a session of its own: Ctrl-C is for us, and we end it.
        process = subprocess.Popen(
            [sys.executable, "-m", "engine.delivery.courier.main", str(self._database.absolute())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        with self._lock:
            self._process = process
        self._reader = Thread(target=self._read, args=(process,), name="fencewright-outbound", daemon=True)
        self._reader.start()

    def send(self, content: bytes) -> bool:
        """Send a frame; return whether there is somebody to take it."""
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
        """Have the process end, which may take so long."""
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
    """Wait for a process that ends, and close what led to it."""
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what is still to be written goes nowhere
            if pipe is not None:
                pipe.close()
