"""The process that posts, as this one sees it."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from engine.outbound.posting.messages import LENGTH, Posted, Receiver, pack_posts, unpack_outcomes

log = logging.getLogger(__name__)

_PACKAGES = Path(__file__).parents[3]


class Poster:
    """Hands requests to a process of its own, which is started by the first one. May be used from any thread."""

    def __init__(self, told: Callable[[list[Posted]], None], lost: Callable[[], None]) -> None:
        """`told` takes outcomes, in a thread of this; `lost` learns that the process ended with requests under way."""
        self._told = told
        self._lost = lost
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: Thread | None = None
        self._closed = False

    def post(self, receiver: Receiver, bodies: Mapping[int, bytes]) -> bool:
        """Have requests with these bodies, by their numbers, made; return whether there is somebody to make them."""
        frame = pack_posts(receiver, bodies)
        with self._lock:
            if self._closed:
                return False
            try:
                process = self._running()
                assert process.stdin is not None
                process.stdin.write(frame)
                process.stdin.flush()
            except OSError as error:
                log.warning("The process that sends to webhooks cannot be reached: %s", error)
                return False
        return True

    def close(self) -> None:
        """End the process; what is under way is broken off."""
        with self._lock:
            self._closed = True
            process, reader = self._process, self._reader
            self._process = None
        if process is None:
            return
        process.kill()
        if reader is not None:
            reader.join()
        _end(process)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            path = os.pathsep.join(filter(None, [str(_PACKAGES), os.environ.get("PYTHONPATH")]))
            # In a session of its own: Ctrl-C is for us, and we end it.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "engine.outbound.posting.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": path},
            )
            self._reader = Thread(target=self._read, args=(self._process,), name="fencewright-outbound", daemon=True)
            self._reader.start()
        return self._process

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while len(head := process.stdout.read(LENGTH.size)) == LENGTH.size:
            content = process.stdout.read(LENGTH.unpack(head)[0])
            if content:
                self._told(unpack_outcomes(content))
        with self._lock:
            is_lost = self._process is process
            if is_lost:
                self._process = None
        if is_lost:
            log.warning("The process that sends to webhooks ended; it is started again.")
            _end(process)
            self._lost()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that ends, and close what led to it."""
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what is still to be written goes nowhere
            if pipe is not None:
                pipe.close()
