"""Rests between groups of outcomes: tracking comes first, by its measured load.

There is one writer, so whatever it does for deliveries updates wait for. How busy the process is otherwise is measured
from group to group: where nobody tracks, a long queue is sent as fast as it can be.
"""

from time import monotonic, process_time
from typing import Final

LEAST_IDLE_S: Final = 0.005
LEAST_BUSY_S: Final = 0.07
MOST_S: Final = 0.5
"""The shortest rest while the process uses no processor otherwise, or as much as `BUSY`, and the longest: what comes
meanwhile is sent, and stored, together."""

REST_IDLE: Final = 1.0
REST_BUSY: Final = 40.0
"""How many times as long as the writer worked for deliveries it has rest from them while the process uses no processor
otherwise, or as much as `BUSY`. The latter allows about 2,200 deliveries a second (see docs/benchmarks.md)."""

BUSY: Final = 0.25
"""The share of a processor: not all of one, for on a computer that others use tracking may not get more than that."""


class Pace:
    """Measures the work for deliveries, and the other work of the process."""

    def __init__(self) -> None:
        self._at, self._process_s = monotonic(), process_time()
        self.worked_s = 0.0
        """What was worked for deliveries since the last rest."""

    def rest_s(self) -> float:
        """Return how long to rest after what was worked since this was asked the last time."""
        at, process_s = monotonic(), process_time()
        took_s, self.worked_s = self.worked_s, 0.0
        others_s = max(process_s - self._process_s - took_s, 0.0)
        busy = others_s / max(at - self._at, LEAST_IDLE_S)
        self._at, self._process_s = at, process_s
        return rest_s(took_s, busy)


def rest_s(took_s: float, busy: float) -> float:
    """Return how long the writer rests after work for deliveries, by the share of a processor that others use."""
    share = min(busy / BUSY, 1.0) ** 2
    least_s = LEAST_IDLE_S + (LEAST_BUSY_S - LEAST_IDLE_S) * share
    return min(max(took_s * (REST_IDLE + (REST_BUSY - REST_IDLE) * share), least_s), MOST_S)
