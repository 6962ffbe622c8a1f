"""Expected events against those that happened: which are missing, too many, or at another time or place in the order.

Pure: it reads no files and knows no spelling but its own. `fencewright simulate --expect` and scenarios share it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """An event as far as expectations look at it; `tag` and `external_id` are those of what it is about."""

    type: str
    at: datetime | None = None
    tag: str | None = None
    external_id: str | None = None
    device_id: str | None = None
    user_id: str | None = None
    confidence: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """An event that should happen; what is None may be anything.

    `confidence` is the least that it must have; `tolerance_s` goes before that of all.
    """

    type: str
    at: datetime | None = None
    tag: str | None = None
    external_id: str | None = None
    device_id: str | None = None
    user_id: str | None = None
    confidence: int | None = None
    tolerance_s: float | None = None

    def names(self, event: Happened) -> bool:
        """Whether an event is of the expected kind, whenever it happened and however sure it is."""
        return (
            self.type == event.type
            and self.tag in (None, event.tag)
            and self.external_id in (None, event.external_id)
            and self.device_id in (None, event.device_id)
            and self.user_id in (None, event.user_id)
        )

    def is_met_by(self, event: Happened, tolerance_s: float) -> bool:
        """Whether an event is the expected one: of its kind, sure enough, and in time."""
        if not self.names(event) or (self.confidence is not None and (event.confidence or 0) < self.confidence):
            return False
        offset_s = _offset_s(self, event)
        allowed_s = tolerance_s if self.tolerance_s is None else self.tolerance_s
        return offset_s is None or abs(offset_s) <= allowed_s


class Fault(StrEnum):
    """What is wrong with an event of the expected kind."""

    TIME = "time"
    CONFIDENCE = "confidence"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Near:
    """An expected event and one of its kind that is not quite it; the numbers are places in what was compared.

    `offset_s` is how much later it happened than expected, None where no time was expected.
    """

    expected: int
    actual: int
    fault: Fault
    offset_s: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """What `compare` found, as places in the two sequences: of `met` pairs of both, of the rest one each."""

    met: tuple[tuple[int, int], ...]
    near: tuple[Near, ...]
    missing: tuple[int, ...]
    unexpected: tuple[int, ...]

    @property
    def is_none(self) -> bool:
        """Whether all happened as expected, and nothing else."""
        return not (self.near or self.missing or self.unexpected)


def compare(
    expected: Sequence[Expected], actual: Sequence[Happened], tolerance_s: float = 0.0, *, in_order: bool = True
) -> Difference:
    """Return the least difference: as many expected events as possible are met, each by an event of its own."""
    options = [
        [place for place, event in enumerate(actual) if wanted.is_met_by(event, tolerance_s)] for wanted in expected
    ]
    met = _ordered_pairs(options) if in_order else _any_pairs(options)
    missing = _left(len(expected), (pair[0] for pair in met))
    unexpected = _left(len(actual), (pair[1] for pair in met))
    near = tuple(_near(expected, actual, missing, unexpected, tolerance_s))
    return Difference(
        tuple(met),
        near,
        tuple(place for place in missing if place not in {each.expected for each in near}),
        tuple(place for place in unexpected if place not in {each.actual for each in near}),
    )


def _left(count: int, taken: Iterator[int]) -> list[int]:
    gone = set(taken)
    return [place for place in range(count) if place not in gone]


def _ordered_pairs(options: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the longest row of pairs that rises on both sides (Hunt and Szymanski)."""
    ends: list[int] = []
    links: list[_Link] = []
    for first, seconds in enumerate(options):
        for second in reversed(seconds):
            length = bisect_left(ends, second)
            link = _Link(first, second, links[length - 1] if length else None)
            ends[length : length + 1], links[length : length + 1] = [second], [link]
    return list(_pairs(links[-1] if links else None))[::-1]


@dataclass(frozen=True, slots=True)
class _Link:
    first: int
    second: int
    before: "_Link | None"


def _pairs(link: _Link | None) -> Iterator[tuple[int, int]]:
    while link is not None:
        yield link.first, link.second
        link = link.before


def _any_pairs(options: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return as many pairs as there can be, whatever their order: a maximum matching by augmenting paths."""
    owner: dict[int, int] = {}
    for first in range(len(options)):
        _augment(first, options, owner)
    return sorted((first, second) for second, first in owner.items())


def _augment(start: int, options: Sequence[Sequence[int]], owner: dict[int, int]) -> None:
    """Find a partner for one more, moving others where they have another choice; breadth first, without recursion."""
    came_from: dict[int, int] = {}
    waiting = [start]
    for first in waiting:
        for second in options[first]:
            if second in came_from:
                continue
            came_from[second] = first
            if second not in owner:
                _hand_over(second, start, came_from, owner)
                return
            waiting.append(owner[second])


def _hand_over(free: int, start: int, came_from: dict[int, int], owner: dict[int, int]) -> None:
    """Give each on the way the partner that was found for it; the one it had goes to whoever came by it."""
    held = {first: second for second, first in owner.items()}
    second = free
    while True:
        first = came_from[second]
        owner[second] = first
        if first == start:
            return
        second = held[first]


def _near(
    expected: Sequence[Expected],
    actual: Sequence[Happened],
    missing: Sequence[int],
    unexpected: Sequence[int],
    tolerance_s: float,
) -> Iterator[Near]:
    """Yield for each missing event the nearest in time of those left that are of its kind."""
    left = list(unexpected)
    for place in missing:
        wanted = expected[place]
        alike = [other for other in left if wanted.names(actual[other])]
        if not alike:
            continue
        nearest = min(alike, key=lambda other: abs(_offset_s(wanted, actual[other]) or 0.0))
        left.remove(nearest)
        yield Near(place, nearest, *_fault(wanted, actual[nearest], tolerance_s))


def _fault(wanted: Expected, event: Happened, tolerance_s: float) -> tuple[Fault, float | None]:
    offset_s = _offset_s(wanted, event)
    if wanted.is_met_by(event, tolerance_s):
        return Fault.ORDER, offset_s
    allowed_s = tolerance_s if wanted.tolerance_s is None else wanted.tolerance_s
    return (Fault.TIME if offset_s is not None and abs(offset_s) > allowed_s else Fault.CONFIDENCE), offset_s


def _offset_s(wanted: Expected, event: Happened) -> float | None:
    """Return how much later an event was than expected."""
    if wanted.at is None or event.at is None:
        return None
    return (event.at - wanted.at).total_seconds()
