"""Accuracies with which an event would have fired: the largest below which every one will do.

Better is not always more certain: a circle around a fix on a tooth of a comb has most of its area outside the comb,
while one twice as large has most of it inside. From one accuracy to a larger one the area of the circle that lies on
either side only grows, which bounds how far its share can fall.
"""

from collections.abc import Callable
from math import floor, sqrt
from typing import Final

from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.updates import Confidence
from engine.tracking.decide import Decision
from engine.tracking.measure import HALF
from engine.tracking.whatif.cases import Case

_MOST_TRIED: Final = 300
"""Accuracies that are tried; where the share stays at one half, what was proved until then is the answer."""

type Decided = Callable[[int], Decision]
"""Returns what would have been decided with an accuracy in tenths of a metre."""


def depends_on_share(case: Case, wanted: Outcome) -> bool:
    """Whether an event needs a confidence that may be lost and gained again with an accuracy that gets worse."""
    return wanted is not Outcome.DWELL and case.settings.minimum_confidence == Confidence.MEDIUM


def largest_throughout(case: Case, wanted: Outcome, most: int, decided: Decided) -> int | None:
    """Return the largest accuracy, in tenths up to `most`, with which and with every smaller one the event fires.

    It begins with the largest circle that is wholly on the side of the event.
    """

    def fires(tenths: int) -> bool:
        return decided(tenths).outcome is wanted

    needs_half = depends_on_share(case, wanted)
    # So near to the boundary that rounding decides where half of a circle is, no accuracy is better.
    proved = min(most, floor(abs(case.decided().measure.distance_m) * 10)) if needs_half else 1
    if min(proved, most) < 1 or not fires(proved):
        return None
    for _ in range(_MOST_TRIED):
        reach = min(most, _reach(decided(proved), proved, wanted)) if needs_half else most
        if not fires(reach):
            return _last(fires, proved, reach)
        proved = reach
        if proved == most:
            break
    return proved


def _reach(decision: Decision, tenths: int, wanted: Outcome) -> int:
    """Return up to which accuracy, at least the next one, half of the circle is surely on the side of the event."""
    share = decision.measure.share
    on_side = 1 - share if wanted is Outcome.EXIT else share
    return max(tenths + 1, floor(tenths * sqrt(on_side / HALF)))


def _last(fires: Callable[[int], bool], low: int, high: int) -> int:
    """Return the last accuracy that fires, between one that does and one that does not; there is one change."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fires(middle) else (low, middle)
    return low
