"""Garbage collection of a server that keeps the state of many users in memory."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

LOOK_EVERY_S: Final = 60.0
"""How often it is looked whether so much has gathered that all of it is to be gone through."""

_OLDEST: Final = 2


class _Settled:
    """Leaves out of each full collection what the last one found in use.

    Python goes through everything that is there, while all threads wait: a quarter of a second with 10,000 users. What
    has stayed until a full collection mostly goes on to stay; what is no longer referred to is freed as ever. Only
    cycles among it are not, until twice as much has settled as when all of it was gone through last.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._looked_at = now_s()
        self._after_all = gc.get_freeze_count()
        self._goes_through_all = False

    def after_collection(self, phase: str, info: dict[str, int]) -> None:
        """Follow the collector, as `gc.callbacks` are told."""
        if phase != "stop" or info["generation"] != _OLDEST:
            return
        gc.freeze()
        if self._goes_through_all:
            self._goes_through_all = False
            self._after_all = gc.get_freeze_count()
        elif self._now_s() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = self._now_s()
            if gc.get_freeze_count() > 2 * self._after_all:
                # The next full collection sees everything.
                self._goes_through_all = True
                gc.unfreeze()


@contextmanager
def short_collections(now_s: Callable[[], float] = monotonic) -> Iterator[None]:
    """Keep full collections short while many objects stay for long."""
    gc.freeze()
    callback = _Settled(now_s).after_collection
    gc.callbacks.append(callback)
    try:
        yield
    finally:
        gc.callbacks.remove(callback)
        gc.unfreeze()
