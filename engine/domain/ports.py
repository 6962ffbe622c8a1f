"""The ports: what packages need of one another and of the outside, as small protocols."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """The engine's only source of time."""

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""
        ...


class SystemClock:
    """The machine's own clock, in whole milliseconds as the wire shows them."""

    def now(self) -> datetime:
        """Return the machine's time in UTC."""
        moment = datetime.now(UTC)
        return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


type Progress = Callable[[int, int], None]
"""Called with (done, total) during long work; it may raise `Cancelled` to stop the work."""


class Cancelled(Exception):
    """Raised by a `Progress` callback when the user asked to stop; the work is undone."""


def no_progress(_done: int, _total: int) -> None:
    """Ignore progress."""
