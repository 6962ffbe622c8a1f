"""Helpers that wait for another thread or process."""

from collections.abc import Callable
from time import monotonic, sleep

DEADLINE_S = 60.0
"""Generous timeout, since the machine may be busy."""


def eventually(holds: Callable[[], bool]) -> None:
    """Return when a condition holds, and fail if it does not within the deadline."""
    deadline = monotonic() + DEADLINE_S
    while not holds():
        assert monotonic() < deadline, "it does not come to be"
        sleep(0.02)
