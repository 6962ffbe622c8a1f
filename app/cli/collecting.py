"""Garbage collection of a server that keeps the state of many users in memory."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

LOOK_EVERY_S: Final = 60.0
"""Interval between checks of whether a complete collection is due, in seconds."""

_OLDEST: Final = 2


class _Settled:
    """Excludes objects that survived a full collection from the following ones.

    Python scans every object while all threads wait: 150 to 180 ms at a time while 100,000 devices are tracked, and 25
    to 33 ms without the excluded objects. Objects that survive a full collection mostly stay, and they are still freed
    once they are no longer referenced. Only reference cycles among them are not freed, until the number of excluded
    objects has doubled since the last complete scan.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._looked_at = now_s()
        self._after_all = gc.get_freeze_count()
        self._goes_through_all = False

    def after_collection(self, phase: str, info: dict[str, int]) -> None:
        """Handle a phase of a collection, as a callback in `gc.callbacks`."""
        if phase != "stop" or info["generation"] != _OLDEST:
            return
        gc.freeze()
        if self._goes_through_all:
            self._goes_through_all = False
            self._after_all = gc.get_freeze_count()
        elif self._now_s() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = self._now_s()
            if gc.get_freeze_count() > 2 * self._after_all:
                # The next full collection scans all objects.
                self._goes_through_all = True
                gc.unfreeze()


@contextmanager
def short_collections(now_s: Callable[[], float] = monotonic) -> Iterator[None]:
    """Keep full collections short while many objects are long-lived."""
    gc.freeze()
    callback = _Settled(now_s).after_collection
    gc.callbacks.append(callback)
    try:
        yield
    finally:
        gc.callbacks.remove(callback)
        gc.unfreeze()
