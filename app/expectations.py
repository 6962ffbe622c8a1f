"""Comparison of expected with actual events: missing, unexpected, different or out of order.

This module is pure: it reads no files and is independent of their format. `fencewright simulate --expect` and scenarios
share it.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Final

from msgspec import Struct

MAX_PAIRS: Final = 1_000_000
"""Number of possible pairs above which pairs in order are found greedily, so that there may be fewer than possible."""

type Fact = tuple[str, object]
"""Property of an event, by name: its type, its device, its geofence …"""

type Pairs = list[tuple[int, int]]
"""Indices of expectations and of the events that meet them."""


class Actual(Struct, frozen=True):
    """An event as expectations see it. There may be several facts of one name, such as a name and an ID."""

    facts: frozenset[Fact]
    at: datetime
    confidence: int | None = None


class Expected(Struct, frozen=True):
    """An event that should happen, with all of `facts`. A field that is None is not compared.

    `confidences` are the values that it may have.
    """

    facts: frozenset[Fact]
    at: datetime | None = None
    tolerance: timedelta = timedelta(0)
    confidences: frozenset[int] | None = None

    def names(self, event: Actual) -> bool:
        """Whether an event is of the expected kind, regardless of its time and confidence."""
        return self.facts <= event.facts

    def is_met_by(self, event: Actual) -> bool:
        """Whether an event is the expected one: of its kind, with an expected confidence, and in time."""
        return self.names(event) and not any(self.faults(event))

    def faults(self, event: Actual) -> "Iterator[Fault]":
        """Yield the differences between an event of the expected kind and the expected one."""
        if abs(self.offset(event)) > self.tolerance:
            yield Fault.TIME
        if self.confidences is not None and event.confidence not in self.confidences:
            yield Fault.CONFIDENCE

    def offset(self, event: Actual) -> timedelta:
        """Return how much later an event was than expected."""
        return timedelta(0) if self.at is None else event.at - self.at


class Fault(StrEnum):
    """A difference between an event and one of the expected kind."""

    TIME = "time"
    CONFIDENCE = "confidence"
    ORDER = "order"


class Near(Struct, frozen=True):
    """An expected event and an event of its kind that differs from it, as indices into the compared sequences."""

    expected: int
    actual: int
    faults: tuple[Fault, ...]


class Difference(Struct, frozen=True):
    """Result of `compare` as indices into the two sequences: pairs in `met`, single indices in the rest."""

    met: tuple[tuple[int, int], ...]
    near: tuple[Near, ...]
    missing: tuple[int, ...]
    unexpected: tuple[int, ...]

    @property
    def is_none(self) -> bool:
        """Whether everything happened as expected, and nothing else."""
        return not (self.near or self.missing or self.unexpected)


def compare(expected: Sequence[Expected], actual: Sequence[Actual], *, in_order: bool = True) -> Difference:
    """Return the smallest difference: as many expected events as possible are met, each by a different event."""
    index = _Index(actual)
    met = _ordered_pairs(expected, actual, index) if in_order else _any_pairs(expected, index)
    missing = _left(len(expected), (pair[0] for pair in met))
    unexpected = _left(len(actual), (pair[1] for pair in met))
    near = tuple(_near(expected, actual, missing, set(unexpected), index))
    near_expected, near_actual = {each.expected for each in near}, {each.actual for each in near}
    return Difference(
        tuple(met),
        near,
        tuple(place for place in missing if place not in near_expected),
        tuple(place for place in unexpected if place not in near_actual),
    )


def _left(count: int, taken: Iterable[int]) -> list[int]:
    excluded = set(taken)
    return [place for place in range(count) if place not in excluded]


class _Index:
    """An index that finds events by their facts and their time, without a full scan."""

    def __init__(self, actual: Sequence[Actual]) -> None:
        self._actual = actual
        self._all = sorted(range(len(actual)), key=lambda place: actual[place].at)
        self._having: dict[Fact, list[int]] = {}
        for place in self._all:
            for fact in actual[place].facts:
                self._having.setdefault(fact, []).append(place)

    def around(self, wanted: Expected) -> Sequence[int]:
        """Return candidates for the expected event, closest to its time first."""
        bucket = self._bucket(wanted)
        if wanted.at is None:
            return bucket
        at = wanted.at
        first = bisect_left(bucket, at - wanted.tolerance, key=self._time)
        last = bisect_right(bucket, at + wanted.tolerance, key=self._time)
        return sorted(bucket[first:last], key=lambda place: abs(self._time(place) - at))

    def named(self, wanted: Expected) -> Iterator[int]:
        """Yield the events of the expected kind, regardless of their time."""
        return (place for place in self._bucket(wanted) if wanted.names(self._actual[place]))

    def meeting(self, wanted: Expected) -> Iterator[int]:
        """Yield the events that meet the expectation, closest to its time first."""
        return (place for place in self.around(wanted) if wanted.is_met_by(self._actual[place]))

    def _bucket(self, wanted: Expected) -> list[int]:
        """Return the shortest list of events that share a fact with the expected one."""
        return min((self._having.get(fact, []) for fact in wanted.facts), key=len, default=self._all)

    def _time(self, place: int) -> datetime:
        return self._actual[place].at


# In order


def _ordered_pairs(expected: Sequence[Expected], actual: Sequence[Actual], index: _Index) -> Pairs:
    """Return the longest sequence of pairs that increases on both sides."""
    first, last = _ends(expected, actual)
    head = [(place, place) for place in range(first)]
    tail = [(len(expected) - n, len(actual) - n) for n in range(last, 0, -1)]
    middle, events = range(first, len(expected) - last), range(first, len(actual) - last)
    around = {place: sorted(each for each in index.around(expected[place]) if each in events) for place in middle}
    row = _next_in_order if sum(map(len, around.values())) > MAX_PAIRS else longest_row
    options = ((place, (each for each in around[place] if expected[place].is_met_by(actual[each]))) for place in middle)
    return [*head, *row(options), *tail]


def _ends(expected: Sequence[Expected], actual: Sequence[Actual]) -> tuple[int, int]:
    """Return how many events at the beginning and at the end are as expected."""
    shorter = min(len(expected), len(actual))
    first = last = 0
    while first < shorter and expected[first].is_met_by(actual[first]):
        first += 1
    while last < shorter - first and expected[-1 - last].is_met_by(actual[-1 - last]):
        last += 1
    return first, last


def longest_row(options: Iterable[tuple[int, Iterable[int]]]) -> Pairs:
    """Return the longest increasing sequence of pairs (Hunt and Szymanski)."""
    ends: list[int] = []
    links: list[_Link] = []
    for first, seconds in options:
        for second in reversed(list(seconds)):
            length = bisect_left(ends, second)
            link = _Link(first, second, links[length - 1] if length else None)
            ends[length : length + 1], links[length : length + 1] = [second], [link]
    return list(_linked(links[-1] if links else None))[::-1]


class _Link(Struct, frozen=True):
    first: int
    second: int
    before: "_Link | None"


def _linked(link: _Link | None) -> Iterator[tuple[int, int]]:
    while link is not None:
        yield link.first, link.second
        link = link.before


def _next_in_order(options: Iterable[tuple[int, Iterable[int]]]) -> Pairs:
    found: Pairs = []
    for first, seconds in options:
        after = found[-1][1] if found else -1
        second = next((each for each in seconds if each > after), None)
        if second is not None:
            found.append((first, second))
    return found


# In any order


def _any_pairs(expected: Sequence[Expected], index: _Index) -> Pairs:
    """Return as many pairs as possible, regardless of their order: a maximum matching by augmenting paths.

    The options of an expectation are limited to the number of expectations, since that many always leave it a partner.
    """
    options = [list(islice(index.meeting(wanted), len(expected))) for wanted in expected]
    owner: dict[int, int] = {}
    held: dict[int, int] = {}
    for first in range(len(options)):
        _augment(first, options, owner, held)
    return sorted(held.items())


def _augment(start: int, options: Sequence[Sequence[int]], owner: dict[int, int], held: dict[int, int]) -> None:
    """Find a partner for one more expectation, reassigning others if necessary (breadth first, without recursion)."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        first = waiting.popleft()
        for second in options[first]:
            if second in came_from:
                continue
            came_from[second] = first
            if second not in owner:
                _hand_over(second, start, came_from, owner, held)
                return
            waiting.append(owner[second])


def _hand_over(free: int, start: int, came_from: dict[int, int], owner: dict[int, int], held: dict[int, int]) -> None:
    """Assign the free event, and pass each former partner back along the path that led to it."""
    second: int | None = free
    while second is not None:
        first = came_from[second]
        before = None if first == start else held[first]
        owner[second], held[first] = first, second
        second = before


# Near matches


def _near(
    expected: Sequence[Expected], actual: Sequence[Actual], missing: Sequence[int], left: set[int], index: _Index
) -> Iterator[Near]:
    """Yield for each missing event the remaining one of its kind with the fewest faults, then the nearest in time."""
    for place in missing:
        wanted = expected[place]
        found = [_judged(wanted, actual, each) for each in index.named(wanted) if each in left]
        if found:
            _, _, nearest, faults = min(found)
            left.remove(nearest)
            yield Near(place, nearest, faults or (Fault.ORDER,))


def _judged(wanted: Expected, actual: Sequence[Actual], place: int) -> tuple[int, timedelta, int, tuple[Fault, ...]]:
    faults = tuple(wanted.faults(actual[place]))
    return len(faults), abs(wanted.offset(actual[place])), place, faults
