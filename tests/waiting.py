"""Waiting for what happens in another thread or process."""

from collections.abc import Callable
from time import monotonic, sleep

DEADLINE_S = 60.0
"""Generous: the machine may be busy with other things."""


def eventually(holds: Callable[[], bool]) -> None:
    """Return when something holds; fail where it does not within the deadline."""
    deadline = monotonic() + DEADLINE_S
    while not holds():
        assert monotonic() < deadline, "it does not come to be"
        sleep(0.02)
