"""The deliveries of one webhook in memory: the first of each lane, by when they are due. No database, no clock.

Of a lane only the first delivery is here; that others are behind it is remembered, and not which. So memory grows with
how many users wait and not with how many events, and up to a limit: the rest stays where it is stored until there is
room.
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
    """Says what is to be sent next. For one thread."""

    def __init__(self) -> None:
        self.scanned = 0
        """Every waiting delivery up to this number is a head, or behind one."""
        self.window = LEAST_WINDOW
        """How many may be under way: as many as the receiver lately took in a moment, four times over, since half of
        them are answered and being stored."""
        self._is_complete = False
        self._heads: dict[str, Waiting] = {}
        self._due: list[tuple[datetime, int, str]] = []
        self._flying: dict[int, Waiting] = {}
        self._behind: set[str] = set()
        self._doubtful: set[int] = set()
        """Those under way that may be other ones by now, or none."""

    @property
    def wants_more(self) -> bool:
        """Whether stored deliveries above `scanned` are to be read."""
        return not self._is_complete and len(self._heads) < MAX_HEADS

    @property
    def numbers_under_way(self) -> Set[int]:
        """The numbers of the deliveries under way."""
        return self._flying.keys()

    @property
    def is_full(self) -> bool:
        """Whether no other may be under way."""
        return len(self._flying) >= self.window

    def grow(self) -> None:
        """Note that there may be new deliveries."""
        self._is_complete = False

    def rescan(self) -> None:
        """Note that any delivery may be another one: read all again, and those under way when they come back."""
        self._doubtful.update(self._flying)
        self._heads = {delivery.lane: delivery for delivery in self._flying.values()}
        self._due, self._behind = [], set()
        self.scanned, self._is_complete = 0, False

    def found(self, deliveries: Iterable[Waiting], *, complete: bool) -> None:
        """Take what was read above `scanned`, in order; `complete` tells that there is no more."""
        for delivery in deliveries:
            self.scanned = delivery.number
            head = self._heads.get(delivery.lane)
            if head is None:
                self._take(delivery)
            elif head.number != delivery.number:
                self._behind.add(delivery.lane)
        self._is_complete = complete

    def take_due(self, now: datetime) -> list[Waiting]:
        """Return what is to be sent now, which is under way from now on."""
        taken = []
        while self._due and self._due[0][0] <= now and not self.is_full:
            _, number, lane = heappop(self._due)
            delivery = self._heads.get(lane)
            if delivery is not None and delivery.number == number and number not in self._flying:
                self._flying[number] = delivery
                taken.append(delivery)
        return taken

    def next_due(self) -> datetime | None:
        """Return when the next delivery is due; None where there is none, or no room for it."""
        return self._due[0][0] if self._due and not self.is_full else None

    def under_way(self, numbers: Set[int]) -> list[Waiting]:
        """Return the deliveries with these numbers that are under way, in order."""
        return [self._flying[number] for number in sorted(numbers & self._flying.keys())]

    def put_back(self, delivery: Waiting) -> None:
        """Have a delivery wait, until it is due again; it is still the first of its lane."""
        self._flying.pop(delivery.number, None)
        if delivery.number not in self._doubtful:
            self._take(delivery)
            return
        self._doubtful.discard(delivery.number)
        self._heads.pop(delivery.lane, None)
        self.scanned, self._is_complete = 0, False

    def finish(self, delivery: Waiting) -> bool:
        """Take a delivery out that needs no more attempts; return whether others of its lane may be behind it."""
        self._flying.pop(delivery.number, None)
        self._doubtful.discard(delivery.number)
        self._heads.pop(delivery.lane, None)
        return delivery.lane in self._behind

    def follow(self, lanes: Iterable[str], firsts: Iterable[Waiting]) -> None:
        """Take the first stored delivery of each of these lanes, which have no head; a lane without one is empty."""
        found = {delivery.lane: delivery for delivery in firsts}
        for lane in lanes:
            if lane not in found:
                self._behind.discard(lane)
            elif lane not in self._heads:
                self._take(found[lane])

    def adapt(self, finished: int) -> None:
        """Note how many requests the receiver answered in a moment."""
        self.window = min(max(4 * finished, LEAST_WINDOW), MOST_WINDOW)

    def _take(self, delivery: Waiting) -> None:
        self._heads[delivery.lane] = delivery
        heappush(self._due, (delivery.due_at, delivery.number, delivery.lane))
