"""The fixes that have arrived from a user, as far as they may be repeated."""

from msgspec import Struct, field

from engine.backtest.fixes import NO_TIME, Fixes
from engine.tracking.arrival import FORGET_EVERY, REMEMBERED

type _Mark = tuple[int, float, float, float]
"""Time, position and accuracy of a fix."""


class Arrivals(Struct):
    """The number of a user's fixes with a time, and the numbers of those that have a twin.

    The engine remembers the last ones only.
    """

    count: int = 0
    numbers: dict[_Mark, int] = field(default_factory=dict)

    def pass_over(self, count: int) -> None:
        """Count fixes with a time and without a twin."""
        self.count += count

    def note(self, fixes: Fixes, place: int) -> None:
        """Count a fix, and remember it if it has a twin."""
        if fixes.at_us.item(place) == NO_TIME:
            return
        self.count += 1
        if not fixes.twin.item(place):
            return
        self.numbers[_mark(fixes, place)] = self.count
        if len(self.numbers) > 2 * REMEMBERED:
            self.numbers = {mark: number for mark, number in self.numbers.items() if number > self._forgotten}

    def has(self, fixes: Fixes, place: int) -> bool:
        """Return whether a fix is one of those that the engine remembers."""
        return self.numbers.get(_mark(fixes, place), -1) > self._forgotten

    @property
    def _forgotten(self) -> int:
        """The number of the last fix that the engine has forgotten."""
        return max(0, self.count // FORGET_EVERY * FORGET_EVERY - REMEMBERED)


def _mark(fixes: Fixes, place: int) -> _Mark:
    columns = fixes.longitude, fixes.latitude, fixes.accuracy_m
    longitude, latitude, accuracy_m = (column.item(place) for column in columns)
    return fixes.at_us.item(place), longitude, latitude, accuracy_m
