"""Times at which geofences expire."""

from collections.abc import Iterable
from datetime import datetime
from heapq import heapify, heappop, heappush

_SLACK = 1_000
"""How many entries of the heap may be out of date, besides as many as are not."""


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
