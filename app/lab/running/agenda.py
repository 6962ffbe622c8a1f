"""Agenda of a run: the fixes of all tracks, and what comes by the clock."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from heapq import heappop, heappush

from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values.dataclass import dataclass

type Work = Callable[[], object]


@dataclass(frozen=True, slots=True, order=True)
class _Key:
    """Order of things at one time: what the clock brings before fixes, and those in the order of the file."""

    at: timedelta
    order: int
    number: int


class Agenda:
    """Times are since the start. Fixes come as planned, and later by the time that the clock has jumped since.

    A connection that comes back, or an update that is under way, comes by the clock however that was moved.
    """

    def __init__(self, start: datetime, send: Callable[[LocationUpdate], object]) -> None:
        self._start, self._send = start, send
        self._fixes: list[tuple[_Key, LocationUpdate]] = []
        self._clock: list[tuple[_Key, Work]] = []
        self._number = 0
        self._lasting = 0
        self._shift = timedelta(0)

    def plan(self, order: int, fixes: Iterable[LocationUpdate]) -> None:
        """Add the fixes of a device."""
        for fix in fixes:
            assert fix.at is not None
            heappush(self._fixes, (self._key(fix.at - self._start, order), fix))

    def add(self, at: timedelta, work: Work) -> None:
        """Add what is to be done at a time of the clock."""
        self._lasting += 1
        self.add_passing(at, partial(self._last, work))

    def add_passing(self, at: timedelta, work: Work) -> None:
        """Add what is to be done if the scenario lasts until then."""
        heappush(self._clock, (self._key(at, 0), work))

    def postpone(self, by: timedelta) -> None:
        """Have all fixes that are left come later."""
        self._shift += by

    def next(self, until: timedelta | None = None, *, fixes: bool = True) -> tuple[timedelta, Work] | None:
        """Remove and return what comes next, up to a time, and when; None where nothing does."""
        if until is None and not self._fixes and not self._lasting:
            return None
        fix = self._fixes[0][0].at + self._shift if self._fixes and fixes else None
        other = self._clock[0][0].at if self._clock else None
        at = min((each for each in (fix, other) if each is not None), default=None)
        if at is None or (until is not None and at > until):
            return None
        if at == other:
            return at, heappop(self._clock)[1]
        update = heappop(self._fixes)[1]
        assert update.at is not None
        shifted = replace(update, at=update.at + self._shift) if self._shift else update
        return at, lambda: self._send(shifted)

    def _last(self, work: Work) -> None:
        self._lasting -= 1
        work()

    def _key(self, at: timedelta, order: int) -> _Key:
        self._number += 1
        return _Key(at, order, self._number)
