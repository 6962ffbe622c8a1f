"""Estimated remaining time of work by its progress, for the progress bars of the terminal and the window."""

from collections.abc import Callable
from math import ceil, exp
from time import monotonic
from typing import Final

_FROM_S: Final = 8.0
_FROM_SHARE: Final = 0.04
"""Share of the work before which no estimate is shown, since the beginning says little about the rest."""

_SETTLES_S: Final = 15.0
"""Time that an estimate takes to follow a change of pace, in seconds, so that it does not jump."""

_MINUTE_S: Final = 60
_STEP_S: Final = 10
_HOUR_MIN: Final = 60


class TimeLeft:
    """Estimates the remaining time of work.

    It starts with the first reported progress, since work may wait for other work before it begins, or be under way
    already.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._first: tuple[float, float] | None = None
        self._seen = 0.0
        self._ends: float | None = None

    def text(self, done: int, total: int) -> str:
        """Return ``about 3 min left``, or an empty text if no estimate is possible or the work is done."""
        now, share = self._clock(), done / max(total, 1)
        if self._first is None:
            self._first = now, share
        elapsed, gained = now - self._first[0], share - self._first[1]
        if elapsed < _FROM_S or gained < _FROM_SHARE or share >= 1:
            return ""
        ends = now + elapsed * (1 - share) / gained
        if self._ends is None:
            self._ends = ends
        else:
            self._ends += (ends - self._ends) * (1 - exp((self._seen - now) / _SETTLES_S))
        self._seen = now
        return _spoken(self._ends - now)


def _spoken(seconds: float) -> str:
    if seconds <= _STEP_S:
        return "a few seconds left"
    if seconds <= _MINUTE_S:
        return f"about {ceil(seconds / _STEP_S) * _STEP_S} s left"
    minutes = ceil(seconds / _MINUTE_S - 0.25)
    if minutes < _HOUR_MIN:
        return f"about {minutes} min left"
    hours, minutes = divmod(minutes, _HOUR_MIN)
    return f"about {hours} h {minutes} min left" if minutes else f"about {hours} h left"
