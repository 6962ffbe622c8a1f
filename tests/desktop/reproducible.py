"""Fixed conditions for pictures: the time, identifiers and keys, and the durations of requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from hashlib import sha256
from itertools import count
from typing import Self
from unittest.mock import patch

import engine.wiring
from app.api.http.request_log import ring
from app.desktop.model import words
from engine.domain.ports import SystemClock
from engine.store import keys

NOW = datetime(2026, 5, 12, 11, 30, tzinfo=UTC)
_FIRST = 7
_REQUEST_MS = (1.4, 0.9, 2.2, 1.1, 3.0)


class PictureTime:
    """The time in the pictures, which passes only when a scene says so."""

    def __init__(self) -> None:
        self.now = NOW

    def begin(self) -> None:
        """Return to the time at which every group of scenes begins."""
        self.now = NOW

    def let_pass(self, duration: timedelta) -> None:
        """Advance the time."""
        self.now += duration


TIME = PictureTime()


class _Stopped(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Return the time in the pictures."""
        return cls.fromtimestamp(TIME.now.timestamp(), tz)


@contextmanager
def reproducible() -> Iterator[None]:
    """Stop the machine's clock for the engine and the window, and create the same identifiers and keys each time."""
    TIME.begin()
    numbers = count()
    with ExitStack() as stack:
        for of, name, value in (
            (SystemClock, "now", lambda _: TIME.now),
            (words, "datetime", _Stopped),
            (engine.wiring, "token_hex", lambda size: _digits("process", size)),
            (engine.wiring, "randbits", lambda _: _FIRST),
            (keys, "token_hex", lambda size: _digits(f"key {next(numbers)}", size)),
            (ring, "perf_counter", _Ticks()),
        ):
            stack.enter_context(patch.object(of, name, value))
        yield


def _digits(name: str, size: int) -> str:
    return sha256(name.encode()).hexdigest()[: 2 * size]


class _Ticks:
    """A clock that advances by a few milliseconds each time it is read."""

    def __init__(self) -> None:
        self._reads = count()
        self._now_s = 0.0

    def __call__(self) -> float:
        """Return its time in seconds."""
        self._now_s += _REQUEST_MS[next(self._reads) % len(_REQUEST_MS)] / 1000
        return self._now_s
