"""The queue of one webhook in memory: the first delivery of each lane, by due time. No database, no clock.

Only the first delivery of a lane is kept, with a flag if there are others behind it. Memory use therefore grows with
the number of waiting users, not of events, and has a limit. The rest stays in the database until there is room.
"""

from collections.abc import Iterable, Set
from datetime import datetime
from heapq import heappop, heappush
from typing import Final

from engine.domain.webhooks.delivery import Waiting

MAX_HEADS: Final = 20_000
LEAST_WINDOW: Final = 16
MOST_WINDOW: Final = 1_024


class LaneQueue:
    """Determines the deliveries to be sent next. Not thread-safe."""

    def __init__(self) -> None:
        self.scanned = 0
        """Number up to which every waiting delivery is the head of a lane, or behind one."""
        self.window = LEAST_WINDOW
        """Maximum number of deliveries in progress.

        It is four times the number recently answered in one round, since half of them are answered and being stored.
        """
        self._is_complete = False
        self._heads: dict[str, Waiting] = {}
        self._due: list[tuple[datetime, int, str]] = []
        self._flying: dict[int, Waiting] = {}
        self._behind: set[str] = set()
        self._doubtful: set[int] = set()
        """Numbers of deliveries in progress that may have been changed or deleted since."""

    @property
    def wants_more(self) -> bool:
        """Whether stored deliveries above `scanned` should be read."""
        return not self._is_complete and len(self._heads) < MAX_HEADS

    @property
    def numbers_under_way(self) -> Set[int]:
        """Numbers of the deliveries in progress."""
        return self._flying.keys()

    @property
    def is_full(self) -> bool:
        """Whether no other delivery may be in progress."""
        return len(self._flying) >= self.window

    def grow(self) -> None:
        """Record that there may be new deliveries."""
        self._is_complete = False

    def rescan(self) -> None:
        """Record that any delivery may have changed.

        All are read again, including those in progress when they return.
        """
        self._doubtful.update(self._flying)
        self._heads = {delivery.lane: delivery for delivery in self._flying.values()}
        self._due, self._behind = [], set()
        self.scanned, self._is_complete = 0, False

    def found(self, deliveries: Iterable[Waiting], *, complete: bool) -> None:
        """Add the deliveries read above `scanned`, in order. `complete` means that there are no others."""
        for delivery in deliveries:
            self.scanned = delivery.number
            head = self._heads.get(delivery.lane)
            if head is None:
                self._take(delivery)
            elif head.number != delivery.number:
                self._behind.add(delivery.lane)
        self._is_complete = complete

    def take_due(self, now: datetime) -> list[Waiting]:
        """Return the deliveries that are due, which are in progress from now on."""
        taken = []
        while self._due and self._due[0][0] <= now and not self.is_full:
            _, number, lane = heappop(self._due)
            delivery = self._heads.get(lane)
            if delivery is not None and delivery.number == number and number not in self._flying:
                self._flying[number] = delivery
                taken.append(delivery)
        return taken

    def next_due(self) -> datetime | None:
        """Return when the next delivery is due, or None if no delivery is waiting or there is no room for it."""
        return self._due[0][0] if self._due and not self.is_full else None

    def under_way(self, numbers: Set[int]) -> list[Waiting]:
        """Return the deliveries in progress with these numbers, in order."""
        return [self._flying[number] for number in sorted(numbers & self._flying.keys())]

    def put_back(self, delivery: Waiting) -> None:
        """Return a delivery to the queue until it is due again. It remains the first of its lane."""
        self._flying.pop(delivery.number, None)
        if delivery.number not in self._doubtful:
            self._take(delivery)
            return
        self._doubtful.discard(delivery.number)
        self._heads.pop(delivery.lane, None)
        self.scanned, self._is_complete = 0, False

    def finish(self, delivery: Waiting) -> bool:
        """Remove a finished delivery and return whether there may be others behind it in its lane."""
        self._flying.pop(delivery.number, None)
        self._doubtful.discard(delivery.number)
        self._heads.pop(delivery.lane, None)
        return delivery.lane in self._behind

    def follow(self, lanes: Iterable[str], firsts: Iterable[Waiting]) -> None:
        """Add the first stored delivery of each of these lanes, which have no head. Lanes without one are empty."""
        found = {delivery.lane: delivery for delivery in firsts}
        for lane in lanes:
            if lane not in found:
                self._behind.discard(lane)
            elif lane not in self._heads:
                self._take(found[lane])

    def adapt(self, finished: int) -> None:
        """Adapt the window to the number of requests that the receiver recently answered."""
        self.window = min(max(4 * finished, LEAST_WINDOW), MOST_WINDOW)

    def _take(self, delivery: Waiting) -> None:
        self._heads[delivery.lane] = delivery
        heappush(self._due, (delivery.due_at, delivery.number, delivery.lane))
