"""Times at which geofences expire, and the timer that disables and deletes them then, also while no device reports."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from heapq import heapify, heappop, heappush
from threading import Condition, Thread

from engine.domain.errors import FencewrightError

_SLACK = 1_000
"""How many more entries of the heap may be out of date than are current."""

log = logging.getLogger(__name__)
_LONGEST_S = 60.0
"""However far the next expiry is: a machine that slept has to look again."""

_AGAIN_S = 1.0
"""After a failure, such as a full disk."""


class Expiries:
    """Moments by key, the soonest found at once. Changed by the writer's thread, read by any."""

    def __init__(self, moments: Iterable[tuple[str, datetime]] = ()) -> None:
        self._moments = dict(moments)
        self._heap: list[tuple[datetime, str]] = []
        self._rebuild()

    def copy(self) -> "Expiries":
        """Return the same moments, to be changed apart from these."""
        return Expiries(self._moments.items())

    def next(self) -> datetime | None:
        """Return the soonest moment."""
        # What is out of date is never left at the top.
        return next((moment for moment, _ in self._heap[:1]), None)

    def before(self, now: datetime) -> list[str]:
        """Return the keys whose moment has passed: strictly, so not those of `now` itself."""
        heap, found, places = list(self._heap), [], [0]
        while places:
            place = places.pop()
            if place < len(heap) and heap[place][0] < now:
                found.append(heap[place])
                places += (2 * place + 1, 2 * place + 2)
        return list({key: None for moment, key in found if self._moments.get(key) == moment})

    def change(self, moments: Iterable[tuple[str, datetime | None]]) -> None:
        """Set moments; None is for what does not expire any more."""
        for key, moment in moments:
            if moment is None:
                self._moments.pop(key, None)
            elif self._moments.get(key) != moment:
                self._moments[key] = moment
                heappush(self._heap, (moment, key))
        if len(self._heap) > 2 * len(self._moments) + _SLACK:
            self._rebuild()
        while self._heap and self._moments.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)

    def _rebuild(self) -> None:
        heap = [(moment, key) for key, moment in self._moments.items()]
        heapify(heap)
        self._heap = heap


class ExpiryTimer:
    """Sleeps until the next moment at which something expires, by clocks that may be moved meanwhile."""

    def __init__(self, wait_s: Callable[[], float | None], expire: Callable[[], None]) -> None:
        """`wait_s` returns in how many real seconds something expires next, None for never; `expire` does it."""
        self._wait_s = wait_s
        self._expire = expire
        self._changed = Condition()
        self._stale = False
        self._closed = False
        self._thread = Thread(target=self._run, name="expiry-timer")
        self._thread.start()

    def look_again(self) -> None:
        """Note that the next expiry, or a clock, may have changed."""
        with self._changed:
            self._stale = True
            self._changed.notify()

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    return
                self._stale = False
            wait_s = self._wait_s()
            if wait_s is not None and wait_s <= 0:
                wait_s = self._try_to_expire()
            with self._changed:
                if not (self._stale or self._closed):
                    self._changed.wait(None if wait_s is None else min(wait_s, _LONGEST_S))

    def _try_to_expire(self) -> float:
        try:
            self._expire()
        except FencewrightError as error:
            log.warning("Expired geofences could not be stored: %s", error)
            return _AGAIN_S
        return 0.0
