"""Search for the largest accuracy with which, and with every better one, an event would have fired.

Better accuracies do not always give more confidence: a circle around a fix on a tooth of a comb has most of its area
outside the comb, while one twice as large has most of it inside. As the accuracy value grows, the area of the circle on
either side of the boundary only grows, which limits how fast its share can fall.
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
"""Maximum number of accuracies tried. If the share stays at one half, the result is the largest one verified so far."""

type Decided = Callable[[int], Decision]
"""Returns the decision with an accuracy in tenths of a metre."""


def depends_on_share(case: Case, wanted: Outcome) -> bool:
    """Return whether an event requires a confidence that may be lost and regained as the accuracy gets worse."""
    return wanted is not Outcome.DWELL and case.settings.minimum_confidence == Confidence.MEDIUM


def largest_throughout(case: Case, wanted: Outcome, most: int, decided: Decided) -> int | None:
    """Return the largest accuracy, in tenths up to `most`, with which and with every smaller one the event fires.

    The search starts with the largest circle that is entirely on the side of the event.
    """

    def fires(tenths: int) -> bool:
        return decided(tenths).outcome is wanted

    needs_half = depends_on_share(case, wanted)
    # If the fix is so near the boundary that rounding decides about half of the circle, no better accuracy is certain.
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
    """Return an accuracy, at least the next one, up to which half of the circle is certainly on the event's side."""
    share = decision.measure.share
    on_side = 1 - share if wanted is Outcome.EXIT else share
    return max(tenths + 1, floor(tenths * sqrt(on_side / HALF)))


def _last(fires: Callable[[int], bool], low: int, high: int) -> int:
    """Return the last accuracy that fires, between one that does and one that does not, by bisection."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fires(middle) else (low, middle)
    return low
