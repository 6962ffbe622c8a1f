"""A process that builds something for its parent, reports its progress, and ends with the parent.

It writes a line of JSON several times a second: ``{"done", "total"}``, and at the end ``{"built": true}`` or
``{"error": {"kind", "param", "message"}}``. `engine.areas.builder` starts such a process and follows it.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

import orjson

from engine.areas.builder import TOTAL
from engine.domain.errors import FencewrightError
from engine.domain.ports import Progress

_BEAT_S: Final = 0.2


def run_worker(subject: str, build: Callable[[Progress], None]) -> int:
    """Build in this process and return its exit code; `subject` (``The area``) begins disk error messages."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    reporter = _Reporter()
    try:
        build(reporter.progress)
    except FencewrightError as error:
        param = getattr(error, "param", None)
        reporter.end({"error": {"kind": type(error).__name__, "param": param, "message": error.message}})
        return 1
    except OSError as error:
        message = f"{subject} cannot be built: {error.strerror or error}."
        reporter.end({"error": {"kind": "BuildFailed", "param": None, "message": message}})
        return 1
    reporter.end({"built": True})
    return 0


class _Reporter:
    """Reports the progress to the parent several times a second, so that the build can be cancelled at any time."""

    def __init__(self) -> None:
        self._done, self._total = 0, TOTAL  # the first report may precede the first progress
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def progress(self, done: int, total: int) -> None:
        self._done, self._total = max(self._done, done), total

    def end(self, message: dict[str, Any]) -> None:
        self._ended.set()
        self._thread.join()
        self._send(message)

    def _beat(self) -> None:
        while not self._ended.wait(_BEAT_S):
            self._send({"done": self._done, "total": self._total})

    def _send(self, message: dict[str, Any]) -> None:
        with self._lock:
            sys.stdout.buffer.write(orjson.dumps(message) + b"\n")
            sys.stdout.buffer.flush()


def _end_with_parent() -> None:
    """Kill this process group when standard input ends, which means that the parent has ended."""
    while os.read(0, 1):
        pass
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
